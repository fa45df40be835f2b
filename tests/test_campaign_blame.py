"""A campaign blames an unstable subject for that alone, and never hides what was not asked for."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from attrs import evolve

from contextcert.adapters.specs import command_spec, object_spec
from contextcert.campaign import Budget, Campaign, Evidence, Result, open_subject, run_campaign
from contextcert.certificate import certificate_of
from contextcert.certificate.conclusion import exit_code, why_not_certified
from contextcert.certificate.json_form import (
    certificate_digest,
    certificate_from_json,
    certificate_json,
)
from contextcert.cli.main import run
from contextcert.refmodel import Mode

BROKEN = Path(__file__).parent / "broken_model"
SMALL = Budget("small", 1, 0, 25, floor=1)
LISTED = Campaign(SMALL, evidence=(Evidence.EXHAUSTIVE,))


def campaign(name: str, asked: Campaign, workers: int = 1) -> Result:
    """Run a small campaign on a broken subject."""
    with open_subject(object_spec(f"broken_model:{name}", folder=str(BROKEN))) as opened:
        return run_campaign(opened, asked, workers=workers)


def clauses(result: Result) -> set[str]:
    """Give the clauses that were violated in any mode."""
    return {clause for clause, _ in result.tally.findings}


@pytest.mark.parametrize("evidence", [Evidence.EXHAUSTIVE, Evidence.RANDOM])
def test_an_unstable_subject_violates_proj_2_alone(evidence: Evidence) -> None:
    """What its second prompt lacks is not what it never gives."""
    result = campaign("LosesWhenAskedAgain", evolve(LISTED, evidence=(evidence,)))
    assert clauses(result) == {"PROJ-2"}
    for mode in Mode:
        script = result.tally.findings["PROJ-2", mode].script
        assert [op["op"].startswith("for_prompt") for op in script] == [False, True, True]  # type: ignore[union-attr]


def test_what_is_taken_for_instability_does_not_depend_on_the_workers() -> None:
    """Each unit doubts for itself, so that it makes no difference who ran another one."""
    asked = Campaign(Budget("some", 1, 0, 80, floor=1), evidence=(Evidence.RANDOM,))
    digests = {
        certificate_digest(certificate_of(campaign("ForgetsAndLoses", asked, workers)))
        for workers in (1, 2, 3)
    }
    assert len(digests) == 1


def test_a_fault_of_its_own_is_found_beside_instability() -> None:
    """What a single projection shows is violated all the same."""
    assert clauses(campaign("ForgetsAndLoses", LISTED)) >= {"PROJ-2", "PAIR-3"}


def test_fail_fast_names_the_cause_and_not_the_panic() -> None:
    """Debug's missing panic is what a call taken for answered brings with it."""
    asked = evolve(LISTED, fail_fast=True)
    assert clauses(campaign("TakesCustomForAnswered", asked)) == {"PAIR-3"}
    assert clauses(campaign("NeverPanics", asked)) == {"MODE-3"}


def test_what_belongs_to_other_clauses_is_counted_and_never_certified() -> None:
    """A run for one clause says that there is more, and which clauses to ask for."""
    result = campaign("ForgetsCustom", evolve(LISTED, clauses=frozenset({"PAIR-1"})))
    assert not result.tally.findings
    assert set(result.tally.unasked) >= {"PAIR-3"}
    certificate = certificate_of(result)
    assert exit_code(certificate) == 0
    (said,) = (one for one in why_not_certified(certificate) if "run without --clause" in one)
    assert "PAIR-3" in said
    again = certificate_from_json(certificate_json(certificate))
    assert again.unasked == certificate.unasked


def test_instability_counts_where_it_was_not_asked_for() -> None:
    """An adapter that wavers passes no single clause quietly."""
    asked = evolve(LISTED, clauses=frozenset({"ORPH-7"}))
    result = campaign("LosesWhenAskedAgain", asked)
    assert not result.tally.findings
    assert "PROJ-2" in result.tally.unasked


def test_a_clause_of_unclaimed_media_is_refused_with_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing would be judged, and nothing is what green must never mean."""
    monkeypatch.syspath_prepend(str(BROKEN))
    assert run(["certify", "--adapter", "broken_model:Blind", "--clause", "IMG-1"]) == 2
    assert "IMG-1: image is not claimed" in capsys.readouterr().err


def test_what_stands_before_a_malformed_outcome_is_judged() -> None:
    """Its prompts are as wrong as if the rest were well formed."""
    result = campaign("MalformedLater", LISTED)
    assert result.tally.fault_count
    assert ("PAIR-3", Mode.RELEASE) in result.tally.findings
    script = result.tally.findings["PAIR-3", Mode.RELEASE].script
    assert [op["op"] for op in script][1:] == ["for_prompt"]


def test_a_late_second_answer_is_cut_down_and_replayed_as_its_own_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The least script that is answered twice fails again when it is replayed."""
    hostile = Path(__file__).parent / "hostile" / "adapter.py"
    words = (sys.executable, "-S", "-E", str(hostile), "twice_of_two_later", str(tmp_path))
    with open_subject(command_spec({Mode.RELEASE: words}, name="hostile")) as opened:
        asked = evolve(LISTED, clauses=frozenset({"ORPH-7"}))
        result = run_campaign(opened, asked, workers=1)
    fault = next(one for one in result.tally.faults if one.kind == "wrong id")
    assert len(fault.script) == 2
    file = tmp_path / "replay.json"
    file.write_text(json.dumps(list(fault.script)))
    assert run(["replay", str(file), "--release", shlex.join(words)]) == 1
    assert "twice" in capsys.readouterr().out
