"""A conversation with an adapter in lines of our own making, such as no session would send."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

from contextcert.adapters import faults
from contextcert.adapters.connection import RUN_SECONDS, START_SECONDS
from contextcert.adapters.pipes import LinePipe, PipeError
from contextcert.processes import Child
from contextcert.protocol.json_codec import JsonError, decode, encode
from contextcert.protocol.messages import (
    ErrorAnswer,
    NotAnAnswerError,
    WrongIdError,
    initialize_params,
    read_result,
    shown_bytes,
)

if TYPE_CHECKING:
    from contextcert.adapters.stdio import CommandWay
    from contextcert.refmodel.json_value import Json, JsonObject
    from contextcert.refmodel.modes import Edition, Mode

END_SECONDS: Final = 2.0
"""How long an adapter may take to end, before the time-out factor."""

_SETTLE_SECONDS: Final = 0.02


class TroubleError(Exception):
    """The adapter did something else than was asked; one sentence says what."""


class Conversation:
    """A process of an adapter, started by the first line; whoever makes one ends it."""

    def __init__(self, way: CommandWay, mode: Mode, edition: Edition, factor: float) -> None:
        """Start the program without asking it anything.

        Raises:
            OSError: it cannot be started.
        """
        self._child = Child(way.command, way.env, way.cwd)
        self._pipe = LinePipe(self._child)
        self._factor = factor
        self.params = initialize_params(mode, edition)

    def initialize(self, *, end: bytes = b"\n", params: JsonObject | None = None) -> None:
        """Shake hands.

        Raises:
            TroubleError: there was no result.
        """
        request: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
        line = encode(request | {"params": params or self.params}) + end
        self._result(self._line(line, START_SECONDS), 1)

    def ask(self, line: bytes, request_id: int) -> Json:
        """Send a line and give the result that comes back.

        Raises:
            TroubleError: there was none, or more than it.
        """
        result = self._result(self._line(line, RUN_SECONDS), request_id)
        if self._pipe.speaks_unasked(_SETTLE_SECONDS):
            raise TroubleError("one request was answered by more than one line")
        return result

    def error(self, line: bytes, request_id: int) -> JsonObject:
        """Send a line and give the error that comes back for this id.

        Raises:
            TroubleError: no error came, or one of another shape.
        """
        answer = self._line(line, RUN_SECONDS)
        try:
            response = decode(answer)
        except JsonError as error:
            raise TroubleError(f"{shown_bytes(answer)} is no JSON ({error})") from error
        if isinstance(response, dict) and response.get("id") == request_id:
            refusal = response.get("error")
            if isinstance(refusal, dict) and _is_error(refusal):
                return refusal
        raise TroubleError(f"expected an error for id {request_id}, got {shown_bytes(answer)}")

    def close_stdin(self) -> None:
        """Tell the adapter that nothing more is coming."""
        self._child.close_stdin()

    def ends(self) -> bool:
        """Wait for the process to end of itself."""
        return self._child.exit_status(END_SECONDS * self._factor) is not None

    def rest(self) -> bytes:
        """Give what an adapter that has ended wrote to stdout after its last answer."""
        rest = b""
        deadline = time.monotonic() + _SETTLE_SECONDS
        while time.monotonic() < deadline:
            try:
                piece = os.read(self._child.stdout, 64 * 1024)
            except BlockingIOError:
                continue
            if not piece:
                break
            rest += piece
        return rest

    def logs(self) -> str:
        """Give the tail of the adapter's stderr."""
        return self._pipe.logs()

    def end(self) -> None:
        """End the process and everything it started."""
        self._child.end()

    def _line(self, line: bytes, seconds: float) -> bytes:
        seconds *= self._factor
        try:
            return self._pipe.ask(line, seconds)
        except PipeError as error:
            trouble = faults.pipe_fault(error, self._child, "", seconds)
            raise TroubleError(trouble.message) from error

    def _result(self, line: bytes, request_id: int) -> Json:
        try:
            return read_result(line, request_id)
        except (NotAnAnswerError, WrongIdError, ErrorAnswer) as error:
            raise TroubleError(f"request {request_id} got no result: {error}") from error


def _is_error(error: JsonObject) -> bool:
    code, text = error.get("code"), error.get("message")
    return isinstance(code, int) and not isinstance(code, bool) and isinstance(text, str)
