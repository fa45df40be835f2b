"""Blame where an implementation shows less, or knows less, than the edition it is held against."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from contextcert.properties import Judge
from contextcert.properties.item_facts import ID_PREFIX
from contextcert.properties.synthetic import synthetic_id
from contextcert.refmodel import Claim, Edition, Json, JsonObject, Mode, run_script
from contextcert.subject import Capabilities, Script

POLICY: JsonObject = {"mode": "tokens", "limit": 10_000}
PNG = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3"
    "A0FDAAAAAElFTkSuQmCC"
)


def judged(
    script: Script,
    edition: Edition,
    capabilities: Capabilities,
    change: Callable[[list[Any]], list[Any]],
    *,
    modalities: frozenset[str] = frozenset({"text", "image", "audio"}),
) -> tuple[set[str], set[str]]:
    """Give the clauses that are violated, and those exercised, where prompts are changed."""
    outcomes = run_script(script, mode=Mode.RELEASE, edition=edition)
    answers: list[JsonObject] = []
    for op, outcome in zip(script, outcomes, strict=True):
        prompt = outcome.get("ok")
        shown = op["op"] == "for_prompt" and isinstance(prompt, list)
        answers.append({"ok": change(prompt)} if shown and isinstance(prompt, list) else outcome)
    profiles = frozenset({"projection", "media"})
    claim = Claim(profiles, Claim.full().item_types, modalities)
    judgement = Judge(edition, claim, {Mode.RELEASE: capabilities}).judge(
        script, {Mode.RELEASE: answers}
    )
    assert not judgement.unattributed
    violated = {one.clause for one in judgement.violations}
    return violated, {clause for (clause, _), times in judgement.exercised.items() if times}


def call(item_id: str) -> JsonObject:
    """Give an unanswered call."""
    return {
        "type": "function_call",
        "id": item_id,
        "name": "n",
        "arguments": "{}",
        "call_id": "c1",
    }


def test_what_hides_every_id_exercises_no_clause_about_ids() -> None:
    """Nothing can be said of the ids of synthetic outputs, not even that they conform."""
    script: Script = [
        {"op": "record_items", "items": [call("fc_1"), call("")], "policy": POLICY},
        {"op": "for_prompt", "input_modalities": ["text"]},
    ]
    capabilities = Capabilities(hidden_fields=dict.fromkeys(ID_PREFIX, ("/id",)))
    violated, exercised = judged(
        script,
        Edition.AUGUST_2026,
        capabilities,
        lambda prompt: [{k: v for k, v in one.items() if k != "id"} for one in prompt],
    )
    assert violated == set()
    assert "PAIR-1" in exercised
    assert exercised.isdisjoint({"SYN-1", "SYN-2", "SYN-3", "SYN-4"})


def test_a_lost_output_without_call_id_is_blamed_on_its_clause_alone() -> None:
    """The synthetic output beside it is not taken for it, though neither has an id (E11-1)."""
    lone: JsonObject = {"type": "function_call_output", "output": "ok"}
    script: Script = [
        {"op": "restore_items", "items": [call(""), lone]},
        {"op": "for_prompt", "input_modalities": ["text"]},
    ]
    violated, _ = judged(
        script,
        Edition.NOVEMBER_2026,
        Capabilities(restore_items=True),
        lambda prompt: [one for one in prompt if one.get("call_id") or "output" not in one],
    )
    assert violated == {"E11-1"}


@pytest.mark.parametrize(
    ("also", "change", "clauses"),
    [({"id": ""}, {"id": ""}, {"E11-1", "E11-6"}), ({"name": "n"}, {"name": None}, {"E11-1"})],
)
def test_an_output_lost_beside_one_that_lost_a_field_was_not_merged_with_it(
    also: JsonObject, change: JsonObject, clauses: set[str]
) -> None:
    """Each has its own clause (E11-1, E11-6), and order has nothing to do with it (ORD-1)."""
    lone: JsonObject = {"type": "function_call_output", "output": "ok"}
    output: JsonObject = {**lone, "call_id": "c1", **also}
    script: Script = [
        {"op": "restore_items", "items": [lone, output, call("fc_1")]},
        {"op": "for_prompt", "input_modalities": ["text"]},
    ]
    violated, _ = judged(
        script,
        Edition.NOVEMBER_2026,
        Capabilities(restore_items=True),
        lambda prompt: [
            {k: v for k, v in {**prompt[1], **change}.items() if v is not None},
            prompt[2],
        ],
    )
    assert violated == clauses


@pytest.mark.parametrize("taken", [["text", "image"], ["image"]])
def test_a_lost_detail_is_no_matter_of_other_modalities(taken: list[Json]) -> None:
    """An image that is altered, and not downgraded, says nothing of text or audio (AUD-5)."""
    image: JsonObject = {"type": "input_image", "image_url": PNG, "detail": "auto"}
    message: JsonObject = {"type": "message", "role": "user", "content": [image]}
    script: Script = [
        {"op": "record_items", "items": [message], "policy": POLICY},
        {"op": "for_prompt", "input_modalities": taken},
    ]
    bare = {key: value for key, value in image.items() if key != "detail"}
    violated, _ = judged(
        script,
        Edition.AUGUST_2026,
        Capabilities(),
        lambda prompt: [{**one, "content": [bare]} for one in prompt],
        modalities=frozenset({"text", "image"}),
    )
    assert violated == {"IMG-1"}


def test_what_was_expected_has_the_ids_that_the_subject_gave() -> None:
    """Beside the answer only the synthetic output differs, which has no id (E11-2, SYN-1)."""
    fresh = "fc_01a22f9e-2fc5-78a2-b107-dc4d29de7cad"
    script: Script = [
        {"op": "record_items", "items": [call("")], "policy": POLICY},
        {"op": "for_prompt", "input_modalities": ["text"]},
    ]
    aborted: JsonObject = {"type": "function_call_output", "call_id": "c1", "output": "aborted"}
    answers: list[JsonObject] = [{"ok": None}, {"ok": [call(fresh), aborted]}]
    judge = Judge(Edition.NOVEMBER_2026, Claim.full(), {Mode.RELEASE: Capabilities()})
    wanted = judge.expected(script, {Mode.RELEASE: answers})[Mode.RELEASE][1]["ok"]
    assert isinstance(wanted, list)
    assert wanted[0] == call(fresh)
    assert isinstance(wanted[1], dict)
    assert wanted[1]["id"] == synthetic_id("function_call_output", fresh)
