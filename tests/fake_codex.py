"""A stand-in for the Codex binary: its app-server over the reference model, with faults on demand.

It cuts what it records under the policy of a thread's model, removes first items while a compaction
fails, keeps session files, replays rollbacks and replacements from them, and logs anomalies.

A text `please ...` in a recorded message makes it misbehave when it next projects: `please crash`,
`please hang`, `please double` (two requests for one turn). With `please once` it crashes the first
time only, leaving a file beside this one's launcher.

FAKE_VERSION 0.121.0 makes it an old release: no ids on the wire, edition 2026-08, and a turn
without input never ends.
"""

from __future__ import annotations

import json
import os
import sys
import time
import tomllib
import urllib.request
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contextcert.refmodel import (
    Edition,
    History,
    ItemError,
    TruncationPolicy,
    project,
    read_item,
    seeded_fresh_ids,
    write_item,
)
from contextcert.refmodel.items import Envelope

VERSION = os.environ.get("FAKE_VERSION", "9.9.9")
OLD = VERSION == "0.121.0"
EDITION = Edition.AUGUST_2026 if OLD else Edition.NOVEMBER_2026
FRESH_IDS = seeded_fresh_ids(1)


def main() -> None:
    """Answer `--version`, or serve."""
    if "--version" in sys.argv:
        sys.stdout.write(f"codex-cli {VERSION}\n")
        return
    home = Path(os.environ["CODEX_HOME"])
    config = tomllib.loads((home / "config.toml").read_text(encoding="utf-8"))
    _refuse_unknown(config)
    Server(home, config).serve()


def _refuse_unknown(config: dict[str, Any]) -> None:
    unknown = [f"features.{name}" for name in config["features"] if name in {"hooks", "nonsense"}]
    if "--strict-config" in sys.argv and unknown:
        sys.exit(f"Error: config.toml:1:1: unknown configuration field `{unknown[0]}`")


@dataclass
class Thread:
    """A history, the model of its last turn, and the session file it is kept in, if it is."""

    history: History
    model: str
    file: Path | None = None


class Server:
    """Threads are histories."""

    def __init__(self, home: Path, config: dict[str, Any]) -> None:
        """Read the catalogue and the address of the mock server."""
        self.home = home
        self.url = config["model_providers"][config["model_provider"]]["base_url"] + "/responses"
        models = json.loads((home / "catalogue.json").read_text(encoding="utf-8"))["models"]
        self.models = {model["slug"]: model for model in models}
        self.usual = config["model"]
        self.threads: dict[str, Thread] = {}

    def serve(self) -> None:
        """Answer one request a line."""
        for line in sys.stdin.buffer:
            request = json.loads(line)
            if "id" in request:
                self.answer(request)

    def answer(self, request: dict[str, Any]) -> None:
        """Carry a request out and write its answer, and the end of a turn after it."""
        name = request["method"].replace("/", "_")
        params = request.get("params") or {}
        try:
            self.say({"id": request["id"], "result": getattr(self, name)(params)})
        except ItemError as error:
            self.say({"id": request["id"], "error": {"code": -32600, "message": str(error)}})
            return
        if name == "turn_start":
            self.turn(params)
        if name == "thread_compact_start":
            self.compact(params["threadId"])

    @staticmethod
    def say(message: dict[str, Any]) -> None:
        """Write one message."""
        sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
        sys.stdout.buffer.flush()

    def initialize(self, _params: dict[str, Any]) -> dict[str, Any]:
        """Say hello."""
        return {"userAgent": "fake"}

    def thread_start(self, params: dict[str, Any]) -> dict[str, Any]:
        """Start with an empty history."""
        file = None if params["ephemeral"] else self.home / f"kept-{uuid.uuid4()}.jsonl"
        return self._added(Thread(History(), params.get("model", self.usual), file))

    def thread_resume(self, params: dict[str, Any]) -> dict[str, Any]:
        """Read a session file, and go on with it."""
        file = Path(params["path"])
        history = History()
        for line in file.read_text(encoding="utf-8").splitlines():
            history = _replayed(history, json.loads(line))
        return self._added(Thread(history, params["model"], file))

    def thread_inject_items(self, params: dict[str, Any]) -> dict[str, Any]:
        """Record all items or none."""
        envelopes = []
        for place, item in enumerate(params["items"]):
            try:
                envelopes.append(Envelope(_read(item)))
            except ItemError as error:
                raise ItemError(f"items[{place}] is not a valid response item: {error}") from None
        thread = self.threads[params["threadId"]]
        policy = TruncationPolicy.from_json(self.models[thread.model]["truncation_policy"])
        before = len(thread.history.envelopes)
        thread.history = thread.history.record(envelopes, policy, EDITION, FRESH_IDS)
        if thread.file is not None:
            with thread.file.open("a", encoding="utf-8") as file:
                for envelope in tuple(thread.history.envelopes)[before:]:
                    file.write(json.dumps(_kept(write_item(envelope.item))) + "\n")
        return {}

    def thread_compact_start(self, _params: dict[str, Any]) -> dict[str, Any]:
        """Compact the history afterwards."""
        return {}

    def compact(self, thread_id: str) -> None:
        """Remove first items from a copy as long as the history is too long."""
        thread = self.threads[thread_id]
        history = thread.history
        instruction = {"type": "message", "role": "user", "content": []}
        while True:
            prompt = [*self.prompt(history, thread.model), instruction]
            too_long = "context_length_exceeded" in self.post(thread_id, prompt, "compaction")
            if not too_long or len(prompt) == 1:
                break
            history = history.remove_first()
        self.say(_ended(thread_id, "failed"))

    def turn_start(self, _params: dict[str, Any]) -> dict[str, Any]:
        """Take the turn afterwards."""
        return {"turn": {"id": "t"}}

    def turn(self, params: dict[str, Any]) -> None:
        """Send the prompt, then say that the turn is over."""
        thread = self.threads[params["threadId"]]
        thread.model = params["model"]
        policy = TruncationPolicy.from_json(self.models[thread.model]["truncation_policy"])
        for text in params["input"]:
            entry = {"type": "input_text", "text": text["text"]}
            message = {"type": "message", "role": "user", "content": [entry]}
            envelope = Envelope(read_item(message, EDITION))
            thread.history = thread.history.record([envelope], policy, EDITION, FRESH_IDS)
        if OLD and not params["input"]:
            return
        prompt = self.prompt(thread.history, thread.model)
        text = json.dumps(prompt)
        _misbehave(text)
        for _ in range(2 if "please double" in text else 1):
            self.post(params["threadId"], prompt, "turn")
        self.say(_ended(params["threadId"], "completed"))

    def prompt(self, history: History, model: str) -> list[Any]:
        """Project a history, and log its anomalies."""
        shown = project(history.envelopes, self.models[model]["input_modalities"], EDITION)
        for message in shown.anomalies:
            sys.stderr.write(f"2026-01-01T00:00:00.000000Z ERROR codex_core::util: {message}\n")
        sys.stderr.write("2026-01-01T00:00:00.000000Z ERROR codex_core::other: of no interest\n")
        sys.stderr.flush()
        return [_sent(write_item(envelope.item)) for envelope in shown.envelopes]

    def post(self, thread: str, prompt: list[Any], kind: str) -> str:
        """Send a request to the mock server and give its answer."""
        body = json.dumps({"input": prompt}).encode()
        headers = {
            "thread-id": thread,
            "content-type": "application/json",
            "x-codex-turn-metadata": json.dumps({"request_kind": kind}),
        }
        request = urllib.request.Request(self.url, body, headers)  # noqa: S310 -- loopback
        with urllib.request.urlopen(request, timeout=10) as response:  # noqa: S310 -- loopback
            return str(response.read().decode())

    def _added(self, thread: Thread) -> dict[str, Any]:
        thread_id = str(uuid.uuid4())
        self.threads[thread_id] = thread
        return {"thread": {"id": thread_id, "path": str(thread.file) if thread.file else None}}


def _replayed(history: History, line: dict[str, Any]) -> History:
    """Do what a line of a session file says."""
    payload = line["payload"]
    match line["type"], payload.get("type"):
        case "response_item", _:
            return history.restore([read_item(payload, EDITION)])
        case "compacted", _:
            items = payload["replacement_history"]
            return history.replace([read_item(item, EDITION) for item in items])
        case "event_msg", "thread_rolled_back":
            return history.roll_back(payload["num_turns"])
    return history


def _kept(item: dict[str, Any]) -> dict[str, Any]:
    """Write an item the way a session file keeps it, with a turn if it was given none."""
    meta = {"turn_id": "auto-compact-0", "create_time": 1.5}
    return {
        "type": "response_item",
        "payload": {"internal_chat_message_metadata_passthrough": meta, **item},
        "metadata": {"fallback_token_limit_override": 12_000, "history_sequence": 1},
    }


def _ended(thread: str, status: str) -> dict[str, Any]:
    ended = {"threadId": thread, "turn": {"id": "t", "status": status}}
    return {"method": "turn/completed", "params": ended}


def _read(item: Any) -> Any:  # noqa: ANN401 -- whatever was sent
    if OLD and "input_audio" in json.dumps(item):
        raise ItemError("unknown variant `input_audio`")
    return read_item(item, EDITION)


def _sent(item: dict[str, Any]) -> dict[str, Any]:
    """Leave out what the wire never carries."""
    hidden = {"internal_chat_message_metadata_passthrough", "encrypted_function_args"}
    if OLD:
        hidden |= {"id", "namespace"}
    return {key: value for key, value in item.items() if key not in hidden}


def _misbehave(text: str) -> None:
    if "please crash" in text:
        os._exit(3)
    if "please hang" in text:
        time.sleep(600)
    once = Path(os.environ["FAKE_MARKER"]) if "FAKE_MARKER" in os.environ else None
    if "please once" in text and once is not None and not once.exists():
        once.touch()
        os._exit(3)


main()
