"""Every clause is held at each gate: a check, a faulty subject, an example, and enough exercise."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from contextcert.campaign.budget import Budget
from contextcert.properties import CHECKS, examples
from contextcert.refmodel import CLAUSES, Mode

sys.path.insert(0, str(Path(__file__).parent))

from kill_matrix.evidence import Kind, Library
from kill_matrix.hunting import kills
from zoo.equivalent import EQUIVALENT
from zoo.faulty import FAULTS

LIBRARY: Final = Library(Budget("gate", 1, 0, 100, floor=1, operations_length=1), seed=20)

EDITION: Final = "edition"
OF_THE_CERTIFICATE: Final = "MODE-10"
HELD: Final = tuple(
    clause
    for clause, one in CLAUSES.items()
    if one.profile != EDITION and clause != OF_THE_CERTIFICATE
)
"""The clauses of the edition that the zoo has, as far as they are judged on a subject."""

OFTEN: Final = 5
"""How often random scripts exercise a clause in a mode, of a hundred in each group."""


RARE: Final = frozenset({("SYN-3", Mode.DEBUG)})
"""Two calls of one item id in a history without an anomaly: listed histories have them."""


@cache
def exercised(kind: Kind) -> Counter[tuple[str, Mode]]:
    """Count how often the model's own answers exercise each clause in each mode."""
    counted: Counter[tuple[str, Mode]] = Counter()
    for one in LIBRARY.evidence(kind):
        case = one.case
        judged = LIBRARY.judge.judge(case.script, one.expected, continue_after_panic=case.goes_on)
        counted.update(judged.exercised)
    return counted


def holes(clause: str) -> Iterator[str]:
    """Say what a clause lacks."""
    if clause not in CHECKS:
        yield "it has no check"
        return
    if not any(fault.clause == clause for fault in FAULTS.values()):
        yield "no faulty subject of the zoo breaks it"
    if not any(clause in example["clauses"] for example in examples()):
        yield "no example is pinned for it"
    for mode in sorted(CHECKS[clause].modes, key=lambda one: one.value):
        if not exercised(Kind.VECTORS)[clause, mode]:
            yield f"no pinned example exercises it in {mode.value}"
        times = exercised(Kind.RANDOM)[clause, mode]
        if times < OFTEN and (clause, mode) not in RARE:
            yield f"random scripts exercise it {times} times in {mode.value}"


@pytest.mark.parametrize("clause", HELD)
def test_clause_is_held_at_every_gate(clause: str) -> None:
    """A clause has a check, a fault, an example in each mode, and is exercised at random."""
    lacking = list(holes(clause))
    assert lacking == [], f"{clause}: {'; '.join(lacking)}"


@pytest.mark.parametrize("name", sorted(EQUIVALENT))
def test_equivalent_mutant_is_never_told_apart(name: str) -> None:
    """Nothing shows a change that is proven to change nothing."""
    for kind in (Kind.RANDOM, Kind.OPERATIONS, Kind.VECTORS):
        assert list(kills(EQUIVALENT[name].make, LIBRARY.evidence(kind), LIBRARY.judge)) == []
