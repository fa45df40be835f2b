"""E11-1 to E11-6: what edition 2026-11 changes about items, ids, recording and prompts.

Whatever shows items is looked at, prompts and readings of the raw history alike. Where a change
explains what is wrong with an item, no clause that holds in every edition is blamed for it
(`explained`). That an output without call_id is no orphan and answers nothing (E11-1) is judged
with the other clauses about pairing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from contextcert.properties.binding import is_fresh
from contextcert.properties.checks.check import Check, Finding, Suspicion
from contextcert.properties.checks.pairing import PAIRING
from contextcert.properties.equality import identical
from contextcert.properties.item_facts import FUNCTION_OUTPUT, NAMES, is_loose, shows_id
from contextcert.properties.observation import Entry, Mint
from contextcert.properties.truncating import (
    BYTES,
    TOKENS,
    Allowance,
    Policy,
    cut_body,
    tokens,
)
from contextcert.properties.view import Prompt, Shown
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition

UNPROCESSED: Final = (
    "image content omitted because it could not be processed",
    "audio content omitted because it could not be processed",
)
"""What recording writes in place of media that it cannot decode (E11-5)."""

_MEDIA: Final = ("input_image", "input_audio")
_CHARACTERS: Final = "chars truncated…"


def changed(shown: Shown) -> Iterator[Finding]:
    """Judge every item that is shown by what the edition changes."""
    if not shown.in_november:
        return
    altered = shown.aligned.altered
    for place, entry in enumerate(shown.entries):
        if entry.mint is None and place not in altered:
            continue
        given = shown.shown(place)
        if not isinstance(given, dict):
            continue
        if not shown.sight.hides(entry.item.type, "id"):
            yield from _minted(shown, place, entry, given)
            yield from _hidden(shown, place, entry, given)
        if place in altered:
            yield from _altered(shown, place)
    if isinstance(shown, Prompt):
        yield from _unnamed_outputs(shown)


def explained(shown: Shown, place: int) -> frozenset[str]:
    """Name the fields of an item whose being wrong is for the edition's changes to explain."""
    entry, given = shown.entries[place], shown.shown(place)
    if not shown.in_november or not isinstance(given, dict):
        return frozenset()
    fields = {name for name, _, _ in _faults(shown, place)}
    if entry.mint is not None or _took_id(entry, given) or any(_hidden(shown, place, entry, given)):
        fields.add("id")
    return frozenset(fields)


def explains_all(shown: Shown) -> bool:
    """Say whether the edition's changes explain everything that is wrong with what is shown."""
    aligned = shown.aligned
    if not shown.in_november:
        return False
    if aligned.misplaced:
        return False
    return bool(aligned.altered) and all(_explains(shown, place) for place in aligned.altered)


def _explains(shown: Shown, place: int) -> bool:
    wanted, given = shown.forms[place], shown.shown(place)
    if not isinstance(given, dict):
        return False
    known = explained(shown, place)
    return all(
        name in known or (name in wanted and name in given and identical(wanted[name], given[name]))
        for name in wanted.keys() | given.keys()
    )


# ids


def _minted(shown: Shown, place: int, entry: Entry, given: JsonObject) -> Iterator[Finding]:
    """Judge E11-2: who is given an id, of what form, and that it stays and is nobody else's."""
    shown_id = given.get("id")
    if entry.mint is not None:
        fault = _fault(entry.mint, entry.item.type, shown_id)
    elif _took_id(entry, given):
        fault = "an item that is not to be given an id was given one"
    else:
        return
    if fault is not None:
        path = shown.path(shown.aligned.target[place], *(["id"] if "id" in given else []))
        yield shown.violation("E11-2", fault, path, entry.item.id, shown_id)


def _fault(mint: Mint, item_type: str, shown_id: Json) -> str | None:
    if not isinstance(shown_id, str) or not shown_id:
        return "an item that was recorded without an id was given none"
    if mint.id is None and shown_id == mint.shared:
        return "two items were given one id"
    if mint.id is not None and shown_id != mint.id:
        return "the id that an item was given did not stay the same"
    if not is_fresh(item_type, shown_id):
        return "an id that was given is not the type's prefix, _ and a version 7 UUID"
    return None


def _took_id(entry: Entry, given: JsonObject) -> bool:
    """Say whether an item got a fresh id where it has one, or was restored without."""
    shown_id = given.get("id")
    if entry.mint is not None or shown_id == entry.item.id:
        return False
    brought = entry.policy is not None or "E11-2" in entry.clauses
    return brought and is_fresh(entry.item.type, shown_id)


def _hidden(shown: Shown, place: int, entry: Entry, given: JsonObject) -> Iterator[Finding]:
    """Judge E11-6 on an item: its id is kept, and shown if it has the form."""
    item_id = entry.item.id
    if item_id is None or entry.mint is not None or place not in shown.aligned.altered:
        return
    path = shown.path(shown.aligned.target[place])
    if not isinstance(shown, Prompt):
        if item_id and not shows_id(item_id) and "id" not in given:
            message = "the history does not keep an id that prompts do not show"
            yield shown.violation("E11-6", message, path, item_id, None)
    elif not shows_id(item_id):
        if "id" in given and not shows_id(given["id"]):
            message = "a prompt shows an id that is not prefix_suffix"
            yield shown.violation("E11-6", message, path, None, given["id"])
    elif "id" not in given and not _lost_before(shown, place):
        message = "a prompt does not show an id of the form prefix_suffix"
        found = shown.violation("E11-6", message, path, item_id, None)
        yield found if shown.raw is not None else Suspicion(found)


def _lost_before(prompt: Prompt, place: int) -> bool:
    return prompt.raw is not None and place in prompt.raw.aligned.altered


def _unnamed_outputs(prompt: Prompt) -> Iterator[Finding]:
    """Judge E11-6 on synthetic outputs: their ids come of ids that are not shown, too."""
    for place in prompt.facts.places.get("SYN-1", ()):
        call, wanted = prompt.facts.items[place], prompt.facts.unanswered[place]
        if shows_id(call.id) or prompt.sight.hides(str(wanted["type"]), "id"):
            continue
        for position in prompt.aligned.gained.get(place, ()):
            given = prompt.items[position]
            if isinstance(given, dict) and given.get("id") != wanted["id"]:
                message = "a synthetic output's id does not come of the id that is not shown"
                path = prompt.path(position)
                yield prompt.violation("E11-6", message, path, wanted["id"], given.get("id"))


# what else is wrong with an item


def _altered(shown: Shown, place: int) -> Iterator[Violation]:
    wanted, given = shown.forms[place], shown.shown(place)
    assert isinstance(given, dict)
    for name, clause, message in _faults(shown, place):
        inner = [name] if name in given else []
        path = shown.path(shown.aligned.target[place], *inner)
        yield shown.violation(clause, message, path, wanted.get(name), given.get(name))


def _faults(shown: Shown, place: int) -> Iterator[tuple[str, str, str]]:
    """Give the fields of an altered item that a change of the edition explains, with the clause."""
    entry, wanted, given = shown.entries[place], shown.forms[place], shown.shown(place)
    if not isinstance(given, dict) or place not in shown.aligned.altered:
        return
    if entry.item.type == FUNCTION_OUTPUT:
        for name in _misread(entry.item.form, wanted, given):
            yield name, "E11-1", f"a function output does not keep {name} as it was, or absent"
    body = entry.item.body
    if body is None or entry.policy is None or wanted.get(body) == given.get(body):
        return
    for clause, message in _misrecorded(shown, entry, wanted.get(body), given.get(body)):
        yield body, clause, message


def _misread(form: JsonObject, wanted: JsonObject, given: JsonObject) -> Iterator[str]:
    """Name the fields of a function output that only this edition lets it have, or lack."""
    for name in sorted(NAMES & (wanted.keys() | given.keys())):
        if wanted.get(name) != given.get(name) or (name in wanted) != (name in given):
            yield name
    if is_loose(form) and "call_id" in given:
        yield "call_id"


def _misrecorded(
    shown: Shown, entry: Entry, wanted: Json, given: Json
) -> Iterator[tuple[str, str]]:
    """Judge E11-3 to E11-5 on a body that is not what recording makes of it."""
    if isinstance(wanted, list) and isinstance(given, list):
        if _unprocessed(given) > _unprocessed(wanted):
            yield "E11-5", "media that can be kept was taken for undecodable"
            return
        if _without_white(given) == _without_white(wanted):
            yield "E11-3", "not just the empty texts of an output's array were dropped"
            return
        if not isinstance(shown, Prompt) and entry.cut is None and _only_media(wanted, given):
            yield "E11-5", "media that can be kept was changed"
            return
    if entry.item.body == "output" and _cut_otherwise(entry, given):
        yield "E11-4", "an output under a policy in bytes is not cut in tokens"


def _unprocessed(entries: list[Json]) -> int:
    return sum(isinstance(one, dict) and one.get("text") in UNPROCESSED for one in entries)


def _without_white(entries: list[Json]) -> list[Json]:
    """Leave texts out that a wrong idea of emptiness might drop, or not drop."""
    return [
        one
        for one in entries
        if not (
            isinstance(one, dict)
            and one.get("type") == "input_text"
            and not str(one.get("text")).strip()
        )
    ]


def _only_media(wanted: list[Json], given: list[Json]) -> bool:
    """Say whether two arrays differ in their images and audio alone."""
    if len(wanted) != len(given):
        return _others(wanted) == _others(given)
    return all(
        one == other or (isinstance(one, dict) and one.get("type") in _MEDIA)
        for one, other in zip(wanted, given, strict=True)
    )


def _others(entries: list[Json]) -> list[Json]:
    return [one for one in entries if not (isinstance(one, dict) and one.get("type") in _MEDIA)]


def _cut_otherwise(entry: Entry, given: Json) -> bool:
    """Say whether a body was cut as another reading of a policy in bytes has it."""
    policy = entry.policy
    if policy is None or policy.unit != BYTES:
        return False
    right = entry.item.form["output"]
    if _in_characters(given) and not _in_characters(right):
        return True
    cuts = (cut_body(entry.uncut, one).body for one in _other_readings(policy))
    return any(identical(one, given) for one in cuts if one != right)


def _in_characters(body: Json) -> bool:
    entries = body if isinstance(body, list) else [{"text": body}]
    return any(isinstance(one, dict) and _CHARACTERS in str(one.get("text")) for one in entries)


def _other_readings(policy: Policy) -> Iterator[Allowance]:
    """Give what n bytes might wrongly come to: bytes, as many tokens, or tokens rounded amiss."""
    in_bytes = policy.allowance(Edition.AUGUST_2026)
    yield in_bytes
    for limit in (
        in_bytes.limit,
        in_bytes.limit // 4,
        -(-6 * tokens(policy.limit) // 5),
        -(-6 * (policy.limit // 4) // 5),
    ):
        yield Allowance(TOKENS, limit)


EDITION: Final[Mapping[str, Check]] = MappingProxyType(
    {
        "E11-1": PAIRING["E11-1"],
        **{clause: Check(clause) for clause in (f"E11-{number}" for number in range(2, 7))},
    }
)
"""The checks, by clause."""
