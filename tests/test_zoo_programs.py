"""How soon programs, the first random cases of a campaign, find every fault of the zoo."""

from __future__ import annotations

import sys
from itertools import takewhile
from pathlib import Path
from statistics import mean, median
from typing import Final

from contextcert.campaign.budget import Budget

sys.path.insert(0, str(Path(__file__).parent))

from kill_matrix.evidence import Asked, Kind, Library
from kill_matrix.hunting import same_outcomes
from kill_matrix.subjects import Pair
from zoo.faulty import FAULTS

WORST: Final = 150
MEAN: Final = 20
MEDIAN: Final = 8
LIBRARY: Final = Library(Budget("programs", 1, 0, WORST, floor=1), seed=0)


def first_kill(name: str, evidence: list[Asked]) -> int | None:
    """Give the number of the first program that shows a fault, in either mode."""
    pair = Pair.of(name)
    for one in evidence:
        case = one.case
        answers = pair.answers(case.script, case.modes, goes_on=case.goes_on)
        if not all(same_outcomes(answers[mode], one.expected[mode]) for mode in case.modes):
            return one.number
    return None


def test_every_fault_is_found_within_few_programs() -> None:
    """All faults fall within 150 programs, half of them within 8, and after 20 in the mean."""
    random = LIBRARY.evidence(Kind.RANDOM)
    programs = list(takewhile(lambda one: one.source == "programs", random))
    found = {name: first_kill(name, programs) for name in FAULTS}
    assert [name for name, number in found.items() if number is None] == []
    numbers = [number for number in found.values() if number is not None]
    assert mean(numbers) <= MEAN
    assert median(numbers) <= MEDIAN
