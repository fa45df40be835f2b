"""What is a boundary and what is context: every fragment, near miss, edge and role (ROLL)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contextcert.refmodel import JsonObject
from contextcert.strategies.admission import admitted
from contextcert.strategies.fragments import (
    DEVELOPER_FRAGMENTS,
    INSTRUCTIONS,
    MODEL_SWITCH,
    NEAR_DEVELOPER_FRAGMENTS,
    NEAR_INSTRUCTIONS,
    NEAR_USER_FRAGMENTS,
    NO_WHITE_SPACE,
    USER_FRAGMENTS,
    WHITE_SPACE,
    is_marked_hook_prompt,
)
from contextcert.strategies.item_values import audio, encrypted, image, item, text
from contextcert.strategies.projecting import POLICY, Script
from contextcert.strategies.scope import Scope

_EDGED: Final = tuple(USER_FRAGMENTS[place] for place in (2, 7, 9, 13, 14))
"""One fragment of each rule of 4.4."""

HYPHENED: Final = INSTRUCTIONS[0].replace("/root/a", "/root/a-b")
"""No instruction: a path has no hyphen (4.6)."""


def turn_scripts(scope: Scope) -> Iterator[Script]:
    """Put one doubtful message before the last user message, and roll back one turn twice."""
    for message in doubtful_messages():
        items = admitted([_message("user", "a"), message, _message("user", "b")], scope)
        if len(items) < _WHOLE:
            continue
        recording: JsonObject = {"op": "record_items", "items": [*items], "policy": POLICY}
        yield [
            {"op": "set_reference_context_item", "value": {"model": "m1"}},
            recording,
            *_ROLLED_BACK,
            *_ROLLED_BACK,
        ]


_WHOLE: Final = 3
_ROLLED_BACK: Final[Script] = [
    {"op": "drop_last_n_user_turns", "num_turns": 1},
    {"op": "raw_items"},
    {"op": "reference_context_item"},
]


def doubtful_messages() -> Iterator[JsonObject]:
    """List messages that are a boundary, context, an instruction, or nearly one of these."""
    for said in _user_texts():
        yield _message("user", said)
    for said in _developer_texts():
        yield _message("developer", said)
    for said in (*INSTRUCTIONS, *NEAR_INSTRUCTIONS, HYPHENED):
        yield _message("assistant", said)
        yield item("message", role="assistant", content=[_said(said)])
    yield from odd_messages()


def _user_texts() -> Iterator[str]:
    yield from (*USER_FRAGMENTS, *NEAR_USER_FRAGMENTS)
    yield "<external_a b!>e</external_a b!>"
    for fragment in USER_FRAGMENTS:
        yield fragment.swapcase()
        yield f"{fragment} x"
        yield f"x {fragment}"
    for fragment in _EDGED:
        for edge in (*WHITE_SPACE, *NO_WHITE_SPACE):
            if not is_marked_hook_prompt(f"{edge}{fragment}"):
                yield f"{edge}{fragment}"
            yield f"{fragment}{edge}"


def _developer_texts() -> Iterator[str]:
    yield from (*DEVELOPER_FRAGMENTS, *NEAR_DEVELOPER_FRAGMENTS)
    for fragment in DEVELOPER_FRAGMENTS:
        yield fragment.swapcase()
        yield f"x{fragment}"
    for edge in (*WHITE_SPACE, *NO_WHITE_SPACE):
        yield f"{edge}{MODEL_SWITCH}"
    yield ""


def odd_messages() -> Iterator[JsonObject]:
    """List messages of odd roles and contents, and items that are no messages."""
    context, bundle, order = USER_FRAGMENTS[0], DEVELOPER_FRAGMENTS[0], INSTRUCTIONS[0]
    for role, contents in _CONTENTS.items():
        for content in contents:
            yield item("message", role=role, content=[*content])
    for role in ("User", "USER", "user ", "Developer", "developer ", "Assistant", "tool", ""):
        for said in ("x", context, bundle, order):
            yield _message(role, said)
    for role, said in (("user", order), ("developer", order), ("user", bundle)):
        yield _message(role, said)
    for role in ("developer", "assistant"):
        yield _message(role, context)
    yield item("agent_message", content=[])
    yield item("agent_message", content=[encrypted()])
    yield item("agent_message", content=[text(context)])
    for kind in ("reasoning", "function_call", "function_call_output", "compaction"):
        yield item(kind)


def _message(role: str, said: str) -> JsonObject:
    return item("message", role=role, content=[text(said)])


def _said(value: str) -> JsonObject:
    return {"type": "output_text", "text": value}


_CONTEXT: Final = text(USER_FRAGMENTS[0])
_BUNDLE: Final = text(DEVELOPER_FRAGMENTS[0])
_ORDER: Final = text(INSTRUCTIONS[0])
_X: Final = text("x")
_CONTENTS: Final[dict[str, tuple[tuple[JsonObject, ...], ...]]] = {
    "user": (
        (),
        (image(),),
        (audio(),),
        (_said(USER_FRAGMENTS[0]),),
        (_X, _CONTEXT),
        (_CONTEXT, _X),
        (_CONTEXT, image()),
        (image(), _CONTEXT),
        (_said("x"), _CONTEXT),
        (text("<skill>"), text("</skill>")),
    ),
    "developer": (
        (),
        (image(),),
        (_said(DEVELOPER_FRAGMENTS[0]),),
        (_X, _BUNDLE),
        (_BUNDLE, _X),
        (_BUNDLE, image()),
        (_BUNDLE, audio()),
        (_BUNDLE, _said("x")),
        (_BUNDLE, _said(DEVELOPER_FRAGMENTS[0])),
        (_BUNDLE, text("")),
        (_BUNDLE, text(MODEL_SWITCH)),
    ),
    "assistant": (
        (),
        (_ORDER, _ORDER),
        (text(""), _ORDER),
        (_ORDER, text("")),
        (_ORDER, image()),
        (image(),),
    ),
}
"""Several entries, none, and entries that are no input text, by the role of the message."""
