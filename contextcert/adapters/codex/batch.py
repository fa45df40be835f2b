"""Many histories on one thread: how they are put together, and taken apart again. Pure.

Every rule of SPEC 2 is keyed by call_id, family and the item itself. Histories whose call_ids
differ therefore never meet, and one turn projects all of them. Each gets a prefix of fixed length
on its call_ids; a developer message with a known id stands before each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import Final

from attrs import define, field, frozen

from contextcert.adapters.codex.operations import (
    BadArgument,
    CannotDo,
    check_policy,
    handle_of,
    items_of,
    modalities_of,
)
from contextcert.refmodel.json_value import Json, JsonObject

MOST_PARTS: Final = 50
_MOST_ITEMS: Final = 600
_MARK: Final = "msg_contextcertpart"
_PREFIX_LENGTH: Final = 4
_CALL: Final = "call"
_OUTPUT: Final = "output"
_OTHER_SIDE: Final = {_CALL: _OUTPUT, _OUTPUT: _CALL}
_SIDES: Final = {
    "function_call": ("function", _CALL),
    "local_shell_call": ("function", _CALL),
    "function_call_output": ("function", _OUTPUT),
    "custom_tool_call": ("custom", _CALL),
    "custom_tool_call_output": ("custom", _OUTPUT),
    "tool_search_call": ("tool search", _CALL),
    "tool_search_output": ("tool search", _OUTPUT),
}
"""Who can answer whom: the kind of output, and the side of it (SPEC 1.2)."""


class NotApart(Exception):  # noqa: N818 -- reads as what happened
    """A prompt does not fall into the histories that were put together."""


@frozen
class Part:
    """One history of one script: what is recorded first, and then the projections asked for.

    `projections` holds (index of the operation, modalities). `stored` tells a restored session
    """

    script: int
    stored: bool
    items: tuple[Json, ...]
    projections: tuple[tuple[int, tuple[str, ...]], ...]
    empty_sides: frozenset[tuple[str, str]] = field(init=False)

    @empty_sides.default
    def _sides_of_empty_call_ids(self) -> frozenset[tuple[str, str]]:
        return frozenset(side for item in self.items for side in _empty_side(item))


def _empty_side(item: Json) -> list[tuple[str, str]]:
    if not isinstance(item, dict) or item.get("call_id") != "":
        return []
    side = _SIDES.get(str(item.get("type")))
    return [] if side is None else [side]


def parts_of(
    number: int, script: Sequence[JsonObject], offered: Collection[str]
) -> list[Part] | None:
    """Split a script into its histories; None if it has to go alone.

    A script can be batched when each of its histories is recorded or restored first, under the
    catalogue's policy, and only projected afterwards.
    """
    try:
        indexed = [(handle_of(op), index, op) for index, op in enumerate(script)]
        by_handle = groupby(sorted(indexed, key=lambda entry: entry[:2]), lambda entry: entry[0])
        return [
            _part(number, [(index, op) for _, index, op in entries], offered)
            for _, entries in by_handle
        ]
    except (BadArgument, CannotDo):
        return None


def _part(number: int, ops: Sequence[tuple[int, JsonObject]], offered: Collection[str]) -> Part:
    items: list[Json] = []
    projections: list[tuple[int, tuple[str, ...]]] = []
    stored = bool(ops) and ops[0][1].get("op") == "restore_items"
    for place, (index, op) in enumerate(ops):
        if op.get("op") == "for_prompt":
            projections.append((index, modalities_of(op, offered)))
        elif not projections and _records(op, stored=stored, first=place == 0):
            items.extend(items_of(op))
        else:
            raise CannotDo("this history has to go alone")
    if any(_looks_like_a_mark(item) for item in items):
        raise CannotDo("an item has an id that marks the parts of a batch")
    return Part(number, stored, tuple(items), tuple(projections))


def _records(op: JsonObject, *, stored: bool, first: bool) -> bool:
    if stored:
        return first
    if op.get("op") != "record_items":
        return False
    check_policy(op)
    return True


@define
class _Group:
    """A group that is being filled."""

    parts: list[Part] = field(factory=list)
    size: int = 0
    empty_sides: frozenset[tuple[str, str]] = frozenset()

    def takes(self, part: Part) -> bool:
        """Say whether there is room, and no empty call_id would meet another's output."""
        room = len(self.parts) < MOST_PARTS and self.size + len(part.items) <= _MOST_ITEMS
        return room and not any(
            (kind, _OTHER_SIDE[side]) in self.empty_sides for kind, side in part.empty_sides
        )

    def add(self, part: Part) -> None:
        self.parts.append(part)
        self.size += len(part.items)
        self.empty_sides |= part.empty_sides


def groups_of(parts: Iterable[Part]) -> list[list[Part]]:
    """Arrange parts in groups, one thread each, that do not disturb one another.

    An empty call_id stays empty. So that it means the same alone and in a group, no group has an
    empty call_id on a call of one part and on an output of another that could answer it. Live
    recordings and restored sessions are kept apart.
    """
    parts = list(parts)
    live = [part for part in parts if not part.stored]
    stored = [part for part in parts if part.stored]
    return [*_packed(live), *_packed(stored)]


def _packed(parts: Sequence[Part]) -> list[list[Part]]:
    groups: list[_Group] = []
    # Those that can share with few others choose first.
    for part in sorted(parts, key=lambda part: -len(part.empty_sides)):
        group = next((group for group in groups if group.takes(part)), None)
        if group is None:
            groups.append(group := _Group())
        group.add(part)
    return [group.parts for group in groups]


def joined(group: Sequence[Part]) -> list[Json]:
    """Put the items of a group together: a mark before each part, call_ids made its own."""
    items: list[Json] = []
    for place, part in enumerate(group):
        items.append({"type": "message", "id": _mark(place), "role": "developer", "content": []})
        items.extend(_renamed(item, place) for item in part.items)
    return items


def owner(group: Sequence[Part], index: int) -> Part | None:
    """Say whose item stands at an index of the joined items; None for a mark or beyond."""
    for part in group:
        if index == 0:
            return None
        if index <= len(part.items):
            return part
        index -= len(part.items) + 1
    return None


def apart(group: Sequence[Part], prompt: Sequence[Json]) -> list[list[Json]]:
    """Take a prompt apart again, one list a part, call_ids as they were.

    Raises:
        NotApart: the marks are not all there in order, or something stands before the first.
    """
    taken: list[list[Json]] = []
    for item in prompt:
        if _looks_like_a_mark(item):
            _check_mark(item, len(taken))
            taken.append([])
        elif not taken:
            raise NotApart("an item stands before the first history")
        else:
            taken[-1].append(_restored(item, len(taken) - 1))
    if len(taken) != len(group):
        raise NotApart(f"{len(group)} histories went in, {len(taken)} came out")
    return taken


def turns_of(group: Sequence[Part]) -> dict[tuple[str, ...], int]:
    """Say how many projections the group needs under each modality set."""
    turns: dict[tuple[str, ...], int] = {}
    for part in group:
        for _, modalities in part.projections:
            asked = sum(1 for _, others in part.projections if others == modalities)
            turns[modalities] = max(turns.get(modalities, 0), asked)
    return turns


def _mark(place: int) -> str:
    return f"{_MARK}{place:02}"


def _looks_like_a_mark(item: Json) -> bool:
    if not isinstance(item, dict):
        return False
    item_id = item.get("id")
    return isinstance(item_id, str) and item_id.startswith(_MARK)


def _check_mark(item: Json, place: int) -> None:
    if not isinstance(item, dict) or item.get("id") != _mark(place):
        raise NotApart(f"the mark of history {place} is missing")


def _prefix(place: int) -> str:
    return f"p{place:02}~"


def _renamed(item: Json, place: int) -> Json:
    if not isinstance(item, dict):
        return item
    call_id = item.get("call_id")
    if not isinstance(call_id, str) or not call_id:
        return item
    return {**item, "call_id": _prefix(place) + call_id}


def _restored(item: Json, place: int) -> Json:
    if not isinstance(item, dict):
        return item
    call_id = item.get("call_id")
    if not isinstance(call_id, str) or not call_id:
        return item
    if not call_id.startswith(_prefix(place)):
        raise NotApart(f"a call_id of another history came out in history {place}")
    return {**item, "call_id": call_id[_PREFIX_LENGTH:]}
