"""What came between two looks is blamed for what the second one shows, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest

from contextcert.properties import Judge
from contextcert.refmodel import DEFAULT_EDITION, Claim, Mode, run_script
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.strategies import POLICY, Script
from contextcert.subject import Capabilities

SEEING = Capabilities(
    diagnostics=True, exact_numbers=True, success_flag=True, continue_after_panic=True
)


def record(*items: JsonObject, on: int = 0, **policy: Json) -> JsonObject:
    """Record items, under the policy that cuts nothing unless another one is given."""
    return {"op": "record_items", "items": list(items), "policy": policy or POLICY, "on": on}


def annotate(*envelopes: JsonObject) -> JsonObject:
    """Record envelopes."""
    return {"op": "record_annotated_items", "envelopes": list(envelopes), "policy": POLICY}


def replace(*items: JsonObject) -> JsonObject:
    """Replace whatever there is."""
    return {"op": "replace", "items": list(items)}


def plain(name: str, on: int = 0, **fields: Json) -> JsonObject:
    """Give an operation."""
    return {"op": name, "on": on, **fields}


def read(version: int, count: int) -> JsonObject:
    """Read the transcript from a cursor."""
    return plain("read_transcript", cursor=cursor(version, count))


def cursor(version: int, count: int) -> JsonObject:
    """Give the place of a reader."""
    return {"history_version": version, "entry_count": count}


def message(text: str, role: str = "user") -> JsonObject:
    """Give a message of one text."""
    content: list[Json] = [{"type": "input_text", "text": text}]
    return {"type": "message", "role": role, "content": content}


def output(body: Json) -> JsonObject:
    """Give an output."""
    return {"type": "function_call_output", "call_id": "a", "output": body}


def text(one: str) -> JsonObject:
    """Give a text entry."""
    return {"type": "input_text", "text": one}


def rollback(number: int = 1) -> JsonObject:
    """Drop turns."""
    return plain("drop_last_n_user_turns", num_turns=number)


M = message("a")
CALL: JsonObject = {"type": "function_call", "name": "f", "arguments": "{}", "call_id": "a"}
ORPHAN = output("x")
SYSTEM = message("s", "system")
STATE: JsonObject = {"a": 1}
PROJECT = plain("for_prompt", input_modalities=["text", "image", "audio"])
LOOK = plain("raw_items")
ENVELOPES = plain("raw_envelopes")
REMOVE = plain("remove_first_item")
VERSION = plain("history_version")
BASELINE = plain("world_state_baseline")
TOKENS = plain("token_info")
SET_TOKENS = plain("set_token_info", value={"total": 7})
SET_BASELINE = plain("set_world_state_baseline", state=STATE)
UPDATE = plain("update_world_state", state=STATE)
CLONE = plain("clone", to=1)
MARKED: JsonObject = {"item": M, "metadata": {"place": 1}, "success": None}
NOTHING: JsonObject = {"ok": None}


def ok(value: Json) -> JsonObject:
    """Give an outcome."""
    return {"ok": value}


def bare(*items: JsonObject) -> JsonObject:
    """Give envelopes that hold nothing but items."""
    return ok([{"item": one, "metadata": None, "success": None} for one in items])


def blamed(
    script: Script, changes: dict[int, JsonObject], *modes: Mode, goes_on: bool = False
) -> set[str]:
    """Name what the judge blames for the model's outcomes with some of them changed."""
    answers = {}
    for mode in modes or tuple(Mode):
        answers[mode] = run_script(script, mode=mode, continue_after_panic=goes_on)
        for operation, outcome in changes.items():
            assert answers[mode][operation] != outcome
            answers[mode][operation] = outcome
    judge = Judge(DEFAULT_EDITION, Claim.full(), dict.fromkeys(answers, SEEING))
    judgement = judge.judge(script, answers, continue_after_panic=goes_on)
    assert not judgement.unattributed
    return {one.clause for one in judgement.violations}


@pytest.mark.parametrize(
    ("between", "clauses"),
    [
        ([PROJECT], {"PROJ-1"}),
        ([record()], {"REC-5"}),
        ([replace()], {"REPL-2"}),
        ([record(M), REMOVE], {"REC-5", "HEAD-8"}),
        ([rollback(0)], {"ROLL-1"}),
        ([rollback()], {"ROLL-8"}),
        ([REMOVE], {"HEAD-1"}),
        ([plain("clone", to=0)], {"SNAP-3"}),
    ],
)
def test_token_info_is_lost_by_what_came_between(between: Script, clauses: set[str]) -> None:
    """No clause says that it can be set, so whatever came after must have changed it."""
    script = [SET_TOKENS, *between, TOKENS]
    assert blamed(script, {len(script) - 1: NOTHING}) == clauses


@pytest.mark.parametrize("how", [UPDATE, SET_BASELINE])
@pytest.mark.parametrize(
    ("between", "clauses"),
    [
        (record(), {"REC-5", "WORLD-6"}),
        (PROJECT, {"WORLD-6", "PROJ-1"}),
        (REMOVE, {"WORLD-6", "HEAD-1"}),
        (rollback(0), {"WORLD-6", "ROLL-1"}),
        (plain("clone", to=0), {"SNAP-3"}),
        (annotate(), {"REC-5", "WORLD-6"}),
    ],
)
def test_a_baseline_is_lost_by_what_came_between(
    how: JsonObject, between: JsonObject, clauses: set[str]
) -> None:
    """WORLD-3 speaks only where nothing came after the update."""
    assert blamed([how, between, BASELINE], {2: NOTHING}) == clauses


def test_a_baseline_that_an_update_never_became_breaks_world_3() -> None:
    """Nothing came between."""
    assert blamed([UPDATE, BASELINE], {1: NOTHING}) == {"WORLD-3"}


@pytest.mark.parametrize(
    ("look", "setting", "value"),
    [
        (TOKENS, SET_TOKENS, None),
        (BASELINE, UPDATE, None),
        (BASELINE, SET_BASELINE, None),
        (VERSION, replace(), 7),
        (LOOK, record(M), []),
        (ENVELOPES, annotate(MARKED), [{"item": M, "metadata": None, "success": None}]),
    ],
)
def test_a_clone_that_shows_what_its_original_does_not_breaks_snap_3(
    look: JsonObject, setting: JsonObject, value: Json
) -> None:
    """The original shows it right, before or after the clone."""
    elsewhere = {**look, "on": 1}
    assert blamed([setting, CLONE, look, elsewhere], {3: ok(value)}) == {"SNAP-3"}
    assert blamed([setting, look, CLONE, elsewhere], {3: ok(value)}) == {"SNAP-3"}
    assert blamed([setting, CLONE, elsewhere, look], {2: ok(value)}) == {"SNAP-3"}


@pytest.mark.parametrize(
    ("look", "setting"), [(TOKENS, SET_TOKENS), (BASELINE, UPDATE), (BASELINE, SET_BASELINE)]
)
def test_a_clone_that_lost_what_was_set_breaks_snap_3(
    look: JsonObject, setting: JsonObject
) -> None:
    """Nobody looked at the original, but cloning is all that came between."""
    assert blamed([setting, CLONE, {**look, "on": 1}], {2: NOTHING}) == {"SNAP-3"}


def test_what_a_replacement_did_is_not_blamed_on_a_clone() -> None:
    """Nobody looked at the original, so the replacement is the cause (REPL-1, VER-2)."""
    assert blamed([replace(SYSTEM), CLONE, plain("raw_items", 1)], {2: ok([])}) == {"REPL-1"}
    assert blamed([replace(), CLONE, plain("history_version", 1)], {2: ok(0)}) == {"VER-2"}


def test_a_clone_that_filters_breaks_snap_3() -> None:
    """The original shows what was installed, and orphans that were recorded."""
    there = plain("raw_items", 1)
    assert blamed([replace(SYSTEM), CLONE, LOOK, there], {3: ok([])}) == {"SNAP-3"}
    assert blamed([record(M, ORPHAN), CLONE, there, LOOK], {2: ok([M])}) == {"SNAP-3"}


def test_envelopes_after_a_replacement_or_a_removal_are_theirs() -> None:
    """Metadata that comes back, or that does not stay (REPL-1, HEAD-8)."""
    script = [annotate(MARKED), replace(M), ENVELOPES]
    assert blamed(script, {2: ok([MARKED])}) == {"REPL-1"}
    other: JsonObject = {"item": message("b"), "metadata": {"place": 2}, "success": None}
    script = [annotate(MARKED, other), REMOVE, ENVELOPES]
    assert blamed(script, {2: bare(message("b"))}) == {"HEAD-8"}


def test_a_clone_that_lost_metadata() -> None:
    """Nothing but recording and cloning came before it (SNAP-3)."""
    script = [annotate(MARKED), ENVELOPES, CLONE, plain("raw_envelopes", 1)]
    assert blamed(script, {3: bare(M)}) == {"SNAP-3"}


def test_a_clone_onto_a_history_must_take_its_place() -> None:
    """What the handle had before must not show (SNAP-3)."""
    script = [record(M, on=1), CLONE, plain("raw_items", 1)]
    assert blamed(script, {2: ok([M])}) == {"SNAP-3"}
    onto_itself = plain("clone", to=0)
    assert blamed([SET_BASELINE, onto_itself, BASELINE], {2: NOTHING}) == {"SNAP-3"}
    empty = ok({"kind": "full", "entries": [], "cursor": cursor(0, 0)})
    script = [replace(), onto_itself, plain("read_transcript")]
    assert blamed(script, {2: empty}) == {"SNAP-3"}


def test_histories_that_were_never_cloned_share_nothing() -> None:
    """What another handle has shows in one that was never told (SNAP-1, VER-1 for a new one)."""
    other = plain("update_world_state", 1, state={"a": 2})
    assert blamed([other, BASELINE], {1: ok({"a": 2})}) <= {"VER-1", "SNAP-1"}
    assert blamed([SET_BASELINE, other, BASELINE], {2: ok({"a": 2})}) == {"SNAP-1"}
    tokens = plain("set_token_info", 1, value={"total": 9})
    assert blamed([SET_TOKENS, tokens, TOKENS], {2: ok({"total": 9})}) == {"SNAP-1"}
    assert blamed([SET_TOKENS, record(), tokens, TOKENS], {3: ok({"total": 9})}) == {"SNAP-1"}


def test_every_difference_after_a_panic_breaks_mode_8() -> None:
    """The projection is the last thing that happened to the history."""

    def after_panic(script: Script, changes: dict[int, JsonObject]) -> set[str]:
        return blamed(script, changes, Mode.DEBUG, goes_on=True)

    broken = record(ORPHAN)
    lost = [SET_BASELINE, broken, PROJECT, BASELINE]
    assert after_panic(lost, {3: NOTHING}) == {"MODE-8"}
    lost = [SET_BASELINE, BASELINE, broken, PROJECT, BASELINE]
    assert after_panic(lost, {4: NOTHING}) == {"MODE-8"}
    assert after_panic([broken, PROJECT, VERSION], {2: ok(1)}) == {"MODE-8"}
    bumped = ok({"kind": "full", "entries": [ORPHAN], "cursor": cursor(1, 1)})
    assert after_panic([broken, PROJECT, plain("read_transcript")], {2: bumped}) == {"MODE-8"}
    script = [broken, plain("read_transcript"), PROJECT, read(0, 1)]
    assert after_panic(script, {3: bumped}) == {"MODE-8"}


@pytest.mark.parametrize("then", [LOOK, record(M), VERSION, UPDATE, REMOVE, ENVELOPES])
def test_a_history_that_can_no_longer_be_used_breaks_mode_8(then: JsonObject) -> None:
    """Whatever panics after a projection panicked (and not MODE-9)."""
    script = [record(ORPHAN), PROJECT, then]
    poisoned: JsonObject = {"panic": "called `Result::unwrap()` on an `Err` value: PoisonError"}
    assert blamed(script, {2: poisoned}, Mode.DEBUG, goes_on=True) == {"MODE-8"}


def test_recording_leaves_what_was_there() -> None:
    """A look shows it right, and after recording it is another one (REC-1)."""
    script = [record(M), LOOK, record(message("b")), LOOK]
    assert blamed(script, {3: ok([message("c"), message("b")])}) == {"REC-1"}
    cut = record(CALL, output("abcdefghij"), mode="bytes", limit=5)
    whole = run_script([cut, LOOK], mode=Mode.RELEASE)[1]["ok"]
    assert isinstance(whole, list)
    again = [whole[0], output("ab…9 chars truncated…ij")]
    assert blamed([cut, LOOK, record(), LOOK], {3: ok(again)}) == {"REC-1"}


def test_a_version_that_rises_too_far_is_blamed_on_what_raises_it() -> None:
    """Replacing twice is two, not four (VER-2); what must leave it is blamed otherwise (VER-3)."""
    assert blamed([replace(), VERSION], {1: ok(2)}) == {"VER-2"}
    assert blamed([replace(), replace(), record(), VERSION], {3: ok(4)}) == {"VER-2"}
    assert "VER-3" in blamed([replace(), record(), record(), VERSION], {3: ok(3)})
    assert "VER-3" in blamed([replace(), record(), VERSION], {2: ok(2)})


def test_notes_stand_at_the_end_of_an_array() -> None:
    """What is left out is told at the end (TRUNC-10)."""
    body: list[Json] = [text("aaaa"), text("bbbb"), text("cccc")]
    script = [record(CALL, output(body), mode="bytes", limit=3), LOOK]
    whole: Any = run_script(script, mode=Mode.RELEASE)[1]["ok"]
    entries = whole[1]["output"]
    turned = [whole[0], output([entries[-1], *entries[:-1]])]
    assert blamed(script, {1: ok(turned)}) == {"TRUNC-10"}


def test_an_equal_key_of_the_plainest_kind_breaks_world_2() -> None:
    """WORLD-7 speaks of numbers that differ in kind."""
    before = plain("set_world_state_baseline", state={"a": 1, "b": 1})
    script = [before, plain("update_world_state", state={"a": 1, "c": {}})]
    patch: JsonObject = {"full": False, "patch": {"a": 1, "b": None, "c": {}}}
    assert blamed(script, {1: ok(patch)}) == {"WORLD-2"}
    script = [before, plain("update_world_state", state={"a": 1.0, "b": 1})]
    assert blamed(script, {1: NOTHING}) >= {"WORLD-7"}


SWITCH = text("<model_switch>x</model_switch>")
TURN: JsonObject = {"internal_chat_message_metadata_passthrough": {"turn_id": "t"}}
FIRST: JsonObject = {**message("a"), **TURN}
DEVELOPER: JsonObject = {
    "type": "message",
    "role": "developer",
    "content": [SWITCH, text("b")],
    **TURN,
}


def test_a_cleanup_that_takes_too_much_breaks_roll_9() -> None:
    """The whole message went, though only its switch must."""
    assert blamed([record(DEVELOPER, FIRST), rollback(), LOOK], {2: ok([])}) == {"ROLL-9"}


def test_a_cleanup_that_did_nothing_or_too_much_is_not_how_items_are_written() -> None:
    """What a rollback changed is neither reading nor writing (ROLL-9, and not ITEM-1)."""
    script = [record(DEVELOPER, FIRST), rollback(), LOOK]
    assert blamed(script, {2: ok([DEVELOPER])}) == {"ROLL-9"}
    all_gone = {**DEVELOPER, "content": []}
    assert blamed(script, {2: ok([all_gone])}) == {"ROLL-9"}
    other: JsonObject = {
        **DEVELOPER,
        "internal_chat_message_metadata_passthrough": {"turn_id": "u"},
    }
    script = [record(other, FIRST), rollback(), LOOK]
    assert blamed(script, {2: ok([{**other, "content": [text("b")]}])}) == {"ROLL-9"}


def test_a_cleanup_of_others_than_developers_breaks_roll_9() -> None:
    """A user's context lost its model switch, and another's message went for holding no more."""
    context: JsonObject = {**message("<skill>s</skill>"), **TURN}
    user: JsonObject = {**context, "content": [SWITCH, text("<skill>s</skill>")]}
    script = [record(user, FIRST), rollback(), LOOK]
    assert blamed(script, {2: ok([context])}) == {"ROLL-9"}
    assistant: JsonObject = {**DEVELOPER, "role": "assistant", "content": [SWITCH]}
    script = [record(assistant, FIRST), rollback(), LOOK]
    assert blamed(script, {2: ok([])}) == {"ROLL-9"}


def test_what_else_goes_from_the_prefix_is_no_cleanup() -> None:
    """A text that is no model switch went from a message that is no developer's (ROLL-8)."""
    context: JsonObject = {**message("<skill>s</skill>"), **TURN}
    two: JsonObject = {**context, "content": [text("a"), text("<skill>s</skill>")]}
    script = [record(two, FIRST), LOOK, rollback(), LOOK]
    assert blamed(script, {3: ok([context])}) == {"ROLL-8"}


def test_a_synthetic_output_in_the_place_of_a_late_one_breaks_proj_7() -> None:
    """What was made up once stands where what came has its place, id and all."""
    call: JsonObject = {**CALL, "id": "fc_1"}
    late: JsonObject = {**output("ok"), "id": "fco_1"}
    made: JsonObject = {**output("aborted"), "id": "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4"}
    script = [record(call), PROJECT, record(late), PROJECT]
    assert blamed(script, {3: ok([call, made])}) == {"PROJ-7"}
    other: JsonObject = {**output("otherwise"), "id": "fco_1"}
    assert blamed(script, {3: ok([call, other])}) == {"ORD-3", "PROJ-6"}


def test_a_rollback_that_changes_an_item_seen_right_before_breaks_roll_8_alone() -> None:
    """It was read and written well (and not ITEM-1)."""
    script = [record(message("p", "system2"), M), LOOK, rollback(), LOOK]
    assert blamed(script, {3: ok([message("q", "system2")])}) == {"ROLL-8"}


def test_a_batch_without_items_is_no_item_that_is_refused() -> None:
    """There is nothing to read (REC-1, REPL-1)."""
    refused: JsonObject = {"error": {"message": "nothing to record"}}
    assert blamed([record()], {0: refused}) == {"REC-1"}
    assert blamed([annotate()], {0: refused}) == {"REC-1"}
    assert blamed([replace()], {0: refused}) == {"REPL-1"}


def test_words_before_the_message_of_an_anomaly_are_not_about_another_call() -> None:
    """Only the wording is wrong (MODE-1, and not MODE-2)."""
    search: JsonObject = {
        "type": "tool_search_call",
        "call_id": "a",
        "execution": "client",
        "arguments": {},
    }
    worded: JsonObject = {
        "panic": "broken history: Orphan function call output for call id: a",
    }
    script = [record(search, ORPHAN), PROJECT]
    assert blamed(script, {1: worded}, Mode.DEBUG) == {"MODE-1"}


def test_a_text_cut_wrongly_is_the_fault_of_recording_alone() -> None:
    """Neither of projection nor of what removes, wherever it shows first (TRUNC-6)."""
    cut = record(CALL, output("abcdefghijklmnopqrstuvwxyz"), mode="tokens", limit=1)
    wrong = output("abcd…4 tokens truncated…wxyz")
    assert blamed([cut, PROJECT], {1: ok([CALL, wrong])}) == {"TRUNC-6"}
    assert blamed([cut, LOOK, PROJECT], {1: ok([CALL, wrong]), 2: ok([CALL, wrong])}) == {"TRUNC-6"}
    assert blamed([cut, PROJECT, LOOK], {1: ok([CALL, wrong]), 2: ok([CALL, wrong])}) == {"TRUNC-6"}
    script = [record(M), cut, REMOVE, LOOK]
    assert blamed(script, {3: ok([CALL, wrong])}) == {"TRUNC-6"}
    script = [cut, record(M), rollback(), LOOK]
    assert blamed(script, {3: ok([CALL, wrong])}) == {"TRUNC-6"}


def test_a_clone_that_is_no_other_history_breaks_snap_1_and_nothing_more() -> None:
    """All outcomes are those of one history in place of two."""
    there = {**PROJECT, "on": 1}
    script = [
        record(M),
        CLONE,
        record(CALL, on=1),
        PROJECT,
        plain("read_transcript"),
        plain("history_version", 1),
        REMOVE,
        there,
        plain("raw_items", 1),
    ]
    one: Script = [VERSION if op["op"] == "clone" else {**op, "on": 0} for op in script]
    shared = run_script(one, mode=Mode.RELEASE)
    changes = {3: shared[3], 4: shared[4], 7: shared[7], 8: shared[8]}
    assert blamed(script, changes, Mode.RELEASE) == {"SNAP-1"}


def test_an_update_against_the_baseline_of_a_clone_breaks_snap_1() -> None:
    """The report is the one that the clone's baseline asks for."""
    there = plain("update_world_state", 1, state={"a": 2})
    script = [CLONE, there, plain("update_world_state", state={"a": 2, "b": 1})]
    patch: JsonObject = {"full": False, "patch": {"b": 1}}
    assert blamed(script, {2: ok(patch)}) == {"SNAP-1"}


def test_a_version_that_rises_with_that_of_a_clone_breaks_snap_1() -> None:
    """Both rose, and what is shown is neither's alone."""
    script = [replace(), CLONE, {**replace(), "on": 1}, replace(), replace(), VERSION]
    assert blamed(script, {5: ok(4)}) == {"SNAP-1"}


def test_a_rollback_that_keeps_too_much_is_not_blamed_on_a_clone() -> None:
    """What is shown too much was its own, though a clone that changed has it as well."""
    turns = [record(M, message("b")), CLONE, record(message("c"), on=1), rollback()]
    assert blamed([*turns, PROJECT], {4: ok([M, message("b")])}).isdisjoint({"SNAP-1", "SNAP-3"})
    assert blamed([*turns, LOOK], {4: ok([M, message("b")])}) == {"ROLL-4"}
    full = ok({"kind": "full", "entries": [M, message("b")], "cursor": cursor(1, 2)})
    assert blamed([*turns, plain("read_transcript")], {4: full}) == {"CUR-2"}


def test_what_happened_to_a_clone_is_not_blamed_on_the_cloning() -> None:
    """Its original is right, and nothing but the clone panicked, or recorded (MODE-8, VER-3)."""
    there = plain("history_version", 1)
    script = [record(ORPHAN), CLONE, {**PROJECT, "on": 1}, there, VERSION]
    assert blamed(script, {3: ok(1)}, Mode.DEBUG, goes_on=True) == {"MODE-8"}
    script = [record(M), VERSION, CLONE, record(M, on=1), there]
    assert blamed(script, {4: ok(1)}) == {"VER-3", "REC-5"}


def test_a_clone_onto_itself_keeps_everything_whatever_else_came_between() -> None:
    """All is gone that was there when it was cloned (SNAP-3)."""
    onto_itself = plain("clone", to=0)
    script = [UPDATE, record(), onto_itself, PROJECT, BASELINE]
    assert blamed(script, {4: NOTHING}) == {"SNAP-3"}
    assert blamed([replace(), onto_itself, record(), VERSION], {3: ok(0)}) == {"SNAP-3"}
    added = message("b")
    assert blamed([record(M), onto_itself, record(added), LOOK], {3: ok([added])}) == {"SNAP-3"}
    assert blamed([record(M), onto_itself, LOOK], {2: ok([])}) == {"SNAP-3"}


def test_envelopes_are_blamed_on_changes_though_the_items_were_seen() -> None:
    """A look at the items alone does not show what an envelope keeps (REPL-1, HEAD-8, REC-7)."""
    script = [annotate(MARKED), replace(M), LOOK, ENVELOPES]
    assert blamed(script, {3: ok([MARKED])}) == {"REPL-1"}
    script = [annotate({**MARKED, "item": SYSTEM}, MARKED, MARKED), REMOVE, LOOK, ENVELOPES]
    assert blamed(script, {3: bare(M)}) == {"HEAD-8"}
    assert blamed([annotate(MARKED), LOOK, ENVELOPES], {2: bare(M)}) == {"REC-7"}
    script = [annotate(MARKED), ENVELOPES, record(CALL, on=1), ENVELOPES]
    assert blamed(script, {3: bare(M)}) == {"SNAP-1"}
    script = [annotate(MARKED), ENVELOPES, PROJECT, ENVELOPES]
    assert blamed(script, {3: bare(M)}) == {"PROJ-1"}
