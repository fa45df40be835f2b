"""From costs to the power of the size with which they grow."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from statistics import linear_regression
from typing import Final

FITTED: Final = 4
"""So many of the largest sizes are fitted: there the part that grows most stands out."""

FEWEST: Final = 3

Costs = Sequence[tuple[int, float]]
"""Sizes with their costs, smallest first."""


def exponent(costs: Costs) -> float | None:
    """Give the slope of a least-squares line through the upper sizes, both axes logarithmic.

    Costs of nothing do not count; None where fewer than three are left.
    """
    upper = [(size, cost) for size, cost in costs if cost > 0][-FITTED:]
    if len(upper) < FEWEST:
        return None
    slope, _ = linear_regression([log(size) for size, _ in upper], [log(cost) for _, cost in upper])
    return slope
