"""Runs units: asks the sessions, has the answers judged, and confirms what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Final

from attrs import evolve

from contextcert.campaign.case import Case
from contextcert.campaign.cases import cases
from contextcert.campaign.faults import (
    DETERMINISM,
    changed,
    changed_answer,
    fault_found,
    violation_of_fault,
)
from contextcert.campaign.one_build import BETWEEN_MODES_CLAUSE, Witness
from contextcert.campaign.plan import Unit
from contextcert.campaign.setting import Setting
from contextcert.campaign.stability import Doubts
from contextcert.campaign.tally import DifferenceFound, FaultFound, Finding, Tally
from contextcert.properties import Judgement, Violation, causes, reads_on, with_own_cursors
from contextcert.refmodel import Mode
from contextcert.refmodel.json_value import JsonObject
from contextcert.subject import Answer, Session

CASES_A_BATCH: Final = 256
FIRST_CASES: Final = 4
"""A unit begins with few cases at once and doubles them while every one is answered: whoever hangs
is found out after a few time-outs, and not after a whole batch of them."""

FAULT_WEIGHT_A_UNIT: Final = 25
"""A unit stops here, and says so: five hangs, or 25 faults that cost no time-out."""

STOPPED_EARLY: Final = "stopped at the first violation (--fail-fast)"

Progress = Callable[[int], None]


class UnitRunner:
    """Holds one session a mode and one judge, and runs any unit with them."""

    def __init__(self, setting: Setting, sessions: Mapping[Mode, Session]) -> None:
        """Take open sessions; closing them is their owner's business."""
        self._setting = setting
        self._sessions = sessions
        self._witness = Witness.of(setting.capabilities)
        self._judge = setting.judge(self._witness) if self._witness else setting.judge()
        self._of_every_clause = evolve(self._judge, clauses=None)
        self._doubts = Doubts(self._judged_for_every_clause)

    def run(self, unit: Unit, progress: Progress) -> Tally:
        """Run every case of a unit, or as many as faults and `fail_fast` leave."""
        tally = Tally()
        # What another unit explained depends on how units fell to the workers.
        self._doubts = Doubts(self._judged_for_every_clause)
        waiting = cases(unit, self._setting)
        at_once = FIRST_CASES
        while tally.stopped is None and (batch := list(islice(waiting, at_once))):
            faults = tally.fault_count
            self._run_batch(unit, batch, tally)
            progress(len(batch))
            answered_all = tally.fault_count == faults
            at_once = min(2 * at_once, CASES_A_BATCH) if answered_all else 1
        return tally

    def judge_case(self, case: Case) -> Judgement:
        """Ask for one case by itself and judge the answer; faults leave a mode out."""
        return self._judged(case, answered(self.ask(case)))

    def _judged_for_every_clause(self, case: Case) -> Judgement:
        return self._of_every_clause.judge(
            case.script, answered(self.ask(case)), continue_after_panic=case.goes_on
        )

    def death(self, case: Case) -> Violation | None:
        """Ask for one case by itself, and give the clause that a fault on it breaks."""
        for mode, answer in self.ask(case).items():
            if answer.fault is not None:
                return violation_of_fault(mode, answer.fault, case, self._sessions[mode])
        return None

    def fault(self, case: Case, *, late: bool = False) -> FaultFound | None:
        """Ask for one case by itself, and give the first fault on it.

        `late` looks for one that shows only when something more is asked.
        """
        for mode, answer in self.ask(case).items():
            fault = answer.fault
            if fault is None and late:
                fault = self._sessions[mode].run([]).fault
                fault = fault if fault is not None and fault.script is not None else None
            if fault is not None:
                return fault_found(mode, fault, case)
        return None

    def ask(self, case: Case) -> dict[Mode, Answer]:
        """Ask every session that the case is for, by single runs."""
        return {mode: _asked(self._sessions[mode], case) for mode in self._modes(case)}

    def with_own_cursors(self, case: Case) -> Case:
        """Let the readers of a rendered transcript go on from the cursors that they were given."""
        if not self._setting.renders or not reads_on(case.script):
            return case
        mode = self._modes(case)[-1]
        given = _asked(self._sessions[mode], case).outcomes or []
        script = with_own_cursors(case.script, given, self._setting.edition)
        return evolve(case, script=script)

    def _modes(self, case: Case) -> list[Mode]:
        return [mode for mode in case.modes if mode in self._sessions]

    def _judged(self, case: Case, answers: Mapping[Mode, list[JsonObject]]) -> Judgement:
        return self._judge.judge(case.script, answers, continue_after_panic=case.goes_on)

    def _run_batch(self, unit: Unit, batch: Sequence[Case], tally: Tally) -> None:
        batch = [self.with_own_cursors(case) for case in batch]
        answers = self._ask_all(batch)
        for case, answer in zip(batch, answers, strict=True):
            if not answer:
                continue
            self._take_faults(unit, case, answer, tally)
            self._take_judgement(unit, case, answer, tally)
            if tally.stopped is not None:
                return

    def _ask_all(self, batch: Sequence[Case]) -> list[dict[Mode, Answer]]:
        answers: list[dict[Mode, Answer]] = [{} for _ in batch]
        for mode, session in self._sessions.items():
            asked = [place for place, case in enumerate(batch) if mode in case.modes]
            ending = [place for place in asked if not batch[place].goes_on]
            given = session.run_batch([batch[place].script for place in ending])
            for place, answer in zip(ending, given, strict=True):
                answers[place][mode] = answer
            for place in asked:
                if batch[place].goes_on:
                    answers[place][mode] = _asked(session, batch[place])
        return answers

    def _take_judgement(
        self, unit: Unit, case: Case, answers: Mapping[Mode, Answer], tally: Tally
    ) -> None:
        judgement = self._judged(case, answered(answers))
        tally.count(judgement.exercised)
        self._count_equal_prompts(case, answered(answers), tally)
        for cell, reason in judgement.unobservable.items():
            tally.unobservable.setdefault(cell, reason)
        for difference in judgement.unattributed:
            tally.difference(
                DifferenceFound(
                    mode=difference.mode,
                    operation=difference.operation,
                    path=difference.path,
                    expected=difference.expected,
                    actual=difference.actual,
                    script=case.script,
                    goes_on=case.goes_on,
                )
            )
        tally.unasked.update(one.clause for one in judgement.unasked)
        if judgement.violations:
            self._take_violations(unit, case, judgement.violations, tally)

    def _count_equal_prompts(
        self, case: Case, given: Mapping[Mode, list[JsonObject]], tally: Tally
    ) -> None:
        if self._witness is None or self._witness.mode not in given:
            return
        mode = self._witness.mode
        times = self._witness.equal_prompts(case.script, given[mode])
        tally.exercised[BETWEEN_MODES_CLAUSE, mode] += times

    def _take_violations(
        self, unit: Unit, case: Case, violations: Sequence[Violation], tally: Tally
    ) -> None:
        again = self._repeated(case, violations, tally)
        fail_fast = self._setting.campaign.fail_fast
        for violation in causes(violations) if fail_fast else violations:
            if again is None or _place(violation) in again:
                self._take_stable(unit, case, violation, tally)
            else:
                self._find(unit, case, changed_answer(violation), tally)
                tally.fault(changed(violation, case))
        self._stop_after_faults(unit, tally)

    def _take_stable(self, unit: Unit, case: Case, violation: Violation, tally: Tally) -> None:
        """Take a violation for what it is, or for the instability that it comes of (PROJ-2)."""
        known = (violation.clause, violation.mode) in tally.findings
        unstable = None if known else self._doubts.unstable(case, violation)
        if unstable is None:
            self._find(unit, case, violation, tally)
            return
        shown, found = unstable
        if found.clause != DETERMINISM:
            return
        if self._is_asked(found):
            self._find(unit, shown, found, tally)
        else:
            tally.unasked[found.clause] += 1

    def _repeated(
        self, case: Case, violations: Sequence[Violation], tally: Tally
    ) -> set[Place] | None:
        """Give what a second, single run violates; None where nothing is new, nor asked again."""
        if all((one.clause, one.mode) in tally.findings for one in violations):
            return None
        judged = self.judge_case(case)
        return {_place(one) for one in judged.violations}

    def _take_faults(
        self, unit: Unit, case: Case, answers: Mapping[Mode, Answer], tally: Tally
    ) -> None:
        for mode, answer in answers.items():
            if answer.fault is None:
                continue
            tally.fault(fault_found(mode, answer.fault, case))
            violation = violation_of_fault(mode, answer.fault, case, self._sessions[mode])
            if violation is not None and self._is_asked(violation):
                self._find(unit, case, violation, tally)
            if answer.outcomes is None and answer.fault.before:
                self._take_beginning(unit, case, mode, answer.fault.before, tally)
        self._stop_after_faults(unit, tally)

    def _take_beginning(
        self, unit: Unit, case: Case, mode: Mode, outcomes: list[JsonObject], tally: Tally
    ) -> None:
        """Judge what stood in front of a malformed outcome; it is not counted as a case."""
        start = evolve(case, script=case.script[: len(outcomes)], modes=(mode,))
        violations = self._judged(start, {mode: outcomes}).violations
        if violations:
            self._take_violations(unit, start, violations, tally)

    @staticmethod
    def _stop_after_faults(unit: Unit, tally: Tally) -> None:
        if tally.fault_weight >= FAULT_WEIGHT_A_UNIT:
            tally.stopped = f"stopped after {tally.fault_count} faults in one unit ({unit.group})"

    def _is_asked(self, violation: Violation) -> bool:
        clauses = self._setting.campaign.clauses
        return clauses is None or violation.clause in clauses

    def _find(self, unit: Unit, case: Case, violation: Violation, tally: Tally) -> None:
        tally.find(
            Finding(
                violation, case.script, unit.evidence, unit.group, case.place, goes_on=case.goes_on
            )
        )
        if self._setting.campaign.fail_fast:
            tally.stopped = STOPPED_EARLY


def _asked(session: Session, case: Case) -> Answer:
    return session.run(case.script, continue_after_panic=case.goes_on)


Place = tuple[str, Mode, int, str]


def _place(violation: Violation) -> Place:
    """Say what is violated where: a subject that wavers violates the same clause elsewhere."""
    return violation.clause, violation.mode, violation.operation, violation.path


def answered(answers: Mapping[Mode, Answer]) -> dict[Mode, list[JsonObject]]:
    """Keep the modes that gave outcomes."""
    return {
        mode: answer.outcomes for mode, answer in answers.items() if answer.outcomes is not None
    }
