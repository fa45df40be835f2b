"""Auditing recorded sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextcert.audit import Audit, audit_file, audit_lines, render, to_json
from contextcert.refmodel import Json, JsonObject

RECORDED = Path(__file__).with_name("data") / "recorded_session.jsonl"
"""Recorded by release 0.171.0 and stripped of times, paths and settings."""


def user(text: str) -> JsonObject:
    """Give a user message."""
    content: list[Json] = [{"type": "input_text", "text": text}]
    return {"type": "message", "role": "user", "content": content}


def audited(*lines: object) -> Audit:
    """Audit lines given as JSON values or as raw text."""
    texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return audit_lines(texts, source="a file")


def item(payload: object, **more: object) -> dict[str, object]:
    """Give a line that records an item."""
    return {"type": "response_item", "payload": payload, **more}


def texts_of(audit: Audit) -> list[str]:
    """Give the texts of the messages in the history."""
    return [one["content"][0]["text"] for one in audit.items]  # type: ignore[index,call-overload,misc]


def test_a_session_recorded_by_the_binary_is_audited() -> None:
    """Anomalies with their clauses and lines, hazards, and a prompt in which pairs are complete."""
    audit = audit_file(RECORDED)
    assert [(one.id, one.lines) for one in audit.anomalies] == [("PAIR-3", (8,)), ("ORPH-1", (10,))]
    assert {one.id for one in audit.hazards} >= {"HAZ-1", "HAZ-2"}
    assert audit.skipped == ()
    assert audit.ignored["session_meta"] == 1
    assert [one["type"] for one in audit.prompt] == [
        "message",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "message",
        "function_call",
        "function_call_output",
    ]


def test_the_prompt_follows_the_modalities() -> None:
    """Without images the picture of the first message is a text (IMG-2)."""
    with_images, without = (
        json.dumps(audit_file(RECORDED, modalities).prompt)
        for modalities in (("text", "image"), ("text",))
    )
    assert "image content omitted" not in with_images
    assert "image content omitted" in without


def test_an_unknown_modality_is_refused() -> None:
    """The message names it."""
    with pytest.raises(ValueError, match="video"):
        audit_file(RECORDED, ("video",))


def test_a_plain_file_of_items_is_read() -> None:
    """One item a line, as another tool may write them."""
    assert texts_of(audited(user("a"), user("b"))) == ["a", "b"]


def test_malformed_lines_are_named_and_skipped() -> None:
    """The rest of the file is audited all the same."""
    audit = audited(b"{nonsense", item(user("a")), b"[]", item({"type": "message"}), b"", b"\xff")
    assert texts_of(audit) == ["a"]
    assert [one.line for one in audit.skipped] == [1, 3, 4, 6]
    assert all(one.reason for one in audit.skipped)


def test_unknown_lines_are_counted_and_left_alone() -> None:
    """New releases write new kinds of line."""
    audit = audited({"type": "brand_new", "payload": 3}, item({"type": "brand_new"}), {"a": 1})
    assert audit.items == ()
    assert audit.skipped == ()
    assert audit.ignored["brand_new"] == 1


def test_a_compaction_replaces_the_history() -> None:
    """What comes later is recorded on top (REPL-1)."""
    compacted = {"type": "compacted", "payload": {"replacement_history": [user("b")]}}
    audit = audited(item(user("a")), compacted, item(user("c")))
    assert texts_of(audit) == ["b", "c"]
    assert audit.lines == (2, 3)


def test_a_compaction_that_says_nothing_is_named() -> None:
    """Neither what the history became nor a summary: it goes on as it was."""
    audit = audited(item(user("a")), {"type": "compacted", "payload": {"window": 1}})
    assert texts_of(audit) == ["a"]
    assert [one.line for one in audit.skipped] == [2]


@pytest.mark.parametrize(("turns", "left"), [(0, "abc"), (1, "ab"), (2, "a"), (9, "")])
def test_a_rollback_drops_turns(turns: int, left: str) -> None:
    """The turns are counted as ROLL has them."""
    rolled = {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": turns}}
    audit = audited(*(item(user(text)) for text in "abc"), rolled)
    assert "".join(texts_of(audit)) == left


def test_an_output_is_cut_as_it_was_when_it_was_recorded() -> None:
    """The file keeps the whole text, and says to how many tokens it was cut."""
    whole = {"type": "function_call_output", "call_id": "c", "output": "x" * 100}
    call = {"type": "function_call", "call_id": "c", "name": "n", "arguments": ""}
    limit = {"fallback_token_limit_override": 12}
    audit = audited(item(call), item(whole, metadata=limit), item(whole))
    outputs = [str(one["output"]) for one in audit.prompt[1:]]
    assert outputs == [f"{'x' * 24}…13 tokens truncated…{'x' * 24}", "x" * 100]


def test_nothing_in_a_file_reaches_the_terminal_unescaped() -> None:
    """Control sequences in ids, kinds and messages are spelled out."""
    escape = "\x1b]0;title\x07"
    orphan = {"type": "function_call_output", "call_id": escape, "output": escape}
    text = render(audited(item(orphan), {"type": escape, "payload": 1}, {"type": "compacted"}))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "ORPH-1" in text


def test_long_lists_end_in_a_count() -> None:
    """A file of another kind does not flood the terminal."""
    text = render(audited(*[b"{"] * 50))
    assert "… and 30 more" in text


def test_an_audit_is_a_json_value() -> None:
    """What a program reads has the lines and ids of what people read."""
    value = json.loads(json.dumps(to_json(audit_file(RECORDED))))
    assert value["anomalies"][0]["id"] == "PAIR-3"
    assert len(value["prompt"]) == 8


@given(st.lists(st.binary(max_size=40) | st.text(max_size=20).map(str.encode)))
def test_no_file_breaks_an_audit(lines: list[bytes]) -> None:
    """Whatever the lines hold, each is used, ignored, skipped or blank."""
    audit = audit_lines(lines, source="a file")
    used = len(audit.items) + len(audit.skipped) + sum(audit.ignored.values())
    assert used <= len(lines)
    assert render(audit)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "type": st.sampled_from(["response_item", "compacted", "event_msg", "message"]),
                "payload": JSON_VALUES
                | st.fixed_dictionaries(
                    {
                        "type": st.sampled_from(["thread_rolled_back", "function_call"]),
                        "num_turns": JSON_VALUES,
                        "replacement_history": JSON_VALUES,
                    }
                ),
            },
            optional={"metadata": JSON_VALUES},
        ),
        max_size=5,
    )
)
def test_no_session_line_breaks_an_audit(lines: list[dict[str, object]]) -> None:
    """Lines of the right kind may hold anything."""
    assert render(audited(*lines))
