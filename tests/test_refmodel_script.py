"""The script interpreter: every operation, and what becomes of those it cannot read (DESIGN 3)."""

from __future__ import annotations

from typing import Any

import pytest

from contextcert.refmodel import Json, JsonObject, Mode, run_script

POLICY: JsonObject = {"mode": "bytes", "limit": 5}
MESSAGE: JsonObject = {"type": "message", "role": "user", "content": []}
CALL: JsonObject = {"type": "function_call", "name": "n", "arguments": "", "call_id": "c"}
OUTPUT: JsonObject = {"type": "function_call_output", "call_id": "c", "output": "0123456789"}
CUT: JsonObject = {**OUTPUT, "output": "012…4 chars truncated…789"}


def op(operation: str, /, **fields: Any) -> JsonObject:  # noqa: ANN401 - any JSON value
    """Give an operation."""
    return {"op": operation, **fields}


def record(*items: Json, **fields: Json) -> JsonObject:
    """Give the operation that records these items."""
    return op("record_items", items=list(items), policy=POLICY, **fields)


def values(*ops: Json) -> list[Any]:
    """Give the values of operations that all succeed."""
    return [outcome["ok"] for outcome in run_script(ops, mode=Mode.RELEASE)]


STATE_OPS: tuple[JsonObject, ...] = (
    op("raw_envelopes"),
    op("history_version"),
    op("world_state_baseline"),
    op("reference_context_item"),
    op("token_info"),
)
SETTERS: tuple[JsonObject, ...] = (
    op("set_world_state_baseline", state={"s": 1}),
    op("set_reference_context_item", value=[1.0]),
    op("set_token_info", value=2**70),
)


def test_a_new_history_has_nothing() -> None:
    """VER-1: on every handle."""
    assert values(*STATE_OPS) == [[], 0, None, None, None]
    assert values(op("raw_items", on=7), op("for_prompt", input_modalities=[])) == [[], []]


def test_recording_appends_what_is_kept() -> None:
    """REC-1 to REC-7: order, filter and truncation; nothing else changes."""
    system = {**MESSAGE, "role": "system"}
    dropped: tuple[Json, ...] = (system, {"type": "compaction_trigger"}, {"type": "nope"})
    ops = [*SETTERS, record(OUTPUT, *dropped, CALL), record(MESSAGE), *STATE_OPS]
    envelopes, *rest = values(*ops)[-5:]
    assert [each["item"] for each in envelopes] == [CUT, CALL, MESSAGE]
    assert rest == [0, {"s": 1}, [1.0], 2**70]


def test_annotated_recording_keeps_metadata_and_success() -> None:
    """REC-7, ITEM-6, ITEM-8: beside the item, never in it."""
    envelopes: list[Json] = [
        {"item": OUTPUT, "metadata": {"k": [1]}, "success": False},
        {"item": CALL, "metadata": None, "success": None},
        {"item": MESSAGE, "success": True},
    ]
    recorded, items, prompt = values(
        op("record_annotated_items", envelopes=envelopes, policy=POLICY),
        op("raw_envelopes"),
        op("raw_items"),
        op("for_prompt_annotated", input_modalities=[]),
    )[1:]
    assert recorded == prompt
    assert recorded == [
        {"item": CUT, "metadata": {"k": [1]}, "success": False},
        {"item": CALL, "metadata": None},
        {"item": MESSAGE, "metadata": None},
    ]
    assert items == [CUT, CALL, MESSAGE]


def test_replace_installs_exactly_what_it_is_given() -> None:
    """REPL-1, REPL-2, VER-2, WORLD-5: unfiltered, whole, one version on, no baseline."""
    items: list[Json] = [OUTPUT, {"type": "other"}, {**MESSAGE, "role": "system"}]
    envelopes, *rest = values(*SETTERS, op("replace", items=items), *STATE_OPS)[-5:]
    assert envelopes == [{"item": item, "metadata": None} for item in items]
    assert rest == [1, None, [1.0], 2**70]


def test_head_removal_clears_the_baseline_only_if_something_goes() -> None:
    """HEAD-1, HEAD-2, WORLD-5, WORLD-6, VER-3."""
    before = (*SETTERS, record(CALL, MESSAGE, OUTPUT))
    assert values(*before, op("remove_first_item"), *STATE_OPS)[-5:] == [
        [{"item": MESSAGE, "metadata": None}],
        0,
        None,
        [1.0],
        2**70,
    ]
    assert values(*SETTERS, op("remove_first_item"), *STATE_OPS)[-3] == {"s": 1}


@pytest.mark.parametrize(
    ("turns", "items", "version", "baseline"),
    [(0, [CALL, MESSAGE], 0, {"s": 1}), (1, [CALL], 1, None), (2**32 - 1, [CALL], 1, None)],
)
def test_rollback_counts_as_a_rewrite_from_one_turn_on(
    turns: int, items: list[JsonObject], version: int, baseline: Json
) -> None:
    """ROLL-1, ROLL-4, VER-2, VER-3, WORLD-5, WORLD-6."""
    ops = [*SETTERS, record(CALL, MESSAGE), op("drop_last_n_user_turns", num_turns=turns)]
    assert values(*ops, op("raw_items"), *STATE_OPS[1:])[-5:] == [
        items,
        version,
        baseline,
        [1.0],
        2**70,
    ]


def test_rollback_without_a_boundary_still_counts() -> None:
    """ROLL-3 and SPEC 4.1: the items stay, the version rises, the baseline goes."""
    ops = [*SETTERS, record(CALL), op("drop_last_n_user_turns", num_turns=1)]
    assert values(*ops, op("raw_items"), *STATE_OPS[1:])[-5:-2] == [[CALL], 1, None]


def test_rollback_over_a_mixed_bundle_clears_the_reference_context() -> None:
    """ROLL-6, REF-1: and only then."""
    texts: list[Json] = [{"type": "input_text", "text": text} for text in ("<tools>", "more")]
    for size, reference in ((1, [1.0]), (2, None)):
        bundle: JsonObject = {"type": "message", "role": "developer", "content": texts[:size]}
        ops = [*SETTERS, record(MESSAGE, bundle, MESSAGE)]
        rolled_back = values(*ops, op("drop_last_n_user_turns", num_turns=1), *STATE_OPS)[-5:]
        assert rolled_back[0] == [{"item": MESSAGE, "metadata": None}]
        assert rolled_back[3] == reference


def test_world_state_updates_report_full_then_patches() -> None:
    """WORLD-1 to WORLD-3, WORLD-7."""
    state: JsonObject = {"a": {"b": 1, "c": 2}, "d": [1]}
    later: JsonObject = {"a": {"b": 1.0}, "d": [1]}
    reports: list[Json] = values(
        op("update_world_state", state=state),
        op("update_world_state", state=state),
        op("update_world_state", state=later),
        op("world_state_baseline"),
        op("set_world_state_baseline", state=None),
        op("update_world_state", state={}),
        op("set_world_state_baseline", state=3),
        op("update_world_state", state={}),
    )
    expected: list[Json] = [
        {"full": True, "state": state},
        None,
        {"full": False, "patch": {"a": {"b": 1.0, "c": None}}},
        later,
        None,
        {"full": True, "state": {}},
        None,
        {"full": False, "patch": {}},
    ]
    assert reports == expected


def test_transcripts_are_read_by_cursor() -> None:
    """CUR-1 to CUR-3: a delta while only appends came, full after a rewrite."""
    cursor: JsonObject = {"history_version": 0, "entry_count": 1}
    first, _, delta, _, full = values(
        *(record(CALL), op("read_transcript", cursor=None)),
        *(record(MESSAGE), op("read_transcript", cursor=cursor)),
        *(op("replace", items=[]), op("read_transcript", cursor=cursor)),
    )[1:]
    assert first == {"kind": "full", "entries": [CALL], "cursor": cursor}
    assert delta == {
        "kind": "delta",
        "entries": [MESSAGE],
        "cursor": {"history_version": 0, "entry_count": 2},
    }
    assert full["kind"] == "full"
    assert full["cursor"] == {"history_version": 1, "entry_count": 0}


def test_clones_are_independent() -> None:
    """SNAP-1, SNAP-3: in every field, in both directions; onto itself nothing changes."""
    state = [op_ | {"on": handle} for handle in (0, 1) for op_ in STATE_OPS]
    original, changed = (
        [[{"item": CALL, "metadata": None}], 0, {"s": 1}, [1.0], 2**70],
        [
            [],
            1,
            None,
            None,
            5,
        ],
    )
    before = (*SETTERS, record(CALL), op("clone", to=1), op("clone", to=0))
    for handle in (0, 1):
        changes: list[JsonObject] = [
            op("replace", items=[], on=handle),
            op("set_reference_context_item", value=None, on=handle),
            op("set_token_info", value=5, on=handle),
        ]
        read = values(*before, *changes, *state)[-10:]
        assert read[:5] == (changed if handle == 0 else original)
        assert read[5:] == (original if handle == 0 else changed)


def test_what_was_held_does_not_change() -> None:
    """SNAP-2: raw items and prompts read the same after any change."""
    assert values(
        record(CALL),
        op("hold", name="raw", what="raw_items"),
        op("hold", name="prompt", what="for_prompt", input_modalities=["text"]),
        record(OUTPUT),
        op("replace", items=[]),
        op("held", name="raw"),
        op("held", name="prompt"),
    )[-2:] == [[CALL], [CALL, {**OUTPUT, "output": "aborted"}]]


def test_outcomes_and_operations_belong_to_the_caller() -> None:
    """SNAP-2: changing what was handed in or out changes nothing the model knows."""
    state: JsonObject = {"a": [{"b": 1}]}
    ops: list[Json] = [
        record({"type": "additional_tools", "role": "r", "tools": [{"b": 1}]}),
        op("set_token_info", value=state),
        op("update_world_state", state=state),
        *(op("raw_items"), op("token_info"), op("world_state_baseline")),
        *(op("raw_items"), op("token_info"), op("world_state_baseline")),
    ]
    outcomes = values(*ops)
    for outcome in outcomes[2:6]:
        outcome.clear()
    assert outcomes[6][0]["tools"] == [{"b": 1}]
    assert outcomes[7:] == [{"a": [{"b": 1}]}] * 2
    assert state == {"a": [{"b": 1}]}
    assert values(*ops)[3:] == [*outcomes[6:]] * 2


ITEMS: list[Json] = [MESSAGE]
UNREADABLE: list[Json] = [
    None,
    "raw_items",
    {},
    {"op": 1},
    op("raw_items", on=-1),
    op("raw_items", on=None),
    op("raw_items", on=0.0),
    op("raw_items", on=True),
    op("record_items", policy=POLICY),
    op("record_items", items=ITEMS),
    op("record_items", items=ITEMS, policy=None),
    op("record_items", items=ITEMS, policy={"mode": "chars", "limit": 1}),
    op("record_items", items=ITEMS, policy={"mode": "bytes"}),
    *(
        op("record_items", items=ITEMS, policy={"mode": "bytes", "limit": limit})
        for limit in (-1, 1.0, True, "1", None, 2**64)
    ),
    op("record_items", items={}, policy=POLICY),
    record(MESSAGE, {**MESSAGE, "role": None}),
    op("record_annotated_items", envelopes=ITEMS, policy=POLICY),
    op("record_annotated_items", envelopes=[MESSAGE, 1], policy=POLICY),
    op("record_annotated_items", envelopes=[{"item": MESSAGE, "metadata": 1}], policy=POLICY),
    op("record_annotated_items", envelopes=[{"item": OUTPUT, "success": 1}], policy=POLICY),
    op("record_annotated_items", envelopes=[{"item": {}}], policy=POLICY),
    op("for_prompt"),
    op("for_prompt", input_modalities=None),
    op("for_prompt", input_modalities="text"),
    op("for_prompt", input_modalities=["video"]),
    op("for_prompt", input_modalities=["Text"]),
    op("for_prompt", input_modalities=[["text"]]),
    op("for_prompt_annotated", input_modalities=["text", 1]),
    *(
        op("drop_last_n_user_turns", num_turns=turns)
        for turns in (-1, 1.5, 1.0, True, "1", None, 2**32, [1])
    ),
    op("drop_last_n_user_turns"),
    op("replace"),
    op("replace", items=[MESSAGE, {"type": "message"}]),
    op("clone"),
    op("clone", to=-1),
    op("clone", to="x"),
    op("hold", name="x"),
    op("hold", what="raw_items"),
    op("hold", name=1, what="raw_items"),
    op("hold", name="x", what="for_prompt"),
    op("hold", name="x", what="history_version"),
    op("held", name="never"),
    op("held"),
    op("set_reference_context_item"),
    op("set_token_info"),
    op("set_world_state_baseline"),
    op("update_world_state"),
    op("update_world_state", state=None),
    op("update_world_state", state=[]),
    op("read_transcript", cursor=[]),
    op("read_transcript", cursor={"history_version": 0}),
    op("read_transcript", cursor={"history_version": 0, "entry_count": -1}),
]


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("unreadable", UNREADABLE)
def test_what_cannot_be_read_has_no_effect(unreadable: Json, mode: Mode) -> None:
    """ITEM-4, DESIGN 3: one error with a message, the history as it was, and the script goes on."""
    before: list[Json] = [*SETTERS, record(MESSAGE)]
    outcomes = run_script([*before, unreadable, *STATE_OPS], mode=mode)
    error: Any = outcomes[4]
    assert list(error) == ["error"]
    assert error["error"]["message"]
    assert outcomes[5:] == run_script([*before, *STATE_OPS], mode=mode)[4:]


@pytest.mark.parametrize("name", ["nope", "", "Raw_items", "restore_items"])
def test_unknown_operations_are_unsupported(name: str) -> None:
    """DESIGN 3: with a reason, and the script goes on; restoring belongs to a later edition."""
    outcomes = run_script([op(name, items=[]), op("history_version")], mode=Mode.DEBUG)
    assert list(outcomes[0]) == ["unsupported"]
    assert outcomes[1] == {"ok": 0}


def test_errors_name_the_place() -> None:
    """ITEM-4: which item, which type, which field."""
    outcomes = run_script([record(MESSAGE, {**OUTPUT, "call_id": None})], mode=Mode.DEBUG)
    message = "items[1].function_call_output.call_id: expected a string, not null"
    assert outcomes == [{"error": {"message": message}}]
