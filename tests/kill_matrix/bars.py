"""What the suite owes itself, and what was seen of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mean, median
from typing import Final

from attrs import frozen

from kill_matrix.rows import EXHAUSTIVE, RANDOM, Row

SHORT: Final = 2


@frozen
class Bar:
    """One bar: what is asked, what was seen, and whether that is enough."""

    asked: str
    seen: str
    met: bool


def bars(rows: Sequence[Row]) -> Iterator[Bar]:
    """Give every bar that the matrix can tell of."""
    killed = [row for row in rows if row.found[EXHAUSTIVE] or row.found[RANDOM]]
    right = [row for row in killed if _is_named(row)]
    short = [row for row in rows if row.fault.plain and row.fault.minimum <= SHORT]
    early = [row for row in short if _is_short(row)]
    yield _all_of("killed by exhaustive or random evidence", len(killed), len(rows), 1)
    yield _all_of("of these, the fault's own clause named", len(right), len(killed), 0.95)
    asked = f"of at most {SHORT} items, killed by exhaustive evidence of as few"
    yield _all_of(asked, len(early), len(short), 1)
    yield from _cases([found.first for row in rows if (found := row.found[RANDOM])])
    least = [
        found.minimal for row in rows if (found := row.found[RANDOM]) and found.size and found.right
    ]
    yield _all_of("counterexamples minimal", sum(map(bool, least)), len(least), 0.95)


def as_lines(told: Sequence[Bar]) -> Iterator[str]:
    """Write bars as a table."""
    yield "| bar | seen | |"
    yield "|---|---|---|"
    for one in told:
        yield f"| {one.asked} | {one.seen} | {'met' if one.met else 'missed'} |"


def _is_named(row: Row) -> bool:
    return any(
        found is not None and found.right for found in (row.found[EXHAUSTIVE], row.found[RANDOM])
    )


def _is_short(row: Row) -> bool:
    found = row.found[EXHAUSTIVE]
    return bool(found and found.size and found.size.items <= SHORT)


def _all_of(asked: str, part: int, whole: int, share: float) -> Bar:
    seen = f"{part} of {whole}, {100 * part / max(whole, 1):.1f}%"
    return Bar(f"{100 * share:g}% {asked}", seen, part >= share * whole)


def _cases(cases: Sequence[int]) -> Iterator[Bar]:
    if not cases:
        return
    told = {"mean": (mean(cases), 20), "median": (median(cases), 8), "worst": (max(cases), 150)}
    for name, (seen, most) in told.items():
        yield Bar(f"{name} cases to kill at random at most {most}", f"{seen:.4g}", seen <= most)
