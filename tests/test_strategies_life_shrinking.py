"""From a long random life to the smallest that shows a seeded fault of changes and recordings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final
from unittest.mock import patch

import pytest
from attrs import evolve, frozen

from contextcert.refmodel import (
    History,
    Mode,
    head_removal,
    rollback,
    run_script,
    truncation,
    world,
    write_items,
)
from contextcert.refmodel import history as history_module
from contextcert.refmodel import script as model
from contextcert.refmodel.chain import EnvelopeChain
from contextcert.refmodel.items import Envelope, Message
from contextcert.refmodel.outcomes import Done
from contextcert.refmodel.transcript import Cursor, TranscriptRead
from contextcert.strategies import Scope, Script, generate, operation_scripts, smallest_script

SCOPE = Scope.full()
SEEDS: Final = (1, 2)

Patches = Mapping[str, Any]
"""What a fault puts in the place of a part of the model, by its dotted name."""


def history_with(**methods: Callable[..., Any]) -> Patches:
    """Break some operations of the history; each is given the right one first."""
    wrong = {
        name: partial_method(getattr(History, name), method) for name, method in methods.items()
    }
    return {"contextcert.refmodel.script._NEW": type("Broken", (History,), wrong)()}


def partial_method(right: Callable[..., Any], wrong: Callable[..., Any]) -> Callable[..., Any]:
    """Give a method that gets the right one as its first argument."""

    def method(self: History, *args: object, **kwargs: object) -> object:
        return wrong(partial(right, self), self, *args, **kwargs)

    return method


def operation_with(name: str, wrong: Callable[..., Any]) -> Patches:
    """Break an operation of the protocol; it is given the right one first."""
    operations = {**model.OPERATIONS, name: partial(wrong, model.OPERATIONS[name])}
    return {"contextcert.refmodel.script.OPERATIONS": operations}


def kept_baseline(right: Callable[..., History], self: History, *args: object) -> History:
    """Do right, but keep the baseline."""
    return evolve(right(*args), baseline=self.baseline)


def removes_all(envelopes: Sequence[Envelope]) -> Sequence[Envelope]:
    """Remove the head and every match."""
    left = head_removal.remove_first(envelopes)
    while left and len(left) < len(envelopes) - 1:
        again = head_removal.remove_first([envelopes[0], *left])
        if len(again) == len(left):
            break
        left = again
    return left


def removes_last(envelopes: Sequence[Envelope]) -> Sequence[Envelope]:
    """Remove the head and the last match."""
    if not envelopes:
        return envelopes
    turned = head_removal.remove_first([envelopes[0], *reversed(envelopes[1:])])
    return [*reversed(turned)]


def walks_on(envelopes: Sequence[Envelope], num_turns: int) -> rollback.RolledBack:
    """Walk over context before the first boundary too (against ROLL-7)."""
    done = rollback.roll_back(envelopes, num_turns)
    left = list(done.envelopes)
    if len(left) < len(envelopes) and not any(rollback.is_boundary(one.item) for one in left):
        while left and rollback._is_context(left[-1].item):
            left.pop()
    return evolve(done, envelopes=left)


def never_clears(envelopes: Sequence[Envelope], num_turns: int) -> rollback.RolledBack:
    """Keep the reference context whatever is walked over (against ROLL-6)."""
    return evolve(rollback.roll_back(envelopes, num_turns), clears_reference_context=False)


def delta_always(
    right: Callable[[Cursor | None], TranscriptRead], self: History, cursor: Cursor | None
) -> TranscriptRead:
    """Give a delta whatever the version (against CUR-1)."""
    return right(None if cursor is None else evolve(cursor, history_version=self.version))


def held_now(_right: object, run: model._Run, op: Script) -> Done:
    """Read the history where what was handed out is asked for (against SNAP-2)."""
    del op
    return Done(model._list(write_items(run.histories.get(0, model._NEW).items)))


def clone_without_baseline(right: Callable[..., Any], run: model._Run, op: Any) -> object:  # noqa: ANN401 -- JSON
    """Clone all but the baseline (against SNAP-3)."""
    done = right(run, op)
    if op["to"] != op.get("on", 0):
        run.histories[op["to"]] = evolve(run.histories[op["to"]], baseline=None)
    return done


def clone_that_shares(right: Callable[..., Any], run: model._Run, op: Any) -> object:  # noqa: ANN401 -- JSON
    """Let what is recorded from now on be seen in both (against SNAP-1)."""
    done = right(run, op)
    shared = Shared(run.histories)
    shared.pair = (op["to"], op.get("on", 0))
    run.histories = shared
    return done


class Shared(dict[int, History]):
    """Histories two of which have the same items."""

    pair = (0, 0)

    def __setitem__(self, key: int, value: History) -> None:
        """Set the items of both."""
        super().__setitem__(key, value)
        for other in self.pair:
            if key in self.pair and other in self:
                super().__setitem__(other, evolve(self[other], envelopes=value.envelopes))


def prompt_that_clears(right: Callable[..., Any], run: model._Run, op: Any) -> object:  # noqa: ANN401 -- JSON
    """Clear the token info when projecting (against PROJ-1)."""
    done = right(run, op)
    run.becomes(op, evolve(run.history(op), token_info=None))
    return done


def without_nulls(baseline: Any, state: Any) -> Any:  # noqa: ANN401 -- JSON
    """Leave removed keys out of a patch (against WORLD-2)."""
    patch_ = world.merge_patch(baseline, state)
    if not isinstance(baseline, dict) or patch_ is None:
        return patch_
    return {key: value for key, value in patch_.items() if key in state} or None


@frozen
class Fault:
    """A seeded fault: the group it is looked for in, what it breaks, and the fewest operations."""

    group: str
    patches: Patches
    least: int


def in_history(name: str, wrong: object) -> Patches:
    """Break a function that the history calls."""
    return {f"{history_module.__name__}.{name}": wrong}


FAULTS = {
    "recording raises the version": Fault(
        "recording",
        history_with(record=lambda right, self, *a: evolve(right(*a), version=self.version + 1)),
        2,
    ),
    "recording clears the baseline": Fault(
        "world", history_with(record=lambda right, _, *a: evolve(right(*a), baseline=None)), 3
    ),
    "recording clears the token info": Fault(
        "recording", history_with(record=lambda right, _, *a: evolve(right(*a), token_info=None)), 3
    ),
    "head removal raises the version": Fault(
        "heads",
        history_with(remove_first=lambda right, self: evolve(right(), version=self.version + 1)),
        2,
    ),
    "head removal keeps the baseline": Fault("heads", history_with(remove_first=kept_baseline), 4),
    "head removal removes all matches": Fault("heads", in_history("remove_first", removes_all), 3),
    "head removal removes the last match": Fault(
        "heads", in_history("remove_first", removes_last), 3
    ),
    "rollback keeps the baseline": Fault("turns", history_with(roll_back=kept_baseline), 3),
    "rollback of nothing raises the version": Fault(
        "turns",
        history_with(
            roll_back=lambda right, self, n: (
                right(n) if n else evolve(self, version=self.version + 1)
            )
        ),
        2,
    ),
    "rollback drops one turn too few": Fault(
        "turns", history_with(roll_back=lambda right, _, n: right(n - 1 if n > 1 else n)), 3
    ),
    "rollback walks past the first boundary": Fault("turns", in_history("roll_back", walks_on), 3),
    "mixed bundle keeps the reference context": Fault(
        "turns", in_history("roll_back", never_clears), 4
    ),
    "pure bundle clears the reference context": Fault(
        "turns",
        {"contextcert.refmodel.rollback.is_mixed_bundle": lambda item: isinstance(item, Message)},
        4,
    ),
    "context of the user is a boundary": Fault(
        "turns", {"contextcert.refmodel.rollback.is_contextual_user_message": lambda _: False}, 3
    ),
    "context of the developer stays": Fault(
        "turns",
        {"contextcert.refmodel.rollback.is_contextual_developer_message": lambda _: False},
        3,
    ),
    "instructions of agents are no boundary": Fault(
        "turns", {"contextcert.refmodel.rollback.is_inter_agent_instruction": lambda _: False}, 3
    ),
    "first turn is not cleaned": Fault(
        "turns", {"contextcert.refmodel.rollback.is_model_switch": lambda _: False}, 3
    ),
    "replacing clears the reference context": Fault(
        "turns",
        history_with(replace=lambda right, _, items: evolve(right(items), reference_context=None)),
        3,
    ),
    "replacing filters": Fault(
        "turns",
        history_with(
            replace=lambda right, _, items: evolve(
                right(items),
                envelopes=EnvelopeChain.of(
                    one
                    for one in right(items).envelopes
                    if getattr(one.item, "role", "") != "system"
                ),
            )
        ),
        2,
    ),
    "limit is not enlarged": Fault(
        "recording",
        {
            "contextcert.refmodel.truncation.TruncationPolicy.budget": lambda self, _: (
                truncation.Budget(self.mode, self.limit)
            )
        },
        2,
    ),
    "characters are counted in half": Fault(
        "recording",
        {"contextcert.refmodel.truncation._splits_character": lambda _, __: False},
        2,
    ),
    "tokens are rounded down": Fault(
        "recording", {"contextcert.refmodel.truncation._tokens": lambda length: length // 4}, 2
    ),
    "a delta after replacing": Fault("lives", history_with(read_transcript=delta_always), 2),
    "what was held changes": Fault("lives", operation_with("held", held_now), 3),
    "a clone loses the baseline": Fault(
        "lives", operation_with("clone", clone_without_baseline), 3
    ),
    "a clone shares the items": Fault("lives", operation_with("clone", clone_that_shares), 3),
    "projecting clears the token info": Fault(
        "lives", operation_with("for_prompt", prompt_that_clears), 3
    ),
    "removed keys are left out of a patch": Fault(
        "world", in_history("merge_patch", without_nulls), 2
    ),
}


def shows(fault: Fault, ops: Script) -> bool:
    """Say whether the broken model answers otherwise, or not at all."""
    right = run_script(ops, mode=Mode.RELEASE)
    patches = [patch(name, wrong) for name, wrong in fault.patches.items()]
    for each in patches:
        each.start()
    try:
        return run_script(ops, mode=Mode.RELEASE) != right
    except UnicodeDecodeError:
        return True
    finally:
        for each in patches:
            each.stop()


def test_ninety_five_in_a_hundred_are_minimal() -> None:
    """Nearly every seeded fault is shown with at most one operation more than it needs."""
    missed = []
    for name, fault in FAULTS.items():
        for seed in SEEDS:
            found = smallest_script(fault.group, SCOPE, partial(shows, fault), seed=seed)
            assert found is not None, name
            if len(found) > fault.least + 1:
                missed.append((name, seed, found))
    assert len(missed) <= 0.05 * len(FAULTS) * len(SEEDS), missed


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_found_soon(name: str) -> None:
    """Some of the first 150 scripts of the fault's group shows it."""
    fault = FAULTS[name]
    assert any(shows(fault, ops) for ops in generate(fault.group, SCOPE, seed=5, count=150))


@pytest.mark.parametrize("name", FAULTS)
def test_faults_show_in_small_scripts(name: str) -> None:
    """Some script of up to three listed operations shows every fault."""
    fault = FAULTS[name]
    assert any(shows(fault, ops) for ops in operation_scripts(SCOPE, 3))
