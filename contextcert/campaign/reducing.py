"""Reduces a script until nothing can be left out of it. Pure: the caller says what still shows.

Large parts go first: histories, halves of the operations, halves of their items. What is left is
short enough to try what helps only together: two operations, an operation and an item, two records
made one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, count
from typing import Final, TypeAlias

from attrs import define, field

from contextcert.campaign.simplifying import simpler_operations
from contextcert.properties.equality import written
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.subject import Script

LISTS: Final = ("items", "envelopes")
"""Where operations keep the items they bring."""

MOST_TOGETHER: Final = 120
"""Of two things left out together no more combinations than this are tried at a time."""

Shows: TypeAlias = Callable[[Script], "int | None"]
"""Gives the operation at which a script shows what it must show, or None."""

Kind: TypeAlias = "str | int"
"""What an item belongs to: a call_id, or its place among the items without one."""

Size: TypeAlias = "tuple[int, int, int]"


def size_of(script: Script) -> Size:
    """Measure a script: its operations, the items in all of them, the letters it is written in."""
    return len(script), sum(len(_items(op)) for op in script), len(json.dumps(script))


def reduced(script: Script, operation: int, shows: Shows) -> Script:
    """Give the smallest script met on the way down that still shows it.

    Args:
        script: what to start from; it is taken to show it.
        operation: where in it.
        shows: asked for each smaller script, never twice for one.
    """
    reducer = _Reducer(shows, script, operation)
    reducer.run()
    return reducer.script


@define
class _Reducer:
    shows: Shows
    script: Script
    operation: int
    tried: set[bytes] = field(factory=set)

    def run(self) -> None:
        """Take every step until none of them helps."""
        before = None
        while before is not self.script:
            before = self.script
            self._end_where_it_shows()
            self._first_of(without_histories)
            self._operations()
            self._calls()
            self._items()
            if before is self.script:
                self._first_of(small_cuts)

    def _tries(self, script: Script) -> bool:
        if size_of(script) >= size_of(self.script):
            return False
        key = written(script)
        if key in self.tried:
            return False
        self.tried.add(key)
        operation = self.shows(script)
        if operation is None:
            return False
        self.script, self.operation = script, operation
        return True

    def _first_of(self, cuts: Callable[[Script], Iterator[Script]]) -> None:
        """Take the first cut that helps, if there is one."""
        any(map(self._tries, cuts(self.script)))

    def _end_where_it_shows(self) -> None:
        if self.operation + 1 < len(self.script):
            self._tries(self.script[: self.operation + 1])
        if self.operation > 1:
            self._tries([self.script[0], self.script[self.operation]])

    def _operations(self) -> None:
        """Leave out halves, quarters and so on down to single operations, last ones first."""
        size = len(self.script) // 2
        while size:
            start = len(self.script) - size
            while start > -size:
                first = max(start, 0)
                self._tries([*self.script[:first], *self.script[first + size :]])
                start = min(start, len(self.script)) - size
            size //= 2

    def _calls(self) -> None:
        """Leave out all that belongs to half of the calls, wherever it stands, then to fewer."""
        size = len(_kinds(self.script))
        while size:
            start = 0
            while start < len(kinds := _kinds(self.script)):
                before = self.script
                self._tries(_without_kinds(before, set(kinds[start : start + size])))
                start += size if before is self.script else 0
            size //= 2

    def _items(self) -> None:
        """Leave out all the items of an operation, then halves and so on down to single ones."""
        for place in reversed(range(len(self.script))):
            if place < len(self.script):
                self._items_at(place)

    def _items_at(self, place: int) -> None:
        size = len(_items(self.script[place]))
        while size:
            start = 0
            while place < len(self.script) and start < len(_items(self.script[place])):
                before = self.script
                self._tries(_without_items(before, place, start, size))
                start += size if before is self.script else 0
            size //= 2


def without_histories(script: Script) -> Iterator[Script]:
    """Give the script without all that is done on one history, for each of them."""
    for handle in dict.fromkeys(map(_on, script)):
        yield [op for op in script if handle not in (_on(op), op.get("to", 0))]


def small_cuts(script: Script) -> Iterator[Script]:
    """Give what is smaller by two things at once, or by a simpler thing."""
    yield from _merged(script)
    yield from _on_one_history(script)
    yield from _some(_two_operations_fewer(script))
    yield from _some(_an_operation_and_an_item_fewer(script))
    yield from _some(_two_items_fewer(script))
    yield from _some(_an_operation_fewer_and_another_changed(script))
    yield from simpler_operations(script)


def _some(scripts: Iterator[Script]) -> Iterator[Script]:
    return (script for _, script in zip(range(MOST_TOGETHER), scripts, strict=False))


def _merged(script: Script) -> Iterator[Script]:
    """Make two records of one history one, and two rollbacks one of as many turns."""
    for later, op in enumerate(script):
        for earlier in reversed(range(later)):
            if _on(script[earlier]) == _on(op):
                both = _both(script[earlier], op)
                if both is not None:
                    yield [
                        *script[:earlier],
                        *script[earlier + 1 : later],
                        both,
                        *script[later + 1 :],
                    ]
                    yield [
                        *script[:earlier],
                        both,
                        *script[earlier + 1 : later],
                        *script[later + 1 :],
                    ]


def _both(one: JsonObject, other: JsonObject) -> JsonObject | None:
    turns, more = one.get("num_turns"), other.get("num_turns")
    if one["op"] != other["op"]:
        return None
    if isinstance(turns, int) and isinstance(more, int):
        return {**other, "num_turns": turns + more}
    for name in LISTS:
        listed, added = one.get(name), other.get(name)
        if isinstance(listed, list) and isinstance(added, list):
            return {**other, name: [*listed, *added]}
    return None


def _on_one_history(script: Script) -> Iterator[Script]:
    """Do everything on the first history; where nothing else is done on another, it is renamed."""
    if len({_on(op) for op in script} | {op.get("to", 0) for op in script}) > 1:
        alone = [op for op in script if op["op"] != "clone"]
        yield [{name: value for name, value in op.items() if name != "on"} for op in alone]


def _two_operations_fewer(script: Script) -> Iterator[Script]:
    for kept in combinations(script, max(0, len(script) - 2)):
        yield list(kept)


def _an_operation_and_an_item_fewer(script: Script) -> Iterator[Script]:
    for place in range(len(script)):
        rest = [*script[:place], *script[place + 1 :]]
        for where, start in _places_of_items(rest):
            yield _without_items(rest, where, start, 1)


def _two_items_fewer(script: Script) -> Iterator[Script]:
    for (where, start), (there, then) in combinations(_places_of_items(script), 2):
        yield _without_items(_without_items(script, there, then, 1), where, start, 1)


def _an_operation_fewer_and_another_changed(script: Script) -> Iterator[Script]:
    for place in range(len(script)):
        rest = [*script[:place], *script[place + 1 :]]
        for where, op in enumerate(rest):
            for turns in (1, 2, 2**32 - 1):
                if op.get("num_turns") not in (None, turns):
                    yield [*rest[:where], {**op, "num_turns": turns}, *rest[where + 1 :]]


def _places_of_items(script: Script) -> list[tuple[int, int]]:
    return [(place, item) for place, op in enumerate(script) for item in range(len(_items(op)))]


def _list_of(op: JsonObject) -> str | None:
    """Say under which name an operation brings items, if it brings any."""
    return next((name for name in LISTS if isinstance(op.get(name), list)), None)


def _items(op: JsonObject) -> list[Json]:
    name = _list_of(op)
    listed = None if name is None else op[name]
    return listed if isinstance(listed, list) else []


def _without_items(script: Script, place: int, start: int, number: int) -> Script:
    op, listed = script[place], _items(script[place])
    name = _list_of(op)
    assert name is not None
    fewer = {**op, name: [*listed[:start], *listed[start + number :]]}
    return [*script[:place], fewer, *script[place + 1 :]]


def _kinds(script: Script) -> list[Kind]:
    """Give what the items of a script belong to: a call, or a place among those without one.

    A prompt that is recorded again agrees with the history it is of in both.
    """
    return list(dict.fromkeys(kind for op in script for kind in _kinds_of(_items(op))))


def _kinds_of(items: Sequence[Json]) -> Iterator[Kind]:
    without_call = count()
    for item in items:
        bare = item["item"] if isinstance(item, dict) and "item" in item else item
        call_id = bare.get("call_id") if isinstance(bare, dict) else None
        yield call_id if isinstance(call_id, str) else next(without_call)


def _without_kinds(script: Script, kinds: set[Kind]) -> Script:
    return [
        {**op, name: list(_others(_items(op), kinds))} if (name := _list_of(op)) else op
        for op in script
    ]


def _others(items: Sequence[Json], kinds: set[Kind]) -> Iterator[Json]:
    return (item for item, kind in zip(items, _kinds_of(items), strict=True) if kind not in kinds)


def _on(op: JsonObject) -> Json:
    return op.get("on", 0)
