"""What a campaign leaves of a counterexample is as small as anything that is known to show it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest

from contextcert.campaign.budget import Budget

sys.path.insert(0, str(Path(__file__).parent))

from kill_matrix.evidence import Kind, Library
from kill_matrix.hunting import kills, until_named
from kill_matrix.minimal import Size, is_minimal, smallest
from kill_matrix.witnesses import witnesses
from zoo.registry import FAULTS

LIBRARY: Final = Library(Budget("zoo", 2, 3, 200, floor=1, operations_length=2), seed=7)
EVERY: Final = 5
"""One fault in five is looked at here; `python -m kill_matrix` looks at all of them."""

BAR: Final = 0.95


@pytest.fixture(scope="module")
def least() -> dict[str, tuple[Size, bool]]:
    """Minimise what random scripts find of the faults: the size, and whether it is minimal."""
    found: dict[str, tuple[Size, bool]] = {}
    for name in sorted(FAULTS)[::EVERY]:
        fault, known = FAULTS[name], witnesses().get(name)
        hunted = list(
            until_named(kills(fault, LIBRARY.evidence(Kind.RANDOM), LIBRARY.judge), fault)
        )
        if hunted and hunted[-1].names(fault):
            finding = smallest(hunted[-1], fault, LIBRARY.setting)
            minimal = is_minimal(finding, fault, known and known.case, LIBRARY.setting)
            found[name] = Size.of(finding.script), minimal
    return found


def test_random_scripts_find_most_of_the_faults(least: dict[str, tuple[Size, bool]]) -> None:
    """There is something to measure."""
    assert len(least) >= 0.9 * len(FAULTS) / EVERY


def test_counterexamples_are_minimal(least: dict[str, tuple[Size, bool]]) -> None:
    """No script that is known to violate the same clause is smaller."""
    larger = [name for name, (_, minimal) in least.items() if not minimal]
    assert len(larger) <= (1 - BAR) * len(least), larger


def test_counterexamples_of_lives_have_an_operation_too_many_at_most(
    least: dict[str, tuple[Size, bool]],
) -> None:
    """Measured against the least script known to show the fault, whatever clause it violates."""
    lives = {name: size for name, (size, _) in least.items() if name in witnesses()}
    longer = [
        name
        for name, size in lives.items()
        if size.operations > witnesses()[name].size.operations + 1
    ]
    assert len(longer) <= (1 - BAR) * len(lives), longer
