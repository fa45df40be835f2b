"""Cuts a finding down to the least script that still shows the same violation."""

from __future__ import annotations

from typing import Final

from attrs import define, evolve

from contextcert.campaign.budget import Evidence
from contextcert.campaign.case import DEBUG_ALONE, Case
from contextcert.campaign.corpus_scripts import CORPUS
from contextcert.campaign.faults import DETERMINISM, USABLE_AFTER_PANIC
from contextcert.campaign.reducing import Size, reduced, size_of
from contextcert.campaign.runner import UnitRunner
from contextcert.campaign.setting import Setting
from contextcert.campaign.tally import HANG, FaultFound, Finding, Tally
from contextcert.properties import Violation
from contextcert.properties.equality import Sight
from contextcert.refmodel import Mode, run_script, seeded_fresh_ids
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.strategies import smallest_script
from contextcert.subject import FaultKind, Outcomes, Script

RUNS_A_FINDING: Final = 600
RUNS_A_FAULT: Final = 200
HANG_RUNS: Final = 100
"""What a run that hangs counts for: it costs two time-outs, so a hang is cut a few times only."""

LEAST_RUNS: Final = 400
"""What a campaign may spend on minimising even if it was a tiny one."""
SCRIPTS_TO_SHRINK_FROM: Final = 3
"""The script that was found comes first; what follows helps only where a twin was meant."""

_DYING: Final = frozenset({"MODE-3", "MODE-4", USABLE_AFTER_PANIC})


@define
class Allowance:
    """How many more scripts may be run; a count, so that the same seed ends the same way."""

    left: int

    def take(self) -> bool:
        """Spend one run, if there is one left."""
        self.left -= 1
        return self.left >= 0

    def pay_for_hang(self) -> None:
        """Spend what a run that hung costs beyond the one that was taken for it."""
        self.left -= HANG_RUNS - 1


def minimise(tally: Tally, runner: UnitRunner, setting: Setting) -> None:
    """Replace every finding of a tally by its smallest form.

    All of them together cost at most about as many runs as the campaign did, so that a failing run
    costs at most about twice a conforming one.
    """
    left = max(LEAST_RUNS, tally.cases)
    for cell, finding in tally.findings.items():
        allowance = Allowance(min(RUNS_A_FINDING, left))
        before = allowance.left
        least = _Minimiser(runner, setting, allowance).minimised(finding)
        tally.findings[cell] = _shown_whole(least, runner, setting)
        left = max(0, left - (before - max(0, allowance.left)))
    _minimise_faults(tally, runner)


def _minimise_faults(tally: Tally, runner: UnitRunner) -> None:
    """Cut the script of the first fault of each mode and kind; what does not repeat stays."""
    seen: set[tuple[Mode, str]] = set()
    for place, fault in enumerate(tally.faults):
        if fault.repeated and (fault.mode, fault.kind) not in seen:
            seen.add((fault.mode, fault.kind))
            tally.faults[place] = _least_fault(fault, runner, Allowance(RUNS_A_FAULT))


def _least_fault(fault: FaultFound, runner: UnitRunner, allowance: Allowance) -> FaultFound:
    least = fault

    def shows(script: Script) -> int | None:
        nonlocal least
        if not allowance.take():
            return None
        case = Case(script, (fault.mode,), goes_on=fault.goes_on)
        shown = runner.fault(case, late=fault.kind == FaultKind.WRONG_ID.value)
        if shown is not None and shown.kind == HANG:
            allowance.pay_for_hang()
        if shown is None or (shown.kind, shown.repeated) != (fault.kind, True):
            return None
        least = shown
        return len(script) - 1

    reduced(fault.script, len(fault.script) - 1, shows)
    return least


def _shown_whole(finding: Finding, runner: UnitRunner, setting: Setting) -> Finding:
    """Show the whole outcome that was expected, and the one that came, for a person to compare.

    Of what was expected only that is shown which this adapter could have given.
    """
    violation = finding.violation
    ops, mode = list(finding.script), violation.mode
    sight = Sight.of(setting.capabilities[mode])
    if _is_nondeterministic(violation) or _is_rendered(ops[violation.operation], sight):
        return finding
    model = run_script(
        ops,
        mode=mode,
        edition=setting.edition,
        fresh_ids=seeded_fresh_ids(setting.campaign.seed),
        continue_after_panic=finding.goes_on,
    )
    expected = _outcome_at(model, violation.operation)
    if isinstance(expected, dict) and "error" not in expected:
        expected = sight.seen(expected)
    answer = runner.ask(Case(finding.script, (mode,), goes_on=finding.goes_on))[mode]
    if answer.outcomes is None:
        return evolve(finding, violation=evolve(violation, expected=expected))
    actual = _outcome_at(answer.outcomes, violation.operation)
    return evolve(finding, violation=evolve(violation, expected=expected, actual=actual))


def _is_rendered(op: JsonObject, sight: Sight) -> bool:
    """Say whether the model's outcome is not what this adapter could have given (CUR)."""
    return sight.coarse_transcript and op["op"] == "read_transcript"


def _outcome_at(outcomes: Outcomes, operation: int) -> Json:
    return dict(outcomes[operation]) if operation < len(outcomes) else None


@define
class _Minimiser:
    runner: UnitRunner
    setting: Setting
    allowance: Allowance

    def minimised(self, finding: Finding) -> Finding:
        if finding.violation.clause == DETERMINISM and _is_nondeterministic(finding.violation):
            return finding
        least = self._reduced(finding)
        if finding.evidence is Evidence.RANDOM and finding.group != CORPUS:
            least = min(least, self._reduced(self._drawn_again(least)), key=_size)
        return self._ended_by_panic(least)

    def _reduced(self, finding: Finding) -> Finding:
        least = finding

        def shows(script: Script) -> int | None:
            nonlocal least
            shown = self._shown_by(finding, script)
            if shown is None:
                return None
            least = shown
            return shown.violation.operation

        reduced(finding.script, finding.violation.operation, shows)
        return least

    def _ended_by_panic(self, finding: Finding) -> Finding:
        """Leave out that the script goes on after a panic, where that does not matter."""
        if not finding.goes_on:
            return finding
        return self._shown_by(evolve(finding, goes_on=False), finding.script) or finding

    def _drawn_again(self, finding: Finding) -> Finding:
        shown: dict[Size, Finding] = {}

        def condition(script: Script) -> bool:
            meant = self.runner.with_own_cursors(_case_of(finding, script))
            found = self._shown_by(finding, meant.script)
            if found is not None:
                shown[_size(found)] = found
            return found is not None

        smallest_script(
            finding.group,
            self.setting.scope,
            condition,
            seed=self.setting.campaign.seed,
            max_examples=SCRIPTS_TO_SHRINK_FROM,
            start=finding.place,
        )
        return shown[min(shown)] if shown else finding

    def _shown_by(self, finding: Finding, script: Script) -> Finding | None:
        if not self.allowance.take():
            return None
        violation = self._violation(finding, script)
        return None if violation is None else evolve(finding, script=script, violation=violation)

    def _violation(self, finding: Finding, script: Script) -> Violation | None:
        clause, mode = finding.cell
        if clause in _DYING and (died := self._death(finding, script)) is not None:
            return died
        judged = self.runner.judge_case(_case_of(finding, script))
        found = (one for one in judged.violations if (one.clause, one.mode) == (clause, mode))
        return next(found, None)

    def _death(self, finding: Finding, script: Script) -> Violation | None:
        clause, mode = finding.cell
        died = self.runner.death(Case(script, (mode,), goes_on=finding.goes_on))
        if died is not None and died.actual == HANG:
            self.allowance.pay_for_hang()
        return died if died is not None and died.clause == clause else None


def _case_of(finding: Finding, script: Script) -> Case:
    """Ask as the finding was asked for; only debug can go on after a panic."""
    return Case(script, DEBUG_ALONE, goes_on=True) if finding.goes_on else Case(script)


def _is_nondeterministic(violation: Violation) -> bool:
    return violation.message.startswith("nondeterministic")


def _size(finding: Finding) -> Size:
    return size_of(finding.script)
