"""Reading a script for the binary's wire: what is asked, and what is settled without asking."""

from __future__ import annotations

import pytest

from contextcert.adapters.codex.models import POLICY
from contextcert.adapters.codex.steps import Project, Record, Restore, read_script
from contextcert.refmodel import MODALITIES, OPERATIONS, Json, JsonObject, TruncationPolicy

RECORD: JsonObject = {"op": "record_items", "items": [], "policy": POLICY}
PROJECT: JsonObject = {"op": "for_prompt", "input_modalities": ["audio", "text", "text"]}


def test_what_the_wire_can_do_becomes_steps() -> None:
    """Recording, restoring and projecting are asked for, modalities in SPEC's order."""
    restore: JsonObject = {"op": "restore_items", "items": [1], "on": 1}
    reading = read_script([RECORD, restore, PROJECT], MODALITIES)
    assert reading.settled == {}
    assert reading.steps == (
        Record(0, 0, ()),
        Restore(1, 1, (1,)),
        Project(2, 0, ("text", "audio")),
    )


def test_envelopes_are_recorded_without_their_metadata() -> None:
    """Metadata never reaches the binary, and no prompt depends on it (PROJ-3)."""
    op: JsonObject = {
        "op": "record_annotated_items",
        "envelopes": [{"item": {"type": "other"}, "metadata": {"a": 1}}],
        "policy": POLICY,
    }
    assert read_script([op], MODALITIES).steps == (Record(0, 0, ({"type": "other"},)),)


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_every_operation_of_the_protocol_has_an_answer(name: str) -> None:
    """Each operation is a step, or unsupported with a reason, or refused for its arguments."""
    reading = read_script([{"op": name}], MODALITIES)
    (outcome,) = reading.outcomes({0: {"ok": None}})
    assert outcome.keys() <= {"ok", "unsupported", "error"}


CHANGES: list[JsonObject] = [
    {"op": "replace", "items": []},
    {"op": "remove_first_item"},
    {"op": "drop_last_n_user_turns", "num_turns": 1},
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_history_that_a_release_cannot_change_is_lost(change: JsonObject) -> None:
    """After a change that the wire cannot make, nothing of that history can be judged."""
    script = [RECORD, change, PROJECT, {**PROJECT, "on": 1}]
    reading = read_script(script, MODALITIES, changes=False)
    assert reading.settled.keys() == {1, 2}
    assert "unsupported" in reading.settled[2]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_a_step(change: JsonObject) -> None:
    """Each has a route of its own."""
    reading = read_script([RECORD, change, PROJECT], MODALITIES)
    assert not reading.settled
    assert len(reading.steps) == 3


@pytest.mark.parametrize("later", [RECORD, CHANGES[2], {"op": "restore_items", "items": []}])
def test_a_history_without_its_head_is_only_looked_at(later: JsonObject) -> None:
    """The binary removes items from a copy, on which nothing can be recorded; replacing helps."""
    script = [RECORD, CHANGES[1], PROJECT, later, PROJECT, CHANGES[0], later, PROJECT]
    reading = read_script(script, MODALITIES)
    assert reading.settled.keys() == {3, 4}


@pytest.mark.parametrize("turns", [-1, 2**32, True, 1.0, None])
def test_a_wrong_number_of_turns_is_an_error(turns: Json) -> None:
    """The operation has no effect, and the script goes on."""
    reading = read_script([{**CHANGES[2], "num_turns": turns}, PROJECT], MODALITIES)
    assert reading.settled.keys() == {0}
    assert "error" in reading.settled[0]


def test_a_clone_loses_its_target_alone() -> None:
    """The history that is cloned stays what it was."""
    clone: JsonObject = {"op": "clone", "to": 1}
    reading = read_script([RECORD, clone, PROJECT, {**PROJECT, "on": 1}], MODALITIES)
    assert reading.settled.keys() == {1, 3}


def test_a_look_that_the_wire_does_not_offer_loses_nothing() -> None:
    """Reading raw items changes nothing, so that what follows is judged."""
    reading = read_script([RECORD, {"op": "raw_items"}, PROJECT], MODALITIES)
    assert reading.settled.keys() == {1}


def test_the_policies_of_a_script_are_told() -> None:
    """The binary reads them when it starts."""
    policy: JsonObject = {"mode": "bytes", "limit": 3}
    reading = read_script([{**RECORD, "policy": policy}, PROJECT], MODALITIES)
    assert reading.policies == {TruncationPolicy.from_json(policy)}


def test_a_limit_that_no_catalogue_can_hold_loses_the_history() -> None:
    """What is recorded under another one would be cut otherwise."""
    policy: JsonObject = {"mode": "bytes", "limit": 2**63}
    reading = read_script([{**RECORD, "policy": policy}, PROJECT], MODALITIES)
    assert reading.settled.keys() == {0, 1}


def test_a_modality_the_release_lacks_is_unsupported() -> None:
    """That is not the script's mistake."""
    reading = read_script([PROJECT], ("text", "image"))
    assert "unsupported" in reading.settled[0]


@pytest.mark.parametrize(
    "op",
    [
        {"op": 1},
        {"op": "record_items", "items": "x", "policy": POLICY},
        {"op": "record_annotated_items", "envelopes": [3], "policy": POLICY},
        {"op": "record_annotated_items", "envelopes": [{"item": 1, "metadata": 1}]},
        {"op": "for_prompt", "input_modalities": ["video"]},
        {"op": "for_prompt", "on": True, "input_modalities": []},
    ],
)
def test_bad_arguments_are_errors(op: JsonObject) -> None:
    """The operation has no effect, and the script goes on."""
    reading = read_script([op, RECORD], MODALITIES)
    error: Json = reading.settled[0].get("error")
    assert isinstance(error, dict)
    assert error["message"]
    assert len(reading.steps) == 1
