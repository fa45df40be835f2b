"""Gives readers the cursors that a subject gave, where its transcript counts other things (CUR).

A script is written with the cursors that the model gives. What a read gives as its new cursor
does not depend on the one it was handed (CUR-2), so one run tells all of the subject's own ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition, Mode
from contextcert.refmodel.script import run_script
from contextcert.subject import Script

_COUNTS = ("history_version", "entry_count")


@frozen
class _Reading:
    """One read: where it is, the pair that the model gives, and the one that the subject gave."""

    operation: int
    on: Json
    models: JsonObject
    own: JsonObject


def reads_on(script: Script) -> bool:
    """Say whether any reader of a script has a cursor."""
    return any(op.get("op") == "read_transcript" and op.get("cursor") for op in script)


def with_own_cursors(script: Script, given: Sequence[JsonObject], edition: Edition) -> Script:
    """Give the script with the subject's cursors in place of the model's.

    A cursor of an earlier read becomes what that read really gave; one close to the current pair
    stays as close to it; any other stays as it is. `given` are the subject's outcomes.
    """
    readings = list(_readings(script, given, edition))
    whose = {one.operation: one for one in readings}
    return [
        op
        if operation not in whose or not isinstance(op["cursor"], dict)
        else {**op, "cursor": _own(op["cursor"], whose[operation], readings)}
        for operation, op in enumerate(script)
    ]


def _readings(script: Script, given: Sequence[JsonObject], edition: Edition) -> Iterator[_Reading]:
    expected = run_script(list(script), mode=Mode.RELEASE, edition=edition)
    for operation, (op, model, subject) in enumerate(zip(script, expected, given, strict=False)):
        if op.get("op") == "read_transcript":
            models, own = _pair(model), _pair(subject)
            if models is not None and own is not None:
                yield _Reading(operation, op.get("on", 0), models, own)


def _pair(outcome: JsonObject) -> JsonObject | None:
    shown = outcome.get("ok")
    cursor = shown.get("cursor") if isinstance(shown, dict) else None
    if not isinstance(cursor, dict) or not all(type(cursor.get(one)) is int for one in _COUNTS):
        return None
    return cursor


def _own(cursor: JsonObject, now: _Reading, readings: Sequence[_Reading]) -> JsonObject:
    meant = [one for one in readings if one.operation < now.operation and one.models == cursor]
    mine = [one for one in meant if one.on == now.on]
    if mine:
        return mine[-1].own
    steps = {name: _number(cursor, name) - _number(now.models, name) for name in _COUNTS}
    if all(abs(step) <= 1 for step in steps.values()):
        return {name: max(0, _number(now.own, name) + step) for name, step in steps.items()}
    return meant[-1].own if meant else cursor


def _number(pair: JsonObject, name: str) -> int:
    number = pair[name]
    assert isinstance(number, int)
    return number
