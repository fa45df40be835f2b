"""A check that compares several outcomes of one script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping
from typing import TypeAlias

from attrs import frozen

from contextcert.properties.case import Case
from contextcert.properties.checks.check import Check, Finding
from contextcert.refmodel.modes import Mode

Counts: TypeAlias = MutableMapping[tuple[str, Mode], int]


@frozen
class RelationCheck(Check):
    """Judges a whole case, and adds to the counts how often it could."""

    judge: Callable[[Case, Counts], Iterable[Finding]] = lambda _case, _counts: ()


def exercised(counts: Counts, clause: str, mode: Mode, times: int = 1) -> None:
    """Count that a clause was exercised."""
    counts[clause, mode] = counts.get((clause, mode), 0) + times
