"""Which parts of a text rules look for, and what they make of the whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from contextcert.refmodel.fragments import is_developer_fragment, is_model_switch, is_user_fragment
from contextcert.refmodel.hook_prompt import is_hook_prompt
from contextcert.refmodel.instructions import is_instruction_text
from contextcert.refmodel.white_space import trim
from contextcert.strategies.item_values import ID_PREFIXES

Part: TypeAlias = tuple[str, bool]
"""A piece of a text, and whether it stays as it is. Equal pieces of one text stay equal."""

Traits: TypeAlias = tuple[bool, ...]

_USER_TAGS: Final = (
    "environment_context|skill|user_shell_command|turn_aborted|subagent_notification"
    "|recommended_plugins|goal_context|model_switch"
)
_DEVELOPER_STARTS: Final = (
    "<permissions instructions>|Approved command prefix saved:|<model_switch>|<apps_instructions>"
    "|<collaboration_mode>|<multi_agent_mode>|<environments_instructions>|<git_attribution>"
    "|<plugins_instructions>|<realtime_conversation>|<skills_instructions>|<tools>"
    "|<personality_spec>|<token_budget>|<context_window>|<context_window_guidance>"
    "|<rollout_budget>"
)
_ENDS: Final = tuple(
    re.compile(f"(?P<start>{start})(?P<middle>.*)(?P<end>{end})", flags | re.DOTALL)
    for start, end, flags in (
        (rf"<(?P<tag>{_USER_TAGS})>", "</(?P=tag)>", re.ASCII | re.IGNORECASE),
        (r"# AGENTS\.md instructions", "</INSTRUCTIONS>", re.ASCII | re.IGNORECASE),
        ('<codex_internal_context source="', "</codex_internal_context>", re.NOFLAG),
        (
            "Warning: apply_patch was requested via ",
            r"Use the apply_patch tool instead of exec_command\.",
            re.NOFLAG,
        ),
    )
)
"""Two ends that stay, with anything between them."""

_STARTS: Final = re.compile(
    rf"{_DEVELOPER_STARTS}"
    r"|Warning: The maximum number of unified exec processes you can keep open is"
    r"|Warning: Your account was flagged for potentially high-risk cyber activity",
    re.ASCII | re.IGNORECASE,
)
_EXTERNAL: Final = re.compile(r"<external_([^>]*)>(.*)</external_(\1)>", re.DOTALL)
_HOOK: Final = re.compile(r"<([^\s<>/]+)(\s[^<>]*)>([^<]*)</(\1)(\s*)>", re.DOTALL)
_ATTRIBUTE: Final = re.compile(r"""([^\s=]+)(\s*=\s*["'])([^"']*)(["'])""")
_REFERENCE: Final = re.compile(r"&(?:amp|lt|gt|quot|apos);")
_DATA: Final = re.compile(r"data:(?:image|audio)/(?:[a-z0-9+-]{2,12}(?:;base64)?,)?")
_ID: Final = re.compile(rf"(?:{'|'.join(sorted({*ID_PREFIXES.values(), 'call', 'turn'}))})_")
_JSON_TOKEN: Final = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[-0-9.eE+]+|[^"0-9]+', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_KNOWN_KEYS: Final = frozenset(
    {
        "id",
        "author",
        "recipient",
        "other_recipients",
        "content",
        "encrypted_content",
        "internal_chat_message_metadata_passthrough",
        "trigger_turn",
        "turn_id",
        "create_time",
    }
)
_PATH: Final = re.compile(r"/morpheus|/root")


def traits(text: str) -> Traits:
    """Tell what the rules take a text for."""
    return (
        is_user_fragment(text),
        is_developer_fragment(text),
        is_model_switch(text),
        is_hook_prompt(trim(text)),
        is_instruction_text(text),
    )


def parts_of(text: str) -> list[Part]:
    """Cut a text into what stays and what does not."""
    if is_instruction_text(text):
        return list(_instruction(text))
    body = trim(text)
    start = text.index(body) if body else 0
    for rule in _RULES:
        found = rule(body)
        if found is not None:
            return [(text[:start], True), *found, (text[start + len(body) :], True)]
    return [(text, False)]


def _external(body: str) -> list[Part] | None:
    found = _EXTERNAL.fullmatch(body)
    if found is None:
        return None
    key = (found[1], False)
    return [("<external_", True), key, (">", True), (found[2], False), ("</external_", True), key,
            (">", True)]  # fmt: skip


def _hook(body: str) -> list[Part] | None:
    found = _HOOK.fullmatch(body)
    if found is None or not is_hook_prompt(body):
        return None
    name: Part = (found[1], found[1] == "hook_prompt")
    return [
        ("<", True),
        name,
        *_attributes(found[2]),
        (">", True),
        *_between(_REFERENCE, found[3]),
        ("</", True),
        name,
        (f"{found[5]}>", True),
    ]


def _attributes(text: str) -> Iterator[Part]:
    end = 0
    for found in _ATTRIBUTE.finditer(text):
        yield text[end : found.start()], True
        yield found[1], found[1] == "hook_run_id"
        yield found[2], True
        yield from _between(_REFERENCE, found[3])
        yield found[4], True
        end = found.end()
    yield text[end:], True


def _ends(body: str) -> list[Part] | None:
    for pattern in _ENDS:
        found = pattern.fullmatch(body)
        if found is not None:
            return [(found["start"], True), (found["middle"], False), (found["end"], True)]
    return None


def _start(body: str) -> list[Part] | None:
    for pattern in (_STARTS, _DATA, _ID):
        found = pattern.match(body)
        if found is not None:
            return [(found[0], True), (body[found.end() :], False)]
    return None


_RULES: Final[tuple[Callable[[str], list[Part] | None], ...]] = (_external, _hook, _ends, _start)


def _instruction(text: str) -> Iterator[Part]:
    for found in _JSON_TOKEN.finditer(text):
        token = found[0]
        if token[0] in "-0123456789":
            yield re.sub(r"[1-9]", "1", token), True
        elif token[0] != '"':
            yield token, True
        elif found[2] is not None:
            yield from (('"', True), *_key(found[1]), (f'"{found[2]}', True))
        else:
            yield from (('"', True), *_string(found[1]), ('"', True))


def _key(written: str) -> Iterator[Part]:
    if written in _KNOWN_KEYS:
        yield written, True
    else:
        yield from _escaped(written)


def _string(written: str) -> Iterator[Part]:
    path = _PATH.match(written)
    kept = path[0] if path else ""
    yield kept, True
    yield from _escaped(written[len(kept) :])


def _escaped(written: str) -> Iterator[Part]:
    """Cut the inside of a JSON string at its escapes, of which those for letters hide them."""
    for part, kept in _between(_ESCAPE, written):
        yield (_hidden(part), True) if kept else (part, False)


def _hidden(escape: str) -> str:
    r"""Give an escape as it is, or another where it stands for a character that is no control."""
    if not escape.startswith(r"\u") or escape.startswith(_CONTROL):
        return escape
    return _SURROGATES.get(escape[2:4].lower(), r"\u0078")


_CONTROL: Final = (r"\u000", r"\u001")
_SURROGATES: Final = {
    **dict.fromkeys(("d8", "d9", "da", "db"), r"\ud83d"),
    **dict.fromkeys(("dc", "dd", "de", "df"), r"\ude00"),
}
"""What stands for both halves of a pair of surrogates, by the first digits of either."""


def _between(kept: re.Pattern[str], text: str) -> Iterator[Part]:
    """Cut a text at what a pattern finds, which stays."""
    end = 0
    for found in kept.finditer(text):
        yield text[end : found.start()], False
        yield found[0], True
        end = found.end()
    yield text[end:], False
