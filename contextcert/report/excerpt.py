"""Which part of something long is shown: what lies around the place that matters."""

from __future__ import annotations

from typing import Final

from rich.text import Text

LONGEST_SCRIPT: Final = 8
MOST_ITEMS: Final = 20
"""More operations, or items of one operation or outcome, are never shown at once."""


def around(place: int, count: int, most: int) -> range:
    """Give at most so many indices that hold a place, and what comes before it rather than after.

    All of them where there are no more.
    """
    if count <= most:
        return range(count)
    start = min(max(0, place - most * 3 // 4), count - most)
    return range(start, start + most)


def left_out(count: int, what: str, kept: str = "", indent: int = 2) -> Text:
    """Say how many are not shown, and where they are."""
    where = f" ({kept})" if kept else ""
    plural = what if count == 1 else f"{what}s"
    return Text(f"{' ' * indent}… {count:,} more {plural}{where}", "dim italic")
