"""Labelled lines whose text is folded under itself and not under the label."""

from __future__ import annotations

from collections.abc import Iterable

from rich.padding import Padding
from rich.table import Table
from rich.text import Text


def labelled(rows: Iterable[tuple[Text, Text]], indent: int = 2) -> Padding:
    """Set labels in one column and texts in another, both wrapped to the terminal."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column()
    grid.add_column(overflow="fold")
    for label, text in rows:
        grid.add_row(label, text)
    return Padding(grid, (0, 0, 0, indent))
