"""The letters of the group `heads`: pairs of all families, whole and broken, and head removal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contextcert.refmodel import JsonObject
from contextcert.strategies.drafts import answer_to
from contextcert.strategies.item_values import item, text
from contextcert.strategies.lives import (
    Life,
    Step,
    Watched,
    begin,
    change,
    operation,
    wish,
)

WATCHED: Final[Watched] = (
    "items",
    "baseline",
    "version",
    "reference",
    "tokens",
    "envelopes",
    "items",
)
"""What the scripts of the group may watch, the first if nothing else."""

_CALLS: Final = ("function_call", "custom_tool_call", "local_shell_call", "tool_search_call")
_OUTPUTS: Final = ("function_call_output", "custom_tool_call_output", "tool_search_output")
_CALL_IDS: Final = ("c1", "c2", "")


def weighted_steps() -> Iterator[tuple[Step, int]]:
    """List the steps of the group with their weights, the plainest first."""
    yield change("remove_first_item"), 26
    yield from _whole_pairs()
    yield from _loose_ends()
    yield from _other_items()
    yield from _executions()
    yield _remove_all, 3
    yield _project, 3
    yield wish("replace", "replace"), 3
    yield wish("annotate", "record_annotated_items"), 4
    yield operation("set_world_state_baseline", state={"b": []}), 3
    yield change("drop_last_n_user_turns", num_turns=1), 1


def _whole_pairs() -> Iterator[tuple[Step, int]]:
    """List the steps that begin a call under an id of its own, and that answer the open ones."""
    for call in _CALLS:
        yield _begin_call(call), 4
        yield _begin_pair(call, 1), 2
        yield _begin_pair(call, -1), 2
    yield _answer_first, 6
    yield _answer_last, 6


def _begin_call(call: str) -> Step:
    def step(life: Life) -> None:
        life.begin(_call(call, life))

    return step


def _begin_pair(call: str, order: int) -> Step:
    """Begin a call and its output, or the output first."""

    def step(life: Life) -> None:
        value = _call(call, life)
        for part in [value, answer_to(value)][::order]:
            if part is not None:
                life.begin(part)
        life.calls = [one for one in life.calls if one["call_id"] != value["call_id"]]

    return step


def _call(call: str, life: Life) -> JsonObject:
    return item(call, call_id=f"p{life.number}")


def _answer_first(life: Life) -> None:
    life.answer(0)


def _answer_last(life: Life) -> None:
    life.answer(-1)


def _loose_ends() -> Iterator[tuple[Step, int]]:
    """List the steps that begin calls and outputs with ids from a small pool (HEAD-2 to HEAD-7)."""
    for call_id, weight in zip(_CALL_IDS, (3, 1, 1), strict=True):
        for item_type in (*_CALLS, *_OUTPUTS):
            yield begin(item(item_type, call_id=call_id)), weight
    for item_type in ("function_call_output", "custom_tool_call_output"):
        yield begin(item(item_type, output="again")), 2
    for item_type in ("local_shell_call", "tool_search_call", "tool_search_output"):
        yield begin(item(item_type, call_id=None)), 1
    yield _begin_output_of_two_calls, 3
    yield _begin_output_without_call_id, 1
    yield _repeat, 3


def _begin_output_of_two_calls(life: Life) -> None:
    """Begin an output, a shell call and a function call, which goes with it (HEAD-4)."""
    for item_type in ("function_call_output", "local_shell_call", "function_call"):
        life.begin(item(item_type, call_id="c3"))


def _begin_output_without_call_id(life: Life) -> None:
    """Begin what edition 2026-11 added (E11-1)."""
    if life.scope.mints_ids:
        value = item("function_call_output")
        del value["call_id"]
        life.begin(value)


def _repeat(life: Life) -> None:
    if life.items:
        life.begin(life.items[-1])


def _other_items() -> Iterator[tuple[Step, int]]:
    yield _begin_message, 6
    yield begin(item("reasoning")), 2
    yield begin(item("agent_message")), 1
    yield begin(item("web_search_call")), 1
    yield begin(item("compaction")), 1


def _begin_message(life: Life) -> None:
    life.begin(item("message", content=[text(f"t{life.number}")]))


def _executions() -> Iterator[tuple[Step, int]]:
    for execution in ("server", "Server", "other"):
        yield _set_execution(execution), 2


def _set_execution(execution: str) -> Step:
    def step(life: Life) -> None:
        value = life.edit()
        if "execution" in value:
            value["execution"] = execution

    return step


def _remove_all(life: Life) -> None:
    """Remove as often as there are items that wait, and once more for nothing (HEAD-1)."""
    for _ in range(min(len(life.items), 6) + 1):
        life.change({"op": "remove_first_item"})


def _project(life: Life) -> None:
    life.project()
