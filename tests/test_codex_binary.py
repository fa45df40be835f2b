"""The real, released Codex binary; skipped, with the reason, where it is not there.

CONTEXTCERT_CODEX names the binary; otherwise it is the newest that `contextcert codex install`
fetched.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from contextcert.adapters.codex import CodexWay, features_from_text, newest_installed
from contextcert.adapters.codex.install import installed
from contextcert.audit import audit_file
from contextcert.processes import CAN_DRIVE_PROGRAMS
from contextcert.properties import Judge, Violation
from contextcert.refmodel import Edition, Json, JsonObject, Mode
from contextcert.strategies import (
    GROUPS,
    Scope,
    alphabet,
    generate,
    histories,
    modality_sets,
    projection_script,
)
from contextcert.subject import Opening, Script, Session

NAMED = os.environ.get("CONTEXTCERT_CODEX")
BINARY = Path(NAMED) if NAMED else newest_installed()
OLDER = os.environ.get("CONTEXTCERT_CODEX_0_142")
EVERY = 100

ITEMS: list[Json] = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]},
    {"type": "custom_tool_call", "name": "n", "input": "", "call_id": "c1"},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "b"}]},
    {"type": "custom_tool_call_output", "call_id": "c1", "output": "abcdefghijklmnopqrstuvwxyz"},
]
RECORD: list[JsonObject] = [
    {"op": "record_items", "items": ITEMS, "policy": {"mode": "bytes", "limit": 5}}
]
PROJECT: JsonObject = {"op": "for_prompt", "input_modalities": ["text", "image", "audio"]}

needs_binary = pytest.mark.skipif(
    BINARY is None or not CAN_DRIVE_PROGRAMS,
    reason="NO CODEX BINARY: run `contextcert codex install`, or set CONTEXTCERT_CODEX to its path",
)


def needs_installed(version: str) -> pytest.MarkDecorator:
    """Skip where a release is not in the cache folder."""
    return pytest.mark.skipif(
        installed(version) is None or not CAN_DRIVE_PROGRAMS,
        reason=f"NO CODEX {version}: run `contextcert codex install {version}`",
    )


needs_older = pytest.mark.skipif(
    OLDER is None, reason="NO CODEX 0.142.0: set CONTEXTCERT_CODEX_0_142 to its binary"
)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """Give a session with the binary."""
    opened = CodexWay(BINARY).open(Opening(Mode.RELEASE))
    yield opened
    opened.close()


def scope_of(session: Session) -> Scope:
    """Give what may be generated for the binary."""
    (edition,) = session.description.editions
    restores = session.description.capabilities.restore_items
    return Scope(claim=session.description.claim, edition=edition, restore_items=restores)


def wrong(session: Session, scripts: Sequence[Script]) -> list[str]:
    """Give a sentence for everything that is wrong with the binary's answers."""
    description = session.description
    (edition,) = description.editions
    judge = Judge(
        edition=edition,
        claim=description.claim,
        capabilities={Mode.RELEASE: description.capabilities},
        prompts_show_items=True,
    )
    found: list[str] = []
    for script, answer in zip(scripts, session.run_batch(scripts), strict=True):
        if answer.fault is not None or answer.outcomes is None:
            found.append(f"{answer.fault} on {script}")
            continue
        judgement = judge.judge(script, {Mode.RELEASE: answer.outcomes})
        found += [f"{one} on {script}" for one in judgement.violations if not known(one, script)]
        found += [f"{one} on {script}" for one in judgement.unattributed]
    return found


def known(violation: Violation, script: Script) -> bool:
    """Say whether it is known of the binary: what follows a hook prompt is not looked at."""
    return violation.clause.startswith("ROLL-") and "hook_run_id" in json.dumps(list(script))


LIFE: dict[str, list[JsonObject]] = {
    "head removal": [{"op": "remove_first_item"}, PROJECT] * 3,
    "rollback": [{"op": "drop_last_n_user_turns", "num_turns": 1}, PROJECT] * 2,
    "replacement": [{"op": "replace", "items": ITEMS[1:]}, PROJECT, *RECORD, PROJECT],
}


@needs_binary
@pytest.mark.parametrize("name", LIFE)
def test_lives_conform(session: Session, name: str) -> None:
    """Items without ids get them once, whatever becomes of the history (E11-2)."""
    script = [*RECORD, PROJECT, *LIFE[name]]
    assert wrong(session, [script]) == []
    outcomes = session.run(script).outcomes
    assert outcomes is not None
    assert all("ok" in outcome for outcome in outcomes)


@needs_binary
def test_a_hook_prompt_counts_whatever_follows_it(session: Session) -> None:
    """The one known difference of changes; where it is gone, it is to be known no longer."""
    text = '<hook_prompt hook_run_id="r">h</hook_prompt> x'
    said: JsonObject = {"type": "input_text", "text": text}
    hooked: JsonObject = {"type": "message", "id": "msg_1", "role": "user", "content": [said]}
    back: JsonObject = {"op": "drop_last_n_user_turns", "num_turns": 1}
    recording: JsonObject = {**RECORD[0], "items": [ITEMS[0], hooked]}
    outcomes = session.run([recording, back, PROJECT]).outcomes
    assert outcomes is not None
    assert outcomes[-1]["ok"] == []


@needs_binary
def test_small_histories_conform(session: Session) -> None:
    """Of all histories of up to two items under all modality sets, every so many."""
    scope = scope_of(session)
    listed = list(histories(alphabet(scope), 2))[::EVERY]
    sets = modality_sets(scope)
    scripts = [projection_script([one.item for one in each], sets, scope) for each in listed]
    assert wrong(session, scripts) == []


@needs_binary
@pytest.mark.parametrize("group", [name for name in GROUPS if name != "wire"])
def test_random_scripts_conform(session: Session, group: str) -> None:
    """Long histories, many ids, media, text of every alphabet."""
    scripts = generate(group, scope_of(session), seed=0, count=30)
    assert wrong(session, list(scripts)) == []


@needs_binary
def test_both_routes_agree(session: Session) -> None:
    """A history among others projects as it does on a thread of its own."""
    scripts = [
        script
        for script in generate("pairs", scope_of(session), seed=1, count=12)
        if all(item.get("id") for op in script for item in items_of(op))
    ]
    batched = [answer.outcomes for answer in session.run_batch(scripts)]
    assert batched == [session.run(script).outcomes for script in scripts]


@needs_binary
def test_a_session_that_the_binary_records_is_audited(tmp_path: Path) -> None:
    """The audit's prompt is the one that the binary sent, metadata aside."""
    items: list[JsonObject] = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]},
        {"type": "custom_tool_call", "id": "ctc_1", "name": "n", "input": "", "call_id": "c1"},
        {"type": "function_call_output", "id": "fco_1", "call_id": "c2", "output": "orphan"},
        {"type": "function_call", "id": "fc_1", "name": "n", "arguments": "", "call_id": "c3"},
        {"type": "function_call_output", "id": "fco_2", "call_id": "c3", "output": "x" * 60_000},
    ]
    out = tmp_path / "session.jsonl"
    recorder = Path(__file__).with_name("record_session.py")
    done = subprocess.run(
        [sys.executable, str(recorder), str(BINARY), json.dumps(items), str(out)],
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    audit = audit_file(out, ("text", "image"))
    assert [one.id for one in audit.anomalies] == ["PAIR-3", "ORPH-1"]
    assert [without_metadata(item) for item in audit.prompt] == json.loads(done.stdout)


@needs_older
def test_release_0_142_0_has_no_stable_ids() -> None:
    """With `item_ids` switched on it shows ids, and its synthetic outputs have none (SYN-1)."""
    assert OLDER is not None
    way = CodexWay(Path(OLDER), features_from_text(["item_ids=true"]))
    session = way.open(Opening(Mode.RELEASE))
    call: JsonObject = {"type": "function_call", "id": "fc_1", "name": "n", "arguments": "{}"}
    script = projection_script([{**call, "call_id": "c1"}], [("text",)], scope_of(session))
    (sentence,) = wrong(session, [script])
    session.close()
    assert "SYN-1" in sentence


@needs_installed("0.121.0")
def test_release_0_121_0_projects_without_the_message_that_its_turns_need() -> None:
    """A turn without input sends nothing there; what one brings is cut out, and nothing else."""
    with closing(CodexWay(installed("0.121.0")).open(Opening(Mode.RELEASE))) as session:
        assert session.description.editions == (Edition.AUGUST_2026,)
        scripts = generate("pairs", scope_of(session), seed=0, count=30)
        assert wrong(session, list(scripts)) == []


@needs_installed("0.145.0")
def test_release_0_145_0_has_stable_ids_and_needs_a_call_id() -> None:
    """With `item_ids` a synthetic id is right (SYN-1), and a lone output is refused (E11-1)."""
    way = CodexWay(installed("0.145.0"), features_from_text(["item_ids=true"]))
    call: JsonObject = {"type": "function_call", "id": "fc_1", "name": "n", "arguments": "{}"}
    lone: JsonObject = {"type": "function_call_output", "output": "ok"}
    with closing(way.open(Opening(Mode.RELEASE))) as session:
        scripts = [
            projection_script([item], [("text",)], scope_of(session))
            for item in ({**call, "call_id": "c1"}, lone)
        ]
        assert wrong(session, scripts[:1]) == []
        sentences = wrong(session, scripts[1:])
    assert sentences
    assert all("E11-1" in sentence for sentence in sentences)


def items_of(op: JsonObject) -> list[JsonObject]:
    """Give the items that an operation takes in."""
    given: Json = op.get("items", op.get("envelopes", []))
    assert isinstance(given, list)
    objects = [one for one in given if isinstance(one, dict)]
    bare = [one.get("item", one) for one in objects]
    return [one for one in bare if isinstance(one, dict)]


def without_metadata(item: JsonObject) -> JsonObject:
    """Leave out the passthrough metadata, which the binary keeps from the wire."""
    hidden = "internal_chat_message_metadata_passthrough"
    return {key: value for key, value in item.items() if key != hidden}
