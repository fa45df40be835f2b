"""Putting histories together on one thread, and taking prompts apart again."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextcert.adapters.codex import batch
from contextcert.adapters.codex.models import POLICY
from contextcert.adapters.codex.steps import read_script
from contextcert.refmodel import MODALITIES, Edition, Json, JsonObject, Mode, run_script
from contextcert.strategies import GROUPS, Scope, scripts
from contextcert.subject import Script

EDITION = Edition.AUGUST_2026  # ids are then not minted, so that prompts compare exactly


def call(call_id: str, item_id: str = "fc_1") -> JsonObject:
    """Give a function call."""
    named: JsonObject = {"type": "function_call", "id": item_id, "name": "n", "arguments": "{}"}
    return {**named, "call_id": call_id}


def output(call_id: str) -> JsonObject:
    """Give a function call output."""
    return {"type": "function_call_output", "id": "fco_1", "call_id": call_id, "output": "o"}


def script_of(*items: JsonObject, modalities: Sequence[str] = ("text",)) -> Script:
    """Give the script that records the items and projects them."""
    return [
        {"op": "record_items", "items": list(items), "policy": POLICY},
        {"op": "for_prompt", "input_modalities": list(modalities)},
    ]


def parts_of(*scripts: Script) -> list[batch.Part]:
    """Give the parts of scripts that can all be batched."""
    parts: list[batch.Part] = []
    for number, script in enumerate(scripts):
        split = batch.parts_of(number, read_script(script, MODALITIES))
        assert split is not None
        parts += split
    return parts


def projected(filling: Script, modalities: Sequence[str]) -> list[Json]:
    """Give the model's release prompt of a history."""
    script = [*filling, {"op": "for_prompt", "input_modalities": list(modalities)}]
    prompt = run_script(script, mode=Mode.RELEASE, edition=EDITION)[-1]["ok"]
    assert isinstance(prompt, list)
    return prompt


def answered_in_groups(parts: Sequence[batch.Part]) -> dict[tuple[int, int], Json]:
    """Answer every projection of the parts with the model, group by group."""
    answers: dict[tuple[int, int], Json] = {}
    for group in batch.groups_of(parts):
        for phase in range(max(len(part.phases) for part in group)):
            for modalities in batch.turns_of(group, phase):
                prompt = projected(_so_far(group, phase), modalities)
                apart = batch.apart(
                    group, 1 if group[0].way is not batch.Way.RECORDED else phase + 1, prompt
                )
                for place, part in enumerate(group):
                    for index, asked in part.phase(phase).projections:
                        if asked == modalities:
                            answers[part.script, index] = apart[place]
    return answers


def _so_far(group: Sequence[batch.Part], phase: int) -> Script:
    if group[0].way is batch.Way.RECORDED:
        return [_recorded(group, past) for past in range(phase + 1)]
    if group[0].way is batch.Way.RESTORED:
        return [{"op": "replace", "items": batch.joined_so_far(group, phase)}]
    return [{"op": "replace", "items": batch.joined(group, phase)}]


def _recorded(group: Sequence[batch.Part], phase: int) -> JsonObject:
    policy = batch.policy_of(group, phase)
    return {
        "op": "record_items",
        "items": batch.joined(group, phase),
        "policy": {"mode": policy.mode.value, "limit": policy.limit},
    }


@pytest.mark.parametrize("group", [name for name in GROUPS if name != "wire"])
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_a_batch_gives_what_each_history_gives_alone(group: str, data: st.DataObject) -> None:
    """Whatever histories share a thread, each projection comes out as if it were alone."""
    scope = Scope.full(EDITION)
    drawn = data.draw(st.lists(scripts(group, scope), min_size=2, max_size=8))
    readings = [read_script(script, MODALITIES) for script in drawn]
    parts = [
        part for n, reading in enumerate(readings) for part in batch.parts_of(n, reading) or ()
    ]
    for (number, index), prompt in answered_in_groups(parts).items():
        alone = run_script(drawn[number], mode=Mode.RELEASE, edition=EDITION)
        assert prompt == alone[index]["ok"]


def test_empty_call_ids_that_could_answer_one_another_are_kept_apart() -> None:
    """A call without an answer in one history must not meet the other's output."""
    groups = batch.groups_of(parts_of(script_of(call("")), script_of(output(""))))
    assert len(groups) == 2


def test_empty_call_ids_on_one_side_share_a_thread() -> None:
    """Calls alone, or outputs alone, have nothing to answer one another with."""
    groups = batch.groups_of(parts_of(*[script_of(call("")) for _ in range(5)]))
    assert len(groups) == 1


def test_empty_call_ids_of_unlike_kinds_share_a_thread() -> None:
    """A custom output never answers a function call (PAIR-7)."""
    custom: JsonObject = {"type": "custom_tool_call_output", "call_id": "", "output": "o"}
    assert len(batch.groups_of(parts_of(script_of(call("")), script_of(custom)))) == 1


def test_an_empty_call_id_stays_empty() -> None:
    """It is an ordinary call_id to the binary, and it is what the binary is shown."""
    (group,) = batch.groups_of(parts_of(script_of(call("")), script_of(call("c1"))))
    call_ids = [item.get("call_id") for item in batch.joined(group, 0) if isinstance(item, dict)]
    assert "" in call_ids
    assert "c1" not in call_ids


def test_groups_stay_small() -> None:
    """The binary's cost is quadratic, so that no group is larger than the limit."""
    groups = batch.groups_of(parts_of(*[script_of(call(f"c{n}")) for n in range(120)]))
    assert [len(group) for group in groups] == [50, 50, 20]


def test_unlike_modality_sets_do_not_share_a_thread() -> None:
    """A turn under one set would be for nothing for the histories of the other."""
    scripts = [script_of(call("c1")), script_of(call("c1"), modalities=["image"])]
    assert len(batch.groups_of(parts_of(*scripts))) == 2


def test_an_item_that_looks_like_a_mark_goes_alone() -> None:
    """What marks the parts of a batch must not come from a history."""
    text: JsonObject = {"type": "input_text", "text": "contextcert part 00"}
    marked: JsonObject = {"type": "message", "role": "developer", "content": [text]}
    assert batch.parts_of(0, read_script(script_of(marked), MODALITIES)) is None


def test_the_owner_of_a_refused_item_is_found() -> None:
    """The binary names a refused item by its place among all that were sent."""
    parts = parts_of(script_of(call("c1"), call("c2")), script_of(), script_of(call("c3")))
    owners = [batch.owner(parts, 0, index) for index in range(7)]
    assert [None if one is None else one.script for one in owners] == [
        None,
        0,
        0,
        None,
        None,
        2,
        None,
    ]


@pytest.mark.parametrize("damage", ["lost mark", "swapped marks", "early item", "strange call_id"])
def test_a_prompt_that_does_not_fall_apart_is_noticed(damage: str) -> None:
    """A binary that moves items between histories must not be judged by mistake."""
    parts = parts_of(script_of(call("c1")), script_of(call("c2")))
    prompt = batch.joined(parts, 0)
    match damage:
        case "lost mark":
            prompt = prompt[:2] + prompt[3:]
        case "swapped marks":
            prompt = prompt[2:] + prompt[:2]
        case "early item":
            prompt = [prompt[1], prompt[0], *prompt[2:]]
        case _:
            prompt = [*prompt, call("c9")]
    with pytest.raises(batch.NotApart):
        batch.apart(parts, 1, prompt)


def test_repeated_projections_count_as_turns_of_their_own() -> None:
    """PROJ-2 is judged on two turns, never on one that is shown twice."""
    script = script_of(call("c1"))
    parts = parts_of([*script, script[-1]], script)
    assert batch.turns_of(parts, 0) == {("text",): 2}


def test_policies_that_differ_do_not_share_a_thread() -> None:
    """What is recorded at once is cut under one policy."""
    narrow: JsonObject = {"mode": "bytes", "limit": 5}
    scripts = [script_of(call("c1")), script_of(call("c1"))]
    scripts[1] = [{**scripts[1][0], "policy": narrow}, *scripts[1][1:]]
    assert [len(group) for group in batch.groups_of(parts_of(*scripts))] == [1, 1]


def test_another_policy_begins_another_phase() -> None:
    """The items of one recording keep their policy."""
    narrow: JsonObject = {"mode": "bytes", "limit": 5}
    first, asked = script_of(call("c1"))
    (part,) = parts_of([first, {**first, "policy": narrow}, asked])
    assert [phase.policy.limit for phase in part.phases] == [10_000, 5]


@pytest.mark.parametrize("change", ["remove_first_item", "drop_last_n_user_turns"])
def test_a_history_that_changes_goes_alone(change: str) -> None:
    """Another history's items would stand in the way."""
    changed: Script = [*script_of(call("c1")), {"op": change, "num_turns": 1}]
    assert batch.parts_of(0, read_script(changed, MODALITIES)) is None


def test_replacements_share_a_thread() -> None:
    """Nothing is left of what was there before."""
    replaced: Script = [{"op": "replace", "items": [call("c1")]}, script_of()[1]]
    (group,) = batch.groups_of(parts_of(replaced, replaced))
    assert group[0].way is batch.Way.REPLACED


CUSTOM: JsonObject = {"type": "custom_tool_call", "name": "n", "input": "", "call_id": ""}
TOLD = "Custom tool call output is missing for call id: "


def test_reports_go_to_the_history_they_are_about() -> None:
    """By the prefix of the call_id; those about empty ones in the order of the items."""
    named = {**CUSTOM, "call_id": "c1"}
    scripts = [script_of(CUSTOM), script_of(named), script_of(CUSTOM, named, CUSTOM)]
    (group,) = batch.groups_of(parts_of(*scripts))
    order = [part.script for part in group]
    prefix = {script: f"p{place:02}~" for place, script in enumerate(order)}
    said: list[str] = []
    for script in order:
        items = scripts[script][0]["items"]
        assert isinstance(items, list)
        ids = [item["call_id"] for item in items if isinstance(item, dict)]
        said += [f"{TOLD}{prefix[script] if one else ''}{one}" for one in ids]
    shares = dict(zip(order, batch.messages_apart(group, 0, said), strict=True))
    assert shares == {0: [TOLD], 1: [f"{TOLD}c1"], 2: [TOLD, f"{TOLD}c1", TOLD]}


def test_one_history_gets_all_reports_about_empty_call_ids() -> None:
    """However many there are, no other can be meant."""
    (group,) = batch.groups_of(parts_of(script_of(CUSTOM), script_of(call("c1"))))
    shares = batch.messages_apart(group, 0, [TOLD, TOLD])
    assert sorted(map(len, shares)) == [0, 2]


@pytest.mark.parametrize("said", [TOLD, f"{TOLD}elsewhere", "something else"])
def test_a_report_that_cannot_be_told_apart_is_noticed(said: str) -> None:
    """Two histories may be meant by fewer reports than they ask for, or none is."""
    (group,) = batch.groups_of(parts_of(script_of(CUSTOM), script_of(CUSTOM)))
    with pytest.raises(batch.NotApart):
        batch.messages_apart(group, 0, [said])
