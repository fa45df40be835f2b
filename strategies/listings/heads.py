"""Every pair of items at the head of a history, and what goes with the first (HEAD-1 to HEAD-8)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from contextcert.refmodel import JsonObject
from contextcert.strategies.admission import admitted
from contextcert.strategies.alphabet import pairing_alphabet
from contextcert.strategies.item_values import ID_PREFIXES, item
from contextcert.strategies.projecting import POLICY, Script
from contextcert.strategies.scope import Scope


def head_scripts(scope: Scope) -> Iterator[Script]:
    """Remove the first of two items; the second stands twice more, told apart by its id."""
    listed = [symbol.item for symbol in pairing_alphabet(scope)]
    for first, other in product(listed, repeat=2):
        between = item("message", id="msg_between")
        items = admitted([first, between, *_twice(other)], scope)
        yield [
            {"op": "update_world_state", "state": {"a": 1}},
            {"op": "record_items", "items": [*items], "policy": POLICY},
            {"op": "remove_first_item"},
            {"op": "raw_items"},
        ]


def _twice(value: JsonObject) -> Iterator[JsonObject]:
    prefix = ID_PREFIXES[str(value["type"])]
    for place in (8, 9):
        yield {**value, "id": f"{prefix}_{place}"}
