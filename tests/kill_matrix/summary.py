"""The matrix in short, as Markdown for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import mean, median

from attrs import frozen
from zoo.equivalent import EQUIVALENT

from kill_matrix.bars import as_lines, bars
from kill_matrix.rows import EVIDENCE, EXHAUSTIVE, RANDOM, Found, Row

SLOWEST: int = 25


@frozen
class Asking:
    """With what the matrix was made."""

    command: str
    date: str
    seed: int
    random_count: int
    groups: int
    versions: str


def as_markdown(rows: Sequence[Row], asking: Asking) -> str:
    """Give the summary: how many are found, how early, by what name; and what is not."""
    return "\n".join(_lines(rows, asking)) + "\n"


def as_readme(rows: Sequence[Row], asking: Asking) -> str:
    """Give what the README tells of it."""
    told = (
        f"{len(rows)} faulty subjects, each with a small slip of the kind that real histories have "
        f"had, were hunted by each kind of evidence alone ({asking.date}, seed {asking.seed}, "
        f"{asking.random_count} random scripts a group):"
    )
    return "\n".join([told, "", *_by_evidence(rows), "", *_by_need(rows)])


def _lines(rows: Sequence[Row], asking: Asking) -> Iterator[str]:
    lived = [row for row in rows if row.fault.lived]
    yield "# The kill matrix"
    yield ""
    yield (
        f"{len(rows)} faulty subjects (tests/zoo), {len(lived)} of them with faults that only a "
        f"longer life of a history shows, hunted by each kind of evidence alone. "
        f"{asking.date}, {asking.versions}, seed {asking.seed}, {asking.random_count} random "
        f"scripts in each of {asking.groups} groups, group by group as a campaign has them. Again:"
    )
    yield ""
    yield f"    {asking.command}"
    yield ""
    yield (
        "All figures of every fault stand in [kill-matrix.tsv](kill-matrix.tsv), one line each: "
        "its clause and those that are as right, the modes it shows in (debug, release), the least "
        "operations/items that show it; then for each kind of evidence, alone, the first case that "
        "shows it in debug and in release, the counterexample's operations/items, and the clauses "
        "named, each with its modes."
    )
    yield ""
    yield from as_lines([*bars(rows)])
    yield ""
    yield from _by_evidence(rows)
    yield ""
    yield from _by_need(rows)
    yield ""
    yield from _by_profile(rows)
    yield ""
    yield from _unfound(rows)
    yield from _misnamed(rows)
    yield from _slow(rows)
    yield from _equivalent()


def _by_evidence(rows: Sequence[Row]) -> Iterator[str]:
    yield "| evidence | finds | a right clause is named | by the first kill |"
    yield "|---|---|---|---|"
    for name in EVIDENCE:
        found = _found_by(rows, name)
        right, at_once = _share(found, _is_right), _share(found, _is_at_once)
        yield f"| {name} | {len(found)} of {len(rows)} | {right} | {at_once} |"
    either = [
        one for row in rows if (one := row.found[EXHAUSTIVE] or row.found[RANDOM]) is not None
    ]
    named = [row for row in rows if _named(row)]
    right = _percent(len(named), len(either))
    yield f"| exhaustive and random | {len(either)} of {len(rows)} | {right} | |"


def _both(row: Row) -> tuple[Found | None, Found | None]:
    return row.found[EXHAUSTIVE], row.found[RANDOM]


def _named(row: Row) -> bool:
    return any(map(_is_right, filter(None, _both(row))))


def _by_need(rows: Sequence[Row]) -> Iterator[str]:
    yield "| cases to kill at random | faults | mean | median | worst |"
    yield "|---|---|---|---|---|"
    alone = [row for row in rows if row.found[EXHAUSTIVE] is None]
    groups = {
        "all that random evidence finds": rows,
        "projection, media and wire": [row for row in rows if not row.fault.lived],
        "longer lives": [row for row in rows if row.fault.lived],
        "those that exhaustive evidence does not find": alone,
    }
    for name, among in groups.items():
        cases = [one.first for one in _found_by(among, RANDOM)]
        if cases:
            middle = f"{mean(cases):.1f} | {median(cases):g}"
            yield f"| {name} | {len(cases)} | {middle} | {max(cases)} |"
    yield ""
    yield from _minimal(rows)


def _minimal(rows: Sequence[Row]) -> Iterator[str]:
    measured = [
        (row.least_for(found.size), found.size, found.minimal)
        for row in rows
        if (found := row.found[RANDOM]) and found.size and found.right
    ]
    if not measured:
        return
    of_the_clause = sum(bool(minimal) for *_, minimal in measured)
    exact = sum(size.within(least) for least, size, _ in measured)
    near = sum(size.operations <= least.operations + 1 for least, size, _ in measured)
    yield (
        f"Of {len(measured)} minimised counterexamples from random scripts, "
        f"{_percent(of_the_clause, len(measured))} are as small as the smallest script known to "
        f"violate their clause, {_percent(exact, len(measured))} as small as the smallest known to "
        f"show the fault at all, whatever clause it violates, and "
        f"{_percent(near, len(measured))} have at most one operation more than that."
    )


def _by_profile(rows: Sequence[Row]) -> Iterator[str]:
    chapters = sorted({row.fault.clause.partition("-")[0] for row in rows})
    yield "| clauses | faults | exhaustive | random | vectors | median cases at random |"
    yield "|---|---|---|---|---|---|"
    for chapter in chapters:
        among = [row for row in rows if row.fault.clause.startswith(f"{chapter}-")]
        counts = [str(len(_found_by(among, name))) for name in EVIDENCE]
        cases = [one.first for one in _found_by(among, RANDOM)]
        middle = f"{median(cases):g}" if cases else ""
        yield f"| {chapter} | {len(among)} | {' | '.join(counts)} | {middle} |"


def _unfound(rows: Sequence[Row]) -> Iterator[str]:
    lost = [row.fault.name for row in rows if not any(_both(row))]
    if lost:
        yield "## Found neither by listings nor at random with this much evidence"
        yield ""
        yield "The least script that shows each stands in tests/zoo/witnesses.jsonl."
        yield ""
        yield from (f"* {name}" for name in lost)
        yield ""


def _misnamed(rows: Sequence[Row]) -> Iterator[str]:
    wrong = [row for row in rows if any(_both(row)) and not _named(row)]
    if not wrong:
        return
    yield "## Found, but by another name than theirs"
    yield ""
    yield "| fault | its clause | named |"
    yield "|---|---|---|"
    for row in wrong:
        found = row.found[EXHAUSTIVE] or row.found[RANDOM]
        named = ", ".join(found.named) if found else ""
        yield f"| {row.fault.name} | {row.fault.clause} | {named or 'none'} |"
    yield ""


def _slow(rows: Sequence[Row]) -> Iterator[str]:
    found = [(one.first, row, one) for row in rows if (one := row.found[RANDOM]) is not None]
    found.sort(key=lambda told: (-told[0], told[1].fault.name))
    yield "## Slowest at random"
    yield ""
    yield "| fault | clause | cases | group | exhaustive evidence |"
    yield "|---|---|---|---|---|"
    for cases, row, one in found[:SLOWEST]:
        listed = row.found[EXHAUSTIVE]
        also = f"case {listed.first} of {listed.source}" if listed else ""
        yield f"| {row.fault.name} | {row.fault.clause} | {cases} | {one.source} | {also} |"
    yield ""


def _equivalent() -> Iterator[str]:
    yield "## Equivalent mutants"
    yield ""
    yield from (f"* {name}: {one.proof}" for name, one in sorted(EQUIVALENT.items()))


def _found_by(rows: Sequence[Row], evidence: str) -> list[Found]:
    return [found for row in rows if (found := row.found[evidence]) is not None]


def _is_right(found: Found) -> bool:
    return found.right


def _is_at_once(found: Found) -> bool:
    return found.at_once


def _share(found: Sequence[Found], holds: Callable[[Found], bool]) -> str:
    return _percent(sum(map(holds, found)), len(found))


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else ""
