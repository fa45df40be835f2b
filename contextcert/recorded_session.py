"""A session file that Codex recorded, or a plain file of items, read without trusting it.

A session file has one JSON object a line: `{"type": "response_item", "payload": ITEM}` records an
item, `compacted` replaces the history, and an `event_msg` of type `thread_rolled_back` drops turns.
A plain file has one item a line. Whatever else a line says is left alone.

Outputs are kept whole in a file and cut in prompts. How they are cut is told beside each of them
(since 0.160.0), for each turn (`turn_context.truncation_policy`, until 0.121.0), or not at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import takewhile
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
from contextcert.refmodel.fragments import (
    is_contextual_developer_message,
    is_contextual_user_message,
)
from contextcert.refmodel.items import (
    CustomToolCallOutput,
    FunctionCallOutput,
    InputText,
    Message,
)
from contextcert.refmodel.recording import recorded
from contextcert.refmodel.rollback import roll_back

EDITION: Final = Edition.NOVEMBER_2026
"""By which items are read: it takes all that the older edition takes."""

_KINDS_OF_ITEM: Final = frozenset({"other", "compaction_summary", *ITEM_TYPES})
_LINE: Final = "line"


@frozen
class Recorded:
    """An item that came in, and the policy its output was cut by, as far as that is known.

    `cut_by` is the edition that says how: releases before 0.160.0 have the markers of the first.
    """

    line: int
    item: Item
    policy: TruncationPolicy | None = None
    cut_by: Edition = EDITION


@frozen
class Replaced:
    """The history became these items (REPL-1)."""

    line: int
    items: tuple[Item, ...]


@frozen
class Compacted:
    """Older releases write down the summary alone, and not what the history became."""

    line: int
    summary: str


@frozen
class RolledBack:
    """The last turns were dropped (ROLL)."""

    line: int
    turns: int


Entry: TypeAlias = "Recorded | Replaced | Compacted | RolledBack"


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

    @property
    def uncut(self) -> tuple[int, ...]:
        """The lines of long outputs of which the file does not say how they were cut."""
        return tuple(
            one.line for one in self.entries if isinstance(one, Recorded) and _is_uncut(one)
        )

    def envelopes(self) -> tuple[Envelope, ...]:
        """Play the entries, and give the history as it stood at the end."""
        envelopes: list[Envelope] = []
        for entry in self.entries:
            match entry:
                case Recorded():
                    envelopes += _recorded(entry)
                case Replaced(line, items):
                    envelopes = [_on_line(item, line) for item in items]
                case Compacted():
                    envelopes = _compacted(envelopes, entry)
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


def read_session(lines: Iterable[bytes], usual: TruncationPolicy | None = None) -> RecordedSession:
    """Read the lines of a file, numbered from 1; nothing in them is an error of the whole.

    `usual` is the policy that outputs were cut by where the file does not say so.
    """
    reader = _Reader(usual)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            reader.take(number, line)
    return RecordedSession(tuple(reader.entries), tuple(reader.skipped), dict(reader.ignored))


class _Unusable(Exception):  # noqa: N818 -- reads as what happened
    """A line cannot be used; the message says why."""


@define
class _Reader:
    """What was read so far; `cut_by` and `policy` are what later lines are to be read by."""

    policy: TruncationPolicy | None = None
    cut_by: Edition = EDITION
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
                yield self._recorded(number, _object(payload), _own_policy(line))
            case "compacted":
                yield _compaction(number, _object(payload))
            case "event_msg" if _object(payload).get("type") == "thread_rolled_back":
                yield RolledBack(number, _turns(_object(payload)))
            case _ if "payload" not in line and kind in _KINDS_OF_ITEM:
                yield self._recorded(number, line, None)
            case _:
                self.ignored["of no type" if kind == "None" else kind] += 1
                self._learn(kind, payload)

    def _recorded(self, number: int, item: JsonObject, policy: TruncationPolicy | None) -> Recorded:
        """Take an item; a policy that stands beside it is one of the newer releases."""
        read = read_item(item, EDITION)
        if policy is not None:
            return Recorded(number, read, policy)
        return Recorded(number, read, self.policy, self.cut_by)

    def _learn(self, kind: str, payload: Json) -> None:
        """Note what a line says about those that follow."""
        if not isinstance(payload, dict):
            return
        if kind == "session_meta" and _is_before(payload.get("cli_version"), _TOKEN_MARKERS_SINCE):
            self.cut_by = Edition.AUGUST_2026
        if kind == "turn_context" and "truncation_policy" in payload:
            with suppress(ValueError):
                self.policy = TruncationPolicy.from_json(payload["truncation_policy"])


_TOKEN_MARKERS_SINCE: Final = (0, 160)
_VERSION: Final = re.compile(r"(\d{1,6})\.(\d{1,6})\.", re.ASCII)


def _is_before(version: Json, release: tuple[int, int]) -> bool:
    found = _VERSION.match(version) if isinstance(version, str) else None
    return found is not None and (int(found[1]), int(found[2])) < release


def _object(value: Json) -> JsonObject:
    if not isinstance(value, dict):
        raise _Unusable("this is no JSON object")
    return value


def _compaction(number: int, payload: JsonObject) -> Entry:
    items = payload.get("replacement_history")
    if isinstance(items, list):
        return Replaced(number, tuple(read_items(items, EDITION)))
    message = payload.get("message")
    if not isinstance(message, str):
        raise _Unusable(
            "this compaction does not say what the history became; it goes on as it was"
        )
    return Compacted(number, message)


def _turns(payload: JsonObject) -> int:
    turns = payload.get("num_turns")
    if isinstance(turns, bool) or not isinstance(turns, int) or turns < 0:
        raise _Unusable("num_turns is a number of turns, zero or more")
    return turns


def _own_policy(line: JsonObject) -> TruncationPolicy | None:
    """Read the limit that stands beside an output, which is the enlarged one (TRUNC-1)."""
    metadata = line.get("metadata")
    limit = metadata.get("fallback_token_limit_override") if isinstance(metadata, dict) else None
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
        return None
    return TruncationPolicy.from_json({"mode": "tokens", "limit": limit * 5 // 6})


def _recorded(entry: Recorded) -> list[Envelope]:
    """Record one item: files keep outputs whole, and a prompt shows them cut."""
    cut = recorded([_on_line(entry.item, entry.line)], entry.policy, entry.cut_by)
    if entry.cut_by is EDITION:
        return cut
    return recorded(cut, None, EDITION)


def _is_uncut(entry: Recorded) -> bool:
    if entry.policy is not None or not isinstance(entry.item, _CUT):
        return False
    body = entry.item.output
    texts = [body] if isinstance(body, str) else [getattr(one, "text", "") for one in body]
    return sum(len(one.encode()) for one in texts) > _LONG_BYTES


_CUT: Final = (FunctionCallOutput, CustomToolCallOutput)
_LONG_BYTES: Final = 12_000
"""What the smallest of the usual policies, 10,000 bytes, leaves whole."""


def _compacted(envelopes: list[Envelope], entry: Compacted) -> list[Envelope]:
    """Reckon what a compaction of an older release left.

    That is the session's first context, the user's messages as far as they fit, and the summary.
    """
    start = takewhile(lambda one: _told_by_user(one.item) is None, envelopes)
    context = [
        one
        for one in start
        if is_contextual_user_message(one.item) or is_contextual_developer_message(one.item)
    ]
    kept: list[Envelope] = []
    left = _KEPT_CHARACTERS
    for one in reversed(envelopes):
        told = _told_by_user(one.item)
        if told is None or told.split("\n")[0] == entry.summary.split("\n")[0]:
            continue
        left -= len(told)
        if left < 0:
            break
        kept.insert(0, _on_line(_user_message(told), line_of(one)))
    return [*context, *kept, _on_line(_user_message(entry.summary), entry.line)]


_KEPT_CHARACTERS: Final = 80_000


def _told_by_user(item: Item) -> str | None:
    """Give what a person said in a message, or None where it is no such message."""
    if not isinstance(item, Message) or item.role != "user" or is_contextual_user_message(item):
        return None
    return "\n".join(one.text for one in item.content if isinstance(one, InputText))


def _user_message(text: str) -> Item:
    return Message(role="user", content=(InputText(text),))


def _on_line(item: Item, line: int) -> Envelope:
    return Envelope(item, metadata={_LINE: line})
