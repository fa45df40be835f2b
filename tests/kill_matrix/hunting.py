"""Finds the cases that show a fault, and says what is held against it there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from attrs import frozen
from zoo.faulty import Fault
from zoo.subject import ZooSubject

from contextcert.properties import Judge, Judgement
from contextcert.refmodel import Mode, same_json
from contextcert.refmodel.json_value import JsonObject
from kill_matrix.evidence import Asked
from kill_matrix.subjects import Pair

JUDGED_AT_MOST: Final = 20
"""How many cases that show a fault are judged before its clause must have been named."""


@frozen
class Kill:
    """How a fault was found: by which case, in which modes, and what was said of it."""

    asked: Asked
    judgement: Judgement
    shown: tuple[Mode, ...]

    @property
    def named(self) -> frozenset[tuple[str, str]]:
        """The clauses that were named, each with its mode."""
        return frozenset((one.clause, one.mode.value) for one in self.judgement.violations)

    def names(self, fault: Fault) -> bool:
        """Whether one of a fault's clauses was named in one of its modes."""
        return any(clause in fault.clauses and mode in fault.modes for clause, mode in self.named)


def kills(
    fault: Fault | type[ZooSubject], evidence: Iterable[Asked], judge: Judge
) -> Iterator[Kill]:
    """Judge every case in which the outcomes are not the model's, first to last.

    Where a fault shows in both builds, release alone is asked first: that is half the work.
    """
    make, modes = (fault.make, fault.modes) if isinstance(fault, Fault) else (fault, ())
    pair = Pair.made_by(make)
    for one in evidence:
        case = one.case
        telling = [mode for mode in case.modes if mode is Mode.RELEASE] if len(modes) > 1 else []
        if all(_same(pair, one, mode) for mode in telling or case.modes):
            continue
        answers = pair.answers(case.script, case.modes, goes_on=case.goes_on)
        judged = judge.judge(case.script, answers, continue_after_panic=case.goes_on)
        differ = (
            mode for mode in case.modes if not same_outcomes(answers[mode], one.expected[mode])
        )
        yield Kill(one, judged, tuple(differ))


def first_case(fault: Fault, evidence: Iterable[Asked], mode: Mode) -> int | None:
    """Give the number of the first case that shows a fault in one mode."""
    pair = Pair.made_by(fault.make)
    asked = (one for one in evidence if mode in one.case.modes)
    return next((one.number for one in asked if not _same(pair, one, mode)), None)


def _same(pair: Pair, one: Asked, mode: Mode) -> bool:
    answers = pair.answers(one.case.script, [mode], goes_on=one.case.goes_on)
    return same_outcomes(answers[mode], one.expected[mode])


def until_named(found: Iterable[Kill], fault: Fault) -> Iterator[Kill]:
    """Give kills up to the first that names the fault, and no more than are worth judging."""
    for kill in islice(found, JUDGED_AT_MOST):
        yield kill
        if kill.names(fault):
            return


def same_outcomes(one: list[JsonObject], other: list[JsonObject]) -> bool:
    """Compare outcomes; of a refusal only that there is one."""
    if one == other and same_json([*one], [*other]):
        return True
    return same_json([*map(worded_alike, one)], [*map(worded_alike, other)])


def worded_alike(outcome: JsonObject) -> JsonObject:
    """Take the words out of a refusal."""
    return {"error": None} if "error" in outcome else outcome
