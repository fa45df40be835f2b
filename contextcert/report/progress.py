"""Live progress of a campaign, on a terminal only."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from contextcert.campaign.plan import Unit
from contextcert.campaign.tally import Tally


class CampaignProgress:
    """Watches a campaign and draws one line; silent where nobody looks."""

    def __init__(self, console: Console) -> None:
        """Draw on a console, which is best the one of standard error."""
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("units, {task.fields[cases]:,} cases"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("planning", total=None, cases=0)
        self._cases = 0
        self._violations = 0

    def __enter__(self) -> Self:
        """Begin to draw."""
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Take the line away."""
        self._progress.stop()

    def planned(self, units: tuple[Unit, ...]) -> None:
        """Hear what there is to do."""
        self._progress.update(self._task, total=len(units), description="certifying")

    def ran(self, cases: int) -> None:
        """Count cases as they are run."""
        self._cases += cases
        self._progress.update(self._task, cases=self._cases)

    def finished(self, unit: Unit, tally: Tally) -> None:
        """Count a unit, and name what it was about."""
        self._violations += sum(tally.violated.values())
        found = f", {self._violations:,} violations" if self._violations else ""
        self._progress.update(self._task, advance=1, description=f"{unit.evidence.value}{found}")

    def minimising(self) -> None:
        """Say that what was found is being cut down."""
        self._progress.update(self._task, description="minimising")
