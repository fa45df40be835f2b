"""The single route: one script, its histories on threads of their own, operation by operation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from contextcert.adapters.codex.app_server import AppServer
from contextcert.adapters.codex.failures import BinaryRefusal
from contextcert.adapters.codex.models import model_name
from contextcert.adapters.codex.operations import (
    UNSUPPORTED,
    UNSUPPORTED_CHANGES,
    BadArgument,
    CannotDo,
    check_policy,
    handle_of,
    items_of,
    modalities_of,
)
from contextcert.adapters.codex.stored_session import write_stored_session
from contextcert.protocol.json_codec import JsonError
from contextcert.refmodel.json_value import Json, JsonObject


class SingleRun:
    """One script's histories on the binary."""

    def __init__(self, server: AppServer, folder: Path, offered: Collection[str]) -> None:
        """Start with empty histories; `folder` takes stored sessions, `offered` are modalities."""
        self._server = server
        self._folder = folder
        self._offered = offered
        self._threads: dict[int, str] = {}
        self._stored: dict[int, list[Json]] = {}
        self._unknown: dict[int, str] = {}

    def run(self, ops: Sequence[JsonObject]) -> list[JsonObject]:
        """Give one outcome an operation.

        Raises:
            BinaryFailure: the binary ended, hung or made no sense.
        """
        return [self._outcome(op) for op in ops]

    def _outcome(self, op: JsonObject) -> JsonObject:
        try:
            return {"ok": self._done(op)}
        except CannotDo as reason:
            return {"unsupported": str(reason)}
        except (BadArgument, BinaryRefusal, JsonError) as refusal:
            return {"error": {"message": str(refusal)}}

    def _done(self, op: JsonObject) -> Json:
        name = op.get("op")
        if not isinstance(name, str):
            raise BadArgument("op is the name of an operation")
        if name in UNSUPPORTED:
            raise CannotDo(UNSUPPORTED[name])
        if name in UNSUPPORTED_CHANGES:
            self._lose_sight(op, name)
            raise CannotDo(UNSUPPORTED_CHANGES[name])
        carry_out = self._operations().get(name)
        if carry_out is None:
            raise CannotDo(f"{name!r} is no operation this adapter knows")
        handle = handle_of(op)
        if handle in self._unknown:
            raise CannotDo(f"this history went through {self._unknown[handle]}")
        return carry_out(handle, op)

    def _operations(self) -> dict[str, Callable[[int, JsonObject], Json]]:
        return {
            "record_items": self._record_items,
            "restore_items": self._restore_items,
            "for_prompt": self._for_prompt,
        }

    def _lose_sight(self, op: JsonObject, name: str) -> None:
        handle = op.get("to") if name == "clone" else op.get("on", 0)
        if isinstance(handle, int):
            self._unknown[handle] = f"{name}, which the wire cannot do"

    def _record_items(self, handle: int, op: JsonObject) -> None:
        check_policy(op)
        items = items_of(op)
        if items:
            self._server.inject(self._thread(handle), items)
            self._stored.pop(handle, None)

    def _restore_items(self, handle: int, op: JsonObject) -> None:
        items = items_of(op)
        if handle in self._threads and handle not in self._stored:
            self._unknown[handle] = "restore_items after something else, which the wire cannot do"
            raise CannotDo("the binary reads a stored session into an empty history alone")
        # Session files are only read whole: what was restored before is read again with the rest.
        stored = [*self._stored.get(handle, []), *items]
        thread, path = write_stored_session(self._folder, stored)
        model = model_name(self._offered)
        self._threads[handle] = self._server.resume_thread(thread, path, model)
        self._stored[handle] = stored

    def _for_prompt(self, handle: int, op: JsonObject) -> Json:
        model = model_name(modalities_of(op, self._offered))
        return self._server.project(self._thread(handle), model)

    def _thread(self, handle: int) -> str:
        if handle not in self._threads:
            self._threads[handle] = self._server.start_thread()
        return self._threads[handle]
