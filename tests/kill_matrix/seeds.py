"""Random evidence alone, stopping at the first kill, on several seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mean, median
from typing import Final

from attrs import frozen
from zoo.faulty import FAULTS

from contextcert.campaign.budget import Budget
from kill_matrix.evidence import Kind, Library
from kill_matrix.hunting import kills

COUNTED: Final = (
    "| seed | killed | a right clause at once | mean | median | worst | survivors |",
    "|---|---|---|---|---|---|---|",
)


@frozen
class Seeded:
    """What one seed's random scripts kill.

    Attributes:
        seed: the seed.
        cases: the number of the random script that first showed each fault that was killed.
        right: the faults whose first kill named a clause that is right.
    """

    seed: int
    cases: dict[str, int]
    right: frozenset[str]


def seeded(seed: int, budget: Budget) -> Seeded:
    """Hunt every fault with one seed's random scripts, up to its first kill."""
    library = Library(budget, seed)
    cases: dict[str, int] = {}
    right: set[str] = set()
    for name, fault in sorted(FAULTS.items()):
        first = next(kills(fault, library.evidence(Kind.RANDOM), library.judge), None)
        if first is None:
            continue
        cases[name] = first.asked.number
        if first.names(fault):
            right.add(name)
    return Seeded(seed, cases, frozenset(right))


def as_seeds(told: Sequence[Seeded], *, command: str, date: str, made_of: str) -> str:
    """Write one line a seed, one of all of them, and what survives anywhere."""
    return "\n".join([*_lines(told, command, date, made_of)]) + "\n"


def _lines(told: Sequence[Seeded], command: str, date: str, made_of: str) -> Iterator[str]:
    yield "# The same kills on other seeds"
    yield ""
    yield (
        f"{len(FAULTS)} faulty subjects (tests/zoo) hunted by random scripts alone, up to the "
        f"first script that shows the fault. {date}, {made_of}. Again:"
    )
    yield ""
    yield f"    {command}"
    yield ""
    yield from COUNTED
    for one in told:
        yield _counted(str(one.seed), [one])
    yield _counted("all", told)
    yield ""
    yield from _survivors(told)


def _counted(name: str, told: Sequence[Seeded]) -> str:
    cases = [number for one in told for number in one.cases.values()]
    right = sum(len(one.right) for one in told)
    total = len(told) * len(FAULTS)
    middle = f"{mean(cases):.1f} | {median(cases):g} | {max(cases)}"
    return (
        f"| {name} | {len(cases)} of {total} | {100 * right / len(cases):.1f}% | {middle} "
        f"| {total - len(cases)} |"
    )


def _survivors(told: Sequence[Seeded]) -> Iterator[str]:
    survived = {
        name: seeds
        for name in sorted(FAULTS)
        if (seeds := [str(one.seed) for one in told if name not in one.cases])
    }
    if not survived:
        return
    yield "What some seeds do not kill; [the kill matrix](kill-matrix.md) says what else does."
    yield ""
    yield "| fault | clause | survives with seed |"
    yield "|---|---|---|"
    for name, seeds in survived.items():
        yield f"| {name} | {FAULTS[name].clause} | {', '.join(seeds)} |"
