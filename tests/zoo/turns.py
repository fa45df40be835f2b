"""What begins a turn and what is only context (SPEC 4.4 to 4.6)."""

from __future__ import annotations

import json
import re
from typing import Final
from xml.parsers import expat

from zoo.values import META, Json, Object

WHITE: Final = "".join(
    map(chr, (*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B)))
) + ("\u2028\u2029\u202f\u205f\u3000")
"""Unicode's White_Space, which is not what Python strips by itself."""

MODEL_SWITCH: Final = ("<model_switch>", "</model_switch>")

USER_MARKS: Final = (
    ("# AGENTS.md instructions", "</INSTRUCTIONS>"),
    *(
        (f"<{tag}>", f"</{tag}>")
        for tag in (
            "environment_context",
            "skill",
            "user_shell_command",
            "turn_aborted",
            "subagent_notification",
            "recommended_plugins",
        )
    ),
)

WARNINGS: Final = (
    ("Warning: The maximum number of unified exec processes you can keep open is", ""),
    (
        "Warning: apply_patch was requested via ",
        "Use the apply_patch tool instead of exec_command.",
    ),
    ("Warning: Your account was flagged for potentially high-risk cyber activity", ""),
)

DEVELOPER_STARTS: Final = (
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

INTERNAL: Final = re.compile(
    r'<codex_internal_context source="[a-z][a-z0-9_]*">.*</codex_internal_context>'
    r"|<goal_context>.*</goal_context>",
    re.DOTALL,
)
EXTERNAL: Final = "<external_"
AGENT_PATH: Final = re.compile(r"/morpheus|/root(?:/(?!root(?:/|\Z))[a-z0-9_]+)*")
_CAPITALS: Final = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


class NoInstructionError(ValueError):
    """A text is no inter-agent instruction."""


class Turns:
    """Tells boundaries from context; every underscored method is a place for a fault."""

    def _is_boundary(self, item: Object) -> bool:
        if item["type"] == "agent_message":
            return True
        if item["type"] != "message":
            return False
        if item["role"] == "user":
            return not self._is_contextual(item["content"])
        return bool(item["role"] == "assistant") and self._is_instruction(item["content"])

    def _is_context(self, item: Object) -> bool:
        return self._is_contextual_developer(item) or self._is_contextual_user(item)

    def _is_contextual_user(self, item: Object) -> bool:
        return self._is_message_of("user", item) and self._is_contextual(item["content"])

    def _is_message_of(self, role: str, item: Object) -> bool:
        return bool(item["type"] == "message" and item["role"] == role)

    # Contextual user content (4.4)

    def _is_contextual(self, content: list[Object]) -> bool:
        return any(self._is_contextual_part(part) for part in content)

    def _is_contextual_part(self, part: Object) -> bool:
        return part["type"] == "input_text" and self._is_fragment(part["text"])

    def _is_fragment(self, text: str) -> bool:
        return (
            any(self._is_marked(text, mark) for mark in USER_MARKS)
            or self._is_external(self._trimmed(text))
            or self._is_internal(self._trimmed(text))
            or self._is_warning(self._trimmed(text))
            or self._is_hook_prompt(self._trimmed(text))
        )

    def _trimmed(self, text: str) -> str:
        return text.strip(WHITE)

    def _folded(self, text: str) -> str:
        return text.translate(_CAPITALS)

    def _is_marked(self, text: str, mark: tuple[str, str]) -> bool:
        start, end = mark
        inner = self._folded(self._trimmed(text))
        return inner.startswith(self._folded(start)) and inner.endswith(self._folded(end))

    def _is_external(self, text: str) -> bool:
        kind, closed, rest = text.removeprefix(EXTERNAL).partition(">")
        return text.startswith(EXTERNAL) and bool(closed) and rest.endswith(f"</external_{kind}>")

    def _is_internal(self, text: str) -> bool:
        return INTERNAL.fullmatch(text) is not None

    def _is_warning(self, text: str) -> bool:
        return any(text.startswith(start) and text.endswith(end) for start, end in WARNINGS)

    def _is_hook_prompt(self, text: str) -> bool:
        if not text.startswith("<"):  # the parser would skip a byte order mark
            return False
        seen: list[dict[str, str]] = []
        said: list[str] = []
        parser = expat.ParserCreate()
        parser.StartElementHandler = lambda _name, attributes: seen.append(attributes)
        parser.CharacterDataHandler = said.append
        try:
            parser.Parse(text, True)
        except (expat.ExpatError, UnicodeEncodeError):
            return False
        return self._is_hook_element(seen[0], "".join(said))

    def _is_hook_element(self, attributes: dict[str, str], said: str) -> bool:
        return all(map(self._trimmed, (attributes.get("hook_run_id", ""), said)))

    # Contextual developer content (4.5)

    def _is_contextual_developer(self, item: Object) -> bool:
        return self._is_message_of("developer", item) and any(
            self._is_developer_fragment(part) for part in item["content"]
        )

    def _is_mixed(self, item: Object) -> bool:
        return self._is_contextual_developer(item) and not all(
            self._is_developer_fragment(part) for part in item["content"]
        )

    def _is_developer_fragment(self, part: Object) -> bool:
        return part["type"] == "input_text" and self._starts_developer_context(part["text"])

    def _starts_developer_context(self, text: str) -> bool:
        folded = self._folded(text.lstrip(WHITE))
        return any(folded.startswith(self._folded(start)) for start in DEVELOPER_STARTS)

    def _is_model_switch(self, part: Object) -> bool:
        return part["type"] == "input_text" and self._is_marked(part["text"], MODEL_SWITCH)

    # Inter-agent instructions (4.6)

    def _is_instruction(self, content: list[Object]) -> bool:
        if len(content) != 1 or content[0]["type"] not in {"input_text", "output_text"}:
            return False
        try:
            self._read_instruction(content[0]["text"])
        except (NoInstructionError, ValueError):
            return False
        return True

    def _read_instruction(self, text: str) -> None:
        read = json.loads(text, object_pairs_hook=_Pairs, parse_constant=_refuse)
        self._demand(isinstance(read, _Pairs))
        known = [key for key, _ in read if key in _INSTRUCTION]
        self._demand_unrepeated(known)
        given = dict(read)
        for key, kind in _INSTRUCTION.items():
            self._demand_member(given, key, kind)

    def _demand(self, holds: bool) -> None:  # noqa: FBT001 - a condition is all it takes
        if not holds:
            raise NoInstructionError

    def _demand_unrepeated(self, known: list[str]) -> None:
        self._demand(len(known) == len(set(known)))

    def _demand_member(self, given: Object, key: str, kind: str) -> None:
        if self._may_lack(given, key):
            return
        self._demand(key in given and self._is_of_kind(given[key], kind))

    def _may_lack(self, given: Object, key: str) -> bool:
        if key in {"id", "encrypted_content", META}:
            return given.get(key) is None
        return key == "other_recipients" and key not in given

    def _is_of_kind(self, value: Json, kind: str) -> bool:
        match kind:
            case "path":
                return isinstance(value, str) and self._is_agent_path(value)
            case "paths":
                return (
                    isinstance(value, list)
                    and not isinstance(value, _Pairs)
                    and all(isinstance(one, str) and self._is_agent_path(one) for one in value)
                )
            case "string":
                return isinstance(value, str)
            case "boolean":
                return isinstance(value, bool)
            case _:
                return isinstance(value, _Pairs)

    def _is_agent_path(self, text: str) -> bool:
        return AGENT_PATH.fullmatch(text) is not None


_INSTRUCTION: Final = {
    "author": "path",
    "recipient": "path",
    "other_recipients": "paths",
    "content": "string",
    "encrypted_content": "string",
    "trigger_turn": "boolean",
    "id": "string",
    META: "object",
}


class _Pairs(list[tuple[str, Json]]):
    """An object as its members in order, so that repeated keys are seen."""


def _refuse(word: str) -> Json:
    raise NoInstructionError(word)
