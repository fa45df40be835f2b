"""Equality of outcomes: exact by default, and only as exact as an adapter says it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import orjson
from attrs import field, frozen

from contextcert.refmodel.json_value import Json, JsonObject, same_json
from contextcert.subject import Capabilities

_ABSENT = object()


def identical(one: object, other: object) -> bool:
    """Say whether two JSON values are strictly equal; fast where the order of keys agrees.

    `==` alone would take 1, 1.0 and true for one value, and writing alone would take a tuple for
    a list, so both are asked before the slow walk is.
    """
    if one is other:
        return True
    try:
        if one != other:
            return False
        if orjson.dumps(one) == orjson.dumps(other):
            return True
    except (TypeError, RecursionError):
        pass  # an integer beyond 64 bits, or deeper than the writer goes: walk
    return same_json(one, other)


def loosely_identical(one: object, other: object) -> bool:
    """Say whether two JSON values are equal where 1 and 1.0 cannot be told apart."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            loosely_identical(value, other[key]) for key, value in one.items()
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(loosely_identical, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return _as_double(one) == _as_double(other)
    return type(one) is type(other) and one == other


def _as_double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


@frozen
class Sight:
    """How much of an outcome an adapter can show; the rest is left out on both sides."""

    exact_numbers: bool = True
    diagnostics: bool = True
    success_flag: bool = True
    coarse_transcript: bool = False
    hidden_fields: Mapping[str, tuple[tuple[str, ...], ...]] = field(factory=dict)

    @classmethod
    def of(cls, capabilities: Capabilities) -> Sight:
        """Take what an adapter says of itself, the JSON pointers of `hidden_fields` read."""
        parsed = {
            item_type: tuple(_pointer(one) for one in pointers)
            for item_type, pointers in capabilities.hidden_fields.items()
        }
        return cls(
            capabilities.exact_numbers,
            capabilities.diagnostics,
            capabilities.success_flag,
            capabilities.coarse_transcript,
            parsed,
        )

    def same(self, one: object, other: object) -> bool:
        """Compare two values, numbers as exactly as the adapter carries them."""
        if identical(one, other):
            return True
        return not self.exact_numbers and loosely_identical(one, other)

    def same_outcome(self, expected: JsonObject, actual: JsonObject) -> bool:
        """Compare two outcomes of one operation."""
        if expected == actual and identical(expected, actual):
            return True
        if actual.get("diagnostics", _ABSENT) is None:
            # An adapter that shows diagnostics cannot show those of this operation.
            expected, actual = (_without(one, ("diagnostics",)) for one in (expected, actual))
        return self.same(self.seen(expected), self.seen(actual))

    def seen(self, outcome: JsonObject) -> JsonObject:
        """Give the part of an outcome that is compared: error texts never are."""
        if "error" in outcome:
            return {"error": None}
        seen = dict(outcome)
        if not self.diagnostics or not seen.get("diagnostics", True):
            seen.pop("diagnostics", None)
        if "ok" in seen and (self.hidden_fields or not self.success_flag):
            seen["ok"] = self.without_hidden(seen["ok"])
        return seen

    def without_hidden(self, value: Json) -> Json:
        """Leave the hidden fields of items out of a list of items or envelopes."""
        if not isinstance(value, list):
            return value
        return [self._entry(entry) for entry in value]

    def hides(self, item_type: str, name: str) -> bool:
        """Say whether a top-level field of an item type never travels."""
        return (name,) in self.hidden_fields.get(item_type, ())

    def item(self, item: Json) -> Json:
        """Leave the hidden fields of one item out, if it is an object."""
        return self.item_object(item) if isinstance(item, dict) else item

    def item_object(self, item: JsonObject) -> JsonObject:
        """Leave the hidden fields of one item out."""
        if not self.hidden_fields:
            return item
        item_type = item.get("type")
        pointers = self.hidden_fields.get(item_type) if isinstance(item_type, str) else None
        for pointer in pointers or ():
            item = _without(item, pointer)
        return item

    def _entry(self, entry: Json) -> Json:
        if isinstance(entry, dict) and "type" not in entry and "item" in entry:
            envelope = {**entry, "item": self.item(entry["item"])}
            if not self.success_flag:
                envelope.pop("success", None)
            return envelope
        return self.item(entry)


def written(value: object, *, any_key_order: bool = False) -> bytes:
    """Write a JSON value so that equal ones are written alike, whatever was met before them."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS if any_key_order else 0)
    except (TypeError, RecursionError):  # an integer beyond 64 bits, or deeper than the writer goes
        return repr(value).encode("utf-8", "surrogatepass")


def first_difference(expected: Json, actual: Json, path: str = "") -> tuple[str, Json, Json]:
    """Find the first place where two values differ: its JSON pointer and both values there.

    Where an object lacks a key or has one too many, and where lists differ in length with one
    the start of the other, the place is the object or list itself.
    """
    if isinstance(expected, dict) and isinstance(actual, dict):
        if expected.keys() == actual.keys():
            for key, value in expected.items():
                if not identical(value, actual[key]):
                    return first_difference(value, actual[key], f"{path}/{_escaped(key)}")
    elif isinstance(expected, list) and isinstance(actual, list):
        for index, (one, other) in enumerate(zip(expected, actual, strict=False)):
            if not identical(one, other):
                return first_difference(one, other, f"{path}/{index}")
    return path, expected, actual


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _pointer(text: str) -> tuple[str, ...]:
    return tuple(_parts(text))


def _parts(text: str) -> Iterator[str]:
    for part in text.split("/")[1:]:
        yield part.replace("~1", "/").replace("~0", "~")


def _without(value: JsonObject, pointer: tuple[str, ...]) -> JsonObject:
    name, *rest = pointer
    inner = value.get(name, _ABSENT)
    if inner is _ABSENT:
        return value
    if not rest:
        return {key: one for key, one in value.items() if key != name}
    if isinstance(inner, dict):
        return {**value, name: _without(inner, tuple(rest))}
    return value
