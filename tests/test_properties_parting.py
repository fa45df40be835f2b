"""What an adapter cannot do, or does otherwise: nothing that follows from it is held against it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from contextcert.properties import Judge, examples
from contextcert.refmodel import DEFAULT_EDITION, Claim, Mode, run_script_in_both_modes
from contextcert.refmodel.script import OPERATIONS
from contextcert.strategies import GROUPS, Scope, generate
from contextcert.subject import Capabilities

SEEING = Capabilities(diagnostics=True, exact_numbers=True, success_flag=True)
CASES = Path(__file__).parents[2] / "shared" / "cases"
POLICY = {"mode": "tokens", "limit": 10000}
BRINGING = ("record_items", "record_annotated_items", "replace")
MESSAGE = {"type": "message", "role": "user", "content": []}

Script = list[dict[str, Any]]


def judge() -> Judge:
    """Make a judge of a full claim."""
    return Judge(DEFAULT_EDITION, Claim.full(), dict.fromkeys(Mode, SEEING))


def without(name: str, script: Script, answer: dict[str, Any]) -> dict[Mode, Script]:
    """Run a script on the model without one operation, which is answered for instead."""
    outcomes = run_script_in_both_modes([op for op in script if op["op"] != name])
    return {mode: woven(name, script, list(each), answer) for mode, each in outcomes.items()}


def woven(name: str, script: Script, done: Script, answer: dict[str, Any]) -> Script:
    """Put the answer in where the operation stood, up to a panic."""
    answers: Script = []
    for op in script:
        if answers and "panic" in answers[-1]:
            break
        answers.append(answer if op["op"] == name else done.pop(0))
    return answers


def scripts() -> list[Script]:
    """Give random scripts, the pinned ones, and some whole lives of histories."""
    scope = evolve(Scope.full(), success_flag=True)
    drawn = [one for group in GROUPS for one in generate(group, scope, seed=3, count=60)]
    return [*drawn, *(one["ops"] for one in examples()), *LIVES]


def record(*items: dict[str, Any], on: int = 0) -> dict[str, Any]:
    """Record items without truncating them."""
    return {"op": "record_items", "items": list(items), "policy": POLICY, "on": on}


def looks(on: int) -> Script:
    """Look at all of a history."""
    names = ("raw_items", "history_version", "world_state_baseline", "reference_context_item")
    others = [{"op": name, "on": on} for name in (*names, "token_info")]
    return [*others, {"op": "read_transcript", "cursor": None, "on": on}]


CHANGES: Script = [
    record(MESSAGE, {**MESSAGE, "id": "msg_1"}),
    {"op": "set_token_info", "value": 1},
    {"op": "set_reference_context_item", "value": 2},
    {"op": "update_world_state", "state": {"a": 1}},
    {"op": "update_world_state", "state": {"a": 2}},
    {"op": "remove_first_item"},
    {"op": "update_world_state", "state": {"a": 3}},
    {"op": "drop_last_n_user_turns", "num_turns": 1},
    {"op": "set_world_state_baseline", "state": {"b": 1}},
    {"op": "update_world_state", "state": {"b": 2}},
    {"op": "hold", "name": "h", "what": "raw_items"},
    {"op": "clone", "to": 1},
    {"op": "replace", "items": [MESSAGE]},
    record(MESSAGE, on=1),
]
LIVES: list[Script] = [
    [step for op in CHANGES for step in (op, *looks(0), *looks(1), {"op": "held", "name": "h"})],
    [*CHANGES, *looks(0), *looks(1), {"op": "clone", "to": 2}, *looks(2)],
]


@pytest.mark.parametrize("name", OPERATIONS)
def test_lacking_operation_spoils_nothing_else(name: str) -> None:
    """An adapter that lacks an operation, and is right in all else, is blamed for nothing."""
    judging = judge()
    for script in scripts():
        answers = without(name, script, {"unsupported": f"no {name}"})
        judgement = judging.judge(script, answers)
        assert judgement.clean, (script, judgement.violations, judgement.unattributed)


@pytest.mark.parametrize("name", BRINGING)
def test_refusal_is_blamed_on_itself_alone(name: str) -> None:
    """What follows from a refusal is not judged; the refusal is, where the items are readable.

    Where there are none, it is what the operation does that is broken.
    """
    judging = judge()
    for script in scripts():
        answers = without(name, script, {"error": {"message": "not today"}})
        judgement = judging.judge(script, answers)
        assert judgement.unattributed == ()
        assert all(script[one.operation]["op"] == name for one in judgement.violations)
        groups = {one.clause.partition("-")[0] for one in judgement.violations}
        assert groups <= {"ITEM", "REC", "REPL"}


def test_replacing_makes_histories_the_same_again() -> None:
    """After a replace that both carried out, the items are compared and judged again."""
    script: Script = [
        {"op": "record_annotated_items", "envelopes": [], "policy": POLICY},
        {"op": "raw_items"},
        {"op": "replace", "items": [MESSAGE]},
        {"op": "raw_items"},
        {"op": "for_prompt", "input_modalities": []},
    ]
    no: dict[str, Any] = {"unsupported": "no"}
    done: dict[str, Any] = {"ok": None}
    right: dict[str, Any] = {"ok": [MESSAGE]}
    wrong: dict[str, Any] = {"ok": [MESSAGE, MESSAGE]}
    judgement = judge().judge(script, {Mode.RELEASE: [no, wrong, done, right, wrong]})
    assert {one.operation for one in judgement.violations} == {4}


def test_clone_hands_its_parting_on() -> None:
    """A clone of a history that parted says nothing either, and a clone of a good one does."""
    script: Script = [
        {"op": "drop_last_n_user_turns", "num_turns": 1},
        {"op": "clone", "to": 1},
        {"op": "raw_items", "on": 1},
        {"op": "clone", "on": 2, "to": 1},
        {"op": "raw_items", "on": 1},
    ]
    outcomes: Script = [{"unsupported": "no"}, {"ok": None}, {"ok": [MESSAGE]}, {"ok": None}]
    empty: dict[str, Any] = {"ok": []}
    right = judge().judge(script, {Mode.RELEASE: [*outcomes, empty]})
    assert right.clean
    wrong = judge().judge(script, {Mode.RELEASE: [*outcomes, outcomes[2]]})
    operations = {one.operation for one in wrong.violations}
    assert operations | {one.operation for one in wrong.unattributed} == {4}


def test_other_handles_stay_judged() -> None:
    """What one handle lacks says nothing about another."""
    script: Script = [
        {"op": "replace", "items": []},
        record(MESSAGE, on=1),
        {"op": "for_prompt", "input_modalities": [], "on": 1},
    ]
    answers: Script = [{"unsupported": "no"}, {"ok": None}, {"ok": []}]
    assert not judge().judge(script, {Mode.RELEASE: answers}).clean


@pytest.mark.parametrize("name", OPERATIONS)
def test_observed_lives_without_an_operation(name: str) -> None:
    """What upstream was observed to do passes, whichever operation its adapter lacked."""
    file = CASES / "curated.jsonl"
    if not file.exists():
        pytest.skip(f"the observed cases are not here: {file.name} is missing")
    judging = judge()
    for line in file.read_text().rstrip("\n").split("\n")[::3]:
        ops = json.loads(line)["ops"]
        assert judging.judge(ops, without(name, ops, {"unsupported": "no"})).clean, ops
