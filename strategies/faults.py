"""Items that must be refused as a whole (ITEM-4), each with exactly one fault."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from contextcert.refmodel import ITEM_TYPES, Json, JsonObject
from contextcert.strategies.fields import Field, fields_of
from contextcert.strategies.scope import Scope


@cache
def malformed_items(scope: Scope) -> tuple[Json, ...]:
    """List one malformed item for every way in which an item of a claimed type can be wrong."""
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
