"""A script as the wire can carry it out: steps, and outcomes that are settled without asking. Pure.

What the wire cannot do is unsupported, and so is everything that follows it on a history whose
items it would have changed, until they are replaced.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NoReturn, TypeAlias

from attrs import define, field, frozen

from contextcert.adapters.codex.models import LARGEST_LIMIT, USUAL_POLICY
from contextcert.refmodel import TruncationPolicy
from contextcert.refmodel.claim import MODALITIES
from contextcert.refmodel.json_value import Json, JsonObject

Modalities: TypeAlias = "tuple[str, ...]"
"""A modality set, each once, in SPEC's order."""

_NO_VIEW: Final = "the binary's wire shows prompts alone"
_NOT_DRIVEN: Final = "this operation is not driven through the binary's wire"
_WITHOUT_EFFECT: Final = {
    "for_prompt_annotated": _NO_VIEW,
    "raw_items": _NO_VIEW,
    "raw_envelopes": _NO_VIEW,
    "history_version": _NO_VIEW,
    "hold": _NO_VIEW,
    "held": _NO_VIEW,
    "reference_context_item": _NO_VIEW,
    "world_state_baseline": _NO_VIEW,
    "token_info": _NO_VIEW,
    "read_transcript": _NO_VIEW,
    "update_world_state": _NOT_DRIVEN,
    "set_reference_context_item": _NOT_DRIVEN,
    "set_world_state_baseline": _NOT_DRIVEN,
    "set_token_info": _NOT_DRIVEN,
}
"""Operations that cannot be carried out and leave the items alone, each with its reason."""

_CHANGES: Final = frozenset({"remove_first_item", "drop_last_n_user_turns", "replace"})
"""Operations that change the items of a history; they need a release that can show it."""

_MOST_TURNS: Final = 2**32 - 1
_MOST_TURNS_AFTER_REPLACING: Final = 200
_COPY: Final = "removing its first item, which the wire does on a copy alone"


@frozen
class Record:
    """Items to record on a history; `index` is the operation's place in the script."""

    index: int
    history: int
    items: tuple[Json, ...]
    policy: TruncationPolicy = USUAL_POLICY


@frozen
class Restore:
    """A stored session to read into a history, after what it holds."""

    index: int
    history: int
    items: tuple[Json, ...]


@frozen
class Remove:
    """The first item of a history is to go; nothing but removals and projections follow."""

    index: int
    history: int


@frozen
class RollBack:
    """The last `turns` instruction turns are to go."""

    index: int
    history: int
    turns: int


@frozen
class Replace:
    """A history is to hold these items and no others."""

    index: int
    history: int
    items: tuple[Json, ...]


@frozen
class Project:
    """A projection that is asked for."""

    index: int
    history: int
    modalities: Modalities


Step: TypeAlias = "Record | Restore | Project | Remove | RollBack | Replace"


@frozen
class Reading:
    """A script that was read: the steps in order, and the outcomes settled without asking."""

    length: int
    steps: tuple[Step, ...]
    settled: dict[int, JsonObject]

    @property
    def policies(self) -> frozenset[TruncationPolicy]:
        """The policies that something is recorded under."""
        return frozenset(step.policy for step in self.steps if isinstance(step, Record))

    def outcomes(self, answered: dict[int, JsonObject]) -> list[JsonObject]:
        """Put settled outcomes and those of the steps together; a step left out went well."""
        return [
            self.settled.get(index) or answered.get(index) or {"ok": None}
            for index in range(self.length)
        ]


class _Wrong(Exception):  # noqa: N818 -- an outcome, not a failure
    """An operation has no effect because of its arguments; the message says which."""


class _Beyond(Exception):  # noqa: N818 -- an outcome, not a failure
    """The wire cannot carry an operation out; the message says why."""


def read_script(
    script: Sequence[JsonObject], offered: Collection[str], *, changes: bool = True
) -> Reading:
    """Read a script.

    Args:
        script: the operations.
        offered: the modalities that the release knows.
        changes: whether the release shows what becomes of a history.
    """
    reader = _Reader(offered, changes)
    steps: list[Step] = []
    settled: dict[int, JsonObject] = {}
    for index, op in enumerate(script):
        try:
            steps.append(reader.step(index, op))
        except _Beyond as reason:
            settled[index] = {"unsupported": str(reason)}
        except _Wrong as reason:
            settled[index] = {"error": {"message": str(reason)}}
    return Reading(len(script), tuple(steps), settled)


@define
class _Reader:
    """What is known of the histories of a script while it is read."""

    offered: Collection[str]
    changes: bool
    lost: dict[int, str] = field(factory=dict)
    headless: set[int] = field(factory=set)
    replaced: set[int] = field(factory=set)

    def step(self, index: int, op: JsonObject) -> Step:
        name = op.get("op")
        if not isinstance(name, str):
            raise _Wrong("op is the name of an operation")
        if name in _WITHOUT_EFFECT:
            raise _Beyond(_WITHOUT_EFFECT[name])
        history = _history(op, "on")
        if name == "clone":
            self._lose(_history(op, "to"), "cloning, which the wire cannot do")
        if name in _CHANGES and not self.changes:
            self._lose(history, f"{name}, which is not driven through this release's wire")
        if name == "replace":
            return self._replace(index, history, _array(op, "items"))
        if history in self.lost:
            raise _Beyond(f"this history went through {self.lost[history]}")
        return self._known(index, history, name, op)

    def _known(self, index: int, history: int, name: str, op: JsonObject) -> Step:
        match name:
            case "record_items":
                return self._record(index, history, op, _array(op, "items"))
            case "record_annotated_items":
                items = [_bare(envelope) for envelope in _array(op, "envelopes")]
                return self._record(index, history, op, items)
            case "restore_items":
                return Restore(index, self._whole(history), tuple(_array(op, "items")))
            case "for_prompt":
                return Project(index, history, self._modalities(op))
            case "remove_first_item":
                self.headless.add(history)
                return Remove(index, history)
            case "drop_last_n_user_turns":
                return self._roll_back(index, history, op)
            case _:
                raise _Beyond(f"{name!r} is no operation this adapter knows")

    def _record(self, index: int, history: int, op: JsonObject, items: list[Json]) -> Step:
        try:
            policy = TruncationPolicy.from_json(op.get("policy"))
        except ValueError as error:
            raise _Wrong(str(error)) from None
        if policy.limit > LARGEST_LIMIT:
            self._lose(history, "recording under a limit that the binary does not read")
        return Record(index, self._whole(history), tuple(items), policy)

    def _roll_back(self, index: int, history: int, op: JsonObject) -> Step:
        turns = op.get("num_turns")
        if isinstance(turns, bool) or not isinstance(turns, int) or not 0 <= turns <= _MOST_TURNS:
            raise _Wrong(f"num_turns is an integer from 0 to {_MOST_TURNS}")
        if history in self.replaced and turns > _MOST_TURNS_AFTER_REPLACING:
            self._lose(history, "dropping that many turns of replaced items, which is not driven")
        return RollBack(index, self._whole(history), turns)

    def _replace(self, index: int, history: int, items: list[Json]) -> Step:
        self.lost.pop(history, None)
        self.headless.discard(history)
        self.replaced.add(history)
        return Replace(index, history, tuple(items))

    def _whole(self, history: int) -> int:
        """Give a history that is to change in another way than by losing its first item."""
        if history in self.headless:
            self._lose(history, _COPY)
        return history

    def _lose(self, history: int, change: str) -> NoReturn:
        """Lose sight of a history, until its items are replaced."""
        self.lost.setdefault(history, change)
        raise _Beyond(f"this history went through {self.lost[history]}")

    def _modalities(self, op: JsonObject) -> Modalities:
        asked = _array(op, "input_modalities")
        for name in asked:
            if name not in MODALITIES:
                raise _Wrong(f"{name!r} is no modality")
            if name not in self.offered:
                raise _Beyond(f"this release of Codex knows no {name}")
        return tuple(name for name in MODALITIES if name in asked)


def _history(op: JsonObject, name: str) -> int:
    number = op.get(name, 0)
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise _Wrong(f"{name} is the number of a history, zero or more")
    return number


def _array(op: JsonObject, name: str) -> list[Json]:
    values = op.get(name)
    if not isinstance(values, list):
        raise _Wrong(f"{name} is a list")
    return values


def _bare(envelope: Json) -> Json:
    if not isinstance(envelope, dict) or "item" not in envelope:
        raise _Wrong("an envelope is an object with an item")
    if not isinstance(envelope.get("metadata"), dict | None):
        raise _Wrong("an envelope's metadata is an object or null")
    return envelope["item"]
