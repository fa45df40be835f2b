"""Draws a named upstream test, and which tests a clause has to do with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from contextcert.properties import UpstreamTest, upstream_tests
from contextcert.refmodel.json_value import JsonObject, same_json
from contextcert.report.clause_texts import clause_texts
from contextcert.report.counterexample import drawn_script
from contextcert.report.escape import line
from contextcert.report.history import outcome_lines
from contextcert.report.layout import Hanging
from contextcert.subject import Script

_SILENT: Final = ("record_", "set_", "remove_", "drop_")
"""How operations begin that show nothing."""


def draw_test(console: Console, test: UpstreamTest) -> None:
    """Draw what a test covers, what it leaves open and what closes that, and our script for it."""
    console.print(line(test["name"], "bold"))
    console.print(line(test["why"]))
    console.print()
    console.print(Text("covers", "bold"))
    console.print(clause_texts(test["clauses"]))
    console.print()
    console.print(Text.assemble(("leaves open ", "bold"), test["open"]))
    if test["closed_by"]:
        console.print(Text("closed by", "bold"))
        console.print(clause_texts(test["closed_by"]))
    else:
        console.print(Text("closed by no clause: SPEC leaves it open too", "bold"))
    console.print()
    console.print(Text("the same in a script of ours", "bold"))
    console.print(drawn_script(test["ops"]))
    _draw_outcomes(console, test)


def draw_tests_of(console: Console, clause: str) -> None:
    """Name the tests that cover a clause, and those whose open question it settles."""
    covering = [test["name"] for test in upstream_tests() if clause in test["clauses"]]
    settled = [test["name"] for test in upstream_tests() if clause in test["closed_by"]]
    _draw_names(console, "upstream tests that cover it", covering)
    _draw_names(console, "upstream tests that leave open what it settles", settled)


def _draw_names(console: Console, title: str, names: list[str]) -> None:
    if names:
        console.print()
        console.print(Text(title, "bold"))
        console.print(_indented(Text(name, "cyan") for name in names))


def _draw_outcomes(console: Console, test: UpstreamTest) -> None:
    alike = same_json(test["debug"], test["release"])
    shown = {"debug and release": test["debug"]} if alike else _by_mode(test)
    for modes, outcomes in shown.items():
        console.print(Text(f"  {modes}", "bold"))
        console.print(_indented(_outcome_lines(test["ops"], outcomes), 4))


def _by_mode(test: UpstreamTest) -> dict[str, list[JsonObject]]:
    return {"debug": test["debug"], "release": test["release"]}


def _outcome_lines(script: Script, outcomes: list[JsonObject]) -> Iterator[Text]:
    """Give the outcomes in which something is to be seen, each under its operation."""
    # A panic ends the outcomes before the script.
    for op, outcome in zip(script, outcomes, strict=False):
        if not str(op["op"]).startswith(_SILENT):
            yield Text(str(op["op"]), "dim")
            yield from (Text("  ") + one for one in outcome_lines(outcome))


def _indented(lines: Iterable[Text], columns: int = 2) -> Padding:
    return Padding(Hanging(lines), (0, 0, 0, columns), expand=False)
