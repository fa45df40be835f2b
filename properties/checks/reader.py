"""What a read of a transcript is about: its cursor, and what came between (CUR-1 to CUR-4)."""

from __future__ import annotations

from typing import Final

from contextcert.properties.ledger import VERSION, Look
from contextcert.refmodel.json_value import Json

_REWRITES: Final = frozenset({"remove", "rollback", "replace", "unclear"})


def entry_count(cursor: Json) -> int:
    """Give how many entries a reader has seen, 0 without a cursor."""
    count = cursor["entry_count"] if isinstance(cursor, dict) else 0
    assert isinstance(count, int)
    return count


def is_current(look: Look, entries: int) -> bool:
    """Say whether the cursor of a read still fits a transcript of so many entries (CUR-1)."""
    cursor = look.cursor
    return (
        isinstance(cursor, dict)
        and cursor["history_version"] == look.state.version
        and entry_count(cursor) <= entries
    )


def only_appended(look: Look) -> bool:
    """Say whether nothing but appends came since the last read (CUR-3, CUR-4)."""
    return not any(event.kind in _REWRITES for event in look.events)


def spoken_of(look: Look, *, current: bool, follows: bool) -> list[str]:
    """Name the clauses that a read exercises; `follows` says that it goes on from the last one."""
    clauses = ["CUR-1"] if look.cursor is not None and current else ["CUR-2"]
    if look.cursor is not None and not current:
        clauses.append("CUR-1")
    if follows:
        if any(event.changes(VERSION) for event in look.events if event.kind != "foreign"):
            clauses.append("CUR-3")
        elif only_appended(look):
            clauses += ["CUR-3", "CUR-4"]
    return clauses
