"""Debug twins: the same script without the items that make debug panic.

A twin must not panic. A subject that panics for another reason than the anomaly still does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from contextcert.properties.equality import Sight
from contextcert.properties.item_facts import ItemReader
from contextcert.properties.observation import History, survey
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import DEFAULT_EDITION, Edition
from contextcert.subject import Script

_LISTS: Final = ("items", "envelopes")


def debug_twin(script: Script, *, edition: Edition = DEFAULT_EDITION) -> Script | None:
    """Give the script without the items that are anomalies when it projects.

    Removing a call can make an orphan of an output that came late, so this is repeated until no
    known projection has an anomaly. None if there is none to begin with, or if anomalies stand in
    histories that cannot be followed.
    """
    if not any("input_modalities" in op for op in script):
        return None
    reader = ItemReader(edition, Sight())
    twin = script
    while offending := set(_anomalous(twin, reader)):
        twin = [_without(op, number, offending) for number, op in enumerate(twin)]
    return None if twin is script else twin


def _anomalous(script: Script, reader: ItemReader) -> Iterator[tuple[int, int]]:
    """Give where a script brings the items that are anomalies in some projection."""
    seen: set[History] = set()
    for projection in survey(script, reader).projections:
        history = projection.history
        if history in seen or history.base is not None or history.entries is None:
            continue
        seen.add(history)
        for anomaly in history.facts.anomalies:
            entry = history.entries[anomaly.place]
            yield entry.operation, entry.index


def _without(op: JsonObject, number: int, offending: set[tuple[int, int]]) -> JsonObject:
    for name in _LISTS:
        brought = op.get(name)
        if isinstance(brought, list) and any(where == number for where, _ in offending):
            return {**op, name: _kept(brought, number, offending)}
    return op


def _kept(brought: Sequence[Json], number: int, offending: set[tuple[int, int]]) -> list[Json]:
    return [one for index, one in enumerate(brought) if (number, index) not in offending]
