"""The checks judge without the model: where it is broken in the same way, they still notice.

Every faulty subject of the zoo stands on both sides here, as the subject and as the model, so that
equality with the model finds nothing.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from attrs import evolve

from contextcert.campaign.budget import Budget
from contextcert.refmodel import Mode, run_script_in_both_modes
from contextcert.refmodel.json_value import JsonObject
from contextcert.subject import Script

sys.path.insert(0, str(Path(__file__).parent))

from kill_matrix.evidence import Kind, Library
from kill_matrix.hunting import kills, same_outcomes
from kill_matrix.subjects import Pair
from kill_matrix.witnesses import witnesses
from zoo.faulty import FAULTS, Fault

LIBRARY: Final = Library(Budget("judges", 2, 0, 60, floor=1, operations_length=1), seed=7)
SHOWING_AT_MOST: Final = 40
"""How many cases that show a fault are looked at before it must have been noticed."""

TEN_WAYS: Final = (
    "pairs-by-adjacency",
    "call-id-hashed-too",
    "synthetic-at-the-end",
    "server-output-dropped",
    "image-removed",
    "debug-never-panics",
    "head-takes-last-match",
    "mixed-bundle-keeps-reference",
    "baseline-kept-by-rollback",
    "clone-shares-baseline",
)
PROPERTIES: Final = Path(__file__).parents[1] / "properties"
DRIVING: Final = frozenset({"judge.py", "trial.py", "own_cursors.py"})
"""What compares with the model, asks subjects, and writes scripts: it judges no clause."""

CHECKING: Final = sorted(
    file
    for file in (*PROPERTIES.glob("*.py"), *PROPERTIES.glob("checks/*.py"))
    if file.name not in DRIVING and not file.name.startswith("test_")
)
MODEL: Final = "contextcert.refmodel"
WORDS: Final = (
    ".json_value.",
    ".modes.",
    ".claim.",
    ".clauses.",
    ".fresh_ids.",
    ".OPERATIONS",
)
"""JSON, the two builds, the names in a claim, the clauses, the form of an id, the operations."""

ALIKE: Final = frozenset({"held-prompt-is-projected-again"})
"""Faults whose shortest script shows two outcomes that agree with each other, both wrong."""


class Broken:
    """A faulty subject in the place of the model."""

    def __init__(self, pair: Pair) -> None:
        """Keep both builds."""
        self.pair = pair

    def __call__(
        self, ops: Script, /, *, continue_after_panic: bool = False, **_: object
    ) -> Mapping[Mode, list[JsonObject]]:
        """Answer as the subject does."""
        return self.pair.answers(ops, goes_on=continue_after_panic)


def noticed(fault: Fault) -> set[str]:
    """Give the clauses that the checks alone name, over the cases that show the fault."""
    pair = Pair.of(fault.name)
    judge = evolve(LIBRARY.judge, model=Broken(pair))
    named: set[str] = set()
    for script, goes_on in showing(fault):
        answers = pair.answers(script, goes_on=goes_on)
        judged = judge.judge(script, answers, continue_after_panic=goes_on)
        assert not judged.unattributed
        named |= {one.clause for one in judged.violations}
        if named & set(fault.clauses):
            break
    return named


def showing(fault: Fault) -> list[tuple[Script, bool]]:
    """Give scripts that the true model answers otherwise."""
    if fault.lived:
        witness = witnesses()[fault.name]
        return [(witness.script, witness.goes_on)]
    kind = Kind.HISTORIES if fault.plain and fault.minimum <= 2 else Kind.RANDOM
    found = kills(fault, LIBRARY.evidence(kind), LIBRARY.judge)
    cases = [kill.asked.case for _, kill in zip(range(SHOWING_AT_MOST), found, strict=False)]
    return [(case.script, case.goes_on) for case in cases if len(case.modes) == len(Mode)]


@pytest.mark.parametrize("name", TEN_WAYS)
def test_the_broken_model_agrees_with_the_broken_subject(name: str) -> None:
    """On every script that shows the fault both sides say the same, and the true model does not."""
    fault = FAULTS[name]
    pair = Pair.of(name)
    model = Broken(pair)
    scripts = showing(fault)
    assert scripts
    for script, goes_on in scripts:
        given = pair.answers(script, goes_on=goes_on)
        expected = run_script_in_both_modes(script, continue_after_panic=goes_on)
        assert model(script, continue_after_panic=goes_on) == given
        assert any(not same_outcomes(given[mode], expected[mode]) for mode in Mode)
        judged = evolve(LIBRARY.judge, model=model).judge(
            script, given, continue_after_panic=goes_on
        )
        assert not judged.unattributed


@pytest.mark.parametrize("file", CHECKING, ids=lambda file: str(file.name))
def test_checks_take_nothing_from_the_model_but_its_words(file: Path) -> None:
    """What judges a clause knows the names of things, not how the model does them."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(MODEL):
            taken = {f"{node.module}.{name.name}".removeprefix(MODEL) for name in node.names}
            assert {one for one in taken if not one.startswith(WORDS)} == set()
        elif isinstance(node, ast.Import):
            assert not any(name.name.startswith(MODEL) for name in node.names)


@pytest.mark.parametrize("name", TEN_WAYS)
def test_the_model_broken_in_ten_ways_is_noticed_by_the_clause(name: str) -> None:
    """The fault's own clause, or one as right, is named though the model agrees."""
    fault = FAULTS[name]
    assert noticed(fault) & set(fault.clauses)


@pytest.mark.parametrize("name", sorted(name for name, one in FAULTS.items() if one.lived))
def test_every_fault_of_a_life_is_noticed_without_the_model(name: str) -> None:
    """The shortest script of each is enough for the checks alone."""
    assert bool(noticed(FAULTS[name])) is (name not in ALIKE)
