"""Where the choices behind a generated script come from.

Hypothesis's own source of choices also mines constants from whatever modules lie in the working
folder, and keeps notes about them on disk. Ours knows nothing but a seed and the script's index,
so script i of a seed is the same in every folder and process.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from itertools import count
from random import Random
from typing import Any, Final

from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, PrimitiveProvider
from hypothesis.internal.intervalsets import IntervalSet

BACKEND: Final = "contextcert"
"""The name to ask Hypothesis for this source by (`settings.backend`)."""

_EXTRA: Final = 6
"""How much longer than its smallest size a drawn string or list of bytes gets at most."""

_RANGE: Final = 2**16
"""How far from its bound, or from zero, an integer without bounds lies at most."""

_chances: ContextVar[Iterator[Random] | None] = ContextVar("contextcert_chances", default=None)

AVAILABLE_PROVIDERS.setdefault(BACKEND, f"{__name__}.SeededProvider")


@contextmanager
def seeded(seed: int, start: int) -> Iterator[None]:
    """Let the scripts generated meanwhile be those of the seed, from index `start` on."""
    chances = (Random(f"{seed}/{index}") for index in count(start))  # noqa: S311
    token = _chances.set(chances)
    try:
        yield
    finally:
        _chances.reset(token)


class SeededProvider(PrimitiveProvider):
    """Draws every value from one generator, seeded anew for every test case."""

    lifetime = "test_case"

    def __init__(self, conjecturedata: Any, /) -> None:  # noqa: ANN401 -- Hypothesis's own type
        """Take the generator of the next index."""
        super().__init__(conjecturedata)
        chances = _chances.get()
        self._random = Random(0) if chances is None else next(chances)  # noqa: S311

    def draw_boolean(self, p: float = 0.5) -> bool:
        """Draw true with probability p."""
        return self._random.random() < p

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        """Draw evenly between the bounds, or within a fixed distance where one is missing."""
        del weights
        low = min_value if min_value is not None else min(shrink_towards, max_value or 0) - _RANGE
        high = max_value if max_value is not None else max(shrink_towards, low) + _RANGE
        return low + int(self._random.random() * (high - low + 1))

    def draw_float(
        self,
        *,
        min_value: float = -math.inf,
        max_value: float = math.inf,
        allow_nan: bool = True,
        smallest_nonzero_magnitude: float,
    ) -> float:
        """Draw evenly between the bounds, or within a fixed distance where one is missing."""
        del allow_nan, smallest_nonzero_magnitude
        low, high = max(min_value, -float(_RANGE)), min(max_value, float(_RANGE))
        return low + self._random.random() * (high - low)

    def draw_string(
        self, intervals: IntervalSet, *, min_size: int = 0, max_size: int = 2**16
    ) -> str:
        """Draw a string little longer than it has to be, every letter being as likely."""
        size = min(max_size, min_size + int(self._random.random() * (_EXTRA + 1)))
        return "".join(self._random.choices(_characters(intervals), k=size))

    def draw_bytes(self, min_size: int = 0, max_size: int = 2**16) -> bytes:
        """Draw bytes little longer than they have to be."""
        size = min(max_size, min_size + int(self._random.random() * (_EXTRA + 1)))
        return bytes(self._random.choices(range(256), k=size))


@lru_cache(64)
def _characters(intervals: IntervalSet) -> str:
    return "".join(map(intervals.char_in_shrink_order, range(len(intervals))))
