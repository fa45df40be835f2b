"""A script is reduced to the least that still shows something, in a bounded number of tries."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contextcert.campaign.descent import Allowance, Descent
from contextcert.campaign.minimise import RUNS_A_FINDING
from contextcert.campaign.weight import Weight
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.strategies import Scope
from contextcert.subject import Script

POLICY: JsonObject = {"mode": "tokens", "limit": 10_000}


def message(text: str) -> JsonObject:
    """Give a message of a user."""
    content: list[Json] = [{"type": "input_text", "text": text}]
    return {"type": "message", "role": "user", "content": content}


def call(call_id: str) -> JsonObject:
    """Give a call."""
    return {"type": "function_call", "name": "f", "arguments": "{}", "call_id": call_id}


def record(*items: Json, on: int = 0) -> JsonObject:
    """Record items on a history."""
    return {"op": "record_items", "items": list(items), "policy": POLICY, "on": on}


def items_of(script: Script) -> list[Json]:
    """Give all items that a script brings, in order."""
    return [item for op in script for item in op.get("items", [])]  # type: ignore[union-attr]


def names(script: Script) -> list[str]:
    """Give the operations of a script by name."""
    return [str(op["op"]) for op in script]


class Asked:
    """Says at the last operation whether a script shows something, and counts how often."""

    def __init__(self, shown: Callable[[Script], bool]) -> None:
        """Take what a script must be."""
        self.shown = shown
        self.scripts: list[str] = []

    def __call__(self, script: Script) -> int | None:
        """Answer once, and never twice for one script."""
        assert repr(script) not in self.scripts
        self.scripts.append(repr(script))
        return len(script) - 1 if self.shown(script) else None


def least(script: Script, shown: Callable[[Script], bool]) -> tuple[Script, int]:
    """Reduce a script; give what is left of it, and the number of tries."""
    asked = Asked(shown)
    assert shown(script)
    descent = Descent(script, len(script) - 1, Scope.full(), asked, Allowance(RUNS_A_FINDING))
    descent.go()
    assert shown(descent.script)
    assert Weight.of(descent.script) <= Weight.of(script)
    return descent.script, len(asked.scripts)


LONG: Script = [
    op
    for turn in range(15)
    for op in (
        record(message(f"turn {turn}"), call(f"c{turn}"), on=turn % 3),
        {"op": "for_prompt", "input_modalities": ["text"], "on": turn % 3},
        {"op": "remove_first_item", "on": turn % 3},
        {"op": "raw_items", "on": turn % 3},
    )
]


def test_a_long_script_is_reduced_within_the_runs_of_a_finding() -> None:
    """Of sixty operations on three histories the three remain that matter."""

    def shown(script: Script) -> bool:
        at = [place for place, op in enumerate(script) if call("c7") in op.get("items", [])]  # type: ignore[operator]
        wanted = {"remove_first_item", "raw_items"}
        later = script[at[0] + 1 :] if at else []
        return wanted <= {str(op["op"]) for op in later if op.get("on", 0) == 1}

    left, tries = least(LONG, shown)
    assert names(left) == ["record_items", "remove_first_item", "raw_items"]
    assert items_of(left) == [call("c7")]
    assert tries <= RUNS_A_FINDING / 3


def test_what_shows_only_at_its_full_length_stays_as_it_is() -> None:
    """A script from which nothing can be left out is given back."""
    assert least(LONG, lambda script: script == LONG)[0] == LONG


def test_two_operations_go_where_one_alone_cannot() -> None:
    """Token info and the look at it are of use together alone, wherever they stand."""
    script: Script = [
        {"op": "set_token_info", "value": {"total": 1}},
        record(call("c1")),
        {"op": "remove_first_item"},
        {"op": "token_info"},
        {"op": "raw_items"},
    ]
    needed = ["record_items", "remove_first_item", "raw_items"]

    def shown(script: Script) -> bool:
        rest = [name for name in names(script) if "token" not in name]
        return ("set_token_info" in names(script)) == ("token_info" in names(script)) and (
            rest == needed and items_of(script) == [call("c1")]
        )

    assert names(least(script, shown)[0]) == needed


def test_all_of_a_history_goes_at_once() -> None:
    """What is done on a clone is of no use in part."""
    on_the_clone: Script = [
        {"op": "clone", "to": 1},
        record(call("c2"), on=1),
        {"op": "remove_first_item", "on": 1},
        {"op": "raw_items", "on": 1},
    ]
    on_the_first: Script = [
        record(call("c1")),
        {"op": "update_world_state", "state": {}},
        {"op": "remove_first_item"},
        {"op": "raw_items"},
    ]
    script = [op for pair in zip(on_the_first, on_the_clone, strict=True) for op in pair]

    def shown(script: Script) -> bool:
        rest = [op for op in script if op in on_the_first]
        return rest == on_the_first and len(script) in (4, 8)

    assert least(script, shown)[0] == on_the_first


def test_an_operation_goes_with_the_item_it_is_for() -> None:
    """Five items removed from the head, and then the sixth, are one item removed."""
    script: Script = [
        record(*(call(f"c{place}") for place in range(6))),
        *[{"op": "remove_first_item"} for _ in range(6)],
        {"op": "raw_items"},
    ]

    def shown(script: Script) -> bool:
        given = items_of(script)
        return given[-1:] == [call("c5")] and names(script).count("remove_first_item") == len(given)

    assert least(script, shown)[0] == [record(call("c5")), {"op": "remove_first_item"}]


def test_records_and_rollbacks_of_one_history_become_one() -> None:
    """What came in two operations, and went in two, comes and goes at once."""
    script: Script = [
        record(message("a")),
        record(message("b")),
        {"op": "drop_last_n_user_turns", "num_turns": 1},
        {"op": "drop_last_n_user_turns", "num_turns": 1},
        {"op": "raw_items"},
    ]

    def shown(script: Script) -> bool:
        turns = sum(op.get("num_turns", 0) for op in script)  # type: ignore[misc]
        return turns == 2 and len(items_of(script)) == 2 and names(script)[-1:] == ["raw_items"]

    left, _ = least(script, shown)
    assert names(left) == ["record_items", "drop_last_n_user_turns", "raw_items"]
    assert left[1]["num_turns"] == 2


def test_everything_comes_to_one_history_where_that_shows_it_too() -> None:
    """Nobody has to follow a second history that plays no part."""
    script: Script = [
        record(call("c1")),
        {"op": "clone", "to": 2},
        {"op": "remove_first_item", "on": 2},
        {"op": "raw_items", "on": 2},
    ]

    def shown(script: Script) -> bool:
        there = [op.get("on", 0) for op in script if op["op"] != "record_items"]
        return (
            "remove_first_item" in names(script)
            and items_of(script) == [call("c1")]
            and ("clone" in names(script) or set(there) == {0})
        )

    left, _ = least(script, shown)
    assert names(left) == ["record_items", "remove_first_item"]


def test_a_history_and_its_prompt_lose_the_same_items() -> None:
    """Where both must agree, leaving an item out of one alone never shows it."""
    history = [item for place in range(20) for item in (message(f"m{place}"), call(f"c{place}"))]
    prompt: list[Json] = [
        {**item, "content": []} if item["type"] == "message" else item for item in history
    ]
    script: Script = [
        record(*history),
        {"op": "replace", "items": prompt, "on": 1},
        {"op": "for_prompt", "input_modalities": ["text"], "on": 1},
    ]

    def shown(script: Script) -> bool:
        if names(script) != ["record_items", "replace", "for_prompt"]:
            return False
        one, other = ([item.get("call_id") for item in op["items"]] for op in script[:2])  # type: ignore[union-attr]
        return one == other and "c13" in one

    left, tries = least(script, shown)
    assert items_of(left) == [call("c13"), call("c13")]
    assert tries <= RUNS_A_FINDING / 3


@pytest.mark.parametrize(
    ("given", "simpler"),
    [
        (
            {
                "op": "record_annotated_items",
                "policy": POLICY,
                "envelopes": [{"item": call("c"), "metadata": None}],
            },
            {"op": "record_items", "policy": POLICY, "items": [call("c")]},
        ),
        ({"op": "raw_envelopes"}, {"op": "raw_items"}),
        (
            {"op": "drop_last_n_user_turns", "num_turns": 2**32 - 1},
            {"op": "drop_last_n_user_turns", "num_turns": 1},
        ),
        (record({**call("c"), "id": "fc_1", "namespace": "n"}), record(call("c"))),
        (
            record(message("a long text")),
            record({"type": "message", "role": "user", "content": []}),
        ),
    ],
)
def test_operations_become_plainer(given: JsonObject, simpler: JsonObject) -> None:
    """Where the operation itself is all that matters, its plainest form is left."""

    def shown(script: Script) -> bool:
        brought = [op.get("items", op.get("envelopes")) for op in script]
        return len(script) == 1 and [] not in brought

    assert least([given], shown)[0] == [simpler]
