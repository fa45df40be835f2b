"""Speaks the adapter protocol on stdin and stdout: `serve_zoo.py [--fault NAME] [--mode MODE]`.

Needs the standard library and this folder, nothing else. Without `--mode` the handshake decides.
A script that begins with `{"op": "become", "fault": NAME}` is answered by the subject with that
fault, so that one process serves them all in turn.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from zoo.registry import subject
from zoo.subject import ZooSubject
from zoo.values import Json, Object


def main() -> None:
    """Answer one message a line until `shutdown` or the end of the input."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--fault")
    options.add_argument("--mode", choices=("debug", "release"))
    chosen = options.parse_args()
    serving = subject(chosen.fault, chosen.mode)
    for line in sys.stdin.buffer:
        message = json.loads(line)
        answer = {"jsonrpc": "2.0", "id": message["id"], **_answer(serving, message)}
        sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")
        sys.stdout.buffer.flush()
        if message["method"] == "shutdown":
            return


def _answer(serving: ZooSubject, message: Object) -> dict[str, Json]:
    params = message.get("params") or {}
    match message["method"]:
        case "initialize":
            return {"result": serving.initialize(params)}
        case "run":
            return {"result": _run(serving, params)}
        case "shutdown":
            return {"result": None}
        case method:
            return {"error": {"code": -32601, "message": f"unknown method {method}"}}


def _run(serving: ZooSubject, params: Object) -> Object:
    first, *rest = [*params["ops"], None]
    if first is None or first["op"] != "become":
        return serving.run(params)
    other = subject(first["fault"], serving.mode)
    given = other.run({**params, "ops": rest[:-1]})
    return {"outcomes": [{"ok": None}, *given["outcomes"]]}


if __name__ == "__main__":
    main()
