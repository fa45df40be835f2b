"""CUR-1 to CUR-4: what a reader with or without a cursor gets, where the entries are the items.

Entries that are rendered otherwise are judged by what the reads report (`rendered`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from contextcert.properties.checks.check import Check, Finding
from contextcert.properties.checks.looking import Looks, Seen
from contextcert.properties.checks.reader import entry_count, is_current, spoken_of
from contextcert.properties.checks.relation import Counts, exercised
from contextcert.properties.checks.rendered import Transcripts
from contextcert.properties.ledger import TRANSCRIPT, Look, State
from contextcert.refmodel.json_value import Json, JsonObject


def read(looks: Looks, counts: Counts) -> Iterator[Finding]:
    """Judge every read of a transcript."""
    rendered = Transcripts()
    for seen in looks.at(TRANSCRIPT):
        if seen.sight.coarse_transcript:
            yield from rendered.read(seen, counts)
        else:
            yield from _read_items(seen, counts)


def _read_items(seen: Seen, counts: Counts) -> Iterator[Finding]:
    look, history = seen.look, seen.look.state.history
    if history.entries is None or history.base is not None:
        return
    wanted = _wanted(look, [seen.sight.item(one.item.form) for one in history.entries])
    given = seen.shown if isinstance(seen.shown, dict) else {}
    broken = list(_broken(look, wanted, given, seen.sight.without_hidden(given.get("entries"))))
    if broken and (clause := _spoilt(seen, given)) is not None:
        broken = [(clause, "a read does not show the history that was there")]
    for clause, message in broken:
        yield seen.broke(clause, message, wanted)
    if not broken:
        for clause in _clauses(look):
            exercised(counts, clause, seen.mode)


def _spoilt(seen: Seen, given: JsonObject) -> str | None:
    """Name the clause by which a read shows another history than its reader must see.

    It is MODE-8 where the version rose, and a projection panicked before, and SNAP-3 where what
    was cloned is what the handle had before.
    """
    cursor, look = given.get("cursor"), seen.look
    if not isinstance(cursor, dict):
        return None
    version = cursor.get("history_version")
    if seen.panicked and version != look.state.version:
        return "MODE-8"
    if _is_mixed(seen, given.get("entries")):
        return "SNAP-1"
    clones = [event.before for event in look.events if event.kind == "clone"]
    if any(_pair(one) == cursor != _pair(look.state) for one in clones):
        return "SNAP-3"
    return None


def _is_mixed(seen: Seen, entries: Json) -> bool:
    """Say whether a read gives what is in a clone or its original alone."""
    look = seen.look
    states = [look.start, look.state]
    for event in look.events:
        if event.kind != "foreign":
            states += [event.before, event.after]
    own = {id(entry): entry for state in states for entry in state.history.entries or ()}
    forms = [entry.item.form for entry in own.values()]
    theirs = [entry for state in look.kin for entry in state.history.entries or ()]
    return any(
        id(entry) not in own and entry.item.form not in forms and entry.item.form in entries
        for entry in theirs
        if isinstance(entries, list)
    )


def _pair(state: State) -> JsonObject:
    entries = state.history.entries
    return {"history_version": state.version, "entry_count": len(entries or ())}


def _wanted(look: Look, entries: list[Json]) -> JsonObject:
    kind = "delta" if _is_current(look) else "full"
    seen = entry_count(look.cursor) if kind == "delta" else 0
    current: JsonObject = {"history_version": look.state.version, "entry_count": len(entries)}
    return {"kind": kind, "entries": entries[seen:], "cursor": current}


def _is_current(look: Look) -> bool:
    return is_current(look, len(look.state.history.entries or ()))


def _broken(
    look: Look, wanted: JsonObject, given: JsonObject, entries: Json
) -> Iterator[tuple[str, str]]:
    if given.get("kind") != wanted["kind"]:
        yield "CUR-2" if look.cursor is None else "CUR-1", f"a read is not {wanted['kind']}"
        if "CUR-3" in _clauses(look):
            yield "CUR-3", f"a read is not {wanted['kind']} after what came before it"
        return
    if given.get("cursor") != wanted["cursor"]:
        yield "CUR-2", "the new cursor is not the current pair"
    if entries != wanted["entries"]:
        if wanted["kind"] == "full":
            yield "CUR-2", "a full read does not give every entry"
            return
        yield "CUR-1", "a delta does not give the later entries"
        if _follows(look):
            yield "CUR-4", "what was read does not add up to the full transcript"


def _clauses(look: Look) -> list[str]:
    return spoken_of(look, current=_is_current(look), follows=_follows(look))


def _follows(look: Look) -> bool:
    """Say whether the cursor is the one that the last read gave."""
    return look.cursor is not None and look.cursor == look.last_cursor


CURSOR: Final[Mapping[str, Check]] = {
    clause: Check(clause) for clause in ("CUR-1", "CUR-2", "CUR-3", "CUR-4")
}
"""The checks, by clause."""
