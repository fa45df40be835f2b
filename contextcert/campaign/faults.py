"""What an adapter's failure on a script means for the clauses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from contextcert.campaign.case import PROJECTIONS, Case
from contextcert.campaign.tally import FaultFound
from contextcert.properties import Violation
from contextcert.refmodel import Mode
from contextcert.subject import Fault, FaultKind, Script, Session

CHANGED_ANSWER: Final = "changed answer"
DETERMINISM: Final = "PROJ-2"
USABLE_AFTER_PANIC: Final = "MODE-8"

_DEATHS: Final = frozenset({FaultKind.CRASH, FaultKind.HANG})
_NEVER_DIES: Final[Mapping[Mode, str]] = MappingProxyType(
    {Mode.DEBUG: "MODE-3", Mode.RELEASE: "MODE-4"}
)


def fault_found(mode: Mode, fault: Fault, case: Case) -> FaultFound:
    """Keep a fault beside the script that caused it."""
    return FaultFound(
        mode=mode,
        kind=fault.kind.value,
        message=fault.message,
        stderr=fault.stderr,
        repeated=fault.repeated,
        script=case.script if fault.script is None else fault.script,
        goes_on=case.goes_on and fault.script is None,
    )


def violation_of_fault(mode: Mode, fault: Fault, case: Case, session: Session) -> Violation | None:
    """Name the clause that a fault breaks, if there is one.

    A fault that does not repeat breaks PROJ-2. A crash or hang breaks MODE-4 in release and MODE-3
    in debug, but only if it comes of projecting: the script without its projections is answered. It
    breaks MODE-8 if it comes of going on after a panic alone.
    """
    place = _first_projection(case.script)
    if not fault.repeated:
        return _broken(DETERMINISM, mode, place or 0, "the same outcomes every time", fault)
    if place is None or fault.kind not in _DEATHS:
        return None
    alone = [op for op in case.script if op.get("op") not in PROJECTIONS]
    if alone and session.run(alone).fault is not None:
        return None
    panicked = _panic_survived(case, session)
    if panicked is not None:
        return _broken(USABLE_AFTER_PANIC, mode, panicked, "an outcome", fault)
    return _broken(_NEVER_DIES[mode], mode, place, "an outcome", fault)


def _panic_survived(case: Case, session: Session) -> int | None:
    """Give the operation that panicked, where a script is answered as long as it ends there."""
    if not case.goes_on:
        return None
    outcomes = session.run(case.script).outcomes
    return len(outcomes) - 1 if outcomes and "panic" in outcomes[-1] else None


def changed_answer(violation: Violation) -> Violation:
    """Turn a violation that a second run does not show into one of PROJ-2."""
    return Violation(
        clause=DETERMINISM,
        mode=violation.mode,
        message=f"nondeterministic: a second run of the script no longer violates "
        f"{violation.clause}; the first gave: {violation.message}",
        operation=violation.operation,
        path=violation.path,
        expected=violation.expected,
        actual=violation.actual,
    )


def is_nondeterministic(violation: Violation) -> bool:
    """Say whether a violation is that of an answer that changed, which no script alone shows."""
    return violation.clause == DETERMINISM and violation.message.startswith("nondeterministic")


def changed(violation: Violation, case: Case) -> FaultFound:
    """List an answer that changed among the faults, so that it is never green."""
    return FaultFound(
        mode=violation.mode,
        kind=CHANGED_ANSWER,
        message=changed_answer(violation).message,
        stderr="",
        repeated=False,
        script=case.script,
        goes_on=case.goes_on,
    )


def _broken(clause: str, mode: Mode, operation: int, expected: str, fault: Fault) -> Violation:
    certainty = "" if fault.repeated else "nondeterministic, a second try was answered: "
    return Violation(
        clause=clause,
        mode=mode,
        message=f"{certainty}{fault.message}",
        operation=operation,
        path="",
        expected=expected,
        actual=fault.kind.value,
    )


def _first_projection(script: Script) -> int | None:
    places = (place for place, op in enumerate(script) if op.get("op") in PROJECTIONS)
    return next(places, None)
