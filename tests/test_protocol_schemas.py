"""The JSON Schemas of the protocol, held against messages and against the worked cases."""

import itertools
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from contextcert.adapters.model import ModelSubject
from contextcert.properties import examples, upstream_tests
from contextcert.protocol.handshake import HandshakeError, read_handshake
from contextcert.protocol.messages import initialize_params, request_line, run_params
from contextcert.protocol.outcomes import ShapeError, read_outcomes
from contextcert.protocol.schema import SCHEMA_NAMES, SchemaError, check, check_response, schema
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition, Mode

CASES = Path(__file__).parents[2] / "shared" / "cases"
ITEMS = ("for_prompt", "raw_items")


def message(**members: Json) -> JsonObject:
    """Give a JSON-RPC message."""
    return {"jsonrpc": "2.0", "id": 1, **members}


@pytest.mark.parametrize("name", SCHEMA_NAMES)
def test_a_schema_is_one(name: str) -> None:
    """Every schema is valid, has its own name and says what it is for."""
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$id"] == f"urn:contextcert:protocol:1:{name}"
    assert schema(name)["description"]


@pytest.mark.parametrize(("mode", "edition"), list(itertools.product(Mode, Edition)))
def test_our_own_messages_follow_the_schemas(mode: Mode, edition: Edition) -> None:
    """What we send, and what the model answers, is what the schemas say."""
    params = initialize_params(mode, edition)
    check("initialize-request", json.loads(request_line(1, "initialize", params)))
    subject = ModelSubject(mode)
    check("initialize-result", message(result=subject.initialize(params)))
    run = run_params([{"op": "raw_items"}], continue_after_panic=True)
    check("run-request", json.loads(request_line(2, "run", run)))
    check("run-result", message(result=subject.run(run)))
    check("shutdown-request", json.loads(request_line(3, "shutdown")))
    check("shutdown-result", message(result=None))


@pytest.mark.parametrize("example", [*examples(), *upstream_tests()], ids=lambda one: one["name"])
def test_a_pinned_example_follows_its_schema(example: JsonObject) -> None:
    """Every line has its name, its clauses, a script and the outcomes of both builds."""
    check("example", example)


@pytest.mark.parametrize(
    ("name", "value"),
    [("continue_after_panic", "yes"), ("clauses", []), ("clauses", ["pair-3"]), ("mood", 1)],
)
def test_a_pinned_example_with_a_slip_is_refused(name: str, value: Json) -> None:
    """A misspelt field would silently mean nothing."""
    with pytest.raises(SchemaError):
        check("example", {**examples()[0], name: value})


@pytest.mark.skipif(not CASES.is_dir(), reason="the worked cases are not beside the checkout")
def test_the_worked_cases_follow_the_schemas() -> None:
    """Scripts, outcomes and the items in them are what the schemas say."""
    with (CASES / "curated.jsonl").open(encoding="utf-8") as lines:
        for case in map(json.loads, lines):
            check("run-request", message(method="run", params={"ops": case["ops"]}))
            for mode in ("debug", "release"):
                check("run-result", message(result={"outcomes": case[mode]}))
                read_outcomes({"outcomes": case[mode]}, case["ops"], continue_after_panic=False)
                for op, outcome in zip(case["ops"], case[mode], strict=False):
                    for item in outcome.get("ok") or [] if op["op"] in ITEMS else []:
                        check("item", item)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("op", {"op": "for_prompt"}, "input_modalities"),
        ("op", {"on": 1}, "op"),
        ("op", {"op": "clone", "to": -1}, "/to"),
        ("outcome", {"ok": 1, "panic": "x"}, "schema outcome"),
        ("outcome", {"error": "x"}, "schema outcome"),
        ("item", {"type": "message", "role": "user"}, "content"),
        ("item", {"type": "function_call_output", "output": 1}, "/output"),
        ("item", {"type": "other", "more": 1}, "more"),
        ("run-result", {"jsonrpc": "2.0", "id": 1, "result": {}}, "/result"),
        ("initialize-result", {"jsonrpc": "2.0", "id": 1, "result": {"protocol": 2}}, "/result"),
    ],
)
def test_a_value_that_does_not_follow_is_refused_with_its_place(
    name: str, value: Json, words: str
) -> None:
    """The sentence has a JSON pointer to the place and the name of the schema."""
    with pytest.raises(SchemaError, match=words):
        check(name, value)


def test_an_error_answer_has_a_schema_of_its_own() -> None:
    """A response with an error is held to the schema of errors, whatever the method."""
    check_response("run", message(error={"code": -32602, "message": "no"}))
    with pytest.raises(SchemaError, match="/error"):
        check_response("run", message(error={"code": "no"}))


@pytest.mark.parametrize(
    ("op", "good", "bad"),
    [
        ("record_items", None, {}),
        ("raw_items", [], None),
        ("for_prompt", [{"type": "other"}], [1]),
        ("for_prompt_annotated", [{"item": {}, "metadata": None}], [{"metadata": None}]),
        ("history_version", 2**64 - 1, -1),
        ("history_version", 0, True),
        ("update_world_state", {"full": False, "patch": None}, {"full": False}),
        ("update_world_state", None, []),
        (
            "read_transcript",
            {
                "kind": "full",
                "entries": [],
                "cursor": {"history_version": 0, "entry_count": 0},
            },
            {"kind": "full", "entries": []},
        ),
    ],
)
def test_the_cheap_check_knows_what_each_operation_gives(op: str, good: Json, bad: Json) -> None:
    """Every operation has a kind of value, and another kind is malformed."""
    ops: list[JsonObject] = [{"op": op}]
    read_outcomes({"outcomes": [{"ok": good}]}, ops, continue_after_panic=False)
    with pytest.raises(ShapeError, match="/outcomes/0/ok"):
        read_outcomes({"outcomes": [{"ok": bad}]}, ops, continue_after_panic=False)


@pytest.mark.parametrize(
    "outcome",
    [
        {},
        {"ok": None, "panic": "x"},
        {"ok": None, "diagnostics": [1]},
        {"ok": None, "more": 1},
        {"panic": 1},
        {"error": "x"},
        {"error": {}},
        {"unsupported": None},
        {"panic": "x", "diagnostics": []},
    ],
)
def test_an_outcome_of_no_known_shape_is_malformed(outcome: JsonObject) -> None:
    """An outcome is one of four kinds, with nothing beside it but diagnostics."""
    with pytest.raises(ShapeError, match="/outcomes/0"):
        read_outcomes({"outcomes": [outcome]}, [{"op": "x"}], continue_after_panic=False)


def test_a_script_that_was_to_go_on_has_an_outcome_for_every_operation() -> None:
    """After a panic the rest is there if it was asked for, and only then."""
    ops: list[JsonObject] = [{"op": "for_prompt"}, {"op": "raw_items"}]
    both: JsonObject = {"outcomes": [{"panic": "x"}, {"ok": []}]}
    assert len(read_outcomes(both, ops, continue_after_panic=True)) == 2
    with pytest.raises(ShapeError, match="unasked"):
        read_outcomes(both, ops, continue_after_panic=False)
    with pytest.raises(ShapeError, match="no panic"):
        read_outcomes({"outcomes": [{"panic": "x"}]}, ops, continue_after_panic=True)


def test_a_number_of_protocol_that_is_only_true_is_refused() -> None:
    """True is not 1."""
    result = ModelSubject(Mode.DEBUG).initialize({"protocol": 1}) | {"protocol": True}
    with pytest.raises(HandshakeError, match="speaks protocol True"):
        read_handshake(result, Mode.DEBUG, Edition.AUGUST_2026)


def test_a_response_may_carry_what_libraries_add() -> None:
    """A null error beside a result, and members of their own, are no trouble; an error is."""
    response: JsonObject = {"jsonrpc": "2.0", "id": 1, "result": None, "error": None, "x": 1}
    check_response("shutdown", response)
    with pytest.raises(SchemaError):
        check_response("shutdown", response | {"error": "no"})
