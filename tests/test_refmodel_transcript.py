"""What a reader with a cursor gets (CUR-1 to CUR-4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextcert.refmodel.history import History
from contextcert.refmodel.items import Envelope, InputText, Message
from contextcert.refmodel.json_value import Json
from contextcert.refmodel.transcript import Cursor, read_transcript
from contextcert.refmodel.truncation import TruncationPolicy, Unit

ENTRIES: list[Json] = ["a", "b", "c"]


@pytest.mark.parametrize(
    ("cursor", "kind", "entries"),
    [
        (None, "full", ["a", "b", "c"]),
        (Cursor(7, 0), "delta", ["a", "b", "c"]),
        (Cursor(7, 1), "delta", ["b", "c"]),
        (Cursor(7, 3), "delta", []),
        (Cursor(7, 4), "full", ["a", "b", "c"]),
        (Cursor(6, 1), "full", ["a", "b", "c"]),
        (Cursor(8, 1), "full", ["a", "b", "c"]),
        (Cursor(7, 2**64), "full", ["a", "b", "c"]),
    ],
)
def test_a_cursor_of_the_same_version_and_no_more_entries_gets_a_delta(
    cursor: Cursor | None, kind: str, entries: list[Json]
) -> None:
    """CUR-1, CUR-2: every other reader starts over, and all get the current pair."""
    assert read_transcript(7, ENTRIES, cursor).to_json() == {
        "kind": kind,
        "entries": entries,
        "cursor": {"history_version": 7, "entry_count": 3},
    }


@given(st.lists(st.lists(st.integers(), max_size=4), max_size=6))
def test_deltas_add_up_to_the_full_transcript(batches: list[list[int]]) -> None:
    """CUR-4: after appends alone, what was handed out in parts is the whole."""
    entries: list[Json] = []
    seen: list[Json] = []
    cursor = None
    for batch in batches:
        entries = [*entries, *batch]
        read = read_transcript(0, entries, cursor)
        assert read.kind == ("full" if cursor is None else "delta")
        seen.extend(read.entries)
        cursor = read.cursor
    assert seen == entries


def appended(history: History) -> History:
    """Record one more message."""
    message = Message(role="user", content=(InputText("go"),))
    return history.record([Envelope(message)], TruncationPolicy(Unit.BYTES, 0))


@pytest.mark.parametrize(
    ("change", "kind", "count"),
    [
        (lambda history: history, "delta", 0),
        (appended, "delta", 1),
        (lambda history: appended(appended(history)), "delta", 2),
        (lambda history: history.roll_back(0), "delta", 0),
        (lambda history: history.roll_back(1), "full", 1),
        (lambda history: appended(history.roll_back(1)), "full", 2),
        (lambda history: history.replace(history.items), "full", 2),
        (History.remove_first, "full", 1),
        (lambda history: appended(history.remove_first()), "delta", 0),
    ],
)
def test_a_rewrite_makes_the_next_read_full(
    change: Callable[[History], History], kind: str, count: int
) -> None:
    """CUR-3, HAZ-11: appends give a delta; only a count, not a version, tells of head removal."""
    history = appended(appended(History()))
    read = change(history).read_transcript(history.read_transcript(None).cursor)
    assert (read.kind, len(read.entries)) == (kind, count)


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ([0, 0], "cursor"),
        ("", "cursor"),
        ({}, "cursor.history_version"),
        ({"history_version": 0}, "cursor.entry_count"),
        ({"history_version": -1, "entry_count": 0}, "cursor.history_version"),
        ({"history_version": True, "entry_count": 0}, "cursor.history_version"),
        ({"history_version": 0, "entry_count": 1.0}, "cursor.entry_count"),
        ({"history_version": 0, "entry_count": None}, "cursor.entry_count"),
    ],
)
def test_a_bad_cursor_is_refused_by_the_name_of_its_field(value: Json, named: str) -> None:
    """DESIGN 3: bad arguments are an error that says where to look."""
    with pytest.raises(ValueError, match=named):
        Cursor.from_json(value)


def test_a_cursor_reads_back_as_it_was_written() -> None:
    """CUR-2: what a reader is handed is what it hands back."""
    cursor = Cursor(3, 5)
    assert Cursor.from_json(cursor.to_json()) == cursor
