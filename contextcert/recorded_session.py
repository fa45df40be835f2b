"""A session file that Codex recorded, or a plain file of items, read without trusting it.

A session file has one JSON object a line: `{"type": "response_item", "payload": ITEM}` records an
item, `compacted` replaces the history, and an `event_msg` of type `thread_rolled_back` drops turns.
A plain file has one item a line. Whatever else a line says is left alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from attrs import define, field, frozen

from contextcert.protocol.json_codec import JsonError, decode
from contextcert.refmodel import (
    ITEM_TYPES,
    Edition,
    Envelope,
    Item,
    ItemError,
    Json,
    JsonObject,
    TruncationPolicy,
    read_item,
    read_items,
)
from contextcert.refmodel.recording import recorded
from contextcert.refmodel.rollback import roll_back

EDITION: Final = Edition.NOVEMBER_2026
"""By which items are read: it takes all that the older edition takes."""

_KINDS_OF_ITEM: Final = frozenset({"other", "compaction_summary", *ITEM_TYPES})
_LINE: Final = "line"


@frozen
class Recorded:
    """An item that came in; `token_limit` is the enlarged limit (TRUNC-1) its output was cut to."""

    line: int
    item: Item
    token_limit: int | None = None


@frozen
class Replaced:
    """The history became these items (REPL-1)."""

    line: int
    items: tuple[Item, ...]


@frozen
class RolledBack:
    """The last turns were dropped (ROLL)."""

    line: int
    turns: int


Entry: TypeAlias = "Recorded | Replaced | RolledBack"


@frozen
class Skipped:
    """A line that could not be used, and why."""

    line: int
    reason: str


@frozen
class RecordedSession:
    """What a file holds: entries in order, lines that were skipped, and kinds left alone."""

    entries: tuple[Entry, ...]
    skipped: tuple[Skipped, ...]
    ignored: Mapping[str, int]

    def envelopes(self) -> tuple[Envelope, ...]:
        """Play the entries, and give the history as it stood at the end."""
        envelopes: list[Envelope] = []
        for entry in self.entries:
            match entry:
                case Recorded():
                    envelopes += _recorded(entry)
                case Replaced(line, items):
                    envelopes = [_on_line(item, line) for item in items]
                case RolledBack(_, 0):
                    pass  # ROLL-1
                case RolledBack(_, turns):
                    envelopes = list(roll_back(envelopes, turns).envelopes)
        return tuple(envelopes)


def line_of(envelope: Envelope) -> int:
    """Give the line that an envelope of a recorded session came from."""
    assert envelope.metadata is not None
    line = envelope.metadata[_LINE]
    assert isinstance(line, int)
    return line


def read_session(lines: Iterable[bytes]) -> RecordedSession:
    """Read the lines of a file, numbered from 1; nothing in them is an error of the whole."""
    reader = _Reader()
    for number, line in enumerate(lines, start=1):
        if line.strip():
            reader.take(number, line)
    return RecordedSession(tuple(reader.entries), tuple(reader.skipped), dict(reader.ignored))


class _Unusable(Exception):  # noqa: N818 -- reads as what happened
    """A line cannot be used; the message says why."""


@define
class _Reader:
    """What was read so far."""

    entries: list[Entry] = field(factory=list)
    skipped: list[Skipped] = field(factory=list)
    ignored: Counter[str] = field(factory=Counter)

    def take(self, number: int, line: bytes) -> None:
        try:
            self.entries.extend(self._entries(number, _object(decode(line))))
        except (_Unusable, ItemError, JsonError) as error:
            self.skipped.append(Skipped(number, str(error)))

    def _entries(self, number: int, line: JsonObject) -> Iterator[Entry]:
        kind = str(line.get("type"))
        payload = line.get("payload")
        match kind:
            case "response_item":
                yield Recorded(number, read_item(_object(payload), EDITION), _token_limit(line))
            case "compacted":
                yield Replaced(number, tuple(read_items(_replacement(payload), EDITION)))
            case "event_msg" if _object(payload).get("type") == "thread_rolled_back":
                yield RolledBack(number, _turns(_object(payload)))
            case _ if "payload" not in line and kind in _KINDS_OF_ITEM:
                yield Recorded(number, read_item(line, EDITION))
            case _:
                self.ignored[kind] += 1


def _object(value: Json) -> JsonObject:
    if not isinstance(value, dict):
        raise _Unusable("this is no JSON object")
    return value


def _replacement(payload: Json) -> list[Json]:
    items = _object(payload).get("replacement_history")
    if not isinstance(items, list):
        raise _Unusable(
            "this compaction does not say what the history became; it goes on as it was"
        )
    return items


def _turns(payload: JsonObject) -> int:
    turns = payload.get("num_turns")
    if isinstance(turns, bool) or not isinstance(turns, int) or turns < 0:
        raise _Unusable("num_turns is a number of turns, zero or more")
    return turns


def _token_limit(line: JsonObject) -> int | None:
    metadata = line.get("metadata")
    limit = metadata.get("fallback_token_limit_override") if isinstance(metadata, dict) else None
    return limit if isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0 else None


def _recorded(entry: Recorded) -> list[Envelope]:
    """Record one item: files keep outputs whole, and a prompt shows them cut."""
    policy = None
    if entry.token_limit is not None:
        policy = TruncationPolicy.from_json({"mode": "tokens", "limit": entry.token_limit * 5 // 6})
    return recorded([_on_line(entry.item, entry.line)], policy, EDITION)


def _on_line(item: Item, line: int) -> Envelope:
    return Envelope(item, metadata={_LINE: line})
