"""How far a measurement goes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen

FIRST_ITEMS: Final = 250
STEP: Final = 2


@frozen
class Bounds:
    """Sizes and patience.

    Attributes:
        most_items: the longest history that is tried.
        seconds: a shape ends where recording and projecting one history takes longer than this, or
            where the next one is sure to take more than twice as long.
        repetitions: how often each size is timed; sizes that take long are timed three times.
    """

    most_items: int = 8_000
    seconds: float = 1.0
    repetitions: int = 5

    def sizes(self) -> Iterator[int]:
        """Give the lengths of the histories, each twice the one before."""
        size = FIRST_ITEMS
        while size <= self.most_items:
            yield size
            size *= STEP
