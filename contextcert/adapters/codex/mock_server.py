"""A Responses API server on loopback: it keeps the prompts it is sent and answers with nothing."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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
_EVENTS: Final[tuple[JsonObject, ...]] = (
    {"type": "response.created", "response": {"id": "resp_contextcert"}},
    {"type": "response.completed", "response": {"id": "resp_contextcert", "usage": _USAGE}},
)
_EMPTY_RESPONSE: Final = b"".join(
    b"event: " + str(event["type"]).encode() + b"\ndata: " + orjson.dumps(event) + b"\n\n"
    for event in _EVENTS
)


@frozen
class PromptRequest:
    """One request for a response: the thread it came from, its kind, and the prompt."""

    thread: str
    kind: str
    prompt: list[Json]


class MockServer:
    """The server; it listens from the moment it is made until it is closed."""

    def __init__(self) -> None:
        """Listen on a free port of 127.0.0.1."""
        self._requests: list[PromptRequest] = []
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

    def keep(self, request: PromptRequest) -> None:
        """Keep a request until it is taken."""
        with self._lock:
            self._requests.append(request)

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
        self.server.mock.keep(
            PromptRequest(
                thread=self.headers.get("thread-id") or str(body.get("prompt_cache_key", "")),
                kind=_kind(self.headers.get("x-codex-turn-metadata")),
                prompt=body["input"],
            )
        )
        self._answer(200, "text/event-stream", _EMPTY_RESPONSE)

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
