"""The single route: one script, its histories on threads of their own, step by step."""

from __future__ import annotations

from contextcert.adapters.codex.app_server import AppServer
from contextcert.adapters.codex.failures import BinaryRefusal
from contextcert.adapters.codex.models import model_name
from contextcert.adapters.codex.steps import Project, Reading, Record, Restore, Step
from contextcert.adapters.codex.stored_session import restore
from contextcert.protocol.json_codec import JsonError
from contextcert.refmodel.json_value import Json, JsonObject


class SingleRun:
    """One script's histories on the binary."""

    def __init__(self, server: AppServer) -> None:
        """Start with empty histories."""
        self._server = server
        self._threads: dict[int, str] = {}
        self._stored: dict[int, list[Json]] = {}

    def run(self, reading: Reading) -> list[JsonObject]:
        """Give one outcome an operation.

        Raises:
            BinaryFailure: the binary ended, hung or made no sense.
        """
        return reading.outcomes({step.index: self._outcome(step) for step in reading.steps})

    def _outcome(self, step: Step) -> JsonObject:
        try:
            return {"ok": self._value(step)}
        except (BinaryRefusal, JsonError) as refusal:
            return {"error": {"message": str(refusal)}}

    def _value(self, step: Step) -> Json:
        match step:
            case Record():
                if step.items:
                    self._server.inject(self._thread(step.history), step.items)
                return None
            case Restore():
                self._restore(step)
                return None
            case Project():
                thread = self._thread(step.history)
                return self._server.project(thread, model_name(step.modalities))

    def _restore(self, step: Restore) -> None:
        # Session files are only read whole: what was restored before is read again with the rest.
        stored = [*self._stored.get(step.history, []), *step.items]
        self._threads[step.history] = restore(self._server, stored)
        self._stored[step.history] = stored

    def _thread(self, history: int) -> str:
        if history not in self._threads:
            self._threads[history] = self._server.start_thread()
        return self._threads[history]
