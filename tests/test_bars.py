"""The bars of the suite itself: each clause has its check, and enough occasions to judge it by."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from contextcert.adapters.specs import model_spec
from contextcert.campaign import BUDGETS, Budget, Campaign, Evidence, open_subject, run_campaign
from contextcert.campaign.campaign import setting_of
from contextcert.campaign.plan import plan
from contextcert.campaign.runner import UnitRunner
from contextcert.campaign.tally import Tally
from contextcert.certificate import certificate_of
from contextcert.certificate.json_form import certificate_json
from contextcert.certificate.needs import replacement
from contextcert.properties import CHECKS, VIOLATIONS
from contextcert.refmodel import CLAUSES, Edition

CI = Path(__file__).parents[1] / ".ci"
PARTS = {Edition.AUGUST_2026: 20, Edition.NOVEMBER_2026: 40}
"""One in so many units of the budget `ci` is run here; `.ci/nightly` runs all of it."""

OWED = 200
"""How often the whole budget exercises a clause at least."""


def owed(edition: Edition) -> tuple[str, ...]:
    """Give the clauses that an edition has."""
    changed = edition is Edition.NOVEMBER_2026
    return tuple(
        clause
        for clause in CHECKS
        if (changed or CLAUSES[clause].profile != "edition")
        and replacement(CLAUSES[clause], edition) is None
    )


@cache
def part_of_ci(edition: Edition) -> Tally:
    """Run an even sample of the units of `ci` on the model, and all pinned examples."""
    total, part = Tally(), PARTS[edition]
    with open_subject(model_spec(), edition) as opened:
        setting = setting_of(opened, Campaign(BUDGETS["ci"]))
        runner = UnitRunner(setting, opened.sessions)
        for unit in plan(setting):
            if unit.index % part == part // 2 or unit.evidence is Evidence.VECTORS:
                total.add(runner.run(unit, lambda _: None))
    return total


@pytest.mark.parametrize(
    ("edition", "clause"), [(edition, clause) for edition in Edition for clause in owed(edition)]
)
def test_ci_exercises_each_clause_in_each_mode_that_shows_it(edition: Edition, clause: str) -> None:
    """What is met too rarely is judged by luck, and conforms by luck."""
    exercised = part_of_ci(edition).exercised
    for mode in CHECKS[clause].modes:
        assert exercised[clause, mode] >= OWED // PARTS[edition], f"{clause} in {mode.value}"


@pytest.mark.parametrize("edition", Edition)
def test_the_sample_of_ci_finds_nothing_against_the_model(edition: Edition) -> None:
    """It is the model that is judged, and it takes units of every kind."""
    total = part_of_ci(edition)
    assert not total.findings
    assert not total.differences
    assert total.cases > 100_000 // PARTS[edition]


@pytest.mark.parametrize("clause", CHECKS)
def test_each_clause_has_an_exception_of_its_own(clause: str) -> None:
    """Hypothesis tells failures apart by class."""
    own = VIOLATIONS[clause]
    assert own.clause == clause
    assert [one for one, cls in VIOLATIONS.items() if cls is own] == [clause]


def test_the_nightly_gate_names_the_clause_that_was_met_too_rarely(tmp_path: Path) -> None:
    """A certificate of the pinned examples alone owes nearly everything."""
    with open_subject(model_spec()) as opened:
        pinned = Campaign(Budget("pinned", 0, 0, 0, floor=1), evidence=(Evidence.VECTORS,))
        written: Any = certificate_json(certificate_of(run_campaign(opened, pinned, workers=1)))
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(written), encoding="utf-8")

    told = _gate(file)
    assert told.returncode == 1
    assert "HEAD-2 in debug: " in told.stdout
    assert "MODE-10" not in told.stdout
    assert "PAIR-3 in debug" not in told.stdout
    assert "E11" not in told.stdout

    for clause in written["clauses"]:
        for said in clause["modes"].values():
            said["exercised"] = 200
    file.write_text(json.dumps(written), encoding="utf-8")
    assert _gate(file).returncode == 0


def _gate(file: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CI / "check_exercises"), str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
