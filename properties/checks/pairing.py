"""PAIR-6 to PAIR-11 and ORPH-3, ORPH-6, ORPH-8: who answers whom in unusual circumstances.

The checks look at wrong decisions about calls and outputs, whether a prompt shows them or a panic
names them. A clause about unusual circumstances is not blamed where an ordinary item of the same
type is treated as wrongly beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Final

from attrs import define

from contextcert.properties.checks.check import PromptCheck
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.view import Outcome, Prompt
from contextcert.properties.violations import Violation

LACKING: Final = "an unanswered call gained no output"
SURPLUS: Final = "a call that needs no output is taken for unanswered"
LOST: Final = "an output that is no orphan is taken for one"
KEPT: Final = "an orphan stays"

CIRCUMSTANCES: Final[Mapping[str, tuple[str, frozenset[str]]]] = MappingProxyType(
    {
        "PAIR-6": ("its answer does not stand next to it", frozenset({SURPLUS})),
        "PAIR-7": ("another family uses its call_id", frozenset({LACKING, KEPT})),
        "PAIR-8": ("function and local shell calls share outputs", frozenset({SURPLUS, LOST})),
        "PAIR-9": ("executions do not matter", frozenset({SURPLUS})),
        "PAIR-10": ("calls share its call_id", frozenset({LACKING, SURPLUS})),
        "PAIR-11": ("its call_id is empty", frozenset({LACKING, SURPLUS, LOST, KEPT})),
        "E11-1": ("an output without call_id is none's", frozenset({LACKING, LOST})),
        "ORPH-3": ("its execution is server", frozenset({LOST})),
        "ORPH-4": ("it has no call_id", frozenset({LOST})),
        "ORPH-6": ("it is one of several outputs of a call", frozenset({LOST})),
        "ORPH-8": ("it stands before its call", frozenset({LOST})),
    }
)
"""The circumstances that each clause is about, and the mistakes that it speaks of."""


@define(eq=False)
class Decisions:
    """Wrong decisions about a history, by kind of mistake."""

    facts: HistoryFacts
    mistakes: Mapping[str, AbstractSet[int]]

    def wrong_at(self, clause: str) -> Iterator[tuple[int, str, str]]:
        """Give the places where the clause is broken: place, mistake and circumstance."""
        circumstance, kinds = CIRCUMSTANCES[clause]
        for place in self.facts.places.get(clause, ()):
            for mistake in kinds:
                if place not in self.mistakes.get(mistake, ()):
                    continue
                if not (self._plain(place, mistake, clause) or self._unproven(place, mistake)):
                    yield place, mistake, circumstance

    def _unproven(self, place: int, mistake: str) -> bool:
        """Say whether an empty call_id may have nothing to do with a mistake.

        Where the plain clause speaks of the same mistake, it alone is blamed unless an ordinary
        item of the same type is treated rightly beside it.
        """
        items = self.facts.items
        wrong = self.mistakes[mistake]
        if items[place].call_id != "" or mistake not in (LACKING, KEPT):
            return False
        asked = self.facts.orphans if mistake == KEPT else self.facts.unanswered
        return not any(
            items[other].type == items[place].type and other not in wrong
            for other in asked
            if items[other].call_id != ""
        )

    def _plain(self, place: int, mistake: str, clause: str) -> bool:
        """Say whether an ordinary item of the same type met the same mistake."""
        items = self.facts.items
        unusual = self.facts.special.union(self.facts.places[clause])
        return any(
            items[other].type == items[place].type for other in self.mistakes[mistake] - unusual
        )


def decisions_of_prompt(prompt: Prompt) -> Decisions:
    """Gather the wrong decisions that a prompt shows."""
    return Decisions(
        prompt.facts,
        {LACKING: prompt.lacking, SURPLUS: prompt.surplus, LOST: prompt.lost, KEPT: prompt.kept},
    )


def _check(clause: str) -> PromptCheck:
    def judge(prompt: Prompt) -> Iterator[Violation]:
        places = prompt.facts.places.get(clause, ())
        if prompt.suspects.isdisjoint(places):
            return
        for place, mistake, circumstance in decisions_of_prompt(prompt).wrong_at(clause):
            path, actual = "/ok", None
            if prompt.present(place):
                path, actual = prompt.path(prompt.aligned.target[place]), prompt.shown(place)
            yield prompt.violation(
                clause, f"{mistake}, though {circumstance}", path, prompt.forms[place], actual
            )

    return PromptCheck(clause, judge=judge)


PAIRING: Final[Mapping[str, PromptCheck]] = MappingProxyType(
    {clause: _check(clause) for clause in CIRCUMSTANCES}
)
"""The checks, by clause."""


def accused(outcome: Outcome) -> Iterable[Violation]:
    """Judge the same clauses on a panic that names an item wrongly."""
    named = outcome.accusations
    if outcome.prompt is not None or not named:
        return
    decisions = Decisions(outcome.facts, {SURPLUS: named.calls, LOST: named.outputs})
    for clause in CIRCUMSTANCES:
        for place, mistake, circumstance in decisions.wrong_at(clause):
            yield outcome.violation(
                clause,
                f"{mistake}, though {circumstance}",
                "/panic",
                outcome.facts.items[place].form,
                outcome.panic,
            )
