"""Tells how far a row of releases is, a line a release."""

from __future__ import annotations

from rich.console import Console

from contextcert.matrix.columns import Column
from contextcert.matrix.words import summary
from contextcert.report.escape import line
from contextcert.report.progress import CampaignProgress


class ReleaseTeller:
    """Says on standard error what goes on, and on standard output what came of it."""

    def __init__(self, notes: Console, output: Console) -> None:
        """Take the two consoles."""
        self._notes = notes
        self._output = output

    def fetching(self, version: str) -> None:
        """Say which release comes next."""
        self._notes.print(line(f"{version}: fetching, if it is not there", "dim"))

    def judging(self, name: str) -> CampaignProgress:
        """Say which build is judged, and draw its campaign."""
        self._notes.print(line(f"{name}: certifying", "dim"))
        return CampaignProgress(self._notes)

    def judged(self, column: Column, seconds: float) -> None:
        """Say what came of a build."""
        said = summary(column)
        self._output.print(line(f"{column.title}: {said}; {seconds:.0f} s"), soft_wrap=True)
