"""The looks of a case that an adapter answered, mode by mode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from contextcert.properties.case import Case
from contextcert.properties.equality import Sight, first_difference
from contextcert.properties.ledger import Look
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Mode


@frozen(eq=False)
class Seen:
    """A look and what it showed in one mode."""

    mode: Mode
    look: Look
    shown: Json
    sight: Sight
    panicked: bool
    """Whether a projection of the history panicked since it was last looked at (MODE-8)."""

    def broke(self, clause: str, message: str, wanted: Json) -> Violation:
        """Report that the look broke a clause."""
        path, expected, actual = first_difference(wanted, self.shown, "/ok")
        return Violation(clause, self.mode, message, self.look.operation, path, expected, actual)


def looks(case: Case, *aspects: str) -> Iterator[Seen]:
    """Give every look at some parts of histories, with what it showed."""
    for mode, ledger in case.ledgers.items():
        if ledger is None:
            continue
        answers, silent = case.answers[mode], case.silent[mode]
        for look in ledger.looks:
            if look.aspect in aspects and look.operation < len(answers):
                answer = answers[look.operation]
                if "ok" in answer and look.operation not in silent:
                    panicked = _panicked(look, answers)
                    yield Seen(mode, look, answer["ok"], case.sights[mode], panicked)


def _panicked(look: Look, answers: Sequence[JsonObject]) -> bool:
    return any(
        event.kind == "project" and "panic" in answers[event.operation] for event in look.events
    )
