"""Where a turn begins, and what is context around it, restated from SPEC 4.3 to 4.6."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from attrs import frozen

from contextcert.properties.item_facts import ItemFacts
from contextcert.refmodel.json_value import Json, JsonObject

_META: Final = "internal_chat_message_metadata_passthrough"
_WHITE: Final = "".join(
    map(
        chr,
        (
            *range(0x09, 0x0E),
            *(0x20, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000),
            *range(0x2000, 0x200B),
        ),
    )
)
_TAGS: Final = (
    "environment_context",
    "skill",
    "user_shell_command",
    "turn_aborted",
    "subagent_notification",
    "recommended_plugins",
)
_MARKED: Final = (
    (b"# agents.md instructions", b"</instructions>"),
    *((f"<{tag}>".encode(), f"</{tag}>".encode()) for tag in _TAGS),
)
_SWITCH: Final = (b"<model_switch>", b"</model_switch>")
_EXACT: Final = (
    re.compile(r"<external_([^>]*)>.*</external_\1>", re.DOTALL),
    re.compile(
        r'<codex_internal_context source="[a-z][a-z0-9_]*">.*</codex_internal_context>', re.DOTALL
    ),
    re.compile(r"<goal_context>.*</goal_context>", re.DOTALL),
    re.compile(
        r"Warning: The maximum number of unified exec processes you can keep open is.*", re.DOTALL
    ),
    re.compile(
        r"Warning: apply_patch was requested via "
        r".*Use the apply_patch tool instead of exec_command\.",
        re.DOTALL,
    ),
    re.compile(
        r"Warning: Your account was flagged for potentially high-risk cyber activity.*", re.DOTALL
    ),
)
_DEVELOPER: Final = tuple(
    start.encode()
    for start in (
        "<permissions instructions>",
        "approved command prefix saved:",
        *(
            f"<{tag}>"
            for tag in (
                "model_switch",
                "apps_instructions",
                "collaboration_mode",
                "multi_agent_mode",
                "environments_instructions",
                "git_attribution",
                "plugins_instructions",
                "realtime_conversation",
                "skills_instructions",
                "tools",
                "personality_spec",
                "token_budget",
                "context_window",
                "context_window_guidance",
                "rollout_budget",
            )
        ),
    )
)
_NAME: Final = r"[A-Za-z_][A-Za-z0-9_.:-]*"
_ATTRIBUTE: Final = rf"""[ \t\r\n]+({_NAME})[ \t\r\n]*=[ \t\r\n]*(?:"([^"<&]*)"|'([^'<&]*)')"""
_ELEMENT: Final = re.compile(
    rf"<({_NAME})((?:{_ATTRIBUTE})*)[ \t\r\n]*>([^<&]*)</\1[ \t\r\n]*>", re.DOTALL
)
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]|\\]\\]>")
_PATH: Final = re.compile(r"/morpheus|/root(?:/(?!root(?:/|$))[a-z0-9_]+)*", re.DOTALL)
_REQUIRED: Final = ("author", "recipient", "content", "trigger_turn")
_KNOWN: Final = (*_REQUIRED, "id", "encrypted_content", "other_recipients", _META)


@frozen
class Turns:
    """What a rollback of so many turns makes of a history (ROLL-1 to ROLL-9).

    `boundaries` are the places where turns begin. `cut` is the boundary cut at, `end` where what
    is kept ends once context was walked over; both are the history's length if nothing is cut.
    `mixed` says that a mixed bundle was walked over, `turn` is the turn id of the first turn's
    cleanup, or None.
    """

    boundaries: tuple[int, ...]
    cut: int
    end: int
    mixed: bool = False
    turn: str | None = None

    @property
    def at_first(self) -> bool:
        """Whether the cut is the first boundary."""
        return bool(self.boundaries) and self.cut == self.boundaries[0]


def turns(items: Sequence[ItemFacts], number: int) -> Turns:
    """Find the cut of a rollback of `number` turns, at least one."""
    boundaries = tuple(place for place, item in enumerate(items) if is_boundary(item))
    if not boundaries:
        return Turns(boundaries, len(items), len(items))
    if number >= len(boundaries):
        first = boundaries[0]
        return Turns(boundaries, first, first, turn=turn_id(items[first]))
    cut = boundaries[len(boundaries) - number]
    end = walked(items, cut, boundaries[0])
    return Turns(boundaries, cut, end, mixed=any(map(is_mixed, items[end:cut])))


def walked(items: Sequence[ItemFacts], cut: int, first: int) -> int:
    """Walk left from a cut over context, never past the first boundary (ROLL-5)."""
    end = cut
    while end - 1 > first and is_context(items[end - 1]):
        end -= 1
    return end


def is_boundary(item: ItemFacts) -> bool:
    """Say whether a turn begins here (ROLL-2)."""
    if item.type == "agent_message":
        return True
    if item.type != "message":
        return False
    if item.form["role"] == "user":
        return not is_contextual_user(item)
    return item.form["role"] == "assistant" and is_instruction(item)


def is_context(item: ItemFacts) -> bool:
    """Say whether a rollback walks over an item (ROLL-5)."""
    return is_contextual_user(item) or is_contextual_developer(item)


def is_contextual_user(item: ItemFacts) -> bool:
    """Say whether an item is a contextual user message (4.4)."""
    return _has_role(item, "user") and any(map(is_fragment, _input_texts(item)))


def is_contextual_developer(item: ItemFacts) -> bool:
    """Say whether an item is a contextual developer message (4.5)."""
    return _has_role(item, "developer") and any(map(_is_developer_text, _input_texts(item)))


def is_mixed(item: ItemFacts) -> bool:
    """Say whether a contextual developer message holds something else as well (4.5)."""
    if not is_contextual_developer(item):
        return False
    contextual = sum(map(_is_developer_text, _input_texts(item)))
    return contextual < len(content(item))


_FIRST: Final = ("<", "#", "Warning:")
"""How every fragment begins, once white space is trimmed."""


@lru_cache(1024)
def is_fragment(text: str) -> bool:
    """Say whether a text is one of the fragments of 4.4."""
    trimmed = text.strip(_WHITE)
    if not trimmed.startswith(_FIRST):
        return False
    return (
        any(_is_marked(text, start, end) for start, end in _MARKED)
        or any(pattern.fullmatch(trimmed) for pattern in _EXACT)
        or _is_hook_prompt(trimmed)
    )


def without_switch(item: ItemFacts) -> list[Json]:
    """Give a message's content without its model switches (ROLL-9)."""
    return [entry for entry in content(item) if not _is_switch(entry)]


def turn_id(item: ItemFacts) -> str | None:
    """Give the turn id of an item's passthrough metadata, if it is not empty."""
    meta = item.form.get(_META)
    given = meta.get("turn_id") if isinstance(meta, dict) else None
    return given if isinstance(given, str) and given else None


def is_cleaned(item: ItemFacts, turn: str | None) -> bool:
    """Say whether the first turn's cleanup looks at a message (ROLL-9)."""
    return turn is not None and _has_role(item, "developer") and turn_id(item) == turn


def content(item: ItemFacts) -> list[Json]:
    """Give the content of a message."""
    given = item.form["content"]
    assert isinstance(given, list)
    return given


def is_instruction(item: ItemFacts) -> bool:
    """Say whether an assistant message is an inter-agent instruction (4.6)."""
    entries = content(item)
    if len(entries) != 1 or not isinstance(entries[0], dict):
        return False
    text = entries[0].get("text")
    return isinstance(text, str) and text.strip(" \t\r\n").startswith("{") and _instructs(text)


def _has_role(item: ItemFacts, role: str) -> bool:
    return item.type == "message" and item.form["role"] == role


def _input_texts(item: ItemFacts) -> Iterator[str]:
    for entry in content(item):
        if isinstance(entry, dict) and entry["type"] == "input_text":
            yield str(entry["text"])


def _is_marked(text: str, start: bytes, end: bytes) -> bool:
    """Compare both ends of a text; only ASCII letters may differ in case."""
    return _lower(text.lstrip(_WHITE)).startswith(start) and _lower(text.rstrip(_WHITE)).endswith(
        end
    )


def _lower(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass").lower()


def _is_switch(entry: Json) -> bool:
    return (
        isinstance(entry, dict)
        and entry["type"] == "input_text"
        and _is_marked(str(entry["text"]), *_SWITCH)
    )


def _is_developer_text(text: str) -> bool:
    return _lower(text.lstrip(_WHITE)).startswith(_DEVELOPER)


def _is_hook_prompt(trimmed: str) -> bool:
    if "hook_run_id" not in trimmed or _FORBIDDEN.search(trimmed):
        return False
    element = _ELEMENT.fullmatch(trimmed)
    if element is None or not element[element.lastindex or 0].strip(_WHITE):
        return False
    attributes = [(name, one or other) for name, one, other in re.findall(_ATTRIBUTE, element[2])]
    names = [name for name, _ in attributes]
    return len(names) == len(set(names)) and any(
        name == "hook_run_id" and value.strip(_WHITE) for name, value in attributes
    )


class _RepeatedError(ValueError):
    """A known key is repeated."""


@lru_cache(1024)
def _instructs(text: str) -> bool:
    try:
        value = json.loads(
            text,
            object_pairs_hook=_Pairs,
            parse_int=lambda _: 0,
            parse_float=lambda _: 0,
            parse_constant=_refuse,
        )
        fields = value.fields() if isinstance(value, _Pairs) else None
    except (ValueError, RecursionError):
        return False
    return fields is not None and _is_instruction_object(fields)


class _Pairs:
    """An object of a text, its repeated keys included."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        self.pairs = pairs

    def fields(self) -> dict[str, object]:
        """Give the known fields.

        Raises:
            _RepeatedError: one of them is repeated.
        """
        known = [(key, value) for key, value in self.pairs if key in _KNOWN]
        fields = dict(known)
        if len(fields) < len(known):
            raise _RepeatedError
        return fields


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _is_instruction_object(fields: dict[str, object]) -> bool:
    others = fields.get("other_recipients", [])
    return (
        all(name in fields for name in _REQUIRED)
        and _is_path(fields["author"])
        and _is_path(fields["recipient"])
        and isinstance(fields["content"], str)
        and isinstance(fields["trigger_turn"], bool)
        and isinstance(others, list)
        and all(map(_is_path, others))
        and all(_is_optional(fields.get(name), str) for name in ("id", "encrypted_content"))
        and _is_optional(fields.get(_META), _Pairs)
    )


def _is_optional(value: object, kind: type) -> bool:
    return value is None or isinstance(value, kind)


def _is_path(value: object) -> bool:
    return isinstance(value, str) and _PATH.fullmatch(value) is not None


def with_content(item: ItemFacts, entries: list[Json]) -> JsonObject:
    """Give a message's form with another content."""
    return {**item.form, "content": entries}
