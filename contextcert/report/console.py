"""The two consoles: what was found goes to standard output, what is going on to standard error."""

from __future__ import annotations

from rich.console import Console


def output() -> Console:
    """Give the console of standard output; rich reads NO_COLOR, COLUMNS and TERM itself."""
    return Console(highlight=False, soft_wrap=False, markup=False, emoji=False)


def notes() -> Console:
    """Give the console of standard error."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False)
