"""Readers that come back for what is new (SPEC 5, CUR)."""

from typing import Any, NamedTuple

from faults import fault

from history.items import Item


class Cursor(NamedTuple):
    """How far a reader got: the version it saw, and the number of entries."""

    history_version: int
    entry_count: int


def read_since(items: list[Item], version: int, cursor: Cursor | None) -> dict[str, Any]:
    """Give a reader the later entries, or all of them (CUR-1, CUR-2)."""
    is_delta = cursor is not None and (
        (cursor.history_version == version or fault("delta-after-replace"))
        and cursor.entry_count <= len(items)
    )
    seen = cursor.entry_count if cursor is not None and is_delta else 0
    return {
        "kind": "delta" if is_delta else "full",
        "entries": items[seen:],
        "cursor": Cursor(version, len(items))._asdict(),
    }
