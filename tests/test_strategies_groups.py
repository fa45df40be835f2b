"""The random groups: how often what matters comes up, and that claims are kept to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from attrs import evolve

from contextcert.properties import is_settled
from contextcert.refmodel import (
    ITEM_TYPES,
    Claim,
    Edition,
    JsonObject,
    Mode,
    run_script,
    run_script_in_both_modes,
)
from contextcert.strategies import GROUPS, Scope, Script, generate

COUNT = 400
SCOPE = Scope.full()
STORED_AS_GIVEN = ("mixed", "pairs", "media", "unicode")
RECORDABLE = set(ITEM_TYPES) - {"compaction_trigger"}
CALLS = {"function_call", "custom_tool_call", "tool_search_call", "local_shell_call"}

CLAIMS = {
    "functions": {"item_types": ["function_call", "function_call_output"]},
    "answers alone": {"item_types": ["custom_tool_call_output", "tool_search_output"]},
    "custom without audio": {
        "item_types": ["message", "custom_tool_call", "custom_tool_call_output"],
        "modalities": ["text", "image"],
    },
    "text alone": {"modalities": ["text"]},
    "shell": {"item_types": ["local_shell_call", "compaction"], "modalities": []},
    "nothing of media": {"profiles": ["projection"]},
}


def items_of(script: Script, on: int | None = 0) -> Iterator[JsonObject]:
    """Give the items that a script brings into a history, or any, malformed ones left out."""
    for op in script:
        if on in {op.get("on", 0), None}:
            brought = [*(op.get("items") or ())]
            brought += [envelope["item"] for envelope in op.get("envelopes") or ()]
            yield from (item for item in brought if isinstance(item, dict))


def shares(scripts: list[Script], *names: str) -> dict[str, float]:
    """Give the share of scripts whose JSON text holds each of the names."""
    texts = [json.dumps(script) for script in scripts]
    return {name: sum(name in text for text in texts) / len(texts) for name in names}


@pytest.fixture(scope="module", params=["mixed", "pairs", "media"])
def drawn(request: pytest.FixtureRequest) -> tuple[str, list[Script]]:
    """Give a group's name and its scripts."""
    return request.param, generate(request.param, SCOPE, seed=11, count=COUNT)


def test_lengths_are_spread(drawn: tuple[str, list[Script]]) -> None:
    """There are empty, short and long histories in every group."""
    lengths = Counter(min(20, len(list(items_of(script))) // 5 * 5) for script in drawn[1])
    assert all(lengths[length] >= 0.03 * COUNT for length in (0, 5, 10, 15))


def test_every_kind_comes_up() -> None:
    """In the mixed group every recordable type is in 8% of the scripts or more."""
    scripts = generate("mixed", SCOPE, seed=11, count=COUNT)
    kinds = Counter(chain.from_iterable({i["type"] for i in items_of(s)} for s in scripts))
    assert {kind for kind, count in kinds.items() if count >= 0.08 * COUNT} == RECORDABLE


def test_every_anomaly_comes_first_in_some_panic() -> None:
    """Each of the five messages of MODE-1 ends 2% of the scripts in debug."""
    scripts = generate("pairs", SCOPE, seed=11, count=COUNT)
    last = (run_script(script, mode=Mode.DEBUG)[-1] for script in scripts)
    heads = Counter(str(one.get("panic")).partition(" for call id")[0] for one in last)
    assert len([head for head, count in heads.items() if count >= 0.02 * COUNT]) == 6
    assert 0.2 * COUNT <= heads["None"] <= 0.7 * COUNT


def test_clean_histories_are_not_small_only(drawn: tuple[str, list[Script]]) -> None:
    """One script in ten or more projects four items or more in debug without panic."""
    clean = 0
    for script in drawn[1]:
        outcomes = run_script(script, mode=Mode.DEBUG)
        asked = zip(script, outcomes, strict=False)
        prompts = [one["ok"] for op, one in asked if op["op"] == "for_prompt" and "ok" in one]
        clean += bool(prompts) and len(prompts[0]) >= 4 and "panic" not in outcomes[-1]
    assert clean >= 0.1 * COUNT


def test_shared_ids_come_up() -> None:
    """A fifth of the scripts has two calls of one call id, a tenth two items of one item id."""
    scripts = generate("pairs", SCOPE, seed=11, count=COUNT)
    calls = items = 0
    for script in scripts:
        keys = Counter((i["type"], i["call_id"]) for i in items_of(script) if i["type"] in CALLS)
        ids = Counter(item["id"] for item in items_of(script) if item.get("id"))
        calls += max(keys.values(), default=0) > 1
        items += max(ids.values(), default=0) > 1
    assert calls >= 0.2 * COUNT
    assert items >= 0.1 * COUNT


def test_media_come_up() -> None:
    """Four in ten media scripts hold each kind of media, and both modalities are often missing."""
    scripts = generate("media", SCOPE, seed=11, count=COUNT)
    found = shares(scripts, '"input_image"', '"input_audio"', '"image_generation_call"')
    assert min(found.values()) >= 0.4
    asked = Counter(
        tuple(op["input_modalities"]) for s in scripts for op in s if op["op"] == "for_prompt"
    )
    assert len(asked) == 8
    assert min(asked.values()) >= 0.02 * COUNT


def test_ways_to_record_and_to_look_come_up(drawn: tuple[str, list[Script]]) -> None:
    """Every operation is in 8% of the scripts; many project twice, or a prompt once more."""
    operations = (
        "record_items",
        "record_annotated_items",
        "replace",
        "for_prompt_annotated",
        "raw_items",
    )
    named = shares(drawn[1], *(f'"op": "{operation}"' for operation in operations))
    twice = sum(
        sum(op["op"] == "for_prompt" and "on" not in op for op in script) > 1 for script in drawn[1]
    )
    assert min(named.values()) >= 0.08
    assert shares(drawn[1], '"on": 1')['"on": 1'] >= 0.08
    assert twice >= 0.25 * COUNT


def test_a_prompt_projects_to_itself_in_the_model(drawn: tuple[str, list[Script]]) -> None:
    """What the second handle is given is what it gives back (PROJ-4)."""
    for script in drawn[1]:
        if script[-1].get("on") == 1:
            outcome = run_script(script, mode=Mode.RELEASE)[-1]
            assert outcome["ok"] == script[-2]["items"]


@pytest.mark.parametrize("edition", list(Edition))
@pytest.mark.parametrize("group", STORED_AS_GIVEN)
def test_every_item_is_stored_as_it_is(group: str, edition: Edition) -> None:
    """Nothing is refused, dropped or truncated, nor changed but as edition 2026-11 has it."""
    scope = Scope.full(edition)
    for script in generate(group, scope, seed=2, count=60):
        filling = [op for op in script if op.get("on", 0) == 0 and str(op["op"])[:3] != "for"]
        ops = [*(op for op in filling if op["op"] != "raw_items"), {"op": "raw_items"}]
        raw = run_script(ops, mode=Mode.RELEASE, edition=edition)[-1]["ok"]
        brought = list(items_of(script))
        if edition is Edition.NOVEMBER_2026:
            brought, raw = map(unlabelled, (brought, raw))
        assert raw == brought


def unlabelled(items: Any) -> list[JsonObject]:  # noqa: ANN401
    """Leave out ids (E11-2), and the empty texts of outputs (E11-3)."""
    left = []
    for item in items:
        output = item.get("output")
        if isinstance(output, list):
            output = [one for one in output if one != {"type": "input_text", "text": ""}]
        left.append({**item, "id": None, "output": output})
    return left


@pytest.mark.parametrize("group", GROUPS)
def test_nothing_is_asked_that_november_leaves_open(group: str) -> None:
    """Where SPEC does not settle what an edition makes of items, it is not generated."""
    scope = Scope.full(Edition.NOVEMBER_2026)
    for script in generate(group, scope, seed=4, count=COUNT):
        assert is_settled(script, Edition.NOVEMBER_2026), script


def test_every_change_of_november_comes_up() -> None:
    """A hundred scripts of some group bring what each clause of SPEC 7 speaks of."""
    scope = Scope.full(Edition.NOVEMBER_2026)
    groups = ("mixed", "recording", "wire")
    scripts = [one for group in groups for one in generate(group, scope, seed=5, count=100)]
    items = [item for script in scripts for item in items_of(script)]
    loose = [one for one in items if one.get("type") == "function_call_output"]
    assert any("call_id" not in one for one in loose)
    ids = {str(one["id"]) for one in items if isinstance(one.get("id"), str)}
    assert "" in ids
    assert any(item_id and "_" not in item_id for item_id in ids)
    named = shares(scripts, '{"type": "input_text", "text": ""}', '"mode": "bytes"', "audio/")
    assert min(named.values()) >= 0.05


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("edition", list(Edition))
def test_scripts_keep_to_the_claim(group: str, name: str, edition: Edition) -> None:
    """Types and modalities that are not claimed do not occur."""
    claim = Claim.from_json(CLAIMS[name])
    scripts = generate(group, Scope(claim, edition), seed=1, count=60)
    everywhere = None if group == "programs" else 0
    items = (i for s in scripts for i in items_of(s, everywhere) if i.get("output") != "aborted")
    types = {str(item.get("type")) for item in items} & set(ITEM_TYPES)
    asked = {m for s in scripts for op in s for m in op.get("input_modalities") or ()}
    assert types <= claim.item_types
    assert asked <= claim.modalities
    media = {f'"input_{m}"' for m in {"image", "audio"} - claim.modalities}
    assert not any(shares([accepted(s, edition) for s in scripts], *media).values())


def accepted(script: Script, edition: Edition) -> Script:
    """Leave out what is refused: an unreadable entry may stand where no content is claimed."""
    outcomes = run_script(script, mode=Mode.RELEASE, edition=edition)
    return [op for op, given in zip(script, outcomes, strict=True) if "error" not in given]


@pytest.mark.parametrize("group", GROUPS)
def test_scripts_use_only_what_the_adapter_can_do(group: str) -> None:
    """An adapter that can only record and project gets no other operation."""
    scope = evolve(SCOPE, operations=frozenset())
    asked = {op["op"] for s in generate(group, scope, seed=1, count=80) for op in s}
    assert "record_items" in asked
    assert asked <= {"record_items", "for_prompt"}


@pytest.mark.parametrize("group", GROUPS)
def test_scripts_are_json_without_lone_surrogates(group: str) -> None:
    """Every script can be written as UTF-8 and read back, and both modes of the model run it."""
    for script in generate(group, SCOPE, seed=9, count=80):
        text = json.dumps(script, ensure_ascii=False, allow_nan=False)
        assert json.loads(text.encode()) == script
        run_script_in_both_modes(script)


def test_inexact_adapters_get_no_exact_numbers() -> None:
    """Neither 1.0 nor integers beyond 2^53 - 1 occur."""
    scope = evolve(SCOPE, exact_numbers=False)
    scripts = [generate(group, scope, seed=1, count=300) for group in ("wire", "unicode")]
    numbers = list(_numbers(scripts))
    assert not [n for n in numbers if isinstance(n, float) and n.is_integer()]
    assert not [n for n in numbers if abs(n) >= 2**53]


def _numbers(value: object) -> Iterator[int | float]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, int | float) and not isinstance(one, bool):
            yield one
        waiting.extend(
            one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        )


def test_success_flags_need_the_capability() -> None:
    """Envelopes carry `success` on outputs alone, and only where it can be kept (ITEM-6)."""
    with_flag = generate("mixed", SCOPE, seed=1, count=100)
    without = generate("mixed", evolve(SCOPE, success_flag=False), seed=1, count=100)
    flagged = [
        e for s in with_flag for op in s for e in op.get("envelopes") or () if "success" in e
    ]
    assert {e["item"]["type"] for e in flagged} == {
        "function_call_output",
        "custom_tool_call_output",
    }
    assert '"success"' not in json.dumps(without)
