"""The messages of the adapter protocol: JSON-RPC 2.0, one a line (DESIGN 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from contextcert import __version__
from contextcert.protocol.json_codec import JsonError, decode, encode
from contextcert.subject import PROTOCOL_VERSION

if TYPE_CHECKING:
    from contextcert.refmodel.json_value import Json, JsonObject
    from contextcert.refmodel.modes import Edition, Mode
    from contextcert.subject import Script

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603

_SHOWN_CHARACTERS: Final = 120


class NotAnAnswerError(Exception):
    """A line is no JSON-RPC response; the message says why."""


class WrongIdError(Exception):
    """A response carries another id than the request; `found` is that id."""

    def __init__(self, found: Json) -> None:
        """Keep the id found."""
        super().__init__(f"the answer has id {shown(found)}")
        self.found = found


class ErrorAnswer(Exception):  # noqa: N818 (JSON-RPC's own word for it)
    """A response is an error; `code` and `text` are the adapter's."""

    def __init__(self, code: Json, text: Json) -> None:
        """Keep what the adapter said."""
        super().__init__(f"error {shown(code)}: {shown(text)}")
        self.code = code
        self.text = text


def initialize_params(mode: Mode, edition: Edition) -> JsonObject:
    """Give the parameters of the handshake."""
    return {
        "protocol": PROTOCOL_VERSION,
        "mode": mode.value,
        "edition": edition.value,
        "suite": {"name": "contextcert", "version": __version__},
    }


def run_params(ops: Script, *, continue_after_panic: bool) -> JsonObject:
    """Give the parameters of a run; the flag is left out when false."""
    params: JsonObject = {"ops": list(ops)}
    if continue_after_panic:
        params["continue_after_panic"] = True
    return params


def request_line(request_id: int, method: str, params: JsonObject | None = None) -> bytes:
    """Write a request as a line, its newline included.

    Raises:
        JsonError: the parameters have no JSON text.
    """
    head = b'{"jsonrpc":"2.0","id":%d,"method":"%s"' % (request_id, method.encode())
    if params is None:
        return head + b"}\n"
    return b'%s,"params":%s}\n' % (head, encode(params))


def result_line(request_id: Json, result: Json) -> bytes:
    """Write a result as a line, its newline included."""
    return b'{"jsonrpc":"2.0","id":%s,"result":%s}\n' % (encode(request_id), encode(result))


def error_line(request_id: Json, code: int, message: str) -> bytes:
    """Write an error answer as a line, its newline included."""
    error: Json = {"code": code, "message": message}
    return b'{"jsonrpc":"2.0","id":%s,"error":%s}\n' % (encode(request_id), encode(error))


def read_result(line: bytes, request_id: int) -> Json:
    """Read the result out of a response line.

    Raises:
        NotAnAnswerError: the line is no JSON, or no response.
        WrongIdError: it answers another request.
        ErrorAnswer: it is an error.
    """
    try:
        response = decode(line)
    except JsonError as error:
        raise NotAnAnswerError(f"{shown_bytes(line)} is no JSON ({error})") from error
    if not isinstance(response, dict):
        raise NotAnAnswerError(f"{shown_bytes(line)} is no object")
    found = response.get("id")
    if type(found) is int and found == request_id and "result" in response:
        return response["result"]
    return _refuse(response, request_id, line)


def _refuse(response: JsonObject, request_id: int, line: bytes) -> Json:
    found = response.get("id")
    error = response.get("error")
    if isinstance(error, dict) and (found is None or found == request_id):
        raise ErrorAnswer(error.get("code"), error.get("message"))
    if "id" in response and (type(found) is not int or found != request_id):
        raise WrongIdError(found)
    raise NotAnAnswerError(f"{shown_bytes(line)} has no id and result, or no error with a message")


def shown(value: Json) -> str:
    """Give a short text of a JSON value for a sentence, with nothing a terminal would obey."""
    text = ascii(value)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"


def shown_bytes(line: bytes) -> str:
    """Give a short text of a line for a sentence, with nothing a terminal would obey."""
    return shown(line[: _SHOWN_CHARACTERS * 2].decode("utf-8", "backslashreplace").strip())
