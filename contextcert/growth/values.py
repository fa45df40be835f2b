"""What was measured, as frozen values."""

from __future__ import annotations

from math import log
from typing import Final

from attrs import frozen

from contextcert.refmodel import Mode

WORSE_THAN_LINEAR: Final = 1.5
"""Above this exponent a cost is called worse than linear.

Linear subjects were seen between 0.85 and 1.35 (a sort, caches and new memory each add some 0.1),
quadratic ones at 1.75 and above.
"""


ENOUGH_SIZES: Final = 4
LONG_SECONDS: Final = 0.25


@frozen
class Point:
    """The cost of one projection, the constant part taken off.

    `seconds` is a median. `peak_bytes` is the most memory that the subject's processes held until
    then, or None where the system does not tell.
    """

    items: int
    seconds: float
    peak_bytes: int | None = None


@frozen
class Curve:
    """One shape of history.

    `exponent` says how time grows: as the items to that power; None where there is nothing to say,
    and `remarks` then say why. `bytes_per_item` is the slope of the memory that was held at most.
    """

    shape: str
    points: tuple[Point, ...]
    exponent: float | None = None
    bytes_per_item: float | None = None
    memory_exponent: float | None = None
    remarks: tuple[str, ...] = ()

    @property
    def is_worse_than_linear(self) -> bool:
        """Whether it is worth an advisory.

        It has to grow so over the fitted sizes and over the last step: where a cache or a machine's
        memory ends, a linear cost makes one leap, and is linear again. Three sizes are enough only
        where the last one takes long.
        """
        if self.exponent is None or self.exponent <= WORSE_THAN_LINEAR:
            return False
        told = [one for one in self.points if one.seconds > 0]
        if len(told) < ENOUGH_SIZES and told[-1].seconds < LONG_SECONDS:
            return False
        return _slope(told[-2], told[-1]) > WORSE_THAN_LINEAR


@frozen
class Growth:
    """The cost in one mode, over all shapes.

    `constant_seconds` is what asking costs besides (recording the longest history, the round trip,
    and projecting an empty history), which was taken off.
    """

    mode: Mode
    curves: tuple[Curve, ...]
    constant_seconds: float
    remarks: tuple[str, ...] = ()


def _slope(one: Point, other: Point) -> float:
    return log(other.seconds / one.seconds) / log(other.items / one.items)
