"""The letters of the group `world`: world states that differ a little, and what clears them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.item_values import item
from contextcert.strategies.lives import Life, Step, Watched, begin, change, operation, wish

WATCHED: Final[Watched] = ("world", "baseline", "version", "reference", "tokens", "world")
"""What the scripts of the group may watch, the first if nothing else."""

_PLACES: Final = (("a",), ("b",), ("a", "x"), ("a", "y"), ("b", "x", "z"), ("__proto__",), ("",))
_VALUES: Final[tuple[Json, ...]] = (
    1,
    0,
    "s",
    "",
    True,
    False,
    {},
    [],
    {"x": 1},
    {"x": {"z": [1]}, "y": 2},
    [1],
    [1, {"x": 1}],
    0.5,
)
_EXACT_VALUES: Final[tuple[Json, ...]] = (1.0, 2**53 + 1, [1.0], 2**64 - 1)
_BASELINES: Final[tuple[Json, ...]] = (None, {}, 7, [1], "s", {"a": {"x": 1}, "b": 1})
_NULLS: Final[tuple[Json, ...]] = (None, [None], {"x": None})


def weighted_steps() -> Iterator[tuple[Step, int]]:
    """List the steps of the group with their weights, the plainest first."""
    yield update, 24
    yield from edits()
    yield from _changes()
    for state in _BASELINES:
        yield operation("set_world_state_baseline", state=state), 1
    yield _set_baseline, 3


def edits() -> Iterator[tuple[Step, int]]:
    """List the steps that change the world state to report next."""
    for value in _VALUES:
        yield put(value), 2
    yield remove, 8
    yield clear, 2
    for place in _PLACES:
        yield at(place), 2
    for value in _EXACT_VALUES:
        yield _put_exact(value), 2
    for value in _NULLS:
        yield put(value), 1


def update(life: Life) -> None:
    """Report the world state."""
    life.change({"op": "update_world_state", "state": life.world})


def _set_baseline(life: Life) -> None:
    life.change({"op": "set_world_state_baseline", "state": life.world})


def put(value: Json) -> Step:
    """Give the step that puts a value at the place."""

    def step(life: Life) -> None:
        life.world = _with(life.world, life.place, value)

    return step


def _put_exact(value: Json) -> Step:
    """Put a number that some adapters cannot tell from another (WORLD-7)."""

    def step(life: Life) -> None:
        if life.scope.exact_numbers:
            put(value)(life)

    return step


def _with(state: Json, place: tuple[str, ...], value: Json) -> JsonObject:
    """Give the state with a value at a place; what is no object on the way becomes one."""
    old = state if isinstance(state, dict) else {}
    first, *rest = place
    return {**old, first: _with(old.get(first), tuple(rest), value) if rest else value}


def remove(life: Life) -> None:
    """Take away what is at the place."""
    life.world = _without(life.world, life.place)


def _without(state: JsonObject, place: tuple[str, ...]) -> JsonObject:
    first, *rest = place
    inner = state.get(first)
    if rest and isinstance(inner, dict):
        return {**state, first: _without(inner, tuple(rest))}
    return state if rest else {key: value for key, value in state.items() if key != first}


def clear(life: Life) -> None:
    """Make the state an empty one."""
    life.world = {}


def at(place: tuple[str, ...]) -> Step:
    """Give the step that chooses where the next value goes."""

    def step(life: Life) -> None:
        life.place = place

    return step


def _changes() -> Iterator[tuple[Step, int]]:
    """List the steps that clear the baseline, and those that nearly do (WORLD-5, WORLD-6)."""
    yield begin(item("message")), 6
    yield begin(item("message", role="assistant")), 2
    yield change("remove_first_item"), 4
    for count, weight in {1: 3, 0: 3, 2: 1}.items():
        yield change("drop_last_n_user_turns", num_turns=count), weight
    yield wish("replace", "replace"), 2
    yield change("replace", items=[]), 2
    yield _project, 3


def _project(life: Life) -> None:
    life.project()
