"""What is kept beside and around items, each in a short script (REC, PROJ, REF, CUR, SNAP)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contextcert.refmodel import ITEM_TYPES, MODALITIES, Json, JsonObject
from contextcert.strategies.admission import admitted
from contextcert.strategies.item_values import META, image, item, text
from contextcert.strategies.projecting import POLICY, Script, for_prompt
from contextcert.strategies.scope import Scope

_TIGHT: Final[JsonObject] = {"mode": "bytes", "limit": 5}
_LONG: Final = "a text that is far too long"
_OUTPUTS: Final = ("function_call_output", "custom_tool_call_output")
_FIELDS_OF_TEXT: Final = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "image_generation_call": "result",
    "compaction": "encrypted_content",
    "context_compaction": "encrypted_content",
    "reasoning": "encrypted_content",
}


def keeping_scripts(scope: Scope) -> Iterator[Script]:
    """List all of them."""
    if "recording" in scope.claim.profiles:
        yield from _recorded_whole(scope)
    yield from _rewritten(scope)
    yield from _referred_to()
    yield from _read(scope)
    yield from _shared(scope)
    yield from _late(scope)
    yield from _several_turns(scope)


def _recorded_whole(scope: Scope) -> Iterator[Script]:
    """Record every type of item, long and under a tight policy, with all that goes with it."""
    for kind in ITEM_TYPES:
        for items in (admitted([_full(kind)], scope), admitted([item(kind)], scope)):
            if items:
                yield _annotated(items, scope, _TIGHT)
    for role in ("system", "System", "developer"):
        for kind in ("message", "additional_tools"):
            said: JsonObject = {"content": [text("x")]} if kind == "message" else {}
            items = admitted([item(kind, role=role, **said)], scope)
            if items:
                yield [_recorded(items), {"op": "raw_items"}]
    yield [_recorded([]), {"op": "raw_items"}]


def _rewritten(scope: Scope) -> Iterator[Script]:
    """Replace what was recorded with metadata, by items that other operations would change."""
    output = item("function_call_output", output=_LONG)
    for given in (
        [],
        [output],
        [item("function_call")],
        [item("custom_tool_call_output"), item("message", role="system", content=[text("s")])],
        [item("message", content=[text("x")]), item("message", content=[text("x")])],
        [item("reasoning"), item("function_call")],
    ):
        items = admitted(given, scope)
        before = admitted([item("message", content=[text("b")]), item("function_call")], scope)
        yield [
            {"op": "set_token_info", "value": {"total": 7}},
            *_annotated(before, scope, POLICY)[:1],
            {"op": "replace", "items": [*items]},
            {"op": "raw_items"},
            {"op": "raw_envelopes"},
            {"op": "history_version"},
            {"op": "token_info"},
            {"op": "remove_first_item"},
            {"op": "raw_items"},
        ]


def _referred_to() -> Iterator[Script]:
    """Set the reference context twice, with every kind of value, and read it after each."""
    values: tuple[Json, ...] = ({"a": 1}, {"b": 1}, None, {}, "a", 0, False)
    for first in values:
        for second in values:
            yield [
                {"op": "set_reference_context_item", "value": first},
                {"op": "reference_context_item"},
                {"op": "set_reference_context_item", "value": second},
                {"op": "reference_context_item"},
                {"op": "reference_context_item", "on": 1},
            ]


def _read(scope: Scope) -> Iterator[Script]:
    """Read with every small cursor, a replaced history and one that grew."""
    items = admitted([item("reasoning"), item("message", role="developer")], scope)
    for replaced in (False, True):
        for version in (0, 1, 2):
            for entries in (0, 1, 2, 3):
                cursor: JsonObject = {"history_version": version, "entry_count": entries}
                yield [
                    {"op": "replace", "items": [*items]} if replaced else _recorded(items),
                    {"op": "read_transcript", "cursor": cursor},
                    {"op": "read_transcript", "cursor": None},
                ]


def _shared(scope: Scope) -> Iterator[Script]:
    """Clone and hold a history with everything, change one side, and look at both."""
    whole = [
        item("message", content=[image(), text("x")]),
        item("function_call_output", output="ok"),
        item("custom_tool_call_output"),
        item("message", role="developer", content=[text("d")]),
    ]
    begin: Script = [
        {"op": "set_token_info", "value": {"total": 7}},
        {"op": "set_reference_context_item", "value": {"model": "m1"}},
        {"op": "update_world_state", "state": {"a": 1}},
        *_annotated(admitted(whole, scope), scope, POLICY)[:1],
    ]
    changes: tuple[JsonObject, ...] = (
        _recorded(admitted([item("message", content=[text("new")])], scope)),
        {"op": "replace", "items": []},
        {"op": "remove_first_item"},
        {"op": "drop_last_n_user_turns", "num_turns": 1},
        {"op": "set_token_info", "value": {"total": 8}},
        {"op": "set_reference_context_item", "value": {"model": "m2"}},
        {"op": "update_world_state", "state": {"a": 2}},
        {**_prompt(scope, "text"), "on": 0},
    )
    for to in (0, 1):
        for on in (0, 1):
            for change in changes:
                yield [
                    *begin,
                    {"op": "clone", "to": to},
                    {**change, "on": on},
                    *(look for side in (0, 1) for look in _looks(side)),
                ]
    for change in changes:
        yield [
            *begin,
            {"op": "hold", "name": "items", "what": "raw_items"},
            change,
            {"op": "hold", "name": "later", "what": "raw_items"},
            {"op": "held", "name": "items"},
            {"op": "held", "name": "later"},
        ]
        calls = admitted([item("message", content=[image(), text("x")])], scope)
        yield [
            _recorded(calls),
            {"op": "hold", "name": "p", **_asked(_prompt(scope, *MODALITIES))},
            change,
            {"op": "held", "name": "p"},
        ]


def _late(scope: Scope) -> Iterator[Script]:
    """Project, record more, and project again: what came late counts as what came early."""
    pairs = (
        ("function_call", "function_call_output"),
        ("custom_tool_call", "custom_tool_call_output"),
        ("tool_search_call", "tool_search_output"),
    )
    for call, output in pairs:
        for first, later in (((call,), (output,)), ((output,), (call,)), ((call,), (call,))):
            before = admitted([item("message", content=[text("x")]), *map(item, first)], scope)
            after = admitted([item("message", content=[text("y")]), *map(item, later)], scope)
            prompt = _prompt(scope, *MODALITIES)
            yield [_recorded(before), prompt, _recorded(after), prompt, {"op": "raw_items"}]
            yield [
                _recorded(before),
                prompt,
                {"op": "remove_first_item"},
                _recorded(after[1:]),
                prompt,
            ]


def _several_turns(scope: Scope) -> Iterator[Script]:
    """Roll back each number of turns over turns that have context between them."""
    user, other = item("message", content=[text("u")]), item("agent_message")
    context = item("message", content=[text("<skill>s</skill>")])
    pure = item("message", role="developer", content=[text("<tools>t")])
    mixed = item("message", role="developer", content=[text("<tools>t"), text("d")])
    plain = item("message", role="developer", content=[text("d")])
    for between in (
        [context, context],
        [pure, mixed],
        [mixed, pure],
        [mixed, context],
        [plain, pure],
        [item("reasoning"), pure],
        [item("function_call")],
        [item("function_call_output")],
    ):
        items = admitted([*between, user, *between, other, *between, user, mixed], scope)
        for count in (0, 1, 2, 3, 4):
            yield [
                {"op": "set_reference_context_item", "value": {"model": "m1"}},
                {"op": "update_world_state", "state": {"a": 1}},
                *_annotated(items, scope, POLICY)[:1],
                {"op": "drop_last_n_user_turns", "num_turns": count},
                {"op": "raw_items"},
                {"op": "raw_envelopes"},
                {"op": "reference_context_item"},
                {"op": "history_version"},
                {"op": "world_state_baseline"},
            ]


def _prompt(scope: Scope, *modalities: str) -> JsonObject:
    return for_prompt([one for one in modalities if scope.takes_modality(one)])


def _looks(on: int) -> list[JsonObject]:
    names = ("raw_items", "raw_envelopes", "token_info", "reference_context_item")
    looks = [*names, "world_state_baseline", "history_version"]
    return [{"op": name, "on": on} for name in looks]


def _asked(prompt: JsonObject) -> JsonObject:
    return {
        **{key: value for key, value in prompt.items() if key != "op"},
        "what": "for_prompt",
        "op": "hold",
    }


def _recorded(items: list[JsonObject]) -> JsonObject:
    return {"op": "record_items", "items": [*items], "policy": POLICY}


def _annotated(items: list[JsonObject], scope: Scope, policy: JsonObject) -> Script:
    envelopes: list[Json] = []
    for place, one in enumerate(items):
        metadata: JsonObject = {} if place == 1 else {"place": place}
        success: JsonObject = (
            {"success": True} if scope.success_flag and one["type"] in _OUTPUTS else {}
        )
        envelopes.append({"item": one, "metadata": metadata, **success})
    return [
        {"op": "record_annotated_items", "envelopes": envelopes, "policy": policy},
        {"op": "raw_envelopes"},
        {"op": "raw_items"},
    ]


def _full(kind: str) -> JsonObject:
    fields: JsonObject = {META: {"turn_id": "t1"}} if kind != "additional_tools" else {}
    if kind in _FIELDS_OF_TEXT:
        fields[_FIELDS_OF_TEXT[kind]] = _LONG
    if kind in {"message", "agent_message"}:
        fields["content"] = [text(_LONG)]
    if kind in {"function_call_output", "custom_tool_call_output"}:
        fields.update({"output": [text(_LONG), image()], "id": f"{kind}_1"})
    if kind == "custom_tool_call_output":
        fields["name"] = "n"
    return item(kind, **fields)
