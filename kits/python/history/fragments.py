"""Texts that the agent wrote into the conversation by itself (SPEC 4.4 and 4.5)."""

import re
from collections.abc import Iterable
from itertools import chain
from xml.parsers import expat

_WHITE_SPACE = "".join(
    map(
        chr,
        chain(
            range(0x09, 0x0E),
            (0x20, 0x85, 0xA0, 0x1680),
            range(0x2000, 0x200B),
            (0x2028, 0x2029, 0x202F, 0x205F, 0x3000),
        ),
    )
)
"""Unicode White_Space: a bare strip() would take U+001C to U+001F, too."""


def _marked(start: str, end: str) -> tuple[bytes, bytes]:
    return start.encode().lower(), end.encode().lower()


def _tagged(tag: str) -> tuple[bytes, bytes]:
    return _marked(f"<{tag}>", f"</{tag}>")


_USER_MARKS = (
    _marked("# AGENTS.md instructions", "</INSTRUCTIONS>"),
    _tagged("environment_context"),
    _tagged("skill"),
    _tagged("user_shell_command"),
    _tagged("turn_aborted"),
    _tagged("subagent_notification"),
    _tagged("recommended_plugins"),
)

_DEVELOPER_STARTS = tuple(
    start.encode().lower()
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

_INTERNAL = re.compile(
    r'<codex_internal_context source="[a-z][a-z0-9_]*">.*</codex_internal_context>'
    r"|<goal_context>.*</goal_context>",
    re.DOTALL,
)
_LEGACY_WARNING = re.compile(
    r"Warning: The maximum number of unified exec processes you can keep open is.*"
    r"|Warning: apply_patch was requested via "
    r".*Use the apply_patch tool instead of exec_command\."
    r"|Warning: Your account was flagged for potentially high-risk cyber activity.*",
    re.DOTALL,
)


def is_contextual_user_text(text: str) -> bool:
    """Say whether a text is one of the five kinds of fragment of 4.4."""
    trimmed = text.strip(_WHITE_SPACE)
    return (
        _is_marked(trimmed, _USER_MARKS)
        or _is_external(trimmed)
        or _INTERNAL.fullmatch(trimmed) is not None
        or _LEGACY_WARNING.fullmatch(trimmed) is not None
        or _is_hook_prompt(trimmed)
    )


def is_contextual_developer_text(text: str) -> bool:
    """Say whether a text starts as the agent's own developer texts do (4.5)."""
    return _lowered(text.lstrip(_WHITE_SPACE)).startswith(_DEVELOPER_STARTS)


def is_model_switch(text: str) -> bool:
    """Say whether a text is a whole `<model_switch>` fragment (ROLL-9)."""
    return _is_marked(text.strip(_WHITE_SPACE), (_tagged("model_switch"),))


def _is_marked(trimmed: str, marks: Iterable[tuple[bytes, bytes]]) -> bool:
    lowered = _lowered(trimmed)
    return any(lowered.startswith(start) and lowered.endswith(end) for start, end in marks)


def _is_external(trimmed: str) -> bool:
    start, tag, rest = trimmed.partition("<external_")
    key, bracket, rest = rest.partition(">")
    return not start and bool(tag and bracket) and rest.endswith(f"</external_{key}>")


def _lowered(text: str) -> bytes:
    """Lower ASCII letters alone: bytes have no others."""
    return text.encode().lower()


def _is_hook_prompt(trimmed: str) -> bool:
    """Say whether a text is an XML element with a `hook_run_id` and some text."""
    if not trimmed.startswith("<"):
        return False
    element = _Element()
    try:
        element.read(trimmed)
    except expat.ExpatError:
        return False
    return bool(element.run_id.strip(_WHITE_SPACE)) and element.has_text


class _Element:
    def __init__(self) -> None:
        self.run_id = ""
        self.has_text = False
        self._depth = 0

    def read(self, text: str) -> None:
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.CharacterDataHandler = self._characters
        parser.Parse(text, True)

    def _start(self, _name: str, attributes: dict[str, str]) -> None:
        if not self._depth:
            self.run_id = attributes.get("hook_run_id", "")
        self._depth += 1

    def _characters(self, text: str) -> None:
        self.has_text = self.has_text or bool(text)
