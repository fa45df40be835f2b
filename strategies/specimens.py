"""Items that are special in one way: odd but readable, dropped by recording, or malformed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from contextcert.refmodel import ITEM_TYPES, Json, JsonObject
from contextcert.strategies.fields import Field, fields_of
from contextcert.strategies.scope import Scope


@cache
def odd_items(scope: Scope) -> tuple[JsonObject, ...]:
    """List readable items, each the plainest of its type but for one field."""
    claimed = [item_type for item_type in ITEM_TYPES if scope.takes_type(item_type)]
    odd = [one for item_type in claimed for one in _variants(item_type, scope)]
    summaries = [
        {**one, "type": "compaction_summary"} for one in odd if one["type"] == "compaction"
    ]
    return (*odd, *summaries[:1], *items_not_recorded(scope))


def items_not_recorded(scope: Scope) -> tuple[JsonObject, ...]:
    """List what recording drops and replacing keeps (REC-2): system messages and unknown types."""
    unknown = ("brand_new", "Message", "function_call ", "other", "")
    dropped: list[JsonObject] = [
        {"type": item_type, "id": "x_1", "call_id": 7, "role": []} for item_type in unknown
    ]
    if scope.takes_type("message"):
        dropped.append({"type": "message", "role": "system", "content": []})
    return tuple(dropped)


def _variants(item_type: str, scope: Scope) -> Iterator[JsonObject]:
    plain = plainest(item_type, scope)
    yield {**plain, "more": {"role": "trap"}, "__proto__": []}
    yield {**plain, **{name.upper(): "trap" for name in plain}}
    for field in fields_of(item_type, scope):
        yield from ({**plain, field.name: value} for value in field.good)
        if not field.required:
            yield {**plain, field.name: None}


@cache
def malformed_items(scope: Scope) -> tuple[Json, ...]:
    """List an item for every way in which one of a claimed type can be wrong (ITEM-4)."""
    claimed = [item_type for item_type in ITEM_TYPES if scope.takes_type(item_type)]
    faults = [fault for item_type in claimed for fault in _faults(item_type, scope)]
    return (*faults, *_WITHOUT_TYPE)


_WITHOUT_TYPE: Final[tuple[Json, ...]] = (
    {},
    {"type": None},
    {"type": 7},
    {"Type": "message", "role": "user", "content": []},
    {"role": "user", "content": []},
    "message",
    7,
    None,
    [],
)


def plainest(item_type: str, scope: Scope) -> JsonObject:
    """Give the item of a type that has its required fields only, each with its plainest value."""
    required = (field for field in fields_of(item_type, scope) if field.required)
    return {"type": item_type, **{field.name: field.good[0] for field in required}}


def _faults(item_type: str, scope: Scope) -> Iterator[JsonObject]:
    plain = plainest(item_type, scope)
    for field in fields_of(item_type, scope):
        if field.required and not _may_lack(item_type, field, scope):
            yield {name: value for name, value in plain.items() if name != field.name}
            yield {**_without(plain, field), field.name.upper(): plain[field.name]}
        for wrong in field.wrong:
            if wrong is not None or not _may_lack(item_type, field, scope):
                yield {**plain, field.name: wrong}


def _without(plain: JsonObject, field: Field) -> JsonObject:
    return {name: value for name, value in plain.items() if name != field.name}


def _may_lack(item_type: str, field: Field, scope: Scope) -> bool:
    """E11-1: a function output needs no call id any more."""
    return scope.mints_ids and item_type == "function_call_output" and field.name == "call_id"
