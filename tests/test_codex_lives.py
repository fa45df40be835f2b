"""Whole lives on the binary's wire: rollbacks, replacements, removals and other policies."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contextcert.adapters.codex import CodexWay
from contextcert.processes import CAN_DRIVE_PROGRAMS
from contextcert.refmodel import Edition, Json, JsonObject, Mode, run_script
from contextcert.subject import Answer, Opening, Script, Session

pytestmark = pytest.mark.skipif(not CAN_DRIVE_PROGRAMS, reason="programs are not driven here")

FAKE = Path(__file__).with_name("fake_codex.py")
POLICY: JsonObject = {"mode": "tokens", "limit": 10_000}
LOOK: JsonObject = {"op": "for_prompt", "input_modalities": ["text", "image", "audio"]}
TEXT_LOOK: JsonObject = {"op": "for_prompt", "input_modalities": ["text"]}
REMOVE: JsonObject = {"op": "remove_first_item"}
CALL: JsonObject = {
    "type": "function_call",
    "id": "fc_1",
    "name": "n",
    "arguments": "{}",
    "call_id": "c",
}
OUTPUT: JsonObject = {
    "type": "function_call_output",
    "id": "fco_1",
    "call_id": "c",
    "output": "abcdefghijklmnopqrstuvwxyz",
}


def said(text: str, role: str = "user") -> JsonObject:
    """Give a message."""
    content: list[Json] = [{"type": "input_text", "text": text}]
    return {"type": "message", "id": f"msg_{text}", "role": role, "content": content}


def record(*items: JsonObject, policy: JsonObject = POLICY) -> JsonObject:
    """Give a recording."""
    return {"op": "record_items", "items": [*items], "policy": policy}


def restore(*items: JsonObject) -> JsonObject:
    """Give the reading of a stored session."""
    return {"op": "restore_items", "items": [*items]}


def replace(*items: JsonObject) -> JsonObject:
    """Give a replacement."""
    return {"op": "replace", "items": [*items]}


def drop(turns: int) -> JsonObject:
    """Give a rollback."""
    return {"op": "drop_last_n_user_turns", "num_turns": turns}


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Give a session with the stand-in."""
    launcher = tmp_path / "codex"
    launcher.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{FAKE}' \"$@\"\n", encoding="utf-8")
    launcher.chmod(0o755)
    opened = CodexWay(launcher).open(Opening(Mode.RELEASE))
    yield opened
    opened.close()


ABC = record(said("a"), said("b"), said("c"))
SWITCH = said("<model_switch>a</model_switch>", "developer")

LIVES: dict[str, Script] = {
    "rollback": [ABC, drop(1), LOOK],
    "rollback of nothing": [drop(3), LOOK, ABC, drop(0), LOOK],
    "rollback in the midst of a life": [ABC, LOOK, drop(1), LOOK, record(CALL), drop(1), LOOK],
    "rollback of a stored session": [restore(said("a"), CALL), record(said("b")), drop(1), LOOK],
    "rollback of what was cut": [
        record(said("a"), OUTPUT, CALL, said("b"), policy={"mode": "tokens", "limit": 10_000}),
        drop(1),
        LOOK,
    ],
    "rollback leaves what has no turn of its own": [record(SWITCH, said("a")), drop(1), LOOK],
    "replacement": [ABC, replace(said("s", "system"), {"type": "other"}, OUTPUT, CALL), LOOK],
    "replacement by nothing": [ABC, replace(), LOOK, record(CALL), LOOK],
    "rollback of a replacement": [replace(said("a"), said("b")), record(CALL), drop(1), LOOK],
    "removals": [
        record(CALL, said("a"), OUTPUT, said("b")),
        *(LOOK, REMOVE, LOOK, REMOVE, TEXT_LOOK, LOOK, LOOK),
    ],
    "all removed": [ABC, REMOVE, REMOVE, LOOK, REMOVE, LOOK],
    "a replacement after removals": [ABC, REMOVE, LOOK, replace(CALL), LOOK, REMOVE, LOOK],
    "two policies": [
        record(CALL, OUTPUT, policy={"mode": "bytes", "limit": 10}),
        LOOK,
        record({**OUTPUT, "id": "fco_2"}, policy={"mode": "tokens", "limit": 1}),
        record({**OUTPUT, "id": "fco_3"}),
        LOOK,
    ],
}


def values(answer: Answer) -> list[Json]:
    """Give what every operation gave, whatever was reported beside it."""
    assert answer.outcomes is not None
    return [one["ok"] for one in answer.outcomes]


@pytest.mark.parametrize("name", LIVES)
def test_a_life_is_what_the_model_says(session: Session, name: str) -> None:
    """Every outcome is the model's, alone and among other scripts (ROLL, REPL, HEAD, TRUNC)."""
    script = LIVES[name]
    wanted = run_script(script, mode=Mode.RELEASE, edition=Edition.NOVEMBER_2026)
    expected = [one["ok"] for one in wanted]
    assert values(session.run(script)) == expected
    assert values(session.run_batch([script, [ABC, LOOK], script])[2]) == expected


def test_a_given_id_stays_through_a_rollback(session: Session) -> None:
    """What recording gave is what the stored session holds (E11-2)."""
    bare = {key: value for key, value in said("a").items() if key != "id"}
    shown = values(session.run([record(bare), LOOK, drop(0), LOOK]))
    assert shown[1] == shown[3]
    assert "'id'" in str(shown[1])


@pytest.mark.parametrize("bring", [replace, restore])
def test_what_cannot_be_read_has_no_effect(
    session: Session, bring: Callable[..., JsonObject]
) -> None:
    """A session file would be read without the item (ITEM-4)."""
    answer = session.run([ABC, bring(CALL, {"type": "message"}), LOOK])
    assert answer.outcomes is not None
    assert "error" in answer.outcomes[1]
    assert "msg_c" in str(answer.outcomes[2])
    assert "fc_1" not in str(answer.outcomes[2])


def test_removals_end_with_the_prompt(session: Session) -> None:
    """What the binary removes once nothing of the prompt is left cannot be seen."""
    answer = session.run([ABC, REMOVE, REMOVE, REMOVE, REMOVE, LOOK])
    assert answer.outcomes is not None
    assert "unsupported" in answer.outcomes[5]
