"""What one operation gave, and how a build of either mode reports it (MODE, DESIGN 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from attrs import frozen

from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Mode


@frozen
class Done:
    """The operation was carried out; a projection may have met anomalies on the way."""

    value: Json = None
    anomalies: tuple[str, ...] = ()


@frozen
class Failed:
    """The operation was given something it cannot read, and had no effect (ITEM-4)."""

    message: str


@frozen
class Unsupported:
    """The operation is not known, or the edition does not have it."""

    reason: str


@frozen
class ByMode:
    """The builds differ: one of them panicked before, and so was handed something else."""

    results: Mapping[Mode, Done | Failed]


Result: TypeAlias = Done | Failed | Unsupported | ByMode


def outcome(result: Result, mode: Mode) -> JsonObject:
    """Report a result as a build does.

    With anomalies debug panics with the first message (MODE-3, MODE-6), and release lists them
    all as diagnostics (MODE-4, MODE-7). Otherwise the builds agree (MODE-5).
    """
    match result:
        case Done(value=value, anomalies=()):
            return {"ok": value}
        case Done(anomalies=anomalies) if mode is Mode.DEBUG:
            return {"panic": anomalies[0]}
        case Done(value=value, anomalies=anomalies):
            return {"ok": value, "diagnostics": list(anomalies)}
        case Failed(message=message):
            return {"error": {"message": message}}
        case Unsupported(reason=reason):
            return {"unsupported": reason}
        case ByMode(results=results):
            return outcome(results[mode], mode)
