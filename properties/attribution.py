"""Decides which findings count: specific clauses before general ones and before suspicions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from contextcert.properties.checks import CHECKS, Finding, Suspicion
from contextcert.properties.violations import Violation
from contextcert.refmodel.modes import Mode

_BY_ITEM: Final = frozenset({"ORD-3"})
_EXPLAINS_NOTHING: Final = frozenset({"PROJ-4"})
"""What only says that two prompts differ leaves open why."""


def attributed(findings: Iterable[Finding]) -> list[Violation]:
    """Keep every specific violation, and those general ones that no specific one explains.

    A changed item is explained by a specific violation in that very item; anything else that is
    general by any specific violation of the same operation.
    """
    sure: list[Violation] = []
    unsure: list[tuple[Violation, bool]] = []
    for finding in findings:
        if isinstance(finding, Suspicion):
            unsure.append((finding.violation, True))
        elif CHECKS[finding.clause].general:
            unsure.append((finding, finding.clause in _BY_ITEM))
        else:
            sure.append(finding)
    return _without_repetition([*sure, *_unexplained(sure, unsure)])


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
