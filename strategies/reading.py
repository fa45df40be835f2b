"""Readers of a transcript: their cursors are known only once a script has been lived through."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import frozen

from contextcert.refmodel import Edition, JsonObject, Mode, run_script
from contextcert.strategies.lives import LOOKS, Life, Step
from contextcert.strategies.projecting import Script

_READER: Final = "reader"
"""The field that names a reader until its cursor is known."""

_CHANGES_NOTHING: Final = frozenset(
    {*LOOKS.values(), "for_prompt", "for_prompt_annotated", "hold", "held"}
)


def reading_of(reader: str) -> JsonObject:
    """Give the operation in which a reader, one of `READERS`, reads the transcript."""
    return {"op": "read_transcript", _READER: reader}


def read(reader: str) -> Step:
    """Give the step in which a reader, one of `READERS`, reads the transcript."""

    def step(life: Life) -> None:
        life.do(reading_of(reader))

    return step


@frozen
class _Reading:
    """One read: the history it is on, and the cursor it gives."""

    on: object
    version: int
    count: int

    def cursor(self, *, version: int = 0, count: int = 0) -> JsonObject:
        return {
            "history_version": max(0, self.version + version),
            "entry_count": max(0, self.count + count),
        }


_Earlier: TypeAlias = Sequence[_Reading]


def _mine(now: _Reading, earlier: _Earlier) -> list[_Reading]:
    return [one for one in earlier if one.on == now.on]


def _others(now: _Reading, earlier: _Earlier) -> list[_Reading]:
    return [one for one in earlier if one.on != now.on]


_CURSORS: Final[Mapping[str, Callable[[_Reading, _Earlier], JsonObject | None]]] = {
    "nobody": lambda _now, _earlier: None,
    "the last": lambda now, earlier: _of(_mine(now, earlier)[-1:]),
    "the first": lambda now, earlier: _of(_mine(now, earlier)[:1]),
    "another": lambda now, earlier: _of(_others(now, earlier)[-1:]),
    "current": lambda now, _: now.cursor(),
    "behind": lambda now, _: now.cursor(count=-1),
    "ahead": lambda now, _: now.cursor(count=1),
    "older": lambda now, _: now.cursor(version=-1),
    "newer": lambda now, _: now.cursor(version=1),
}
"""Where each reader has come to; None if it has not read before."""


READERS: Final = tuple(_CURSORS)
"""Who reads: by what it has seen of this history, or of another, or would have to see."""


def _of(readings: _Earlier) -> JsonObject | None:
    return readings[0].cursor() if readings else None


def with_cursors(ops: Script, edition: Edition) -> Script:
    """Give the script with the cursor of every reader filled in.

    What a read gives as its new cursor does not depend on the one it was given (CUR-2).
    """
    if not any(_READER in op for op in ops):
        return ops
    changing = [op for op in ops if op["op"] not in _CHANGES_NOTHING]
    asked = [{k: v for k, v in op.items() if k != _READER} for op in changing]
    outcomes = run_script(asked, mode=Mode.RELEASE, edition=edition)
    readings = [
        _reading(op, outcome)
        for op, outcome in zip(changing, outcomes, strict=True)
        if _READER in op
    ]
    filled: Script = []
    number = 0
    for op in ops:
        if _READER in op:
            find = _CURSORS[str(op[_READER])]
            kept = {name: value for name, value in op.items() if name != _READER}
            op = {**kept, "cursor": find(readings[number], readings[:number])}  # noqa: PLW2901
            number += 1
        filled.append(op)
    return filled


def _reading(op: JsonObject, outcome: JsonObject) -> _Reading:
    given = outcome["ok"]
    assert isinstance(given, dict)
    cursor = given["cursor"]
    assert isinstance(cursor, dict)
    return _Reading(
        op.get("on", 0), int(str(cursor["history_version"])), int(str(cursor["entry_count"]))
    )
