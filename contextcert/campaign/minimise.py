"""Cuts findings down to the least scripts that still show the same violations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import define, evolve, field

from contextcert.campaign.case import DEBUG_ALONE, Case
from contextcert.campaign.descent import Allowance, Descent
from contextcert.campaign.faults import USABLE_AFTER_PANIC, is_nondeterministic
from contextcert.campaign.minimise_faults import minimise_faults
from contextcert.campaign.runner import UnitRunner
from contextcert.campaign.setting import Setting
from contextcert.campaign.shown_whole import shown_whole
from contextcert.campaign.tally import HANG, HANG_RUNS, Cell, Finding, Tally
from contextcert.campaign.weight import Weight
from contextcert.properties import Violation
from contextcert.subject import Script

RUNS_A_FINDING: Final = 600
LEAST_RUNS: Final = 400
"""What a campaign may spend on minimising even if it was a tiny one."""

_DYING: Final = frozenset({"MODE-3", "MODE-4", USABLE_AFTER_PANIC})


def minimise(tally: Tally, runner: UnitRunner, setting: Setting) -> None:
    """Replace every finding of a tally by its smallest form.

    All of them together cost at most about as many runs as the campaign did, so that a failing run
    costs at most about twice a conforming one.
    """
    _Minimiser(runner, setting, tally.findings, max(LEAST_RUNS, tally.cases)).minimise()
    for cell, finding in tally.findings.items():
        tally.findings[cell] = shown_whole(finding, runner, setting)
    minimise_faults(tally, runner, setting)


@define
class _Minimiser:
    """Goes down from one finding after the other; what it meets on its way serves the others."""

    runner: UnitRunner
    setting: Setting
    findings: dict[Cell, Finding]
    left: int
    _settled: dict[Cell, Finding] = field(factory=dict)

    def minimise(self) -> None:
        """Go down from every finding, and again from those that another descent bettered."""
        while self.left > 0 and (unsettled := self._unsettled()):
            for cell in unsettled:
                self._settle(cell)

    def _unsettled(self) -> list[Cell]:
        return [
            cell
            for cell, finding in self.findings.items()
            if finding is not self._settled.get(cell) and not is_nondeterministic(finding.violation)
        ]

    def _settle(self, cell: Cell) -> None:
        allowance = Allowance(min(RUNS_A_FINDING, self.left))
        before = allowance.left
        self._descend(cell, allowance)
        self._end_by_panic(cell, allowance)
        self._settled[cell] = self.findings[cell]
        self.left -= before - max(0, allowance.left)

    def _descend(self, cell: Cell, allowance: Allowance) -> None:
        start = self.findings[cell]

        def shows(script: Script) -> int | None:
            violation = self._take(start, script, allowance)
            return None if violation is None else violation.operation

        place, scope = start.violation.operation, self.setting.scope
        Descent(start.script, place, scope, shows, allowance).go()

    def _end_by_panic(self, cell: Cell, allowance: Allowance) -> None:
        """Leave out that the script goes on after a panic, where that does not matter."""
        finding = self.findings[cell]
        if finding.goes_on and allowance.take():
            self._take(evolve(finding, goes_on=False), finding.script, allowance)

    def _take(self, asked: Finding, script: Script, allowance: Allowance) -> Violation | None:
        """Run a script as a finding's was run, and keep it where it shows that finding."""
        violations = self._violations(asked, script, allowance)
        own = next((one for one in violations if _cell(one) == asked.cell), None)
        if own is not None:
            self.findings[asked.cell] = evolve(asked, script=script, violation=own)
        self._serve_others(asked, script, violations)
        return own

    def _serve_others(
        self, asked: Finding, script: Script, violations: Iterable[Violation]
    ) -> None:
        """Let a script take the place of a larger one that shows another violation."""
        for violation in violations:
            other = self.findings.get(_cell(violation))
            if other is None or other.cell == asked.cell or other.goes_on != asked.goes_on:
                continue
            if is_nondeterministic(other.violation):
                continue
            if Weight.of(script) < Weight.of(other.script):
                self.findings[other.cell] = evolve(other, script=script, violation=violation)

    def _violations(
        self, asked: Finding, script: Script, allowance: Allowance
    ) -> tuple[Violation, ...]:
        clause, mode = asked.cell
        if clause in _DYING:
            died = self.runner.death(Case(script, (mode,), goes_on=asked.goes_on))
            if died is not None and died.actual == HANG:
                allowance.pay(HANG_RUNS - 1)
            if died is not None and died.clause == clause:
                return (died,)
        return self.runner.judge_case(_case_of(asked, script)).violations


def _cell(violation: Violation) -> Cell:
    return violation.clause, violation.mode


def _case_of(finding: Finding, script: Script) -> Case:
    """Ask as the finding was asked for; only debug can go on after a panic."""
    return Case(script, DEBUG_ALONE, goes_on=True) if finding.goes_on else Case(script)
