"""The single route: one script, its histories on threads of their own, step by step."""

from __future__ import annotations

from collections import Counter

from contextcert.adapters.codex.app_server import AppServer, Shown
from contextcert.adapters.codex.failures import BinaryRefusal
from contextcert.adapters.codex.lives import Life, NothingLeft
from contextcert.adapters.codex.steps import (
    Project,
    Reading,
    Record,
    Remove,
    Replace,
    Restore,
    RollBack,
    Step,
)
from contextcert.protocol.json_codec import JsonError
from contextcert.refmodel.json_value import JsonObject


class SingleRun:
    """One script's histories on the binary."""

    def __init__(self, server: AppServer, reading: Reading) -> None:
        """Start with empty histories."""
        self._reading = reading
        removals = Counter(step.history for step in reading.steps if isinstance(step, Remove))
        stored = {
            step.history for step in reading.steps if isinstance(step, Restore | RollBack | Replace)
        }
        self._lives = {
            history: Life(server, is_stored=history in stored, removals=removals[history])
            for history in {step.history for step in reading.steps}
        }

    def run(self) -> list[JsonObject]:
        """Give one outcome an operation.

        Raises:
            BinaryFailure: the binary ended, hung or made no sense.
        """
        steps = self._reading.steps
        return self._reading.outcomes({step.index: self._outcome(step) for step in steps})

    def _outcome(self, step: Step) -> JsonObject:
        try:
            return _done(self._lives[step.history], step)
        except (BinaryRefusal, JsonError) as refusal:
            return {"error": {"message": str(refusal)}}
        except NothingLeft as reason:
            return {"unsupported": str(reason)}


def _done(life: Life, step: Step) -> JsonObject:
    match step:
        case Record():
            life.record(step.items, step.policy)
        case Restore():
            life.restore(step.items)
        case Remove():
            life.remove_first()
        case RollBack():
            life.roll_back(step.turns)
        case Replace():
            life.replace(step.items)
        case Project():
            return prompt_outcome(life.project(step.modalities))
    return {"ok": None}


def prompt_outcome(shown: Shown) -> JsonObject:
    """Give the outcome of a projection; reports are left out where there is nothing reported."""
    if shown.messages is None:
        return {"ok": shown.prompt, "diagnostics": None}
    return {"ok": shown.prompt, **({"diagnostics": [*shown.messages]} if shown.messages else {})}
