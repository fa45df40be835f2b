"""What SPEC 6 warns of in a real history, and its anomalies, for an audit."""

from __future__ import annotations

import base64
import binascii
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from contextcert.properties.equality import Sight
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.item_facts import ID_PREFIX, ItemFacts, ItemReader
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import DEFAULT_EDITION, Edition

_CLAUSES: Final[Mapping[str, str]] = {
    "custom_tool_call": "PAIR-3",
    "local_shell_call": "PAIR-4",
    "function_call_output": "ORPH-1",
    "custom_tool_call_output": "ORPH-2",
    "tool_search_output": "ORPH-5",
}

_FAMILY: Final[Mapping[str, str]] = {
    "function_call_output": "function_call",
    "custom_tool_call_output": "custom_tool_call",
    "tool_search_output": "tool_search_call",
}


@frozen
class Hazard:
    """Something allowed and worth a warning: its id, the items it is about, and a sentence."""

    id: str
    items: tuple[int, ...]
    message: str


@frozen
class NamedAnomaly:
    """What would make debug panic: the clause, the item, and the message."""

    clause: str
    item: int
    message: str


def hazards(items: Sequence[Json], *, edition: Edition = DEFAULT_EDITION) -> list[Hazard]:
    """List the hazards of one list of items, by id, then by place; HAZ-11 needs two reads.

    Items that cannot be read are passed over.
    """
    facts, numbers = _facts(items, edition)
    found = [*_pairs(facts), *_ids(facts), *_payloads(facts)]
    renumbered = [
        Hazard(one.id, tuple(numbers[place] for place in one.items), one.message) for one in found
    ]
    return sorted(renumbered, key=lambda one: (int(one.id.partition("-")[2]), one.items))


def anomalies(items: Sequence[Json], *, edition: Edition = DEFAULT_EDITION) -> list[NamedAnomaly]:
    """List the anomalies of one list of items in the order of MODE-6, with their clauses."""
    facts, numbers = _facts(items, edition)
    return [
        NamedAnomaly(_CLAUSES[facts.items[one.place].type], numbers[one.place], one.message)
        for one in facts.anomalies
    ]


def _facts(items: Sequence[Json], edition: Edition) -> tuple[HistoryFacts, list[int]]:
    reader = ItemReader(edition, Sight())
    read = [(number, reader.read(item)) for number, item in enumerate(items)]
    known = [(number, item) for number, item in read if item is not None]
    return HistoryFacts.of([item for _, item in known]), [number for number, _ in known]


def _pairs(facts: HistoryFacts) -> Iterator[Hazard]:
    for (output_type, call_id), calls in facts.calls.items():
        yield from _calls_of(facts, call_id, calls)
        outputs = facts.outputs.get((output_type, call_id), [])
        if len(outputs) > 1:
            yield Hazard("HAZ-2", tuple(outputs), f"several outputs answer call id {call_id!r}")
        if outputs:
            yield from _distances(calls, outputs, call_id)
    yield from _left_alone(facts)
    yield from _across_families(facts)


def _calls_of(facts: HistoryFacts, call_id: str, calls: Sequence[int]) -> Iterator[Hazard]:
    by_type: dict[str, list[int]] = defaultdict(list)
    for place in calls:
        by_type[facts.items[place].type].append(place)
    for call_type, places in by_type.items():
        if len(places) > 1:
            yield Hazard("HAZ-1", tuple(places), f"{call_type} items share call id {call_id!r}")


def _distances(calls: Sequence[int], outputs: Sequence[int], call_id: str) -> Iterator[Hazard]:
    for output in outputs:
        before = [call for call in calls if call < output]
        if not before:
            message = f"an output stands before its call {call_id!r}"
            yield Hazard("HAZ-3", (output, calls[0]), message)
    for call in calls:
        after = [output for output in outputs if output > call]
        if after and after[0] - call > 1:
            message = f"other items stand between call {call_id!r} and its output"
            yield Hazard("HAZ-4", (call, after[0]), message)


def _left_alone(facts: HistoryFacts) -> Iterator[Hazard]:
    """Find calls and outputs that stand alone, as rollback or head removal leaves them."""
    for place in sorted({*facts.unanswered, *facts.orphans}):
        item = facts.items[place]
        what = "an output without its call" if item.answers else "a call without an output"
        yield Hazard("HAZ-9", (place,), f"{what}: call id {item.call_id!r}")


def _across_families(facts: HistoryFacts) -> Iterator[Hazard]:
    families: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for place, item in enumerate(facts.items):
        if item.call_id is not None:
            for family in _families(facts, item):
                families[item.call_id].setdefault(family, []).append(place)
    for call_id, by_family in families.items():
        if len(by_family) > 1:
            places = sorted({place for one in by_family.values() for place in one})
            yield Hazard("HAZ-5", tuple(places), f"several families use call id {call_id!r}")


def _families(facts: HistoryFacts, item: ItemFacts) -> set[str]:
    """Name the families an item belongs to by the types of call; an output follows its calls."""
    if item.answers is None:
        return {item.type}
    calls = facts.calls.get((item.answers, item.call_id or ""), ())
    return {facts.items[call].type for call in calls} or {_FAMILY[item.answers]}


def _ids(facts: HistoryFacts) -> Iterator[Hazard]:
    by_id: dict[str, list[int]] = defaultdict(list)
    for place, item in enumerate(facts.items):
        if item.call_id == "":
            yield Hazard("HAZ-6", (place,), "the call id is empty")
        if item.id == "":
            yield Hazard("HAZ-6", (place,), "the item id is empty")
        elif item.id is not None:
            by_id[item.id].append(place)
            if not _usual(item):
                yield Hazard("HAZ-7", (place,), f"item id {item.id!r} lacks the usual prefix")
    for item_id, places in by_id.items():
        if len(places) > 1:
            yield Hazard("HAZ-10", tuple(places), f"items share the id {item_id!r}")


def _usual(item: ItemFacts) -> bool:
    prefix = ID_PREFIX.get(item.type)
    return prefix is None or str(item.id).startswith(f"{prefix}_")


def _payloads(facts: HistoryFacts) -> Iterator[Hazard]:
    for place in sorted({*facts.images, *facts.audios}):
        item = facts.items[place]
        assert item.body is not None
        entries = item.form[item.body]
        assert isinstance(entries, list)
        for index in (*item.images, *item.audios):
            entry = entries[index]
            assert isinstance(entry, dict)
            if not _decodes(entry):
                yield Hazard("HAZ-8", (place,), f"media entry {index} cannot be decoded")


_SIGNATURES: Final = (
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF8",
    b"RIFF",
    b"ID3",
    b"OggS",
    b"fLaC",
    b"\xff\xfb",
    b"\xff\xf3",
    b"\xff\xf1",
)
"""How PNG, JPEG, GIF, WebP and WAV, MP3, Ogg, FLAC and AAC begin."""


def _decodes(entry: JsonObject) -> bool:
    """Say whether a data URL holds base64 that begins like media; other URLs are not judged."""
    url = str(entry.get("image_url", entry.get("audio_url")))
    if url[:5].lower() != "data:":
        return True
    head, comma, payload = url.partition(",")
    if not comma or not head.lower().endswith(";base64"):
        return False
    try:
        start = base64.b64decode(payload, validate=True)
    except (binascii.Error, ValueError):
        return False
    return start.startswith(_SIGNATURES)
