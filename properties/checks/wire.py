"""ITEM-1 to ITEM-3 and ITEM-5 to ITEM-8: how an item that was brought in is written out.

Prompts and readings of the raw history are both looked at. What a prompt alone shows changed may
be the work of projection as well, so it is only suspected of the wire form; a reading decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from contextcert.properties.checks.check import Finding, ShownCheck, Suspicion
from contextcert.properties.checks.edition import explained
from contextcert.properties.checks.truncation import bears_mark
from contextcert.properties.equality import first_difference
from contextcert.properties.item_facts import ItemFacts, optional_nulls
from contextcert.properties.view import Prompt, Shown
from contextcert.refmodel.json_value import Json, JsonObject

_ABSENT: Final = object()


def _reading_then_writing(shown: Shown, place: int) -> Iterator[Finding]:
    """Judge ITEM-1 on the fields that no other clause speaks of."""
    given = shown.shown(place)
    if not isinstance(given, dict):
        return
    item, wanted = shown.facts.items[place], shown.forms[place]
    from_metadata = _from_metadata(shown, place)
    for name in _changed_fields(shown, place, wanted, given):
        if name in from_metadata:
            continue
        inner = [name] if name in wanted and name in given else []
        path, expected, actual = first_difference(
            wanted.get(name), given.get(name), shown.path(shown.aligned.target[place], *inner)
        )
        found = shown.violation("ITEM-1", f"{name} is not written as read", path, expected, actual)
        if _surely_wire(shown, item, wanted, given, name):
            yield found
        elif shown.raw is not None:
            if place in shown.raw.aligned.altered:
                yield found
        elif not (isinstance(expected, str) and isinstance(actual, str)):
            # A field of another shape may be the reader's work; another text is projection's.
            yield Suspicion(found)


def _changed_fields(
    shown: Shown, place: int, wanted: JsonObject, given: JsonObject
) -> Iterator[str]:
    item = shown.facts.items[place]
    claimed = _claimed_elsewhere(shown, item) | explained(shown, place)
    if bears_mark(given.get("output")):
        claimed.add("output")  # truncation wrote it, right or wrong
    for name in sorted(wanted.keys() | given.keys()):
        if name in claimed or name == "success":
            continue
        if not _same_field(shown, wanted.get(name, _ABSENT), given.get(name, _ABSENT)):
            yield name


def _same_field(shown: Shown, one: object, other: object) -> bool:
    if one is _ABSENT or other is _ABSENT:
        return one is other
    return shown.sight.same(one, other)


def _claimed_elsewhere(shown: Shown, item: ItemFacts) -> set[str]:
    """Give the fields that other clauses judge."""
    nulls = {path[0] for path in optional_nulls(item.given, item.form)}
    claimed = {name for name in nulls if item.form.get(name) is not None}
    claimed.update(name for name in nulls if name not in item.form)
    if item.type == "reasoning":
        claimed.add("content")
    if isinstance(shown, Prompt):
        claimed.update(_media_fields(item))
    claimed.update(name for name in ("id", "call_id", "output") if item.form.get(name) in ("", []))
    return claimed


def _media_fields(item: ItemFacts) -> set[str]:
    if not item.has_media:
        return set()
    return {item.body or "result"}


def _surely_wire(
    shown: Shown, item: ItemFacts, wanted: JsonObject, given: JsonObject, name: str
) -> bool:
    """Say whether only reading and writing can explain a changed field."""
    if not isinstance(shown, Prompt):
        return True
    if name == "type":
        return True
    if name not in wanted:
        return name in item.given or given[name] is None
    if name not in given:
        return wanted[name] is None
    return False


def _unknown_is_other(shown: Shown, place: int) -> Iterator[Finding]:
    yield shown.violation(
        "ITEM-2",
        "an unknown type is not written as other",
        shown.path(shown.aligned.target[place]),
        {"type": "other"},
        shown.shown(place),
    )


def _null_is_absent(shown: Shown, place: int) -> Iterator[Finding]:
    """Judge ITEM-3; a null that the table asks for and that is not written is ITEM-1's."""
    item, given = shown.facts.items[place], shown.shown(place)
    known = explained(shown, place)
    for path in optional_nulls(item.given, item.form):
        if path[0] in known:
            continue
        wanted, actual = _inside(shown.forms[place], path), _inside(given, path)
        if wanted is None and actual is _ABSENT:
            continue
        if wanted is not actual and (wanted is _ABSENT or actual is _ABSENT or actual != wanted):
            yield shown.violation(
                "ITEM-3",
                f"{'/'.join(path)} given as null is not written as if absent",
                shown.path(shown.aligned.target[place]),
                _visible(wanted),
                _visible(actual),
            )


def _inside(value: Json, path: tuple[str, ...]) -> object:
    for name in path:
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return _ABSENT
    return value


def _visible(value: object) -> Json:
    return value if isinstance(value, str | dict | list) else None


def _empty_stays(shown: Shown, place: int) -> Iterator[Finding]:
    given, wanted = shown.shown(place), shown.forms[place]
    if not isinstance(given, dict):
        return
    known = explained(shown, place)
    for name in ("id", "call_id", "output"):
        if name in known:
            continue
        empty = wanted.get(name, _ABSENT)
        if empty in ("", []) and given.get(name, _ABSENT) != empty:
            yield shown.violation(
                "ITEM-5",
                f"an empty {name} does not stay what it is",
                shown.path(shown.aligned.target[place]),
                _visible(empty),
                _visible(given.get(name)),
            )


def _reasoning_content(shown: Shown, place: int) -> Iterator[Finding]:
    given, wanted = shown.shown(place), shown.forms[place]
    if not isinstance(given, dict):
        return
    one, other = wanted.get("content", _ABSENT), given.get("content", _ABSENT)
    if not _same_field(shown, one, other):
        yield shown.violation(
            "ITEM-7",
            "a reasoning's content is not written as it must be",
            shown.path(shown.aligned.target[place]),
            _visible(one),
            _visible(other),
        )


WIRE: Final[Mapping[str, ShownCheck]] = MappingProxyType(
    {
        check.clause: check
        for check in (
            ShownCheck("ITEM-1", judge=_reading_then_writing),
            ShownCheck("ITEM-2", judge=_unknown_is_other),
            ShownCheck("ITEM-3", judge=_null_is_absent),
            ShownCheck("ITEM-5", judge=_empty_stays),
            ShownCheck("ITEM-7", judge=_reasoning_content),
        )
    }
)
"""The checks that an item exercises by itself, by clause."""


def _metadata_stays_out(shown: Shown, place: int) -> Iterator[Finding]:
    """Judge ITEM-8: neither keys nor values of envelope metadata turn up in the item."""
    if place not in shown.aligned.altered:
        return
    given = shown.shown(place)
    for name in _from_metadata(shown, place):
        assert isinstance(given, dict)
        yield shown.violation(
            "ITEM-8",
            "envelope metadata stands in the item",
            shown.path(shown.aligned.target[place]),
            None,
            given[name],
        )


def _from_metadata(shown: Shown, place: int) -> list[str]:
    """Name the fields of an item that its envelope's metadata explains."""
    given, metadata = shown.shown(place), shown.entries[place].metadata
    if not isinstance(given, dict) or not isinstance(metadata, dict):
        return []
    values = [one for one in metadata.values() if one not in (None, "", [], {})]
    return [
        name
        for name in sorted(
            given.keys() - shown.forms[place].keys() - shown.facts.items[place].given.keys()
        )
        if name in ("metadata", *metadata)
        or given[name] == metadata
        or (isinstance(inner := given[name], dict) and any(one in values for one in inner.values()))
    ]


def _success_stays_in(shown: Shown, place: int) -> Iterator[Finding]:
    """Judge ITEM-6: the success flag is never in the item, and survives in the envelope."""
    position = shown.aligned.target[place]
    given, wanted = shown.shown(place), shown.entries[place].success
    if isinstance(given, dict) and "success" in given:
        yield shown.violation(
            "ITEM-6", "the success flag is on the wire", shown.path(position), None, given
        )
    if shown.envelopes is None or wanted is None or not shown.sight.success_flag:
        return
    envelope = shown.envelopes[position]
    actual = envelope.get("success") if isinstance(envelope, dict) else None
    if actual is not wanted:
        yield shown.violation(
            "ITEM-6", "the success flag is lost", f"/ok/{position}", wanted, actual
        )


ENVELOPES: Final[Mapping[str, ShownCheck]] = MappingProxyType(
    {
        check.clause: check
        for check in (
            ShownCheck("ITEM-6", judge=_success_stays_in),
            ShownCheck("ITEM-8", judge=_metadata_stays_out),
        )
    }
)
"""The checks that an item exercises by its envelope, by clause."""
