"""Long scripts come down to their witnesses within the runs that a finding may cost."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest

from contextcert.campaign.budget import Budget
from contextcert.campaign.descent import Allowance, Descent
from contextcert.campaign.minimise import RUNS_A_FINDING
from contextcert.campaign.weight import Weight
from contextcert.refmodel.json_value import JsonObject
from contextcert.strategies import POLICY, Scope
from contextcert.subject import Script

sys.path.insert(0, str(Path(__file__).parent))

from kill_matrix.subjects import Pair, setting_of
from kill_matrix.witnesses import Showing, Witness, witnesses
from zoo.faulty import FAULTS

OPERATIONS: Final = 60
SEED: Final = 11

USER: Final[JsonObject] = {"type": "message", "role": "user", "content": []}
CALL: Final[JsonObject] = {"type": "function_call", "name": "n", "arguments": "{}", "call_id": "n"}
NOISE: Final[Script] = [
    {"op": "record_items", "items": [USER], "policy": POLICY},
    {"op": "record_items", "items": [USER, CALL, USER], "policy": POLICY},
    {"op": "for_prompt", "input_modalities": ["text", "image", "audio"]},
    {"op": "raw_items"},
    {"op": "history_version"},
    {"op": "remove_first_item"},
    {"op": "drop_last_n_user_turns", "num_turns": 1},
    {"op": "update_world_state", "state": {"n": 1}},
    {"op": "set_token_info", "value": {"n": 1}},
    {"op": "hold", "name": "n", "what": "raw_items"},
    {"op": "read_transcript", "cursor": None},
]
LOOKS: Final = ("for_prompt", "raw_items", "history_version", "token_info", "read_transcript")

PADDED: Final = sorted(name for name, fault in FAULTS.items() if fault.lived)[::6]
"""Every sixth fault of a longer life."""


def elsewhere(chance: Random) -> JsonObject:
    """Give an operation on a history that no witness is on."""
    if chance.random() < 0.2:
        return {"op": "clone", "on": chance.choice([4, 5]), "to": chance.choice([5, 6])}
    return {**chance.choice(NOISE), "on": chance.choice([4, 5, 6])}


def beside(chance: Random) -> JsonObject:
    """Give a look at a history that a witness may be on, which should change nothing."""
    looks = [op for op in NOISE if op["op"] in LOOKS]
    return {**chance.choice(looks), "on": chance.choice([0, 1, 2])}


def padded(script: Script, chance: Random) -> Script:
    """Spread a witness over a long script of other operations."""
    places = {*chance.sample(range(OPERATIONS), len(script))}
    witness = iter(script)
    noise = (elsewhere, elsewhere, beside)
    return [
        next(witness) if place in places else chance.choice(noise)(chance)
        for place in range(OPERATIONS)
    ]


def descents() -> Iterator[tuple[str, Witness, Script, int]]:
    """Go down from a padded witness of each fault; the last is how many runs that took."""
    chance = Random(SEED)  # noqa: S311 - no secret
    for name in PADDED:
        witness = witnesses()[name]
        showing = Showing(FAULTS[name], Pair.of(name), witness.goes_on)
        start = padded(witness.script, chance)
        if showing.shown_by(start):
            yield name, witness, *gone_down(showing, start)


def gone_down(showing: Showing, start: Script) -> tuple[Script, int]:
    """Go down as a campaign does, with what it may spend."""
    allowance = Allowance(RUNS_A_FINDING)

    def shows(script: Script) -> int | None:
        return len(script) - 1 if showing.shown_by(script) else None

    scope = setting_of(Budget("padded", 0, 0, 0, floor=1), SEED).scope
    descent = Descent(start, len(start) - 1, scope, shows, allowance)
    descent.go()
    return descent.script, RUNS_A_FINDING - allowance.left


def test_padded_witnesses_are_found_again() -> None:
    """Of scripts of 60 operations nothing is left but a witness, well within the allowance."""
    ends = [*descents()]
    larger = [
        (name, script)
        for name, witness, script, _ in ends
        if (len(script), Weight.of(script).items) > (witness.size.operations, witness.size.items)
    ]
    runs = [runs for *_, runs in ends]
    assert len(ends) >= 50
    assert len(larger) <= len(ends) // 20, larger
    assert max(runs) <= RUNS_A_FINDING
    assert sum(runs) / len(runs) <= RUNS_A_FINDING / 3


@pytest.mark.parametrize("runs", [0, 1, 3])
def test_a_descent_keeps_to_its_allowance(runs: int) -> None:
    """No script is run beyond what is allowed, and what was reached counts."""
    asked: list[Script] = []

    def shows(script: Script) -> int | None:
        asked.append(script)
        return len(script) - 1

    descent = Descent([*NOISE], len(NOISE) - 1, Scope.full(), shows, Allowance(runs))
    descent.go()
    assert len(asked) == runs
    assert descent.script == (asked[-1] if asked else NOISE)


def test_an_empty_call_id_weighs_more_than_a_short_one() -> None:
    """What shows with any call is not drawn with the oddest (PAIR-11 is a clause of its own)."""
    empty, short = ([{"op": "record_items", "items": [{"call_id": one}]}] for one in ("", "c1"))
    assert Weight.of(short) < Weight.of(empty)  # type: ignore[arg-type]
