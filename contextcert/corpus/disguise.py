"""Items with a stand-in for every text, and those fields as they are that rules tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from contextcert.corpus.stand_ins import NoStandInError, StandIns
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.strategies.item_values import PNG

_STATES: Final = frozenset({"completed", "in_progress", "incomplete", "failed"})
_KEPT: Final[Mapping[str, frozenset[str]]] = {
    "role": frozenset({"user", "assistant", "developer", "system", "tool"}),
    "phase": frozenset({"commentary", "final_answer"}),
    "status": _STATES,
    "execution": frozenset({"client", "server"}),
    "detail": frozenset({"auto", "low", "high", "original"}),
}
"""Values that a rule names, or that are the only ones that can be read, by field."""

_OPAQUE: Final = frozenset({"tools", "env"})
_SEARCH: Final = "tool_search_call"


def disguised(item: JsonObject, stand_ins: StandIns) -> JsonObject | None:
    """Give an item in wire form without anything that it said; None where that cannot be done."""
    try:
        return _object(item, stand_ins)
    except NoStandInError:
        return None


def _object(value: JsonObject, stand_ins: StandIns) -> JsonObject:
    opaque = _OPAQUE | {"arguments"} if value.get("type") == _SEARCH else _OPAQUE
    return {
        name: stand_ins.value(one) if name in opaque else _field(name, one, stand_ins)
        for name, one in value.items()
    }


def _field(name: str, value: Json, stand_ins: StandIns) -> Json:
    match value:
        case str():
            return _text(name, value, stand_ins)
        case dict():
            return _object(value, stand_ins)
        case list():
            return [_field("", one, stand_ins) for one in value]
        case bool() | None:
            return value
        case _:
            return stand_ins.number(value)


def _text(name: str, value: str, stand_ins: StandIns) -> str:
    if name == "type" or value in _KEPT.get(name, ()):
        return value
    if name == "image_url" and value.startswith("data:"):
        # A picture cannot be had letter by letter, and only some survive recording (E11-5).
        return PNG
    return stand_ins.text(value)
