"""WORLD-1 to WORLD-7: what updates of the world state report against the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from contextcert.properties.checks.check import Check, Finding
from contextcert.properties.checks.keeping import blamed
from contextcert.properties.checks.looking import Looks, Seen
from contextcert.properties.checks.relation import Counts, exercised
from contextcert.properties.equality import identical
from contextcert.properties.ledger import BASELINE, Look
from contextcert.properties.merging import Unsure, applied, has_nulls, report
from contextcert.refmodel.json_value import Json

_NUMBER: Final = (int, float)


def reported(looks: Looks, counts: Counts) -> Iterator[Finding]:
    """Judge every report of an update."""
    for seen in looks.at("report"):
        look = seen.look
        if isinstance(look.expected, Unsure):
            continue
        if seen.sight.same(look.expected, seen.shown):
            for clause in _counted(look):
                exercised(counts, clause, seen.mode)
            continue
        for clause, message in _broken(seen):
            yield seen.broke(clause, message, look.expected)


def _counted(look: Look) -> Iterator[str]:
    if look.state.baseline is None:
        yield "WORLD-1"
        if _cleared(look):
            yield "WORLD-5"
    else:
        yield "WORLD-2"
        if any(event.kind in ("record", "project") for event in look.events):
            yield "WORLD-6"
        if _holds_numbers(look.state.baseline) and _holds_numbers(look.cursor):
            yield "WORLD-7"
    if not has_nulls(look.cursor):
        yield "WORLD-4"


def _cleared(look: Look) -> bool:
    """Say whether a baseline was cleared since it was last looked at."""
    return any(
        event.kind != "set" and event.before.baseline is not None and event.changes(BASELINE)
        for event in look.events
    )


def _broken(seen: Seen) -> Iterator[tuple[str, str]]:
    look, shown = seen.look, seen.shown
    if _is_others(seen):
        yield "SNAP-1", "the report is against the baseline of a clone or of its original"
        return
    full = isinstance(shown, dict) and shown.get("full") is True
    if look.state.baseline is None:
        yield from _not_full(look, full=full)
        return
    if full:
        yield from _needlessly_full(seen)
        return
    yield _patch_clause(look, shown), "the report is not the minimal patch from the baseline"
    baseline = None if isinstance(look.state.baseline, Unsure) else look.state.baseline
    if not has_nulls(look.cursor) and not identical(_rebuilt(baseline, shown), look.cursor):
        yield "WORLD-4", "the reports do not rebuild the state"


def _is_others(seen: Seen) -> bool:
    """Say whether a report is what a clone, or an original that changed, would have to give."""
    look = seen.look
    return any(event.kind == "foreign" for event in look.events) and any(
        seen.sight.same(report(one.baseline, look.cursor), seen.shown)
        for one in look.kin
        if not isinstance(one.baseline, Unsure) and isinstance(look.cursor, dict)
    )


def _not_full(look: Look, *, full: bool) -> Iterator[tuple[str, str]]:
    if full:
        yield "WORLD-1", "a full report is not the new state"
    elif _cleared(look):
        yield "WORLD-5", "an update is not full, though the baseline was cleared"
    else:
        yield "WORLD-1", "an update without a baseline is not full"


def _needlessly_full(seen: Seen) -> Iterator[tuple[str, str]]:
    """Blame a lost baseline on what came after it was set, or the report itself."""
    clauses = blamed(seen, BASELINE, None)
    if not clauses:
        yield "WORLD-2", "an update with a baseline is full"
    for clause in sorted(set(clauses)):
        yield clause, "an update is full, though there is a baseline"


def _patch_clause(look: Look, shown: Json) -> str:
    """Tell wrong equality of numbers that differ in kind from any other wrong patch."""
    patch = shown.get("patch") if isinstance(shown, dict) else None
    expected = look.expected.get("patch") if isinstance(look.expected, dict) else None
    only = _leaves(patch) ^ _leaves(expected)
    if only and all(
        _number_like(one := _at(look.state.baseline, path))
        and _number_like(other := _at(look.cursor, path))
        and not identical(one, other)
        for path in only
    ):
        return "WORLD-7"
    return "WORLD-2"


def _leaves(patch: Json) -> set[tuple[str, ...]]:
    if not isinstance(patch, dict):
        return set()
    found: set[tuple[str, ...]] = set()
    for key, value in patch.items():
        inner = _leaves(value)
        found.update((key, *path) for path in inner) if inner else found.add((key,))
    return found


def _at(value: object, path: tuple[str, ...]) -> object:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _number_like(value: object) -> bool:
    if isinstance(value, list):
        return any(map(_number_like, value))
    if isinstance(value, dict):
        return any(map(_number_like, value.values()))
    return isinstance(value, _NUMBER)


def _holds_numbers(state: object) -> bool:
    return _number_like(state)


def _rebuilt(baseline: Json, shown: Json) -> Json:
    if not isinstance(shown, dict):
        return baseline
    if shown.get("full") is True:
        return shown.get("state")
    return applied(baseline, shown.get("patch"))


WORLD: Final[Mapping[str, Check]] = {
    clause: Check(clause) for clause in (f"WORLD-{number}" for number in range(1, 8))
}
"""The checks, by clause."""
