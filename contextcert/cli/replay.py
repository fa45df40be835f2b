"""`contextcert replay`: one script again, or a file of worked cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from contextcert.campaign import Opened, open_subject
from contextcert.cli.options import gathered, subject_argument, subject_options
from contextcert.cli.replay_files import ReplayCase, read_replay
from contextcert.properties import Judge, Violation
from contextcert.properties.equality import Sight
from contextcert.refmodel import CLAUSES, Mode, run_script
from contextcert.refmodel.fresh_ids import seeded_fresh_ids
from contextcert.refmodel.json_value import JsonObject
from contextcert.report.console import output
from contextcert.report.counterexample import drawn_script, place_line, side_by_side
from contextcert.report.escape import line
from contextcert.subject import Answer, Script, SubjectError

SHOWN_CASES = 3


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
        if len(cases) == 1:
            return int(not replay.told(cases[0]))
        return int(not replay.counted(cases))


class Replay:
    """Runs cases on an open subject and says how they went."""

    def __init__(self, opened: Opened, console: Console) -> None:
        """Take an open subject; it stays its owner's to close."""
        self._opened = opened
        self._console = console

    def told(self, case: ReplayCase) -> bool:
        """Run one case, show all of it, and say whether it agrees."""
        self._console.print(line(case.name, "bold"))
        if case.clause is not None:
            self._console.print(line(CLAUSES[case.clause].text, "dim"))
        self._console.print(drawn_script(case.script))
        answers = self._answers(case)
        agrees = [self._mode_told(case, mode, answer) for mode, answer in answers.items()]
        violations = self._violations(case, answers)
        for violation in violations:
            self._console.print(line(str(violation), "red"))
        return all(agrees) and not violations

    def counted(self, cases: Sequence[ReplayCase]) -> bool:
        """Run many cases, show the first that differ, and say how many agree."""
        differing = [case for case in cases if not self._agrees(case)]
        for case in differing[:SHOWN_CASES]:
            self.told(case)
            self._console.print()
        agreeing = len(cases) - len(differing)
        style = "bold red" if differing else "bold green"
        self._console.print(line(f"{agreeing:,} of {len(cases):,} cases agree", style))
        return not differing

    def _agrees(self, case: ReplayCase) -> bool:
        return all(
            not self._differing(case, mode, answer) for mode, answer in self._answers(case).items()
        )

    def _answers(self, case: ReplayCase) -> dict[Mode, Answer]:
        modes = [mode for mode in case.modes if mode in self._opened.sessions]
        if not modes:
            wanted = " and ".join(mode.value for mode in case.modes)
            raise SubjectError(f"{case.name} is of {wanted}, which this subject was not given for.")
        return {mode: self._opened.sessions[mode].run(case.script) for mode in modes}

    def _mode_told(self, case: ReplayCase, mode: Mode, answer: Answer) -> bool:
        if answer.outcomes is None:
            said = answer.fault.message if answer.fault else "no answer"
            self._console.print(line(f"{mode.value}: {said}", "bold red"))
            return False
        differing = self._differing(case, mode, answer)
        if not differing:
            self._console.print(line(f"{mode.value}: as expected", "bold green"))
            self._show(self._expected(case, mode), answer.outcomes, [len(answer.outcomes) - 1])
            return True
        self._console.print(line(f"{mode.value}: not as expected", "bold red"))
        self._show(self._expected(case, mode), answer.outcomes, differing[:1])
        return False

    def _show(
        self, expected: list[JsonObject], actual: list[JsonObject], operations: list[int]
    ) -> None:
        for operation in operations:
            if operation < 0:
                continue
            wanted = expected[operation] if operation < len(expected) else None
            given = actual[operation] if operation < len(actual) else None
            self._console.print(place_line(operation, ""))
            self._console.print(side_by_side(self._console, wanted, given))

    def _differing(self, case: ReplayCase, mode: Mode, answer: Answer) -> list[int]:
        """Give the operations whose outcome is not the expected one."""
        if answer.outcomes is None:
            return [0]
        expected, actual = self._expected(case, mode), answer.outcomes
        sight = self._sight(mode)
        shared = min(len(expected), len(actual))
        differing = [
            place for place in range(shared) if not _same(sight, expected[place], actual[place])
        ]
        return differing if len(expected) == len(actual) else [*differing, shared]

    def _expected(self, case: ReplayCase, mode: Mode) -> list[JsonObject]:
        if case.recorded is not None:
            return case.recorded[mode]
        return _model_outcomes(case.script, mode, self._opened)

    def _sight(self, mode: Mode) -> Sight:
        can = self._opened.descriptions[mode].capabilities
        return Sight.of(
            exact_numbers=can.exact_numbers,
            diagnostics=can.diagnostics,
            hidden_fields=can.hidden_fields,
        )

    def _violations(
        self, case: ReplayCase, answers: Mapping[Mode, Answer]
    ) -> tuple[Violation, ...]:
        judge = Judge(
            edition=self._opened.edition,
            claim=next(iter(self._opened.descriptions.values())).claim,
            capabilities={
                mode: one.capabilities for mode, one in self._opened.descriptions.items()
            },
        )
        given = {
            mode: answer.outcomes for mode, answer in answers.items() if answer.outcomes is not None
        }
        return judge.judge(case.script, given).violations


def _model_outcomes(script: Script, mode: Mode, opened: Opened) -> list[JsonObject]:
    return run_script(
        list(script), mode=mode, edition=opened.edition, fresh_ids=seeded_fresh_ids(0)
    )


def _same(sight: Sight, expected: JsonObject, actual: JsonObject) -> bool:
    """Compare as the judge does: what is unsupported is not compared."""
    if "unsupported" in expected or "unsupported" in actual:
        return True
    return sight.same_outcome(expected, actual)
