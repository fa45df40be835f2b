"""CUR-1 to CUR-4 where entries are rendered, not items (the capability `coarse_transcript`).

How many entries there are only the subject can tell, so every read is held against the count that
it reports itself, and against what earlier reads of the same history showed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import define, field, frozen

from contextcert.properties.checks.check import Finding
from contextcert.properties.checks.looking import Seen
from contextcert.properties.checks.reader import entry_count, is_current, only_appended, spoken_of
from contextcert.properties.checks.relation import Counts, exercised
from contextcert.properties.equality import identical
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Mode

_CHANGES: Final = frozenset({"record", "restore", "remove", "rollback", "replace", "unclear"})


@frozen(eq=False)
class _Told:
    """What a read left a reader with; `entries` None where that is not the whole transcript."""

    cursor: JsonObject
    entries: list[Json] | None
    by_delta: bool


@frozen(eq=False)
class _Read:
    """One read, taken apart."""

    seen: Seen
    before: _Told | None
    kind: Json
    entries: list[Json]
    cursor: JsonObject
    count: int

    @property
    def current(self) -> bool:
        """Whether the reader had to get a delta (CUR-1)."""
        return is_current(self.seen.look, self.count)

    @property
    def follows(self) -> bool:
        """Whether the cursor is the one that the last read gave."""
        return self.before is not None and identical(self.seen.look.cursor, self.before.cursor)

    @property
    def skipped(self) -> int:
        """How many entries the reader had seen."""
        return entry_count(self.seen.look.cursor) if self.current else 0

    @property
    def known(self) -> list[Json] | None:
        """The entries that the transcript must begin with, as far as they are known."""
        appended = self.before is not None and only_appended(self.seen.look)
        return self.before.entries if self.before is not None and appended else None

    @property
    def whole(self) -> list[Json] | None:
        """The transcript, made up of what was known and what was read."""
        if not self.current:
            return self.entries
        known = self.known
        if known is None or self.skipped > len(known):
            return None
        return [*known[: self.skipped], *self.entries]

    @property
    def unchanged(self) -> bool:
        """Whether the items are still those of the last read."""
        return not any(event.kind in _CHANGES for event in self.seen.look.events)

    def clauses(self) -> list[str]:
        """Name what the read is about."""
        return spoken_of(self.seen.look, current=self.current, follows=self.follows)

    def broke(self, clause: str, message: str, **wanted: Json) -> Finding:
        """Report a violation; `wanted` is what the read should have given in its place."""
        given: JsonObject = {"kind": self.kind, "entries": self.entries, "cursor": self.cursor}
        return self.seen.broke(clause, message, {**given, **wanted})


@define(eq=False)
class Transcripts:
    """What the reads of one case have told of the transcripts."""

    _told: dict[tuple[Mode, int], _Told] = field(factory=dict)

    def read(self, seen: Seen, counts: Counts) -> Iterator[Finding]:
        """Judge one read; those before it were judged first."""
        one = self._taken_apart(seen)
        if one is None:
            return
        broken = list(_broken(one))
        yield from broken
        whole = None if broken else one.whole
        self._told[seen.mode, seen.look.operation] = _Told(one.cursor, whole, one.current)
        if not broken:
            for clause in one.clauses():
                exercised(counts, clause, seen.mode)

    def _taken_apart(self, seen: Seen) -> _Read | None:
        given = seen.shown
        if not isinstance(given, dict):
            return None
        entries, cursor = given.get("entries"), given.get("cursor")
        if not isinstance(entries, list) or not isinstance(cursor, dict):
            return None
        count = cursor.get("entry_count")
        if not isinstance(count, int):
            return None
        last = seen.look.last_read
        before = None if last is None else self._told.get((seen.mode, last))
        return _Read(seen, before, given.get("kind"), entries, cursor, count)


def _broken(one: _Read) -> Iterator[Finding]:
    kind = "delta" if one.current else "full"
    if one.kind != kind:
        clause = "CUR-2" if one.seen.look.cursor is None else "CUR-1"
        yield one.broke(clause, f"a read is not {kind}", kind=kind)
        if "CUR-3" in one.clauses():
            yield one.broke("CUR-3", f"a read is not {kind} after what came before it", kind=kind)
        return
    yield from _miscounted(one)
    yield from _contradicted(one)


def _miscounted(one: _Read) -> Iterator[Finding]:
    """Hold the new cursor against the version, and against the entries that were given."""
    total = one.skipped + len(one.entries)
    wanted: JsonObject = {"history_version": one.seen.look.state.version, "entry_count": total}
    if total < one.count and one.current:
        message = "a delta gives fewer entries than the counts of both cursors say"
        yield one.broke("CUR-1", message, cursor=wanted)
        if one.follows:
            message = "what was read does not add up to the full transcript"
            yield one.broke("CUR-4", message, cursor=wanted)
    elif not identical(one.cursor, wanted):
        yield one.broke("CUR-2", "the new cursor is not the current pair", cursor=wanted)


def _contradicted(one: _Read) -> Iterator[Finding]:
    """Hold the entries against those that earlier reads of the same history showed."""
    known, whole = one.known, one.whole
    if known is None or whole is None or _goes_on(known, whole, one):
        return
    wanted = [*known, *whole[len(known) :]] if not one.unchanged else known
    message = "what was read does not add up to the full transcript"
    if not one.current:
        by_delta = one.before is not None and one.before.by_delta
        yield one.broke("CUR-4" if by_delta else "CUR-2", message, entries=wanted)
        return
    message = "a delta does not give the later entries"
    yield one.broke("CUR-1", message, entries=wanted[one.skipped :])
    if one.follows:
        yield one.broke("CUR-4", message, entries=wanted[one.skipped :])


def _goes_on(known: list[Json], whole: list[Json], one: _Read) -> bool:
    begins_alike = identical(known, whole[: len(known)])
    return begins_alike and (len(whole) == len(known) or not one.unchanged)
