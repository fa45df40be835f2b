"""Finds out which fresh ids a subject gave to items recorded without one (E11-2).

Such ids compare by form only, so each is read off the subject's own outcomes where it is first
shown; everything after that, synthetic ids included, is then compared exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from contextcert.properties.item_facts import ID_PREFIX, OUTPUT_TYPES, ItemFacts, ItemReader
from contextcert.properties.observation import Entry, Projection, Reading, Survey
from contextcert.refmodel.fresh_ids import FreshIds, seeded_fresh_ids
from contextcert.refmodel.json_value import Json, JsonObject

_VERSION_7: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
)
_VERSION_5: Final = re.compile(r".*_[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f-]{17}")


def is_fresh(item_type: str, item_id: Json) -> bool:
    """Say whether an id has the form of one that recording gives: the prefix and a UUID v7."""
    prefix = ID_PREFIX.get(item_type)
    if prefix is None or not isinstance(item_id, str):
        return False
    start, _, uuid = item_id.partition("_")
    return start == prefix and _VERSION_7.fullmatch(uuid) is not None


def bind(survey: Survey, outcomes: Sequence[JsonObject], reader: ItemReader) -> None:
    """Read off the outcomes of one mode which id each nameless item was given.

    An id of the wrong form is taken as well, so that it alone is wrong. The entries get their ids;
    those never shown keep none.
    """
    taken: set[str] = set()
    for entries, shown in _moments(survey, outcomes):
        if any(entry.mint is not None and entry.mint.id is None for entry in entries):
            _bind_shown(entries, shown, taken)
    for mint in survey.mints:
        if mint.id is not None:
            for entry in mint.entries:
                entry.item = reader.with_id(entry.item, mint.id)


def _moments(
    survey: Survey, outcomes: Sequence[JsonObject]
) -> Iterator[tuple[Sequence[Entry], Sequence[Json]]]:
    """Give whatever shows the items of a known history, in the order of the script."""
    moments: list[Reading | Projection] = [
        *survey.readings,
        *survey.projections,
        *survey.transcripts,
        *survey.handed_out,
    ]
    transcripts = {one.operation for one in survey.transcripts}
    for moment in sorted(moments, key=lambda one: one.operation):
        entries = moment.history.entries
        if moment.operation >= len(outcomes) or not entries or moment.history.base is not None:
            continue
        shown = outcomes[moment.operation].get("ok")
        if moment.operation in transcripts:
            # A read shows the last entries of the history.
            shown = shown.get("entries") if isinstance(shown, dict) else None
            entries = entries[-len(shown) :] if isinstance(shown, list) and shown else ()
        if isinstance(shown, list):
            yield entries, [_item(one) for one in shown]


def _item(entry: Json) -> Json:
    if isinstance(entry, dict) and "type" not in entry:
        return entry.get("item")
    return entry


def _bind_shown(entries: Sequence[Entry], shown: Sequence[Json], taken: set[str]) -> None:
    """Walk both lists, taking the next item that is equal but for its id; media may differ.

    What is left is bound by its place, where nothing was added and nothing is missing: another
    fault of the item is no reason not to know its id.
    """
    given = {entry.item.id for entry in entries if entry.item.id}
    position = 0
    for entry in entries:
        for later in range(position, len(shown)):
            if _alike(entry, shown[later], given):
                position = later + 1
                _take(entry, shown[later], taken)
                break
    if len(entries) == len(shown):
        for entry, one in zip(entries, shown, strict=True):
            if isinstance(one, dict) and is_fresh(entry.item.type, one.get("id")):
                _take(entry, one, taken)


def _take(entry: Entry, shown: Json, taken: set[str]) -> None:
    fresh = shown.get("id") if isinstance(shown, dict) else None
    mint = entry.mint
    if mint is None or mint.id is not None or not isinstance(fresh, str):
        return
    if fresh in taken:
        mint.shared = fresh
        return
    mint.id = fresh
    taken.add(fresh)


def _alike(entry: Entry, shown: Json, given: set[str]) -> bool:
    item = entry.item
    if not isinstance(shown, dict) or shown.get("type") != item.type:
        return False
    shown_id = shown.get("id")
    if entry.mint is None:
        ids = (item.form.get("id"), item.shown.get("id"))
        return shown_id in ids and shown.get("call_id") == item.call_id
    if entry.mint.id is not None:
        return bool(shown_id == entry.mint.id)
    return _may_be_minted(item.type, shown_id, given) and any(
        all(shown.get(name) == value for name, value in form.items() if name != "id")
        for form in _forms(item)
    )


def _may_be_minted(item_type: str, shown_id: Json, given: set[str]) -> bool:
    """Say whether an id may be one that recording gave, if perhaps in a wrong form."""
    if not isinstance(shown_id, str) or not shown_id or shown_id in given:
        return False
    is_synthetic = item_type in OUTPUT_TYPES and _VERSION_5.fullmatch(shown_id) is not None
    return is_fresh(item_type, shown_id) or not is_synthetic


def _forms(item: ItemFacts) -> Iterator[JsonObject]:
    """Give how an item may be shown; its id does not matter."""
    yield item.shown
    if item.has_media:
        for image, audio in ((False, True), (True, False), (False, False)):
            yield item.prompt_form(image=image, audio=audio)


def bound_fresh_ids(survey: Survey) -> FreshIds:
    """Give a source of ids that hands the model those that the subject gave.

    Where an item was never shown any id will do.
    """
    otherwise = seeded_fresh_ids(0)
    given = iter([mint.id for mint in survey.mints])

    def fresh_id(prefix: str) -> str:
        return next(given, None) or otherwise(prefix)

    return fresh_id
