"""Tells a wrong prompt from one that merely comes out otherwise when a history is projected again.

A subject whose second prompt differs from its first seems to break whatever that prompt lacks. So
where a violation does not show with its projection alone, the same projection is asked for twice:
if the two differ, PROJ-2 is what is broken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from attrs import define, evolve, field

from contextcert.campaign.case import PROJECTIONS, Case
from contextcert.campaign.faults import DETERMINISM
from contextcert.campaign.tally import Cell
from contextcert.properties import Judgement, Violation
from contextcert.refmodel.json_value import JsonObject
from contextcert.subject import Script

MOST_DOUBTS: Final = 20
"""After so many violations of a clause that were all instability, the next are taken for it too."""


@define
class Doubts:
    """What was found to be instability so far; `judged` asks for a case and judges the answer."""

    judged: Callable[[Case], Judgement]
    _explained: Counter[Cell] = field(factory=Counter)

    def unstable(self, case: Case, violation: Violation) -> tuple[Case, Violation] | None:
        """Give what shows that a violation comes of projecting again alone, or None."""
        cell = violation.clause, violation.mode
        operation = violation.operation
        if violation.clause == DETERMINISM or not _is_projection(case.script, operation):
            return None
        alone = [op for op in case.script[:operation] if op.get("op") not in PROJECTIONS]
        if len(alone) == operation:
            return None
        if self._explained[cell] >= MOST_DOUBTS:
            return case, violation
        once = [*alone, case.script[operation]]
        if self._violates(evolve(case, script=once), cell) is not None:
            return None
        twice = evolve(case, script=[*once, case.script[operation]])
        found = self._violates(twice, (DETERMINISM, violation.mode))
        if found is None:
            return None
        self._explained[cell] += 1
        return twice, found

    def _violates(self, case: Case, cell: Cell) -> Violation | None:
        violations = self.judged(case).violations
        return next((one for one in violations if (one.clause, one.mode) == cell), None)


def _is_projection(script: Script, operation: int) -> bool:
    op: JsonObject = script[operation] if operation < len(script) else {}
    return op.get("op") in PROJECTIONS
