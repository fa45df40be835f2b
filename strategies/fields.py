"""The fields of every item type (SPEC 1.1): values that can be read, and values that cannot."""

from __future__ import annotations

from functools import cache
from typing import Final

from attrs import frozen

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.item_values import (
    ID_PREFIXES,
    META,
    PNG,
    audio,
    encrypted,
    entries_of,
    image,
    shell_action,
    text,
)
from contextcert.strategies.scope import Scope

_NO_STRING: Final[tuple[Json, ...]] = (7, False, ["s"], {})
_NO_ARRAY: Final[tuple[Json, ...]] = ("s", 7, {}, True)
_NO_OBJECT: Final[tuple[Json, ...]] = ("s", 7, [], True)


@frozen
class Field:
    """One field: its name, values that can be read (the plainest first), and values that cannot."""

    name: str
    good: tuple[Json, ...]
    wrong: tuple[Json, ...]
    required: bool = True


@cache
def fields_of(item_type: str, scope: Scope) -> tuple[Field, ...]:
    """List the fields of a type within the scope, `type` left out, required ones first."""
    return tuple(
        Field(
            field.name,
            tuple(value for value in field.good if _within(field.name, value, scope)),
            field.wrong,
            field.required,
        )
        for field in (*_FIELDS[item_type], *_shared_fields(item_type, scope))
    )


def _within(name: str, value: Json, scope: Scope) -> bool:
    """Keep content to the claim, to media that survives recording, and to numbers that survive."""
    if value is _NUMBERS:
        return scope.exact_numbers
    entries = entries_of({name: value}) if name in {"content", "output"} else []
    return all(_entry_within(entry, scope) for entry in entries)


def _entry_within(entry: JsonObject, scope: Scope) -> bool:
    if entry["type"] == "input_image":
        survives = entry["image_url"] == PNG and entry.get("detail") in {None, "auto", "high"}
        return scope.takes_modality("image") and (survives or not scope.mints_ids)
    if entry["type"] == "input_audio":
        return scope.takes_modality("audio")
    return True


def _shared_fields(item_type: str, scope: Scope) -> tuple[Field, ...]:
    """List `id` and `meta`, and what edition 2026-11 added (E11-1)."""
    if item_type == "compaction_trigger":
        return ()
    prefix = ID_PREFIXES[item_type]
    ids = (f"{prefix}_1", f"{prefix}_2", "", "abc", "fc-1 é")
    shared: tuple[Field, ...] = (_optional_string("id", *ids),)
    if scope.mints_ids and item_type == "function_call_output":
        shared = (*shared, _optional_string("name", "f", ""), _optional_string("namespace", "n"))
    return shared if item_type == "additional_tools" else (*shared, _META_FIELD)


def _string(name: str, *good: str) -> Field:
    return Field(name, good or ("s", "", "\x00"), (*_NO_STRING, None))


def _optional_string(name: str, *good: str) -> Field:
    return Field(name, good or ("s", ""), _NO_STRING, required=False)


def _strings(name: str, *, required: bool) -> Field:
    wrong: tuple[Json, ...] = (*_NO_ARRAY, [7], [None])
    return Field(name, (["s", ""], []), (*wrong, None) if required else wrong, required)


_META_FIELD: Final = Field(
    META,
    (
        {"turn_id": "t1", "create_time": 1.5},
        {},
        {"turn_id": "", "create_time": None},
        {"turn_id": None, "Turn_ID": "trap", "more": [1]},
    ),
    (*_NO_OBJECT, {"turn_id": 7}, {"create_time": "1"}),
    required=False,
)

_TEXT_FAULTS: Final[tuple[JsonObject | str, ...]] = (
    {"type": "input_text"},
    {"type": "input_text", "text": 7},
    {"type": "input_text", "text": None},
    {"type": "input_text", "Text": "trap"},
    {"type": "Input_Text", "text": "s"},
    {"type": "brand_new"},
    {"text": "s"},
    "s",
)
_MEDIA_FAULTS: Final[tuple[JsonObject, ...]] = (
    {"type": "input_image"},
    {"type": "input_image", "image_url": 7},
    {"type": "input_image", "image_url": PNG, "detail": "High"},
    {"type": "input_image", "image_url": PNG, "detail": 7},
    {"type": "input_audio"},
    {"type": "input_audio", "audio_url": None},
)
_SECRET: Final[JsonObject] = {"type": "encrypted_content"}
_SAID: Final[JsonObject] = {"type": "output_text", "text": "s"}


def _array_of(entry: Json) -> list[Json]:
    """Put a fault behind a good entry, so that reading it halfway would show."""
    return [text("good"), entry]


_CONTENT: Final = Field(
    "content",
    (
        [text("s")],
        [],
        [text(""), _SAID],
        [{"type": "input_text", "text": "s", "Text": "trap", "more": None}],
        [image(), image(detail="high"), image(detail=None)],
        [image(detail="low"), image(detail="original"), {"type": "input_image", "image_url": ""}],
        [audio(), {"text": "s", "type": "input_text"}],
    ),
    (*_NO_ARRAY, None, *map(_array_of, (*_TEXT_FAULTS, *_MEDIA_FAULTS, encrypted()))),
)

_BODY: Final = Field(
    "output",
    (
        "s",
        "",
        [],
        [text("s"), encrypted()],
        [text("")],
        [image(), image(detail="auto"), image(detail=None)],
        [image(detail="original"), {"type": "input_image", "image_url": "http://x"}],
        [{"audio_url": "data:audio/wav;base64,AAAA", "more": 1, "type": "input_audio"}],
        "[]",
        PNG,
    ),
    (
        7,
        True,
        {},
        {"content": "s"},
        None,
        *map(_array_of, (*_TEXT_FAULTS, *_MEDIA_FAULTS, _SECRET, _SAID)),
    ),
)

_AGENT_CONTENT: Final = Field(
    "content",
    ([text("s")], [], [encrypted(), text("")], [encrypted("")]),
    (*_NO_ARRAY, None, *map(_array_of, (*_TEXT_FAULTS, _SECRET, _SAID, image()))),
)

_NUMBERS: Final[Json] = [1, 1.0, 2**53 + 1, -(2**53) - 1, 2**63 - 1, 0.1, {"one": 1.0, "two": 2}]

_ARGUMENTS: Final = Field(
    "arguments",
    (
        {},
        None,
        "",
        [],
        True,
        _NUMBERS,
        {"__proto__": {"a": None}, "constructor": "", "toString": [], "": {}},
        {"type": "message", "Type": "trap", "\u017f": "\u212a"},
    ),
    (),
)

_TOOLS: Final = Field(
    "tools",
    ([], [{}], _NUMBERS, [{"type": "function", "name": "f", "__proto__": []}, None, "s", [[]]]),
    (*_NO_ARRAY, None),
)


def _shell_action(**fields: Json) -> JsonObject:
    return {**shell_action(), **fields}


_ACTION: Final = Field(
    "action",
    (
        {"type": "exec", "command": []},
        shell_action(),
        _shell_action(timeout_ms=0, working_directory="", env={}, user=""),
        _shell_action(command=["", "a b"], timeout_ms=1000, env={"__proto__": "x", "": ""}),
        {"type": "exec", "command": ["s"], "Command": "trap", "more": []},
    ),
    (
        *_NO_OBJECT,
        None,
        {"command": []},
        {"type": "exec"},
        {"type": "Exec", "command": []},
        {"type": "exec", "command": "s"},
        {"type": "exec", "command": [7]},
        _shell_action(timeout_ms=-1),
        _shell_action(timeout_ms="1"),
        _shell_action(working_directory=7),
        _shell_action(env={"a": 1}),
        _shell_action(env=["a"]),
        _shell_action(user=False),
    ),
)

_WEB_SEARCH_ACTION: Final = Field(
    "action",
    (
        {"type": "search", "query": "q"},
        {"type": "search"},
        {"type": "search", "query": None, "queries": ["q", ""]},
        {"type": "search", "query": "", "queries": []},
        {"type": "open_page", "url": "u"},
        {"type": "open_page", "url": "", "query": "trap"},
        {"type": "find_in_page", "url": "u", "pattern": "p"},
        {"type": "find_in_page", "Pattern": "trap"},
        {"type": "brand_new", "query": "q"},
        {"type": "Search", "query": "q"},
        {"type": "other"},
    ),
    (
        *_NO_OBJECT,
        {"query": "q"},
        {"type": 7},
        {"type": "search", "query": 7},
        {"type": "search", "queries": "q"},
        {"type": "search", "queries": [7]},
        {"type": "open_page", "url": []},
        {"type": "find_in_page", "pattern": {}},
    ),
    required=False,
)

_SUMMARY: Final = Field(
    "summary",
    ([], [{"type": "summary_text", "text": "s"}, {"type": "summary_text", "text": ""}]),
    (*_NO_ARRAY, None, [{"type": "summary_text"}], [{"type": "text", "text": "s"}], ["s"]),
)

_THOUGHT: Final[JsonObject] = {"type": "reasoning_text", "text": "c"}
_PLAIN_THOUGHT: Final[JsonObject] = {"type": "text", "text": ""}

_REASONING_CONTENT: Final = Field(
    "content",
    (
        [_THOUGHT],
        [],
        [_PLAIN_THOUGHT],
        [_PLAIN_THOUGHT, {**_THOUGHT, "text": ""}, _PLAIN_THOUGHT],
    ),
    (*_NO_ARRAY, [{"type": "reasoning_text"}], [_PLAIN_THOUGHT, {"type": "summary_text"}], ["s"]),
    required=False,
)

_PHASE: Final = Field(
    "phase", ("commentary", "final_answer"), ("x", "Commentary", "", 7, []), required=False
)
_SHELL_STATUS: Final = Field(
    "status",
    ("completed", "in_progress", "incomplete"),
    (*_NO_STRING, None, "", "failed", "Completed"),
)
_CALL_ID: Final = _string("call_id", "c1", "c2", "")
_CALL_ID_OR_NULL: Final = _optional_string("call_id", "c1", "c2", "")
_EXECUTION: Final = _string("execution", "client", "server", "Server", "")

_FIELDS: Final[dict[str, tuple[Field, ...]]] = {
    "message": (_string("role", "user", "assistant", "developer", "User", ""), _CONTENT, _PHASE),
    "agent_message": (_string("author"), _string("recipient"), _AGENT_CONTENT),
    "reasoning": (_SUMMARY, _REASONING_CONTENT, _optional_string("encrypted_content")),
    "function_call": (
        _CALL_ID,
        _string("name"),
        _string("arguments", "{}", "", "not JSON"),
        _optional_string("namespace"),
        _strings("encrypted_function_args", required=False),
    ),
    "function_call_output": (_CALL_ID, _BODY),
    "custom_tool_call": (
        _CALL_ID,
        _string("name"),
        _string("input"),
        _optional_string("status"),
        _optional_string("namespace"),
    ),
    "custom_tool_call_output": (_CALL_ID, _BODY, _optional_string("name")),
    "tool_search_call": (_EXECUTION, _ARGUMENTS, _CALL_ID_OR_NULL, _optional_string("status")),
    "tool_search_output": (_string("status"), _EXECUTION, _TOOLS, _CALL_ID_OR_NULL),
    "local_shell_call": (_SHELL_STATUS, _ACTION, _CALL_ID_OR_NULL),
    "web_search_call": (_optional_string("status"), _WEB_SEARCH_ACTION),
    "image_generation_call": (
        _string("status"),
        _string("result"),
        _optional_string("revised_prompt"),
    ),
    "additional_tools": (_string("role", "developer", ""), _TOOLS),
    "compaction": (_string("encrypted_content"),),
    "context_compaction": (_optional_string("encrypted_content"),),
    "compaction_trigger": (),
}
