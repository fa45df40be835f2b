"""Ids that recording gave, named by the place of their item: two builds give two (E11-2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from contextcert.properties.observation import Entry
from contextcert.properties.synthetic import synthetic_id
from contextcert.properties.view import Shown
from contextcert.refmodel.json_value import Json

_WITHIN: Final = ("item", "entries")


def settled(shown: Shown) -> list[Json]:
    """Give what was shown with ids that recording gave, and what follows from them, renamed."""
    names = names_of(shown.entries)
    return [renamed(item, names) for item in shown.items] if names else list(shown.items)


def is_told(shown: Shown) -> bool:
    """Say whether every id that recording gave to what is shown is known."""
    return all(entry.mint is None or entry.mint.id is not None for entry in shown.entries)


def names_of(entries: Sequence[Entry]) -> Mapping[str, str]:
    """Name the ids that recording gave to items, and those of their synthetic outputs."""
    names = {}
    for place, entry in enumerate(entries):
        fresh = entry.item.id
        if entry.mint is None or not fresh:
            continue
        names[fresh] = f"the id given to item {place}"
        if entry.item.output_type is not None:
            names[synthetic_id(entry.item.output_type, fresh)] = f"the output's id of {place}"
    return names


def renamed(value: Json, names: Mapping[str, str]) -> Json:
    """Give items, envelopes or a transcript with their items' ids renamed."""
    if isinstance(value, list):
        return [renamed(one, names) for one in value]
    if not isinstance(value, dict):
        return value
    given = value.get("id")
    if isinstance(given, str) and given in names:
        value = {**value, "id": names[given]}
    for name in _WITHIN:
        if name in value and "type" not in value:
            value = {**value, name: renamed(value[name], names)}
    return value
