"""Cuts that leave items out of what operations bring in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, count
from typing import Final

from attrs import frozen

from contextcert.campaign.weight import LISTS, item_count
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.subject import Script

PAIRS: Final = 200
"""Of pairs that are left out at once no more are tried at a time."""

TURNS: Final = "num_turns"
CURSOR: Final = "cursor"

FAMILIES: Final = {
    "function_call_output": "function",
    "function_call": "function",
    "local_shell_call": "function",
    "custom_tool_call_output": "custom",
    "custom_tool_call": "custom",
    "tool_search_output": "search",
    "tool_search_call": "search",
}
"""The calls and outputs that answer one another, by type (SPEC 1.2)."""


def without_some(size: int, script: Script, _: int) -> Iterator[Script]:
    """Leave so many neighbouring items of an operation out, first ones first."""
    for place, op in enumerate(script):
        for key, listed in _lists(op):
            for start in range(0, len(listed), size):
                fewer = {**op, key: [*listed[:start], *listed[start + size :]]}
                yield [*script[:place], fewer, *script[place + 1 :]]


HALVES: Final = tuple(partial(without_some, size) for size in (16, 8, 4, 2, 1))
"""Halves, quarters and so on of many items, down to single ones."""


def without_kin(size: int, script: Script, _: int) -> Iterator[Script]:
    """Leave out everywhere what belongs to so many calls, or stands at a place among the others.

    A prompt that is recorded again loses with the history it is of what they have in common, and
    stays its prompt (PROJ-4).
    """
    kins = [
        *dict.fromkeys(kin for op in script for _, listed in _lists(op) for kin in _kin(listed))
    ]
    for start in range(0, len(kins), size):
        left_out = {*kins[start : start + size]}
        yield [_without_kin(left_out, op) for op in script]


KIN_HALVES: Final = tuple(partial(without_kin, size) for size in (16, 8, 4, 2, 1))


def without_two(script: Script, _: int) -> Iterator[Script]:
    """Take two parts away at once, of which each needs the other, unlike ones first."""
    pairs = sorted(combinations(_parts(script), 2), key=_is_alike)
    for both in pairs[:PAIRS]:
        yield _without({*both}, script)


@frozen
class Part:
    """An operation, by its place, an item in one, or one of a number that counts either."""

    operation: int
    key: str = ""
    item: int = 0


def _is_alike(both: tuple[Part, Part]) -> bool:
    return both[0].key == both[1].key


def _parts(script: Script) -> Iterator[Part]:
    for place, op in enumerate(script):
        yield Part(place)
        for key, listed in _lists(op):
            yield from (Part(place, key, inside) for inside in range(len(listed)))
        yield from (Part(place, key) for key in _counts(op))


def _without(parts: set[Part], script: Script) -> Script:
    return [
        _thinned(parts, place, op) for place, op in enumerate(script) if Part(place) not in parts
    ]


def _thinned(parts: set[Part], place: int, op: JsonObject) -> JsonObject:
    for key, listed in _lists(op):
        kept = [one for inside, one in enumerate(listed) if Part(place, key, inside) not in parts]
        op = {**op, key: kept}
    for key, lower in _counts(op).items():
        if Part(place, key) in parts:
            op = {**op, **lower}
    return op


def _counts(op: JsonObject) -> dict[str, JsonObject]:
    """Give what can be lower by one in an operation, by a name."""
    lower: dict[str, JsonObject] = {}
    if isinstance(turns := op.get(TURNS), int) and turns > 1:
        lower[TURNS] = {TURNS: turns - 1}
    if isinstance(cursor := op.get(CURSOR), dict):
        for key, value in cursor.items():
            if isinstance(value, int) and value > 0:
                lower[key] = {CURSOR: {**cursor, key: value - 1}}
    return lower


Kin = tuple[str, str] | int
"""What items have in common: family and call id, or their place among those without."""


def _kin(listed: Sequence[Json]) -> Iterator[Kin]:
    without_call = count()
    for item in map(_item, listed):
        family, call_id = FAMILIES.get(str(item.get("type"))), item.get("call_id")
        if family is None or not isinstance(call_id, str):
            yield next(without_call)
        else:
            yield family, call_id


def _without_kin(left_out: set[Kin], op: JsonObject) -> JsonObject:
    for key, listed in _lists(op):
        kept = [one for one, kin in zip(listed, _kin(listed), strict=True) if kin not in left_out]
        op = {**op, key: kept}
    return op


def _item(value: Json) -> JsonObject:
    """Give an item itself, without its envelope."""
    inner = value.get("item", value) if isinstance(value, dict) else value
    return inner if isinstance(inner, dict) else {}


def _lists(op: JsonObject) -> Iterator[tuple[str, list[Json]]]:
    if not item_count(op):
        return
    for key in LISTS:
        if isinstance(listed := op.get(key), list):
            yield key, listed
