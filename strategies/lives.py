"""A script in the making that changes, looks at and copies histories between its recordings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import define, field, frozen

from contextcert.refmodel import MODALITIES, Json, JsonObject
from contextcert.strategies.drafts import Draft, answer_to
from contextcert.strategies.item_values import META
from contextcert.strategies.letters import FIRST_LETTER
from contextcert.strategies.projecting import (
    POLICY,
    Script,
    envelope_of,
    for_prompt,
    is_restorable,
    look,
)
from contextcert.strategies.scope import Scope

MOST_OPERATIONS: Final = 30
"""No further operation is begun once a script has that many; looks at the end may follow."""

Watched: TypeAlias = "tuple[str, ...]"
"""What a script has an eye on: names of `LOOKS`, in the order in which they are looked at."""

LOOKS: Final[Mapping[str, str]] = {
    "items": "raw_items",
    "envelopes": "raw_envelopes",
    "version": "history_version",
    "reference": "reference_context_item",
    "baseline": "world_state_baseline",
    "world": "world_state_baseline",
    "tokens": "token_info",
}
"""What looks at each thing there is to watch; `baseline` is set at first, `world` is not."""

_SETTERS: Final[Mapping[str, JsonObject]] = {
    "reference": {"op": "set_reference_context_item", "value": {"model": "m1"}},
    "baseline": {"op": "set_world_state_baseline", "state": {"a": 1}},
    "tokens": {"op": "set_token_info", "value": {"total": 7}},
}
"""What makes a thing worth watching, where it is empty at first."""


@define
class Life(Draft):
    """Items not yet brought in, and the operations before them.

    Items are begun and edited as in any draft; every operation brings in those that wait.

    Attributes:
        scope: what may be generated.
        watched: what is looked at, around every change if the script is close, and at the end.
        close: whether looks come before and after every change.
        ops: the operations so far.
        on: the history that is acted upon.
        histories: how many histories there are.
        number: how many items were begun, to tell them apart.
        policy: what items are recorded under.
        calls: the calls begun that have no answer yet.
        mirror: the history that gets every operation as well, if there is one (SNAP-3).
        world: the world state to report next.
        place: where in the world state the next value goes.
    """

    scope: Scope = field(kw_only=True)
    watched: Watched = field(default=(), kw_only=True)
    close: bool = field(default=False, kw_only=True)
    ops: Script = field(factory=list, kw_only=True)
    on: int = field(default=0, kw_only=True)
    histories: int = field(default=1, kw_only=True)
    number: int = field(default=0, kw_only=True)
    policy: JsonObject = field(default=POLICY, kw_only=True)
    calls: list[JsonObject] = field(factory=list, kw_only=True)
    mirror: int | None = field(default=None, kw_only=True)
    world: JsonObject = field(factory=dict, kw_only=True)
    place: tuple[str, ...] = field(default=("a",), kw_only=True)

    def begin(self, value: JsonObject) -> None:
        """Begin an item of a claimed type or of none."""
        if self.full or not (value["type"] == "other" or self.scope.takes(value)):
            return
        self.number += 1
        self.start(value)
        if answer_to(value) is not None:
            self.calls.append(value)

    def answer(self, place: int) -> None:
        """Answer a call that has no answer yet: the first (0) or the last (-1)."""
        if self.calls and (answer := answer_to(self.calls.pop(place))) is not None:
            self.begin(answer)

    @property
    def full(self) -> bool:
        """Whether the script is long enough."""
        return len(self.ops) >= MOST_OPERATIONS

    def bring_in(self) -> None:
        """Bring in the items that wait, the way they were wished to be."""
        if not self.items:
            return
        if self.close and "replace" in self.wishes:
            self._look()
        self._add(self._bringing())
        self.items = []
        self.wishes.clear()
        if self.close:
            self._look()

    def _bringing(self) -> JsonObject:
        items: list[Json] = [*self.items]
        if "replace" in self.wishes:
            return {"op": "replace", "items": items}
        if "restore" in self.wishes:
            kept: list[Json] = [item for item in self.items if is_restorable(item)]
            return {"op": "restore_items", "items": kept}
        if "annotate" in self.wishes:
            first = self.number - len(items)
            envelopes: list[Json] = [
                envelope_of(item, place, self.scope) for place, item in enumerate(items, first)
            ]
            return {
                "op": "record_annotated_items",
                "envelopes": envelopes,
                "policy": self.policy,
            }
        return {"op": "record_items", "items": items, "policy": self.policy}

    def wish(self, name: str, operation: str) -> None:
        """Wish for the next items to be brought in by an operation, where there is such."""
        if self.scope.may(operation):
            self.wishes.add(name)

    def do(self, operation: JsonObject) -> None:
        """Bring in what waits, then add an operation, if the script may hold it."""
        operation = look(operation, self.scope)
        if self.scope.may(str(operation["op"])) and not self.full:
            self.bring_in()
            self._add(operation)

    def change(self, operation: JsonObject) -> None:
        """Add an operation that changes the history, and in a close script look around it."""
        if not self.close:
            self.do(operation)
            return
        self.bring_in()
        self.look()
        self.do(operation)
        self.look()

    def look(self) -> None:
        """Bring in what waits, then look at what is watched, unless that was done just now."""
        self.bring_in()
        self._look()

    def end(self) -> None:
        """Read again what was handed out, and look at every history that changed since a look."""
        self.bring_in()
        self.mirror = None
        self.ops += [
            {"op": "held", "name": name}
            for name in dict.fromkeys(op["name"] for op in self.ops if op["op"] == "hold")
        ]
        looks = {*LOOKS.values()}
        for on in range(self.histories):
            mine = [op["op"] for op in self.ops if op.get("on", 0) == on and op["op"] != "held"]
            if not mine or mine[-1] not in looks or on == self.on:
                self._look_at(on)

    def _look(self) -> None:
        if not self.full:
            self._look_at(self.on)
            if self.mirror is not None:
                self._look_at(self.mirror)

    def _look_at(self, on: int) -> None:
        here: JsonObject = {"on": on} if on else {}
        looks: Script = [look({"op": name, **here}, self.scope) for name in self._ways_to_look()]
        looks = [one for one in looks if self.scope.may(str(one["op"]))]
        if looks and self.ops[-len(looks) :] != looks:
            self.ops += looks

    def _ways_to_look(self) -> list[str]:
        """List what looks at the watched, or at the items where the adapter shows none of it."""
        ways = [LOOKS[name] for name in self.watched]
        shown = [name for name in ways if self.scope.may(name)]
        return ways if shown or not ways else ["raw_items"]

    def prepare(self) -> None:
        """Set what is watched to something that can be lost."""
        for name in self.watched:
            if name in _SETTERS:
                self.do(_SETTERS[name])

    def project(self) -> None:
        """Project under every modality that is claimed, but for those left out."""
        self.change(for_prompt(self.modalities()))

    def modalities(self) -> list[str]:
        """List the modalities that are claimed, but for those left out."""
        chosen = [one for one in MODALITIES if one not in self.without]
        return list(filter(self.scope.takes_modality, chosen))

    def copy(self, *, empty: bool = False) -> int:
        """Make another history that is like this one, and give its number.

        Where histories cannot be cloned, what made this one is done again. An empty history is
        cloned only if that is asked for.
        """
        self.bring_in()
        to, self.histories = self.histories, self.histories + 1
        mine = [op for op in self.ops if op.get("on", 0) == self.on]
        if self.scope.may("clone") and (mine or empty):
            self.ops.append(self._here({"op": "clone", "to": to}))
        else:
            looks = {*LOOKS.values(), "for_prompt"}
            self.ops += [{**op, "on": to} for op in mine if op["op"] not in looks]
        return to

    def _here(self, operation: JsonObject) -> JsonObject:
        return {**operation, "on": self.on} if self.on else operation

    def _add(self, operation: JsonObject) -> None:
        self.ops.append(self._here(operation))
        if self.mirror is not None and "on" not in operation:
            self.ops.append({**operation, "on": self.mirror})


Step = Callable[[Life], None]
"""What one letter does to a script in the making."""


@frozen
class Focus:
    """What is chosen for a whole script before its letters.

    Attributes:
        watched: what is looked at.
        close: whether looks come before and after every change, not at the end alone.
        policy: what items are recorded under.
    """

    watched: Watched
    close: bool = False
    policy: JsonObject = field(default=POLICY, eq=False)


def lived(table: Sequence[Step], scope: Scope, focus: Focus, program: str) -> Script:
    """Give the script that the letters of the program make, with looks at the end."""
    life = Life(scope=scope, watched=focus.watched, close=focus.close, policy=focus.policy)
    life.prepare()
    for letter in program:
        table[ord(letter) - FIRST_LETTER](life)
    life.end()
    return life.ops


def steps(weighted: Iterable[tuple[Step, int]]) -> tuple[Step, ...]:
    """Give the steps of a group's letters, each as often as it weighs."""
    return tuple(step for step, weight in weighted for _ in range(weight))


def operation(name: str, **fields: Json) -> Step:
    """Give the step that adds an operation."""
    made: JsonObject = {"op": name, **fields}
    return lambda life: life.do(made)


def change(name: str, **fields: Json) -> Step:
    """Give the step that adds an operation which changes the history."""
    made: JsonObject = {"op": name, **fields}
    return lambda life: life.change(made)


def begin(value: JsonObject) -> Step:
    """Give the step that begins an item."""
    return lambda life: life.begin(value)


def wish(name: str, needed: str) -> Step:
    """Give the step that wishes for a way to bring in the items that wait."""
    return lambda life: life.wish(name, needed)


def set_turn(turn_id: str) -> Step:
    """Give the step that puts the last item into a turn."""

    def step(life: Life) -> None:
        value = life.edit()
        if value["type"] not in _WITHOUT_META:
            value[META] = {"turn_id": turn_id}

    return step


_WITHOUT_META: Final = frozenset({"additional_tools", "compaction_trigger", "other", ""})
