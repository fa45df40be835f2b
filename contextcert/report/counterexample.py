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
from contextcert.report.excerpt import MOST_ITEMS, around, left_out
from contextcert.report.history import outcome_lines, script_lines
from contextcert.report.layout import Hanging
from contextcert.subject import Script

WIDE_ENOUGH: Final = 110
"""From this width on, expected and actual stand beside each other."""

Row = tuple[Text, Text]
"""A line of what was expected, and the one of what came beside it."""

MISSING: Final = "bold green"
WRONG: Final = "bold red"


def drawn_script(
    script: Script, marked: int | None = None, *, kept: str = "", path: str = ""
) -> RenderableType:
    """Draw a script with a mark at the operation that went wrong, or what lies around it.

    `path` points into that operation's outcome; `kept` says where the whole of a long script is.
    """
    lines = script_lines(script, marked, kept=kept, near=position_in(path))
    return _indented(Hanging(lines), 2)


def position_in(path: str) -> int:
    """Read the place of an item out of a path such as `/ok/17/id`."""
    numbers = [int(part) for part in path.split("/") if part.isascii() and part.isdigit()]
    return numbers[0] if numbers else 0


def side_by_side(console: Console, expected: Json, actual: Json) -> RenderableType:
    """Show two values beside each other, or one above the other where the terminal is narrow."""
    rows = compared(expected, actual)
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


def compared(expected: Json, actual: Json) -> list[Row]:
    """Draw two values line by line, equal lines beside each other, around where they differ."""
    whole = list(_aligned(list(outcome_lines(expected)), list(outcome_lines(actual))))
    return list(_excerpt(whole))


def place_line(operation: int, path: str) -> Text:
    """Say where in the outcomes a difference lies."""
    return line(f"  operation {operation + 1}, at {path or 'the whole outcome'}", "dim")


def _aligned(expected: list[Text], actual: list[Text]) -> Iterator[Row]:
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


def _excerpt(rows: list[Row]) -> Iterator[Row]:
    """Leave out of many rows what lies away from the first that differ."""
    different = [place for place, (left, right) in enumerate(rows) if left.plain != right.plain]
    first = different[0] if different else 0
    shown = around(first + MOST_ITEMS // 2, len(rows), MOST_ITEMS)
    if shown.start:
        yield (left_out(shown.start, "line", indent=0),) * 2
    for place in shown:
        yield rows[place]
    if shown.stop < len(rows):
        yield (left_out(len(rows) - shown.stop, "line", indent=0),) * 2


def _indented(shown: RenderableType, columns: int) -> Padding:
    return Padding(shown, (0, 0, 0, columns), expand=False)
