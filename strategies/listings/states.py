"""Every ordered pair of small world states: what is reported from one to the other (WORLD-2)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from contextcert.refmodel import Json
from contextcert.strategies.projecting import Script
from contextcert.strategies.scope import Scope

_STATES: Final[tuple[dict[str, Json], ...]] = (
    {},
    {"a": 1},
    {"a": 2},
    {"a": True},
    {"a": False},
    {"a": 0},
    {"a": None},
    {"a": "1"},
    {"a": ""},
    {"a": "A"},
    {"a": "a"},
    {"a": {}},
    {"a": []},
    {"a": [1]},
    {"a": [1, 2]},
    {"a": [2, 1]},
    {"a": [{"b": 1}]},
    {"a": {"b": 1}},
    {"a": {"b": 2}},
    {"a": {"b": None}},
    {"a": {"b": 1, "c": 2}},
    {"a": {"b": {"c": 1}}},
    {"a": 1, "b": 1},
    {"b": 1, "a": 1},
    {"A": 1},
    {"": 1},
    {"a": 0.5},
)
_EXACT: Final[tuple[dict[str, Json], ...]] = (
    {"a": 1.0},
    {"a": -0.0},
    {"a": 0.0},
    {"a": [1.0]},
    {"a": 2**53},
    {"a": 2**53 + 1},
    {"a": float(2**53)},
)
"""States that an adapter without exact_numbers cannot tell from others."""
ODD_BASELINES: Final[tuple[Json, ...]] = (1, "a", [], ["a"], True, 0, "", False)
"""Baselines that are no objects."""


def states(scope: Scope) -> tuple[dict[str, Json], ...]:
    """List small world states."""
    return (*_STATES, *_EXACT) if scope.exact_numbers else _STATES


def state_scripts(scope: Scope) -> Iterator[Script]:
    """Update from every state, and from baselines that are no objects, to every state."""
    listed = states(scope)
    baselines: tuple[Json, ...] = (*listed, *ODD_BASELINES)
    for before, after in product(baselines, listed):
        yield [
            {"op": "set_world_state_baseline", "state": before},
            {"op": "update_world_state", "state": after},
            {"op": "world_state_baseline"},
        ]
