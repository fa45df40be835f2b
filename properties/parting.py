"""Where a subject's history stops being the one that the script describes.

An operation that only one of subject and model carried out leaves two different histories, and a
wrong look shows that there are two. What the handle shows from there on says nothing, nor what is
cloned from it, until an operation makes both the same again, whatever they were.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from attrs import define, field

from contextcert.refmodel.json_value import JsonObject
from contextcert.subject import Script

_ITEMS: Final = "items"
_VERSION: Final = "version"
_BASELINE: Final = "baseline"
_REFERENCE: Final = "reference context"
_TOKENS: Final = "token info"
_EVERYTHING: Final = frozenset({_ITEMS, _VERSION, _BASELINE, _REFERENCE, _TOKENS})
_NOTHING: Final[frozenset[str]] = frozenset()

_CHANGES: Final[Mapping[str, frozenset[str]]] = {
    "record_items": frozenset({_ITEMS}),
    "record_annotated_items": frozenset({_ITEMS}),
    "restore_items": frozenset({_ITEMS}),
    "replace": frozenset({_ITEMS, _VERSION, _BASELINE}),
    "remove_first_item": frozenset({_ITEMS, _BASELINE}),
    "drop_last_n_user_turns": frozenset({_ITEMS, _VERSION, _BASELINE, _REFERENCE}),
    "set_reference_context_item": frozenset({_REFERENCE}),
    "update_world_state": frozenset({_BASELINE}),
    "set_world_state_baseline": frozenset({_BASELINE}),
    "set_token_info": frozenset({_TOKENS}),
    "clone": _EVERYTHING,
}
"""What of a history each operation may change (SPEC 4.1)."""

_SHOWS: Final[Mapping[str, frozenset[str]]] = {
    "for_prompt": frozenset({_ITEMS}),
    "for_prompt_annotated": frozenset({_ITEMS}),
    "raw_items": frozenset({_ITEMS}),
    "raw_envelopes": frozenset({_ITEMS}),
    "hold": frozenset({_ITEMS}),
    "history_version": frozenset({_VERSION}),
    "read_transcript": frozenset({_ITEMS, _VERSION}),
    "world_state_baseline": frozenset({_BASELINE}),
    "update_world_state": frozenset({_BASELINE}),
    "reference_context_item": frozenset({_REFERENCE}),
    "token_info": frozenset({_TOKENS}),
}
"""What of a history each outcome depends on."""

_LOOKS: Final = frozenset(
    {
        "raw_items",
        "raw_envelopes",
        "history_version",
        "world_state_baseline",
        "reference_context_item",
        "token_info",
    }
)
"""What shows a part of a history as it is; other outcomes may be wrong where the history is not."""

_SETTLES: Final[Mapping[str, frozenset[str]]] = {
    "replace": frozenset({_ITEMS, _BASELINE}),
    "set_reference_context_item": frozenset({_REFERENCE}),
    "update_world_state": frozenset({_BASELINE}),
    "set_world_state_baseline": frozenset({_BASELINE}),
    "set_token_info": frozenset({_TOKENS}),
}
"""What is the same after an operation, whatever it was before."""

_SPREADS: Final[Mapping[str, frozenset[str]]] = {
    "remove_first_item": frozenset({_BASELINE}),
    "drop_last_n_user_turns": frozenset({_REFERENCE, _BASELINE}),
}
"""What becomes of a history by way of its items."""


@define(eq=False)
class Parting:
    """What of one mode's outcomes says nothing, and what the adapter cannot do.

    `silent` are the operations whose outcome depends on a history that is another one than the
    model's. `unsupported` gives the adapter's reason for each kind of operation it cannot do.
    """

    silent: AbstractSet[int] = frozenset()
    unsupported: Mapping[str, str] = field(factory=dict)


TOGETHER: Final = Parting()
"""Where the outcomes are the model's."""


Same = Callable[[JsonObject, JsonObject], bool]
"""Compares the model's outcome of an operation and the subject's."""


def parting(
    script: Script, expected: Sequence[JsonObject], actual: Sequence[JsonObject], same: Same
) -> Parting:
    """Follow a script by what subject and model carried out of it, and showed, in one mode."""
    follower = _Follower()
    unsupported: dict[str, str] = {}
    silent = set()
    for operation, (op, given) in enumerate(zip(script, actual, strict=False)):
        if "unsupported" in given:
            unsupported.setdefault(str(op.get("op")), str(given["unsupported"]))
        if follower.says_nothing(op):
            silent.add(operation)
        follower.follow(op, _carried_out(operation, expected), "ok" in given)
        if operation < len(expected) and not same(expected[operation], given):
            follower.saw_otherwise(op)
    return Parting(silent, unsupported)


def _carried_out(operation: int, expected: Sequence[JsonObject]) -> bool:
    """Say whether the model carried an operation out; it is taken to have, had it not panicked."""
    return operation >= len(expected) or "ok" in expected[operation]


class _Follower:
    """Which parts of which handles, and which held values, are no longer the model's."""

    def __init__(self) -> None:
        self._parted: dict[int, frozenset[str]] = {}
        self._held: set[str] = set()

    def says_nothing(self, op: JsonObject) -> bool:
        name = str(op.get("op"))
        if name == "held":
            return str(op.get("name")) in self._held
        return not self._at(op.get("on", 0)).isdisjoint(_SHOWS.get(name, _NOTHING))

    def follow(self, op: JsonObject, in_model: bool, in_subject: bool) -> None:  # noqa: FBT001
        name = str(op.get("op"))
        on = op.get("on", 0)
        if name == "hold":
            self._hold(str(op.get("name")), in_model is in_subject and not self.says_nothing(op))
        elif in_model is not in_subject:
            where = op.get("to") if name == "clone" else on
            self._set(where, self._at(where) | _CHANGES.get(name, _NOTHING))
        elif name == "clone" and in_model:
            self._set(op.get("to"), self._at(on))
        elif in_model and self._at(on):
            self._set(on, self._after(name, op, self._at(on)))

    def saw_otherwise(self, op: JsonObject) -> None:
        """Take in that a look showed something else than the model's history."""
        name, on = str(op.get("op")), op.get("on", 0)
        if name in _LOOKS:
            self._set(on, self._at(on) | _SHOWS[name])

    def _after(self, name: str, op: JsonObject, parted: frozenset[str]) -> frozenset[str]:
        if name == "drop_last_n_user_turns" and op.get("num_turns") == 0:
            return parted
        if _ITEMS in parted:
            parted |= _SPREADS.get(name, _NOTHING)
        return parted - _SETTLES.get(name, _NOTHING)

    def _hold(self, name: str, same: bool) -> None:  # noqa: FBT001
        if same:
            self._held.discard(name)
        else:
            self._held.add(name)

    def _at(self, handle: object) -> frozenset[str]:
        return self._parted.get(handle, _NOTHING) if isinstance(handle, int) else _NOTHING

    def _set(self, handle: object, parted: frozenset[str]) -> None:
        if isinstance(handle, int):
            self._parted[handle] = parted
