"""The tests of a subject: every broken clause raises its own exception with a small script."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from attrs import evolve

from contextcert.properties import VIOLATIONS, Judge
from contextcert.properties.trial import (
    REPLAY,
    SHARDS,
    FaultError,
    Trial,
    UnattributedError,
    require_random,
    shard_of,
)
from contextcert.refmodel import DEFAULT_EDITION, Claim, Mode, run_script
from contextcert.strategies import Scope
from contextcert.subject import Answer, Capabilities, Description, Fault, FaultKind, Script

SEEING = Capabilities(diagnostics=True, exact_numbers=True, success_flag=True)


class Build:
    """A session that answers with the model's outcomes, changed by a function."""

    def __init__(self, mode: Mode, change: Any = None) -> None:  # noqa: ANN401
        """Take the mode and what to do to every item of a prompt; None leaves it out."""
        self.mode = mode
        self.change = change

    @property
    def description(self) -> Description:
        """Nobody asks."""
        raise NotImplementedError

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        """Answer with the model's outcomes."""
        outcomes = run_script(ops, mode=self.mode, continue_after_panic=continue_after_panic)
        return Answer([self.changed(outcome) for outcome in outcomes])

    def changed(self, outcome: dict[str, Any]) -> dict[str, Any]:
        """Change the items of a list that was shown."""
        if self.change is None or not isinstance(outcome.get("ok"), list):
            return outcome
        items = [self.change(item) for item in outcome["ok"]]
        return {**outcome, "ok": [item for item in items if item is not None]}

    def run_batch(self, scripts: Sequence[Script]) -> list[Answer]:
        """Answer one by one."""
        return [self.run(script) for script in scripts]

    def close(self) -> None:
        """Hold nothing."""


class Silent(Build):
    """A session that never answers."""

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        """Fail."""
        del ops, continue_after_panic
        return Answer(None, Fault(FaultKind.HANG, "it did not answer in time"))


def trial(builds: Mapping[Mode, Build]) -> Trial:
    """Make a trial that sees everything."""
    return Trial(builds, Judge(DEFAULT_EDITION, Claim.full(), dict.fromkeys(Mode, SEEING)))


def without_aborted(item: dict[str, Any]) -> dict[str, Any] | None:
    """Leave synthetic outputs of function and custom calls out."""
    return None if item.get("output") == "aborted" else item


def test_shards_cover_everything_once() -> None:
    """The parts of a test leave nothing out and do nothing twice."""
    indices = [index for shard in range(SHARDS) for index in shard_of(1003, shard)]
    assert indices == list(range(1003))


def test_model_passes() -> None:
    """Nothing is raised for the model."""
    builds = {mode: Build(mode) for mode in Mode}
    require_random(trial(builds), "pairs", Scope.full(), 3, range(10, 40))


def test_every_broken_clause_is_raised_with_a_small_script() -> None:
    """Several clauses are told apart, each shrunk to one item."""
    release = trial({Mode.RELEASE: Build(Mode.RELEASE, without_aborted)})
    with pytest.raises(ExceptionGroup) as raised:
        require_random(release, "pairs", Scope.full(), 3, range(150))
    errors = {type(error): error for error in raised.value.exceptions}
    for clause in ("PAIR-1", "PAIR-3", "PAIR-4"):
        (note,) = errors[VIOLATIONS[clause]].__notes__
        replay = json.loads(note.removeprefix(REPLAY))
        assert (replay["clause"], replay["mode"]) == (clause, "release")
        brought = [
            item for op in replay["ops"] for item in op.get("items", op.get("envelopes", []))
        ]
        assert len(brought) == 1


class Poisoned(Build):
    """A debug build whose second panic speaks of the first."""

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        """Answer with another panic where the model panics again."""
        answer = super().run(ops, continue_after_panic=continue_after_panic)
        panics = [one for one in answer.outcomes or [] if "panic" in one]
        for later in panics[1:]:
            later["panic"] = "the lock is poisoned"
        return answer


@pytest.mark.parametrize("can_go_on", [True, False])
def test_debug_is_asked_to_go_on_after_a_panic_where_it_can(
    *,
    can_go_on: bool,
) -> None:
    """What a panic leaves behind is required too, with a note of how it was asked (MODE-8)."""
    sees = evolve(SEEING, continue_after_panic=can_go_on)
    judge = Judge(DEFAULT_EDITION, Claim.full(), {Mode.DEBUG: sees})
    debug = Trial({Mode.DEBUG: Poisoned(Mode.DEBUG)}, judge)
    if not can_go_on:
        require_random(debug, "lives", Scope.full(), 3, range(40))
        return
    with pytest.raises(ExceptionGroup) as raised:
        require_random(debug, "lives", Scope.full(), 3, range(40))
    errors = {type(error): error for error in raised.value.exceptions}
    (note,) = errors[VIOLATIONS["MODE-8"]].__notes__
    assert json.loads(note.removeprefix(REPLAY))["continue_after_panic"] is True


def test_unexplained_difference_is_raised() -> None:
    """What no check explains is an error of its own."""
    script = [{"op": "set_token_info", "value": 1}]
    build = Build(Mode.DEBUG)
    build.changed = lambda _outcome: {"ok": 1}  # type: ignore[method-assign]
    with pytest.raises(ExceptionGroup) as raised:
        trial({Mode.DEBUG: build}).require([script])
    assert isinstance(raised.value.exceptions[0], UnattributedError)


def test_fault_is_raised_with_its_script() -> None:
    """An adapter that does not answer ends the test with a sentence."""
    with pytest.raises(FaultError, match="release build did not answer: hang") as raised:
        trial({Mode.RELEASE: Silent(Mode.RELEASE)}).require([[{"op": "raw_items"}]])
    (note,) = raised.value.__notes__
    assert json.loads(note.removeprefix(REPLAY)) == {
        "mode": "release",
        "edition": "2026-08",
        "ops": [{"op": "raw_items"}],
    }


def test_violation_that_does_not_shrink_is_kept() -> None:
    """Where shrinking finds nothing, the first script stands."""
    item = {"type": "function_call", "name": "f", "arguments": "", "call_id": "a"}
    policy = {"mode": "tokens", "limit": 10}
    script = [
        {"op": "record_items", "items": [item], "policy": policy},
        {"op": "for_prompt", "input_modalities": []},
    ]
    release = trial({Mode.RELEASE: Build(Mode.RELEASE, without_aborted)})
    with pytest.raises(ExceptionGroup) as raised:
        release.require([script], lambda _script, _condition: None)
    assert [type(error) for error in raised.value.exceptions] == [VIOLATIONS["PAIR-1"]]
