"""One initialised process of an adapter, asked in requests and answered in results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import frozen

from contextcert.adapters import faults
from contextcert.adapters.faults import AdapterError
from contextcert.adapters.pipes import LinePipe, PipeError, Trouble
from contextcert.processes import Child
from contextcert.protocol import schema
from contextcert.protocol.json_codec import decode
from contextcert.protocol.messages import (
    ErrorAnswer,
    NotAnAnswerError,
    WrongIdError,
    initialize_params,
    read_result,
    request_line,
    run_params,
)
from contextcert.protocol.outcomes import ShapeError, read_outcomes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contextcert.refmodel.json_value import Json, JsonObject
    from contextcert.refmodel.modes import Edition, Mode
    from contextcert.subject import Outcomes, Script

START_SECONDS: Final = 10.0
"""How long an adapter may take to start and answer `initialize`, before the time-out factor."""

RUN_SECONDS: Final = 5.0
"""How long an adapter may take to answer a script, before the time-out factor."""

_GRACE_SECONDS: Final = 0.1
_SHUTDOWN_SECONDS: Final = 1.0
_INITIALIZE_ID: Final = 1


@frozen
class Launch:
    """How to start a process of an adapter, and what to ask of it first."""

    command: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str | None
    mode: Mode
    edition: Edition
    time_out_factor: float = 1.0
    validating: bool = False
    run_share: float = 1.0

    @property
    def start_seconds(self) -> float:
        """The time-out of `initialize`."""
        return START_SECONDS * self.time_out_factor

    @property
    def run_seconds(self) -> float:
        """The time-out of `run`."""
        return RUN_SECONDS * self.time_out_factor * self.run_share


class Connection:
    """A process that has been sent `initialize`; whoever makes one ends it."""

    def __init__(self, launch: Launch) -> None:
        """Start the process without waiting for its answer.

        Raises:
            OSError: the program or its folder cannot be used.
        """
        self._launch = launch
        self._child = Child(launch.command, launch.env, launch.cwd)
        self._pipe = LinePipe(self._child)
        self._last_id = _INITIALIZE_ID
        params = initialize_params(launch.mode, launch.edition)
        self._validate_request("initialize", _INITIALIZE_ID, params)
        self._pipe.send(request_line(_INITIALIZE_ID, "initialize", params))

    @property
    def last_id(self) -> int:
        """The id of the request that was sent last."""
        return self._last_id

    @property
    def group(self) -> int:
        """The process group."""
        return self._child.group

    def handshake(self) -> Json:
        """Wait for the result of `initialize`; called once, before anything else is asked.

        Raises:
            AdapterError: there was none.
        """
        seconds = self._launch.start_seconds
        try:
            line = self._pipe.receive(seconds)
        except PipeError as error:
            raise self._trouble(error, seconds) from error
        return self._result("initialize", line, _INITIALIZE_ID)

    def run(self, ops: Script, *, continue_after_panic: bool) -> Outcomes:
        """Run a script.

        Raises:
            AdapterError: the adapter failed.
            JsonError: the script has no JSON text.
        """
        params = run_params(ops, continue_after_panic=continue_after_panic)
        result = self._request("run", params, self._launch.run_seconds)
        try:
            return read_outcomes(
                result, ops, continue_after_panic=continue_after_panic, pointer="/result"
            )
        except ShapeError as error:
            raise faults.malformed(str(error), self._pipe.logs(), error.before) from error

    def request(self, method: str, params: JsonObject | None, seconds: float) -> Json:
        """Ask anything and give the result.

        Raises:
            AdapterError: there was none.
        """
        return self._request(method, params, seconds)

    def speaks_unasked(self, seconds: float) -> bool:
        """Wait so long for a line that nobody asked for."""
        return self._pipe.speaks_unasked(seconds)

    def logs(self) -> str:
        """Give the tail of the adapter's stderr."""
        return self._pipe.logs()

    def shut_down(self) -> int | None:
        """Ask the adapter to exit, and end whatever does not; gives its own exit code, if any.

        Raises:
            AdapterError: the request was not answered as it should be; the process is ended all
                the same.
        """
        seconds = _SHUTDOWN_SECONDS * self._launch.time_out_factor
        try:
            self._request("shutdown", None, seconds)
            self._child.close_stdin()
            return self._child.exit_status(seconds)
        finally:
            self.end()

    def end(self) -> None:
        """End the process and everything it started."""
        self._child.end(_GRACE_SECONDS)

    def kill(self) -> None:
        """End the process and everything it started, at once."""
        self._child.end()

    def _request(self, method: str, params: JsonObject | None, seconds: float) -> Json:
        self._last_id = asked = self._last_id + 1
        self._validate_request(method, asked, params)
        try:
            line = self._pipe.ask(request_line(asked, method, params), seconds)
        except PipeError as error:
            if error.trouble is Trouble.UNASKED:
                # Whether two lines come in one piece is chance; what the first is, is not.
                self._result(method, error.line, asked)
            raise self._trouble(error, seconds) from error
        return self._result(method, line, asked)

    def _result(self, method: str, line: bytes, asked: int) -> Json:
        try:
            result = read_result(line, asked)
        except NotAnAnswerError as error:
            raise faults.garbage(str(error), self._pipe.logs()) from error
        except WrongIdError as error:
            raise self._wrong_id(error, asked) from error
        except ErrorAnswer as error:
            raise faults.refused(method, str(error), self._pipe.logs()) from error
        if self._launch.validating:
            self._validate_response(method, line)
        return result

    def _wrong_id(self, error: WrongIdError, asked: int) -> AdapterError:
        found = error.found
        if isinstance(found, int) and not isinstance(found, bool) and 1 < found < asked:
            return faults.stale_id(found, asked, self._pipe.logs())
        return faults.wrong_id(str(error), asked, self._pipe.logs())

    def _trouble(self, error: PipeError, seconds: float) -> AdapterError:
        # The state of the process is read first: a dying one has then written its last words.
        trouble = faults.pipe_fault(error, self._child, "", seconds)
        trouble.logs = self._pipe.logs()
        return trouble

    def _validate_request(self, method: str, asked: int, params: JsonObject | None) -> None:
        if not self._launch.validating:
            return
        request = decode(request_line(asked, method, params))
        schema.check(f"{method}-request", request)

    def _validate_response(self, method: str, line: bytes) -> None:
        try:
            schema.check_response(method, decode(line))
        except schema.SchemaError as error:
            raise faults.malformed(str(error), self._pipe.logs()) from error
