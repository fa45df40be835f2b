"""A part of a program: what its letters stand for, and the operations they make together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Generic, TypeVar

from attrs import frozen

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.letters import FIRST_LETTER
from contextcert.strategies.lives import LOOKS
from contextcert.strategies.projecting import Script, look
from contextcert.strategies.scope import Scope

Value = TypeVar("Value")


@frozen
class Segment(Generic[Value]):
    """One aim of a program, on histories of its own.

    Attributes:
        values: what the letters stand for, the plainest first.
        length: how many letters a full program has for it.
        build: makes the operations, on histories counted from 0; none without letters.
        broken: whether debug may panic in it, so that it has to come last.
    """

    values: tuple[Value, ...]
    length: int
    build: Callable[[list[Value]], Script]
    broken: bool = False

    def read(self, string: str) -> Script:
        """Give the operations that a string of letters makes."""
        return self.build([self.values[ord(letter) - FIRST_LETTER] for letter in string])


def weighted(*pools: tuple[Iterable[Value], int]) -> tuple[Value, ...]:
    """List the values of pools, each as often as its pool weighs."""
    return tuple(value for pool, weight in pools for value in pool for _ in range(weight))


def joined(segments: Sequence[Segment[Json]], strings: Sequence[str], scope: Scope) -> Script:
    """Give the program: segments in turn, operation by operation, then those that may panic."""
    whole: list[Script] = []
    broken: list[Script] = []
    first = 0
    for segment, string in zip(segments, strings, strict=True):
        looking = (look(op, scope) for op in segment.read(string))
        ops = [op for op in looking if scope.may(str(op["op"]))]
        (broken if segment.broken else whole).append(_moved(ops, first))
        first += _histories(ops)
    return [*_in_turn(whole), *(op for ops in broken for op in ops)]


def _in_turn(scripts: list[Script]) -> Iterator[JsonObject]:
    for ops in zip_longest(*scripts):
        yield from (op for op in ops if op is not None)


def _histories(ops: Script) -> int:
    """Count the histories that operations speak of."""
    named = [int(str(op.get(name, 0))) for op in ops for name in ("on", "to")]
    return max(named, default=-1) + 1


def _moved(ops: Script, first: int) -> Script:
    """Give the operations on other histories, and what they hold under other names."""
    if not first:
        return ops
    return [_on_another(op, first) for op in ops]


def _on_another(op: JsonObject, first: int) -> JsonObject:
    moved: JsonObject = {**op, "on": int(str(op.get("on", 0))) + first}
    if "to" in op:
        moved["to"] = int(str(op["to"])) + first
    if "name" in op:
        moved["name"] = f"{op['name']} {first}"
    return moved


def on(handle: int, ops: Iterable[JsonObject]) -> Script:
    """Give the operations on a history."""
    return [{**op, "on": handle} for op in ops] if handle else [*ops]


EVERYTHING: tuple[JsonObject, ...] = tuple(
    {"op": LOOKS[name]} for name in ("envelopes", "version", "reference", "baseline", "tokens")
)
"""The looks at all that there is of a history."""
