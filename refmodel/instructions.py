"""Inter-agent instructions: assistant messages that start a turn (SPEC 4.6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from contextcert.refmodel.items import InputText, Item, Message, OutputText
from contextcert.refmodel.json_text import JsonText, Members, Number, read_json_text

_AGENT_PATH: Final = re.compile(r"/morpheus|/root(?:/(?!root(?:/|\Z))[a-z0-9_]+)*+")
_LONE_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


def is_inter_agent_instruction(item: Item) -> bool:
    """Say whether an item is an assistant message that is an instruction (4.6).

    It has exactly one entry, and that is `input_text` or `output_text`.
    """
    if not isinstance(item, Message) or item.role != "assistant":
        return False
    match item.content:
        case (InputText(text=text) | OutputText(text=text),):
            return is_instruction_text(text)
        case _:
            return False


@lru_cache(1024)
def is_instruction_text(text: str) -> bool:
    """Say whether the text is the JSON object of an inter-agent instruction (4.6).

    JSON white space may stand around the object. Unknown keys are ignored, whatever they hold;
    a repeated known key makes it no instruction.
    """
    # Most assistant texts are prose, which a glance tells.
    if not text.lstrip(" \t\n\r").startswith("{"):
        return False
    try:
        value = read_json_text(text)
    except ValueError:
        return False
    return _has_fields(value, _INSTRUCTION_FIELDS, required=_REQUIRED)


def is_agent_path(text: str) -> bool:
    """Say whether the text is `/morpheus`, or `/root` with segments below it (4.6)."""
    return _AGENT_PATH.fullmatch(text) is not None


_Fields = Mapping[str, Callable[[JsonText], bool]]


def _has_fields(value: JsonText, fields: _Fields, *, required: frozenset[str]) -> bool:
    """Say whether the value is an object whose known keys fit, each at most once."""
    if not isinstance(value, Members) or not all(_is_string(key) for key, _ in value.pairs):
        return False
    known = [(key, member) for key, member in value.pairs if key in fields]
    keys = {key for key, _ in known}
    return (
        len(keys) == len(known)
        and required <= keys
        and all(fields[key](member) for key, member in known)
    )


def _is_string(value: JsonText) -> bool:
    """Say whether the value is a string of Unicode scalar values."""
    return isinstance(value, str) and _LONE_SURROGATE.search(value) is None


def _is_path(value: JsonText) -> bool:
    return isinstance(value, str) and is_agent_path(value)


def _is_path_list(value: JsonText) -> bool:
    return isinstance(value, list) and all(_is_path(element) for element in value)


def _is_boolean(value: JsonText) -> bool:
    return isinstance(value, bool)


def _is_optional_string(value: JsonText) -> bool:
    return value is None or _is_string(value)


def _is_optional_number(value: JsonText) -> bool:
    return value is None or isinstance(value, Number)


def _is_optional_metadata(value: JsonText) -> bool:
    """Say whether the value is null or the passthrough metadata of SPEC 1.1."""
    return value is None or _has_fields(value, _METADATA_FIELDS, required=frozenset())


_METADATA_FIELDS: Final[_Fields] = {
    "turn_id": _is_optional_string,
    "create_time": _is_optional_number,
}
_INSTRUCTION_FIELDS: Final[_Fields] = {
    "id": _is_optional_string,
    "author": _is_path,
    "recipient": _is_path,
    "other_recipients": _is_path_list,
    "content": _is_string,
    "encrypted_content": _is_optional_string,
    "internal_chat_message_metadata_passthrough": _is_optional_metadata,
    "trigger_turn": _is_boolean,
}
_REQUIRED: Final = frozenset({"author", "recipient", "content", "trigger_turn"})
