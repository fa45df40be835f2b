"""Finds out which fresh ids a subject gave to items recorded without one (E11-2).

Such ids compare by form only, so they are read off the subject's own outcomes, once per item;
everything after that, synthetic ids included, is then compared exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from contextcert.properties.item_facts import ID_PREFIX, ItemFacts, ItemReader
from contextcert.properties.observation import Entry, Projection, Reading, Survey
from contextcert.refmodel.fresh_ids import FreshIds, seeded_fresh_ids
from contextcert.refmodel.json_value import Json, JsonObject

_VERSION_7: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
)


def is_fresh(item_type: str, item_id: Json) -> bool:
    """Say whether an id has the form of one that recording gives: the prefix and a UUID v7."""
    prefix = ID_PREFIX.get(item_type)
    if prefix is None or not isinstance(item_id, str):
        return False
    start, _, uuid = item_id.partition("_")
    return start == prefix and _VERSION_7.fullmatch(uuid) is not None


def bind(survey: Survey, outcomes: Sequence[JsonObject]) -> dict[Entry, str]:
    """Read off the outcomes of one mode which id each nameless item was given."""
    bound: dict[Entry, str] = {}
    moments: list[Reading | Projection] = [*survey.readings, *survey.projections]
    for moment in moments:
        if moment.operation < len(outcomes) and moment.history.base is None:
            shown = outcomes[moment.operation].get("ok")
            if isinstance(shown, list) and moment.history.entries:
                _bind_shown(moment.history.entries, shown, bound)
    for read in survey.transcripts:
        later = _later_entries(outcomes[read.operation : read.operation + 1])
        if later and read.history.base is None and read.history.entries:
            _bind_shown(read.history.entries[-len(later) :], later, bound)
    return bound


def _later_entries(outcome: Sequence[JsonObject]) -> list[Json]:
    """Give the entries of a transcript read, which are the last ones of the history."""
    shown = outcome[0].get("ok") if outcome else None
    entries = shown.get("entries") if isinstance(shown, dict) else None
    return entries if isinstance(entries, list) else []


def _bind_shown(entries: Sequence[Entry], shown: Sequence[Json], bound: dict[Entry, str]) -> None:
    """Walk both lists, taking the next item that is equal but for its id; media may differ."""
    taken = set(bound.values())
    position = 0
    for entry in entries:
        for later in range(position, len(shown)):
            given = _item(shown[later])
            if given is not None and _alike(entry, given, bound.get(entry)):
                position = later + 1
                fresh = given.get("id")
                if entry.nameless and entry not in bound and fresh not in taken:
                    assert isinstance(fresh, str)
                    bound[entry] = fresh
                    taken.add(fresh)
                break


def _item(entry: Json) -> JsonObject | None:
    if isinstance(entry, dict) and "type" not in entry:
        entry = entry.get("item")
    return entry if isinstance(entry, dict) else None


def _alike(entry: Entry, given: JsonObject, known: str | None) -> bool:
    item = entry.item
    if given.get("type") != item.type:
        return False
    if not entry.nameless:
        return given.get("id") == item.shown.get("id") and given.get("call_id") == item.call_id
    if known is not None:
        return given.get("id") == known
    if not is_fresh(item.type, given.get("id")):
        return False
    return any(
        all(given.get(name) == value for name, value in form.items() if name != "id")
        for form in _forms(item)
    )


def _forms(item: ItemFacts) -> Iterator[JsonObject]:
    yield item.form
    for image in (True, False):
        for audio in (True, False):
            yield item.prompt_form(image=image, audio=audio)


def name_entries(survey: Survey, bound: Mapping[Entry, str], reader: ItemReader) -> None:
    """Give the entries of one mode their ids; those never shown keep none."""
    for entry in survey.nameless:
        fresh = bound.get(entry)
        if fresh is not None:
            entry.item = reader.with_id(entry.item, fresh)


def bound_fresh_ids(survey: Survey, bound: Mapping[Entry, str]) -> FreshIds:
    """Give a source of ids that hands the model those that the subject gave."""
    otherwise = seeded_fresh_ids(0)
    given = iter([bound.get(entry) for entry in survey.nameless])

    def fresh_id(prefix: str) -> str:
        fresh = next(given, None)
        if fresh is None or not fresh.startswith(f"{prefix}_"):
            return otherwise(prefix)
        return fresh

    return fresh_id
