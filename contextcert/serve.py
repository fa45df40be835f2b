"""A subject as a program: the loop that reads requests from stdin and answers on stdout."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from contextcert.adapters.model import ModelSubject
from contextcert.protocol.json_codec import JsonError, decode
from contextcert.protocol.messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    error_line,
    result_line,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from contextcert.refmodel.json_value import Json, JsonObject
    from contextcert.refmodel.modes import Edition, Mode
    from contextcert.subject import Subject


def serve(mode: Mode, edition: Edition | None, stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve the built-in model until stdin ends or a shutdown is asked for (DESIGN 3).

    It offers the one edition, or all of them where that is None.
    """
    serve_subject(ModelSubject(mode, edition), stdin, stdout)


def serve_subject(subject: Subject, stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve any subject that is a Python object; `run` raises ValueError for bad parameters."""
    server = Server(subject)
    for line in stdin:
        answer = server.answer(line)
        if answer is not None:
            stdout.write(answer)
            stdout.flush()
        if server.finished:
            return


class Server:
    """One conversation: initialize, runs, shutdown."""

    def __init__(self, subject: Subject) -> None:
        """Begin before initialize."""
        self.finished = False
        self._subject = subject
        self._initialized = False
        self._methods: Mapping[str, Callable[[Json], Json]] = {
            "initialize": self._initialize,
            "run": self._run,
            "shutdown": self._shut_down,
        }

    def answer(self, line: bytes) -> bytes | None:
        """Answer one line, its ending included or not; None for blank lines and notifications."""
        if not line.strip():
            return None
        try:
            request = decode(line)
        except JsonError as error:
            return error_line(None, PARSE_ERROR, f"the line is no JSON: {error}")
        if not isinstance(request, dict) or not isinstance(request.get("method"), str):
            return error_line(None, INVALID_REQUEST, "a request is an object with a method")
        answer = self._answer(request)
        return answer if "id" in request else None

    def _answer(self, request: JsonObject) -> bytes:
        request_id = request.get("id")
        method = self._methods.get(str(request["method"]))
        if method is None:
            return error_line(request_id, METHOD_NOT_FOUND, f"no method {request['method']!a}")
        try:
            return result_line(request_id, method(request.get("params")))
        except _BeforeInitializeError:
            return error_line(request_id, INVALID_REQUEST, "initialize comes before run")
        except ValueError as error:
            return error_line(request_id, INVALID_PARAMS, str(error))
        except Exception as error:  # noqa: BLE001 (the process must outlive a defect)
            return error_line(request_id, INTERNAL_ERROR, f"{type(error).__name__}: {error}")

    def _initialize(self, params: Json) -> JsonObject:
        if not isinstance(params, dict):
            raise ValueError("params is an object")
        answer = self._subject.initialize(params)
        self._initialized = True
        return answer

    def _run(self, params: Json) -> JsonObject:
        if not self._initialized:
            raise _BeforeInitializeError
        if not isinstance(params, dict):
            raise ValueError("params is an object")
        return self._subject.run(params)

    def _shut_down(self, _params: Json) -> None:
        self.finished = True


class _BeforeInitializeError(Exception):
    pass
