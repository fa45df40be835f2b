"""The model as a program: the loop, its errors, and the model's own answers."""

import io
import json
from typing import Any

import pytest

from contextcert.refmodel.modes import Edition, Mode
from contextcert.serve import serve

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocol": 1,
        "mode": "debug",
        "edition": "2026-08",
        "suite": {"name": "test", "version": "0"},
    },
}


def run(*ops: dict[str, Any], **params: bool) -> dict[str, Any]:
    """Give a request that runs a script."""
    return {"jsonrpc": "2.0", "id": 7, "method": "run", "params": {"ops": list(ops), **params}}


def talk(
    *requests: dict[str, Any] | bytes,
    mode: Mode = Mode.DEBUG,
    edition: Edition | None = None,
    newline: bytes = b"\n",
) -> list[dict[str, Any]]:
    """Serve these requests and give the answers."""
    lines = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in requests]
    stdout = io.BytesIO()
    serve(mode, edition, io.BytesIO(newline.join(lines)), stdout)
    return [json.loads(line) for line in stdout.getvalue().splitlines()]


def test_the_handshake_tells_the_builds_own_mode() -> None:
    """A release build asked for debug says release."""
    (answer,) = talk(INITIALIZE, mode=Mode.RELEASE)
    assert answer["result"]["mode"] == "release"
    assert answer["result"]["protocol"] == 1
    assert answer["result"]["capabilities"]["continue_after_panic"] is True
    assert answer["result"]["capabilities"]["restore_items"] is False


def test_the_edition_served_may_be_any_or_one() -> None:
    """Without an edition all are offered, and the one asked for is taken on."""
    later = json.loads(json.dumps(INITIALIZE).replace("2026-08", "2026-11"))
    (answer,) = talk(later)
    assert answer["result"]["editions"] == ["2026-08", "2026-11"]
    assert answer["result"]["capabilities"]["restore_items"] is True
    (answer,) = talk(later, edition=Edition.AUGUST_2026)
    assert answer["result"]["editions"] == ["2026-08"]
    assert answer["result"]["capabilities"]["restore_items"] is False


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_lines_end_as_they_like(newline: bytes) -> None:
    """LF and CRLF are accepted, and so is a last line without either."""
    first, second = talk(INITIALIZE, run({"op": "raw_items"}), newline=newline)
    assert (first["id"], second["id"]) == (1, 7)
    assert second["result"] == {"outcomes": [{"ok": []}]}


def test_a_run_gives_the_models_outcomes() -> None:
    """An anomaly panics in debug, and the script ends there."""
    orphan = {"type": "function_call_output", "call_id": "a", "output": ""}
    record = {
        "op": "record_items",
        "items": [orphan],
        "policy": {"mode": "tokens", "limit": 1},
    }
    project = {"op": "for_prompt", "input_modalities": []}
    answer = talk(INITIALIZE, run(record, project, {"op": "raw_items"}))[1]
    panic = {"panic": "Orphan function call output for call id: a"}
    assert answer["result"]["outcomes"] == [{"ok": None}, panic]
    answer = talk(INITIALIZE, run(record, project, {"op": "raw_items"}, continue_after_panic=True))[
        1
    ]
    assert answer["result"]["outcomes"] == [{"ok": None}, panic, {"ok": [orphan]}]


def test_fresh_ids_are_the_same_in_every_run() -> None:
    """A run starts from nothing, its source of ids included (E11-2)."""
    record = {
        "op": "record_items",
        "items": [{"type": "message", "role": "user", "content": []}],
        "policy": {"mode": "tokens", "limit": 1},
    }
    script = run(record, {"op": "raw_items"})
    later = json.loads(json.dumps(INITIALIZE).replace("2026-08", "2026-11"))
    answers = talk(later, script, script)
    assert answers[1] == answers[2]
    assert answers[1]["result"]["outcomes"][1]["ok"][0]["id"].startswith("msg_")


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (b"{", -32700),
        (b'{"id":1,"method":"run","params":{"a":"\xff"}}', -32700),
        (b"[]", -32600),
        (b'{"id":1}', -32600),
        ({"id": 1, "method": "walk"}, -32601),
        ({"id": 1, "method": "run"}, -32602),
        ({"id": 1, "method": "run", "params": {"ops": 1}}, -32602),
        ({"id": 1, "method": "run", "params": {"ops": [1]}}, -32602),
        ({"id": 1, "method": "run", "params": {"ops": [{}]}}, -32602),
        ({"id": 1, "method": "run", "params": {"ops": [], "continue_after_panic": 1}}, -32602),
        ({"id": 1, "method": "initialize"}, -32602),
        ({"id": 1, "method": "initialize", "params": {}}, -32602),
    ],
)
def test_a_request_that_cannot_be_served_gets_an_error_and_the_loop_goes_on(
    request_: dict[str, Any] | bytes, code: int
) -> None:
    """Each kind of wrong request has its JSON-RPC code, and the next one is served."""
    _, error, fine = talk(INITIALIZE, request_, run({"op": "raw_items"}))
    assert error["error"]["code"] == code
    assert error["error"]["message"]
    assert fine["result"] == {"outcomes": [{"ok": []}]}


def test_a_run_before_the_handshake_is_an_error() -> None:
    """Nothing runs before initialize."""
    (answer,) = talk(run({"op": "raw_items"}))
    assert answer["error"]["code"] == -32600


def test_shutdown_ends_the_loop() -> None:
    """After shutdown is answered with null, nothing more is read."""
    answers = talk(INITIALIZE, {"id": 2, "method": "shutdown"}, run({"op": "raw_items"}))
    assert answers[1:] == [{"jsonrpc": "2.0", "id": 2, "result": None}]


def test_blank_lines_and_notifications_are_not_answered() -> None:
    """A message without an id asks for no answer."""
    assert len(talk(INITIALIZE, b"", b"  ", {"method": "run"})) == 1
