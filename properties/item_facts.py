"""What can be said of one item alone: its wire form, its place in pairing, its media."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping
from copy import copy
from functools import lru_cache
from typing import Final, cast

import orjson
from attrs import define, field

from contextcert.properties.equality import Sight
from contextcert.properties.truncating import is_blank
from contextcert.properties.wire_form import ITEMS, UnreadableError, wire_form
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition

IMAGE_OMITTED: Final = "image content omitted because you do not support image input"
AUDIO_OMITTED: Final = "audio content omitted because you do not support audio input"

FUNCTION_OUTPUT: Final = "function_call_output"
CUSTOM_OUTPUT: Final = "custom_tool_call_output"
SEARCH_OUTPUT: Final = "tool_search_output"
OUTPUT_TYPES: Final = frozenset({FUNCTION_OUTPUT, CUSTOM_OUTPUT, SEARCH_OUTPUT})

OUTPUT_OF: Final[Mapping[str, str]] = {
    "function_call": FUNCTION_OUTPUT,
    "local_shell_call": FUNCTION_OUTPUT,
    "custom_tool_call": CUSTOM_OUTPUT,
    "tool_search_call": SEARCH_OUTPUT,
}
"""The type of output that answers each type of call (SPEC 1.2)."""

PREFIX_OF: Final[Mapping[str, str]] = {
    FUNCTION_OUTPUT: "fco",
    CUSTOM_OUTPUT: "ctco",
    SEARCH_OUTPUT: "tso",
}
"""The prefix of each type of output's synthetic id (SPEC 1.2)."""

ID_PREFIX: Final[Mapping[str, str]] = {
    "message": "msg",
    "agent_message": "amsg",
    "reasoning": "rs",
    "local_shell_call": "lsh",
    "function_call": "fc",
    "tool_search_call": "tsc",
    "function_call_output": "fco",
    "custom_tool_call": "ctc",
    "custom_tool_call_output": "ctco",
    "tool_search_output": "tso",
    "web_search_call": "ws",
    "image_generation_call": "ig",
    "compaction": "cmp",
    "context_compaction": "cmp",
    "additional_tools": "at",
}
"""The usual prefix of each type's item id (E11-2)."""

NOT_RECORDED: Final = frozenset({"compaction_trigger", "other"})
"""The types that recording drops, besides system messages (REC-2)."""

_WITH_NUMBERS: Final = frozenset(
    {"tool_search_call", "tool_search_output", "additional_tools", "local_shell_call"}
)
_OPAQUE: Final = frozenset({"arguments", "tools"})
_META: Final = "internal_chat_message_metadata_passthrough"
_BODIES: Final[Mapping[str, str]] = {
    "message": "content",
    FUNCTION_OUTPUT: "output",
    CUSTOM_OUTPUT: "output",
}
_REMEMBERED: Final = 4096
_UNKNOWN: Final = cast("ItemFacts | None", object())


@define(eq=False)
class ItemFacts:
    """One readable item.

    `form` is its wire form, `shown` the same as a prompt shows it (E11-6, hidden fields).
    `output_type` is, for a call with a call id, the type of what answers it; `answers` is the
    item's own type if it is an output. `images` and `audios` are the places of media in the
    array `body`. `exact` says that the form holds numbers or booleans, so that `==` is not
    enough. `unsettled` says that recording may rewrite media of the item in ways that SPEC leaves
    open (E11-5), `blank` that it drops empty texts of the body (E11-3), both in edition 2026-11
    alone. `weight` bounds what an output costs a truncation, in bytes. `wire_clauses` are the
    clauses of ITEM, and E11-1 and E11-6, that the item exercises by itself. `downgraded` remembers
    what prompts show of it under modalities that lack something.
    """

    given: JsonObject
    form: JsonObject
    shown: JsonObject
    type: str
    id: str | None
    call_id: str | None
    output_type: str | None
    answers: str | None
    body: str | None
    images: tuple[int, ...]
    audios: tuple[int, ...]
    exact: bool
    unsettled: bool
    blank: bool
    weight: int
    wire_clauses: tuple[str, ...]
    downgraded: dict[tuple[bool, bool], JsonObject] = field(factory=dict)

    @property
    def recordable(self) -> bool:
        """Whether recording keeps the item (REC-2)."""
        if self.type == "message":
            return self.form["role"] != "system"
        return self.type not in NOT_RECORDED

    @property
    def has_media(self) -> bool:
        """Whether step C or D could change the item."""
        return bool(self.images or self.audios or self.type == "image_generation_call")

    @property
    def holds_data_url(self) -> bool:
        """Whether the item is an output whose body is text that holds a data URL (IMG-3)."""
        if self.body != "output":
            return False
        body = self.form["output"]
        return isinstance(body, str) and "data:" in body

    def prompt_form(self, *, image: bool, audio: bool) -> JsonObject:
        """Give what a prompt must show under the two modalities (IMG, AUD)."""
        if not self.has_media or (image and audio):
            return self.shown
        known = self.downgraded.get((image, audio))
        if known is None:
            known = self.downgraded[image, audio] = self._downgrade(image=image, audio=audio)
        return known

    def _downgrade(self, *, image: bool, audio: bool) -> JsonObject:
        if self.type == "image_generation_call":
            if image or "result" not in self.shown:
                return self.shown
            return {**self.shown, "result": ""}
        assert self.body is not None
        entries = self.shown.get(self.body)
        if not isinstance(entries, list):
            return self.shown
        entries = list(entries)
        for place in () if image else self.images:
            entries[place] = {"type": "input_text", "text": IMAGE_OMITTED}
        for place in () if audio else self.audios:
            entries[place] = {"type": "input_text", "text": AUDIO_OMITTED}
        return {**self.shown, self.body: entries}


@define
class ItemReader:
    """Reads items, remembering the ones it has met: small histories are made of the same few."""

    edition: Edition
    sight: Sight
    _known: dict[bytes, ItemFacts | None] = field(factory=dict)

    def read(self, item: Json) -> ItemFacts | None:
        """Give the facts of an item, or None if it must be refused (ITEM-4)."""
        try:
            written = orjson.dumps(item)
        except (TypeError, RecursionError):
            return self._read(item)  # an integer beyond 64 bits, or deeper than the writer goes
        known = self._known.get(written, _UNKNOWN)
        if known is not _UNKNOWN:
            return known
        facts = self._read(item)
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[written] = facts
        return facts

    def _read(self, item: Json) -> ItemFacts | None:
        try:
            form = wire_form(item, self.edition)
        except UnreadableError:
            return None
        assert isinstance(item, dict)
        return self._facts(item, form)

    def with_id(self, facts: ItemFacts, fresh: str) -> ItemFacts:
        """Give the facts of the same item with the id that recording gave it (E11-2)."""
        form: JsonObject = {"type": facts.type, "id": fresh}
        form.update((key, value) for key, value in facts.form.items() if key not in form)
        given = {**facts.given, "id": fresh}
        if "id" in facts.given or not shows_id(fresh):
            return self._facts(given, form)
        # Nothing else about an item has to do with an id that was not there.
        named = copy(facts)
        named.given, named.form, named.id = given, form, fresh
        named.shown, named.downgraded = self.sight.item_object(form), {}
        return named

    def _facts(self, given: JsonObject, form: JsonObject) -> ItemFacts:
        tag = form["type"]
        assert isinstance(tag, str)
        call_id = form.get("call_id")
        body = _BODIES.get(tag)
        entries = form[body] if body is not None else None
        shown = self._shown(form)
        item_id = form.get("id")
        in_november = self.edition is Edition.NOVEMBER_2026
        return ItemFacts(
            given=given,
            form=form,
            shown=shown,
            type=tag,
            id=item_id if isinstance(item_id, str) else None,
            call_id=call_id if isinstance(call_id, str) else None,
            output_type=OUTPUT_OF.get(tag) if call_id is not None else None,
            answers=tag if tag in OUTPUT_TYPES else None,
            body=body,
            images=_places(entries, "input_image"),
            audios=_places(entries, "input_audio"),
            unsettled=in_november and not all(map(_survives, _listed(entries))),
            blank=in_november and body == "output" and any(map(is_blank, _listed(entries))),
            exact=tag in _WITH_NUMBERS or _META in form,
            weight=_weight(entries) if body == "output" else 0,
            wire_clauses=(
                *_wire_clauses(given, form),
                *(_edition_clauses(form, self.sight) if in_november else ()),
            ),
        )

    def _shown(self, form: JsonObject) -> JsonObject:
        if self.edition is Edition.NOVEMBER_2026 and not shows_id(form.get("id")):
            form = {key: value for key, value in form.items() if key != "id"}
        return self.sight.item_object(form)


def _listed(entries: Json) -> list[Json]:
    return entries if isinstance(entries, list) else []


_SHOWN_DETAILS: Final = (None, "auto", "high")
_PNG: Final = "data:image/png;base64,"
_PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


def _survives(entry: Json) -> bool:
    """Say whether SPEC settles that recording leaves an entry as it is (E11-5)."""
    assert isinstance(entry, dict)
    if entry["type"] == "input_image":
        return entry.get("detail") in _SHOWN_DETAILS and _is_png(str(entry["image_url"]))
    if entry["type"] == "input_audio":
        return str(entry["audio_url"]).startswith("data:audio/")
    return True


@lru_cache(maxsize=256)
def _is_png(url: str) -> bool:
    try:
        payload = b64decode(url.removeprefix(_PNG), validate=True)
    except ValueError:
        return False
    return url.startswith(_PNG) and payload.startswith(_PNG_SIGNATURE)


def shows_id(item_id: Json) -> bool:
    """Say whether an id has the form `prefix_suffix`, both parts non-empty (E11-6)."""
    if not isinstance(item_id, str):
        return False
    prefix, _, suffix = item_id.partition("_")
    return bool(prefix and suffix)


def is_loose(form: JsonObject) -> bool:
    """Say whether a wire form is that of a function output without call_id (E11-1)."""
    return form["type"] == FUNCTION_OUTPUT and "call_id" not in form


def optional_nulls(given: JsonObject, form: JsonObject) -> Iterator[tuple[str, ...]]:
    """Give the paths of the nulls under fields of the table, opaque values left aside (ITEM-3)."""
    known = {one.name for one in ITEMS[str(form["type"])]} - _OPAQUE
    waiting: list[tuple[tuple[str, ...], Json]] = [
        ((key,), value) for key, value in given.items() if key in known
    ]
    while waiting:
        path, value = waiting.pop()
        if value is None:
            yield path
        elif isinstance(value, dict):
            waiting.extend(((*path, key), one) for key, one in value.items())
        elif isinstance(value, list):
            waiting.extend(((*path, str(index)), one) for index, one in enumerate(value))


def _places(entries: Json, tag: str) -> tuple[int, ...]:
    if not isinstance(entries, list):
        return ()
    return tuple(
        index
        for index, entry in enumerate(entries)
        if isinstance(entry, dict) and entry["type"] == tag
    )


def _weight(entries: Json) -> int:
    """Bound the cost of a body from above: four bytes a character, and one entry more."""
    if isinstance(entries, str):
        return 4 * len(entries)
    assert isinstance(entries, list)
    total = 4
    for entry in entries:
        assert isinstance(entry, dict)
        text = entry.get("text", entry.get("audio_url", ""))
        assert isinstance(text, str)
        total += 4 * len(text) + 4
    return total


def _wire_clauses(given: JsonObject, form: JsonObject) -> Iterator[str]:
    tag = given["type"]
    if form["type"] == "other":
        if tag != "other":
            yield "ITEM-2"
        return
    yield "ITEM-1"
    if any(optional_nulls(given, form)):
        yield "ITEM-3"
    if any(form.get(name) in ("", []) for name in ("id", "call_id", "output")):
        yield "ITEM-5"
    if tag == "reasoning":
        yield "ITEM-7"


def _edition_clauses(form: JsonObject, sight: Sight) -> Iterator[str]:
    """Name the changes of edition 2026-11 that an item exercises by itself."""
    if form["type"] == FUNCTION_OUTPUT and (is_loose(form) or NAMES & form.keys()):
        yield "E11-1"
    if "id" in form and not shows_id(form["id"]) and not sight.hides(str(form["type"]), "id"):
        yield "E11-6"


NAMES: Final = frozenset({"name", "namespace"})
"""What a function output may have besides (E11-1)."""
