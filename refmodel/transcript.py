"""What a reader with a cursor gets: a delta or the full transcript (CUR-1 to CUR-4)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from contextcert.refmodel.json_value import Json, JsonObject


@frozen
class Cursor:
    """How far a reader has come: the version it read, and how many entries it saw (CUR-1)."""

    history_version: int
    entry_count: int

    @classmethod
    def from_json(cls, value: Json) -> Cursor:
        """Read `{"history_version": n, "entry_count": n}`.

        Raises:
            ValueError: a field is missing or no count; the message names it.
        """
        if not isinstance(value, dict):
            raise ValueError("cursor must be null or an object")
        return cls(_count(value, "history_version"), _count(value, "entry_count"))

    def to_json(self) -> JsonObject:
        """Write the cursor as it is read."""
        return {"history_version": self.history_version, "entry_count": self.entry_count}


@frozen
class TranscriptRead:
    """What one read gave: the entries, whether they are all there are, and the new cursor."""

    kind: str
    """`full` or `delta`."""
    entries: Sequence[Json]
    cursor: Cursor

    def to_json(self) -> JsonObject:
        """Write `{"kind", "entries", "cursor"}`."""
        return {"kind": self.kind, "entries": list(self.entries), "cursor": self.cursor.to_json()}


def read_transcript(version: int, entries: Sequence[Json], cursor: Cursor | None) -> TranscriptRead:
    """Read the entries as of a version of the history.

    A cursor of the same version that has seen no more than there is gets the later entries
    (CUR-1); every other reader gets all of them. Both get the current pair (CUR-2).
    """
    current = Cursor(version, len(entries))
    if (
        cursor is not None
        and cursor.history_version == version
        and cursor.entry_count <= len(entries)
    ):
        return TranscriptRead("delta", entries[cursor.entry_count :], current)
    return TranscriptRead("full", entries, current)


def _count(cursor: JsonObject, name: str) -> int:
    count = cursor.get(name)
    if type(count) is not int or count < 0:
        raise ValueError(f"cursor.{name} must be an integer of at least 0")
    return count
