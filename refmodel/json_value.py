"""JSON values, and the equality that SPEC gives them (WORLD-7)."""

from __future__ import annotations

from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = "dict[str, Json]"


def same_json(left: object, right: object) -> bool:
    """Say whether two JSON values are equal as WORLD-7 has it.

    Integers compare exactly, other numbers as doubles, and the kinds never equal each other:
    1, 1.0 and true are three values. The order of keys does not matter. Deep nesting is walked
    without recursion.
    """
    waiting = [(left, right)]
    while waiting:
        one, other = waiting.pop()
        if one is other:
            continue
        if type(one) is not type(other):
            return False
        if isinstance(one, dict):
            assert isinstance(other, dict)
            if one.keys() != other.keys():
                return False
            waiting.extend((value, other[key]) for key, value in one.items())
        elif isinstance(one, list):
            assert isinstance(other, list)
            if len(one) != len(other):
                return False
            waiting.extend(zip(one, other, strict=True))
        elif one != other:
            return False
    return True
