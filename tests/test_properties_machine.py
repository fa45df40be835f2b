"""The rule machine: it accuses nobody who is right, and shrinks what it finds."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from unittest.mock import patch

import orjson
import pytest
from attrs import evolve

from contextcert.cli.main import run
from contextcert.properties import Judge
from contextcert.properties.machine import lives, run_machine
from contextcert.properties.trial import REPLAY, Trial
from contextcert.refmodel import DEFAULT_EDITION, Claim, Edition, History, Mode, run_script
from contextcert.strategies import OPERATIONS, Scope, modality_sets
from contextcert.subject import Answer, Capabilities, Description, Script

BROKEN = Path(__file__).parent / "broken_model"
SEEING = Capabilities(diagnostics=True, exact_numbers=True, success_flag=True)


class Build:
    """A session that answers as the model does, or as a history of another kind."""

    def __init__(self, mode: Mode, start: History | None = None) -> None:
        """Take the mode, and the history that every script begins with."""
        self.mode = mode
        self.start = start or History()
        self.asked: Counter[str] = Counter()

    @property
    def description(self) -> Description:
        """Nobody asks."""
        raise NotImplementedError

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        """Answer, and count what is asked."""
        self.asked.update(str(op["op"]) for op in ops)
        with patch("contextcert.refmodel.script._NEW", self.start):
            return Answer(
                run_script(ops, mode=self.mode, continue_after_panic=continue_after_panic)
            )

    def run_batch(self, scripts: Sequence[Script]) -> list[Answer]:
        """Answer one by one."""
        return [self.run(script) for script in scripts]

    def close(self) -> None:
        """Hold nothing."""


def trial_of(builds: Mapping[Mode, Build]) -> Trial:
    """Give a trial of the builds."""
    judge = Judge(DEFAULT_EDITION, Claim.full(), dict.fromkeys(builds, SEEING))
    return Trial(builds, judge)


def test_the_model_lives_on() -> None:
    """Nothing is found wrong with the model, which is asked for every operation of the edition."""
    builds = {mode: Build(mode) for mode in Mode}
    run_machine(trial_of(builds), Scope.full(), max_examples=25)
    asked = set(builds[Mode.RELEASE].asked)
    assert {*OPERATIONS} - asked == {"restore_items"}


def test_a_stored_session_is_restored_in_the_edition_that_has_it() -> None:
    """The whole vocabulary includes what edition 2026-11 adds (E11-2)."""
    made = lives(Scope.full(Edition.NOVEMBER_2026), seed=0, count=25)
    assert {str(op["op"]) for script in made for op in script} == {*OPERATIONS}


def test_lives_project_under_every_set_of_modalities() -> None:
    """Each history, a clone too, is projected for each kind of model."""
    made = lives(Scope.full(), seed=0, count=25)
    sets = {
        (op.get("on", 0), tuple(op["input_modalities"]))  # type: ignore[arg-type]
        for script in made
        for op in script
        if str(op["op"]).startswith("for_prompt")
    }
    assert sets == set(product(range(3), modality_sets(Scope.full())))


def test_every_step_is_looked_at_from_all_sides() -> None:
    """After a change come all parts of the history, its prompt, and the items of the others."""
    made = lives(Scope.full(), seed=0, count=10)
    lifelong = next(script for script in made if any(op["op"] == "clone" for op in script))
    names = [op["op"] for op in lifelong]
    after = names[names.index("clone") + 1 :]
    parts = ["raw_envelopes", "history_version", "reference_context_item"]
    assert after[:6] == [*parts, "world_state_baseline", "token_info", "for_prompt"]
    assert lives(Scope.full(), seed=0, count=10) == made != lives(Scope.full(), seed=1, count=10)


def test_lives_keep_to_the_claim() -> None:
    """A port of projection alone is asked for nothing that it does not have."""
    claim = Claim.from_json({"profiles": ["projection"], "item_types": ["message"]})
    made = lives(Scope(claim), seed=0, count=25)
    assert {str(op["op"]) for script in made for op in script} == {
        "record_items",
        "record_annotated_items",
        "replace",
        "for_prompt",
        "for_prompt_annotated",
        "raw_items",
        "raw_envelopes",
    }


class Forgetful(History):
    """A history that forgets its reference context when it is replaced."""

    def replace(self, *args: object) -> History:
        """Replace, and clear."""
        return evolve(super().replace(*args), reference_context=None)  # type: ignore[arg-type]


def test_a_fault_is_shown_with_a_small_script() -> None:
    """The machine ends at the few operations that show the fault, as a script to replay."""
    trial = trial_of({Mode.RELEASE: Build(Mode.RELEASE, Forgetful())})
    with pytest.raises(ExceptionGroup) as caught:
        run_machine(trial, Scope.full(), max_examples=300)
    (note,) = caught.value.exceptions[0].__notes__
    ops = orjson.loads(note.removeprefix(REPLAY))["ops"]
    assert [op["op"] for op in ops] == [
        "set_reference_context_item",
        "replace",
        "reference_context_item",
    ]


FAULTS = {
    "ForgetsCustom": "PAIR-3",
    "OwnIds": "SYN-1",
    "TakesImages": "IMG-2",
    "SharesMetadata": "PROJ-5",
    "NeverPanics": "MODE-3",
    "LosesAfterPanic": "MODE-8",
}


@pytest.mark.parametrize("name", FAULTS)
def test_lives_name_the_clause_and_print_a_file_to_replay(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Through the options of pytest, against an adapter; `contextcert replay` fails on it again."""
    adapter = f"broken_model:{name}"
    monkeypatch.setenv("PYTHONPATH", str(BROKEN))
    monkeypatch.syspath_prepend(str(BROKEN))
    monkeypatch.chdir(tmp_path)
    options = ["-p", "no:cacheprovider", "-k", "lives_of_several and 0"]
    command = [sys.executable, "-m", "pytest", *options, "--contextcert-adapter", adapter]
    done = subprocess.run(
        [*command, "--pyargs", "contextcert.properties"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stdout
    notes = [line.partition(REPLAY)[2] for line in done.stdout.splitlines() if REPLAY in line]
    (note,) = (note for note in notes if orjson.loads(note).get("clause") == FAULTS[name])
    assert "unattributed" not in done.stdout
    assert len(orjson.loads(note)["ops"]) <= 4
    file = tmp_path / "replay.json"
    file.write_text(note)
    assert run(["replay", str(file), "--adapter", adapter]) == 1
    assert FAULTS[name] in capsys.readouterr().out
    assert run(["replay", str(file)]) == 0
