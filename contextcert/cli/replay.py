"""`contextcert replay`: one script again, or a file of worked cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click
from attrs import frozen
from rich.console import Console

from contextcert.campaign import Opened, open_subject
from contextcert.campaign.setting import common_claim
from contextcert.certificate.replay import GOES_ON
from contextcert.cli.options import gathered, subject_argument, subject_options
from contextcert.cli.replay_files import ReplayCase, read_replay
from contextcert.properties import Difference, Judge, Violation
from contextcert.refmodel import CLAUSES, Edition, FreshIds, Mode, run_script_in_both_modes
from contextcert.refmodel.json_value import JsonObject
from contextcert.report.console import output
from contextcert.report.counterexample import drawn_script, place_line, side_by_side
from contextcert.report.escape import line
from contextcert.subject import Answer, Script, Session, SubjectError

SHOWN_CASES: Final = 3


@click.command("replay", short_help="Run one script, or a file of worked cases, again.")
@click.argument("file", type=click.Path(path_type=Path))
@subject_argument
@subject_options
def command(file: Path, **values: Any) -> int:  # noqa: ANN401  whatever the options are
    """Run the script or the worked cases in FILE (- for standard input) on SUBJECT again.

    Exit codes: 0 it agrees; 1 it does not; 2 wrong usage, or an adapter that cannot be used.
    """
    cases = read_replay(file)
    subject = gathered(values)
    edition = subject.chosen_edition or cases[0].edition
    with open_subject(subject.spec(), edition) as opened:
        replay = Replay(opened, output())
        agrees = replay.told(cases[0]) if len(cases) == 1 else replay.counted(cases)
    return 0 if agrees else 1


@frozen
class Replayed:
    """What came of a case: the answers, what was expected, and everything that is wrong."""

    answers: Mapping[Mode, Answer]
    expected: Mapping[Mode, Sequence[JsonObject]]
    wrong: tuple[Violation | Difference, ...]

    @property
    def agrees(self) -> bool:
        """Whether every mode answered, and nothing is wrong."""
        answered = all(answer.outcomes is not None for answer in self.answers.values())
        return answered and not self.wrong


class Replay:
    """Runs cases on an open subject and says how they went."""

    def __init__(self, opened: Opened, console: Console) -> None:
        """Take an open subject; it stays its owner's to close."""
        self._opened = opened
        self._console = console
        self._claim = common_claim([one.claim for one in opened.descriptions.values()])
        self._capabilities = {mode: one.capabilities for mode, one in opened.descriptions.items()}

    def told(self, case: ReplayCase) -> bool:
        """Run one case, show all of it, and say whether it agrees."""
        replayed = self._replayed(case)
        self._console.print(line(case.name, "bold"))
        if case.clause is not None:
            self._console.print(line(CLAUSES[case.clause].text, "dim"))
        wrong = replayed.wrong[0] if replayed.wrong else None
        marked, path = (None, "") if wrong is None else (wrong.operation, wrong.path)
        self._console.print(drawn_script(case.script, marked, kept="in the file", path=path))
        for mode in replayed.answers:
            self._tell_mode(replayed, mode)
        return replayed.agrees

    def counted(self, cases: Sequence[ReplayCase]) -> bool:
        """Run many cases, show the first that differ, and say how many agree."""
        differing = [case for case in cases if not self._replayed(case).agrees]
        for case in differing[:SHOWN_CASES]:
            self.told(case)
            self._console.print()
        agreeing = len(cases) - len(differing)
        style = "bold red" if differing else "bold green"
        self._console.print(line(f"{agreeing:,} of {len(cases):,} cases agree", style))
        return not differing

    def _replayed(self, case: ReplayCase) -> Replayed:
        answers = self._answers(case)
        given = {
            mode: answer.outcomes for mode, answer in answers.items() if answer.outcomes is not None
        }
        judge = self._judge(case)
        expected = case.recorded or judge.expected(
            case.script, given, continue_after_panic=case.goes_on
        )
        judgement = judge.judge(case.script, given, continue_after_panic=case.goes_on)
        return Replayed(answers, expected, (*judgement.violations, *judgement.unattributed))

    def _judge(self, case: ReplayCase) -> Judge:
        """Give a judge; what a worked case recorded stands in the model's place."""
        asked = (self._opened.edition, self._claim, self._capabilities)
        if case.recorded is None:
            return Judge(*asked)
        return Judge(*asked, model=Recorded(case.recorded))

    def _answers(self, case: ReplayCase) -> dict[Mode, Answer]:
        modes = [mode for mode in case.modes if mode in self._opened.sessions]
        if not modes:
            wanted = " and ".join(mode.value for mode in case.modes)
            raise SubjectError(f"{case.name} is of {wanted}: name the subject's {wanted} build.")
        if case.goes_on and Mode.DEBUG in modes:
            self._require_going_on(case)
        return {mode: _asked(self._opened.sessions[mode], case) for mode in modes}

    def _require_going_on(self, case: ReplayCase) -> None:
        if not self._capabilities[Mode.DEBUG].continue_after_panic:
            raise SubjectError(
                f"{case.name} goes on after a panic, and the subject's debug build cannot: it does "
                f"not declare the capability {GOES_ON}."
            )

    def _tell_mode(self, replayed: Replayed, mode: Mode) -> None:
        answer = replayed.answers[mode]
        if answer.outcomes is None:
            said = answer.fault.message if answer.fault else "no answer"
            self._console.print(line(f"{mode.value}: {said}", "bold red"))
            return
        wrong = [one for one in replayed.wrong if one.mode is mode]
        if not wrong:
            self._console.print(line(f"{mode.value}: as expected", "bold green"))
            self._show(replayed, mode, len(answer.outcomes) - 1)
            return
        self._console.print(line(f"{mode.value}: not as expected", "bold red"))
        for one in wrong:
            if isinstance(one, Violation):
                self._console.print(line(f"  {one.clause}: {one.message}"))
        self._console.print(place_line(wrong[0].operation, wrong[0].path))
        self._show(replayed, mode, wrong[0].operation)

    def _show(self, replayed: Replayed, mode: Mode, operation: int) -> None:
        expected = _at(replayed.expected[mode], operation)
        actual = _at(replayed.answers[mode].outcomes or [], operation)
        self._console.print(side_by_side(self._console, expected, actual))


@frozen
class Recorded:
    """The recorded outcomes of one case, in the model's place."""

    outcomes: Mapping[Mode, list[JsonObject]]

    def __call__(
        self,
        ops: Script,
        /,
        *,
        edition: Edition,
        fresh_ids: FreshIds | None = None,
        continue_after_panic: bool = False,
    ) -> Mapping[Mode, list[JsonObject]]:
        """Give what was recorded, and the model's word for a mode that was not."""
        model = run_script_in_both_modes(
            ops, edition=edition, fresh_ids=fresh_ids, continue_after_panic=continue_after_panic
        )
        return {**model, **self.outcomes}


def _asked(session: Session, case: ReplayCase) -> Answer:
    """Run a case, and see whether the adapter then has more to say than it was asked."""
    answer = session.run(case.script, continue_after_panic=case.goes_on)
    if answer.fault is not None:
        return answer
    fault = session.run([]).fault
    return answer if fault is None or fault.script is None else Answer(None, fault)


def _at(outcomes: Sequence[JsonObject], operation: int) -> JsonObject | None:
    return outcomes[operation] if 0 <= operation < len(outcomes) else None
