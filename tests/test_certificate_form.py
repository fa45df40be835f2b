"""A certificate survives its file, its schema and its digest; verdicts follow DESIGN."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from attrs import evolve

from contextcert.adapters.specs import model_spec
from contextcert.campaign import Budget, Campaign, Evidence, Result, open_subject, run_campaign
from contextcert.certificate import (
    Certificate,
    CertificateError,
    Counterexample,
    ModeVerdict,
    Verdict,
    certificate_of,
    merged,
    read_certificate,
    write_certificate,
)
from contextcert.certificate.conclusion import claim_wording, exit_code, why_not_certified
from contextcert.certificate.json_form import certificate_digest, certificate_json
from contextcert.certificate.needs import missing_operations, unmet_in_debug, unmet_need
from contextcert.certificate.values import CertifiedFault, Run, Unattributed
from contextcert.properties import CHECKS
from contextcert.refmodel import CLAUSES, Claim, Edition, JsonObject, Mode

TINY = Budget("tiny", 1, 0, 0, floor=1)
EXHAUSTIVE = (Evidence.EXHAUSTIVE,)
RUN = Run("2026-11-30T00:00:00+00:00", 1.5, 2, ("contextcert", "certify"))


@pytest.fixture(scope="module")
def result() -> Result:
    """A tiny campaign on the model."""
    with open_subject(model_spec()) as opened:
        return run_campaign(opened, Campaign(TINY, evidence=EXHAUSTIVE), workers=1)


@pytest.fixture(scope="module")
def certificate(result: Result) -> Certificate:
    """Its certificate."""
    return certificate_of(result, RUN)


@pytest.fixture(scope="module")
def partial() -> dict[Mode, Certificate]:
    """Certificates of tiny campaigns on each build of the model by itself."""
    certificates = {}
    for mode in Mode:
        spec = model_spec()
        alone = evolve(spec, ways={mode: spec.ways[mode]})
        with open_subject(alone) as opened:
            campaign = Campaign(TINY, evidence=EXHAUSTIVE)
            certificates[mode] = certificate_of(run_campaign(opened, campaign, workers=1))
    return certificates


def test_a_certificate_survives_being_written_and_read(
    certificate: Certificate, tmp_path: Path
) -> None:
    """What is read equals what was written, counterexamples included."""
    violated = _with(certificate, "PAIR-3", Mode.DEBUG, _violated())
    path = tmp_path / "folder" / "certificate.json"
    digest = write_certificate(violated, path)
    assert digest == certificate_digest(violated)
    assert read_certificate(path) == violated
    assert [one.name for one in path.parent.iterdir()] == ["certificate.json"]


@pytest.mark.parametrize("edition", Edition)
def test_ids_that_hold_a_time_count_as_places_where_recording_gives_them(
    certificate: Certificate, edition: Edition
) -> None:
    """Another run of a subject of edition 2026-11 gives other ids, and the same digest (E11-2)."""

    def shown(*ids: str) -> str:
        items: list[JsonObject] = [{"type": "function_call", "id": f"fc_{one}"} for one in ids]
        said = _violated()
        assert said.violation is not None
        found = evolve(said, violation=evolve(said.violation, actual={"ok": [*items]}))
        of_edition = evolve(certificate, edition=edition)
        return certificate_digest(_with(of_edition, "PAIR-3", Mode.DEBUG, found))

    first, second, later = (f"0193{n}000-0000-7000-8000-00000000000{n}" for n in (1, 2, 3))
    assert (shown(first, second) == shown(second, later)) is (edition is Edition.NOVEMBER_2026)
    assert shown(first, first) != shown(first, second)


def test_times_stand_outside_the_digest(certificate: Certificate) -> None:
    """The same verdicts at another time have the same digest, other verdicts another."""
    digest = certificate_digest(certificate)
    assert certificate_digest(evolve(certificate, run=None)) == digest
    assert certificate_digest(_with(certificate, "PAIR-3", Mode.DEBUG, _violated())) != digest


def test_a_changed_certificate_is_refused(certificate: Certificate, tmp_path: Path) -> None:
    """A verdict that was edited by hand no longer fits the digest."""
    written = certificate_json(certificate)
    changed = json.loads(json.dumps(written).replace('"not claimed"', '"conforms"'))
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(changed))
    with pytest.raises(CertificateError, match="was changed after it was written"):
        read_certificate(path)


MALFORMED: dict[str, tuple[str, str]] = {
    "no JSON": ("{", "is not JSON"),
    "no object": ("[]", "no JSON object"),
    "another format": ('{"format": 9}', "format 1"),
    "nothing in it": ('{"format": 1}', "required property"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_certificate_is_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    """The sentence names the file and what is wrong."""
    text, said = MALFORMED[name]
    path = tmp_path / "certificate.json"
    path.write_text(text)
    with pytest.raises(CertificateError, match=said) as refused:
        read_certificate(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_schema_is_a_schema() -> None:
    """The shipped schema is well formed."""
    from contextcert.certificate.file import _validator  # noqa: PLC0415

    jsonschema.Draft202012Validator.check_schema(_validator().schema)


def test_every_clause_has_a_verdict_in_every_mode(certificate: Certificate) -> None:
    """No clause of SPEC is passed over in silence."""
    assert [one.id for one in certificate.clauses] == list(CLAUSES)
    assert all(set(one.modes) == set(Mode) for one in certificate.clauses)


def test_clauses_without_a_check_are_not_yet_judged(certificate: Certificate) -> None:
    """What is claimed and has no check says so."""
    said = {one.id for one, _, _ in certificate.cells(Verdict.NOT_YET_JUDGED)}
    claimed = {one.id for one in CLAUSES.values() if one.profile != "edition"}
    assert said == claimed - CHECKS.keys() - {"MODE-10"}


def test_clauses_of_another_edition_are_not_claimed(certificate: Certificate) -> None:
    """The changes of November do not count in August, and the reason says it."""
    said = {one.id: cell.reason for one, _, cell in certificate.cells(Verdict.NOT_CLAIMED)}
    assert said == {f"E11-{n}": "belongs to edition 2026-11" for n in range(1, 7)}


def test_mode_10_needs_both_modes(result: Result) -> None:
    """With both builds it conforms, with one it cannot be seen, and the certificate says so."""
    both = certificate_of(result)
    assert _verdict(both, "MODE-10", Mode.DEBUG).verdict is Verdict.CONFORMS
    alone = certificate_of(_only(result, Mode.RELEASE))
    assert _verdict(alone, "MODE-10", Mode.RELEASE).verdict is Verdict.NOT_OBSERVABLE
    assert "the debug build was not judged (MODE-10)" in why_not_certified(alone)


def test_exit_codes_follow_the_design(certificate: Certificate) -> None:
    """0 nothing red, 3 not exercised, 2 unexplained, 1 violated or a fault."""
    green = _green(certificate)
    rare = _with(green, "PAIR-3", Mode.DEBUG, ModeVerdict(Verdict.NOT_EXERCISED))
    unexplained = evolve(
        rare,
        unattributed=(Unattributed(Mode.DEBUG, 0, "", 1, 2, [{"op": "raw_items"}]),),
        unattributed_count=1,
    )
    fault = CertifiedFault(Mode.DEBUG, "crash", "it died", repeated=True, script=[])
    assert exit_code(green) == 0
    assert exit_code(rare) == 3
    assert exit_code(unexplained) == 2
    assert exit_code(_with(unexplained, "PAIR-3", Mode.DEBUG, _violated())) == 1
    assert exit_code(evolve(green, faults=(fault,), fault_count=1)) == 1


def test_a_narrowed_run_is_never_certified(certificate: Certificate) -> None:
    """Only the whole of a claim can be certified."""
    full = evolve(
        _green(certificate),
        evidence=evolve(certificate.evidence, evidence=("exhaustive", "vectors", "random")),
    )
    assert why_not_certified(full) == ()
    narrowed = evolve(full, evidence=evolve(full.evidence, clauses=("PAIR-3",)))
    assert why_not_certified(narrowed) == ("only PAIR-3 were asked for (--clause)",)
    assert why_not_certified(_green(certificate)) == (
        "only exhaustive evidence was asked for (--evidence)",
    )


def test_a_claim_is_said_in_words() -> None:
    """The wording of DESIGN: profiles over families."""
    full = Claim.full()
    types = frozenset({"message", "function_call", "custom_tool_call"})
    assert claim_wording(full) == "every profile over every item type"
    narrow = evolve(full, profiles=frozenset({"projection"}), item_types=types)
    assert claim_wording(narrow) == "projection over function, custom"
    assert claim_wording(evolve(full, modalities=frozenset({"text"}))).endswith(" with text")


def test_clauses_about_unclaimed_types_do_not_count() -> None:
    """A port without tool search or audio is judged on what it has."""
    claim = evolve(
        Claim.full(),
        item_types=frozenset({"message", "function_call", "function_call_output"}),
        modalities=frozenset({"text", "image"}),
    )
    assert unmet_need("PAIR-1", claim) is None
    assert unmet_need("PAIR-2", claim) == "tool_search_call is not claimed"
    assert unmet_need("PAIR-7", claim) == "no second family is claimed"
    assert unmet_need("PAIR-7", Claim.full()) is None
    assert unmet_need("AUD-1", claim) == "audio is not claimed"
    assert unmet_need("IMG-1", claim) is None


def test_changes_of_november_need_what_they_are_about() -> None:
    """Outputs are what E11-1, E11-3 and E11-4 speak of, images and audio what E11-5 does."""
    full = Claim.full()
    claim = evolve(full, item_types=frozenset({"reasoning"}), modalities=frozenset({"text"}))
    reasons = [unmet_need(f"E11-{number}", claim) for number in range(1, 7)]
    bodies = "function_call_output or custom_tool_call_output is not claimed"
    assert reasons[:1] == ["function_call_output is not claimed"]
    assert reasons[2:4] == [bodies, bodies]
    assert reasons[1] is reasons[5] is None
    assert unmet_need("E11-5", evolve(full, modalities=frozenset({"text"}))) == (
        "image or audio is not claimed"
    )


def test_partial_certificates_of_both_modes_are_joined(result: Result) -> None:
    """Merging gives MODE-10 its verdict and adds the cases up, whichever is named first."""
    debug = certificate_of(_only(result, Mode.DEBUG), RUN)
    release = certificate_of(_only(result, Mode.RELEASE), RUN)
    joined = merged(release, debug)
    assert merged(debug, release) == joined
    assert joined.modes == tuple(Mode)
    assert _verdict(joined, "MODE-10", Mode.RELEASE).verdict is Verdict.CONFORMS
    assert all(set(one.modes) == set(Mode) for one in joined.clauses)


def test_prompts_that_both_equal_the_model_conform_to_mode_5_once_merged(
    partial: dict[Mode, Certificate],
) -> None:
    """Alone each build counts its clean projections and stays not observable; together they do."""
    for mode, one in partial.items():
        said = _verdict(one, "MODE-5", mode)
        assert said.verdict is Verdict.NOT_OBSERVABLE
        assert said.exercised > 100
    joined = merged(*partial.values())
    for mode in Mode:
        said = _verdict(joined, "MODE-5", mode)
        assert (said.verdict, said.reason) == (Verdict.CONFORMS, None)
        assert said.exercised == _verdict(partial[mode], "MODE-5", mode).exercised


SPOILS: dict[str, tuple[Any, str]] = {
    "violation": (lambda one: _with(one, "PAIR-3", one.modes[0], _violated()), "not every prompt"),
    "difference": (lambda one: evolve(one, unattributed_count=1), "not every prompt"),
    "fault": (lambda one: evolve(one, fault_count=1), "not every script was answered"),
    "too few": (
        lambda one: evolve(one, evidence=evolve(one.evidence, floor=10**6)),
        "the floor is 1000000",
    ),
}


@pytest.mark.parametrize("what", SPOILS)
def test_mode_5_stays_open_where_a_build_was_not_the_model(
    what: str, partial: dict[Mode, Certificate]
) -> None:
    """The reason says in words why nothing follows for the two builds."""
    spoil, said = SPOILS[what]
    spoilt = [spoil(one) if what == "too few" else one for one in partial.values()]
    joined = merged(spoil(spoilt[0]), spoilt[1])
    verdict = _verdict(joined, "MODE-5", Mode.DEBUG)
    assert verdict.verdict is Verdict.NOT_OBSERVABLE
    assert said in str(verdict.reason)


def test_two_certificates_of_one_mode_are_not_joined(certificate: Certificate) -> None:
    """Twice the same build proves nothing about the other."""
    with pytest.raises(CertificateError, match="merge one of debug with one of release"):
        merged(certificate, certificate)


UNLIKE: dict[str, Any] = {
    "subject name": lambda one: evolve(one, subject=evolve(one.subject, name="other")),
    "subject version": lambda one: evolve(one, subject=evolve(one.subject, version="9")),
    "seed": lambda one: evolve(one, evidence=evolve(one.evidence, seed=7)),
    "budget": lambda one: evolve(one, evidence=evolve(one.evidence, budget="ci")),
    "contextcert version": lambda one: evolve(one, suite=evolve(one.suite, version="9")),
    "Hypothesis version": lambda one: evolve(one, suite=evolve(one.suite, hypothesis="9")),
    "choice of clauses": lambda one: evolve(
        one, evidence=evolve(one.evidence, clauses=("PAIR-3",))
    ),
    "claim": lambda one: evolve(one, claim=evolve(one.claim, modalities=frozenset({"text"}))),
}


@pytest.mark.parametrize("what", UNLIKE)
def test_certificates_that_differ_are_not_joined(what: str, result: Result) -> None:
    """One sentence says in what they differ."""
    debug = certificate_of(_only(result, Mode.DEBUG))
    release = certificate_of(_only(result, Mode.RELEASE))
    with pytest.raises(CertificateError, match=f"differ in {what}: ") as refused:
        merged(debug, UNLIKE[what](release))
    assert "\n" not in str(refused.value)


def _violated() -> ModeVerdict:
    script: list[JsonObject] = [
        {"op": "record_items", "items": []},
        {"op": "for_prompt", "input_modalities": []},
    ]
    shown = Counterexample(
        message="m",
        operation=1,
        path="/ok",
        expected=[1, 1.0, None, {"a": True}],
        actual=None,
        script=script,
        evidence="random",
        group="g",
        count=3,
    )
    return ModeVerdict(Verdict.VIOLATES, exercised=4, violation=shown)


def _with(certificate: Certificate, clause: str, mode: Mode, said: ModeVerdict) -> Certificate:
    clauses = [
        evolve(one, modes={**one.modes, mode: said}) if one.id == clause else one
        for one in certificate.clauses
    ]
    return evolve(certificate, clauses=tuple(clauses))


def _green(certificate: Certificate) -> Certificate:
    """Make every red verdict conform."""
    for clause, mode, _ in certificate.cells(Verdict.NOT_EXERCISED):
        said = ModeVerdict(Verdict.CONFORMS, exercised=1)
        certificate = _with(certificate, clause.id, mode, said)
    return certificate


def _verdict(certificate: Certificate, clause: str, mode: Mode) -> ModeVerdict:
    return next(one.modes[mode] for one in certificate.clauses if one.id == clause)


def _only(result: Result, mode: Mode) -> Result:
    """Give the result as if one build alone had been run."""
    setting = evolve(result.setting, capabilities={mode: result.setting.capabilities[mode]})
    descriptions = {mode: result.descriptions[mode]}
    return evolve(result, setting=setting, descriptions=descriptions)


@pytest.mark.parametrize(
    ("clause", "refused"),
    [
        ("PROJ-1", {"raw_items", "raw_envelopes"}),
        ("PROJ-3", {"raw_items", "raw_envelopes", "for_prompt_annotated", "replace"}),
    ],
)
def test_a_clause_names_the_operations_it_cannot_be_seen_without(
    clause: str, refused: set[str]
) -> None:
    """What projection must leave alone shows in other looks only; without any it is not seen."""
    assert set(missing_operations(CLAUSES[clause], frozenset(refused))) <= refused
    assert missing_operations(CLAUSES[clause], frozenset(refused))
    assert not missing_operations(CLAUSES[clause], frozenset(sorted(refused)[1:]))


def test_what_recording_leaves_alone_is_not_claimed_where_nothing_shows_it() -> None:
    """REC-5 speaks of the version and baselines, which no operation of recording shows."""
    alone = evolve(Claim.full(), profiles=frozenset({"recording"}))
    assert unmet_need("REC-5", alone)
    assert unmet_need("REC-5", evolve(alone, profiles=frozenset({"recording", "world"}))) is None


def test_debug_shows_no_completion_of_calls_it_panics_about() -> None:
    """A port of shell and custom calls alone never completes one in debug (MODE-2, MODE-3)."""
    shell = evolve(Claim.full(), item_types=frozenset({"local_shell_call"}))
    assert unmet_in_debug("SYN-1", shell)
    assert unmet_in_debug("SYN-1", Claim.full()) is None
    assert unmet_in_debug("ORPH-1", shell) is None
