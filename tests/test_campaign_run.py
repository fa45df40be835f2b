"""Broken subjects turn the right clause red, with a minimal script; the model turns nothing red."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from attrs import evolve

from contextcert.adapters.specs import model_spec, object_spec
from contextcert.campaign import BUDGETS, Budget, Campaign, Evidence, Opened, Result, open_subject
from contextcert.campaign import run_campaign as run
from contextcert.campaign.cases import cases
from contextcert.campaign.plan import (
    Listing,
    listed_lives_count,
    operations_count,
    plan,
    specimen_count,
)
from contextcert.campaign.runner import FAULT_WEIGHT_A_UNIT
from contextcert.campaign.setting import Setting
from contextcert.campaign.workers import WorkerLostError
from contextcert.certificate import Certificate, Verdict, certificate_of
from contextcert.certificate.conclusion import exit_code
from contextcert.certificate.json_form import certificate_digest
from contextcert.certificate.replay import replays
from contextcert.refmodel import Edition, Mode
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.subject import Answer, Fault, FaultKind, Script, Session, SubjectError, SubjectSpec

BROKEN = Path(__file__).parent / "broken_model"
SMALL = Budget("small", 1, 0, 25, floor=1)
EVERYTHING = Campaign(SMALL)
ENUMERATED = Campaign(SMALL, evidence=(Evidence.EXHAUSTIVE,))
DRAWN = Campaign(SMALL, evidence=(Evidence.RANDOM,))


def broken(name: str) -> SubjectSpec:
    """Give one of the broken subjects."""
    return object_spec(f"broken_model:{name}", folder=str(BROKEN))


def campaign(spec: SubjectSpec, asked: Campaign, *, workers: int = 1) -> Result:
    """Run a small campaign."""
    with open_subject(spec) as opened:
        return run(opened, asked, workers=workers)


def violated(result: Result) -> set[tuple[str, Mode]]:
    """Give what was found."""
    return set(result.tally.findings)


def test_the_model_violates_nothing() -> None:
    """The reference model is green in both modes under every kind of evidence."""
    result = campaign(model_spec(), EVERYTHING)
    assert not result.tally.findings
    assert result.tally.fault_count == 0
    assert result.tally.differences == []


def test_a_sound_subject_in_another_process_of_values_violates_nothing() -> None:
    """The same values through JSON text give the same verdicts."""
    result = campaign(broken("Sound"), EVERYTHING)
    assert violated(result) == set()
    assert result.tally.fault_count == 0


CAUGHT: dict[str, set[tuple[str, Mode]]] = {
    "ForgetsCustom": {("PAIR-3", Mode.RELEASE)},
    "OwnIds": {("SYN-1", Mode.DEBUG), ("SYN-1", Mode.RELEASE)},
    "NeverPanics": {("MODE-3", Mode.DEBUG)},
}


@pytest.mark.parametrize("asked", [ENUMERATED, DRAWN], ids=["exhaustive", "random"])
@pytest.mark.parametrize("name", CAUGHT)
def test_a_fault_turns_its_clause_red(name: str, asked: Campaign) -> None:
    """Each kind of evidence names the clause that is broken, and no specific one besides."""
    found = violated(campaign(broken(name), asked))
    assert found >= CAUGHT[name]


@pytest.mark.parametrize("asked", [ENUMERATED, DRAWN], ids=["exhaustive", "random"])
def test_a_counterexample_is_minimal(asked: Campaign) -> None:
    """One recorded call and one projection are left, however the fault was found."""
    result = campaign(broken("ForgetsCustom"), evolve(asked, clauses=frozenset({"PAIR-3"})))
    finding = result.tally.findings["PAIR-3", Mode.RELEASE]
    record, project = finding.script
    assert _types(record) == ["custom_tool_call"]
    assert project["op"] == "for_prompt"
    assert finding.violation.operation == 1


@pytest.mark.parametrize(
    ("name", "clause"), [("SharesMetadata", "PROJ-5"), ("WritesUnknown", "ITEM-2")]
)
def test_exhaustive_evidence_holds_envelopes_and_wire_specimens(name: str, clause: str) -> None:
    """Enumerated histories are projected with metadata too, and every odd item is listed."""
    found = violated(campaign(broken(name), ENUMERATED))
    assert {(clause, mode) for mode in Mode} <= found


def test_wire_specimens_are_listed_only_where_wire_is_claimed() -> None:
    """Their units follow the enumeration, and the certificate counts them."""
    with open_subject(model_spec()) as opened:
        whole, narrow = (
            Setting.of(evolve(ENUMERATED, profiles=profiles), opened.edition, opened.descriptions)
            for profiles in (None, frozenset({"projection"}))
        )
    listed = [unit for unit in plan(whole) if unit.listing is Listing.SPECIMENS]
    assert sum(unit.stop - unit.start for unit in listed) == specimen_count(whole) > 800
    assert specimen_count(narrow) == 0
    assert Listing.SPECIMENS not in {unit.listing for unit in plan(narrow)}


def test_scripts_of_operations_are_listed_where_a_life_is_claimed() -> None:
    """All scripts of a few operations belong to changes, clones and readers, not to projection."""
    asked = evolve(ENUMERATED, budget=evolve(SMALL, operations_length=1))
    with open_subject(model_spec()) as opened:
        whole, narrow = (
            Setting.of(evolve(asked, profiles=profiles), opened.edition, opened.descriptions)
            for profiles in (None, frozenset({"projection"}))
        )
    listed = [unit for unit in plan(whole) if unit.listing is Listing.OPERATIONS]
    assert sum(unit.stop - unit.start for unit in listed) == operations_count(whole) > 20
    assert operations_count(narrow) == listed_lives_count(narrow) == 0
    lives = [unit for unit in plan(whole) if unit.listing is Listing.LIVES]
    assert sum(unit.stop - unit.start for unit in lives) == listed_lives_count(whole) > 2_000
    assert Listing.OPERATIONS not in {unit.listing for unit in plan(narrow)}


AFTER_PANIC = {"LosesAfterPanic": "raw_items", "PanicsOtherwise": "for_prompt"}


@pytest.mark.parametrize("asked", [ENUMERATED, DRAWN], ids=["exhaustive", "random"])
@pytest.mark.parametrize("name", AFTER_PANIC)
def test_what_a_panic_leaves_behind_violates_mode_8(name: str, asked: Campaign) -> None:
    """Debug goes on after a panic; the least script panics, and then looks once."""
    result = campaign(broken(name), evolve(asked, clauses=frozenset({"MODE-8"})))
    assert violated(result) == {("MODE-8", Mode.DEBUG)}
    finding = result.tally.findings["MODE-8", Mode.DEBUG]
    assert finding.goes_on
    record, project, look = finding.script
    assert len(record.get("items", record.get("envelopes"))) == 1  # type: ignore[arg-type]
    assert str(project["op"]).startswith("for_prompt")
    assert str(look["op"]).startswith(AFTER_PANIC[name])
    certificate = certificate_of(result)
    (replay,) = replays(certificate)
    assert replay.to_json(certificate.edition)["continue_after_panic"] is True


@pytest.mark.parametrize("name", AFTER_PANIC)
def test_the_pinned_example_of_mode_8_is_evidence_too(name: str) -> None:
    """Vectors ask debug to go on after a panic where an example says so."""
    pinned = Campaign(SMALL, evidence=(Evidence.VECTORS,), clauses=frozenset({"MODE-8"}))
    result = campaign(broken(name), pinned)
    assert violated(result) == {("MODE-8", Mode.DEBUG)}
    sound = campaign(broken("Sound"), pinned)
    assert sound.tally.exercised["MODE-8", Mode.DEBUG] > 0
    assert not violated(sound)


def test_an_example_that_goes_on_asks_no_more_than_a_build_can() -> None:
    """Where a panic ends the script, the example ends there too, and is judged up to there."""
    pinned = Campaign(SMALL, evidence=(Evidence.VECTORS,))
    result = campaign(broken("StopsAtPanic"), pinned)
    assert not violated(result)
    assert not result.tally.faults


def test_a_subject_that_a_panic_makes_unusable_violates_mode_8() -> None:
    """A crash that comes of going on alone is no violation of MODE-3, and its fault says so too."""
    result = campaign(broken("DiesAfterPanic"), ENUMERATED)
    assert violated(result) == {("MODE-8", Mode.DEBUG)}
    assert all(fault.goes_on for fault in result.tally.faults)
    script = result.tally.findings["MODE-8", Mode.DEBUG].script
    assert [op["op"] for op in script][:2] == ["record_items", "for_prompt"]
    assert len(script) == 3


def test_mode_8_is_not_observable_where_a_panic_ends_the_script() -> None:
    """The verdict names the capability, and every set of modalities is asked for by itself."""
    result = campaign(broken("StopsAtPanic"), ENUMERATED)
    assert violated(result) == set()
    assert result.tally.fault_count == 0
    certificate = certificate_of(result)
    said = next(one.modes for one in certificate.clauses if one.id == "MODE-8")
    assert {one.verdict for one in said.values()} == {Verdict.NOT_OBSERVABLE}
    assert "continue_after_panic" in str(said[Mode.DEBUG].reason)
    assert result.tally.cases > campaign(broken("Sound"), ENUMERATED).tally.cases


@pytest.mark.parametrize("edition", Edition)
def test_what_a_panic_leaves_behind_is_looked_at_in_every_edition(edition: Edition) -> None:
    """A few random scripts a group reach the floor of the quick budget."""
    with open_subject(model_spec(), edition) as opened:
        result = run(opened, evolve(DRAWN, clauses=frozenset({"MODE-8"})), workers=1)
    assert result.tally.exercised["MODE-8", Mode.DEBUG] >= BUDGETS["quick"].floor
    assert violated(result) == set()


def test_images_for_a_model_without_them_violate_img_2() -> None:
    """Media faults are found over the sets of modalities."""
    found = violated(campaign(broken("TakesImages"), ENUMERATED))
    assert ("IMG-2", Mode.RELEASE) in found
    assert not {clause for clause, _ in found if clause.startswith("AUD")}


def test_an_answer_that_changes_is_never_green() -> None:
    """A violation that does not repeat is one of PROJ-2, and is listed as a fault."""
    certificate = certificate_of(campaign(broken("Wavers"), ENUMERATED))
    assert exit_code(certificate) == 1
    assert {fault.kind for fault in certificate.faults} == {"changed answer"}
    assert not any(fault.repeated for fault in certificate.faults)


def test_a_subject_that_dies_projecting_violates_mode_3_and_mode_4() -> None:
    """The crash is listed with its script, and the campaign went on to other units."""
    result = campaign(broken("Dies"), ENUMERATED)
    assert {("MODE-3", Mode.DEBUG), ("MODE-4", Mode.RELEASE)} <= violated(result)
    script = result.tally.findings["MODE-4", Mode.RELEASE].script
    assert _types(script[0]) == ["local_shell_call"]
    assert len(script) == 2
    assert exit_code(certificate_of(result)) == 1


def test_a_unit_stops_after_a_number_of_faults_and_says_so() -> None:
    """Each fault may cost a time-out, so their number is bounded."""
    result = campaign(broken("Dies"), ENUMERATED)
    units = len(plan(result.setting))
    assert FAULT_WEIGHT_A_UNIT <= result.tally.fault_count <= (FAULT_WEIGHT_A_UNIT + 1) * units
    assert str(result.tally.stopped).startswith("stopped after")


def test_a_crash_that_breaks_no_clause_is_cut_down_too() -> None:
    """The fault that is listed first holds one operation with one item, however it was met."""
    result = campaign(broken("DiesRecording"), DRAWN)
    assert result.tally.findings == {}
    for mode in Mode:
        first = next(fault for fault in result.tally.faults if fault.mode is mode)
        (record,) = first.script
        assert len(record.get("items", record.get("envelopes"))) == 1  # type: ignore[arg-type]


def test_a_subject_that_always_hangs_is_given_up_after_a_few_time_outs() -> None:
    """Hangs weigh more than other faults, units begin with few cases, and cutting is bounded."""
    with open_subject(model_spec()) as opened:
        hanging = {mode: _Hangs(session) for mode, session in opened.sessions.items()}
        result = run(Opened(opened.spec, opened.edition, hanging), ENUMERATED, workers=1)
    assert {fault.kind for fault in result.tally.faults} == {"hang"}
    assert str(result.tally.stopped).startswith("stopped after")
    assert sum(session.count for session in hanging.values()) < 100


def test_the_same_seed_gives_the_same_certificate_for_any_number_of_workers() -> None:
    """Units do not depend on who runs them: one digest for one and for two processes."""
    digests = {_digest(campaign(broken("OwnIds"), EVERYTHING, workers=count)) for count in (1, 2)}
    assert len(digests) == 1


def test_another_seed_gives_other_random_cases() -> None:
    """The seed is not decoration."""
    with open_subject(model_spec()) as opened:
        settings = [
            Setting.of(evolve(DRAWN, seed=seed), opened.edition, opened.descriptions)
            for seed in (0, 0, 1)
        ]
    first, again, other = map(_scripts, settings)
    assert first == again
    assert first != other


def test_fail_fast_stops_at_the_first_violation_alike_for_any_number_of_workers() -> None:
    """What later units found is discarded, whoever was faster."""
    results = [
        campaign(broken("OwnIds"), evolve(EVERYTHING, fail_fast=True), workers=count)
        for count in (1, 2)
    ]
    assert len({_digest(result) for result in results}) == 1
    assert results[0].tally.violated == dict.fromkeys([("SYN-1", mode) for mode in Mode], 1)
    assert "--fail-fast" in str(results[0].tally.stopped)


def test_a_failing_run_costs_at_most_about_twice_a_conforming_one() -> None:
    """Minimising has an allowance of runs, as large as the campaign itself or a small constant."""
    counts = {name: _runs(name) for name in ("Sound", "OwnIds")}
    assert counts["OwnIds"] <= 2 * counts["Sound"] + 2_000


def test_a_worker_that_is_lost_is_reported() -> None:
    """A process that ends without a word is a defect that is named, not a hang."""
    with open_subject(broken("Sound")) as sound:
        opened = Opened(broken("Exits"), sound.edition, sound.sessions)
        with pytest.raises(WorkerLostError):
            run(opened, EVERYTHING, workers=2)


def test_profiles_that_the_subject_does_not_claim_are_refused() -> None:
    """`--claim` narrows a claim; it cannot widen it."""
    with open_subject(model_spec()) as opened, pytest.raises(SubjectError, match="magic"):
        run(opened, evolve(EVERYTHING, profiles=frozenset({"magic"})), workers=1)


def test_the_plan_has_exactly_what_the_budget_counts() -> None:
    """Random scripts a group and enumerated histories add up, slice by slice."""
    with open_subject(model_spec()) as opened:
        quick = Campaign(BUDGETS["quick"])
        units = plan(Setting.of(quick, opened.edition, opened.descriptions))
    assert [unit.index for unit in units] == list(range(len(units)))
    groups = {unit.group for unit in units if unit.evidence is Evidence.RANDOM}
    for group in groups:
        assert sum(unit.stop - unit.start for unit in units if unit.group == group) == 1_000
    assert [unit.evidence for unit in units] == sorted(
        (unit.evidence for unit in units), key=list(Evidence).index
    )


def test_the_budgets_are_those_of_the_design() -> None:
    """Counts, and nothing in seconds."""
    assert {
        name: (b.exhaustive_length, b.pairing_length, b.random_count) for name, b in BUDGETS.items()
    } == {
        "quick": (2, 0, 1_000),
        "ci": (2, 3, 10_000),
        "certify": (2, 3, 100_000),
        "nightly": (2, 3, 100_000),
    }
    assert [name for name, budget in BUDGETS.items() if budget.fresh_seed] == ["nightly"]


def _types(op: JsonObject) -> list[Json]:
    """Give the types of what an operation records."""
    items = op["items"]
    assert isinstance(items, list)
    return [item["type"] for item in items if isinstance(item, dict)]


def _digest(result: Result) -> str:
    certificate: Certificate = certificate_of(result)
    return certificate_digest(certificate)


def _scripts(setting: Setting) -> list[Script]:
    return [case.script for unit in plan(setting) for case in cases(unit, setting)]


def _runs(name: str) -> int:
    """Count how many scripts a subject was asked to run."""
    with open_subject(broken(name)) as opened:
        counted = {mode: _Counted(session) for mode, session in opened.sessions.items()}
        run(Opened(opened.spec, opened.edition, counted), EVERYTHING, workers=1)
    return sum(session.count for session in counted.values())


class _Counted:
    """A session that counts what it is asked."""

    def __init__(self, session: Session) -> None:
        self.count = 0
        self.description = session.description
        self._session = session

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        self.count += 1
        return self._session.run(ops, continue_after_panic=continue_after_panic)

    def run_batch(self, scripts: Sequence[Script]) -> list[Answer]:
        self.count += len(scripts)
        return self._session.run_batch(scripts)

    def close(self) -> None:
        """Leave that to the session's owner."""


class _Hangs(_Counted):
    """A session that counts, and never answers."""

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        super().run(ops, continue_after_panic=continue_after_panic)
        return Answer(None, Fault(FaultKind.HANG, "no answer in time"))

    def run_batch(self, scripts: Sequence[Script]) -> list[Answer]:
        return [self.run(script) for script in scripts]


def test_a_claim_of_nothing_is_refused_in_one_sentence() -> None:
    """Without item types there is nothing to generate, and the sentence says so."""
    with open_subject(model_spec()) as opened:
        nothing = {
            mode: evolve(one, claim=evolve(one.claim, item_types=frozenset()))
            for mode, one in opened.descriptions.items()
        }
        with pytest.raises(SubjectError, match="claims no item types"):
            Setting.of(ENUMERATED, opened.edition, nothing)


def test_clauses_outside_the_claim_are_refused_and_not_passed() -> None:
    """Asking for a clause that nobody claims would judge nothing and look green."""
    asked = evolve(ENUMERATED, clauses=frozenset({"IMG-1"}), profiles=frozenset({"projection"}))
    with open_subject(model_spec()) as opened, pytest.raises(SubjectError, match="IMG-1"):
        Setting.of(asked, opened.edition, opened.descriptions)
