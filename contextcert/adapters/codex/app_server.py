"""The binary's app-server: one process, asked over JSON-RPC on its stdin and stdout."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from attrs import evolve, frozen

from contextcert.adapters.codex.diagnostics import messages_in
from contextcert.adapters.codex.failures import (
    BinaryFailure,
    BinaryGone,
    BinaryIncoherent,
    BinaryRefusal,
    BinarySilent,
)
from contextcert.adapters.codex.home import environment
from contextcert.adapters.codex.mock_server import MockServer
from contextcert.adapters.codex.sentinel import Sentinel
from contextcert.protocol.json_codec import JsonError, decode, encode
from contextcert.refmodel.json_value import Json, JsonObject

STOP_SECONDS: Final = 5.0
_CLIENT: Final[JsonObject] = {
    "clientInfo": {"name": "contextcert", "title": "contextcert", "version": "1"},
    "capabilities": {"experimentalApi": True},
}
_FRESH_THREAD: Final[JsonObject] = {
    "ephemeral": True,
    "environments": [],
    "baseInstructions": "",
}
_STDERR_TAIL: Final = 4000


@frozen
class Shown:
    """A prompt that the binary sent, and what it reported at error level while it made it.

    `messages` is None where that says nothing of the history: of calls that were unanswered when a
    session was resumed the binary keeps silent.
    """

    prompt: list[Json]
    messages: list[str] | None


@frozen
class Thread:
    """A thread of the binary; `session_file` is what it keeps of it, if it keeps anything."""

    id: str
    session_file: Path | None = None


class AppServer:
    """A running app-server; threads of it are histories."""

    def __init__(
        self,
        command: Sequence[str],
        home: Path,
        mock: MockServer,
        time_out: float,
        sentinel: Sentinel | None = None,
    ) -> None:
        """Start the binary in a home folder that is already filled.

        Args:
            command: the binary and its arguments.
            home: its home folder, where its stderr is kept too.
            mock: the server its configuration points to.
            time_out: seconds to wait for any one answer.
            sentinel: what each turn brings where one without input sends nothing.

        Raises:
            BinaryFailure: it ended, or did not answer.
            OSError: the file cannot be run.
        """
        self.home = home
        self.threads = 0
        self._mock = mock
        self._time_out = time_out
        self._sentinel = sentinel
        self._last_id = 0
        self._stderr = home / "stderr.log"
        self._messages: queue.SimpleQueue[JsonObject | None] = queue.SimpleQueue()
        with self._stderr.open("wb") as stderr:
            # It stays in our process group: whoever ends the group ends the binary with it.
            self._process = subprocess.Popen(  # noqa: S603 -- the program the user named
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=home,
                env=environment(home),
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input: IO[bytes] = self._process.stdin
        self._reader = threading.Thread(
            target=self._read, args=(self._process.stdout,), daemon=True
        )
        self._reader.start()
        mock.watch_log(self._stderr)
        self._greet()

    def start_thread(self, model: str | None = None, *, kept: bool = False) -> Thread:
        """Start a thread with an empty history, in a session file of the binary if it is kept."""
        params = {**_FRESH_THREAD, "ephemeral": not kept}
        if model is not None:
            params["model"] = model
        return self._thread(self._request("thread/start", params))

    def resume_thread(self, thread: str, rollout: Path, model: str) -> Thread:
        """Start a thread from a stored session, which the binary then continues."""
        params: JsonObject = {
            "threadId": thread,
            "path": str(rollout),
            "model": model,
            "baseInstructions": "",
        }
        return evolve(self._thread(self._request("thread/resume", params)), session_file=rollout)

    def inject(self, thread: Thread, items: Sequence[Json]) -> None:
        """Record items on a thread.

        Raises:
            BinaryRefusal: one of them is not readable; none was recorded.
            JsonError: one holds a lone surrogate, on which the binary would never answer.
        """
        self._request("thread/inject_items", {"threadId": thread.id, "items": list(items)})

    def project(self, thread: Thread, model: str) -> Shown:
        """Take a turn without input and give the prompt that the binary sent for it."""
        given = [] if self._sentinel is None else self._sentinel.turn_input(thread.id)
        params: JsonObject = {"threadId": thread.id, "input": given, "model": model}
        (shown,) = self._shown("turn", "turn/start", thread, params)
        if self._sentinel is None:
            return shown
        return evolve(shown, prompt=self._sentinel.cut(thread.id, shown.prompt))

    def project_without_first(self, thread: Thread, count: int) -> list[Shown]:
        """Compact a history in vain, and give the prompt after 0, 1, ... up to `count` removals.

        The model is that of the thread's last turn. The binary removes the oldest items of a copy;
        it stops where a prompt is empty.
        """
        self._mock.ask_for_removals(thread.id, count)
        sent = self._shown("compaction", "thread/compact/start", thread, {"threadId": thread.id})
        # The last item asks for the summary.
        return [evolve(shown, prompt=shown.prompt[:-1]) for shown in sent]

    def _shown(self, kind: str, method: str, thread: Thread, params: JsonObject) -> list[Shown]:
        """Give everything that a turn sent, with what was logged before it was sent."""
        start = self._mock.log_size()
        self._request(method, params)
        turn = self._turn_completed(thread.id)
        requests = self._mock.take(thread.id)
        kinds = [request.kind for request in requests]
        if not kinds or set(kinds) != {kind} or (kind == "turn" and len(kinds) > 1):
            sent = ", ".join(kinds) or "no request"
            raise BinaryIncoherent(f"one turn sent {sent} instead of one prompt; it ended {turn}")
        starts = [start, *(request.log_size for request in requests)]
        return [
            Shown(request.prompt, self._messages_between(begin, request.log_size))
            for begin, request in zip(starts, requests, strict=False)
        ]

    def _messages_between(self, start: int, end: int) -> list[str]:
        if start == end:
            return []
        with self._stderr.open("rb") as log:
            log.seek(start)
            text = log.read(end - start).decode(errors="replace")
        return messages_in(text)

    def stderr(self) -> str:
        """Give the end of what the binary logged."""
        try:
            return self._stderr.read_bytes()[-_STDERR_TAIL:].decode(errors="replace")
        except OSError:
            return ""

    def close(self, grace: float = STOP_SECONDS) -> None:
        """End the binary: first by closing its input, then, after some seconds, by force."""
        with contextlib.suppress(OSError):
            self._input.close()
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(STOP_SECONDS)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _greet(self) -> None:
        try:
            self._request("initialize", _CLIENT)
            self._send({"method": "initialized"})
        except BaseException:
            self.close()
            raise

    def _thread(self, result: JsonObject) -> Thread:
        self.threads += 1
        thread = result.get("thread")
        if not isinstance(thread, dict) or not isinstance(thread.get("id"), str):
            raise BinaryIncoherent("the answer to a new thread has no thread id")
        path = thread.get("path")
        return Thread(str(thread["id"]), Path(path) if isinstance(path, str) else None)

    def _request(self, method: str, params: JsonObject) -> JsonObject:
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        while True:
            message = self._next(method)
            if message.get("id") != self._last_id or "method" in message:
                continue
            if "error" in message:
                raise BinaryRefusal(_error_text(message["error"]))
            result = message.get("result")
            return result if isinstance(result, dict) else {}

    def _turn_completed(self, thread: str) -> str:
        while True:
            message = self._next("turn/start")
            params = message.get("params")
            if message.get("method") != "turn/completed" or not isinstance(params, dict):
                continue
            turn = params.get("turn")
            if params.get("threadId") == thread and isinstance(turn, dict):
                return str(turn.get("status"))

    def _send(self, message: JsonObject) -> None:
        try:
            self._input.write(encode(message) + b"\n")
            self._input.flush()
        except (BrokenPipeError, ValueError) as error:
            raise self._gone("before it read the request") from error

    def _next(self, asked: str) -> JsonObject:
        try:
            message = self._messages.get(timeout=self._time_out)
        except queue.Empty:
            raise BinarySilent(
                f"the binary gave no answer to {asked} within {self._time_out:g} seconds"
            ) from None
        if message is None:
            self._messages.put(None)
            raise self._gone(f"while it was asked for {asked}")
        return message

    def _gone(self, when: str) -> BinaryFailure:
        code = self._process.poll()
        return BinaryGone(f"the binary ended (exit status {code}) {when}")

    def _read(self, stdout: IO[bytes]) -> None:
        for line in stdout:
            try:
                message = decode(line)
            except JsonError:
                continue
            if isinstance(message, dict):
                self._messages.put(message)
        self._messages.put(None)


def _error_text(error: Json) -> str:
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return str(error["message"])
    return "the binary gave an error without a message"
