"""A stand-in for the Codex binary: its app-server over the reference model, with faults on demand.

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
POLICY = TruncationPolicy.from_json({"mode": "tokens", "limit": 10000})
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


class Server:
    """Threads are histories."""

    def __init__(self, home: Path, config: dict[str, Any]) -> None:
        """Read the catalogue and the address of the mock server."""
        self.url = config["model_providers"][config["model_provider"]]["base_url"] + "/responses"
        models = json.loads((home / "catalogue.json").read_text(encoding="utf-8"))["models"]
        self.modalities = {model["slug"]: model["input_modalities"] for model in models}
        self.threads: dict[str, History] = {}

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

    @staticmethod
    def say(message: dict[str, Any]) -> None:
        """Write one message."""
        sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
        sys.stdout.buffer.flush()

    def initialize(self, _params: dict[str, Any]) -> dict[str, Any]:
        """Say hello."""
        return {"userAgent": "fake"}

    def thread_start(self, _params: dict[str, Any]) -> dict[str, Any]:
        """Start with an empty history."""
        return self._added(History())

    def thread_resume(self, params: dict[str, Any]) -> dict[str, Any]:
        """Read a session file."""
        lines = Path(params["path"]).read_text(encoding="utf-8").splitlines()
        items = [json.loads(line)["payload"] for line in lines[1:]]
        return self._added(History().restore([read_item(item, EDITION) for item in items]))

    def thread_inject_items(self, params: dict[str, Any]) -> dict[str, Any]:
        """Record all items or none."""
        envelopes = []
        for place, item in enumerate(params["items"]):
            try:
                envelopes.append(Envelope(_read(item)))
            except ItemError as error:
                raise ItemError(f"items[{place}] is not a valid response item: {error}") from None
        history = self.threads[params["threadId"]]
        self.threads[params["threadId"]] = history.record(envelopes, POLICY, EDITION, FRESH_IDS)
        return {}

    def turn_start(self, _params: dict[str, Any]) -> dict[str, Any]:
        """Take the turn afterwards."""
        return {"turn": {"id": "t"}}

    def turn(self, params: dict[str, Any]) -> None:
        """Send the prompt, then say that the turn is over."""
        history = self.threads[params["threadId"]]
        for text in params["input"]:
            entry = {"type": "input_text", "text": text["text"]}
            message = {"type": "message", "role": "user", "content": [entry]}
            envelope = Envelope(read_item(message, EDITION))
            history = history.record([envelope], POLICY, EDITION, FRESH_IDS)
        self.threads[params["threadId"]] = history
        if OLD and not params["input"]:
            return
        shown = project(history.envelopes, self.modalities[params["model"]], EDITION)
        prompt = [_sent(write_item(envelope.item)) for envelope in shown.envelopes]
        text = json.dumps(prompt)
        _misbehave(text)
        for _ in range(2 if "please double" in text else 1):
            self.post(params["threadId"], prompt)
        turn = {"id": "t", "status": "completed"}
        ended = {"threadId": params["threadId"], "turn": turn}
        self.say({"method": "turn/completed", "params": ended})

    def post(self, thread: str, prompt: list[Any]) -> None:
        """Send a request to the mock server."""
        body = json.dumps({"input": prompt}).encode()
        request = urllib.request.Request(  # noqa: S310 -- loopback
            self.url, body, {"thread-id": thread, "content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=10) as response:  # noqa: S310 -- loopback
            response.read()

    def _added(self, history: History) -> dict[str, Any]:
        thread = str(uuid.uuid4())
        self.threads[thread] = history
        return {"thread": {"id": thread}}


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
