"""Build modes: what is an anomaly, and what each mode does about it (MODE)."""

from __future__ import annotations

import pytest

from contextcert.refmodel import Json, JsonObject, Mode, run_script, run_script_in_both_modes

POLICY: JsonObject = {"mode": "tokens", "limit": 10_000}
PROJECT: JsonObject = {"op": "for_prompt", "input_modalities": []}

FUNCTION: JsonObject = {"type": "function_call", "name": "n", "arguments": "", "call_id": "f"}
SEARCH: JsonObject = {
    "type": "tool_search_call",
    "call_id": "s",
    "execution": "client",
    "arguments": None,
}
CUSTOM: JsonObject = {"type": "custom_tool_call", "name": "n", "input": "", "call_id": "cu"}
SHELL: JsonObject = {
    "type": "local_shell_call",
    "call_id": "",
    "status": "completed",
    "action": {"type": "exec", "command": []},
}
FUNCTION_OUTPUT: JsonObject = {"type": "function_call_output", "call_id": "fo", "output": ""}
CUSTOM_OUTPUT: JsonObject = {"type": "custom_tool_call_output", "call_id": "co", "output": ""}
SEARCH_OUTPUT: JsonObject = {
    "type": "tool_search_output",
    "call_id": "so",
    "status": "",
    "execution": "Server",
    "tools": [],
}
ANOMALIES = [
    (CUSTOM, "Custom tool call output is missing for call id: cu"),
    (SHELL, "Local shell call output is missing for call id: "),
    (FUNCTION_OUTPUT, "Orphan function call output for call id: fo"),
    (CUSTOM_OUTPUT, "Orphan custom tool call output for call id: co"),
    (SEARCH_OUTPUT, "Orphan tool search output for call id: so"),
]


def record(*items: Json) -> JsonObject:
    """Give the operation that records these items."""
    return {"op": "record_items", "items": list(items), "policy": POLICY}


@pytest.mark.parametrize(("item", "message"), ANOMALIES)
def test_an_anomaly_panics_in_debug_and_is_reported_in_release(
    item: JsonObject, message: str
) -> None:
    """MODE-1, MODE-3, MODE-4, MODE-7: one message, the same in both."""
    outcomes = run_script_in_both_modes([record(item), PROJECT])
    assert outcomes[Mode.DEBUG] == [{"ok": None}, {"panic": message}]
    assert outcomes[Mode.RELEASE][1]["diagnostics"] == [message]


@pytest.mark.parametrize("item", [FUNCTION, SEARCH])
def test_unanswered_function_and_search_calls_are_no_anomaly(item: JsonObject) -> None:
    """MODE-2, MODE-5: both modes complete them, and say nothing."""
    outcomes = run_script_in_both_modes([record(item), PROJECT])
    assert outcomes[Mode.DEBUG] == outcomes[Mode.RELEASE]
    assert "diagnostics" not in outcomes[Mode.RELEASE][1]


def test_step_a_speaks_before_step_b() -> None:
    """MODE-6, MODE-7: first all missing outputs in item order, then all orphans in item order."""
    items = [item for item, _ in reversed(ANOMALIES)]
    expected = [message for _, message in (*ANOMALIES[1::-1], *ANOMALIES[:1:-1])]
    outcomes = run_script_in_both_modes([record(*items), PROJECT])
    assert outcomes[Mode.DEBUG][1] == {"panic": expected[0]}
    assert outcomes[Mode.RELEASE][1]["diagnostics"] == expected


def test_a_panic_ends_the_script_in_its_own_mode_only() -> None:
    """DESIGN 3: debug has no outcomes after the panic, release all of them."""
    outcomes = run_script_in_both_modes([record(CUSTOM), PROJECT, {"op": "history_version"}])
    assert len(outcomes[Mode.DEBUG]) == 2
    assert outcomes[Mode.RELEASE][2] == {"ok": 0}


def test_a_panic_leaves_the_history_usable() -> None:
    """MODE-8: unchanged, and projecting again panics again."""
    unreadable: JsonObject = {"op": "for_prompt_annotated"}
    ops: list[Json] = [record(CUSTOM), PROJECT, {"op": "raw_items"}, PROJECT, unreadable]
    outcomes = run_script(ops, mode=Mode.DEBUG, continue_after_panic=True)
    assert outcomes[2] == {"ok": [CUSTOM]}
    assert outcomes[1] == outcomes[3]
    assert "error" in outcomes[4]


@pytest.mark.parametrize("mode", Mode)
def test_only_projections_panic(mode: Mode) -> None:
    """MODE-9: everything else takes a history as broken as it comes."""
    broken: list[Json] = [item for item, _ in ANOMALIES]
    ops: list[Json] = [
        record(*broken),
        {"op": "replace", "items": broken},
        {"op": "remove_first_item"},
        {"op": "drop_last_n_user_turns", "num_turns": 2},
        {"op": "raw_envelopes"},
        {"op": "read_transcript", "cursor": None},
    ]
    assert all("ok" in outcome for outcome in run_script(ops, mode=mode))


@pytest.mark.parametrize("continued", [False, True])
def test_both_modes_at_once_are_what_each_gives_alone(continued: bool) -> None:  # noqa: FBT001
    """One interpretation rendered twice gives the outcomes of two."""
    hold: JsonObject = {"op": "hold", "name": "p", "what": "for_prompt", "input_modalities": []}
    held: JsonObject = {"op": "held", "name": "p"}
    ops: list[Json] = [
        held,
        hold,
        record(CUSTOM),
        hold,
        held,
        {"op": "for_prompt_annotated", "input_modalities": ["text"]},
        PROJECT,
    ]
    together = run_script_in_both_modes(ops, continue_after_panic=continued)
    for mode in Mode:
        assert together[mode] == run_script(ops, mode=mode, continue_after_panic=continued)


def test_what_a_panic_kept_back_is_not_held() -> None:
    """SNAP-2: after a panic debug still holds what was handed out before."""
    hold: JsonObject = {"op": "hold", "name": "p", "what": "for_prompt", "input_modalities": []}
    ops: list[Json] = [hold, record(CUSTOM), hold, {"op": "held", "name": "p"}]
    outcomes = run_script_in_both_modes(ops, continue_after_panic=True)
    assert outcomes[Mode.DEBUG][3] == {"ok": []}
    assert len(outcomes[Mode.RELEASE][3]["ok"]) == 2  # type: ignore[arg-type]
