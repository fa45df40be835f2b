"""Shows what broke: the history, what should have come out and what did, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from contextcert.refmodel.json_value import Json
from contextcert.report.escape import line
from contextcert.report.history import outcome_lines, script_lines
from contextcert.report.layout import Hanging
from contextcert.subject import Script

WIDE_ENOUGH: Final = 110
"""From this width on, expected and actual stand beside each other."""

MISSING: Final = "bold green"
WRONG: Final = "bold red"


def drawn_script(script: Script, marked: int | None = None) -> RenderableType:
    """Draw a script with a mark at the operation that went wrong."""
    return _indented(Hanging(script_lines(script, marked)), 2)


def side_by_side(console: Console, expected: Json, actual: Json) -> RenderableType:
    """Show two values beside each other, or one above the other where the terminal is narrow."""
    rows = list(_aligned(list(outcome_lines(expected)), list(outcome_lines(actual))))
    if console.width < WIDE_ENOUGH:
        return Group(
            Text("  expected", "green"),
            _indented(Hanging(left for left, _ in rows if left.plain), 4),
            Text("  actual", "red"),
            _indented(Hanging(right for _, right in rows if right.plain), 4),
        )
    table = Table(box=None, padding=(0, 4, 0, 0), show_edge=False)
    table.add_column(Text("expected", "green"), overflow="fold")
    table.add_column(Text("actual", "red"), overflow="fold")
    for left, right in rows:
        table.add_row(left, right)
    return _indented(table, 2)


def place_line(operation: int, path: str) -> Text:
    """Say where in the outcomes a difference lies."""
    return line(f"  operation {operation + 1}, at {path or 'the whole outcome'}", "dim")


def _aligned(expected: list[Text], actual: list[Text]) -> Iterator[tuple[Text, Text]]:
    """Set equal lines beside each other; lines of one side alone are coloured."""
    matcher = SequenceMatcher(
        None, [one.plain for one in expected], [one.plain for one in actual], autojunk=False
    )
    for what, start, stop, other_start, other_stop in matcher.get_opcodes():
        left, right = expected[start:stop], actual[other_start:other_stop]
        if what != "equal":
            left = [Text(one.plain, MISSING) for one in left]
            right = [Text(one.plain, WRONG) for one in right]
        yield from zip_longest(left, right, fillvalue=Text(""))


def _indented(shown: RenderableType, columns: int) -> Padding:
    return Padding(shown, (0, 0, 0, columns), expand=False)
