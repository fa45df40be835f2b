"""What an item looks like on the wire, as a table (SPEC 1.1); the model's reader is not used.

`wire_form` says what reading and writing an item gives. It is the checks' own statement of
ITEM-1 to ITEM-5 and ITEM-7, so that the model's reader is judged too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from attrs import frozen

from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition


class UnreadableError(Exception):
    """An item must be refused as a whole (ITEM-4); the message names the field."""


Reader: TypeAlias = Callable[[Json], Json]
"""Gives what is written for a value that is present, or raises UnreadableError."""


@frozen
class Field:
    """One row's field: how its value is read, and what its absence means."""

    name: str
    read: Reader
    required: bool = False
    null_when_absent: bool = False


def wire_form(item: Json, edition: Edition = Edition.AUGUST_2026) -> JsonObject:
    """Give the JSON that reading and then writing an item must give.

    Raises:
        UnreadableError: the item must be refused.
    """
    if not isinstance(item, dict):
        raise UnreadableError("an item is an object")
    tag = item.get("type")
    if not isinstance(tag, str):
        raise UnreadableError("type is a string")
    tag = ALIASES.get(tag, tag)
    fields = _table(edition).get(tag)
    if fields is None:
        return {"type": "other"}
    return _written(item, tag, fields)


def _written(value: JsonObject, tag: str, fields: tuple[Field, ...]) -> JsonObject:
    written: JsonObject = {"type": tag}
    for field in fields:
        given = value.get(field.name)
        if given is None and not (field.required and field.read is _anything):
            if field.required:
                raise UnreadableError(f"{field.name} is missing")
            if field.null_when_absent:
                written[field.name] = None
        elif field.required and field.name not in value:
            raise UnreadableError(f"{field.name} is missing")
        elif field.read is not _reasoning_content:
            written[field.name] = field.read(given)
        elif entries := field.read(given):
            written[field.name] = entries
    return written


def _string(value: Json) -> Json:
    if not isinstance(value, str):
        raise UnreadableError("a string is wanted")
    return value


def _anything(value: Json) -> Json:
    return value


def _one_of(*allowed: str) -> Reader:
    def read(value: Json) -> Json:
        if not isinstance(value, str) or value not in allowed:
            raise UnreadableError(f"one of {', '.join(allowed)} is wanted")
        return value

    return read


def _list_of(entry: Reader) -> Reader:
    def read(value: Json) -> Json:
        if not isinstance(value, list):
            raise UnreadableError("an array is wanted")
        return [entry(one) for one in value]

    return read


def _tagged(*tags: str) -> Reader:
    def read(value: Json) -> Json:
        if not isinstance(value, dict):
            raise UnreadableError("an entry is an object")
        tag = value.get("type")
        if not isinstance(tag, str) or tag not in tags:
            raise UnreadableError(f"an entry's type is one of {', '.join(tags)}")
        return _written(value, tag, ENTRIES[tag])

    return read


def _body(value: Json) -> Json:
    if isinstance(value, str):
        return value
    return _list_of(_tagged("input_text", "input_image", "input_audio", "encrypted_content"))(value)


def _reasoning_content(value: Json) -> Json:
    """Give the whole array, or None where ITEM-7 omits it."""
    entries = _list_of(_tagged("reasoning_text", "text"))(value)
    assert isinstance(entries, list)
    told = any(isinstance(one, dict) and one["type"] == "reasoning_text" for one in entries)
    return entries if told else None


def _metadata(value: Json) -> Json:
    if not isinstance(value, dict):
        raise UnreadableError("passthrough metadata is an object")
    fields = (Field("turn_id", _string), Field("create_time", _number))
    written = _written(value, "", fields)
    del written["type"]
    return written


def _number(value: Json) -> Json:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnreadableError("a number is wanted")
    return value


def _milliseconds(value: Json) -> Json:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UnreadableError("a count of milliseconds is wanted")
    return value


def _environment(value: Json) -> Json:
    if not isinstance(value, dict):
        raise UnreadableError("an object of strings is wanted")
    return {key: _string(one) for key, one in value.items()}


def _search_action(value: Json) -> Json:
    if not isinstance(value, dict):
        raise UnreadableError("an action is an object")
    tag = value.get("type")
    if not isinstance(tag, str):
        raise UnreadableError("an action's type is a string")
    fields = SEARCH_ACTIONS.get(tag)
    return {"type": "other"} if fields is None else _written(value, tag, fields)


def _shell_action(value: Json) -> Json:
    if not isinstance(value, dict) or value.get("type") != "exec":
        raise UnreadableError("a shell action is an object of type exec")
    return _written(value, "exec", SHELL_ACTION)


def _required(name: str, read: Reader) -> Field:
    return Field(name, read, required=True)


def _or_null(name: str, read: Reader) -> Field:
    return Field(name, read, null_when_absent=True)


_STRINGS: Final = _list_of(_string)
_ID: Final = Field("id", _string)
_META: Final = Field("internal_chat_message_metadata_passthrough", _metadata)
_CALL_ID: Final = _required("call_id", _string)
_CALL_ID_OR_NULL: Final = _or_null("call_id", _string)

ENTRIES: Final[Mapping[str, tuple[Field, ...]]] = {
    "input_text": (_required("text", _string),),
    "output_text": (_required("text", _string),),
    "summary_text": (_required("text", _string),),
    "reasoning_text": (_required("text", _string),),
    "text": (_required("text", _string),),
    "input_image": (
        _required("image_url", _string),
        Field("detail", _one_of("auto", "low", "high", "original")),
    ),
    "input_audio": (_required("audio_url", _string),),
    "encrypted_content": (_required("encrypted_content", _string),),
}

SEARCH_ACTIONS: Final[Mapping[str, tuple[Field, ...]]] = {
    "search": (Field("query", _string), Field("queries", _STRINGS)),
    "open_page": (Field("url", _string),),
    "find_in_page": (Field("url", _string), Field("pattern", _string)),
}

SHELL_ACTION: Final = (
    _required("command", _STRINGS),
    _or_null("timeout_ms", _milliseconds),
    _or_null("working_directory", _string),
    _or_null("env", _environment),
    _or_null("user", _string),
)

ALIASES: Final[Mapping[str, str]] = {"compaction_summary": "compaction"}

ITEMS: Final[Mapping[str, tuple[Field, ...]]] = {
    "message": (
        _ID,
        _required("role", _string),
        _required(
            "content",
            _list_of(_tagged("input_text", "input_image", "input_audio", "output_text")),
        ),
        Field("phase", _one_of("commentary", "final_answer")),
        _META,
    ),
    "agent_message": (
        _ID,
        _required("author", _string),
        _required("recipient", _string),
        _required("content", _list_of(_tagged("input_text", "encrypted_content"))),
        _META,
    ),
    "reasoning": (
        _ID,
        _required("summary", _list_of(_tagged("summary_text"))),
        _or_null("content", _reasoning_content),
        _or_null("encrypted_content", _string),
        _META,
    ),
    "function_call": (
        _ID,
        _required("name", _string),
        Field("namespace", _string),
        _required("arguments", _string),
        Field("encrypted_function_args", _STRINGS),
        _CALL_ID,
        _META,
    ),
    "function_call_output": (_ID, _CALL_ID, _required("output", _body), _META),
    "custom_tool_call": (
        _ID,
        Field("status", _string),
        _CALL_ID,
        _required("name", _string),
        Field("namespace", _string),
        _required("input", _string),
        _META,
    ),
    "custom_tool_call_output": (
        _ID,
        _CALL_ID,
        Field("name", _string),
        _required("output", _body),
        _META,
    ),
    "tool_search_call": (
        _ID,
        _CALL_ID_OR_NULL,
        Field("status", _string),
        _required("execution", _string),
        _required("arguments", _anything),
        _META,
    ),
    "tool_search_output": (
        _ID,
        _CALL_ID_OR_NULL,
        _required("status", _string),
        _required("execution", _string),
        _required("tools", _list_of(_anything)),
        _META,
    ),
    "local_shell_call": (
        _ID,
        _CALL_ID_OR_NULL,
        _required("status", _one_of("completed", "in_progress", "incomplete")),
        _required("action", _shell_action),
        _META,
    ),
    "web_search_call": (_ID, Field("status", _string), Field("action", _search_action), _META),
    "image_generation_call": (
        _ID,
        _required("status", _string),
        Field("revised_prompt", _string),
        _required("result", _string),
        _META,
    ),
    "additional_tools": (
        _ID,
        _required("role", _string),
        _required("tools", _list_of(_anything)),
    ),
    "compaction": (_ID, _required("encrypted_content", _string), _META),
    "context_compaction": (_ID, Field("encrypted_content", _string), _META),
    "compaction_trigger": (),
}
"""The table of SPEC 1.1; `other` is every type that it does not have."""

_NOVEMBER: Final[Mapping[str, tuple[Field, ...]]] = {
    **ITEMS,
    "function_call_output": (
        _ID,
        Field("call_id", _string),
        Field("name", _string),
        Field("namespace", _string),
        _required("output", _body),
        _META,
    ),
}


def _table(edition: Edition) -> Mapping[str, tuple[Field, ...]]:
    return _NOVEMBER if edition is Edition.NOVEMBER_2026 else ITEMS
