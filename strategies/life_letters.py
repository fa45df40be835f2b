"""The letters of the group `lives`: all operations, on several histories, in any order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.fragments import DEVELOPER_FRAGMENTS, USER_FRAGMENTS
from contextcert.strategies.item_values import audio, image, item, text
from contextcert.strategies.lives import (
    LOOKS,
    Life,
    Step,
    Watched,
    begin,
    change,
    operation,
    wish,
)
from contextcert.strategies.projecting import for_prompt, named
from contextcert.strategies.reading import read
from contextcert.strategies.world_letters import at, put, remove, update

WATCHED: Final[Watched] = (
    "items",
    "envelopes",
    "version",
    "reference",
    "baseline",
    "tokens",
    "items",
)
"""What the scripts of the group may watch, the first if nothing else."""

_CALLS: Final = ("function_call", "custom_tool_call", "local_shell_call", "tool_search_call")
_OUTPUTS: Final = ("function_call_output", "custom_tool_call_output", "tool_search_output")


def weighted_steps() -> Iterator[tuple[Step, int]]:
    """List the steps of the group with their weights, the plainest first."""
    yield _begin_message, 14
    yield _project, 4
    yield from _changes()
    yield from _reads()
    yield from _copies()
    yield from _items()
    yield from _looks()
    yield from _modalities()
    yield from _opaque_values()
    yield from _several_at_once()


def _several_at_once() -> Iterator[tuple[Step, int]]:
    """List the steps that add several operations, each after a step that it may shrink to."""
    yield _project, 1
    yield _project_settled, 10
    yield _project_twice, 4
    yield _project, 1
    for call in ("function_call", "tool_search_call"):
        yield _answer_late(call), 4
    yield _clone, 1
    yield _live_twice, 6
    yield _project, 1
    yield _project_alike("annotate", "record_annotated_items"), 3
    yield _clone, 1
    yield _project_alike("replace", "replace"), 3


def _begin_message(life: Life) -> None:
    life.begin(item("message", content=[text(f"t{life.number}")]))


def _project_settled(life: Life) -> None:
    """Answer every call, then project."""
    while life.calls and not life.full:
        life.answer(0)
    life.calls = []
    life.project()


def _changes() -> Iterator[tuple[Step, int]]:
    yield change("remove_first_item"), 5
    for count, weight in {1: 6, 2: 2, 0: 2, 2**32 - 1: 1}.items():
        yield change("drop_last_n_user_turns", num_turns=count), weight
    yield change("replace", items=[]), 1
    yield wish("replace", "replace"), 5
    yield wish("annotate", "record_annotated_items"), 8
    yield wish("restore", "restore_items"), 2
    yield _pause, 4


def _pause(life: Life) -> None:
    life.bring_in()


def _reads() -> Iterator[tuple[Step, int]]:
    """List the steps of transcript readers (CUR-1 to CUR-4)."""
    for reader, weight in (
        ("nobody", 3),
        ("current", 2),
        ("behind", 2),
        ("ahead", 2),
        ("newer", 1),
        ("older", 2),
        ("the last", 9),
        ("older", 1),  # what the others may shrink to
        ("the first", 2),
        ("older", 1),
        ("another", 2),
    ):
        yield read(reader), weight


def _copies() -> Iterator[tuple[Step, int]]:
    """List the steps that clone, and that hold what was handed out (SNAP-1 to SNAP-3)."""
    yield _clone, 6
    yield _switch, 8
    yield _clone_onto_itself, 1
    yield _clone_onto_another, 2
    yield _hold("raw_items"), 4
    yield _hold("for_prompt"), 3
    yield _read_held, 6


def _clone(life: Life) -> None:
    if life.scope.may("clone") and not life.full:
        life.copy(empty=True)


def _live_twice(life: Life) -> None:
    """Clone, and let the clone undergo whatever comes next as well (SNAP-3)."""
    if life.scope.may("clone") and not life.full and life.mirror is None:
        life.mirror = life.copy()


def _switch(life: Life) -> None:
    """Go on with the next history."""
    life.bring_in()
    life.mirror = None
    life.on = (life.on + 1) % life.histories


def _clone_onto_itself(life: Life) -> None:
    life.mirror = None
    life.do({"op": "clone", "to": life.on})


def _clone_onto_another(life: Life) -> None:
    life.mirror = None
    life.do({"op": "clone", "to": (life.on + 1) % life.histories})


def _hold(what: str) -> Step:
    def step(life: Life) -> None:
        asked: JsonObject = {"op": "hold", "name": what, "what": what}
        if what == "raw_items":
            life.do(asked)
            return
        prompt = for_prompt(life.modalities())
        life.do(prompt)  # only beside the prompt itself can a wrong one be told from a changed one
        life.do({**prompt, **asked})

    return step


def _read_held(life: Life) -> None:
    """Read again what was handed out last (SNAP-2)."""
    held = [op["name"] for op in life.ops if op["op"] == "hold"]
    if held:
        life.do({"op": "held", "name": held[-1]})


def _project_alike(way: str, needed: str) -> Step:
    """Project two histories that have the same items and nothing else in common (PROJ-3)."""

    def step(life: Life) -> None:
        waiting, life.items = life.items, []
        if life.scope.mints_ids:  # items with other ids are other items
            waiting = [named(one, life.number + place) for place, one in enumerate(waiting)]
        life.mirror = None
        is_new = not any(op.get("on", 0) == life.on for op in life.ops)
        other, here = life.copy(), life.on
        for on in (here, other):
            life.on, life.items = on, [*waiting]
            if on == other:
                life.wish(way if is_new else "annotate", needed)
                life.do({"op": "set_reference_context_item", "value": [on]})
                life.do({"op": "set_token_info", "value": [on]})
                life.do({"op": "set_world_state_baseline", "state": {"on": on}})
            life.project()
        life.on = here

    return step


def _items() -> Iterator[tuple[Step, int]]:
    for call in _CALLS:
        yield _begin_call(call), 4
    yield _answer_first, 5
    yield _answer_last, 8
    for output in _OUTPUTS:
        yield begin(item(output, call_id="c9")), 1
    yield begin(item("tool_search_output", call_id="c9", execution="server")), 1
    yield begin(item("local_shell_call", call_id=None)), 1
    yield begin(item("reasoning")), 1
    yield begin(item("image_generation_call")), 1
    yield begin(item("agent_message")), 2
    yield begin(item("message", role="assistant")), 2
    yield begin(item("message", role="system")), 1
    yield begin(item("message", content=[text(USER_FRAGMENTS[0])])), 2
    yield begin(_told(DEVELOPER_FRAGMENTS[0])), 2
    yield begin(_told(DEVELOPER_FRAGMENTS[0], "d")), 3
    yield begin(item("message", content=[image(), audio()])), 3
    yield begin(item("function_call_output", call_id="c9", output=[audio(), image()])), 1
    yield _set_id, 4
    yield _drop_id, 2


def _told(*said: str) -> JsonObject:
    return item("message", role="developer", content=[text(one) for one in said])


def _begin_call(call: str) -> Step:
    def step(life: Life) -> None:
        life.begin(item(call, call_id=f"p{life.number}"))

    return step


def _answer_first(life: Life) -> None:
    life.answer(0)


def _answer_last(life: Life) -> None:
    life.answer(-1)


def _set_id(life: Life) -> None:
    life.edit()["id"] = "x_1"


def _drop_id(life: Life) -> None:
    """Take the id away, which leaves a synthetic output without one (SYN-2).

    Where recording would give another (E11-2), what waits is restored, if that can be done.
    """
    if life.scope.mints_ids:
        life.wish("restore", "restore_items")
    if not life.scope.mints_ids or "restore" in life.wishes:
        life.edit().pop("id", None)


def _looks() -> Iterator[tuple[Step, int]]:
    yield _look, 4
    for look in dict.fromkeys(LOOKS.values()):
        yield operation(look), 2


def _project(life: Life) -> None:
    life.project()


def _project_twice(life: Life) -> None:
    """Project, look, and project again (PROJ-1, MODE-8)."""
    life.project()
    if life.scope.may("raw_envelopes"):
        life.do({"op": "raw_envelopes"})
    life.project()


def _answer_late(call: str) -> Step:
    """Project between a call, which debug completes too, and its output (PROJ-7)."""

    def step(life: Life) -> None:
        _begin_call(call)(life)
        life.project()
        life.answer(-1)
        life.project()

    return step


def _look(life: Life) -> None:
    life.look()


def _modalities() -> Iterator[tuple[Step, int]]:
    for modality in ("image", "audio"):
        yield _toggle(modality), 2


def _toggle(modality: str) -> Step:
    def step(life: Life) -> None:
        if "media" in life.scope.claim.profiles:
            life.without ^= {modality}

    return step


def _opaque_values() -> Iterator[tuple[Step, int]]:
    """List the steps that set what is carried along, and report the world."""
    values: tuple[Json, ...] = ({"model": "m2"}, None)
    for value in values:
        yield operation("set_reference_context_item", value=value), 3
        yield operation("set_token_info", value=value), 2
    yield operation("set_world_state_baseline", state={"a": 1, "b": {}}), 2
    yield update, 7
    yield put(1), 2
    yield put({"x": [1]}), 2
    yield at(("b", "x")), 2
    yield remove, 2
