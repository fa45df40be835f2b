"""Blind mutation: the oracle tells mutants from the model, and the list of equivalents is true."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

import contextcert.refmodel
from contextcert.refmodel import JsonObject

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks" / "mutation"))

from equivalents import Equivalent, read_equivalents, stale
from mutant import Mutant
from oracle import Bounds, Cost, Oracle, Trial, Verdict
from report import Report
from sources import Sources

HERE = Path(__file__).parent
FOLDER = HERE.parent / "benchmarks" / "mutation"
MODEL = Path(contextcert.refmodel.__file__).resolve().parent

CALL: JsonObject = {"type": "function_call", "name": "f", "arguments": "", "call_id": "c"}
SCRIPT: list[JsonObject] = [
    {"op": "record_items", "items": [CALL], "policy": {"mode": "bytes", "limit": 1}},
    {"op": "for_prompt", "input_modalities": []},
]


def verdict(module: str, old: str, new: str) -> str:
    """Ask the oracle about one change, with one script."""
    program = HERE / "mutation_by_hand" / "try_mutant.py"
    command = [sys.executable, program, FOLDER, module, old, new, json.dumps([SCRIPT])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout


def test_the_true_model_passes() -> None:
    """Nothing is noticed where nothing is changed."""
    assert verdict("families.py", "", "") == "survived"


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("families.py", '"aborted"', '"abort"'),
        ("families.py", "from attrs import frozen", "from attrs import thawed"),
        ("script.py", "history.record(", "history.forget("),
    ],
    ids=["outcome", "import", "exception"],
)
def test_a_change_is_noticed(module: str, old: str, new: str) -> None:
    """By an outcome, by a failing import, or by an operation that fails."""
    assert verdict(module, old, new) == "killed"


def test_what_no_script_shows_is_noticed_otherwise() -> None:
    """No subject is asked how the model reads a claim."""
    noticed = verdict("claim.py", "if names is None", "if names is not None")
    assert noticed == "noticed by another question alone"


def test_a_hang_is_noticed() -> None:
    """PAIR-1: a loop without end is ended, and counts."""
    assert (
        verdict("completion.py", "    answered = ", "    while 1: pass\n    answered = ") == "hangs"
    )


def test_what_only_costs_more_is_not_noticed() -> None:
    """A batch of another size holds the same envelopes."""
    assert verdict("chain.py", "BATCH: Final = 64", "BATCH: Final = 1") == "survived"


def test_the_places_of_equivalents_exist() -> None:
    """Each is a line of its module, within its definition, with an operator and a reason."""
    for entry in read_equivalents():
        text = (MODEL / entry.module).read_text("utf-8")
        assert entry.line in _lines(text, entry.definition), entry
        assert entry.because.endswith("."), entry


def _lines(text: str, definition: str) -> list[str]:
    nodes: list[ast.stmt] = ast.parse(text).body
    first, last = 1, len(text.splitlines())
    for name in filter(None, definition.split(".")):
        node = next(
            one
            for one in nodes
            if isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == name
        )
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        nodes, last = node.body, node.end_lineno or last
    return [line.strip() for line in text.splitlines()[first - 1 : last]]


MUTANT = Mutant("world.py", "merge_patch", "waiting = []", "AddNot", nth=0, occurrence=3)
PLACE = {"module": "world.py", "definition": "merge_patch", "line": "waiting = []"}


def test_a_true_entry_is_no_complaint() -> None:
    """It names a mutant that nothing notices."""
    entry = Equivalent(**PLACE, operators=["Add*"], because="It is so.")
    assert stale([entry], [MUTANT], noticed=()) == []


@pytest.mark.parametrize("odd", [{"operators": ["AddNot", "NumberReplacer"]}, {"nth": [1]}])
def test_an_entry_that_names_nothing_is_stale(odd: dict[str, list[str]]) -> None:
    """Each of its operators has to be there, and the change that it counts."""
    entry = Equivalent(**{**PLACE, "operators": ["AddNot"], "because": "It is so.", **odd})
    assert [one.partition(":")[0] for one in stale([entry], [MUTANT], noticed=())] == [
        "names a mutant that is not there"
    ]


def test_an_entry_that_is_noticed_is_stale() -> None:
    """What the oracle tells from the model is no equivalent."""
    entry = Equivalent(**PLACE, operators=["AddNot"], because="It is so.")
    assert stale([entry], [MUTANT], noticed={MUTANT}) == [
        f"is no equivalent, it is noticed: {MUTANT}"
    ]


@pytest.mark.parametrize("lacking", ["because", "line", "operators"])
def test_an_entry_needs_its_place_and_its_reason(lacking: str, tmp_path: Path) -> None:
    """Without them the list is refused as a whole."""
    given = {**PLACE, "operators": ["AddNot"], "because": "It is so."}
    lines = [f"{key} = {json.dumps(value)}" for key, value in given.items() if key != lacking]
    file = tmp_path / "equivalent.toml"
    file.write_text("\n".join(["[[equivalent]]", *lines]), "utf-8")
    with pytest.raises(ValueError, match=lacking):
        read_equivalents(file)


@pytest.mark.parametrize(
    ("noticed", "complaints", "passes"),
    [(97, [], True), (96, [], False), (100, ["names a mutant that is not there"], False)],
)
def test_the_bar_and_a_true_list_are_asked_for(
    *, noticed: int, complaints: list[str], passes: bool
) -> None:
    """97 of 100 are enough, and a stale entry fails the run whatever the score is."""
    mutants = [evolve(MUTANT, occurrence=place) for place in range(101)]
    trials = {
        one: Trial(Verdict.QUESTIONED if one.occurrence < noticed else Verdict.UNFINISHED, 1.0)
        for one in mutants
    }
    entry = Equivalent(**PLACE, operators=["AddNot"], because="It is so.")
    report = Report(
        trials=trials,
        equivalents={mutants[-1]: entry},
        stale=complaints,
        oracle=Oracle(Sources.of(), cases=[], truth=[], cost=Cost(0.5, 0.01)),
        seed=0,
    )
    assert report.score == pytest.approx(noticed / 100)
    assert report.passes is passes


def test_bounds_lie_far_beyond_the_true_model() -> None:
    """A slow machine makes neither a hang nor an end of what is only slow."""
    assert Bounds.beyond(Cost(whole=0.9, longest=0.02)) == Bounds(whole=2, hang=1.0)
    assert Bounds.beyond(Cost(whole=4.1, longest=0.5)) == Bounds(whole=7, hang=10.0)


TEXT = """\
from __future__ import annotations

from xml.parsers import expat


def parsed(text: str | None = None) -> int | None:
    try:
        return 1
    except (expat.ExpatError, ValueError):
        raise ValueError(1) from None
"""


def test_mutants_are_made_where_they_have_a_meaning() -> None:
    """Annotations and what errors say are left out; a dotted exception can be replaced."""
    pytest.importorskip("cosmic_ray", reason="the extra `mutation` is not installed")
    from mutants import mutants_of, mutated  # noqa: PLC0415 (needs what is optional)

    made = mutants_of({"a.py": TEXT})
    caught = "except (expat.ExpatError, ValueError):"
    assert [(one.definition, one.line, one.operator, one.nth) for one in made] == [
        ("parsed", "return 1", "NumberReplacer", 0),
        ("parsed", "return 1", "NumberReplacer", 1),
        ("parsed", caught, "ExceptionReplacer", 0),
        ("parsed", caught, "ExceptionReplacer", 1),
    ]
    for one, other in ((made[2], "ValueError"), (made[3], "expat.ExpatError")):
        assert caught not in (text := mutated(one, TEXT))
        assert "CosmicRayTestingException" in text
        assert other in text
    assert "return 2" in mutated(made[0], TEXT)


def test_a_module_is_tried_whole(tmp_path: Path) -> None:
    """All of its mutants are noticed or listed, and the page tells it; a second run knows it."""
    pytest.importorskip("cosmic_ray", reason="the extra `mutation` is not installed")
    command = [sys.executable, FOLDER, "media.py", "--out", tmp_path]
    for _ in range(2):
        done = subprocess.run(
            [*command, "--keep", tmp_path / "kept"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "100.00%" in (tmp_path / "mutation.md").read_text("utf-8")
    found = json.loads((tmp_path / "mutation.json").read_text("utf-8"))
    assert found["mutants"] == len((tmp_path / "kept").read_text("utf-8").splitlines()) > 0
