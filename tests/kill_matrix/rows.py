"""One row of the matrix a fault: what each kind of evidence, alone, finds and says of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import frozen
from zoo.faulty import FAULTS, Fault

from contextcert.refmodel import Mode
from kill_matrix.evidence import Kind, Library
from kill_matrix.hunting import Kill, kills, until_named
from kill_matrix.minimal import Size, smallest
from kill_matrix.subjects import Pair, served
from kill_matrix.witnesses import Showing, Witness, witnesses

EXHAUSTIVE: Final = "exhaustive"
RANDOM: Final = "random"
VECTORS: Final = "vectors"
EVIDENCE: Final = (EXHAUSTIVE, RANDOM, VECTORS)

PAIRED: Final = (Kind.HISTORIES, Kind.SPECIMENS, Kind.OPERATIONS, Kind.LIVES)
LIVED: Final = (Kind.OPERATIONS, Kind.LIVES, Kind.SPECIMENS, Kind.HISTORIES)
"""The listings of exhaustive evidence, in the order in which a fault is looked for."""

PAIRING_ITEMS: Final = 3


@frozen
class Found:
    """What one kind of evidence made of a fault.

    Attributes:
        cases: the number of the case that showed it, in its listing or among all random scripts.
        source: the listing or the random group of that case.
        named: the clauses named by the kills that were judged, each with its modes.
        right: whether the fault's own clause, or one as good, is among them.
        at_once: whether it was named by the very first kill.
        unattributed: whether a difference was left without a clause.
        size: the minimised counterexample.
    """

    cases: int
    source: str
    named: Mapping[str, tuple[str, ...]]
    right: bool
    at_once: bool
    unattributed: bool
    size: Size | None


@frozen
class Row:
    """All that was found of one fault, and its known minimum where it has a witness."""

    name: str
    found: Mapping[str, Found | None]
    minimum: Size | None
    served_alike: bool | None

    @property
    def fault(self) -> Fault:
        """The fault of this name."""
        return FAULTS[self.name]


def row(name: str, library: Library, *, over_pipes: bool) -> Row:
    """Hunt a fault with each kind of evidence alone."""
    fault = FAULTS[name]
    witness = witnesses().get(fault.name)
    found = {evidence: _found(fault, library, evidence) for evidence in EVIDENCE}
    alike = _served_alike(fault, witness) if over_pipes and witness is not None else None
    return Row(name, found, witness.size if witness else None, alike)


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
        hunted = kills(fault, library.evidence(kind), library.judge)
        judged = list(until_named(hunted, fault))
        if not judged:
            continue
        told = _told(judged, fault, library, measured=evidence == RANDOM)
        if told.right:
            return told
        best = best or told
    return best


def _told(judged: list[Kill], fault: Fault, library: Library, *, measured: bool) -> Found:
    first, last = judged[0], judged[-1]
    named: dict[str, set[str]] = {}
    for clause, mode in (cell for kill in judged for cell in kill.named):
        named.setdefault(clause, set()).add(mode)
    size = None
    if measured and last.judgement.violations:
        size = Size.of(smallest(last, fault, library.setting))
    return Found(
        cases=first.asked.number,
        source=first.asked.source,
        named={clause: tuple(sorted(modes)) for clause, modes in sorted(named.items())},
        right=last.names(fault),
        at_once=first.names(fault),
        unattributed=any(kill.judgement.unattributed for kill in judged),
        size=size,
    )


def _served_alike(fault: Fault, witness: Witness) -> bool:
    showing = Showing(fault, Pair.of(fault.name), witness.goes_on)
    return all(_alike(showing, witness, mode) for mode in showing.modes)


def _alike(showing: Showing, witness: Witness, mode: Mode) -> bool:
    with served(showing.fault.name, mode) as session:
        answer = session.run(witness.script, continue_after_panic=witness.goes_on)
    return answer.outcomes == showing.answers(witness.script)[mode]
