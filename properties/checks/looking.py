"""The looks of a case that an adapter answered, mode by mode."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from attrs import define, field, frozen

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
    after_panic: bool
    """Whether the projection of any history panicked before."""

    def broke(self, clause: str, message: str, wanted: Json) -> Violation:
        """Report that the look broke a clause."""
        path, expected, actual = first_difference(wanted, self.shown, "/ok")
        return Violation(clause, self.mode, message, self.look.operation, path, expected, actual)


@define(eq=False)
class Looks:
    """The looks of a case by what they look at, gathered once for all checks."""

    case: Case
    by_aspect: dict[str, list[Seen]] = field(factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, case: Case) -> Looks:
        """Gather every look whose outcome says something."""
        gathered = cls(case)
        for mode, ledger in case.ledgers.items():
            if ledger is None:
                continue
            answers, silent, sight = case.answers[mode], case.silent[mode], case.sights[mode]
            panics = [place for place, one in enumerate(answers) if "panic" in one]
            for look in ledger.looks:
                if look.operation >= len(answers):
                    break
                answer = answers[look.operation]
                if "ok" in answer and look.operation not in silent:
                    after = bool(panics) and panics[0] < look.operation
                    panicked = after and _panicked(look, answers)
                    seen = Seen(mode, look, answer["ok"], sight, panicked, after)
                    gathered.by_aspect[look.aspect].append(seen)
        return gathered

    def at(self, *aspects: str) -> Iterator[Seen]:
        """Give every look at some parts of histories, with what it showed."""
        for aspect in aspects:
            yield from self.by_aspect.get(aspect, ())


def _panicked(look: Look, answers: Sequence[JsonObject]) -> bool:
    return any(
        event.kind == "project" and "panic" in answers[event.operation] for event in look.events
    )
