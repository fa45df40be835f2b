"""Instructions of one agent to another, as JSON inside an assistant's message (SPEC 4.6)."""

import json
import re
from typing import Any

_AGENT_PATH = re.compile(r"/morpheus|/root(/(?!root(/|\Z))[a-z0-9_]+)*")

_KNOWN_KEYS = frozenset(
    (
        "author",
        "recipient",
        "content",
        "trigger_turn",
        "id",
        "encrypted_content",
        "internal_chat_message_metadata_passthrough",
        "other_recipients",
    )
)


class _Object:
    """A JSON object with its keys as they were written, repeated ones too."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        known = [key for key, _ in pairs if key in _KNOWN_KEYS]
        self.repeats = len(known) != len(set(known))
        self.fields = dict(pairs)


def is_instruction(text: str) -> bool:
    """Say whether a text is an inter-agent instruction; unknown keys are ignored."""
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, _Object) and not value.repeats and _is_complete(value.fields)


def _is_complete(fields: dict[str, Any]) -> bool:
    return (
        _is_agent_path(fields.get("author"))
        and _is_agent_path(fields.get("recipient"))
        and _is_text(fields.get("content"))
        and isinstance(fields.get("trigger_turn"), bool)
        and _is_text_or_null(fields.get("id"))
        and _is_text_or_null(fields.get("encrypted_content"))
        and isinstance(fields.get("internal_chat_message_metadata_passthrough"), _Object | None)
        and _are_agent_paths(fields.get("other_recipients", []))
    )


def _is_text(value: object) -> bool:
    """Say whether this is a string of characters; an escape can write half of a surrogate pair."""
    return isinstance(value, str) and not any("\ud800" <= one <= "\udfff" for one in value)


def _is_text_or_null(value: object) -> bool:
    return value is None or _is_text(value)


def _are_agent_paths(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_agent_path, value))


def _is_agent_path(value: object) -> bool:
    return isinstance(value, str) and _AGENT_PATH.fullmatch(value) is not None


def _no_constant(name: str) -> None:
    raise ValueError(f"JSON has no {name}")


# Numbers are nowhere looked at, and a float takes any number of digits.
_DECODER = json.JSONDecoder(object_pairs_hook=_Object, parse_int=float, parse_constant=_no_constant)
