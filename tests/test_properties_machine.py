"""The rule machine: it accuses nobody who is right, and shrinks what it finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from unittest.mock import patch

import orjson
import pytest
from attrs import evolve

from contextcert.properties import Judge
from contextcert.properties.machine import run_machine
from contextcert.properties.trial import Trial
from contextcert.refmodel import DEFAULT_EDITION, Claim, History, Mode, run_script
from contextcert.strategies import OPERATIONS, Scope
from contextcert.subject import Answer, Capabilities, Description, Script

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
    assert {*OPERATIONS} - asked <= {
        "restore_items",
        "for_prompt_annotated",
        "raw_items",
        "set_world_state_baseline",
        "token_info",
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
    (note, *_) = caught.value.exceptions[0].__notes__
    ops = orjson.loads(note.removeprefix("script: "))
    assert [op["op"] for op in ops] == [
        "set_reference_context_item",
        "replace",
        "reference_context_item",
    ]
