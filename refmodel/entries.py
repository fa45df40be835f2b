"""The lists of entries inside items that may hold media: message content and array bodies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import is_
from typing import Any, Final, TypeAlias

from attrs import evolve

from contextcert.refmodel.items import (
    BodyEntry,
    CustomToolCallOutput,
    FunctionCallOutput,
    Item,
    Message,
    MessageEntry,
)

Entry: TypeAlias = MessageEntry | BodyEntry

_ENTRIES: Final[Mapping[type[Item], str]] = {
    Message: "content",
    FunctionCallOutput: "output",
    CustomToolCallOutput: "output",
}


def change_entries(item: Item, change: Callable[[Entry], Entry]) -> Item:
    """Change each entry of a message, or of a function or custom output with an array body.

    All other items, and a body that is one text, come back as they are; so does an item whose
    entries all stay.
    """
    attribute = _ENTRIES.get(type(item))
    if attribute is None:
        return item
    entries: Any = getattr(item, attribute)
    if isinstance(entries, str):
        return item
    changed = tuple(map(change, entries))
    return item if all(map(is_, changed, entries)) else evolve(item, **{attribute: changed})
