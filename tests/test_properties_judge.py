"""The judge: equality, attribution, capabilities, and calm in the face of nonsense."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextcert.properties import (
    CHECKS,
    VIOLATIONS,
    Example,
    Judge,
    Judgement,
    Violation,
    anomalies,
    debug_twin,
    edition_of,
    examples,
    goes_on,
    hazards,
)
from contextcert.refmodel import (
    CLAUSES,
    DEFAULT_EDITION,
    Claim,
    Edition,
    Mode,
    run_script,
    run_script_in_both_modes,
    same_json,
    seeded_fresh_ids,
)
from contextcert.refmodel.json_value import JsonObject
from contextcert.strategies import GROUPS, POLICY, Scope, generate
from contextcert.subject import Capabilities

SEEING = Capabilities(diagnostics=True, exact_numbers=True, success_flag=True)
CASES = Path(__file__).parents[2] / "shared" / "cases"

Outcomes = dict[Mode, list[dict[str, Any]]]


def judge(capabilities: Capabilities = SEEING, **changes: Any) -> Judge:  # noqa: ANN401
    """Make a judge of a full claim."""
    shown = dict.fromkeys(Mode, capabilities)
    return evolve(Judge(DEFAULT_EDITION, Claim.full(), shown), **changes)


def record(*items: Any) -> dict[str, Any]:  # noqa: ANN401
    """Record items without truncating them."""
    return {"op": "record_items", "items": list(items), "policy": POLICY}


def project(*modalities: str) -> dict[str, Any]:
    """Project for a model of some modalities."""
    return {"op": "for_prompt", "input_modalities": list(modalities)}


def call(call_id: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """Make a function call."""
    return {"type": "function_call", "name": "f", "arguments": "", "call_id": call_id, **fields}


def output(call_id: str, body: Any = "done") -> dict[str, Any]:  # noqa: ANN401
    """Make a function output."""
    return {"type": "function_call_output", "call_id": call_id, "output": body}


def clauses(judgement: Judgement) -> set[str]:
    """Name the clauses that a judgement reports."""
    return {violation.clause for violation in judgement.violations}


@pytest.mark.parametrize("example", examples(), ids=lambda one: one["name"])
def test_example_agrees_with_model_and_checks(example: Any) -> None:  # noqa: ANN401
    """A pinned example is what the model gives, and exercises the clauses it names."""
    judgement = judged_example(example)
    assert judgement.clean
    exercised = {clause for clause, _ in judgement.exercised}
    assert set(example["clauses"]) <= exercised


def judged_example(example: Example) -> Judgement:
    """Judge the outcomes that an example states."""
    outcomes = {Mode.DEBUG: example["debug"], Mode.RELEASE: example["release"]}
    judging = judge(edition=edition_of(example))
    return judging.judge(example["ops"], outcomes, continue_after_panic=goes_on(example))


@pytest.mark.parametrize("clause", CHECKS)
def test_every_clause_has_an_example_in_each_mode_that_shows_it(clause: str) -> None:
    """An example that is pinned for a clause exercises it, in debug, in release or in both."""
    pinned = [example for example in examples() if clause in example["clauses"]]
    judgements = [judged_example(example) for example in pinned]
    shown = {
        mode for judgement in judgements for mode in Mode if (clause, mode) in judgement.exercised
    }
    assert shown >= CHECKS[clause].modes, f"{clause} lacks an example"


def test_an_example_is_followed_by_the_model_as_it_was_asked() -> None:
    """Going on after a panic is part of an example, and both builds are asked for it."""
    (example,) = (one for one in examples() if goes_on(one))
    assert "MODE-8" in example["clauses"]
    panics = [place for place, one in enumerate(example["debug"]) if "panic" in one]
    assert len(example["debug"]) == len(example["ops"]) > panics[0] + 1
    given = run_script_in_both_modes(example["ops"], continue_after_panic=True)
    assert same_json(given[Mode.DEBUG], example["debug"])
    assert same_json(given[Mode.RELEASE], example["release"])


def test_every_clause_has_a_check() -> None:
    """Every clause of SPEC is judged on a subject, but for the certificate's own."""
    assert CLAUSES.keys() - {"MODE-10"} == CHECKS.keys()


@pytest.mark.parametrize("name", ["curated", "vectors"])
def test_observed_cases_are_clean(name: str) -> None:
    """What upstream was observed to do passes every check."""
    file = CASES / f"{name}.jsonl"
    if not file.exists():
        pytest.skip(f"the observed cases are not here: {file.name} is missing")
    judging = judge()
    for line in file.read_text().rstrip("\n").split("\n"):
        case = json.loads(line)
        outcomes = {Mode.DEBUG: case["debug"], Mode.RELEASE: case["release"]}
        assert judging.judge(case["ops"], outcomes).clean, case["name"]


@pytest.mark.parametrize("edition", Edition)
@pytest.mark.parametrize("group", GROUPS)
def test_model_is_clean(group: str, edition: Edition) -> None:
    """Random scripts find nothing against the model, with fresh ids that are its own per mode."""
    scope = evolve(Scope.full(), edition=edition)
    judging = Judge(edition, Claim.full(), dict.fromkeys(Mode, SEEING))
    for number, script in enumerate(generate(group, scope, seed=7, count=40)):
        outcomes = {
            mode: run_script_in_both_modes(
                script, edition=edition, fresh_ids=seeded_fresh_ids(2 * number + place)
            )[mode]
            for place, mode in enumerate(Mode)
        }
        assert judging.judge(script, outcomes).clean, script


@given(
    st.sampled_from([example for example in examples() if len(example["ops"]) > 1]),
    st.data(),
)
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_nonsense_never_escapes(example: Any, data: st.DataObject) -> None:  # noqa: ANN401
    """Whatever a subject shows, a check reports and does not fail."""
    anything = st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False)
        | st.sampled_from(["", "a", "aborted", "message", "function_call_output"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["type", "id", "call_id", "content", "output", "item", "tools"]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=8,
    )
    outcome = st.one_of(
        st.builds(lambda value: {"ok": value}, anything),
        st.builds(lambda value: {"ok": [value]}, anything),
        st.builds(lambda value: {"panic": value}, anything),
        st.builds(lambda value: {"ok": [], "diagnostics": value}, anything),
        st.builds(lambda value: {"error": value}, anything),
        st.just({"unsupported": "no"}),
    )
    given_outcomes = data.draw(
        st.lists(outcome, min_size=len(example["ops"]), max_size=len(example["ops"]))
    )
    right = {Mode.DEBUG: example["debug"], Mode.RELEASE: example["release"]}
    judge().judge(example["ops"], dict.fromkeys(Mode, given_outcomes))
    judge().judge(example["ops"], {**right, Mode.RELEASE: given_outcomes})


def test_missing_outcomes_are_a_difference() -> None:
    """Too few outcomes are reported where the first one is missing."""
    judgement = judge().judge([record(), project()], {Mode.RELEASE: [{"ok": None}]})
    (difference,) = judgement.unattributed
    assert (difference.operation, difference.actual) == (1, None)


def test_difference_without_a_check_is_unattributed() -> None:
    """What no check speaks of is reported as our own defect, once a mode."""
    script = [record(), record()]
    judgement = judge().judge(script, {Mode.DEBUG: [{"ok": 1}, {"ok": 1}]})
    assert judgement.violations == ()
    assert [one.operation for one in judgement.unattributed] == [0]


@pytest.mark.parametrize("wrong", [1.0, True])
def test_kinds_of_numbers_differ(wrong: Any) -> None:  # noqa: ANN401
    """1, 1.0 and true are three values, unless the adapter cannot carry the difference."""
    script = [
        record({"type": "additional_tools", "role": "developer", "tools": [1]}),
        project("text"),
    ]
    shown = [{"type": "additional_tools", "role": "developer", "tools": [wrong]}]
    outcomes: Outcomes = {Mode.RELEASE: [{"ok": None}, {"ok": shown}]}
    assert "ORD-3" in clauses(judge().judge(script, outcomes))
    blurred = judge(evolve(SEEING, exact_numbers=False)).judge(script, outcomes)
    assert blurred.clean == (wrong is not True)


def test_error_texts_are_ignored() -> None:
    """Of a refusal only its being one is compared."""
    script = [record({"type": 5})]
    judgement = judge().judge(script, {Mode.DEBUG: [{"error": {"message": "whatever"}}]})
    assert judgement.clean


def test_diagnostics_need_the_capability() -> None:
    """An adapter that does not show diagnostics is not judged by them, and the reason is said."""
    script = [record(output("x")), project()]
    outcomes: Outcomes = {Mode.RELEASE: [{"ok": None}, {"ok": []}]}
    assert clauses(judge().judge(script, outcomes)) == {"MODE-7"}
    blind = judge(evolve(SEEING, diagnostics=False)).judge(script, outcomes)
    assert blind.clean
    assert ("MODE-7", Mode.RELEASE) not in blind.exercised
    assert "diagnostics" in blind.unobservable["MODE-7", Mode.RELEASE]


def test_unsupported_is_not_observable() -> None:
    """An operation that the adapter cannot do passes nothing, and its reason is handed on."""
    script = [record(call("a")), project()]
    outcomes: Outcomes = {Mode.RELEASE: [{"ok": None}, {"unsupported": "no prompts here"}]}
    judgement = judge().judge(script, outcomes)
    assert judgement.clean
    assert judgement.unobservable["PAIR-1", Mode.RELEASE] == "no prompts here"
    assert ("PAIR-1", Mode.RELEASE) not in judgement.exercised


def test_hidden_fields_are_left_out() -> None:
    """What a transport never carries is removed on both sides, nested fields too."""
    hidden = {"function_call": ("/namespace",), "message": ("/content/0",)}
    script = [record(call("a", namespace="n"), output("a")), project()]
    outcomes: Outcomes = {Mode.RELEASE: [{"ok": None}, {"ok": [call("a"), output("a")]}]}
    assert not judge().judge(script, outcomes).clean
    assert judge(evolve(SEEING, hidden_fields=hidden)).judge(script, outcomes).clean


def test_hidden_ids_are_not_observable() -> None:
    """Synthetic ids that never travel are not judged."""
    kinds = ("function_call_output", "custom_tool_call_output", "tool_search_output")
    capabilities = evolve(SEEING, hidden_fields=dict.fromkeys(kinds, ("/id",)))
    script = [record(call("a", id="fc_1")), project()]
    shown = [call("a", id="fc_1"), output("a", "aborted")]
    judgement = judge(capabilities).judge(script, {Mode.RELEASE: [{"ok": None}, {"ok": shown}]})
    assert judgement.clean
    assert ("SYN-1", Mode.RELEASE) in judgement.unobservable


def test_filter_reports_only_some_clauses() -> None:
    """With a filter other clauses are not reported, but still explain differences."""
    script = [record(call("a")), project()]
    outcomes: Outcomes = {Mode.RELEASE: [{"ok": None}, {"ok": [call("a")]}]}
    assert clauses(judge().judge(script, outcomes)) == {"PAIR-1"}
    other = judge(clauses=frozenset({"ORD-1"})).judge(script, outcomes)
    assert other.clean
    assert {clause for clause, _ in other.exercised} <= {"ORD-1"}


def test_claim_limits_what_is_reported() -> None:
    """A clause outside of the claim is never reported."""
    claim = evolve(Claim.full(), profiles=frozenset({"media"}))
    script = [record(call("a")), project()]
    outcomes: Outcomes = {Mode.RELEASE: [{"ok": None}, {"ok": [call("a")]}]}
    assert judge(claim=claim).judge(script, outcomes).clean


def test_consequences_of_a_wrong_acceptance_are_not_blamed() -> None:
    """After an item that should have been refused, what follows says nothing."""
    script = [record(output("a", {})), {"op": "raw_items"}, project()]
    shown = [output("a", "")]
    outcomes: Outcomes = {Mode.RELEASE: [{"ok": None}, {"ok": shown}, {"ok": shown}]}
    judgement = judge().judge(script, outcomes)
    assert clauses(judgement) == {"ITEM-4"}
    assert judgement.unattributed == ()


def test_reading_decides_between_wire_and_projection() -> None:
    """A field lost in the raw history too is the wire form's fault, else projection's."""
    item = {"type": "message", "role": "user", "content": [], "phase": "commentary"}
    lost = {"type": "message", "role": "user", "content": []}
    script = [record(item), {"op": "raw_items"}, project()]

    def blamed(raw: Any, prompt: Any) -> set[str]:  # noqa: ANN401
        outcomes: Outcomes = {Mode.RELEASE: [{"ok": None}, {"ok": [raw]}, {"ok": [prompt]}]}
        return clauses(judge().judge(script, outcomes)) - {"PROJ-6"}

    assert blamed(lost, lost) == {"ITEM-1"}
    assert blamed(item, lost) == {"ORD-3"}


def test_unknown_history_is_learnt_from_a_reading() -> None:
    """Where recording may have rewritten media, nothing is judged until the history is read."""
    image = {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "low"}
    message = {"type": "message", "id": "msg_1", "role": "user", "content": [image]}
    script = [record(message), project(), {"op": "raw_items"}, project()]
    edition = Edition.NOVEMBER_2026
    outcomes = run_script_in_both_modes(script, edition=edition)
    judging = judge(edition=edition)
    assert judging.judge(script[:2], outcomes).exercised.get(("PROJ-6", Mode.DEBUG)) is None
    assert judging.judge(script, outcomes).exercised["PROJ-6", Mode.DEBUG] == 1


def _without_completion(ops: Any, **options: Any) -> Mapping[Mode, Any]:  # noqa: ANN401
    outcomes = run_script_in_both_modes(ops, **options)
    return {
        mode: [
            {**one, "ok": [item for item in one["ok"] if item.get("output") != "aborted"]}
            if isinstance(one.get("ok"), list)
            else one
            for one in each
        ]
        for mode, each in outcomes.items()
    }


def _with_images(ops: Any, **options: Any) -> Mapping[Mode, Any]:  # noqa: ANN401
    return run_script_in_both_modes(
        [{**op, "input_modalities": ["image"]} if op["op"] == "for_prompt" else op for op in ops],
        **options,
    )


def _never_panicking(ops: Any, **options: Any) -> Mapping[Mode, Any]:  # noqa: ANN401
    release = run_script_in_both_modes(ops, **options)[Mode.RELEASE]
    return dict.fromkeys(Mode, release)


def _reversed(ops: Any, **options: Any) -> Mapping[Mode, Any]:  # noqa: ANN401
    outcomes = run_script_in_both_modes(ops, **options)
    return {
        mode: [
            {**one, "ok": one["ok"][::-1]} if isinstance(one.get("ok"), list) else one
            for one in each
        ]
        for mode, each in outcomes.items()
    }


@pytest.mark.parametrize(
    ("model", "clause"),
    [
        (_without_completion, "PAIR-1"),
        (_with_images, "IMG-2"),
        (_never_panicking, "MODE-3"),
        (_reversed, "ORD-1"),
    ],
)
def test_checks_alone_notice_a_broken_model(model: Any, clause: str) -> None:  # noqa: ANN401
    """A subject that is wrong just like the model is still found out."""
    found = set()
    judging = judge(model=model)
    for example in examples():
        judgement = judging.judge(example["ops"], model(example["ops"]))
        assert judgement.unattributed == ()
        found |= clauses(judgement)
    assert clause in found


def test_general_clauses_yield_to_specific_ones() -> None:
    """A general clause is reported only where no specific one explains the difference."""
    general = {clause for clause, check in CHECKS.items() if check.general}
    assert general == {"PAIR-13", "PAIR-14", "ORD-3", "PROJ-6"}
    script = [record(call("a")), project()]
    outcomes: Outcomes = {Mode.RELEASE: [{"ok": None}, {"ok": [call("a")]}]}
    assert clauses(judge().judge(script, outcomes)).isdisjoint(general)


def test_each_clause_has_its_own_exception() -> None:
    """Hypothesis tells failures apart by class; a violation survives the way to another process."""
    import pickle  # noqa: PLC0415

    assert VIOLATIONS["PAIR-3"].__name__ == "Pair3Violation"
    assert len(set(VIOLATIONS.values())) == len(CLAUSES)
    violation = Violation("PAIR-3", Mode.DEBUG, "m", 1, "/ok", None, None)
    error = pickle.loads(pickle.dumps(VIOLATIONS["PAIR-3"](violation)))  # noqa: S301
    assert error.violation == violation
    with pytest.raises(VIOLATIONS["PAIR-3"]):
        Judgement(violations=(violation,)).raise_first()


@pytest.mark.parametrize("example", examples(), ids=lambda one: one["name"])
def test_twin_does_not_panic(example: Any) -> None:  # noqa: ANN401
    """A twin is made exactly where debug panics, and does not panic itself."""
    edition = edition_of(example)
    twin = debug_twin(example["ops"], edition=edition)
    panics = any("panic" in outcome for outcome in example["debug"])
    assert (twin is not None) == panics
    if twin is not None:
        outcomes = run_script_in_both_modes(twin, edition=edition)[Mode.DEBUG]
        assert not any("panic" in outcome for outcome in outcomes)


def test_twin_follows_what_removal_uncovers() -> None:
    """Removing a call whose output comes late removes the output too, in its own operation."""
    late = {"type": "custom_tool_call_output", "call_id": "c", "output": "x"}
    custom = {"type": "custom_tool_call", "call_id": "c", "name": "t", "input": ""}
    twin = debug_twin([record(custom), project(), record(late), project()])
    assert twin is not None
    assert [op.get("items") for op in twin] == [[], None, [], None]


def test_hazards_of_a_history() -> None:
    """Every hazard that one list of items can show is found, with the items it is about."""
    url = "data:image/png;base64,%%%"
    picture = {"type": "input_image", "image_url": url}
    items = [
        call("a", id="x"),  # 0
        call("a", id="x"),  # 1
        output("b"),  # 2
        {"type": "message", "role": "user", "content": [picture], "id": ""},  # 3
        output("a"),  # 4
        output("a"),  # 5
        call("b", id="fc_b"),  # 6
        {"type": "custom_tool_call", "call_id": "b", "name": "t", "input": ""},  # 7
        {"type": "function_call"},  # 8, passed over
        output(""),  # 9
    ]
    found = {(one.id, one.items) for one in hazards(items)}
    assert found == {
        ("HAZ-1", (0, 1)),
        ("HAZ-2", (4, 5)),
        ("HAZ-3", (2, 6)),
        ("HAZ-4", (0, 4)),
        ("HAZ-4", (1, 4)),
        ("HAZ-5", (2, 6, 7)),
        ("HAZ-6", (3,)),
        ("HAZ-6", (9,)),
        ("HAZ-7", (0,)),
        ("HAZ-7", (1,)),
        ("HAZ-8", (3,)),
        ("HAZ-9", (7,)),
        ("HAZ-9", (9,)),
        ("HAZ-10", (0, 1)),
    }
    named = [(one.clause, one.item) for one in anomalies(items)]
    assert named == [("PAIR-3", 7), ("ORPH-1", 9)]


@pytest.mark.parametrize("name", ["now", "append", "forget", "record", "follow", 7, None])
def test_an_operation_that_nobody_knows_is_no_method_of_ours(name: object) -> None:
    """A script from a file may name anything; what is no operation is followed by nothing."""
    script: list[JsonObject] = [{"op": name, "items": []}, {"op": "raw_items"}]  # type: ignore[dict-item]
    answers = run_script_in_both_modes(script)
    judge = Judge(Edition.AUGUST_2026, Claim.full(), {mode: Capabilities() for mode in Mode})

    assert not judge.judge(script, answers).violations


def test_ids_that_a_transcript_shows_first_are_taken_from_it() -> None:
    """In edition 2026-11 a reader may be the first to see an id that recording gave (E11-2)."""
    message: JsonObject = {"type": "message", "role": "user", "content": []}
    recording: JsonObject = {
        "op": "record_items",
        "items": [message, message],
        "policy": {"mode": "tokens", "limit": 9},
    }
    script: list[JsonObject] = [
        recording,
        {"op": "read_transcript", "cursor": {"history_version": 0, "entry_count": 1}},
        {"op": "read_transcript", "cursor": None},
    ]
    edition = Edition.NOVEMBER_2026
    answers = {
        mode: run_script(script, mode=mode, edition=edition, fresh_ids=seeded_fresh_ids(seed))
        for seed, mode in enumerate(Mode)
    }
    judge = Judge(edition, Claim.full(), {mode: Capabilities() for mode in Mode})
    judgement = judge.judge(script, answers)

    assert not judgement.violations
    assert not judgement.unattributed
    assert judgement.exercised["CUR-1", Mode.DEBUG]
