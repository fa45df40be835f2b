"""The letters of which random programs are written: each is one small act on a draft.

A program is a string; every string is a valid program. Letters come simplest first, so that
Hypothesis, which prefers short strings and early letters, ends at the smallest script. The code
points are private use: a constant that Hypothesis mines from some module never is a program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Final

from attrs import frozen

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.drafts import Draft, answer_to
from contextcert.strategies.item_values import (
    ID_PREFIXES,
    META,
    PNG,
    audio,
    encrypted,
    image,
    item,
    linked_media,
    shell_action,
    text,
)
from contextcert.strategies.scope import Scope

Act = Callable[[Draft], None]

FIRST_LETTER: Final = 0xE000
"""Code point of the first letter."""

_CALL_IDS: Final = ("c1", "c2", "")


@frozen
class Letter:
    """One act, and how many letters of each group's alphabet stand for it.

    Attributes:
        act: what it does to a draft.
        mixed: its weight in the group `mixed`.
        pairs: its weight in the group `pairs`.
        media: its weight in the group `media`.
    """

    act: Act
    mixed: int
    pairs: int
    media: int


@cache
def acts(group: str, scope: Scope) -> tuple[Act, ...]:
    """Give the acts of the group's letters, in the order of their code points."""
    return tuple(
        letter.act for letter in _letters(scope) for _ in range(int(getattr(letter, group)))
    )


def alphabet_of(count: int) -> str:
    """Give the first `count` letters."""
    return "".join(chr(FIRST_LETTER + place) for place in range(count))


def performed(program: str, table: tuple[Act, ...]) -> Draft:
    """Give the draft that the letters of the program make, one after the other."""
    draft = Draft()
    for letter in program:
        table[ord(letter) - FIRST_LETTER](draft)
    return draft


def _letters(scope: Scope) -> Iterator[Letter]:
    yield from _starts(scope)
    yield from _identities(scope)
    yield from _roles_and_executions()
    yield from _contents(scope)
    yield from _modalities(scope)
    yield from _operations(scope)


def _starts(scope: Scope) -> Iterator[Letter]:
    """List the letters that begin an item."""
    if scope.takes_type("message"):
        yield Letter(_start_message, 3, 2, 7)
    for value, mixed, pairs, media in (*_pairing_items(scope), *_other_items()):
        if scope.takes(value):
            yield Letter(partial(_start, value), mixed, pairs, media)
    yield Letter(partial(_answer_last, scope), 3, 3, 4)
    yield Letter(_repeat_last, 1, 1, 1)


def _pairing_items(scope: Scope) -> Iterator[tuple[JsonObject, int, int, int]]:
    """List the items that have a call id, or could have one, with their weights."""
    for item_type, media in _CALL_TYPES.items():
        for call_id in _CALL_IDS:
            yield item(item_type, call_id=call_id), 1, 2, media if call_id == "c1" else 0
    for item_type in ("local_shell_call", "tool_search_call", "tool_search_output"):
        yield item(item_type, call_id=None), 1, 1, 0
    if scope.mints_ids:  # E11-1
        without_call_id = item("function_call_output")
        del without_call_id["call_id"]
        yield without_call_id, 1, 1, 1


def _other_items() -> Iterator[tuple[JsonObject, int, int, int]]:
    """List the items without a call id, with their weights."""
    for item_type, (pairs, media) in _OTHER_TYPES.items():
        yield item(item_type), 1, pairs, media
    yield item("additional_tools", tools=[image()]), 1, 0, 1  # an image anywhere else (IMG-5)


_CALL_TYPES: Final = {
    "function_call": 3,
    "custom_tool_call": 3,
    "tool_search_call": 0,
    "local_shell_call": 0,
    "function_call_output": 3,
    "custom_tool_call_output": 3,
    "tool_search_output": 0,
}
"""Types with a call id, and their weight in the group `media`, which has one call id only."""

_OTHER_TYPES: Final = {
    "reasoning": (1, 0),
    "image_generation_call": (0, 3),
    "web_search_call": (0, 0),
    "agent_message": (0, 1),
    "additional_tools": (0, 0),
    "compaction": (0, 0),
    "context_compaction": (0, 0),
}
"""Types without a call id, and their weights in the groups `pairs` and `media`."""


def _answer_last(scope: Scope, draft: Draft) -> None:
    """Answer the call that the last item is; where there is none, give a function output."""
    answer = answer_to(draft.items[-1]) if draft.items else None
    if answer is None:
        answer = item("function_call_output")
    if scope.takes(answer):
        draft.start(answer)


def _repeat_last(draft: Draft) -> None:
    """Append the last item once more."""
    if draft.items:
        draft.start(draft.items[-1])


def _usual_id(value: JsonObject, number: int) -> str:
    return f"{ID_PREFIXES.get(str(value['type']), 'x')}_{number}"


def _start(value: JsonObject, draft: Draft) -> None:
    draft.start(value)


def _start_message(draft: Draft) -> None:
    """Begin a message whose text tells its place, so that a move shows."""
    place = len(draft.items)
    value: JsonObject = {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": f"t{place}"}],
    }
    draft.start(value)


def _identities(scope: Scope) -> Iterator[Letter]:
    """List the letters that set ids."""
    yield Letter(partial(_set_usual_id, 1), 4, 7, 1)
    yield Letter(partial(_set_usual_id, 2), 1, 2, 0)
    yield Letter(partial(_set_id, "abc"), 1, 2, 0)
    yield Letter(partial(_set_id, " Abc"), 1, 2, 0)
    yield Letter(partial(_set_id, ""), 1, 1, 0)
    if scope.mints_ids:  # E11-6
        yield Letter(partial(_set_id, "fc_"), 1, 1, 0)
        yield Letter(partial(_set_id, "_1"), 1, 1, 0)
    yield Letter(partial(_set_call_id, "c3"), 1, 1, 0)


def _set_usual_id(number: int, draft: Draft) -> None:
    value = draft.edit()
    value["id"] = _usual_id(value, number)


def _set_id(item_id: str, draft: Draft) -> None:
    draft.edit()["id"] = item_id


def _set_call_id(call_id: str, draft: Draft) -> None:
    value = draft.edit()
    if "call_id" in value:
        value["call_id"] = call_id


def _roles_and_executions() -> Iterator[Letter]:
    for execution, weight in {"server": 3, "Server": 1, "server2": 1, "": 2, " server": 2}.items():
        yield Letter(partial(_set_execution, execution), weight, weight, 0)
    for role in ("assistant", "developer", "tool", "System"):
        yield Letter(partial(_set_role, role), 1, 0, 1)


def _set_execution(execution: str, draft: Draft) -> None:
    value = draft.edit()
    if "execution" in value:
        value["execution"] = execution


def _set_role(role: str, draft: Draft) -> None:
    value = draft.edit()
    if value["type"] == "message":
        value["role"] = role


def _contents(scope: Scope) -> Iterator[Letter]:
    """List the letters that change what an item says."""
    yield Letter(partial(_add, text("p"), _TEXT_HOLDERS), 1, 0, 2)
    yield Letter(partial(_add, text("<image>"), _TEXT_HOLDERS), 0, 0, 1)
    if scope.takes_modality("image"):
        yield Letter(partial(_add, image(), _MEDIA_HOLDERS), 2, 0, 9)
        yield Letter(partial(_add, image(detail="high"), _MEDIA_HOLDERS), 0, 0, 1)
    if scope.takes_modality("audio"):
        yield Letter(partial(_add, audio(), _MEDIA_HOLDERS), 2, 0, 9)
    yield Letter(partial(_add, encrypted(), _SECRET_HOLDERS), 1, 0, 4)
    yield Letter(partial(_add, text(""), _TEXT_HOLDERS), 1, 0, 1)
    if not scope.mints_ids:
        for entry in linked_media():
            if scope.takes_modality(str(entry["type"]).removeprefix("input_")):
                yield Letter(partial(_add, entry, _MEDIA_HOLDERS), 0, 0, 2)
    yield Letter(partial(_set_body, []), 1, 0, 1)
    yield Letter(partial(_set_body, ""), 1, 1, 1)
    yield Letter(partial(_set_body, PNG), 1, 0, 3)
    yield Letter(_add_meta, 1, 1, 1)
    yield Letter(partial(_add_fields, scope.mints_ids), 2, 3, 2)


_OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})
_MEDIA_HOLDERS: Final = _OUTPUTS | {"message"}
_TEXT_HOLDERS: Final = _MEDIA_HOLDERS | {"agent_message"}
_SECRET_HOLDERS: Final = _OUTPUTS | {"agent_message"}


def _add(entry: JsonObject, holders: frozenset[str], draft: Draft) -> None:
    if draft.items and draft.items[-1]["type"] in holders:
        draft.add_entry(entry)


def _set_body(body: str | list[Json], draft: Draft) -> None:
    draft.set_body(body)


def _add_meta(draft: Draft) -> None:
    value = draft.edit()
    if value["type"] != "additional_tools":
        value[META] = {"turn_id": "t1"}


def _add_fields(mints_ids: bool, draft: Draft) -> None:  # noqa: FBT001 -- bound by partial
    """Set the optional and the rarer fields of the last item's type."""
    value = draft.edit()
    item_type = str(value["type"])
    value.update(_RARER_FIELDS.get(item_type, {}))
    if mints_ids and item_type == "function_call_output":
        value.update(name="f", namespace="ns")


_RARER_FIELDS: Final[dict[str, JsonObject]] = {
    "message": {"phase": "commentary"},
    "reasoning": {
        "summary": [{"type": "summary_text", "text": "s"}],
        "content": [{"type": "reasoning_text", "text": "c"}],
        "encrypted_content": "gAAA",
    },
    "function_call": {"namespace": "ns", "encrypted_function_args": ["gAAA"]},
    "custom_tool_call": {"namespace": "ns", "status": "completed"},
    "custom_tool_call_output": {"name": "t"},
    "tool_search_call": {"status": "failed", "arguments": ["a", None]},
    "tool_search_output": {"status": "failed", "tools": [{"a": None}]},
    "local_shell_call": {"status": "incomplete", "action": shell_action(env={"A": "b"})},
    "web_search_call": {"status": "completed", "action": {"type": "open_page", "url": "u"}},
    "image_generation_call": {"revised_prompt": "a cat", "status": "failed"},
    "additional_tools": {"tools": [{"type": "function"}]},
    "context_compaction": {"encrypted_content": "gAAA"},
}


def _modalities(scope: Scope) -> Iterator[Letter]:
    """List the letters that take a modality from the model, or give it back."""
    if "media" in scope.claim.profiles:
        for modality in ("image", "audio", "text"):
            if scope.takes_modality(modality):
                yield Letter(partial(_toggle, modality), 1, 0, 3 if modality != "text" else 1)


def _toggle(modality: str, draft: Draft) -> None:
    draft.without ^= {modality}


def _operations(scope: Scope) -> Iterator[Letter]:
    """List the letters that change what is done with the items."""
    yield Letter(partial(_wish, "twice"), 3, 3, 2)
    yield Letter(partial(_wish, "again"), 1, 1, 1)
    if scope.may("replace"):
        yield Letter(partial(_wish, "replace"), 1, 1, 1)
    if scope.may("restore_items"):
        yield Letter(partial(_wish, "restore"), 1, 2, 1)
    if scope.may("raw_items"):
        yield Letter(partial(_wish, "raw"), 2, 2, 1)
    if scope.may("record_annotated_items") and scope.may("for_prompt_annotated"):
        yield Letter(partial(_wish, "annotate"), 2, 2, 1)
    if "media" in scope.claim.profiles:
        yield Letter(partial(_wish, "otherwise"), 1, 0, 2)
    yield Letter(partial(_wish, "settle"), 2, 2, 2)
    yield Letter(partial(_pause, False), 1, 1, 1)
    yield Letter(partial(_pause, True), 1, 1, 1)


def _wish(name: str, draft: Draft) -> None:
    draft.wishes.add(name)


def _pause(look: bool, draft: Draft) -> None:  # noqa: FBT001 -- bound by partial
    draft.pauses.append((len(draft.items), look))
