"""SNAP-1 to SNAP-3: clones are independent and alike, and what was handed out stays.

SNAP-1 is also judged wherever a look shows what happened to a clone or its original.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from contextcert.properties.case import Case
from contextcert.properties.checks.check import Check, Finding
from contextcert.properties.checks.looking import Looks
from contextcert.properties.checks.relation import Counts, exercised
from contextcert.properties.equality import first_difference
from contextcert.properties.ledger import HELD, Held
from contextcert.properties.renaming import names_of, renamed
from contextcert.properties.violations import Difference, Violation
from contextcert.refmodel.json_value import Json
from contextcert.refmodel.modes import Mode


def handed_out(looks: Looks, counts: Counts) -> Iterator[Finding]:
    """Judge SNAP-2 on what was handed out and is read again."""
    case = looks.case
    for seen in looks.at(HELD):
        held = seen.look.held
        assert held is not None
        wanted = _handed_out(case, seen.mode, held)
        if wanted is None or held.operation in case.silent[seen.mode]:
            continue
        if held.changed:
            exercised(counts, "SNAP-2", seen.mode)
        if not seen.sight.same(wanted, seen.sight.without_hidden(seen.shown)):
            yield seen.broke("SNAP-2", "what was handed out changed", wanted)


def _handed_out(case: Case, mode: Mode, held: Held) -> list[Json] | None:
    """Give what was handed out: the items, or the prompt of the same history in the script."""
    history = held.history
    if history.entries is None or history.base is not None:
        return None
    if held.what == "raw_items":
        return [case.sights[mode].item(entry.item.form) for entry in history.entries]
    for outcome in case.outcomes[mode]:
        prompt = outcome.prompt
        if (
            prompt is not None
            and outcome.projection.history is history
            and prompt.modalities == held.modalities
        ):
            return list(prompt.items)
    return None


def held_prompts(case: Case) -> Iterator[tuple[Mode, int, bool]]:
    """Give the operations that show a prompt again, and whether there is one to hold it against.

    A wrong prompt that was kept as it was is as wrong as before, and breaks nothing more.
    """
    for mode, kept in case.ledgers.items():
        for look in kept.looks if kept is not None else ():
            held = look.held
            if held is not None and held.what == "for_prompt":
                known = _handed_out(case, mode, held) is not None
                yield mode, look.operation, known or not held.changed


def changed_prompt(difference: Difference) -> Violation:
    """Report a prompt that is wrong when it is shown again, with none to hold it against."""
    return Violation(
        "SNAP-2",
        difference.mode,
        "what was handed out changed",
        difference.operation,
        difference.path,
        difference.expected,
        difference.actual,
    )


def alike(looks: Looks, counts: Counts) -> Iterator[Finding]:
    """Judge SNAP-3: what was cloned and lived the same life shows the same."""
    case = looks.case
    for mode, ledger in case.ledgers.items():
        if ledger is None or not ledger.lives:
            continue
        for same in ledger.lives.values():
            if len({handle for _, handle in same}) > 1:
                found = _compared(case, mode, [operation for operation, _ in same], counts)
                for first, violation in found:
                    if not {first, violation.operation} & _after_panics(looks, mode):
                        yield violation


def _after_panics(looks: Looks, mode: Mode) -> set[int]:
    """Give the looks that may show what a panic left behind, and not what a clone is (MODE-8)."""
    return {
        seen.look.operation
        for each in looks.by_aspect.values()
        for seen in each
        if seen.mode is mode and seen.panicked
    }


def _compared(
    case: Case, mode: Mode, operations: list[int], counts: Counts
) -> Iterator[tuple[int, Violation]]:
    """Give what shows something else than the first look, with that look."""
    answers = case.answers[mode]
    shown = [
        one
        for one in operations
        if one < len(answers) and "ok" in answers[one] and one not in case.silent[mode]
    ]
    named = _named(case, mode)
    for operation in shown[1:]:
        exercised(counts, "SNAP-3", mode)
        first, other = (
            renamed(answers[one]["ok"], named[one]) if one in named else answers[one]["ok"]
            for one in (shown[0], operation)
        )
        if not case.sights[mode].same(first, other):
            path, expected, actual = first_difference(first, other, "/ok")
            message = "a clone shows something else after the same operations"
            violation = Violation("SNAP-3", mode, message, operation, path, expected, actual)
            yield shown[0], violation


def _named(case: Case, mode: Mode) -> Mapping[int, Mapping[str, str]]:
    """Give what to call the ids that recording gave, by look; they differ between clones."""
    ledger = case.ledgers[mode]
    if ledger is None or not case.surveys[mode].mints:
        return {}
    return {look.operation: names_of(look.state.history.entries or ()) for look in ledger.looks}


SNAPSHOTS: Final[Mapping[str, Check]] = {
    clause: Check(clause) for clause in ("SNAP-1", "SNAP-2", "SNAP-3")
}
"""The checks, by clause."""
