"""The letters of the group `turns`: what starts a turn, what stands around it, and rollbacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from contextcert.refmodel import JsonObject
from contextcert.strategies.drafts import answer_to
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
from contextcert.strategies.item_values import audio, image, item, text
from contextcert.strategies.lives import (
    Life,
    Step,
    Watched,
    begin,
    change,
    operation,
    set_turn,
    wish,
)

WATCHED: Final[Watched] = (
    "items",
    "reference",
    "version",
    "baseline",
    "envelopes",
    "tokens",
    "items",
    "reference",
)
"""What the scripts of the group may watch, the first if nothing else."""

_MOST_TURNS: Final = 2**32 - 1


def weighted_steps() -> Iterator[tuple[Step, int]]:
    """List the steps of the group with their weights, the plainest first."""
    yield _begin_user_message, 20
    yield from _changes()
    yield from _items()
    yield from _messages()
    yield from _entries()
    yield from _ends_of_texts()
    yield from _spellings()
    yield _roll_back_first_turn, 3
    for count in (1, 2):  # what the next ones may shrink to
        yield change("drop_last_n_user_turns", num_turns=count), 1
    for first, then in ((1, 1), (1, 2), (2, 1)):
        yield _split_rollback(first, then), 2


def _changes() -> Iterator[tuple[Step, int]]:
    for count, weight in {1: 14, 2: 7, 3: 2, 0: 3, _MOST_TURNS: 8}.items():
        yield change("drop_last_n_user_turns", num_turns=count), weight
    yield change("remove_first_item"), 1
    yield wish("replace", "replace"), 5
    yield wish("annotate", "record_annotated_items"), 6
    yield _replace_by_system_message, 4
    yield _look, 4
    yield operation("set_reference_context_item", value={"model": "m2"}), 5
    yield operation("set_world_state_baseline", state={"a": 2}), 2


def _split_rollback(first: int, then: int) -> Step:
    """Roll back in two steps here, and in one step in a copy (ROLL-10)."""

    def step(life: Life) -> None:
        if life.full or not life.scope.may("drop_last_n_user_turns"):
            return
        copy = life.copy()
        for count in (first, then):
            life.do({"op": "drop_last_n_user_turns", "num_turns": count})
        life.look()
        life.do({"op": "drop_last_n_user_turns", "num_turns": first + then, "on": copy})
        life.do({"op": "raw_items", "on": copy})

    return step


def _replace_by_system_message(life: Life) -> None:
    """Bring in, by replacing, what recording would drop (REPL-1)."""
    life.wish("replace", "replace")
    life.begin(_message("system", "s"))


def _look(life: Life) -> None:
    life.look()


def _roll_back_first_turn(life: Life) -> None:
    """Make the first turn the only one, and roll it back."""
    life.wish("replace", "replace")
    _begin_first_turn(_FIRST_TURNS[life.number % len(_FIRST_TURNS)], "developer")(life)
    life.change({"op": "drop_last_n_user_turns", "num_turns": 1})
    life.look()


def _items() -> Iterator[tuple[Step, int]]:
    yield _begin_agent_message, 5
    yield begin(item("function_call", id="fc_1")), 3
    yield begin(item("function_call_output")), 3
    yield begin(item("reasoning")), 2
    yield begin(item("custom_tool_call_output")), 1
    yield _begin_parted_pair, 6
    yield begin({"type": "message", "role": "system", "content": [text("s")]}), 3
    yield begin({"type": "other"}), 3


def _begin_parted_pair(life: Life) -> None:
    """Begin a call and its output with a turn between them (ROLL-8)."""
    life.begin(item("function_call", call_id=f"p{life.number}"))
    if life.items and (answer := answer_to(life.items[-1])) is not None:
        _begin_user_message(life)
        life.begin(answer)


def _begin_user_message(life: Life) -> None:
    life.begin(_message("user", f"t{life.number}"))


def _begin_agent_message(life: Life) -> None:
    life.begin(item("agent_message", content=[text(f"t{life.number}")]))


def _message(role: str, said: str) -> JsonObject:
    return item("message", role=role, content=[text(said)])


def _messages() -> Iterator[tuple[Step, int]]:
    yield begin(_message("developer", MODEL_SWITCH)), 4
    for content in _FIRST_TURNS:
        yield _begin_first_turn(content, "developer"), 3
    yield _begin_first_turn(_FIRST_TURNS[0], "user"), 1
    yield _begin_mixed_bundle, 10
    yield _begin_turn_below_mixed_bundle, 8
    yield begin(_message("assistant", "a")), 3
    yield begin(_message("developer", "d")), 4
    for role, weight, texts in (
        ("user", 3, USER_FRAGMENTS),
        ("developer", 2, DEVELOPER_FRAGMENTS),
        ("assistant", 2, INSTRUCTIONS),
        ("user", 1, NEAR_USER_FRAGMENTS),
        ("developer", 1, NEAR_DEVELOPER_FRAGMENTS),
        ("assistant", 1, NEAR_INSTRUCTIONS),
    ):
        for said in texts:
            yield begin(_message(role, said)), weight


_FIRST_TURNS: Final = (
    (MODEL_SWITCH,),
    (MODEL_SWITCH, "d"),
    (DEVELOPER_FRAGMENTS[0], f" {MODEL_SWITCH.swapcase()}\n", MODEL_SWITCH),
    (),
)
"""What a harness says at the start of a first turn (ROLL-9): what stays, what goes, nothing."""


def _begin_first_turn(content: tuple[str, ...], role: str) -> Step:
    """Begin a message of a harness and the turn it belongs to (ROLL-9)."""

    def step(life: Life) -> None:
        told = item("message", role=role, content=[text(said) for said in content])
        for message in (told, _message("user", f"t{life.number}")):
            life.begin(message)
            set_turn("t1")(life)

    return step


def _begin_mixed_bundle(life: Life) -> None:
    """Begin a developer message of two entries, one of which is contextual (ROLL-6)."""
    said = DEVELOPER_FRAGMENTS[life.number % len(DEVELOPER_FRAGMENTS)]
    life.begin(item("message", role="developer", content=[text("d"), text(said)]))


def _begin_turn_below_mixed_bundle(life: Life) -> None:
    _begin_mixed_bundle(life)
    _begin_user_message(life)


def _entries() -> Iterator[tuple[Step, int]]:
    """List the steps that add to what the last message says, or change whose message it is."""
    yield set_turn("t1"), 6
    said: JsonObject = {"type": "output_text"}
    for entry, weight in (
        (text("p"), 8),
        (text(MODEL_SWITCH), 4),
        (text(USER_FRAGMENTS[0]), 3),
        (text(DEVELOPER_FRAGMENTS[0]), 3),
        ({**said, "text": USER_FRAGMENTS[0]}, 2),
        ({**said, "text": DEVELOPER_FRAGMENTS[0]}, 2),
        (image(), 2),
        (audio(), 2),
    ):
        yield _add(entry), weight
    for role in ("user", "developer", "assistant"):
        yield _set_role(role), 3
    for role in ("User", "Developer", "Assistant", "tool"):
        yield _set_role(role), 1
    yield _say_as_output, 3
    yield _say_nothing, 2
    yield set_turn(""), 1
    yield set_turn("t2"), 1


def _add(entry: JsonObject) -> Step:
    def step(life: Life) -> None:
        value = life.edit()
        allowed = life.scope.takes({"type": "message", "content": [entry]})
        if value["type"] == "message" and allowed:
            value["content"] = [*_content(value), entry]

    return step


def _set_role(role: str) -> Step:
    def step(life: Life) -> None:
        value = life.edit()
        if value["type"] == "message":
            value["role"] = role

    return step


def _say_as_output(life: Life) -> None:
    """Make the last entry of the last message `output_text` (4.4, 4.5, 4.6)."""
    value = life.edit()
    content = _content(value) if value["type"] == "message" else []
    if content and "text" in content[-1]:
        value["content"] = [*content[:-1], {**content[-1], "type": "output_text"}]


def _say_nothing(life: Life) -> None:
    value = life.edit()
    if value["type"] == "message":
        value["content"] = []


def _content(value: JsonObject) -> list[JsonObject]:
    content = value.get("content")
    return [entry for entry in content if isinstance(entry, dict)] if content else []  # type: ignore[union-attr]


def _ends_of_texts() -> Iterator[tuple[Step, int]]:
    """List the steps that put white space, or what is taken for it, around the last text."""
    for character in WHITE_SPACE + NO_WHITE_SPACE:
        yield _reword(character.__add__), 1
    yield _reword(lambda said: said[1:] + said[:1]), 5
    yield _reword(lambda said: said + said[:1]), 5


def _spellings() -> Iterator[tuple[Step, int]]:
    yield _reword(str.swapcase), 3
    yield _reword(lambda said: said.replace("k", "\u212a")), 1
    yield _reword(lambda said: said.replace("s", "\u017f")), 1
    yield _reword(lambda said: said[:-1]), 2
    yield _reword(lambda said: said[1:]), 1
    yield _reword(lambda said: f"{said}x"), 2
    yield _reword("x".__add__), 2


def _reword(changed: Callable[[str], str]) -> Step:
    """Give the step that says the last text of the last message in another way."""

    def step(life: Life) -> None:
        value = life.edit()
        content = _content(value) if value["type"] == "message" else []
        if content and "text" in content[-1]:
            last = content[-1]
            said = changed(str(last["text"]))
            if not is_marked_hook_prompt(said):
                value["content"] = [*content[:-1], {**last, "text": said}]

    return step
