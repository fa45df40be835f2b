"""What a check is: a clause, how it is judged, and how often it was exercised."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from attrs import frozen

from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.view import Prompt, Shown
from contextcert.properties.violations import Violation
from contextcert.refmodel.modes import Mode

BOTH = frozenset(Mode)
DEBUG_ONLY = frozenset({Mode.DEBUG})
RELEASE_ONLY = frozenset({Mode.RELEASE})


@frozen
class Suspicion:
    """A violation that counts only where no check is sure of a better reason."""

    violation: Violation


@frozen
class Acquittal:
    """What an operation shows breaks this clause in no way, whatever else seems so."""

    clause: str
    mode: Mode
    operation: int


Finding: TypeAlias = Violation | Suspicion | Acquittal


@frozen
class Check:
    """A clause's check.

    `general` findings are reported only where no specific clause explains the difference.
    `modes` are those in which the clause can be exercised at all.
    """

    clause: str
    general: bool = False
    modes: frozenset[Mode] = BOTH


@frozen
class PromptCheck(Check):
    """Judges one prompt.

    `count` says how often a history under (image, audio) exercises it; None means at each of the
    clause's places.
    """

    judge: Callable[[Prompt], Iterable[Finding]] = lambda _: ()
    count: Callable[[HistoryFacts, bool, bool], int] | None = None


@frozen
class ShownCheck(Check):
    """Judges one item of a prompt or of a raw history, at each place that exercises it."""

    judge: Callable[[Shown, int], Iterable[Finding]] = lambda _shown, _place: ()


JudgePlace: TypeAlias = Callable[[Prompt, int], Iterator[Violation]]


def at_places(
    clause: str, *, general: bool = False, modes: frozenset[Mode] = BOTH
) -> Callable[[JudgePlace], PromptCheck]:
    """Make a check of what judges one place of the history where the clause matters."""

    def make(judge: JudgePlace) -> PromptCheck:
        def judge_prompt(prompt: Prompt) -> Iterator[Finding]:
            for place in prompt.facts.places.get(clause, ()):
                if place in prompt.suspects:
                    yield from judge(prompt, place)

        return PromptCheck(clause, general, modes, judge_prompt)

    return make
