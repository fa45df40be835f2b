"""One row of the matrix a fault: what each kind of evidence, alone, finds and says of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import dropwhile
from typing import Final

from attrs import frozen
from zoo.faulty import FAULTS, Fault

from contextcert.refmodel import Mode
from kill_matrix.evidence import Asked, Kind, Library
from kill_matrix.hunting import Kill, first_case, kills, until_named
from kill_matrix.minimal import Size, is_minimal, smallest
from kill_matrix.witnesses import witnesses

EXHAUSTIVE: Final = "exhaustive"
RANDOM: Final = "random"
VECTORS: Final = "vectors"
EVIDENCE: Final = (EXHAUSTIVE, RANDOM, VECTORS)

PAIRED: Final = (Kind.HISTORIES, Kind.SPECIMENS, Kind.OPERATIONS, Kind.LIVES)
LIVED: Final = (Kind.OPERATIONS, Kind.LIVES, Kind.SPECIMENS, Kind.HISTORIES)
"""The listings of exhaustive evidence, in the order in which a fault is looked for."""

PAIRING_ITEMS: Final = 3

LISTED: Final = {kind.value for kind in Kind} - {Kind.RANDOM.value}
PROJECTED: Final = {kind.value for kind in (Kind.HISTORIES, Kind.PAIRINGS, Kind.SPECIMENS)}
"""The listings that record items and project them for many models."""


@frozen
class Found:
    """What one kind of evidence made of a fault.

    Attributes:
        cases: the number of the first case that showed it in each of its modes, in its listing or
            among all random scripts; a mode in which no case shows it is left out.
        source: the listing or the random group of the first of them.
        named: the clauses named by the kills that were judged, each with its modes.
        right: whether the fault's own clause, or one as good, is among them.
        at_once: whether it was named by the very first kill.
        unattributed: whether a difference was left without a clause.
        size: the counterexample's, minimised if it was drawn at random.
        minimal: whether no script known to violate the same clause is smaller; None if it was not
            drawn at random.
    """

    cases: Mapping[str, int]
    source: str
    named: Mapping[str, tuple[str, ...]]
    right: bool
    at_once: bool
    unattributed: bool
    size: Size | None
    minimal: bool | None

    @property
    def first(self) -> int:
        """The number of the first case that showed it in any mode."""
        return min(self.cases.values())


@frozen
class Row:
    """All that was found of one fault, and its known minimum where it has a witness."""

    name: str
    found: Mapping[str, Found | None]
    minimum: Size | None

    @property
    def fault(self) -> Fault:
        """The fault of this name."""
        return FAULTS[self.name]

    def least_for(self, size: Size) -> Size:
        """Give the known minimum; where it is a number of items alone, the operations are given."""
        return self.minimum or Size(size.operations, self.fault.minimum)


def row(name: str, library: Library) -> Row:
    """Hunt a fault with each kind of evidence alone."""
    witness = witnesses().get(name)
    found = {evidence: _found(FAULTS[name], library, evidence) for evidence in EVIDENCE}
    return Row(name, found, witness.size if witness else None)


def kinds(fault: Fault, evidence: str) -> Iterable[Kind]:
    """Give the listings to look through."""
    if evidence != EXHAUSTIVE:
        return (Kind.RANDOM if evidence == RANDOM else Kind.VECTORS,)
    if fault.lived:
        return LIVED
    pairing = fault.plain and fault.minimum == PAIRING_ITEMS
    return (*PAIRED, Kind.PAIRINGS) if pairing else PAIRED


def _found(fault: Fault, library: Library, evidence: str) -> Found | None:
    best: Found | None = None
    for kind in kinds(fault, evidence):
        told = _told(fault, library, kind)
        if told is not None and told.right:
            return told
        best = best or told
    return best


def _told(fault: Fault, library: Library, kind: Kind) -> Found | None:
    judged = list(until_named(kills(fault, library.evidence(kind), library.judge), fault))
    if not judged:
        return None
    first, last = judged[0], judged[-1]
    named: dict[str, set[str]] = {}
    for clause, mode in (cell for kill in judged for cell in kill.named):
        named.setdefault(clause, set()).add(mode)
    size, minimal = None, None
    if last.judgement.violations:
        size, minimal = _measured(last, fault, library)
    return Found(
        cases=dict(_first_cases(first, fault, library.evidence(kind))),
        source=first.asked.source,
        named={clause: tuple(sorted(modes)) for clause, modes in sorted(named.items())},
        right=last.names(fault),
        at_once=first.names(fault),
        unattributed=any(kill.judgement.unattributed for kill in judged),
        size=size,
        minimal=minimal,
    )


def _first_cases(first: Kill, fault: Fault, evidence: Iterable[Asked]) -> Iterator[tuple[str, int]]:
    """Give the number of the first case that shows a fault, for each mode that one does."""
    for mode in map(Mode, fault.modes):
        later = dropwhile(lambda one: one is not first.asked, evidence)
        number = first.asked.number if mode in first.shown else first_case(fault, later, mode)
        if number is not None:
            yield mode.value, number


def _measured(kill: Kill, fault: Fault, library: Library) -> tuple[Size, bool | None]:
    """Measure a counterexample: random scripts are cut down, what is listed is short as it is."""
    if kill.asked.source in LISTED:
        return _listed(kill), None
    known, least = witnesses().get(fault.name), smallest(kill, fault, library.setting)
    minimal = is_minimal(least, fault, known.case if known else None, library.setting)
    return Size.of(least.script), minimal


def _listed(kill: Kill) -> Size:
    script = kill.asked.case.script
    shown = min(one.operation for one in kill.judgement.violations)
    if kill.asked.source in PROJECTED:
        return Size.of([script[0], script[shown]])
    return Size.of(script[: shown + 1])
