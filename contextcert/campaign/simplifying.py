"""Simpler forms of the operations of a script: plainer looks, shorter texts, fewer fields. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from contextcert.refmodel import MODALITIES
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.subject import Script

PLAINER: Final[Mapping[str, str]] = MappingProxyType(
    {"raw_envelopes": "raw_items", "for_prompt_annotated": "for_prompt"}
)
"""Operations that show less, and take the same arguments."""

OPTIONAL: Final = frozenset(
    {
        "detail",
        "encrypted_function_args",
        "id",
        "internal_chat_message_metadata_passthrough",
        "metadata",
        "namespace",
        "phase",
        "status",
        "success",
    }
)
"""Fields of items and envelopes that may be left out."""

TEXTS: Final = frozenset({"input", "output", "text"})
"""Fields of items and their entries that hold a text of any length."""

LISTED: Final = frozenset({"content", "output", "summary", "tools"})
"""Fields of items that hold a list of any length."""

ALL: Final[list[Json]] = list(MODALITIES)


def simpler_operations(script: Script) -> Iterator[Script]:
    """Give the script with one operation simpler, the plainest forms first."""
    for place, op in enumerate(script):
        for simpler in _simpler(op):
            yield [*script[:place], simpler, *script[place + 1 :]]


def _simpler(op: JsonObject) -> Iterator[JsonObject]:
    name = str(op["op"])
    if name in PLAINER:
        yield {**op, "op": PLAINER[name]}
    turns = op.get("num_turns")
    if isinstance(turns, int):
        yield from ({**op, "num_turns": fewer} for fewer in (1, 2, turns - 1) if 0 < fewer < turns)
    envelopes = op.get("envelopes")
    if name == "record_annotated_items" and isinstance(envelopes, list):
        bare = [one["item"] for one in envelopes if isinstance(one, dict) and "item" in one]
        rest = {key: value for key, value in op.items() if key != "envelopes"}
        yield {**rest, "op": "record_items", "items": bare}
    for key in ("items", "envelopes"):
        listed = op.get(key)
        if isinstance(listed, list):
            for place, item in enumerate(listed):
                for simpler in _simpler_value(item):
                    yield {**op, key: [*listed[:place], simpler, *listed[place + 1 :]]}


def _simpler_value(value: Json) -> Iterator[Json]:
    """Give an item, an envelope or an entry of one with less in it."""
    if not isinstance(value, dict):
        return
    for key, held in value.items():
        if key in OPTIONAL:
            yield {name: other for name, other in value.items() if name != key}
        for simpler in _simpler_field(key, held):
            yield {**value, key: simpler}


def _simpler_field(key: str, held: Json) -> Iterator[Json]:
    if isinstance(held, str) and key in TEXTS:
        half = len(held) // 2
        yield from (shorter for shorter in ("", held[:half], held[half:]) if shorter != held)
    elif isinstance(held, list) and key in LISTED:
        if held:
            yield []
        yield from ([*held[:place], *held[place + 1 :]] for place in range(len(held)))
        for place, entry in enumerate(held):
            for simpler in _simpler_value(entry):
                yield [*held[:place], simpler, *held[place + 1 :]]
    elif key == "item":
        yield from _simpler_value(held)
