"""Shows what broke: the history, what should have come out and what did, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from contextcert.refmodel.json_value import Json
from contextcert.report.escape import line
from contextcert.report.history import outcome_lines, script_lines
from contextcert.subject import Script

WIDE_ENOUGH: Final = 110
"""From this width on, expected and actual stand beside each other."""

INDENT: Final = (0, 0, 0, 2)


def drawn_script(script: Script, marked: int | None = None) -> RenderableType:
    """Draw a script with a mark at the operation that went wrong."""
    return Padding(_hanging(script_lines(script, marked)), INDENT)


def side_by_side(console: Console, expected: Json, actual: Json) -> RenderableType:
    """Show two values beside each other, or one above the other where the terminal is narrow."""
    left, right = list(outcome_lines(expected)), list(outcome_lines(actual))
    if console.width < WIDE_ENOUGH:
        return Group(
            Text("  expected", "green"),
            Padding(_hanging(left), (0, 0, 0, 4)),
            Text("  actual", "red"),
            Padding(_hanging(_marked(left, right)), (0, 0, 0, 4)),
        )
    table = Table(box=None, padding=(0, 2), show_edge=False)
    table.add_column(Text("expected", "green"), ratio=1, overflow="fold")
    table.add_column(Text("actual", "red"), ratio=1, overflow="fold")
    for one, other in zip_longest(left, _marked(left, right), fillvalue=Text("")):
        table.add_row(one, other)
    return table


def place_line(operation: int, path: str) -> Text:
    """Say where in the outcomes a difference lies."""
    return line(f"  operation {operation + 1}, at {path or 'the whole outcome'}", "dim")


def _marked(expected: list[Text], actual: list[Text]) -> list[Text]:
    """Colour the lines that differ from what was expected at their place."""
    marked = []
    for one, other in zip_longest(expected, actual, fillvalue=Text("")):
        if one.plain != other.plain and other.plain:
            other.stylize("red")
        marked.append(other)
    return marked


def _hanging(lines: Iterator[Text] | list[Text]) -> RenderableType:
    """Set each line in a row of its own, so that what is too long is folded and not cut."""
    table = Table.grid(padding=0)
    table.add_column(overflow="fold")
    for one in lines:
        table.add_row(one)
    return table
