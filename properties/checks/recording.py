"""REC-1 to REC-7: what recording keeps, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from contextcert.properties.checks.check import Check
from contextcert.properties.checks.edition import explained
from contextcert.properties.checks.truncation import cuts, miscut
from contextcert.properties.equality import identical
from contextcert.properties.item_facts import OUTPUT_TYPES, is_loose
from contextcert.properties.observation import Entry, Step
from contextcert.properties.synthetic import synthetic_body
from contextcert.properties.truncating import size
from contextcert.properties.view import Shown
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import Json

_BODY_CUT: Final = frozenset({"function_call_output", "custom_tool_call_output"})
_MARKERS: Final = (" chars truncated…", " tokens truncated…", "[omitted ")
_SMALL: Final = 4096
"""Budgets beyond so many bytes are not measured against whole items."""


def recorded(shown: Shown, steps: list[Step]) -> Iterator[str]:
    """Name what a right reading after recordings exercised."""
    for step in steps:
        yield from _of_batch(shown, step)
    if len({step.allowance for step in steps}) == 1 and len(steps) > 1:
        yield "REC-6"
    if shown.facts.unanswered or shown.facts.orphans:
        yield "REC-4"


def _of_batch(shown: Shown, step: Step) -> Iterator[str]:
    kept = [entry for entry in step.brought if entry.item.recordable]
    if kept:
        yield "REC-1"
    if len(kept) < len(step.brought):
        yield "REC-2"
    here = set(map(id, shown.entries))
    for entry in kept:
        if id(entry) not in here:
            continue
        if _is_large(entry, step):
            yield "REC-3"
        if shown.annotated and (
            entry.source is not None or entry.metadata is not None or entry.success is not None
        ):
            yield "REC-7"
        yield from cuts(entry)


def misrecorded(
    shown: Shown, steps: list[Step], seen: AbstractSet[int] = frozenset()
) -> Iterator[Violation]:
    """Judge a reading that is wrong after recordings alone.

    `seen` are the ids of the entries that were shown as they must be before them.
    """
    by_operation = {step.operation: step for step in steps}
    for place, entry in enumerate(shown.entries):
        step = by_operation.get(entry.operation)
        if step is None:
            yield from _touched(shown, place, seen)
            continue
        if not shown.present(place):
            yield _lost(shown, place)
        elif place in shown.aligned.altered:
            yield from _altered(shown, place, entry, step)
        yield from _envelope(shown, place, entry)
    for place in shown.aligned.moved:
        path = shown.path(shown.aligned.target[place])
        message = "what was recorded does not stand in the order given"
        yield shown.violation("REC-1", message, path, None, shown.shown(place))
    for position in _strays(shown):
        yield _stray(shown, position, steps)


def _touched(shown: Shown, place: int, seen: AbstractSet[int]) -> Iterator[Violation]:
    """Judge what was shown right before anything more was recorded (REC-1)."""
    if id(shown.entries[place]) not in seen:
        return
    message = "recording changed what was in the history"
    if not shown.present(place):
        yield shown.violation("REC-1", message, "/ok", shown.forms[place], None)
    elif place in shown.aligned.altered:
        path = shown.path(shown.aligned.target[place])
        yield shown.violation("REC-1", message, path, shown.forms[place], shown.shown(place))


def _lost(shown: Shown, place: int) -> Violation:
    """Blame a lost orphan on a repair, a near miss of what goes on the filter, else recording."""
    form = shown.forms[place]
    clause = "REC-4" if place in shown.facts.orphans else "REC-1"
    if is_loose(form):
        clause = "E11-1"
    elif str(form.get("role")).strip().lower() == "system":
        clause = "REC-2"
    elif shown.facts.items[place].given.get("type") != form["type"]:
        clause = "ITEM-1"  # an alias that was not read is dropped as unknown
    return shown.violation(clause, "what was recorded is not in the history", "/ok", form, None)


def _altered(shown: Shown, place: int, entry: Entry, step: Step) -> Iterator[Violation]:
    given, form = shown.shown(place), shown.forms[place]
    path = shown.path(shown.aligned.target[place])
    if not isinstance(given, dict):
        return
    known = explained(shown, place)
    if entry.item.type not in _BODY_CUT:
        if _is_large(entry, step) or _holds_marker(given):
            yield shown.violation("REC-3", "an item that is no output was cut", path, form, given)
        return
    if "output" not in known and not identical(given.get("output"), form["output"]):
        yield from miscut(shown, place, entry, step)
    if entry.source is not None:
        for name in sorted((form.keys() | given.keys()) - {"output"} - known):
            if not identical(form.get(name), given.get(name)):
                message = f"{name} did not survive truncation"
                yield shown.violation("REC-7", message, path, form.get(name), given.get(name))


def _envelope(shown: Shown, place: int, entry: Entry) -> Iterator[Violation]:
    """Judge what a recorded envelope keeps (REC-7)."""
    if shown.envelopes is None or not shown.present(place):
        return
    position = shown.aligned.target[place]
    envelope = shown.envelopes[position]
    if not isinstance(envelope, dict):
        return
    for name in envelope_faults(shown, entry, envelope):
        wanted = entry.metadata if name == "metadata" else entry.success
        message = f"a recorded envelope did not keep its {name}"
        yield shown.violation(
            "REC-7", message, f"/ok/{position}/{name}", wanted, envelope.get(name)
        )


def envelope_faults(shown: Shown, entry: Entry, envelope: Mapping[str, Json]) -> Iterator[str]:
    """Name the parts of an envelope that are not what they were."""
    if entry.metadata_known and not shown.sight.same(entry.metadata, envelope.get("metadata")):
        yield "metadata"
    flagged = entry.item.type in _BODY_CUT and shown.sight.success_flag and entry.metadata_known
    if flagged and envelope.get("success") is not entry.success:
        yield "success"


def _strays(shown: Shown) -> list[int]:
    gained = [one for positions in shown.aligned.gained.values() for one in positions]
    return sorted({*shown.aligned.stray, *gained})


def _stray(shown: Shown, position: int, steps: list[Step]) -> Violation:
    """Blame what was not recorded on the filter, on a repair, or on recording."""
    given = shown.items[position]
    dropped = [one.item.form for step in steps for one in step.brought if not one.item.recordable]
    if given in dropped or (isinstance(given, dict) and given.get("role") == "system"):
        clause, message = "REC-2", "what recording drops is in the history"
    elif is_repair(given):
        clause, message = "REC-4", "recording completed a call"
    else:
        clause, message = "REC-1", "the history holds what was not recorded"
    return shown.violation(clause, message, shown.path(position), None, given)


def is_repair(given: Json) -> bool:
    """Say whether an item looks like a synthetic output."""
    if not isinstance(given, dict):
        return False
    tag = given.get("type")
    return (
        isinstance(tag, str)
        and tag in OUTPUT_TYPES
        and all(given.get(name) == value for name, value in synthetic_body(tag).items())
    )


def _is_large(entry: Entry, step: Step) -> bool:
    """Say whether an item that is no output holds more text than the budget (REC-3)."""
    allowance = step.allowance
    if allowance is None or entry.item.type in _BODY_CUT or allowance.bytes > _SMALL:
        return False
    return _text_size(entry.item.form) > allowance.bytes


def _text_size(value: Json) -> int:
    """Give the size of the longest text in a value."""
    if isinstance(value, str):
        return size(value)
    if isinstance(value, dict):
        value = list(value.values())
    return max(map(_text_size, value), default=0) if isinstance(value, list) else 0


def _holds_marker(value: Json) -> bool:
    if isinstance(value, str):
        return any(marker in value for marker in _MARKERS)
    if isinstance(value, dict):
        value = list(value.values())
    return any(map(_holds_marker, value)) if isinstance(value, list) else False


RECORDING: Final[Mapping[str, Check]] = {
    clause: Check(clause) for clause in (f"REC-{number}" for number in (1, 2, 3, 4, 6, 7))
}
"""The checks, by clause; REC-5 is judged with what recording keeps."""
