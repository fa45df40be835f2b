# ruff: noqa: INP001 (a kit is a folder of modules)
"""The protocol loop, to copy as it is: your own part is `adapter.py`, which fills in `Adapter`."""

import json
import logging
import sys
import traceback
from collections.abc import Callable
from typing import Any

JsonObject = dict[str, Any]


class UnsupportedError(Exception):
    """Raised by the adapter for an operation that it does not know or cannot do."""


class Adapter:
    """One implementation in one mode: `adapter.py` overrides what raises NotImplementedError."""

    refusals: tuple[type[Exception], ...] = ()  # with what an operation is refused, whole

    def initialize(self, params: JsonObject) -> JsonObject:
        """Answer the handshake."""
        raise NotImplementedError

    def new_script(self) -> Callable[[JsonObject], object]:
        """Give what performs the operations of one script, on fresh histories."""
        raise NotImplementedError

    def run(self, params: JsonObject) -> JsonObject:
        """Run a script: an outcome an operation, none after a panic unless asked to go on."""
        perform, outcomes = self.new_script(), list[JsonObject]()
        for op in params["ops"]:
            outcomes.append(self._outcome(perform, op))
            if "panic" in outcomes[-1] and params.get("continue_after_panic") is not True:
                break
        return {"outcomes": outcomes}

    def _outcome(self, perform: Callable[[JsonObject], object], op: JsonObject) -> JsonObject:
        _ERRORS.clear()
        try:
            value = perform(op)
        except UnsupportedError as error:
            return {"unsupported": str(error)}
        except self.refusals as error:
            return {"error": {"message": str(error)}}
        except RecursionError:
            return {"error": {"message": "it is nested too deeply"}}
        except AssertionError as error:  # with what a debug build stops
            return {"panic": str(error)}
        except Exception as error:  # noqa: BLE001 (a defect of the implementation is shown, too)
            traceback.print_exc()
            return {"panic": f"{type(error).__name__}: {error}"}
        return {"ok": value, "diagnostics": [*_ERRORS]} if _ERRORS else {"ok": value}


def serve(adapter: Adapter, write: Callable[[bytes], object] | None = None) -> None:
    """Answer the requests on standard input until a shutdown, or its end."""
    sys.setrecursionlimit(10_000)
    sys.set_int_max_str_digits(0)
    answers, sys.stdout = sys.stdout, sys.stderr  # a stray print would break the protocol
    for line in filter(bytes.strip, sys.stdin.buffer):
        request, answer = _answered(adapter, line)
        if "id" in request:
            (write or answers.buffer.write)(answer)
            answers.flush()
        if request.get("method") == "shutdown":
            break


def _answered(adapter: Adapter, line: bytes) -> tuple[JsonObject, bytes]:
    request, code = JsonObject(id=None), -32700  # no JSON, or no request; then a defect
    try:
        request, code = _decode(line), -32603
        if (key := str(request.get("method"))) not in _METHODS:
            return request, _failed(request, -32601, f"unknown method {key}")
        return request, _encode(request, result=_METHODS[key](adapter, request.get("params") or {}))
    except Exception as error:  # noqa: BLE001 (the process outlives any one request)
        traceback.print_exc()
        return request, _failed(request, code, f"{type(error).__name__}: {error}")


def _failed(request: JsonObject, code: int, message: str) -> bytes:
    safe = message[:500].encode("ascii", "backslashreplace").decode()  # it may echo anything
    return _encode(request, error={"code": code, "message": safe})


def _decode(line: bytes) -> JsonObject:
    request: JsonObject = {**_DECODER.decode(line.decode())}
    if b"\\u" in line:
        _encode(request, all=request)  # half a surrogate pair, as an escape writes it, has no UTF-8
    return request


def _encode(request: JsonObject, **answer: object) -> bytes:
    message = {"jsonrpc": "2.0", "id": request.get("id"), **answer}
    return _ENCODER.encode(message).encode() + b"\n"


def _finite(text: str) -> float:
    if abs(number := float(text)) < float("inf"):
        return number
    raise ValueError(f"JSON has no number {text[:40]}")


class _Logged(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        _ERRORS.append(record.getMessage())


_METHODS: dict[str, Callable[[Adapter, Any], object]] = {
    "initialize": lambda adapter, params: adapter.initialize(params),
    "run": lambda adapter, params: adapter.run(params),
    "shutdown": lambda _adapter, _params: None,
}
_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_finite)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_ERRORS: list[str] = []  # what release logged at error level during an operation, in order
logging.getLogger().addHandler(_Logged(logging.ERROR))
