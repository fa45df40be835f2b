"""Every fault of the zoo is killed over pipes as it is in process."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from contextcert.adapters.specs import command_spec
from contextcert.campaign.budget import Budget
from contextcert.refmodel import Mode, run_script_in_both_modes
from contextcert.refmodel.json_value import JsonObject
from contextcert.subject import Session

sys.path.insert(0, str(Path(__file__).parent))

from kill_matrix.evidence import Kind, Library
from kill_matrix.hunting import kills, same_outcomes
from kill_matrix.subjects import PROGRAM, Pair
from kill_matrix.witnesses import Witness, witnesses
from zoo.faulty import FAULTS, Fault

LIBRARY: Final = Library(Budget("served", 2, 3, 60, floor=1, operations_length=1), seed=20)

Served = Mapping[Mode, Session]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """Open one process a mode that becomes any subject of the zoo."""
    command = (sys.executable, "-S", str(PROGRAM))
    spec = command_spec(dict.fromkeys(Mode, command), name="zoo")
    sessions = {mode: spec.open(mode) for mode in Mode}
    yield sessions
    for session in sessions.values():
        session.close()


def shown_by(fault: Fault) -> Witness:
    """Give a script that shows a fault: its witness, or the first listed or random one."""
    witness = witnesses().get(fault.name)
    if witness is not None:
        return witness
    if fault.plain and fault.minimum <= 3:
        kind = Kind.HISTORIES if fault.minimum <= 2 else Kind.PAIRINGS
    else:
        kind = Kind.RANDOM
    case = next(kills(fault, LIBRARY.evidence(kind), LIBRARY.judge)).asked.case
    return Witness(case.script, case.goes_on)


def answers(sessions: Served, witness: Witness, *, of: str) -> dict[Mode, list[JsonObject]]:
    """Let the served process become a faulty subject, and run a script on it."""
    script: list[JsonObject] = [{"op": "become", "fault": of}, *witness.script]
    given: dict[Mode, list[JsonObject]] = {}
    for mode, session in sessions.items():
        answer = session.run(script, continue_after_panic=witness.goes_on)
        assert answer.fault is None
        assert answer.outcomes is not None
        became, *given[mode] = answer.outcomes
        assert became == {"ok": None}
    return given


def named(witness: Witness, given: Mapping[Mode, list[JsonObject]]) -> set[tuple[str, Mode]]:
    """Give the clauses that are named for some answers, each with its mode."""
    judged = LIBRARY.judge.judge(witness.script, given, continue_after_panic=witness.goes_on)
    return {(one.clause, one.mode) for one in judged.violations}


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_served_fault_is_killed_as_in_process(name: str, served: Served) -> None:
    """The same clauses are named in the same modes, and the answers are not the model's."""
    witness = shown_by(FAULTS[name])
    given = answers(served, witness, of=name)
    expected = run_script_in_both_modes(witness.script, continue_after_panic=witness.goes_on)
    assert any(not same_outcomes(given[mode], expected[mode]) for mode in Mode)
    inside = Pair.of(name).answers(witness.script, goes_on=witness.goes_on)
    assert named(witness, given) == named(witness, inside)
