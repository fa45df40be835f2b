"""Readers of the wire form: each takes a JSON value, and gives it as it is written, or refuses."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

Reader: TypeAlias = Callable[[Any], Any]
"""Raises RefusedError for a value of another shape."""


class RefusedError(Exception):
    """A value cannot be read, so the operation that brought it has no effect (ITEM-4)."""

    def __init__(self, why: str, path: str = "") -> None:
        """Say why, and where in the value."""
        super().__init__(f"{path}: {why}" if path else why)
        self._why = why
        self._path = path

    def inside(self, name: str) -> "RefusedError":
        """Give the same refusal, seen from the value that holds this one as `name`."""
        return RefusedError(self._why, f"{name}.{self._path}" if self._path else name)


class Absent(Enum):
    """What a field that is absent or null does (ITEM-3)."""

    REFUSED = 0
    OMITTED = 1
    NULL = 2


class Field(NamedTuple):
    """A field of an object; the order of fields is that of the output."""

    name: str
    read: Reader
    absent: Absent


Fields: TypeAlias = Sequence[Field]

UNWRITTEN = object()
"""What a reader gives for a value that was read and is not written (ITEM-7)."""


def required(name: str, read: Reader) -> Field:
    """Give a field whose absence refuses the whole."""
    return Field(name, read, Absent.REFUSED)


def optional(name: str, read: Reader) -> Field:
    """Give a field that is omitted when absent."""
    return Field(name, read, Absent.OMITTED)


def nullable(name: str, read: Reader) -> Field:
    """Give a field that is written as null when absent (*n* in SPEC 1.1)."""
    return Field(name, read, Absent.NULL)


def text(value: object) -> str:
    """Read a string."""
    if isinstance(value, str):
        return value
    raise RefusedError(f"a string is expected, not {_kind(value)}")


def number(value: object) -> int | float:
    """Read a number; true and false are none."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise RefusedError(f"a number is expected, not {_kind(value)}")


def whole_number(value: object) -> int:
    """Read a number that is written without fraction and not negative."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise RefusedError("a number from 0 on, without fraction, is expected")


def count(limit: int) -> Reader:
    """Read a whole number up to a limit."""

    def read(value: object) -> int:
        if (number := whole_number(value)) <= limit:
            return number
        raise RefusedError(f"a whole number up to {limit} is expected")

    return read


def boolean(value: object) -> bool:
    """Read true or false."""
    if isinstance(value, bool):
        return value
    raise RefusedError(f"true or false is expected, not {_kind(value)}")


def anything(value: object) -> object:
    """Read any JSON value, null too."""
    return value


def choice(*names: str) -> Reader:
    """Read one of these strings."""

    def read(value: object) -> str:
        if text(value) in names:
            return str(value)
        raise RefusedError(f"one of {', '.join(names)} is expected, not {value!a}")

    return read


def array(entry: Reader) -> Reader:
    """Read a list of one kind of entry."""

    def read(value: object) -> list[Any]:
        if not isinstance(value, list):
            raise RefusedError(f"a list is expected, not {_kind(value)}")
        entries = []
        try:
            for one in value:
                entries.append(entry(one))  # noqa: PERF401 (the refusal says which entry)
        except RefusedError as refusal:
            raise refusal.inside(str(len(entries))) from None
        return entries

    return read


def mapping(entry: Reader) -> Reader:
    """Read an object of any keys and one kind of value."""

    def read(value: object) -> dict[str, Any]:
        return {name: entry(one) for name, one in an_object(value).items()}

    return read


def an_object(value: object) -> dict[str, Any]:
    """Read an object as it is."""
    if isinstance(value, dict):
        return value
    raise RefusedError(f"an object is expected, not {_kind(value)}")


def record(fields: Fields) -> Reader:
    """Read an object with these fields; others are dropped (ITEM-1)."""

    def read(value: object) -> dict[str, Any]:
        return _read_fields(an_object(value), fields, {})

    return read


def tagged(variants: Mapping[str, Fields], unknown: str | None = None) -> Reader:
    """Read an object whose fields depend on its `type`; an unknown one reads as `unknown`."""

    def read(value: object) -> dict[str, Any]:
        given = an_object(value)
        if "type" not in given:
            raise RefusedError("it is missing", "type")
        name = given["type"]
        if not isinstance(name, str):
            raise RefusedError(f"a string is expected, not {_kind(name)}", "type")
        fields = variants.get(name)
        if fields is not None:
            return _read_fields(given, fields, {"type": name})
        if unknown is not None:
            return {"type": unknown}
        raise RefusedError(f"one of {', '.join(variants)} is expected, not {name!a}", "type")

    return read


def _read_fields(
    given: Mapping[str, Any], fields: Fields, written: dict[str, Any]
) -> dict[str, Any]:
    for name, read, absent in fields:
        value = given.get(name)
        if value is None and (absent is not Absent.REFUSED or name not in given):
            if absent is Absent.REFUSED:
                raise RefusedError("it is missing", name)
            if absent is Absent.NULL:
                written[name] = None
            continue
        try:
            value = read(value)
        except RefusedError as refusal:
            raise refusal.inside(name) from None
        if value is not UNWRITTEN:
            written[name] = value
    return written


_KINDS: Mapping[type, str] = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "an object",
}


def _kind(value: object) -> str:
    return _KINDS[type(value)]
