"""Reading the binary's log for what it reported about a history."""

from __future__ import annotations

import pytest

from contextcert.adapters.codex.diagnostics import (
    escaped_call_ids,
    joined_report,
    messages_in,
    parted,
    with_call_ids,
)

PLAIN = "2026-12-01T03:31:01.285048Z ERROR codex_core::util: "
COLOURED = (
    "\x1b[2m2026-12-01T03:31:01.285048Z\x1b[0m \x1b[31mERROR\x1b[0m "
    "\x1b[2mcodex_core::util\x1b[0m\x1b[2m:\x1b[0m "
)


@pytest.mark.parametrize("start", [PLAIN, COLOURED])
def test_a_message_ends_where_the_next_entry_begins(start: str) -> None:
    """A call_id may hold a line feed, and may be empty."""
    log = f"{start}one for call id: a\nb\n{start}two for call id: \n"
    assert messages_in(log) == ["one for call id: a\nb", "two for call id: "]


def test_other_entries_are_not_about_histories() -> None:
    """Another part of the binary, or another level, says nothing of an anomaly."""
    other = PLAIN.replace("util", "compact")
    lower = PLAIN.replace("ERROR", " WARN")
    assert messages_in(f"WARNING: x\n{other}y\n{lower}z\n{PLAIN}w\n") == ["w"]


def test_call_ids_are_read_back_from_their_escaped_form() -> None:
    """The log shows some control characters as text, and the history knows what they were."""
    items = [{"call_id": "c\x1b[31m2"}, {"call_id": "\x07\x85"}, {"call_id": "plain"}, "text"]
    escaped = escaped_call_ids(items)
    told = [f"x for call id: {one}" for one in ("c\\x1b[31m2", "\\x07\\u{85}", "plain")]
    assert with_call_ids(told, escaped) == [
        "x for call id: c\x1b[31m2",
        "x for call id: \x07\x85",
        "x for call id: plain",
    ]


def test_a_call_id_that_looks_escaped_stays_as_it_is() -> None:
    """Where both are in a history, the log cannot tell them apart, and nothing is guessed."""
    items = [{"call_id": "\x07"}, {"call_id": "\\x07"}]
    assert with_call_ids(["x for call id: \\x07"], escaped_call_ids(items)) == [
        "x for call id: \\x07"
    ]


def test_a_message_is_what_it_says_and_whom_about() -> None:
    """The call_id may hold the very words before it."""
    message = "a for call id: b for call id: "
    assert parted(message) == ("a", "b for call id: ")
    assert joined_report(*parted(message)) == message
