"""All scripts of a few operations: the exhaustive evidence for changes, clones and readers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from attrs import field, frozen

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.admission import admitted
from contextcert.strategies.enumeration import histories, history_count, modality_sets
from contextcert.strategies.fragments import (
    DEVELOPER_FRAGMENTS,
    INSTRUCTIONS,
    MODEL_SWITCH,
    USER_FRAGMENTS,
)
from contextcert.strategies.item_values import META, item, text
from contextcert.strategies.projecting import POLICY, Script, for_prompt
from contextcert.strategies.scope import Scope


@frozen
class OperationSymbol:
    """One listed operation under a name that people can read in a counterexample."""

    name: str
    operation: JsonObject = field(hash=False)


@cache
def operation_alphabet(scope: Scope) -> tuple[OperationSymbol, ...]:
    """List the operations of which scripts are made, 24 under the full claim.

    An operation may bring in a few items at once: what a clause of HEAD or ROLL needs to show
    itself then takes two or three operations, and not six.
    """
    return tuple(symbol for symbol in _symbols(scope) if scope.may(str(symbol.operation["op"])))


def operation_script_count(scope: Scope, longest: int) -> int:
    """Count the scripts of no more than `longest` listed operations."""
    return history_count(operation_alphabet(scope), longest)


def operation_scripts(
    scope: Scope, longest: int, *, start: int = 0, stop: int | None = None
) -> Iterator[Script]:
    """List the scripts of no more than `longest` operations, shortest first.

    Every script begins by setting what can be lost, and ends by looking at two histories; the
    operations that are listed and counted stand between.

    Args:
        scope: what may be generated.
        longest: the greatest number of listed operations in a script.
        start: the index of the first script to give, for shards.
        stop: the index before which to stop; all to the end when left out.
    """
    first = [op for op in _FIRST if scope.may(str(op["op"]))]
    last = [op for op in _last(scope) if scope.may(str(op["op"]))]
    for symbols in histories(operation_alphabet(scope), longest, start=start, stop=stop):
        ops = [symbol.operation for symbol in symbols]
        holds = any(op["op"] == "hold" for op in ops)
        yield [*first, *ops, *(op for op in last if holds or op["op"] != "held")]


_FIRST: Script = [
    {"op": "set_reference_context_item", "value": {"model": "m1"}},
    {"op": "update_world_state", "state": {"a": 1, "b": 1}},
    {"op": "set_token_info", "value": {"total": 7}},
]


def _last(scope: Scope) -> Script:
    """List the looks at the end; what panics in debug if the history has an anomaly comes last."""
    everything = modality_sets(scope)[0]
    return [
        {"op": "raw_envelopes"},
        {"op": "history_version"},
        {"op": "token_info"},
        {"op": "read_transcript", "cursor": {"history_version": 0, "entry_count": 1}},
        {"op": "held", "name": "h"},
        {"op": "raw_items", "on": 1},
        {"op": "history_version", "on": 1},
        {"op": "token_info", "on": 1},
        {"op": "reference_context_item", "on": 1},
        {"op": "set_reference_context_item", "on": 1, "value": {"model": "m2"}},
        {"op": "update_world_state", "on": 1, "state": {"a": 2}},
        {"op": "reference_context_item"},
        {"op": "world_state_baseline"},
        {"op": "update_world_state", "state": {"a": 1, "c": {}}},
        {**for_prompt(everything), "on": 1},
        for_prompt(everything),
        {"op": "raw_items"},
    ]


def _symbols(scope: Scope) -> Iterator[OperationSymbol]:
    """List every operation, those that bring items in first."""
    for name, items in _RECORDED.items():
        taken = admitted(items, scope)
        if taken:
            yield OperationSymbol(f"record {name}", _recording(taken))
    yield OperationSymbol("record outputs to be cut", _cut(_CUT, "tokens", 1, scope))
    yield OperationSymbol("replace", {"op": "replace", "items": [*admitted(_REPLACING, scope)]})
    yield OperationSymbol("remove first", {"op": "remove_first_item"})
    for count in (1, 2, 0):
        yield OperationSymbol(f"roll back {count}", _rollback(count))
    yield OperationSymbol("project", for_prompt(modality_sets(scope)[0]))
    yield OperationSymbol("hold", {"op": "hold", "name": "h", "what": "raw_items"})
    yield OperationSymbol("clone", {"op": "clone", "to": 1})
    on_clone = _cut([_message("user", "on 1"), *_CUT], "bytes", 2, scope)
    yield OperationSymbol("record on 1", {**on_clone, "on": 1})
    yield OperationSymbol("roll back 1 on 1", {**_rollback(1), "on": 1})


def _recording(items: list[JsonObject]) -> JsonObject:
    return {"op": "record_items", "items": [*items], "policy": POLICY}


def _cut(items: list[JsonObject], mode: str, limit: int, scope: Scope) -> JsonObject:
    policy: JsonObject = {"mode": mode, "limit": limit}
    within = admitted(items, scope)
    if scope.mints_ids:
        within = [_with_empty_text_first(one) for one in within]
    return {**_recording(within), "policy": policy}


def _with_empty_text_first(value: JsonObject) -> JsonObject:
    """Put empty text where some budget is left; elsewhere its fate is open (E11-3)."""
    output = value.get("output")
    if not isinstance(output, list):
        return value
    return {**value, "output": sorted(output, key=lambda entry: entry != text(""))}


def _rollback(count: int) -> JsonObject:
    return {"op": "drop_last_n_user_turns", "num_turns": count}


def _message(role: str, *said: str, **fields: Json) -> JsonObject:
    return item("message", role=role, content=[text(one) for one in said], **fields)


_TURN: JsonObject = {META: {"turn_id": "t1"}}

_RECORDED: dict[str, list[JsonObject]] = {
    "user": [_message("user", "go")],
    "call": [item("function_call", id="fc_1")],
    "two outputs": [item("function_call_output"), item("function_call_output", output="two")],
    "shell call": [item("local_shell_call")],
    "output, shell call, call": [
        item("function_call_output", call_id="c2"),
        item("local_shell_call", call_id="c2"),
        item("function_call", call_id="c2"),
    ],
    "custom output, call": [item("custom_tool_call_output"), item("custom_tool_call")],
    "search call, server output": [
        item("tool_search_call"),
        item("tool_search_output", execution="server"),
    ],
    "context with text": [_message("user", "go", USER_FRAGMENTS[0])],
    "bundle, user": [_message("developer", DEVELOPER_FRAGMENTS[0]), _message("user", "on")],
    "mixed bundle, user": [
        _message("developer", DEVELOPER_FRAGMENTS[0], "d"),
        _message("user", "on"),
    ],
    "model switch, user of one turn": [
        _message("developer", MODEL_SWITCH, **_TURN),
        _message("user", "on", **_TURN),
    ],
    "instruction": [_message("assistant", INSTRUCTIONS[0])],
    "what is not kept": [_message("system", "s"), {"type": "other"}, item("agent_message")],
}

_CUT: list[JsonObject] = [
    item("function_call_output", output="\u00e9bc\u00e9-\u00e9yz\u00e9"),
    item("custom_tool_call_output", output=[text("five!"), text("\u20ac" * 3), text("")]),
]

_REPLACING: list[JsonObject] = [
    _message("system", "s"),
    _message("user", "new"),
    item("function_call_output", output="abcd\u00e9fg"),
]
