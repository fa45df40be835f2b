"""JSON values the model carries without looking into them: kept exactly, shared with nobody."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, cast

import orjson

from contextcert.refmodel.json_value import Json, JsonObject


def copy_json(value: Json) -> Json:
    """Give an equal value that shares no list and no object with the given one (SNAP-1, SNAP-2).

    Integers of any size survive, and 1, 1.0 and true stay three values.
    """
    if not isinstance(value, dict | list):
        return value
    try:
        return cast("Json", orjson.loads(orjson.dumps(value)))
    except TypeError:  # an integer beyond 64 bits, or very deep nesting
        return _copied(value)


def _copied(value: Json) -> Json:
    """Copy lists and objects one by one, without recursion."""
    whole: list[Json] = [value]
    waiting: list[list[Json] | JsonObject] = [whole]
    while waiting:
        outer = waiting.pop()
        for place, inner in _places(outer):
            if isinstance(inner, list | dict):
                copied = inner.copy()
                outer[place] = copied
                waiting.append(copied)
    return whole[0]


def _places(outer: list[Json] | JsonObject) -> Iterable[tuple[Any, Json]]:
    return enumerate(outer) if isinstance(outer, list) else outer.items()


def comparable(value: Json) -> bytes:
    """Give a text that two JSON values have in common exactly when WORLD-7 calls them equal."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return json.dumps(value, sort_keys=True).encode()
