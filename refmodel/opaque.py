"""JSON values the model carries without looking into them: kept exactly, shared with nobody."""

from __future__ import annotations

import copy
import json
from typing import cast

import orjson

from contextcert.refmodel.json_value import Json


def copy_json(value: Json) -> Json:
    """Give an equal value that shares no list and no object with the given one (SNAP-1, SNAP-2).

    Integers of any size survive, and 1, 1.0 and true stay three values.
    """
    if not isinstance(value, dict | list):
        return value
    try:
        return cast("Json", orjson.loads(orjson.dumps(value)))
    except TypeError:  # an integer beyond 64 bits, or very deep nesting
        return copy.deepcopy(value)


def comparable(value: Json) -> bytes:
    """Give a text that two JSON values have in common exactly when WORLD-7 calls them equal."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return json.dumps(value, sort_keys=True).encode()
