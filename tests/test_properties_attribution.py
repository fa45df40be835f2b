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
