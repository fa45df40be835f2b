"""The arguments of an operation, read strictly (DESIGN 3).

Nothing that is read is shared with the operation it came in.
"""

from __future__ import annotations

from collections.abc import Sequence
from reprlib import repr as short_repr
from typing import Final

from contextcert.refmodel.claim import MODALITIES
from contextcert.refmodel.items import CustomToolCallOutput, Envelope, FunctionCallOutput, Item
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition
from contextcert.refmodel.opaque import copy_json
from contextcert.refmodel.shapes import ItemError
from contextcert.refmodel.transcript import Cursor
from contextcert.refmodel.truncation import TruncationPolicy
from contextcert.refmodel.wire import read_item, read_items

UINT32_MAX: Final = 2**32 - 1


class ArgumentError(ValueError):
    """An operation cannot be carried out because of what it was given; the message says why."""


def required(operation: JsonObject, name: str) -> Json:
    """Give a field that must be there, whatever it holds."""
    if name not in operation:
        raise ArgumentError(f"missing field `{name}`")
    return operation[name]


def value(operation: JsonObject, name: str) -> Json:
    """Read an opaque value."""
    return copy_json(required(operation, name))


def state(operation: JsonObject) -> JsonObject:
    """Read the world state of an update: an object."""
    read = value(operation, "state")
    if not isinstance(read, dict):
        raise ArgumentError("state: expected an object")
    return read


def text(operation: JsonObject, name: str) -> str:
    """Read a string."""
    read = required(operation, name)
    if not isinstance(read, str):
        raise ArgumentError(f"{name}: expected a string")
    return read


def handle(operation: JsonObject) -> int:
    """Read which history an operation is on; 0 if it does not say."""
    return _handle(operation.get("on", 0), "on")


def target(operation: JsonObject) -> int:
    """Read which history a clone becomes."""
    return _handle(required(operation, "to"), "to")


def _handle(number: Json, name: str) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise ArgumentError(f"{name}: expected the number of a history, an integer of at least 0")
    return number


def num_turns(operation: JsonObject) -> int:
    """Read how many turns to drop, from 0 to 2^32 - 1."""
    number = required(operation, "num_turns")
    if not isinstance(number, int) or isinstance(number, bool):
        raise ArgumentError("num_turns: expected an integer")
    if not 0 <= number <= UINT32_MAX:
        raise ArgumentError(f"num_turns: expected an integer from 0 to {UINT32_MAX}")
    return number


def input_modalities(operation: JsonObject) -> Sequence[str]:
    """Read what a model can take in, each of `text`, `image`, `audio`."""
    names = _array(operation, "input_modalities")
    for name in names:
        if name not in MODALITIES:
            raise ArgumentError(
                f"input_modalities: expected text, image or audio, not {short_repr(name)}"
            )
    return names  # type: ignore[return-value]


def policy(operation: JsonObject) -> TruncationPolicy:
    """Read a truncation policy."""
    try:
        return TruncationPolicy.from_json(required(operation, "policy"))
    except ValueError as error:
        raise ArgumentError(str(error)) from None


def cursor(operation: JsonObject) -> Cursor | None:
    """Read a transcript cursor; None if there is none or it is null (CUR-2)."""
    given = operation.get("cursor")
    try:
        return None if given is None else Cursor.from_json(given)
    except ValueError as error:
        raise ArgumentError(str(error)) from None


def items(operation: JsonObject, edition: Edition) -> list[Item]:
    """Read a list of items, all or none (ITEM-4)."""
    try:
        return read_items(_array(operation, "items"), edition)
    except ItemError as error:
        raise error.inside("items") from None


def envelopes(operation: JsonObject, edition: Edition) -> list[Envelope]:
    """Read a list of envelopes, all or none (ITEM-4)."""
    read: list[Envelope] = []
    try:
        for given in _array(operation, "envelopes"):
            read.append(_envelope(given, edition))  # noqa: PERF401 - its length places the error
    except ItemError as error:
        raise error.inside(f"envelopes[{len(read)}]") from None
    return read


def _envelope(given: Json, edition: Edition) -> Envelope:
    """Read `{item, metadata?, success?}`; only function and custom outputs keep a success flag."""
    if not isinstance(given, dict):
        raise ItemError("expected an object")
    if "item" not in given:
        raise ItemError("missing field `item`")
    metadata = copy_json(given.get("metadata"))
    if metadata is not None and not isinstance(metadata, dict):
        raise ItemError("expected an object or null", "metadata")
    success = given.get("success")
    if success is not None and not isinstance(success, bool):
        raise ItemError("expected a boolean or null", "success")
    item = read_item(given["item"], edition)
    if not isinstance(item, FunctionCallOutput | CustomToolCallOutput):
        success = None
    return Envelope(item, metadata, success)


def _array(operation: JsonObject, name: str) -> list[Json]:
    read = required(operation, name)
    if not isinstance(read, list):
        raise ArgumentError(f"{name}: expected an array")
    return read
