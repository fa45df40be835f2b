"""What a fault is blamed on: the clause that speaks of it, and none that merely meets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from contextcert.properties import Judge, Judgement
from contextcert.refmodel import DEFAULT_EDITION, Claim, Mode, run_script
from contextcert.refmodel.json_value import JsonObject
from contextcert.strategies import POLICY, Script
from contextcert.subject import Capabilities

SEEING = Capabilities(
    diagnostics=True, exact_numbers=True, success_flag=True, continue_after_panic=True
)
ALL = ["text", "image", "audio"]
PICTURE: JsonObject = {
    "type": "message",
    "role": "user",
    "content": [{"type": "input_image", "image_url": "https://example.invalid/a.png"}],
}
MESSAGE: JsonObject = {"type": "message", "role": "user", "content": []}
CALL: JsonObject = {"type": "function_call", "name": "f", "arguments": "{}", "call_id": "a"}
CUSTOM: JsonObject = {"type": "custom_tool_call", "name": "t", "input": "", "call_id": "c"}


def record(*items: JsonObject, on: int = 0) -> JsonObject:
    """Record items as they are."""
    return {"op": "record_items", "items": list(items), "policy": POLICY, "on": on}


def project(*modalities: str, on: int = 0) -> JsonObject:
    """Project for a model of some modalities."""
    return {"op": "for_prompt", "input_modalities": list(modalities), "on": on}


def judged(
    script: Script,
    change: Callable[[list[JsonObject]], Any],
    *modes: Mode,
    goes_on: bool = False,
) -> Judgement:
    """Judge the model's outcomes after a change to them."""
    answers = {}
    for mode in modes or tuple(Mode):
        answers[mode] = run_script(script, mode=mode, continue_after_panic=goes_on)
        change(answers[mode])
    judge = Judge(DEFAULT_EDITION, Claim.full(), dict.fromkeys(answers, SEEING))
    return judge.judge(script, answers, continue_after_panic=goes_on)


def named(judgement: Judgement) -> set[tuple[str, int]]:
    """Give the clauses, each with the operation that it is reported for."""
    assert not judgement.unattributed
    return {(one.clause, one.operation) for one in judgement.violations}


HOLD: JsonObject = {"op": "hold", "name": "h", "what": "for_prompt", "input_modalities": []}
HELD: JsonObject = {"op": "held", "name": "h"}


def test_a_wrong_prompt_that_is_kept_breaks_nothing_more() -> None:
    """What was handed out stays as it is, wrong as it was (SNAP-2)."""

    def keep_images(outcomes: list[JsonObject]) -> None:
        outcomes[1] = outcomes[4] = {"ok": [PICTURE]}

    script = [record(PICTURE), project(), HOLD, record(MESSAGE), HELD]
    found = named(judged(script, keep_images))
    assert ("IMG-2", 1) in found
    assert {operation for _, operation in found} == {1}


def test_a_held_prompt_that_nothing_can_be_said_of_is_left_alone() -> None:
    """It was never shown otherwise, and nothing came between."""

    def keep_images(outcomes: list[JsonObject]) -> None:
        outcomes[2] = {"ok": [PICTURE]}

    assert named(judged([record(PICTURE), HOLD, HELD], keep_images)) == set()


@pytest.mark.parametrize("projected", [True, False])
def test_a_held_prompt_that_changed_breaks_snap_2(*, projected: bool) -> None:
    """With the prompt beside it, or with nothing else to blame."""
    prompt = [project()] if projected else []

    def grow(outcomes: list[JsonObject]) -> None:
        outcomes[-1] = {"ok": [MESSAGE, MESSAGE]}

    script = [record(MESSAGE), *prompt, HOLD, record(MESSAGE), HELD]
    assert named(judged(script, grow)) == {("SNAP-2", len(script) - 1)}


LOOK: JsonObject = {"op": "raw_items"}


def test_a_history_that_changes_while_only_another_is_asked() -> None:
    """Histories are independent, whether cloned or not (SNAP-1)."""

    def leak(outcomes: list[JsonObject]) -> None:
        outcomes[-1] = {"ok": []}

    script = [record(MESSAGE), LOOK, record(CALL, on=1), LOOK]
    assert named(judged(script, leak)) == {("SNAP-1", 3)}


def test_a_history_that_changes_after_the_panic_of_another() -> None:
    """A panic leaves every history as it was (MODE-8)."""

    def lose(outcomes: list[JsonObject]) -> None:
        outcomes[-1] = {"ok": []}

    script = [record(MESSAGE), LOOK, record(CUSTOM, on=1), project(*ALL, on=1), LOOK]
    assert named(judged(script, lose, Mode.DEBUG, goes_on=True)) == {("MODE-8", 4)}


def test_an_unstable_projection_speaks_for_all_that_is_wrong_with_it() -> None:
    """Whatever the second prompt lacks, it lacks because it is another one (PROJ-2)."""

    def lose(outcomes: list[JsonObject]) -> None:
        outcomes[2] = {"ok": []}

    script = [record(MESSAGE, CALL), project(*ALL), project(*ALL)]
    assert named(judged(script, lose)) == {("PROJ-2", 2)}


SEARCHED: JsonObject = {
    "type": "tool_search_output",
    "call_id": None,
    "status": "completed",
    "execution": "client",
    "tools": [],
}
ORPHAN = "Orphan tool search output for call id: "


def test_panics_and_messages_are_left_to_the_clause_that_says_why() -> None:
    """An output without a call id is removed: ORPH-4, and not MODE-1, MODE-3 and MODE-7 beside."""
    script = [record(SEARCHED), project(*ALL)]
    answers: dict[Mode, list[JsonObject]] = {
        Mode.DEBUG: [{"ok": None}, {"panic": ORPHAN}],
        Mode.RELEASE: [{"ok": None}, {"ok": [], "diagnostics": [ORPHAN]}],
    }
    judge = Judge(DEFAULT_EDITION, Claim.full(), dict.fromkeys(Mode, SEEING))
    judgement = judge.judge(script, answers)
    assert named(judgement) == {("ORPH-4", 1)}
    alone = Judge(DEFAULT_EDITION, Claim.full(), {Mode.DEBUG: SEEING})
    judgement = alone.judge(script, {Mode.DEBUG: answers[Mode.DEBUG]})
    assert judgement.violations
    assert not judgement.unattributed


def test_a_debug_build_that_alone_is_wrong_is_named_by_its_panics() -> None:
    """Where release is right there is nothing else to say it (MODE-3)."""
    script = [record(CUSTOM), project(*ALL)]

    def never(outcomes: list[JsonObject]) -> None:
        if "panic" in outcomes[1]:
            outcomes[1] = {"ok": run_script(script, mode=Mode.RELEASE)[1]["ok"]}

    assert named(judged(script, never)) == {("MODE-3", 1)}


def test_a_removed_synthetic_output_is_no_confusion_of_families() -> None:
    """The message says that it was taken for an orphan (ORPH-9), whatever else has its id."""
    shell: JsonObject = {
        "type": "local_shell_call",
        "call_id": "c",
        "status": "completed",
        "action": {"type": "exec", "command": ["ls"]},
    }
    other: JsonObject = {"type": "custom_tool_call_output", "call_id": "c", "output": "x"}
    script = [record(shell, other, CUSTOM), project(*ALL)]

    def remove(outcomes: list[JsonObject]) -> None:
        prompt: Any = outcomes[1]
        prompt["ok"] = [one for one in prompt["ok"] if one.get("output") != "aborted"]
        prompt["diagnostics"] = [
            "Local shell call output is missing for call id: c",
            "Orphan function call output for call id: c",
        ]

    found = {clause for clause, _ in named(judged(script, remove, Mode.RELEASE))}
    assert found == {"ORPH-9", "PAIR-4"}


def test_a_prompt_that_is_to_be_kept_panics_as_the_prompt_did() -> None:
    """Handing out is projecting, so what a panic leaves behind shows there too (MODE-8)."""

    def poison(outcomes: list[JsonObject]) -> None:
        outcomes[2] = {"panic": "the lock is poisoned"}

    script = [record(CUSTOM), project(), HOLD, HELD]
    assert named(judged(script, poison, Mode.DEBUG, goes_on=True)) == {("MODE-8", 2)}
