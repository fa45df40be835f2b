"""Programs: how much one of them looks at, and that they still shrink to what is wrong."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final

import pytest
from attrs import evolve

from contextcert.properties import debug_twin
from contextcert.refmodel import (
    ITEM_TYPES,
    OPERATIONS,
    Claim,
    Edition,
    JsonObject,
    Mode,
    run_script,
    run_script_in_both_modes,
)
from contextcert.strategies import Scope, Script, generate, groups_of, smallest_script
from contextcert.strategies.fragments import (
    DEVELOPER_FRAGMENTS,
    INSTRUCTIONS,
    NEAR_DEVELOPER_FRAGMENTS,
    NEAR_INSTRUCTIONS,
    NEAR_USER_FRAGMENTS,
    USER_FRAGMENTS,
)

PROGRAMS: Final = "programs"
SCOPE: Final = Scope.full()
COUNT: Final = 400
CALLS: Final = {"function_call", "custom_tool_call", "tool_search_call", "local_shell_call"}


@pytest.fixture(scope="module")
def drawn() -> list[Script]:
    """Give some programs."""
    return generate(PROGRAMS, SCOPE, seed=11, count=COUNT)


def items_of(script: Script) -> Iterator[JsonObject]:
    """Give all items that a script brings in, malformed ones left out."""
    for op in script:
        brought = [*(op.get("items") or ())]
        brought += [envelope["item"] for envelope in op.get("envelopes") or ()]
        yield from (item for item in brought if isinstance(item, dict))


def share(scripts: list[Script], holds: Callable[[Script], bool]) -> float:
    """Give the share of scripts of which something holds."""
    return sum(map(holds, scripts)) / len(scripts)


def test_programs_come_first() -> None:
    """The first random cases of a campaign are programs, whatever is claimed."""
    assert groups_of(SCOPE)[0] == PROGRAMS
    assert groups_of(Scope(Claim.from_json({"profiles": ["projection"]})))[0] == PROGRAMS


def test_programs_are_long(drawn: list[Script]) -> None:
    """Four in five have thirty operations or more, on four histories or more."""

    def is_long(script: Script) -> bool:
        return len(script) >= 30 and len({op.get("on", 0) for op in script}) >= 4

    assert share(drawn, is_long) >= 0.8


def test_every_operation_comes_up(drawn: list[Script]) -> None:
    """Every operation of the edition is in a tenth of the programs."""
    named = Counter(chain.from_iterable({op["op"] for op in script} for script in drawn))
    usual = {str(name) for name, count in named.items() if count >= 0.1 * COUNT}
    assert usual == {*OPERATIONS} - {"restore_items"}


def test_every_kind_comes_up(drawn: list[Script]) -> None:
    """Every item type is in a fifth of the programs; triggers and unknown types in a tenth."""
    kinds = Counter(chain.from_iterable({str(i.get("type")) for i in items_of(s)} for s in drawn))
    assert {kind for kind in ITEM_TYPES if kinds[kind] < 0.2 * COUNT} <= {"compaction_trigger"}
    assert kinds["compaction_trigger"] >= 0.05 * COUNT
    assert kinds["other"] >= 0.1 * COUNT


def test_every_anomaly_comes_first_in_some_panic(drawn: list[Script]) -> None:
    """Each of the five messages of MODE-1 is the first of 2% of the programs."""
    last = (run_script(script, mode=Mode.DEBUG)[-1] for script in drawn)
    heads = Counter(str(one.get("panic")).partition(" for call id")[0] for one in last)
    assert len([head for head, count in heads.items() if count >= 0.02 * COUNT]) == 6


def test_half_of_the_programs_have_no_anomaly(drawn: list[Script]) -> None:
    """What cannot panic is asked once, so that debug sees all of it."""
    assert 0.4 <= share(drawn, lambda script: debug_twin(script) is None) <= 0.7


@pytest.mark.parametrize(
    ("texts", "least"),
    [
        (USER_FRAGMENTS, 0.03),
        (NEAR_USER_FRAGMENTS, 0.015),
        (DEVELOPER_FRAGMENTS, 0.03),
        (NEAR_DEVELOPER_FRAGMENTS, 0.02),
        (INSTRUCTIONS, 0.02),
        (NEAR_INSTRUCTIONS, 0.025),
    ],
)
def test_every_text_of_a_turn_comes_up(
    drawn: list[Script], texts: Sequence[str], least: float
) -> None:
    """Each fragment, each instruction and each near miss is in some programs of a hundred."""
    written = [json.dumps(script) for script in drawn]
    for said in texts:
        assert sum(json.dumps(said) in text for text in written) >= least * COUNT, said


def test_shared_ids_come_up(drawn: list[Script]) -> None:
    """Two calls of one call id, and two items of one item id, are in a third of the programs."""

    def repeats(key: Callable[[JsonObject], object]) -> Callable[[Script], bool]:
        return lambda s: max(Counter(filter(None, map(key, items_of(s)))).values(), default=0) > 1

    def call(item: JsonObject) -> object:
        kind, call_id = item.get("type"), item.get("call_id")
        return (kind, call_id) if kind in CALLS and isinstance(call_id, str) else None

    assert share(drawn, repeats(call)) >= 0.33
    assert share(drawn, repeats(lambda item: str(item.get("id") or ""))) >= 0.33


def test_every_modality_set_and_policy_comes_up(drawn: list[Script]) -> None:
    """All eight sets are asked for, and both units with no limit but 0, in many programs."""
    sets = Counter(
        str(op["input_modalities"]) for s in drawn for op in s if op["op"] == "for_prompt"
    )
    assert len(sets) == 8
    assert min(sets.values()) >= 0.02 * COUNT
    none = Counter(
        policy["mode"]
        for s in drawn
        for policy in {
            json.dumps(op["policy"]): op["policy"] for op in s if "policy" in op
        }.values()
        if policy["limit"] == 0
    )
    assert min(none["bytes"], none["tokens"]) >= 0.03 * COUNT


def test_parts_of_a_program_do_not_meet(drawn: list[Script]) -> None:
    """A history is cloned to, and read again under a name, by one part of a program alone."""
    for script in drawn[:100]:
        held = {(str(op["name"]), op.get("on", 0)) for op in script if op["op"] == "hold"}
        for name, on in held:
            part = name.rpartition(" ")[2]
            assert int(str(on)) >= (int(part) if part.isdigit() else 0)
        run_script_in_both_modes(script)


@pytest.mark.parametrize("edition", list(Edition))
def test_a_claim_of_projection_alone_gets_dense_prompts(edition: Edition) -> None:
    """Where nothing but projection is claimed, a program is pairs and orphans in few histories."""
    claim = Claim.from_json({"profiles": ["projection"]})
    scope = evolve(Scope(claim, edition), operations=frozenset())
    made = generate(PROGRAMS, scope, seed=2, count=100)
    assert {op["op"] for script in made for op in script} == {"record_items", "for_prompt"}
    assert share(made, lambda script: len(list(items_of(script))) >= 8) >= 0.8
    fields = {name for script in made for item in items_of(script) for name in item}
    assert not fields & {"more", "__proto__", "TYPE", "OUTPUT"}
    assert "system" not in {item.get("role") for script in made for item in items_of(script)}


def shows(*operations: str) -> Callable[[Script], bool]:
    """Say of a script whether these operations follow each other on one history."""

    def holds(script: Script) -> bool:
        for on in {op.get("on", 0) for op in script}:
            mine = iter(op["op"] for op in script if op.get("on", 0) == on)
            if all(name in mine for name in operations):
                return True
        return False

    return holds


def brings(**fields: object) -> Callable[[Script], bool]:
    """Say of a script whether it brings in an item with these fields."""
    return lambda script: any(fields.items() <= item.items() for item in items_of(script))


@pytest.mark.parametrize(
    ("condition", "operations", "items"),
    [
        (shows("drop_last_n_user_turns", "raw_items"), 7, 4),
        (shows("clone", "raw_envelopes"), 24, 6),
        (brings(type="custom_tool_call"), 6, 1),
        (brings(type="tool_search_output", execution="server"), 15, 2),
        (shows("remove_first_item", "raw_items"), 14, 2),
    ],
)
def test_programs_shrink(condition: Callable[[Script], bool], operations: int, items: int) -> None:
    """Of all that a program holds, little is left beside what is wrong."""
    smallest = smallest_script(PROGRAMS, SCOPE, condition, seed=1)
    assert smallest is not None
    assert len(smallest) <= operations
    assert len(list(items_of(smallest))) <= items
