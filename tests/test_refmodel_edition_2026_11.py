"""What edition 2026-11 changes (SPEC 7)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from contextcert.refmodel import (
    Claim,
    Edition,
    Json,
    JsonObject,
    Mode,
    run_script,
    seeded_fresh_ids,
    synthetic_id,
)

POLICY: JsonObject = {"mode": "bytes", "limit": 10_000}
MESSAGE: JsonObject = {"type": "message", "role": "user", "content": []}
PNG = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQ"
    "D3A0FDAAAAAElFTkSuQmCC"
)


def run(*ops: Json, seed: int = 0) -> list[Any]:
    """Give the values of operations in the new edition."""
    outcomes = run_script(
        ops, mode=Mode.DEBUG, edition=Edition.NOVEMBER_2026, fresh_ids=seeded_fresh_ids(seed)
    )
    return [outcome["ok"] for outcome in outcomes]


def record(*items: Json, policy: JsonObject = POLICY) -> JsonObject:
    """Give the operation that records these items."""
    return {"op": "record_items", "items": list(items), "policy": policy}


RAW: JsonObject = {"op": "raw_items"}
PROJECT: JsonObject = {"op": "for_prompt", "input_modalities": []}
PROJECT_ALL: JsonObject = {"op": "for_prompt", "input_modalities": ["text", "image", "audio"]}


def test_an_output_without_call_id_stays_and_answers_nothing() -> None:
    """E11-1: it is no anomaly, and the call still gains its output."""
    call: JsonObject = {
        "type": "function_call",
        "id": "fc_1",
        "name": "n",
        "arguments": "",
        "call_id": "",
    }
    loose: JsonObject = {
        "type": "function_call_output",
        "id": "fco_1",
        "name": "n",
        "namespace": "s",
        "output": "o",
    }
    synthetic = {
        "type": "function_call_output",
        "id": synthetic_id("fco", "fc_1"),
        "call_id": "",
        "output": "aborted",
    }
    assert run(record(loose, call), PROJECT)[1] == [loose, call, synthetic]
    assert run(record(loose, call), {"op": "remove_first_item"}, RAW)[2] == [call]


ACTION: JsonObject = {"type": "exec", "command": []}
FIELDS: list[tuple[str, JsonObject]] = [
    ("msg", MESSAGE),
    ("amsg", {"type": "agent_message", "author": "", "recipient": "", "content": []}),
    ("rs", {"type": "reasoning", "summary": []}),
    ("lsh", {"type": "local_shell_call", "status": "completed", "action": ACTION}),
    ("fc", {"type": "function_call", "name": "", "arguments": "", "call_id": ""}),
    ("tsc", {"type": "tool_search_call", "execution": "", "arguments": 1}),
    ("fco", {"type": "function_call_output", "output": ""}),
    ("ctc", {"type": "custom_tool_call", "name": "", "input": "", "call_id": ""}),
    ("ctco", {"type": "custom_tool_call_output", "call_id": "", "output": ""}),
    ("tso", {"type": "tool_search_output", "status": "", "execution": "", "tools": []}),
    ("ws", {"type": "web_search_call"}),
    ("ig", {"type": "image_generation_call", "status": "", "result": ""}),
    ("cmp", {"type": "compaction", "encrypted_content": ""}),
    ("cmp", {"type": "compaction_summary", "encrypted_content": ""}),
    ("cmp", {"type": "context_compaction"}),
    ("at", {"type": "additional_tools", "role": "", "tools": []}),
]


@pytest.mark.parametrize("given", [{}, {"id": None}, {"id": ""}])
@pytest.mark.parametrize(("prefix", "item"), FIELDS)
def test_recording_gives_ids(prefix: str, item: JsonObject, given: JsonObject) -> None:
    """E11-2: prefix, underscore, version 7 UUID; the same from then on."""
    first, second = run(record({**item, **given}), RAW, RAW)[1:]
    form = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    assert re.fullmatch(f"{prefix}_{form}", first[0]["id"])
    assert first == second


def test_ids_that_are_there_stay_and_a_seed_fixes_the_rest() -> None:
    """E11-2: also odd ids; chance is passed in."""
    ops = (record({**MESSAGE, "id": "x"}, MESSAGE), RAW)
    kept, fresh = run(*ops)[1]
    assert kept["id"] == "x"
    assert run(*ops)[1][1] == fresh != run(*ops, seed=1)[1][1]


def test_synthetic_ids_derive_from_fresh_ids() -> None:
    """E11-2, SYN-1: the id given when recording is the call's item id."""
    call: JsonObject = {"type": "function_call", "name": "", "arguments": "", "call_id": ""}
    given, synthetic = run(record(call), PROJECT)[1]
    assert synthetic["id"] == synthetic_id("fco", given["id"])


def test_restoring_filters_but_adds_no_ids_and_cuts_nothing() -> None:
    """E11-2: a stored session comes back as it was stored."""
    long: JsonObject = {"type": "function_call_output", "output": "x" * 100_000}
    items: list[Json] = [MESSAGE, {**MESSAGE, "role": "system"}, {**MESSAGE, "id": ""}, long]
    restore: JsonObject = {"op": "restore_items", "items": items}
    assert run(restore, RAW, {"op": "history_version"})[1:] == [[*items[:1], *items[2:]], 0]


def test_replacing_adds_no_ids() -> None:
    """REPL-1: exactly the given items."""
    assert run({"op": "replace", "items": [MESSAGE]}, RAW)[1] == [MESSAGE]


def text(content: str) -> JsonObject:
    """Give an entry of text."""
    return {"type": "input_text", "text": content}


@pytest.mark.parametrize("kind", ["function_call_output", "custom_tool_call_output"])
def test_empty_text_in_output_arrays_is_dropped(kind: str) -> None:
    """E11-3: not in messages, not in a text body."""
    output: JsonObject = {"type": kind, "id": "o_1", "call_id": "c"}
    message: JsonObject = {**MESSAGE, "id": "m_1", "content": [text("")]}
    recorded = run(
        record(
            {**output, "output": [text(""), text("a"), text("")]},
            {**output, "output": [text("")]},
            {**output, "output": ""},
            message,
        ),
        RAW,
    )[1]
    assert [item.get("output") for item in recorded] == [[text("a")], [], "", None]
    assert recorded[3] == message


def test_truncation_counts_in_tokens() -> None:
    """E11-4: ten bytes are twelve, that is three tokens."""
    output: JsonObject = {"type": "function_call_output", "output": "abcdefghijklmnopqrstuvwxyz"}
    recorded = run(record(output, policy={"mode": "bytes", "limit": 10}), RAW)[1]
    assert recorded[0]["output"] == "abcdef…4 tokens truncated…uvwxyz"


@pytest.mark.parametrize(
    ("entry", "survives"),
    [
        ({"type": "input_image", "image_url": PNG}, True),
        ({"type": "input_image", "image_url": PNG, "detail": "high"}, True),
        ({"type": "input_image", "image_url": "data:image/png;base64,AA=="}, False),
        ({"type": "input_image", "image_url": "data:image/png;base64,!"}, False),
        ({"type": "input_image", "image_url": "data:image/svg+xml,<svg/>"}, False),
        ({"type": "input_audio", "audio_url": "data:audio/wav;base64,AAAA"}, True),
        ({"type": "input_audio", "audio_url": "https://e.test/a.wav"}, False),
    ],
)
def test_media_that_cannot_be_decoded_becomes_text(entry: JsonObject, survives: bool) -> None:  # noqa: FBT001
    """E11-5: in messages and in output arrays."""
    medium = str(entry["type"]).removeprefix("input_")
    omitted = text(f"{medium} content omitted because it could not be processed")
    expected = [entry if survives else omitted]
    message: JsonObject = {**MESSAGE, "content": [entry]}
    output: JsonObject = {"type": "function_call_output", "output": [entry]}
    recorded = run(record(message, output), RAW)[1]
    assert [recorded[0]["content"], recorded[1]["output"]] == [expected, expected]


@pytest.mark.parametrize(
    ("item_id", "shown"),
    [("fc_1", True), ("x_é", True), ("a__", True), ("x", False), ("x_", False), ("_x", False)],
)
def test_a_prompt_shows_only_ids_of_the_usual_form(item_id: str, shown: bool) -> None:  # noqa: FBT001
    """E11-6: the history keeps every id, and synthetic ids derive from it."""
    call: JsonObject = {
        "type": "function_call",
        "id": item_id,
        "name": "",
        "arguments": "",
        "call_id": "",
    }
    raw, prompt = run(record(call), RAW, PROJECT_ALL)[1:]
    assert raw == [call]
    assert prompt[0].get("id") == (item_id if shown else None)
    assert prompt[1]["id"] == synthetic_id("fco", item_id)


def test_each_change_counts_with_what_it_changes() -> None:
    """E11-1 and E11-6 are claimed with the projection, the others with recording."""
    for profile, numbers in (("projection", (1, 6)), ("recording", (2, 3, 4, 5)), ("world", ())):
        claim = Claim.from_json({"profiles": [profile]})
        covered = [number for number in range(1, 7) if claim.covers(f"E11-{number}")]
        assert covered == list(numbers)
