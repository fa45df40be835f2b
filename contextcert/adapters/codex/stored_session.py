"""Session files, written by hand, that the binary reads back: what it replays is a history's life.

The binary adds no ids to what it reads. A line `thread_rolled_back` drops instruction turns of what
stands before it, a line `compacted` replaces it.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from attrs import define, field

from contextcert.adapters.codex.app_server import AppServer, Thread
from contextcert.adapters.codex.home import PROVIDER
from contextcert.protocol.json_codec import decode, encode
from contextcert.refmodel.json_value import Json, JsonObject

# The binary wants times; none of them ever reaches a prompt.
_TIME: Final = "2026-01-01T00:00:00.000Z"
_ITEM: Final = "response_item"
_PASSTHROUGH: Final = "internal_chat_message_metadata_passthrough"
_TURN_OF_NONE: Final = re.compile(r"auto-compact-\d+")
"""The turn that the binary makes up for items that are recorded between turns."""

_KEPT_METADATA: Final = "fallback_token_limit_override"
"""The budget an output was cut to when it was recorded, so that it is cut to the same again."""


@define
class StoredHistory:
    """The lines of a session file that hold a history's life so far."""

    _lines: list[bytes] = field(factory=list)
    _replaced: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing has happened yet."""
        return not self._lines

    def add(self, items: Iterable[Json]) -> None:
        """Add items that are read back as they are."""
        self._lines += [_line(_ITEM, item) for item in items]

    def add_kept(self, log: bytes) -> None:
        """Add what the binary kept of items that it recorded: lines of a session file of its own.

        Items that are recorded between turns are kept with a turn that they were not given; that
        is left out, for rollback asks who shares a turn (ROLL-9).
        """
        for line in log.splitlines():
            entry = decode(line)
            if isinstance(entry, dict) and entry.get("type") == _ITEM:
                self._lines.append(_line(_ITEM, _as_given(entry["payload"]), **_budget_of(entry)))

    def roll_back(self, turns: int) -> None:
        """Drop instruction turns.

        A rollback is also taken to undo a replacement, unless as many turns were begun after it as
        are dropped. Turns that hold nothing are begun for that; what is dropped is decided by the
        items alone.
        """
        if self._replaced:
            for _ in range(turns):
                self._lines += _turn_without_items()
        self._lines.append(_event("thread_rolled_back", num_turns=turns))

    def replace(self, items: Sequence[Json]) -> None:
        """Start over with these items."""
        replacement: JsonObject = {"message": "", "replacement_history": list(items)}
        self._lines = [_line("compacted", replacement)]
        self._replaced = True

    def resume(self, server: AppServer, model: str) -> Thread:
        """Have the binary read it.

        Raises:
            BinaryRefusal: it does not read the file.
        """
        return server.resume_thread(*self.write(server.home), model)

    def write(self, folder: Path) -> tuple[str, Path]:
        """Write a session file into the folder; give its thread id and its path."""
        thread = str(uuid.uuid4())
        meta: JsonObject = {
            "id": thread,
            "timestamp": _TIME,
            "cwd": str(folder),
            "originator": "contextcert",
            "source": "vscode",
            "cli_version": "0.0.0",
            "model_provider": PROVIDER,
        }
        path = folder / f"stored-{thread}.jsonl"
        path.write_bytes(b"".join([_line("session_meta", meta), *self._lines]))
        return thread, path


def _line(kind: str, payload: Json, **about: Json) -> bytes:
    return encode({"timestamp": _TIME, "type": kind, "payload": payload, **about}) + b"\n"


def _event(kind: str, **about: Json) -> bytes:
    return _line("event_msg", {"type": kind, **about})


def _turn_without_items() -> list[bytes]:
    turn = str(uuid.uuid4())
    return [
        _event("task_started", turn_id=turn, model_context_window=None),
        _event("user_message", message="", images=[], local_images=[], text_elements=[]),
        _event("task_complete", turn_id=turn, last_agent_message=None),
    ]


def _as_given(item: Json) -> Json:
    """Leave out the turn that the binary made up, and what else it noted with it."""
    meta = item.get(_PASSTHROUGH) if isinstance(item, dict) else None
    if not isinstance(item, dict) or not isinstance(meta, dict):
        return item
    if not _TURN_OF_NONE.fullmatch(str(meta.get("turn_id"))):
        return item
    return {name: value for name, value in item.items() if name != _PASSTHROUGH}


def _budget_of(entry: JsonObject) -> JsonObject:
    metadata = entry.get("metadata")
    budget = metadata.get(_KEPT_METADATA) if isinstance(metadata, dict) else None
    return {} if budget is None else {"metadata": {_KEPT_METADATA: budget}}
