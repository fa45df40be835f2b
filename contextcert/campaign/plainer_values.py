"""Cuts that leave operations and items standing, and make them easier to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from contextcert.campaign.weight import LISTS
from contextcert.refmodel import MODALITIES, Edition, ItemError, read_item
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.strategies import POLICY, Scope
from contextcert.subject import Script

PLAIN_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "for_prompt_annotated": ("raw_items", "for_prompt"),
    "for_prompt": ("raw_items",),
    "raw_envelopes": ("raw_items",),
    "reference_context_item": ("raw_items",),
    "world_state_baseline": ("raw_items",),
    "read_transcript": ("raw_items",),
}
"""Plainer looks that may show the same."""
LESS: Final = frozenset({"state", "value", "cursor", "num_turns"})
"""Other arguments of which there may be less."""

KEPT: Final = frozenset({"type", "role", "op"})
SHORT: Final = 4
"""A text of so few characters is not worth shortening."""


def plainer(scope: Scope, script: Script, _: int) -> Iterator[Script]:
    """Make one operation plainer, within what may be asked."""
    for place, op in enumerate(script):
        for smaller in _plainer_op(op, scope):
            yield [*script[:place], smaller, *script[place + 1 :]]


def _plainer_op(op: JsonObject, scope: Scope) -> Iterator[JsonObject]:
    for name in PLAIN_NAMES.get(str(op["op"]), ()):
        if scope.may(name):
            yield _looking(op, name)
    if op["op"] == "record_annotated_items":
        yield from _recorded_plainly(op)
    if "policy" in op:
        yield {**op, "policy": POLICY}
    if "input_modalities" in op:
        yield {**op, "input_modalities": [*filter(scope.takes_modality, MODALITIES)]}
    for key, value in op.items():
        if key in LISTS and isinstance(value, list):
            yield from ({**op, key: less} for less in _plainer_items(value, scope.edition))
        elif key in LESS:
            yield from ({**op, key: less} for less in smaller_values(value))


def _looking(op: JsonObject, name: str) -> JsonObject:
    kept = ("on", "input_modalities") if name == "for_prompt" else ("on",)
    return {"op": name} | {key: op[key] for key in kept if key in op}


def _recorded_plainly(op: JsonObject) -> Iterator[JsonObject]:
    envelopes = op.get("envelopes")
    if isinstance(envelopes, list) and all(isinstance(one, dict) for one in envelopes):
        items = [one["item"] for one in envelopes if isinstance(one, dict) and "item" in one]
        rest = {key: value for key, value in op.items() if key != "envelopes"}
        yield {**rest, "op": "record_items", "items": items}


def _plainer_items(listed: list[Json], edition: Edition) -> Iterator[list[Json]]:
    for place, value in enumerate(listed):
        for plain in smaller_values(value):
            if _is_read(plain, edition) or not _is_read(value, edition):
                yield [*listed[:place], plain, *listed[place + 1 :]]


def _is_read(value: Json, edition: Edition) -> bool:
    item = value.get("item", value) if isinstance(value, dict) else value
    try:
        read_item(item, edition)
    except ItemError:
        return False
    return True


def smaller_values(value: Json) -> Iterator[Json]:
    """Give what is less of a value, at every depth."""
    if isinstance(value, dict):
        yield from _smaller_objects(value)
    elif isinstance(value, list):
        yield from _smaller_lists(value)
    elif isinstance(value, str):
        yield from _shorter_texts(value)
    elif isinstance(value, int) and not isinstance(value, bool) and value > 1:
        yield from (1, value // 2, value - 1)


def _smaller_objects(value: JsonObject) -> Iterator[Json]:
    for key in value:
        if key not in KEPT:
            yield {one: inner for one, inner in value.items() if one != key}
    for key, inner in value.items():
        if key not in KEPT:
            yield from ({**value, key: smaller} for smaller in smaller_values(inner))


def _smaller_lists(value: list[Json]) -> Iterator[Json]:
    if len(value) > 1:
        yield []
    for place, inner in enumerate(value):
        yield [*value[:place], *value[place + 1 :]]
        yield from ([*value[:place], less, *value[place + 1 :]] for less in smaller_values(inner))


def _shorter_texts(value: str) -> Iterator[Json]:
    if len(value) > SHORT:
        half = len(value) // 2
        yield from ("", value[:half], value[half:])
