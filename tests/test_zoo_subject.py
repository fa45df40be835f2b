"""The zoo's correct subject agrees with SPEC's worked examples, in process and over pipes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from zoo.faulty import FAULTS
from zoo.registry import subject
from zoo.values import Object

TESTS: Final = Path(__file__).parent
POLICY: Final[Object] = {"mode": "tokens", "limit": 10000}
PROJECT: Final[Object] = {"op": "for_prompt", "input_modalities": ["text", "image", "audio"]}

CALLS: Final[dict[str, Object]] = {
    "function": {"type": "function_call", "name": "f", "arguments": "{}"},
    "shell": {
        "type": "local_shell_call",
        "status": "completed",
        "action": {"type": "exec", "command": ["ls"]},
    },
    "custom": {"type": "custom_tool_call", "name": "t", "input": ""},
    "search": {"type": "tool_search_call", "execution": "client", "arguments": {}},
}

SYNTHETIC_IDS: Final = [
    ("function", "fc_1", "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4"),
    ("function", "fc_existing", "fco_742749b0-3645-5d32-a172-676827826a07"),
    ("function", "abc", "fco_54e052cc-70eb-5988-a407-53fa52816ad0"),
    ("shell", "lsh_1", "fco_37093384-5cd0-5813-8a86-723bfcccbbb2"),
    ("custom", "ctc_1", "ctco_ffd2c872-81a7-5a00-b6f6-884096d1f522"),
    ("search", "tsc_1", "tso_f380c6b3-5815-5031-91ee-dd1c77f963ee"),
]

ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"

CUTS: Final = [
    ("bytes", 10, ALPHABET, "abcdef…14 chars truncated…uvwxyz"),
    ("bytes", 1, ALPHABET, "a…24 chars truncated…z"),
    ("bytes", 0, ALPHABET, "…26 chars truncated…"),
    ("bytes", 21, ALPHABET, ALPHABET),
    ("tokens", 0, ALPHABET, "…7 tokens truncated…"),
    ("tokens", 5, ALPHABET, "abcdefghijkl…1 tokens truncated…opqrstuvwxyz"),
    ("bytes", 10, "😀" * 5, "😀…3 chars truncated…😀"),
    ("bytes", 5, "héllo wörld ünï", "hé…11 chars truncated…nï"),
]


def record(*items: Object) -> Object:
    """Give the operation that records these items uncut."""
    return {"op": "record_items", "items": list(items), "policy": POLICY}


@pytest.mark.parametrize(("family", "item_id", "derived"), SYNTHETIC_IDS)
def test_synthetic_ids_are_those_of_the_specification(
    family: str, item_id: str, derived: str
) -> None:
    """A call without output gains one whose id SPEC 2.3 gives."""
    call = {**CALLS[family], "id": item_id, "call_id": "x"}
    outcomes = subject(None, "release").run({"ops": [record(call), PROJECT]})["outcomes"]
    assert outcomes[1]["ok"][1]["id"] == derived


@pytest.mark.parametrize(("mode", "limit", "text", "cut"), CUTS)
def test_texts_are_cut_as_in_the_specification(mode: str, limit: int, text: str, cut: str) -> None:
    """An output's text is cut as SPEC 3.2 works it out."""
    output = {"type": "function_call_output", "call_id": "x", "output": text}
    recording = {**record(output), "policy": {"mode": mode, "limit": limit}}
    outcomes = subject(None, "release").run({"ops": [recording, {"op": "raw_items"}]})["outcomes"]
    assert outcomes[1]["ok"][0]["output"] == cut


def served(*options: str, messages: list[Object]) -> list[Object]:
    """Give what the served zoo answers to some messages."""
    lines = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in messages)
    done = subprocess.run(
        [sys.executable, "-S", str(TESTS / "zoo" / "serve_zoo.py"), *options],
        input=lines.encode(),
        capture_output=True,
        check=True,
        timeout=30,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def conversation(mode: str, ops: list[Object]) -> list[Object]:
    """Give a whole conversation: handshake, one script, farewell."""
    handshake = {"protocol": 1, "mode": mode, "edition": "2026-08"}
    return [
        {"id": 1, "method": "initialize", "params": handshake},
        {"id": 2, "method": "run", "params": {"ops": ops}},
        {"id": 3, "method": "shutdown"},
    ]


@pytest.mark.parametrize("mode", ["debug", "release"])
def test_served_subject_answers_as_in_process(mode: str) -> None:
    """Over pipes, with the standard library alone, the subject gives the same outcomes."""
    ops = [record({**CALLS["custom"], "call_id": "é😀"}), PROJECT]
    answers = served(messages=conversation(mode, ops))
    assert [answer["id"] for answer in answers] == [1, 2, 3]
    assert answers[0]["result"]["mode"] == mode
    assert answers[1]["result"] == subject(None, mode).run({"ops": ops})


def test_served_fault_has_its_own_mode() -> None:
    """A build started for one mode says so, whatever it is asked for."""
    ops = [record({**CALLS["function"], "call_id": "x"}), PROJECT]
    options = ("--fault", "function-call-left-open", "--mode", "release")
    answers = served(*options, messages=conversation("debug", ops))
    assert answers[0]["result"]["mode"] == "release"
    assert len(answers[1]["result"]["outcomes"][1]["ok"]) == 1


def test_every_fault_can_be_made_in_both_modes() -> None:
    """A subject with a fault shakes hands like the correct one."""
    ops = [record({**CALLS["function"], "call_id": "x"}), PROJECT]
    for name in FAULTS:
        for mode in ("debug", "release"):
            made = subject(name, mode)
            assert made.initialize({"mode": mode}) == subject(None, mode).initialize({})
            assert len(made.run({"ops": ops})["outcomes"]) == 2
