"""The first turn rolled back: what its cleanup takes, and what it leaves (ROLL-9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.admission import admitted
from contextcert.strategies.fragments import DEVELOPER_FRAGMENTS, MODEL_SWITCH
from contextcert.strategies.item_values import META, image, item, text
from contextcert.strategies.projecting import POLICY, Script
from contextcert.strategies.scope import Scope

_SWITCH: Final = text(MODEL_SWITCH)
_SAID_SWITCH: Final[JsonObject] = {"type": "output_text", "text": MODEL_SWITCH}
_OTHER: Final = text(DEVELOPER_FRAGMENTS[0])


def first_turn_scripts(scope: Scope) -> Iterator[Script]:
    """Record a prefix and one turn, plainly and with metadata, and roll that turn back."""
    for prefix in _prefixes():
        for turn in ("t1", "", None):
            items = admitted([*prefix, of_turn(turn, "user", text("a"))], scope)
            envelopes: list[Json] = [
                {"item": one, "metadata": {"place": place}} for place, one in enumerate(items)
            ]
            ways: tuple[JsonObject, JsonObject] = (
                {"op": "record_items", "items": [*items]},
                {"op": "record_annotated_items", "envelopes": envelopes},
            )
            for recording in ways:
                yield [
                    {"op": "set_reference_context_item", "value": {"model": "m1"}},
                    {**recording, "policy": POLICY},
                    {"op": "drop_last_n_user_turns", "num_turns": 1},
                    {"op": "raw_items"},
                    {"op": "raw_envelopes"},
                    {"op": "reference_context_item"},
                ]


def _prefixes() -> Iterator[list[JsonObject]]:
    for content in CONTENTS:
        for turn in ("t1", "t2", "", None):
            yield [of_turn(turn, "developer", *content)]
    yield [of_turn("t1", "developer", _SWITCH), of_turn("t1", "developer", _SWITCH)]
    yield [of_turn("t1", "developer", _OTHER, _SWITCH), of_turn("t2", "developer", _SWITCH)]
    yield [of_turn("t1", "developer", _SWITCH), item("reasoning"), of_turn("t1", "developer")]
    for role in ("assistant", "system", "Developer", "tool", "zebra"):
        yield [of_turn("t1", role, _SWITCH)]
    yield [{**item("function_call"), META: {"turn_id": "t1"}}]


CONTENTS: Final[tuple[tuple[JsonObject, ...], ...]] = (
    (),
    (_SWITCH,),
    (_SWITCH, _SWITCH),
    (_SWITCH, _OTHER),
    (_OTHER, _SWITCH, text("x")),
    (text(f" {MODEL_SWITCH.swapcase()}\n"),),
    (text("<model_switch>m"),),
    (text(f"x{MODEL_SWITCH}"), text("")),
    (_SAID_SWITCH,),
    (_SWITCH, image()),
    (text("x"),),
)


def of_turn(turn: str | None, role: str, *content: JsonObject) -> JsonObject:
    """Give a message of a turn, or of none."""
    meta: JsonObject = {} if turn is None else {META: {"turn_id": turn}}
    return item("message", role=role, content=[*content], **meta)
