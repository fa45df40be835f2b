"""Goes down from a script to smaller ones that still show the same, cut by cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Final

from attrs import define, field

from contextcert.campaign import fewer_items, fewer_operations, plainer_values
from contextcert.campaign.weight import Weight
from contextcert.strategies import Scope
from contextcert.subject import Script

Cut = Callable[[Script, int], Iterator[Script]]
"""Gives smaller scripts than one whose culprit is the operation at a place, boldest first."""

SMALLER: Final[tuple[Cut, ...]] = (
    fewer_operations.on_fewer_histories,
    *fewer_operations.HALVES,
    fewer_operations.ended,
    fewer_operations.on_one_history,
    fewer_operations.told_at_once,
    *fewer_items.KIN_HALVES,
    *fewer_items.HALVES,
    fewer_items.without_two,
)


@define
class Allowance:
    """How many more scripts may be run; a count, so that the same seed ends the same way."""

    left: int

    def take(self) -> bool:
        """Spend one run, if there is one left."""
        self.left -= 1
        return self.left >= 0

    def pay(self, runs: int) -> None:
        """Spend what a run cost beyond the one that was taken for it."""
        self.left -= runs


Shows = Callable[[Script], int | None]
"""Gives the place of the operation that shows what is looked for, if a script shows it."""


@define
class Descent:
    """Where it has come to: the smallest script so far, and its culprit's place."""

    script: Script
    operation: int
    scope: Scope
    shows: Shows
    allowance: Allowance
    _tried: set[str] = field(factory=set)

    def go(self) -> None:
        """Go as far down as the cuts and the allowance lead."""
        plainer = (partial(plainer_values.plainer, self.scope),)
        while self._settle(SMALLER) or self._settle(plainer):
            pass

    def _settle(self, cuts: tuple[Cut, ...]) -> bool:
        """Go through cuts over and over until none helps; say whether one did."""
        start = self.script
        while sum(self._swept(cut) for cut in cuts):
            pass
        return self.script is not start

    def _swept(self, cut: Cut) -> bool:
        """Try what a cut gives, and after each success go on from the same place."""
        start, place = self.script, 0
        while (step := self._step(cut, place)) is not None:
            place = step
        return self.script is not start

    def _step(self, cut: Cut, start: int) -> int | None:
        candidates = islice(cut(self.script, self.operation), start, None)
        for place, script in enumerate(candidates, start):
            if not self._is_new(script):
                continue
            if not self.allowance.take():
                return None
            operation = self.shows(script)
            if operation is not None:
                self.script, self.operation = script, operation
                return place
        return None

    def _is_new(self, script: Script) -> bool:
        weight = Weight.of(script)
        if not script or weight.text in self._tried or not weight < Weight.of(self.script):
            return False
        self._tried.add(weight.text)
        return True
