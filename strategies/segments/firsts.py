"""First turns of every kind, and all that a change keeps or clears (ROLL-7, ROLL-9, VER, REF)."""

from __future__ import annotations

from functools import cache, partial

from attrs import field, frozen

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.admission import admitted
from contextcert.strategies.fragments import DEVELOPER_FRAGMENTS, MODEL_SWITCH, USER_FRAGMENTS
from contextcert.strategies.item_values import META, audio, image, item, text
from contextcert.strategies.listings.first_turns import CONTENTS, of_turn
from contextcert.strategies.projecting import POLICY, Script, envelope_of, for_prompt
from contextcert.strategies.scope import Scope
from contextcert.strategies.segments.segment import EVERYTHING, Segment, on, weighted


@frozen
class Turned:
    """An item, or a change."""

    item: JsonObject | None = None
    change: Script = field(factory=list)


def beginning(scope: Scope) -> Segment[JsonObject]:
    """Give the segment of prefixes and first turns; its letters are messages."""
    return Segment(_prefixes(scope), 12, partial(_begun, scope))


_SAME = "t1"
"""Stands for the first turn's id in what comes before it."""


def _in_turn(one: JsonObject, turn: str | None) -> JsonObject:
    if one.get(META) != {"turn_id": _SAME} or turn is None:
        return one
    return {**one, META: {"turn_id": turn}}


@cache
def _prefixes(scope: Scope) -> tuple[JsonObject, ...]:
    made = [
        of_turn(turn, role, *content)
        for role in ("developer",)
        for content in CONTENTS
        for turn in (_SAME, _SAME, "t2", "", None)
    ]
    others = [
        of_turn(_SAME, role, text(MODEL_SWITCH))
        for role in ("user", "assistant", "Developer", "tool")
    ]
    lone: list[JsonObject] = [item("reasoning"), {**item("function_call"), META: {"turn_id": "t1"}}]
    pool: tuple[JsonObject, ...] = weighted((made, 2), (others, 3), (lone, 2))
    return tuple(one for one in pool if scope.takes(one))


def _begun(scope: Scope, told: list[JsonObject]) -> Script:
    """Roll back to the first turn: with its id here, with an empty one and none elsewhere."""
    ops: Script = []
    for start in range(0, len(told), 4):
        handle = start // 4
        turn = ("t1", "", "t1", None)[handle % 4]
        few = [_in_turn(one, turn) for one in told[start : start + 4]]
        later, count = (("t2", 2), ("t2", 3), ("t1", 1), ("t1", 2))[handle % 4]
        second = of_turn(later, "user", text("b"))
        items = admitted([*few, of_turn(turn, "user", text("a")), second], scope)
        envelopes: list[Json] = [envelope_of(one, place, scope) for place, one in enumerate(items)]
        recording: JsonObject = {"op": "record_annotated_items", "envelopes": envelopes}
        if handle % 2 or not scope.may("record_annotated_items"):
            recording = {"op": "record_items", "items": [*items]}
        ops += on(
            handle,
            [
                {"op": "set_reference_context_item", "value": {"model": "m1"}},
                {**recording, "policy": POLICY},
                {"op": "raw_items"},
                {"op": "drop_last_n_user_turns", "num_turns": count},
                {"op": "raw_envelopes"},
                {"op": "raw_items"},
                {"op": "reference_context_item"},
            ],
        )
    return ops


def changing(scope: Scope) -> Segment[Turned]:
    """Give the segment of histories with everything, and changes; its letters are both."""
    return Segment(_turned(scope), 14, partial(_changed, scope))


@cache
def _turned(scope: Scope) -> tuple[Turned, ...]:
    def developer(*said: JsonObject) -> JsonObject:
        return item("message", role="developer", content=[*said])

    pure, plain = text(DEVELOPER_FRAGMENTS[0]), text("d")
    items = [
        item("message", content=[text("t")]),
        item("message", content=[text("t")]),
        item("message", content=[text("t")]),
        item("agent_message"),
        item("message", role="assistant"),
        item("message", content=[text(USER_FRAGMENTS[0])]),
        developer(pure),
        developer(pure, plain),
        developer(plain, pure),
        developer(pure, image()),
        developer(pure, audio()),
        developer(pure, {"type": "output_text", "text": "x"}),
        developer(plain),
        item("function_call_output"),
        item("custom_tool_call_output", output=[]),
        item("function_call", call_id="c2"),
        item("tool_search_output", execution="server"),
        item("reasoning"),
    ]
    prompt = for_prompt([one for one in ("text", "audio") if scope.takes_modality(one)])
    changes: list[JsonObject] = [
        {"op": "drop_last_n_user_turns", "num_turns": count}
        for count in (0, 1, 1, 1, 2, 2, 3, 2**32 - 1)
    ]
    changes += [
        {"op": "remove_first_item"},
        {"op": "replace", "items": []},
        {"op": "record_items", "items": [], "policy": POLICY},
        {"op": "set_reference_context_item", "value": {"effort": "high"}},
        {"op": "set_reference_context_item", "value": None},
        {"op": "set_token_info", "value": {"total": 8}},
        {"op": "set_token_info", "value": None},
        {"op": "update_world_state", "state": {"a": 1, "b": 2}},
        prompt,
    ]
    several: list[Script] = [[one] for one in changes]
    several += [[*_renamed("1", prompt, scope), *_renamed("2", prompt, scope)]] * 2
    taken = [Turned(item=one) for one in items if scope.takes(one)]
    return weighted((taken, 5), ([Turned(change=few) for few in several], 2))


def _renamed(said: str, prompt: JsonObject, scope: Scope) -> Script:
    """Replace by items of the same ids that say something else, and project (PROJ-3)."""
    items = [item("message", id="msg_r", content=[text(said)]), item("reasoning", id="rs_r")]
    return [{"op": "replace", "items": [*admitted(items, scope)]}, prompt]


_STATE: Script = [
    {"op": "set_reference_context_item", "value": {"model": "m1"}},
    {"op": "set_world_state_baseline", "state": {"a": 1}},
    {"op": "set_token_info", "value": {"total": 7}},
]


def _changed(scope: Scope, told: list[Turned]) -> Script:
    """Fill a history, then change it; after each change look at everything, and set it anew."""
    items = [one.item for one in told if one.item is not None]
    changes = [one.change for one in told if one.change]
    if not told:
        return []
    version: JsonObject = {"op": "history_version"}
    ops: Script = [
        *EVERYTHING,
        *_STATE,
        {"op": "remove_first_item"},
        *EVERYTHING,
        *_replaced(scope),
        version,
        *_recorded(items, scope),
    ]
    if scope.may("clone"):
        ops.append({"op": "clone", "to": 1})
    ops += EVERYTHING
    for place, change in enumerate(changes):
        where = 1 if scope.may("clone") and place % 2 else 0
        ops += on(where, [*change, *EVERYTHING, *_STATE[:2]])
    if scope.may("clone"):
        ops += [*EVERYTHING, *on(1, EVERYTHING)]
    return ops


def _replaced(scope: Scope) -> Script:
    """Begin with what recording would not keep (REPL-1)."""
    odd: list[JsonObject] = [item("message", role="system", id="msg_s"), {"type": "other"}]
    items = [one for one in odd if one["type"] == "other" or scope.takes(one)]
    return [{"op": "replace", "items": [*items]}] if scope.may("replace") else []


_PAIRS = (item("function_call"), item("custom_tool_call"), item("custom_tool_call_output"))
"""Calls first, so that no output that follows is an orphan."""


def _recorded(items: list[JsonObject], scope: Scope) -> Script:
    named = admitted([*_PAIRS, *items], scope)
    envelopes: list[Json] = [envelope_of(one, place, scope) for place, one in enumerate(named)]
    if scope.may("record_annotated_items"):
        return [{"op": "record_annotated_items", "envelopes": envelopes, "policy": POLICY}]
    return [{"op": "record_items", "items": [*named], "policy": POLICY}]
