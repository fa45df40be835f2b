"""Readers: transcripts with a cursor, and what was handed out earlier (SPEC 5)."""

from __future__ import annotations

from zoo.values import Envelope, History, Json, Object, RefusalError
from zoo.wire import Wire


class Reading(Wire):
    """Shows a history to readers; every underscored method is a place where a fault may sit."""

    def _transcript(self, history: History, cursor: Json) -> Object:
        count = len(self._read_entries(history))
        current = {"history_version": history.version, "entry_count": count}
        seen = self._seen(history, self._read_cursor(cursor), count)
        return {**self._shown(history, seen), "cursor": current}

    def _shown(self, history: History, seen: int | None) -> Object:
        if seen is None:
            return {"kind": "full", "entries": self._read_entries(history)}
        return {"kind": "delta", "entries": self._read_entries(history)[seen:]}

    def _read_entries(self, history: History) -> list[Object]:
        return [self._write_item_of(one) for one in history.envelopes]

    def _seen(self, history: History, cursor: tuple[int, int] | None, count: int) -> int | None:
        if cursor is None:
            return None
        version, seen = cursor
        return seen if self._is_current(version, history) and self._is_within(seen, count) else None

    def _is_current(self, version: int, history: History) -> bool:
        return version == history.version

    def _is_within(self, seen: int, count: int) -> bool:
        return seen <= count

    def _read_cursor(self, value: Json) -> tuple[int, int] | None:
        if value is None:
            return None
        if not isinstance(value, dict):
            raise RefusalError("a cursor is an object or null")
        return (
            self._read_count(value.get("history_version"), "history_version"),
            self._read_count(value.get("entry_count"), "entry_count"),
        )

    def _write_item_of(self, envelope: Envelope) -> Object:
        return self._write_item(envelope.item)

    def _write_envelope(self, envelope: Envelope) -> Object:
        item = self._write_item_of(envelope)
        written: Object = {"item": item, "metadata": envelope.metadata}
        if envelope.success is not None:
            written["success"] = envelope.success
        return written
