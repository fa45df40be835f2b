"""Every clause is held at each gate: a check, a faulty subject, an example, and enough exercise."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from attrs import evolve, frozen

from contextcert.campaign.budget import Budget
from contextcert.properties import CHECKS, Check, examples
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


Counts = Counter[tuple[str, Mode]]


@frozen
class Held:
    """All that a clause is held by: its check, its faults, its examples, and how often it is met.

    `faults` has the clause of each faulty subject, `examples` the clauses of each pinned one.
    """

    checks: Mapping[str, Check]
    faults: tuple[str, ...]
    examples: tuple[str, ...]
    pinned: Counts
    random: Counts

    def holes(self, clause: str) -> Iterator[str]:
        """Say what a clause lacks."""
        if clause not in self.checks:
            yield "it has no check"
            return
        if clause not in self.faults:
            yield "no faulty subject of the zoo breaks it"
        if clause not in self.examples:
            yield "no example is pinned for it"
        for mode in sorted(self.checks[clause].modes, key=lambda one: one.value):
            if not self.pinned[clause, mode]:
                yield f"no pinned example exercises it in {mode.value}"
            times = self.random[clause, mode]
            if times < OFTEN and (clause, mode) not in RARE:
                yield f"random scripts exercise it {times} times in {mode.value}"


@cache
def held() -> Held:
    """Give what there is."""
    return Held(
        checks=CHECKS,
        faults=tuple(fault.clause for fault in FAULTS.values()),
        examples=tuple(clause for example in examples() for clause in example["clauses"]),
        pinned=exercised(Kind.VECTORS),
        random=exercised(Kind.RANDOM),
    )


def exercised(kind: Kind) -> Counts:
    """Count how often the model's own answers exercise each clause in each mode."""
    counted: Counts = Counter()
    for one in LIBRARY.evidence(kind):
        case = one.case
        judged = LIBRARY.judge.judge(case.script, one.expected, continue_after_panic=case.goes_on)
        counted.update(judged.exercised)
    return counted


@pytest.mark.parametrize("clause", HELD)
def test_clause_is_held_at_every_gate(clause: str) -> None:
    """A clause has a check, a fault, an example in each mode, and is exercised at random."""
    lacking = list(held().holes(clause))
    assert lacking == [], f"{clause}: {'; '.join(lacking)}"


@pytest.mark.parametrize("clause", [clause for clause in CLAUSES if clause not in HELD])
def test_clause_of_the_other_edition_has_a_check_and_examples(clause: str) -> None:
    """Its faults are those of the miniature of edition 2026-11, its counts those of the bars."""
    if clause != OF_THE_CERTIFICATE:
        assert clause in CHECKS
        assert clause in held().examples


def without(clause: str, mode: Mode, counts: Counts) -> Counts:
    """Give the counts of a clause as if it had never been met in a mode."""
    return Counter({**counts, (clause, mode): 0})


@pytest.mark.parametrize("clause", ["PAIR-7", "ROLL-6"])
def test_a_hole_of_each_kind_is_told(clause: str) -> None:
    """Whatever is taken away from a clause fails the build, in either mode, and nothing else."""
    whole = held()
    checks = {one: check for one, check in whole.checks.items() if one != clause}
    faults = tuple(one for one in whole.faults if one != clause)
    pinned = tuple(one for one in whole.examples if one != clause)
    made = {
        "it has no check": evolve(whole, checks=checks),
        "no faulty subject of the zoo breaks it": evolve(whole, faults=faults),
        "no example is pinned for it": evolve(whole, examples=pinned),
    }
    for mode in Mode:
        made[f"no pinned example exercises it in {mode.value}"] = evolve(
            whole, pinned=without(clause, mode, whole.pinned)
        )
        made[f"random scripts exercise it 0 times in {mode.value}"] = evolve(
            whole, random=without(clause, mode, whole.random)
        )
    for told, lacking in made.items():
        assert list(lacking.holes(clause)) == [told]
        assert list(lacking.holes("HEAD-2")) == []


@pytest.mark.parametrize("name", sorted(EQUIVALENT))
def test_equivalent_mutant_is_never_told_apart(name: str) -> None:
    """Nothing shows a change that is proven to change nothing."""
    for kind in (Kind.RANDOM, Kind.OPERATIONS, Kind.VECTORS):
        assert list(kills(EQUIVALENT[name].make, LIBRARY.evidence(kind), LIBRARY.judge)) == []
