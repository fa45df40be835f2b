"""How a table of fields becomes a strict reader and a writer (ITEM-1, ITEM-3, ITEM-4).

A `Kind` reads one JSON value and writes it back. A `Shape` is an object with named fields, a
`Tagged` a choice of shapes told apart by `type`. Reading takes over the value it is given, and
writing gives away parts of the item: whoever calls them copies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from operator import attrgetter
from reprlib import repr as short_repr
from typing import Any, Final

from attrs import Factory, field, frozen

from contextcert.refmodel.json_value import Json, JsonObject

UINT64_MAX: Final = 2**64 - 1


class ItemError(ValueError):
    """A value that is no item (ITEM-4). The message says where, what was expected and what came."""

    def __init__(self, reason: str, path: str = "") -> None:
        """Keep the reason and the place it was found at, relative to the value being read."""
        super().__init__(f"{path}: {reason}" if path else reason)
        self.reason = reason
        self.path = path

    def inside(self, place: str) -> ItemError:
        """Give the same error as seen from one level further out."""
        joint = "" if not self.path or self.path.startswith("[") else "."
        return ItemError(self.reason, f"{place}{joint}{self.path}")


_NAMES: Final[Mapping[type, str]] = {
    type(None): "null",
    bool: "a boolean",
    int: "an integer",
    float: "a fractional number",
    str: "a string",
    list: "an array",
    dict: "an object",
}


def expected(what: str, value: Json) -> ItemError:
    """Make the error for a value of the wrong JSON type, without quoting all of it."""
    return ItemError(f"expected {what}, not {_NAMES.get(type(value), type(value).__name__)}")


@frozen(eq=False)
class Kind:
    """One kind of JSON value: how it is read (strictly, raising `ItemError`) and written."""

    read: Callable[[Json], Any]
    write: Callable[[Any], Json]


def _as_is(value: Any) -> Json:  # noqa: ANN401 - a value that is its own wire form
    return value  # type: ignore[no-any-return]


def _read_string(value: Json) -> str:
    if isinstance(value, str):
        return value
    raise expected("a string", value)


def _read_number(value: Json) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise expected("a number", value)


def _read_unsigned(value: Json) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise expected("an integer", value)
    if not 0 <= value <= UINT64_MAX:
        raise ItemError(f"expected an integer from 0 to {UINT64_MAX}")
    return value


def _read_array(value: Json) -> list[Json]:
    if isinstance(value, list):
        return value
    raise expected("an array", value)


def _read_text_map(value: Json) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        raise expected("an object", value)
    pairs: list[tuple[str, str]] = []
    for name, text in value.items():
        if not isinstance(text, str):
            raise expected("a string", text).inside(name)
        pairs.append((name, text))
    return tuple(sorted(pairs))


STRING: Final = Kind(_read_string, _as_is)
NUMBER: Final = Kind(_read_number, _as_is)
UNSIGNED: Final = Kind(_read_unsigned, _as_is)
TEXT_MAP: Final = Kind(_read_text_map, dict)
JSON: Final = Kind(_as_is, _as_is)
JSON_ARRAY: Final = Kind(_read_array, _as_is)


def one_of(*names: str) -> Kind:
    """Give the kind of a string that is one of these names."""
    listed = ", ".join(f"`{name}`" for name in names)

    def read(value: Json) -> str:
        text = _read_string(value)
        if text not in names:
            raise ItemError(f"expected one of {listed}, not {short_repr(text)}")
        return text

    return Kind(read, _as_is)


def list_of(entry: Kind) -> Kind:
    """Give the kind of an array of such entries; it is read as a tuple."""
    read_entry, write_entry = entry.read, entry.write

    def read(value: Json) -> tuple[Any, ...]:
        entries: list[Any] = []
        try:
            for each in _read_array(value):
                entries.append(read_entry(each))  # noqa: PERF401 - its length places the error
        except ItemError as error:
            if isinstance(value, list):
                raise error.inside(f"[{len(entries)}]") from None
            raise
        return tuple(entries)

    def write(entries: tuple[Any, ...]) -> Json:
        return [write_entry(each) for each in entries]

    return Kind(read, write)


def text_or(entries: Kind) -> Kind:
    """Give the kind of an output body: a string, or an array that the given kind reads."""

    def read(value: Json) -> Any:  # noqa: ANN401 - a Body
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return entries.read(value)
        raise expected("a string or an array", value)

    def write(body: Any) -> Json:  # noqa: ANN401 - a Body
        return body if isinstance(body, str) else entries.write(body)

    return Kind(read, write)


class Presence(Enum):
    """What it means for a field to be absent or null."""

    REQUIRED = "absent is refused"
    OPTIONAL = "absent or null reads as None, and None is left out"
    NULLABLE = "absent or null reads as None, and None is written as null"


@frozen(eq=False)
class Field:
    """One field of a shape: its name on the wire and in the class, its kind and presence."""

    name: str
    kind: Kind
    presence: Presence
    attribute: str = Factory(lambda self: self.name, takes_self=True)
    shown: Callable[[Any], bool] | None = None
    """Which values that are present get written; all of them if not given (ITEM-7)."""


def required(name: str, kind: Kind) -> Field:
    """Declare a field that must be there."""
    return Field(name, kind, Presence.REQUIRED)


def optional(name: str, kind: Kind, attribute: str | None = None) -> Field:
    """Declare a field of SPEC's `?`: left out when absent."""
    return Field(name, kind, Presence.OPTIONAL, attribute or name)


def nullable(name: str, kind: Kind, shown: Callable[[Any], bool] | None = None) -> Field:
    """Declare a field of SPEC's `? n`: null when absent."""
    return Field(name, kind, Presence.NULLABLE, shown=shown)


@frozen(eq=False)
class Shape:
    """A JSON object with known fields, read into a class and written from it.

    Unknown keys are dropped (ITEM-1). `tag` is written first, as `type`, if there is one.
    """

    tag: str | None
    read: Callable[[Json], Any]
    """Read an object strictly; raises `ItemError`."""
    write: Callable[[Any], JsonObject]
    """Write an instance of the class; opaque values in it are not copied."""

    @classmethod
    def of(cls, into: Callable[..., Any], *fields: Field, tag: str | None = None) -> Shape:
        """Make the reader and the writer of a class from its fields, once for all."""
        return cls(tag, _reader(into, fields), _writer(tag, fields))

    def kind(self) -> Kind:
        """Give this shape as the kind of a field."""
        return Kind(self.read, self.write)


def _reader(into: Callable[..., Any], fields: tuple[Field, ...]) -> Callable[[Json], Any]:
    steps = [
        (each.name, each.attribute, each.presence is Presence.REQUIRED, each.kind.read)
        for each in fields
    ]

    def read(value: Json) -> Any:  # noqa: ANN401 - an instance of `into`
        if not isinstance(value, dict):
            raise expected("an object", value)
        arguments: dict[str, Any] = {}
        for name, attribute, needed, read_field in steps:
            given = value.get(name)
            if given is not None or (needed and name in value):
                try:
                    arguments[attribute] = read_field(given)
                except ItemError as error:
                    raise error.inside(name) from None
            elif needed:
                raise ItemError(f"missing field `{name}`")
        return into(**arguments)

    return read


def _writer(tag: str | None, fields: tuple[Field, ...]) -> Callable[[Any], JsonObject]:
    start: JsonObject = {} if tag is None else {"type": tag}
    steps = [
        (each.name, attrgetter(each.attribute), each.presence, each.kind.write, each.shown)
        for each in fields
    ]

    def write(source: Any) -> JsonObject:  # noqa: ANN401 - an instance of the class
        written = start.copy()
        for name, value_of, presence, write_field, shown in steps:
            value = value_of(source)
            if value is None:
                if presence is not Presence.OPTIONAL:
                    written[name] = None
            elif shown is None or shown(value):
                written[name] = write_field(value)
        return written

    return write


def tagged_shape(into: Any, *fields: Field) -> Shape:  # noqa: ANN401 - a class with `type`
    """Declare the shape of a class that is told apart by `type`."""
    return Shape.of(into, *fields, tag=into.type)


@frozen(eq=False)
class Tagged:
    """A choice of shapes by the string under `type`.

    An unknown `type` is refused, or read with `fallback` if there is one.
    """

    shapes: Mapping[str, Shape]
    fallback: Shape | None = None
    aliases: Mapping[str, str] = field(factory=dict)

    @classmethod
    def of(
        cls,
        *shapes: Shape,
        fallback: Shape | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> Tagged:
        """Make the choice between shapes, each under its own tag."""
        return cls({shape.tag or "": shape for shape in shapes}, fallback, aliases or {})

    def read(self, value: Json) -> Any:  # noqa: ANN401 - an instance of the chosen class
        """Read an object by its `type`; an error names that type."""
        shape = self._chosen(value)
        try:
            return shape.read(value)
        except ItemError as error:
            raise error.inside(shape.tag or "") from None

    def write(self, source: Any) -> JsonObject:  # noqa: ANN401 - an instance of a known class
        """Write an instance of any of the classes."""
        shape = self.shapes.get(source.type) or self.fallback
        assert shape is not None, f"no shape for {source.type}"
        return shape.write(source)

    def kind(self) -> Kind:
        """Give this choice as the kind of a field."""
        return Kind(self.read, self.write)

    def _chosen(self, value: Json) -> Shape:
        if not isinstance(value, dict):
            raise expected("an object", value)
        if "type" not in value:
            raise ItemError("missing field `type`")
        try:
            tag = _read_string(value["type"])
        except ItemError as error:
            raise error.inside("type") from None
        shape = self.shapes.get(self.aliases.get(tag, tag)) or self.fallback
        if shape is None:
            listed = ", ".join(f"`{name}`" for name in self.shapes)
            raise ItemError(f"expected one of {listed}, not {short_repr(tag)}", "type")
        return shape
