"""Auditing session files in the forms that the releases of Codex wrote them in, from 2025 on.

The fixtures are written here; what the binaries send for sessions of these forms was compared when
they were written (docs/measurements.md).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from contextcert.audit import Audit, audit_file, audit_lines, render, to_json
from contextcert.refmodel import Json, JsonObject, TruncationPolicy

LONG = "x" * 30_000
BYTES: JsonObject = {"mode": "bytes", "limit": 100}
SUMMARY = "Another model began to solve this; this is its summary:\nall is well"
THREAD = "01900000-0000-7000-8000-000000000001"


def message(text: str, role: str = "user", **more: Json) -> JsonObject:
    """Give a message."""
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}], **more}


def pair(call_id: str, output: str) -> tuple[JsonObject, JsonObject]:
    """Give a call and its output."""
    call: JsonObject = {"type": "function_call", "name": "f", "arguments": "{}", "call_id": call_id}
    return call, {"type": "function_call_output", "call_id": call_id, "output": output}


def line(kind: str, payload: Json, **more: Json) -> JsonObject:
    """Give a line as releases since 0.40 or so write it."""
    return {"timestamp": "2026-01-01T00:00:00.000Z", "type": kind, "payload": payload, **more}


def meta(version: str, **more: Json) -> JsonObject:
    """Give the first line of a release's file."""
    return line("session_meta", {"id": THREAD, "cli_version": version, "cwd": "/", **more})


def items(*listed: JsonObject) -> list[JsonObject]:
    """Give the lines of items."""
    return [line("response_item", one) for one in listed]


def audited(*lines: JsonObject, usual: TruncationPolicy | None = None) -> Audit:
    """Audit lines."""
    return audit_lines((json.dumps(one).encode() for one in lines), source="a file", usual=usual)


def texts(audit: Audit) -> list[str]:
    """Give the texts of the messages in the prompt."""
    return [one["content"][0]["text"] for one in audit.prompt]  # type: ignore[index,call-overload,misc]


def output_of(audit: Audit) -> str:
    """Give the only output of the prompt."""
    (output,) = (one for one in audit.prompt if "output" in one)
    return str(output["output"])


def test_the_first_releases_wrote_bare_items() -> None:
    """A line about the session, states in between, items as they are."""
    audit = audited(
        {"id": THREAD, "timestamp": "2025-07-01T00:00:00Z", "instructions": None},
        {"record_type": "state"},
        message("hello"),
        {"record_type": "state"},
        *pair("c", "out"),
        {"type": "ghost_snapshot", "ghost_commit": {"id": "0"}},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "g"},
    )
    assert [one["type"] for one in audit.prompt] == [
        "message",
        "function_call",
        "function_call_output",
        "reasoning",
    ]
    assert audit.ignored == {"of no type": 3, "ghost_snapshot": 1}
    assert audit.skipped == ()


def test_wrapped_ghosts_and_triggers_are_no_items_of_a_prompt() -> None:
    """Releases from 0.58 on wrap every item; what recording drops stays out (REC-2)."""
    audit = audited(
        meta("0.58.0"),
        *items(message("hello"), {"type": "ghost_snapshot", "ghost_commit": {}}),
        *items(message("system", "system"), {"type": "compaction_trigger"}),
        line("event_msg", {"type": "user_message", "message": "hello", "images": []}),
    )
    assert texts(audit) == ["hello"]


def test_a_turn_says_how_outputs_are_cut_until_0_121() -> None:
    """In bytes with the marker of bytes, from the turn on that says so (TRUNC-5)."""
    audit = audited(
        meta("0.121.0"),
        line("turn_context", {"turn_id": "1", "truncation_policy": BYTES}),
        *items(*pair("c", LONG)),
    )
    assert output_of(audit) == f"{'x' * 60}…29880 chars truncated…{'x' * 60}"
    assert audit.notes == ()


def test_where_nothing_says_how_outputs_are_cut_they_stand_whole_and_are_named() -> None:
    """From 0.142 to 0.150; the reader may know, and the release decides the marker."""
    lines = (meta("0.142.0"), line("turn_context", {"model": "m"}), *items(*pair("c", LONG)))
    whole = audited(*lines)
    assert output_of(whole) == LONG
    assert "1 long output (the first in line 4) stand whole" in whole.notes[0]
    cut = audited(*lines, usual=TruncationPolicy.from_json(BYTES))
    assert output_of(cut) == f"{'x' * 60}…29880 chars truncated…{'x' * 60}"
    assert cut.notes == ()
    assert not audited(meta("0.142.0"), *items(*pair("c", "x" * 9_000))).notes


def test_a_limit_beside_an_output_goes_first_since_0_160() -> None:
    """It is in tokens and enlarged, and the marker is that of tokens (E11-4)."""
    call, output = pair("c", "x" * 100)
    audited_file = audited(
        meta("0.160.0", history_mode="paginated"),
        line("response_item", call, ordinal=1),
        line("response_item", output, ordinal=2, metadata={"fallback_token_limit_override": 12}),
        usual=TruncationPolicy.from_json(BYTES),
    )
    assert output_of(audited_file) == f"{'x' * 24}…13 tokens truncated…{'x' * 24}"


@pytest.mark.parametrize("policy", [None, 7, {}, {"mode": "words", "limit": 3}, {"mode": "bytes"}])
def test_a_policy_that_is_none_is_left_alone(policy: Json) -> None:
    """What a file says is not trusted to make sense."""
    audit = audited(
        meta("0.98.0"),
        line("turn_context", {"truncation_policy": policy}),
        line("turn_context", 3),
        line("session_meta", {"cli_version": 5}),
        *items(*pair("c", LONG)),
    )
    assert output_of(audit) == LONG


def test_a_compaction_that_says_what_the_history_became_replaces_it() -> None:
    """Releases since 0.121 write it down; bare and wrapped in whatever else."""
    audit = audited(
        meta("0.121.0"),
        *items(message("one"), message("ok", "assistant")),
        line("compacted", {"message": SUMMARY, "replacement_history": [message("one")]}),
        *items(message("two")),
    )
    assert texts(audit) == ["one", "two"]
    assert audit.notes == ()


def test_what_a_compaction_of_an_older_release_left_is_reckoned() -> None:
    """The first context, what the user said, and the summary; that it is reckoned is told."""
    audit = audited(
        meta("0.98.0"),
        *items(
            message("<permissions instructions>p", "developer"),
            message("<environment_context>e</environment_context>"),
            message("one"),
            message("ok", "assistant"),
            message("<skill>s</skill>"),
        ),
        line("compacted", {"message": SUMMARY}),
        *items(message("two"), message("yes", "assistant")),
        line("compacted", {"message": SUMMARY}),
        *items(message("three")),
    )
    assert texts(audit) == [
        "<permissions instructions>p",
        "<environment_context>e</environment_context>",
        "one",
        "two",
        SUMMARY,
        "three",
    ]
    assert audit.lines == (2, 3, 4, 8, 10, 11)
    assert ["reckoned from the lines before" in one for one in audit.notes] == [True, True]


def test_a_reckoned_compaction_keeps_as_much_as_fits() -> None:
    """The newest of what the user said go first."""
    said = [message(f"{number} " + "y" * 30_000) for number in range(4)]
    audit = audited(meta("0.98.0"), *items(*said), line("compacted", {"message": SUMMARY}))
    assert [text[:1] for text in texts(audit)] == ["2", "3", "A"]


def test_rollbacks_after_a_compaction_count_what_was_kept() -> None:
    """As the releases until 0.150 wrote them (ROLL-4)."""
    audit = audited(
        meta("0.142.0"),
        *items(message("one")),
        line("compacted", {"message": SUMMARY, "replacement_history": [message("one")]}),
        *items(message("two"), message("ok", "assistant")),
        line("event_msg", {"type": "thread_rolled_back", "num_turns": 1}),
        *items(message("three")),
    )
    assert texts(audit) == ["one", "three"]


def numbered(first: int, *lines: JsonObject) -> list[JsonObject]:
    """Give lines with ordinals."""
    return [{**one, "ordinal": place} for place, one in enumerate(lines, start=first)]


def write(path: Path, lines: list[JsonObject]) -> Path:
    """Write a session file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return path


def goes_on_from(thread: Json, end: Json) -> JsonObject:
    """Give the first line of a file that goes on from another."""
    base: JsonObject = {"thread_id": thread, "end_ordinal_exclusive": end, "end_byte_offset": 1}
    return meta("0.171.0", history_mode="paginated", history_base=base)


def a_reverted_session(folder: Path) -> Path:
    """Write a session that was reverted twice, and give its last file."""
    first = numbered(0, meta("0.171.0"), *items(message("a"), message("b"), message("c")))
    second = numbered(3, goes_on_from(THREAD, 3), *items(message("d"), message("e")))
    third = numbered(5, goes_on_from(THREAD, 5), *items(message("f")))
    write(folder / f"rollout-1-{THREAD}.jsonl", first)
    write(folder / f"rollout-2-{THREAD}_2.jsonl", second)
    return write(folder / f"rollout-3-{THREAD}_3.jsonl", third)


def test_a_reverted_session_goes_on_from_the_files_before_it(tmp_path: Path) -> None:
    """Each up to where the next one begins; lines are counted from the first file on."""
    audit = audit_file(a_reverted_session(tmp_path))
    assert texts(audit) == ["a", "b", "d", "f"]
    assert audit.lines == (2, 3, 5, 7)
    assert audit.notes == (
        f"it goes on from rollout-1-{THREAD}.jsonl, which is lines 1 to 3 here",
        f"it goes on from rollout-2-{THREAD}_2.jsonl, which is lines 4 to 5 here",
    )
    assert f"Note: it goes on from rollout-1-{THREAD}" in render(audit)
    assert to_json(audit)["notes"] == list(audit.notes)


def test_a_fork_finds_its_origin_in_another_days_folder(tmp_path: Path) -> None:
    """Session files lie in folders of the year, the month and the day."""
    origin = numbered(0, meta("0.171.0"), *items(message("a"), message("b")))
    write(tmp_path / "2026" / "11" / "30" / f"rollout-{THREAD}.jsonl", origin)
    fork = numbered(2, goes_on_from(THREAD, 2), *items(message("c")))
    audit = audit_file(write(tmp_path / "2026" / "12" / "01" / "rollout-9.jsonl", fork))
    assert texts(audit) == ["a", "c"]


def test_a_beginning_that_is_not_there_is_told(tmp_path: Path) -> None:
    """What is there is audited all the same."""
    fork = numbered(7, goes_on_from(THREAD, 7), *items(message("c")))
    audit = audit_file(write(tmp_path / "a.jsonl", fork))
    assert texts(audit) == ["c"]
    (note,) = audit.notes
    assert note.startswith(f"this session goes on from the file of session {THREAD}, which is not")
    assert note.endswith("everything before ordinal 7 is missing")


def test_files_that_go_on_from_each_other_are_read_once(tmp_path: Path) -> None:
    """Neither a file that names itself nor a ring of them holds us up; links are not followed."""
    lines = numbered(0, goes_on_from(THREAD, 9), *items(message("a")))
    one = write(tmp_path / f"one-{THREAD}.jsonl", lines)
    other = write(tmp_path / f"other-{THREAD}.jsonl", lines)
    (tmp_path / f"link-{THREAD}.jsonl").symlink_to(one)
    audit = audit_file(other)
    assert texts(audit) == ["a", "a"]
    assert "is missing" in audit.notes[0]


@pytest.mark.parametrize("thread", ["../../etc/passwd", "*", "", 5, None, "a/b", "x" * 99])
@pytest.mark.parametrize("end", [3, "3", None, True])
def test_a_base_that_is_none_is_left_alone(tmp_path: Path, thread: Json, end: Json) -> None:
    """Nothing but an id is looked for."""
    (tmp_path / "passwd").write_text("secret", encoding="utf-8")
    audit = audit_file(
        write(tmp_path / "a.jsonl", [goes_on_from(thread, end), *items(message("c"))])
    )
    assert texts(audit) == ["c"]
    assert audit.notes == ()


def test_the_command_takes_a_truncation(tmp_path: Path) -> None:
    """Written as mode and limit; anything else is refused in a sentence."""
    file = write(tmp_path / "a.jsonl", [meta("0.150.0"), *items(*pair("c", "x" * 99))])
    command = [sys.executable, "-m", "contextcert", "audit", str(file), "--truncation"]
    cut, refused = (
        subprocess.run([*command, given], capture_output=True, text=True, check=False)
        for given in ("tokens:10", "10")
    )
    assert cut.returncode == 0
    assert "tokens truncated" in cut.stdout
    assert refused.returncode == 2
    assert "write it as bytes:10000 or tokens:10000" in " ".join(refused.stderr.split())
