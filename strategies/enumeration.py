"""All small histories over a list of symbols, and all sets of modalities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeVar

from contextcert.refmodel import MODALITIES
from contextcert.strategies.scope import Scope

Listed = TypeVar("Listed")


def history_count(symbols: Sequence[object], longest: int) -> int:
    """Count the histories of no more than `longest` symbols, the empty one included."""
    return sum(len(symbols) ** length for length in range(longest + 1))


def histories(
    symbols: Sequence[Listed], longest: int, *, start: int = 0, stop: int | None = None
) -> Iterator[tuple[Listed, ...]]:
    """List the histories of no more than `longest` symbols, shortest first, first symbols first.

    Args:
        symbols: what a history is made of, in order of preference.
        longest: the greatest number of symbols in a history.
        start: the index of the first history to give, for shards.
        stop: the index before which to stop; all to the end when left out.
    """
    end = history_count(symbols, longest)
    for index in range(start, end if stop is None else min(stop, end)):
        yield _history_at(symbols, index)


def _history_at(symbols: Sequence[Listed], index: int) -> tuple[Listed, ...]:
    length, base = 0, len(symbols)
    while index >= base**length:
        index -= base**length
        length += 1
    places = []
    for _ in range(length):
        index, place = divmod(index, base)
        places.append(place)
    return tuple(symbols[place] for place in reversed(places))


def modality_sets(scope: Scope) -> tuple[tuple[str, ...], ...]:
    """List the sets of modalities to project under, the full set first.

    All subsets of the claimed modalities; only the full set where `media` is not claimed, since
    nothing else reads them.
    """
    claimed = [modality for modality in MODALITIES if scope.takes_modality(modality)]
    if "media" not in scope.claim.profiles:
        return (tuple(claimed),)
    sizes = range(len(claimed), -1, -1)
    return tuple(chosen for size in sizes for chosen in combinations(claimed, size))
