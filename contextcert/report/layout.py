"""Lines that are folded under themselves, so that what belongs together is seen to."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

HANG = 6


class Hanging:
    """Lines of which each, where it is too long, goes on a little further to the right."""

    def __init__(self, lines: Iterable[Text]) -> None:
        """Take the lines."""
        self._lines = list(lines)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Fold each line to the width there is."""
        for line in self._lines:
            first, *others = line.wrap(console, options.max_width - HANG) or [Text("")]
            yield first
            for other in others:
                yield Text(" " * HANG).append_text(other)


def labelled(rows: Iterable[tuple[Text, Text]], indent: int = 2) -> Padding:
    """Set labels in one column and texts in another, both wrapped to the terminal."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column()
    grid.add_column(overflow="fold")
    for label, text in rows:
        grid.add_row(label, text)
    return Padding(grid, (0, 0, 0, indent), expand=False)
