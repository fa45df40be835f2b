"""Decides which findings count: causes before consequences, specific clauses before general ones.

A call wrongly taken for answered, or an output for an orphan, makes debug panic otherwise and
release report otherwise. Where the prompt of either build shows the cause, the clauses on panics
and messages have nothing to add.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import frozen

from contextcert.properties.checks import CHECKS, Acquittal, Finding, Suspicion
from contextcert.properties.kinship import touched_together
from contextcert.properties.violations import Violation
from contextcert.refmodel.modes import Mode
from contextcert.subject import Script

_BY_ITEM: Final = frozenset({"ORD-3"})
_EXPLAINS_NOTHING: Final = frozenset({"PROJ-4"})
"""What only says that two prompts differ leaves open why."""


_CAUSES: Final = frozenset({"PAIR", "ORPH"})
"""The groups that say which calls are answered and which outputs are orphans."""

_CONSEQUENCES: Final = frozenset({"MODE-1", "MODE-3", "MODE-6", "MODE-7"})
"""What says how a build speaks of that."""

_SHARED: Final = "SNAP-1"
_UNSTABLE: Final = "PROJ-2"
_REMOVED_AGAIN: Final = "ORPH-9"
_ANSWERED_BY_ANOTHER: Final = "PAIR-7"


@frozen
class Attribution:
    """The violations that count, and every operation that a finding was about."""

    violations: list[Violation]
    explained: frozenset[tuple[Mode, int]]


def attributed(findings: Iterable[Finding], script: Script) -> Attribution:
    """Keep every specific violation, and those general ones that no specific one explains.

    A changed item is explained by a specific violation in that very item; anything else that is
    general by any specific violation of the same operation.
    """
    sure: list[Violation] = []
    unsure: list[tuple[Violation, bool]] = []
    cleared: set[tuple[str, Mode, int]] = set()
    for finding in findings:
        if isinstance(finding, Acquittal):
            cleared.add((finding.clause, finding.mode, finding.operation))
        elif isinstance(finding, Suspicion):
            unsure.append((finding.violation, True))
        elif CHECKS[finding.clause].general:
            unsure.append((finding, finding.clause in _BY_ITEM))
        else:
            sure.append(finding)
    if cleared:
        sure = [one for one in sure if (one.clause, one.mode, one.operation) not in cleared]
    whole = [*sure, *_unexplained(sure, unsure)]
    explained = {(one.mode, one.operation) for one in whole}
    shared = _shared(whole, script)
    if shared:
        whole = [one for one in whole if one.clause == _SHARED or one.operation not in shared]
        explained |= {(mode, operation) for mode in Mode for operation in shared}
    return Attribution(_without_repetition(_causes(whole)), frozenset(explained))


def _shared(violations: Sequence[Violation], script: Script) -> set[int]:
    """Give the operations on histories that are not independent: all may be wrong (SNAP-1).

    Where a history is projected twice in a row no other history comes between, and what differs
    is nobody's but the projection's.
    """
    unstable = _places(violations, _UNSTABLE)
    return {
        place
        for one in violations
        if one.clause == _SHARED
        and not ((one.mode, one.operation) in unstable and _at_once(script, one.operation))
        for place in touched_together(script, one.operation)
    }


def _at_once(script: Script, operation: int) -> bool:
    return operation > 0 and script[operation - 1] == script[operation]


def _causes(violations: list[Violation]) -> Iterator[Violation]:
    """Leave out what another violation of the same projection brings with it."""
    decided = {one.operation for one in violations if one.clause.partition("-")[0] in _CAUSES}
    unstable = _places(violations, _UNSTABLE)
    removed = _places(violations, _REMOVED_AGAIN)
    for one in violations:
        place = (one.mode, one.operation)
        if not (
            (place in unstable and one.clause != _UNSTABLE)
            or (one.operation in decided and one.clause in _CONSEQUENCES)
            or (place in removed and one.clause == _ANSWERED_BY_ANOTHER)
        ):
            yield one


def causes(violations: Sequence[Violation]) -> list[Violation]:
    """Keep, of all that one script shows, what the rest may come of; all of it if nothing is that.

    How debug panics and what release reports is left out where anything else is wrong, and that an
    id is not the right one (SYN-1) where a clause says why. Each clause is kept once a mode.
    """
    named = {one.clause for one in violations}
    broad = {clause for clause in named if clause in _SPOKEN_OF or clause in _GENERAL}
    if named & _WHY_AN_ID:
        broad.add("SYN-1")
    kept = [one for one in violations if one.clause not in broad] or violations
    return list({(one.clause, one.mode): one for one in reversed(kept)}.values())[::-1]


_SPOKEN_OF: Final = _CONSEQUENCES | {"MODE-2", "MODE-5"}
_GENERAL: Final = frozenset(clause for clause, check in CHECKS.items() if check.general)
_WHY_AN_ID: Final = frozenset({"SYN-2", "SYN-3", "SYN-4"})


def _places(violations: Iterable[Violation], clause: str) -> set[tuple[Mode, int]]:
    return {(one.mode, one.operation) for one in violations if one.clause == clause}


def _unexplained(
    sure: Iterable[Violation], unsure: Iterable[tuple[Violation, bool]]
) -> Iterable[Violation]:
    telling = [one for one in sure if one.clause not in _EXPLAINS_NOTHING]
    operations = {(one.mode, one.operation) for one in telling}
    items = {(one.mode, one.operation, _item(one.path)) for one in telling}
    for violation, by_item in unsure:
        here = (violation.mode, violation.operation)
        explained = (*here, _item(violation.path)) in items if by_item else here in operations
        if not explained:
            yield violation


def _item(path: str) -> str:
    """Give the item that a path leads into: `/ok/3` of `/ok/3/content/0`."""
    return "/".join(path.split("/")[:3])


def _without_repetition(violations: Iterable[Violation]) -> list[Violation]:
    """Keep the first violation of a clause at an operation and item."""
    kept: dict[tuple[str, Mode, int, str], Violation] = {}
    for one in violations:
        kept.setdefault((one.clause, one.mode, one.operation, _item(one.path)), one)
    return list(kept.values())
