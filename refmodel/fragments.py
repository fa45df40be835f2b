"""Contextual content: what a harness, not a person, put into a message (SPEC 4.4 and 4.5)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from attrs import field, frozen

from contextcert.refmodel.hook_prompt import is_hook_prompt
from contextcert.refmodel.items import InputText, Item, Message, MessageEntry
from contextcert.refmodel.white_space import trim, trim_start

_ASCII_LOWER: Final = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def _fold(text: str) -> str:
    """Lower ASCII letters only; `str.lower()` would turn a Kelvin sign into a k."""
    return text.translate(_ASCII_LOWER)


@frozen
class _Marked:
    """The two ends that rule *Marked* of SPEC 4.4 looks for, ASCII letters in either case."""

    start: str = field(converter=_fold)
    end: str = field(converter=_fold)

    @classmethod
    def tag(cls, name: str) -> _Marked:
        return cls(f"<{name}>", f"</{name}>")

    def encloses(self, trimmed: str) -> bool:
        first, last = trimmed[: len(self.start)], trimmed[-len(self.end) :]
        return _fold(first) == self.start and _fold(last) == self.end


_MARKED_USER_FRAGMENTS: Final = (
    _Marked("# AGENTS.md instructions", "</INSTRUCTIONS>"),
    _Marked.tag("environment_context"),
    _Marked.tag("skill"),
    _Marked.tag("user_shell_command"),
    _Marked.tag("turn_aborted"),
    _Marked.tag("subagent_notification"),
    _Marked.tag("recommended_plugins"),
)
# What every fragment starts with: a tag, the title of AGENTS.md, or a warning.
_USER_FIRST_CHARACTERS: Final = ("<", "#", "W")
_MODEL_SWITCH: Final = _Marked.tag("model_switch")
_EXTERNAL_START: Final = "<external_"
_INTERNAL_START: Final = re.compile(r'<codex_internal_context source="[a-z][a-z0-9_]*+">')
_INTERNAL_END: Final = "</codex_internal_context>"
_GOAL: Final = ("<goal_context>", "</goal_context>")
_LEGACY_STARTS: Final = (
    "Warning: The maximum number of unified exec processes you can keep open is",
    "Warning: Your account was flagged for potentially high-risk cyber activity",
)
_LEGACY_PATCH: Final = (
    "Warning: apply_patch was requested via ",
    "Use the apply_patch tool instead of exec_command.",
)
_DEVELOPER_STARTS: Final = tuple(
    _fold(start)
    for start in (
        "<permissions instructions>",
        "Approved command prefix saved:",
        "<model_switch>",
        "<apps_instructions>",
        "<collaboration_mode>",
        "<multi_agent_mode>",
        "<environments_instructions>",
        "<git_attribution>",
        "<plugins_instructions>",
        "<realtime_conversation>",
        "<skills_instructions>",
        "<tools>",
        "<personality_spec>",
        "<token_budget>",
        "<context_window>",
        "<context_window_guidance>",
        "<rollout_budget>",
    )
)
_LONGEST_DEVELOPER_START: Final = max(map(len, _DEVELOPER_STARTS))


def is_contextual_user_message(item: Item) -> bool:
    """Say whether an item is a user message with any contextual entry (4.4)."""
    return (
        isinstance(item, Message)
        and item.role == "user"
        and any(
            isinstance(entry, InputText) and is_user_fragment(entry.text) for entry in item.content
        )
    )


def is_contextual_developer_message(item: Item) -> bool:
    """Say whether an item is a developer message with any contextual entry (4.5)."""
    return (
        isinstance(item, Message)
        and item.role == "developer"
        and any(is_contextual_developer_entry(entry) for entry in item.content)
    )


def is_mixed_bundle(item: Item) -> bool:
    """Say whether a contextual developer message also holds an entry that is not (ROLL-6)."""
    return (
        isinstance(item, Message)
        and is_contextual_developer_message(item)
        and not all(is_contextual_developer_entry(entry) for entry in item.content)
    )


def is_contextual_developer_entry(entry: MessageEntry) -> bool:
    """Say whether an entry of a developer message is contextual (4.5)."""
    return isinstance(entry, InputText) and is_developer_fragment(entry.text)


@lru_cache(1024)
def is_user_fragment(text: str) -> bool:
    """Say whether a text is contextual user content, by any of the five rules of 4.4."""
    trimmed = trim(text)
    return trimmed.startswith(_USER_FIRST_CHARACTERS) and any(
        rule(trimmed)
        for rule in (_is_marked, _is_external, _is_internal, _is_legacy_warning, is_hook_prompt)
    )


@lru_cache(1024)
def is_developer_fragment(text: str) -> bool:
    """Say whether a text starts as contextual developer content does (4.5)."""
    start = trim_start(text)[:_LONGEST_DEVELOPER_START]
    return _fold(start).startswith(_DEVELOPER_STARTS)


def is_model_switch(text: str) -> bool:
    """Say whether a text is the notice that ROLL-9 removes."""
    return _MODEL_SWITCH.encloses(trim(text))


def _is_marked(trimmed: str) -> bool:
    return any(fragment.encloses(trimmed) for fragment in _MARKED_USER_FRAGMENTS)


def _is_external(trimmed: str) -> bool:
    """Apply rule *External*: the key is all up to the first `>`, and the closing tag repeats it."""
    if not trimmed.startswith(_EXTERNAL_START):
        return False
    key, closed, rest = trimmed.removeprefix(_EXTERNAL_START).partition(">")
    return closed == ">" and rest.endswith(f"</external_{key}>")


def _is_internal(trimmed: str) -> bool:
    """Apply rule *Internal*: a named source, or the older goal wrapper."""
    if _INTERNAL_START.match(trimmed) is not None and trimmed.endswith(_INTERNAL_END):
        return True
    return _has_ends(trimmed, _GOAL)


def _is_legacy_warning(trimmed: str) -> bool:
    """Apply rule *Legacy warnings*: two fixed beginnings, and one with a fixed ending too."""
    return trimmed.startswith(_LEGACY_STARTS) or _has_ends(trimmed, _LEGACY_PATCH)


def _has_ends(text: str, ends: tuple[str, str]) -> bool:
    """Say whether a text has both ends, exact case; no two ends here can overlap."""
    start, end = ends
    return text.startswith(start) and text.endswith(end)
