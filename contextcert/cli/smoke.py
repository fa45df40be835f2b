"""`contextcert smoke`: in a second, whether the adapter or the implementation is at fault."""

from __future__ import annotations

from typing import Any, Final

import click
from rich.console import Console
from rich.text import Text

from contextcert.cli.options import gathered, subject_argument, subject_options
from contextcert.report.console import output
from contextcert.report.escape import line, plain
from contextcert.report.layout import labelled
from contextcert.smoke import Culprit, SmokeReport, Step, Verdict, smoke, thorough

MARKS: Final = {
    Verdict.PASSED: Text("ok", "green"),
    Verdict.FAILED: Text("failed", "bold red"),
    Verdict.SKIPPED: Text("not asked", "dim"),
}
_SKIPPED: Final = Verdict.SKIPPED
SHOWN_LOG_LINES: Final = 12


@click.command("smoke", short_help="Whether the adapter or the implementation is at fault.")
@subject_argument
@subject_options
@click.option(
    "--thorough",
    "is_thorough",
    is_flag=True,
    help="Test the adapter itself: every trap of its language, and 100,000 items; seconds.",
)
def command(*, is_thorough: bool, **values: Any) -> int:  # noqa: ANN401  whatever the options are
    """Ask SUBJECT a few small questions, and say in words what to repair.

    Exit codes: 0 it works; 1 the implementation is at fault; 2 the adapter is.
    """
    subject = gathered(values)
    spec = subject.spec()
    console = output()
    tried = thorough if is_thorough else smoke
    reports = [tried(spec, mode, edition=subject.chosen_edition) for mode in spec.modes()]
    for report in reports:
        _print(console, report)
    culprits = {step.culprit for report in reports for step in report.failures}
    if Culprit.ADAPTER in culprits:
        return 2
    return 1 if culprits else 0


def _print(console: Console, report: SmokeReport) -> None:
    console.print(line(report.mode.value, "bold"))
    console.print(labelled((MARKS[step.verdict], _told(step)) for step in report.steps))
    for step in report.failures:
        _print_failure(console, step)


def _told(step: Step) -> Text:
    title = line(step.title)
    return title.append(f" ({plain(step.message)})", "dim") if step.verdict is _SKIPPED else title


def _print_failure(console: Console, step: Step) -> None:
    rows = [(MARKS[step.verdict], line(step.title, "bold")), (Text("seen"), line(step.message))]
    if step.culprit is not None:
        rows.append((Text("at fault"), line(f"the {step.culprit.value}", "bold")))
    rows.append((Text("remedy"), line(step.remedy)))
    logged = step.logs.splitlines()[-SHOWN_LOG_LINES:]
    rows += [(Text("logged"), line(one, "dim")) for one in logged]
    console.print(labelled(rows))
