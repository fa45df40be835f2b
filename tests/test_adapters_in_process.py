"""Subjects that are Python objects in this process."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from contextcert.adapters.in_process import ObjectWay
from contextcert.adapters.specs import model_spec, object_spec, split_command
from contextcert.refmodel.claim import Claim
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition, Mode
from contextcert.subject import FaultKind, Opening, Session, SubjectError, SubjectSpec

SOURCE = """
class Subject:
    runs = 0

    def initialize(self, params):
        return {
            "protocol": 1,
            "implementation": {"name": "mine", "version": "1", "language": "Python"},
            "mode": params["mode"],
            "editions": ["2026-08"],
            "claim": {"profiles": [], "item_types": [], "modalities": []},
            "capabilities": {},
        }

    def run(self, params):
        self.runs += 1
        return RUN(self, params)


class Wrong(Subject):
    def initialize(self, params):
        return super().initialize(params) | {"mode": "release"}


class Later(Subject):
    def initialize(self, params):
        asked = params["edition"]
        return super().initialize(params) | {"editions": ["2026-11"], "implementation": {
            "name": asked, "version": "1", "language": "Python"}}


class Raising:
    def __init__(self):
        raise RuntimeError("no\\x1b[2J")


instance = Subject()
nothing = 3
half = type("Half", (), {"run": lambda self, params: None})()


def make():
    return Subject()


def RUN(subject, params):
    BODY
"""
OPS: list[JsonObject] = [{"op": "raw_items"}]

Write = Callable[[str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Give a function that writes a module whose run has this body, and names the module."""

    def write_module(body: str) -> str:
        name = f"subject_{tmp_path.name.replace('-', '_')}"
        (tmp_path / f"{name}.py").write_text(SOURCE.replace("BODY", body), encoding="utf-8")
        return name

    return write_module


def opened(reference: str, folder: Path) -> Session:
    """Open an object in debug."""
    return object_spec(reference, folder=str(folder)).open(Mode.DEBUG)


@pytest.mark.parametrize("attribute", ["Subject", "instance", "make"])
def test_a_class_a_function_and_a_subject_can_be_named(
    attribute: str, write: Write, tmp_path: Path
) -> None:
    """Whatever makes a subject, or is one, answers."""
    module = write("return {'outcomes': [{'ok': []}]}")
    session = opened(f"{module}:{attribute}", tmp_path)
    assert session.description.name == "mine"
    assert session.run(OPS).outcomes == [{"ok": []}]
    assert len(session.run_batch([OPS, OPS])) == 2
    session.close()


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ("raise RuntimeError('a\\x1bb')", FaultKind.CRASH, "RuntimeError: a\\x1bb"),
        ("raise SystemExit(3)", FaultKind.CRASH, "SystemExit: 3"),
        ("return {'outcomes': []}", FaultKind.MALFORMED, "no panic"),
        ("return {'outcomes': [{'ok': float('nan')}]}", FaultKind.GARBAGE, "no number nan"),
        ("return {'outcomes': [{'ok': object()}]}", FaultKind.GARBAGE, "no JSON"),
        ("return None", FaultKind.MALFORMED, "/outcomes"),
    ],
)
def test_a_fault_is_named_and_the_subject_goes_on(
    body: str, kind: FaultKind, words: str, write: Write, tmp_path: Path
) -> None:
    """Whatever run raises or gives is a fault with a sentence."""
    answer = opened(f"{write(body)}:Subject", tmp_path).run(OPS)
    assert answer.outcomes is None
    assert answer.fault is not None
    assert answer.fault.kind is kind
    assert answer.fault.repeated
    assert words in answer.fault.message


def test_a_fault_that_does_not_repeat_is_nondeterminism(write: Write, tmp_path: Path) -> None:
    """The second try is answered, and the fault says so."""
    module = write("return {'outcomes': [{'ok': []}]} if subject.runs > 1 else 1 / 0")
    answer = opened(f"{module}:Subject", tmp_path).run(OPS)
    assert answer.outcomes == [{"ok": []}]
    assert answer.fault is not None
    assert not answer.fault.repeated
    assert "ZeroDivisionError" in answer.fault.stderr


def test_a_subject_cannot_change_the_script(write: Write, tmp_path: Path) -> None:
    """Values are kept apart: what a subject does to its input stays there."""
    module = write("params['ops'][0].clear(); return {'outcomes': [{'ok': []}]}")
    script = json.loads(json.dumps(OPS))
    opened(f"{module}:Subject", tmp_path).run(script)
    assert script == OPS


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("module", "module:attribute"),
        ("no_such_module_here:x", "importing no_such_module_here failed"),
        ("MODULE:missing", "has no 'missing'"),
        ("MODULE:nothing", "neither a class nor a subject"),
        ("MODULE:half", "no method initialize"),
        ("sys:exit", "making the subject raised SystemExit"),
        ("MODULE:Raising", "making the subject raised RuntimeError: no\\x1b[2J"),
        ("MODULE:Wrong", "is a release build, asked for debug"),
    ],
)
def test_an_object_that_cannot_be_used_is_refused_in_a_sentence(
    reference: str, words: str, write: Write, tmp_path: Path
) -> None:
    """Each mistake has a sentence that begins with the reference."""
    module = write("return None")
    with pytest.raises(SubjectError) as caught:
        opened(reference.replace("MODULE", module), tmp_path)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_subject_of_another_edition_is_asked_again_in_its_own(
    write: Write, tmp_path: Path
) -> None:
    """Where no edition is asked for, one that is offered will do; one asked for must be there."""
    way = ObjectWay(f"{write('return None')}:Later", str(tmp_path))
    assert way.open(Opening(Mode.DEBUG)).description.name == "2026-11"
    with pytest.raises(SubjectError, match="does not offer edition 2026-08"):
        way.open(Opening(Mode.DEBUG, edition=Edition.AUGUST_2026))


def test_a_claim_given_on_opening_stands_before_the_subjects_own() -> None:
    """The description carries the claim that counts."""
    claim = Claim(frozenset({"media"}), frozenset({"message"}), frozenset({"text"}))
    spec = SubjectSpec("model", model_spec().ways, claim=claim)
    assert spec.open(Mode.RELEASE).description.claim == claim


def test_the_validating_mode_holds_answers_to_the_schemas(write: Write, tmp_path: Path) -> None:
    """What the cheap check lets pass, the schemas do not."""
    module = write("return {'outcomes': [{'ok': []}], 'more': 1}")
    way = ObjectWay(f"{module}:Subject", str(tmp_path))
    assert way.open(Opening(Mode.DEBUG)).run(OPS).fault is None
    fault = way.open(Opening(Mode.DEBUG, validating=True)).run(OPS).fault
    assert fault is not None
    assert "more" in fault.message


def test_the_model_goes_on_after_a_panic_only_when_asked() -> None:
    """The built-in model is a session like any other."""
    orphan: Json = {"type": "function_call_output", "call_id": "a", "output": ""}
    ops: list[JsonObject] = [
        {"op": "replace", "items": [orphan]},
        {"op": "for_prompt", "input_modalities": []},
        {"op": "raw_items"},
    ]
    session = model_spec().open(Mode.DEBUG, edition=Edition.NOVEMBER_2026)
    assert len(session.run(ops).outcomes or []) == 2
    assert len(session.run(ops, continue_after_panic=True).outcomes or []) == 3


@pytest.mark.parametrize("text", ["", "  ", "'open"])
def test_a_command_that_cannot_be_split_is_refused_in_a_sentence(text: str) -> None:
    """An empty command and an open quote name the option."""
    with pytest.raises(SubjectError, match=r"^--debug: "):
        split_command(text, "--debug")
    assert split_command("a 'b c'", "--debug") == ("a", "b c")
