"""The two consoles: what was found goes to standard output, what is going on to standard error."""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console


class PipeConsole(Console):
    """A console that lets its caller decide what a reader's leaving means."""

    def on_broken_pipe(self) -> NoReturn:
        """Let the error through."""
        raise BrokenPipeError


def output() -> Console:
    """Give the console of standard output; rich reads NO_COLOR, COLUMNS and TERM itself."""
    return PipeConsole(highlight=False, soft_wrap=False, markup=False, emoji=False)


def notes() -> Console:
    """Give the console of standard error."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False)
