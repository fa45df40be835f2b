"""A certificate says what was listed to the last one, and it is what was run."""

from __future__ import annotations

import io

import pytest
from attrs import evolve
from rich.console import Console

from contextcert.adapters.specs import model_spec
from contextcert.campaign import Budget, Campaign, Evidence, open_subject
from contextcert.campaign import run_campaign as run
from contextcert.campaign.campaign import setting_of
from contextcert.campaign.cases import cases
from contextcert.campaign.plan import Listing, plan
from contextcert.certificate import Certificate, certificate_of
from contextcert.certificate.evidence_words import evidence_in_words
from contextcert.certificate.replay import Again
from contextcert.refmodel import Mode
from contextcert.report.certificate_report import print_certificate
from contextcert.strategies import operation_alphabet

PAIRS_OF_OPERATIONS = Budget("small", 1, 2, 3, floor=1, operations_length=2)
LIFE = Campaign(
    PAIRS_OF_OPERATIONS,
    evidence=(Evidence.EXHAUSTIVE,),
    profiles=frozenset({"recording", "changes"}),
)


def certified(asked: Campaign) -> Certificate:
    """Certify the model."""
    with open_subject(model_spec()) as opened:
        return certificate_of(run(opened, asked, workers=1))


def printed(certificate: Certificate) -> str:
    """Give the report as a wide terminal shows it."""
    console = Console(width=200, record=True, file=io.StringIO())
    print_certificate(console, certificate, Again(certificate, {}, ()))
    return console.export_text()


def test_all_scripts_of_a_few_operations_are_run_in_both_modes() -> None:
    """The plan holds every sequence of the listed operations, once, for debug and release."""
    with open_subject(model_spec()) as opened:
        setting = setting_of(opened, LIFE)
    units = [unit for unit in plan(setting) if unit.listing is Listing.OPERATIONS]
    listed = [case for unit in units for case in cases(unit, setting)]
    assert {case.modes for case in listed} == {tuple(Mode)}
    symbols = len(operation_alphabet(setting.scope))
    assert len(listed) == 1 + symbols + symbols**2
    assert len({str(case.script) for case in listed}) == len(listed)


def test_a_report_says_up_to_where_all_scripts_were_run() -> None:
    """The sentence has the length, the number of listed operations and that of the scripts."""
    certificate = certified(LIFE)
    symbols = certificate.evidence.operation_alphabet.symbols
    scripts = 1 + symbols + symbols**2
    said = f"all scripts of up to 2 of {symbols} operations ({scripts:,})"
    assert certificate.evidence.operation_scripts == scripts
    assert said in " ".join(printed(certificate).split())


def test_only_what_was_asked_for_is_said() -> None:
    """Without exhaustive evidence nothing was listed; without a life no operations were."""
    pinned = certified(evolve(LIFE, evidence=(Evidence.VECTORS,)))
    (said,) = evidence_in_words(pinned)
    assert said.startswith("vectors: ")
    narrow = certified(evolve(LIFE, profiles=frozenset({"projection"})))
    (said,) = evidence_in_words(narrow)
    assert "all histories of up to 1" in said
    assert "up to 2 of the" in said
    assert "all scripts" not in said
    drawn = certified(evolve(LIFE, evidence=(Evidence.RANDOM,)))
    (said,) = evidence_in_words(drawn)
    assert "3 scripts in each of the groups" in said


@pytest.mark.parametrize("stopped", ["stopped at the first violation (--fail-fast)"])
def test_a_campaign_that_was_stopped_claims_no_completeness(stopped: str) -> None:
    """What was planned is not what was run."""
    certificate = evolve(certified(LIFE), stopped=stopped)
    assert all(one.startswith("planned") for one in evidence_in_words(certificate))
