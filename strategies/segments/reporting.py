"""World states that differ a little, one after the other (WORLD)."""

from __future__ import annotations

from functools import cache, partial

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.admission import admitted
from contextcert.strategies.item_values import item
from contextcert.strategies.listings.states import ODD_BASELINES, states
from contextcert.strategies.projecting import POLICY, Script, for_prompt
from contextcert.strategies.scope import Scope
from contextcert.strategies.segments.segment import Segment, weighted

_LOOK: JsonObject = {"op": "world_state_baseline"}


_PAIRS: tuple[tuple[Json, Json], ...] = (
    (1, True),
    (0, False),
    (None, {}),
    ("a", "A"),
    ("1", 1),
    ([1, 2], [2, 1]),
    ([1, 2], [1]),
    ({"b": 1, "c": 2}, {"c": 2, "b": 1}),
    ({"b": {"c": 1, "d": 1}}, {"b": {"c": 2}}),
    ({"b": {"c": {"d": 1}}}, {"b": {"c": {}}}),
    ({"b": None}, {}),
    ({"b": [{"c": 1}]}, {"b": [{"c": 2}]}),
    ("", None),
    ("\u00e9", "e\u0301"),
)
_EXACT_PAIRS: tuple[tuple[Json, Json], ...] = (
    (1, 1.0),
    (0.0, -0.0),
    (2**53, 2**53 + 1),
    (2**53, float(2**53)),
    ([1], [1.0]),
    ({"b": 0.0}, {"b": -0.0}),
)
"""Values that are nearly the same, or that are (WORLD-2, WORLD-7)."""


def reporting(scope: Scope) -> Segment[Script]:
    """Give the segment; its letters are operations on a baseline."""
    return Segment(_letters(scope), 12, partial(_reported, scope))


@cache
def _letters(scope: Scope) -> tuple[Script, ...]:
    deep: tuple[JsonObject, ...] = (
        {"a": {"b": {"c": 1, "d": 2}}, "e": {}},
        {"a": {"b": {"c": 1}}, "e": []},
        {"a": {"b": {"c": None, "d": 2}}},
        {"a": {"b": {"c": True, "d": 2}}},
        {"a": [1, {"b": 1}], "__proto__": {"a": 1}},
        {"a": [{"b": 1}, 1], "__proto__": {"a": 2}},
        {"a": "a", "b": 1, "c": {}},
    )
    updates: list[JsonObject] = [
        {"op": "update_world_state", "state": state} for state in (*states(scope), *deep)
    ]
    baselines: tuple[Json, ...] = (*ODD_BASELINES, None, {}, {"a": {"b": 1}})
    setting: list[JsonObject] = [
        {"op": "set_world_state_baseline", "state": state} for state in baselines
    ]
    pairs = (*_PAIRS, *_EXACT_PAIRS) if scope.exact_numbers else _PAIRS
    return weighted(
        ([[update] for update in updates], 4),
        ([[op] for op in (*setting, *_changes(scope), *_changes(scope))], 1),
        ([_from_to(*pair) for one in pairs for pair in (one, one[::-1])], 5),
        ([[setting[place], updates[place]] for place in range(len(setting))], 2),
    )


def _from_to(first: Json, then: Json) -> Script:
    """Report a state with one value, then with the other; null is an absent one as well."""
    states: list[JsonObject] = [{"a": first, "z": 1}, {"a": then, "z": 1}]
    return [{"op": "update_world_state", "state": state} for state in states]


def _changes(scope: Scope) -> list[JsonObject]:
    recording: JsonObject = {"op": "record_items", "policy": POLICY}
    roles = {"user": "msg_1", "assistant": "msg_2", "developer": "msg_3"}
    messages = admitted(
        [item("message", role=role, id=name) for role, name in roles.items()], scope
    )
    recordings: list[JsonObject] = [{**recording, "items": [one]} for one in messages[:2]]
    return [
        *recordings,
        _LOOK,
        {**recording, "items": []},
        {"op": "remove_first_item"},
        {"op": "drop_last_n_user_turns", "num_turns": 0},
        {"op": "drop_last_n_user_turns", "num_turns": 1},
        {"op": "replace", "items": []},
        {"op": "replace", "items": [*messages[2:]]},
        for_prompt(("text",)),
    ]


def _reported(scope: Scope, told: list[Script]) -> Script:
    """Do what was told, with a look after every change but an update, which tells by itself."""
    ops: Script = []
    for op in (one for few in told for one in few):
        asked = {**for_prompt(_claimed(scope))} if op["op"] == "for_prompt" else op
        ops.append(asked)
        if op["op"] != "update_world_state" and op is not _LOOK:
            ops.append(_LOOK)
    return [*ops, _LOOK] if ops else []


def _claimed(scope: Scope) -> list[str]:
    return [one for one in ("text", "image", "audio") if scope.takes_modality(one)]
