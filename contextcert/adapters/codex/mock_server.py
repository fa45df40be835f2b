"""A Responses API server on loopback: it keeps the prompts it is sent and answers with nothing.

A request for a compaction always fails: as too long, so that the binary removes the oldest item and
tries again, and once it has done so often enough, for a reason that makes it give up. The history
stays as it was, and the thread can be used on.
"""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import orjson
from attrs import frozen

from contextcert.refmodel.json_value import Json, JsonObject

_USAGE: Final[JsonObject] = {
    "input_tokens": 0,
    "input_tokens_details": None,
    "output_tokens": 0,
    "output_tokens_details": None,
    "total_tokens": 0,
}
_COMPACTION: Final = "compaction"


def _response(end: str, **about: Json) -> bytes:
    """Write the events of a response without items that ends in the way named."""
    events: tuple[JsonObject, ...] = (
        {"type": "response.created", "response": {"id": "resp_contextcert"}},
        {"type": end, "response": {"id": "resp_contextcert", **about}},
    )
    return b"".join(
        b"event: " + str(event["type"]).encode() + b"\ndata: " + orjson.dumps(event) + b"\n\n"
        for event in events
    )


def _failure(code: str) -> bytes:
    error: JsonObject = {"code": code, "message": "a failure that was asked for"}
    return _response("response.failed", error=error)


_EMPTY_RESPONSE: Final = _response("response.completed", usage=_USAGE)
_TOO_LONG: Final = _failure("context_length_exceeded")
_ENOUGH: Final = _failure("invalid_prompt")


@frozen
class PromptRequest:
    """One request for a response: the thread it came from, its kind, and the prompt.

    `log_size` is the length of the binary's log, in bytes, when the request came in.
    """

    thread: str
    kind: str
    prompt: list[Json]
    log_size: int = 0


class MockServer:
    """The server; it listens from the moment it is made until it is closed."""

    def __init__(self) -> None:
        """Listen on a free port of 127.0.0.1."""
        self._requests: list[PromptRequest] = []
        self._log: Path | None = None
        self._removals: dict[str, int] = {}
        self._lock = threading.Lock()
        self._http = _Listener(self)
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        self._thread.start()

    @property
    def port(self) -> int:
        """The port on 127.0.0.1."""
        return self._http.server_port

    def watch_log(self, log: Path) -> None:
        """Note the length of this log with each request from now on."""
        self._log = log

    def log_size(self) -> int:
        """Give the length of the watched log, in bytes."""
        return 0 if self._log is None else self._log.stat().st_size

    def ask_for_removals(self, thread: str, count: int) -> None:
        """Have the thread's next compaction remove that many items, or all before."""
        with self._lock:
            self._removals[thread] = count

    def keep(self, request: PromptRequest) -> bytes:
        """Keep a request until it is taken, and give the response."""
        with self._lock:
            self._requests.append(request)
            if request.kind != _COMPACTION:
                return _EMPTY_RESPONSE
            left = self._removals.pop(request.thread, 0)
            # What is left of an empty history is the instruction to compact it. Failing as too long
            # once more would leave the thread for a full one.
            if not left or len(request.prompt) <= 1:
                return _ENOUGH
            self._removals[request.thread] = left - 1
            return _TOO_LONG

    def take(self, thread: str) -> list[PromptRequest]:
        """Hand out the requests of one thread, in order, and forget all that came in."""
        with self._lock:
            taken, self._requests = self._requests, []
        return [request for request in taken if request.thread == thread]

    def close(self) -> None:
        """Stop listening."""
        self._http.shutdown()
        self._http.server_close()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    # A connection that the binary keeps open must not hold up the end.
    block_on_close = False

    def __init__(self, mock: MockServer) -> None:
        self.mock = mock
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Listener

    def do_POST(self) -> None:
        body = orjson.loads(self.rfile.read(int(self.headers["content-length"])))
        response = self.server.mock.keep(
            PromptRequest(
                thread=self.headers.get("thread-id") or str(body.get("prompt_cache_key", "")),
                kind=_kind(self.headers.get("x-codex-turn-metadata")),
                prompt=body["input"],
                log_size=self.server.mock.log_size(),
            )
        )
        self._answer(200, "text/event-stream", response)

    def do_GET(self) -> None:
        self._answer(404, "text/plain", b"")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- inherited name
        """Say nothing: stderr belongs to what went wrong."""

    def _answer(self, status: int, content_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _kind(turn_metadata: str | None) -> str:
    # Releases that send no metadata send turns alone under this configuration.
    if turn_metadata is None:
        return "turn"
    return str(orjson.loads(turn_metadata).get("request_kind", "turn"))
