"""What is long or many: more than a byte counts, where everything else listed is short."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.admission import admitted
from contextcert.strategies.fragments import INSTRUCTIONS
from contextcert.strategies.item_values import item, text
from contextcert.strategies.projecting import POLICY, Script
from contextcert.strategies.scope import Scope

_MANY: Final = 257
"""One more than a byte tells apart."""
_LONG: Final = "abcdefghij" * 30


def long_turn_scripts(scope: Scope) -> Iterator[Script]:
    """Roll back over a long instruction, and over ones that hold more than they need (4.6)."""
    for said in _instructions():
        order = item("message", role="assistant", content=[text(said)])
        first = item("message", role="user", content=[text("a")])
        items = admitted([first, order], scope)
        if len(items) == _WHOLE:
            yield [
                {"op": "record_items", "items": [*items], "policy": POLICY},
                {"op": "drop_last_n_user_turns", "num_turns": 1},
                {"op": "raw_items"},
            ]


_WHOLE: Final = 2


def _instructions() -> Iterator[str]:
    order = json.loads(INSTRUCTIONS[0])
    metadata = "internal_chat_message_metadata_passthrough"
    for more in _MORE:
        yield json.dumps({**order, **more})
    for time in (None, 0, 1.5):
        yield json.dumps({**order, metadata: {"turn_id": None, "create_time": time}})


_MORE: Final[tuple[JsonObject, ...]] = (
    {"content": _LONG},
    {"more": 7},
    {"more": -0.5},
    {"more": [1, [2, [3, []], {"a": [4]}], "5"]},
    {"more": {"author": [[]], "a": {"b": [{}, True, None]}}},
)
"""A long order, and unknown keys, which are ignored whatever they hold."""


def long_cut_scripts(scope: Scope) -> Iterator[Script]:
    """Cut long outputs within their first and last characters (TRUNC-3)."""
    for unit, limit in (("bytes", 1), ("bytes", 2), ("bytes", 3), ("tokens", 0), ("tokens", 1)):
        bodies: list[Json] = [f"{_LONG}\U0001f600", f"\U0001f600{_LONG}", _LONG]
        outputs = (item("function_call_output", output=body) for body in bodies)
        items = admitted(outputs, scope)
        if items:
            policy: JsonObject = {"mode": unit, "limit": limit}
            yield [
                {"op": "record_items", "items": [*items], "policy": policy},
                {"op": "raw_items"},
            ]


def long_state_scripts(_scope: Scope) -> Iterator[Script]:
    """Report nothing for a long array that stayed, and all of one that did not (WORLD-2)."""
    numbers: list[Json] = [*range(_MANY)]
    for after in (numbers, numbers[1:], numbers[:-1], [*numbers[:-1], 0]):
        yield [
            {"op": "update_world_state", "state": {"a": numbers}},
            {"op": "update_world_state", "state": {"a": [*after]}},
            {"op": "world_state_baseline"},
        ]


def rewrite_scripts(scope: Scope) -> Iterator[Script]:
    """Rewrite more often than a byte counts, and read on from there (VER-2, VER-4, CUR-1)."""
    items: list[Json] = [*admitted([item("message", role="user", content=[text("a")])], scope)]
    rewriting: JsonObject = {"op": "replace", "items": items}
    cursors: tuple[JsonObject, ...] = (
        {"history_version": _MANY, "entry_count": len(items)},
        {"history_version": 1, "entry_count": len(items)},
    )
    for cursor in cursors:
        yield [
            *([rewriting] * _MANY),
            {"op": "history_version"},
            {"op": "record_items", "items": items, "policy": POLICY},
            {"op": "read_transcript", "cursor": cursor},
        ]
