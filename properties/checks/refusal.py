"""ITEM-4: what cannot be read is refused as a whole; and what can be read is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contextcert.properties.case import Case
from contextcert.properties.checks.check import Finding
from contextcert.properties.checks.relation import Counts, RelationCheck, exercised
from contextcert.properties.observation import Bringing
from contextcert.properties.view import Shown
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Mode

_OF_NOTHING: Final = {"replace": "REPL-1", "restore_items": "E11-2"}
"""What speaks of an operation that brings no item; recording is REC-1's."""

_READING: Final = ("ITEM-2", "ITEM-3", "ITEM-5", "E11-1")


def _refused(case: Case, counts: Counts) -> Iterator[Finding]:
    for mode, answers in case.answers.items():
        for bringing in case.surveys[mode].bringings:
            if bringing.operation >= len(answers):
                continue
            outcome = answers[bringing.operation]
            if "unsupported" in outcome:
                continue
            if bringing.readable:
                yield from _accepted(case, mode, bringing, outcome)
                continue
            exercised(counts, "ITEM-4", mode)
            if "error" not in outcome:
                yield Violation(
                    "ITEM-4",
                    mode,
                    "an item that cannot be read was not refused",
                    bringing.operation,
                    "",
                    {"error": None},
                    dict(outcome),
                )
            yield from _no_effect(case, mode, bringing)


def _accepted(
    case: Case, mode: Mode, bringing: Bringing, outcome: JsonObject
) -> Iterator[Violation]:
    """Blame what is unusual about readable items for their refusal, or ITEM-1 if nothing is."""
    if "error" not in outcome:
        return
    if not bringing.items:
        name = case.script[bringing.operation]["op"]
        yield _not_accepted(_OF_NOTHING.get(str(name), "REC-1"), mode, bringing, outcome)
        return
    unusual = {
        clause
        for item in bringing.items
        if item is not None
        for clause in item.wire_clauses
        if clause in _READING
    }
    clauses = sorted(unusual) if len(unusual) == 1 else sorted({*unusual, "ITEM-1"})
    for clause in clauses:
        yield _not_accepted(clause, mode, bringing, outcome)


def _not_accepted(clause: str, mode: Mode, bringing: Bringing, outcome: JsonObject) -> Violation:
    return Violation(
        clause,
        mode,
        "what can be read was refused",
        bringing.operation,
        "/error",
        {"ok": None},
        dict(outcome),
    )


def _no_effect(case: Case, mode: Mode, bringing: Bringing) -> Iterator[Violation]:
    """Look for items of a refused operation in what the same history shows later."""
    brought = [item.form for item in bringing.items if item is not None]
    shown: list[Shown] = [
        *(one.prompt for one in case.outcomes[mode] if one.prompt is not None),
        *case.readings[mode],
    ]
    for later in shown:
        if later.operation < bringing.operation:
            continue
        for position in later.aligned.stray:
            entry: Json = later.items[position]
            if entry in brought:
                yield later.violation(
                    "ITEM-4",
                    "an operation with an item that cannot be read had an effect",
                    later.path(position),
                    None,
                    entry,
                )
                break


ITEM_4: Final = RelationCheck("ITEM-4", judge=_refused)
