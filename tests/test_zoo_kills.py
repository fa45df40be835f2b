"""Every faulty subject of the zoo is caught by its own clause, and the correct one by none."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Final

import pytest
from attrs import evolve, field, frozen

from contextcert.properties import CHECKS, Judge, Judgement
from contextcert.refmodel import (
    CLAUSES,
    DEFAULT_EDITION,
    Claim,
    Mode,
    run_script_in_both_modes,
    same_json,
)
from contextcert.refmodel.json_value import JsonObject
from contextcert.strategies import (
    Scope,
    Script,
    alphabet,
    generate,
    groups_of,
    histories,
    modality_sets,
    pairing_alphabet,
    projection_script,
)
from contextcert.subject import Capabilities

sys.path.insert(0, str(Path(__file__).parent))

from zoo.faulty import FAULTS, Fault
from zoo.registry import subject
from zoo.subject import PROFILES, ZooSubject

SEED: Final = 20
SCRIPTS_A_GROUP: Final = 300
STRIDE: Final = 4799
"""A prime: histories of two items are tried in an order that visits all symbols early."""
JUDGED_AT_MOST: Final = 20
"""How many scripts that show a fault are judged before its clause must have been named."""
CORRECT_SCRIPTS_A_GROUP: Final = 200

CLAIM: Final = evolve(Claim.full(), profiles=frozenset(PROFILES))
SCOPE: Final = Scope(claim=CLAIM, success_flag=True)
GROUPS: Final = groups_of(SCOPE)

LIVED: Final = frozenset({"MODE-8", "PROJ-1", "PROJ-3", "PROJ-7", "MODE-9"})
"""Clauses about projections that only a longer life of a history shows."""

BRED_FOR: Final = tuple(
    clause
    for clause in CHECKS
    if clause not in LIVED and CLAUSES[clause].profile in {"projection", "media", "wire"}
)
"""The judged clauses that need faults of their own here."""

Answers = Mapping[Mode, list[JsonObject]]


@frozen
class Kill:
    """How a fault was found: after how many scripts, by which one, and what was said of it."""

    cases: int
    script: Script
    judgement: Judgement

    @property
    def named(self) -> frozenset[str]:
        """The clauses that were named, in either mode."""
        return frozenset(violation.clause for violation in self.judgement.violations)

    def names(self, fault: Fault) -> bool:
        """Whether one of a fault's clauses was named in one of its modes."""
        return any(
            violation.clause in fault.clauses and violation.mode.value in fault.modes
            for violation in self.judgement.violations
        )


@frozen
class Hunt:
    """One faulty subject in both modes, and the scripts that show its fault."""

    fault: Fault
    builds: Mapping[Mode, ZooSubject] = field(init=False)

    @builds.default
    def _two_builds(self) -> Mapping[Mode, ZooSubject]:
        return {mode: opened(self.fault.name, mode) for mode in Mode}

    def kills(self, evidence: Iterator[tuple[Script, Answers]]) -> Iterator[Kill]:
        """Judge every script whose outcomes are not the model's, first to last."""
        for cases, (script, expected) in enumerate(evidence, start=1):
            answers = answered(self.builds, script)
            if all(same_outcomes(answers[mode], expected[mode]) for mode in Mode):
                continue
            yield Kill(cases, script, judge().judge(script, answers))


def opened(fault: str | None, mode: Mode) -> ZooSubject:
    """Make a subject of the zoo and shake hands with it."""
    made = subject(fault, mode.value)
    made.initialize({"protocol": 1, "mode": mode.value})
    return made


def answered(builds: Mapping[Mode, ZooSubject], script: Script) -> Answers:
    """Run a script on both builds."""
    return {mode: build.run({"ops": script})["outcomes"] for mode, build in builds.items()}


def same_outcomes(one: list[JsonObject], other: list[JsonObject]) -> bool:
    """Compare outcomes; of a refusal only that there is one."""
    return same_json([*map(worded_alike, one)], [*map(worded_alike, other)])


def worded_alike(outcome: JsonObject) -> JsonObject:
    """Take the words out of a refusal."""
    return {"error": None} if "error" in outcome else outcome


@cache
def judge() -> Judge:
    """Make the judge of a subject that shows everything."""
    shown = Capabilities.from_json(opened(None, Mode.DEBUG).initialize({})["capabilities"])
    return Judge(
        edition=DEFAULT_EDITION,
        claim=CLAIM,
        capabilities=dict.fromkeys(Mode, shown),
    )


@cache
def enumerated(length: int) -> tuple[Script, ...]:
    """Give every projection script of so many listed items, in an order that mixes symbols."""
    sets = modality_sets(SCOPE)
    ordered = [
        projection_script([symbol.item for symbol in history], sets, SCOPE, annotated=True)
        for history in histories(alphabet(SCOPE), length)
    ]
    return tuple(ordered[place * STRIDE % len(ordered)] for place in range(len(ordered)))


@cache
def pairings() -> tuple[Script, ...]:
    """Give every projection script of three items that decide who answers whom, mixed too."""
    every_modality = modality_sets(SCOPE)[:1]
    ordered = list(histories(pairing_alphabet(SCOPE), 3))
    mixed = (ordered[place * STRIDE % len(ordered)] for place in range(len(ordered)))
    return tuple(
        projection_script([symbol.item for symbol in history], every_modality, SCOPE)
        for history in mixed
    )


@cache
def drawn(group: str) -> tuple[Script, ...]:
    """Give the random scripts of a group."""
    return tuple(generate(group, SCOPE, seed=SEED, count=SCRIPTS_A_GROUP))


@cache
def expected_of(kind: str | int, place: int) -> Answers:
    """Give the model's outcomes of a listed or a drawn script."""
    scripts = enumerated(kind) if isinstance(kind, int) else drawn(kind)
    return run_script_in_both_modes(scripts[place])


def exhaustive() -> Iterator[tuple[Script, Answers]]:
    """Give every history of up to two listed items, shortest first."""
    for length in (0, 1, 2):
        for place, script in enumerate(enumerated(length)):
            yield script, expected_of(length, place)


def three_items() -> Iterator[tuple[Script, Answers]]:
    """Give every history of three items of the smaller alphabet."""
    for script in pairings():
        yield script, run_script_in_both_modes(script)


def random() -> Iterator[tuple[Script, Answers]]:
    """Give the random scripts, one of each group in turn."""
    for place in range(SCRIPTS_A_GROUP):
        for group in GROUPS:
            yield drawn(group)[place], expected_of(group, place)


def evidence_for(fault: Fault) -> Iterator[tuple[Script, Answers]]:
    """Give the evidence that must be enough to find a fault."""
    if fault.plain and fault.minimum <= 3:
        return exhaustive() if fault.minimum <= 2 else three_items()
    return random()


def judged(fault: Fault) -> Iterator[Kill]:
    """Give the first kills of a fault."""
    return islice(Hunt(fault).kills(evidence_for(fault)), JUDGED_AT_MOST)


def findings(judgement: Judgement) -> list[str]:
    """Say what a judgement holds against a subject."""
    return [*map(str, judgement.violations), *map(str, judgement.unattributed)]


@pytest.mark.parametrize("length", [0, 1, 2])
def test_correct_subject_stands_every_small_history(length: int) -> None:
    """Nothing is held against the correct subject over small listed histories."""
    builds = {mode: opened(None, mode) for mode in Mode}
    for script in enumerated(length)[:: 1 if length < 2 else 12]:
        assert findings(judge().judge(script, answered(builds, script))) == [], script


@pytest.mark.parametrize("group", GROUPS)
def test_correct_subject_stands_random_scripts(group: str) -> None:
    """Nothing is held against the correct subject over random scripts."""
    builds = {mode: opened(None, mode) for mode in Mode}
    for script in drawn(group)[:CORRECT_SCRIPTS_A_GROUP]:
        assert findings(judge().judge(script, answered(builds, script))) == [], script


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_fault_is_killed_by_its_clause(name: str) -> None:
    """A fault is found as early as can be, and one of its clauses is named in its mode."""
    fault = FAULTS[name]
    kills = list(_until_named(judged(fault), fault))
    assert kills, f"{name} survives"
    if fault.clause in CHECKS:
        assert kills[-1].names(fault), [sorted(kill.named) for kill in kills]
        assert not any(kill.judgement.unattributed for kill in kills)
    if fault.plain and fault.minimum <= 3:
        assert _items_in(kills[0].script) == fault.minimum


def _until_named(kills: Iterator[Kill], fault: Fault) -> Iterator[Kill]:
    for kill in kills:
        yield kill
        if kill.names(fault) or fault.clause not in CHECKS:
            return


def _items_in(script: Script) -> int:
    recorded = script[0]["items"]
    assert isinstance(recorded, list)
    return len(recorded)


@pytest.mark.parametrize("clause", BRED_FOR)
def test_clause_is_named_for_a_fault(clause: str) -> None:
    """Every judged clause is named for some fault that breaks it."""
    breaking = sorted(
        (fault for fault in FAULTS.values() if clause in fault.clauses),
        key=lambda fault: (fault.clause != clause, not fault.plain, fault.minimum),
    )
    hunts = chain(
        ((Hunt(fault), evidence_for(fault)) for fault in breaking),
        ((Hunt(fault), random()) for fault in breaking if fault.plain),
    )
    kills = chain.from_iterable(
        islice(hunt.kills(evidence), JUDGED_AT_MOST) for hunt, evidence in hunts
    )
    assert any(clause in kill.named for kill in kills), [fault.name for fault in breaking]


def test_every_judged_clause_has_faults() -> None:
    """Every judged clause has a fault of its own, and every projection clause two."""
    own = [fault.clause for fault in FAULTS.values()]
    lonely = {
        clause
        for clause in BRED_FOR
        if own.count(clause) < (2 if CLAUSES[clause].profile != "wire" else 1)
    }
    assert lonely == set()


def test_faults_name_known_clauses() -> None:
    """Faults speak of clauses of the specification only."""
    named = {clause for fault in FAULTS.values() for clause in fault.clauses}
    assert named <= set(CLAUSES)
