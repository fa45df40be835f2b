"""Every faulty subject of the zoo is caught by its own clause, and the correct one by none."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import pytest

from contextcert.campaign.budget import Budget
from contextcert.properties import CHECKS, Judgement
from contextcert.refmodel import CLAUSES, Mode
from contextcert.strategies import operation_script_count

sys.path.insert(0, str(Path(__file__).parent))

from kill_matrix.evidence import Asked, Kind, Library
from kill_matrix.hunting import JUDGED_AT_MOST, Kill, kills, until_named
from kill_matrix.minimal import Size
from kill_matrix.subjects import Answers, Pair, served
from kill_matrix.witnesses import Showing, Witness, cuts, witnesses
from zoo.faulty import FAULTS, Fault

LIBRARY: Final = Library(Budget("zoo", 2, 3, 300, floor=1, operations_length=2), seed=20)
CORRECT_CASES: Final = 800
"""How many cases of a kind the correct subject stands here; `certify` asks it for all of them."""

LIVED: Final = sorted(name for name, fault in FAULTS.items() if fault.lived)

EDITION: Final = "edition"
BRED_FOR: Final = tuple(clause for clause in CHECKS if CLAUSES[clause].profile != EDITION)
"""The judged clauses, which need faults of their own here; the zoo has one edition."""

TWICE: Final = frozenset({"projection", "media"})
"""The profiles whose clauses have two faults each."""


CHAPTERS: Final = {fault.make.__module__: fault for fault in FAULTS.values()}
"""One fault of each chapter of the zoo."""

UNREACHED: Final[frozenset[str]] = frozenset()
"""Faults that the evidence used here does not find; their witnesses show them."""


RECORDING: Final = "recording"
"""The random group that records the same in one call and in several, and little else (REC-6)."""


def evidence_for(fault: Fault) -> Iterator[Asked]:
    """Give the evidence that must be enough to find a fault."""
    if fault.lived:
        witness = witnesses()[fault.name]
        if witness.listed is not None:
            return LIBRARY.evidence(Kind.OPERATIONS)
        return LIBRARY.evidence(Kind.LIVES if witness.lives else Kind.RANDOM)
    if fault.plain and fault.minimum <= 3:
        return LIBRARY.evidence(Kind.HISTORIES if fault.minimum <= 2 else Kind.PAIRINGS)
    return LIBRARY.evidence(Kind.RANDOM)


def hunted(fault: Fault) -> list[Kill]:
    """Give the kills of a fault up to the first that names it, if need be at random."""
    found = list(until_named(kills(fault, evidence_for(fault), LIBRARY.judge), fault))
    if found and not found[-1].names(fault):
        random = kills(fault, LIBRARY.evidence(Kind.RANDOM), LIBRARY.judge)
        found.extend(until_named(random, fault))
    return found


def findings(judgement: Judgement) -> list[str]:
    """Say what a judgement holds against a subject."""
    return [*map(str, judgement.violations), *map(str, judgement.unattributed)]


@pytest.mark.parametrize("kind", list(Kind))
def test_correct_subject_stands(kind: Kind) -> None:
    """Nothing is held against the correct subject, whatever the evidence."""
    pair = Pair.of(None)
    for one in islice(LIBRARY.evidence(kind), CORRECT_CASES):
        case = one.case
        answers = pair.answers(case.script, case.modes, goes_on=case.goes_on)
        judged = LIBRARY.judge.judge(case.script, answers, continue_after_panic=case.goes_on)
        assert findings(judged) == [], case.script


@pytest.mark.parametrize("name", sorted(FAULTS.keys() - UNREACHED))
def test_fault_is_killed_by_its_clause(name: str) -> None:
    """A fault is found as early as can be, and one of its clauses is named in its mode."""
    fault = FAULTS[name]
    found = hunted(fault)
    assert found, f"{name} survives"
    assert found[-1].names(fault), [sorted(kill.named) for kill in found]
    assert not found[-1].judgement.unattributed
    if fault.lived:
        assert_listed_early(found[0], witnesses()[name])
    elif fault.plain and fault.minimum <= 3:
        assert Size.of(found[0].asked.case.script[:1]).items == fault.minimum


def assert_listed_early(kill: Kill, witness: Witness) -> None:
    """Require that listed operations show a fault with as few of them as is known."""
    if witness.listed is not None:
        scope = LIBRARY.setting.scope
        assert kill.asked.number <= operation_script_count(scope, witness.listed)


@pytest.mark.parametrize("name", LIVED)
def test_witness_is_the_least_that_shows_its_fault(name: str) -> None:
    """A fault's witness shows it, names it, and loses it with anything that is taken away."""
    fault, witness = FAULTS[name], witnesses()[name]
    showing = Showing(fault, Pair.of(name), witness.goes_on)
    assert showing.shown_by(witness.script)
    assert [one for one in cuts(witness.script) if showing.shown_by(one)] == []


def judgement_of(witness: Witness, answers: Answers) -> Judgement:
    """Judge what a subject answered to a witness."""
    return LIBRARY.judge.judge(witness.script, answers, continue_after_panic=witness.goes_on)


@pytest.mark.parametrize("chapter", sorted(CHAPTERS))
def test_served_fault_answers_as_in_process(chapter: str) -> None:
    """A fault of each chapter answers the same over pipes, in both modes."""
    fault = CHAPTERS[chapter]
    witness = witnesses().get(fault.name) or Witness([*next(first_kill(fault)).asked.case.script])
    pair, goes_on = Pair.of(fault.name), witness.goes_on
    for mode in Mode:
        with served(fault.name, mode) as session:
            answer = session.run(witness.script, continue_after_panic=goes_on)
        assert answer.fault is None
        assert answer.outcomes == pair.answers(witness.script, [mode], goes_on=goes_on)[mode]


def first_kill(fault: Fault) -> Iterator[Kill]:
    """Give the kills of a fault by what must find it."""
    return kills(fault, evidence_for(fault), LIBRARY.judge)


@pytest.mark.parametrize("clause", BRED_FOR)
def test_clause_is_named_for_a_fault(clause: str) -> None:
    """Every judged clause is named for some fault that breaks it."""
    breaking = sorted(
        (fault for fault in FAULTS.values() if clause in fault.clauses),
        key=lambda fault: (fault.clause != clause, not fault.lived, not fault.plain, fault.minimum),
    )
    assert any(clause in named_for(fault) for fault in breaking), [one.name for one in breaking]


def named_for(fault: Fault) -> Iterator[str]:
    """Give the clauses named for a fault: for its witness, and by evidence that finds it."""
    witness = witnesses().get(fault.name)
    if witness is not None:
        answers = Showing(fault, Pair.of(fault.name), witness.goes_on).answers(witness.script)
        yield from (one.clause for one in judgement_of(witness, answers).violations)
    random = LIBRARY.evidence(Kind.RANDOM)
    recorded = (one for one in LIBRARY.evidence(Kind.RANDOM) if one.source == RECORDING)
    for evidence in (evidence_for(fault), random, recorded):
        for kill in islice(kills(fault, evidence, LIBRARY.judge), JUDGED_AT_MOST):
            yield from (clause for clause, _ in kill.named)


def test_every_judged_clause_has_faults() -> None:
    """Every judged clause has a fault of its own, and every clause of a projection two."""
    own = [fault.clause for fault in FAULTS.values()]
    lonely = {
        clause
        for clause in BRED_FOR
        if own.count(clause) < (2 if CLAUSES[clause].profile in TWICE else 1)
    }
    assert lonely == set()


def test_faults_name_known_clauses() -> None:
    """Faults speak of clauses of the specification only."""
    named = {clause for fault in FAULTS.values() for clause in fault.clauses}
    assert named <= set(CLAUSES)


def test_witnesses_are_those_of_longer_lives() -> None:
    """Every fault that takes a longer life has a witness, and no other does."""
    assert sorted(witnesses()) == LIVED
