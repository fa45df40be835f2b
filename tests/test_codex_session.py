"""The whole line to a Codex binary, with a stand-in for the binary."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from contextcert.adapters.codex import CodexSession, CodexWay, codex_subject
from contextcert.adapters.codex.engine import Engine
from contextcert.adapters.codex.launch import Launcher
from contextcert.adapters.codex.mock_server import MockServer
from contextcert.adapters.codex.models import POLICY
from contextcert.adapters.codex.network import NotIsolatedError, keep_to_loopback, only_loopback
from contextcert.adapters.codex.program import LIVES, PROFILES
from contextcert.processes import CAN_DRIVE_PROGRAMS
from contextcert.refmodel import Claim, Edition, Json, JsonObject, Mode, run_script
from contextcert.subject import FaultKind, Opening, Script, Session, SubjectError

pytestmark = pytest.mark.skipif(
    not CAN_DRIVE_PROGRAMS, reason="this system cannot drive adapter programs"
)

FAKE = Path(__file__).with_name("fake_codex.py")


def said(text: str) -> JsonObject:
    """Give a message."""
    content: list[JsonObject] = [{"type": "input_text", "text": text}]
    return {"type": "message", "id": "msg_1", "role": "user", "content": [*content]}


def script_of(*items: JsonObject, op: str = "record_items") -> Script:
    """Give the script that takes the items in and projects them."""
    return [
        {"op": op, "items": list(items), "policy": POLICY},
        {"op": "for_prompt", "input_modalities": ["text"]},
    ]


@pytest.fixture
def binary(tmp_path: Path) -> Path:
    """Give the stand-in as an executable file."""
    launcher = tmp_path / "codex"
    launcher.write_text(
        f"#!/bin/sh\nFAKE_MARKER='{tmp_path}/marker' exec '{sys.executable}' '{FAKE}' \"$@\"\n",
        encoding="utf-8",
    )
    launcher.chmod(0o755)
    return launcher


@pytest.fixture
def session(binary: Path) -> Iterator[Session]:
    """Give a session with the stand-in; time-outs are a twentieth of the usual three minutes."""
    opened = CodexWay(binary).open(Opening(Mode.RELEASE, time_out_factor=0.05))
    yield opened
    opened.close()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder that takes every temporary file."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


def test_the_session_says_what_it_is(session: Session) -> None:
    """A release build of edition 2026-11, and what a reader of the certificate must know."""
    description = session.description
    assert (description.name, description.version) == ("codex", "9.9.9")
    assert description.mode is Mode.RELEASE
    assert description.editions == (Edition.NOVEMBER_2026,)
    assert description.claim.profiles == PROFILES | LIVES
    assert description.capabilities.diagnostics
    assert any("debug mode is not certified" in note for note in description.notes)
    assert any("loopback" in note or "NOT KEPT" in note for note in description.notes)


def test_both_routes_give_what_the_model_gives(session: Session) -> None:
    """A script alone and the same script among others have one answer."""
    call: JsonObject = {"type": "function_call", "id": "fc_1", "name": "n", "arguments": "{}"}
    scripts: list[Script] = [
        script_of({**call, "call_id": "c1"}),
        script_of({**call, "call_id": ""}),
        script_of({"type": "function_call", "name": "n", "arguments": "", "call_id": "c1"}),
        script_of({**call, "call_id": "c1"}, op="restore_items"),
        [*script_of(said("a")), {"op": "raw_items"}, *script_of(said("b"))],
    ]
    batched = [answer.outcomes for answer in session.run_batch(scripts)]
    assert all(outcomes is not None for outcomes in batched)
    assert batched[4] == session.run(scripts[4]).outcomes
    for number in (0, 1, 3):
        expected = run_script(scripts[number], mode=Mode.RELEASE, edition=Edition.NOVEMBER_2026)
        alone = session.run(scripts[number]).outcomes
        assert alone is not None
        assert batched[number] == alone
        assert [one.get("ok") for one in alone] == [one.get("ok") for one in expected]


def test_a_whole_life_is_shown_as_the_model_lives_it(session: Session) -> None:
    """Recording under policies, removal, rollback, replacement: each through its own route."""
    asked: JsonObject = {"op": "for_prompt", "input_modalities": ["text"]}
    call: JsonObject = {"type": "function_call", "id": "fc_1", "name": "n", "arguments": "{}"}
    output: JsonObject = {"type": "function_call_output", "id": "fco_1", "output": "abcdef" * 9}
    items: list[Json] = [said("a"), {**call, "call_id": "c1"}, {**output, "call_id": "c1"}]
    narrow: JsonObject = {"op": "record_items", "policy": {"mode": "bytes", "limit": 5}}
    first: JsonObject = {"op": "remove_first_item"}
    back: JsonObject = {"op": "drop_last_n_user_turns", "num_turns": 1}
    switch: JsonObject = {**said("<model_switch>m</model_switch>"), "role": "developer"}
    more = script_of(said("b"))[0]
    script: Script = [
        {**narrow, "items": items},
        asked,
        *[first, asked, asked, first, asked, first],
        {"op": "replace", "items": [switch, *items, said("b")]},
        *[asked, back, asked, more, asked, back, back, asked],
        *script_of(said("other"), said("turn")),
        {"op": "restore_items", "items": [said("c")]},
        *[asked, back, {**back, "num_turns": 2**32 - 1}, asked],
    ]
    expected = run_script(script, mode=Mode.RELEASE, edition=Edition.NOVEMBER_2026)
    answer = session.run(script)
    alone = answer.outcomes
    assert alone is not None, answer.fault
    assert "unsupported" in alone[-2]
    assert [one.get("ok") for one in alone[:-2]] == [one.get("ok") for one in expected[:-2]]


def test_what_is_removed_to_the_end_is_not_asked_further(session: Session) -> None:
    """The binary stops where nothing is left to send; the thread can still be used."""
    asked = script_of()[1]
    removals: Script = [{"op": "remove_first_item"} for _ in range(3)]
    script = [*script_of(said("a"), said("b")), *removals[:2], asked, removals[2], asked]
    outcomes = session.run([*script, script_of(said("c"))[0]]).outcomes
    assert outcomes is not None
    assert outcomes[4] == {"ok": []}
    assert ["unsupported" in one for one in outcomes[5:]] == [False, True, True]


def test_reports_come_with_the_prompt_they_are_about(session: Session) -> None:
    """On both routes, and with call_ids that the log does not show as they are (MODE-7)."""
    custom: JsonObject = {"type": "custom_tool_call", "id": "ctc_1", "name": "n", "input": ""}
    scripts = [script_of({**custom, "call_id": one}) for one in ("c1", "c2\nc3", "")]
    scripts += [script_of(said("a"))]
    batched = [answer.outcomes for answer in session.run_batch(scripts)]
    assert batched == [session.run(script).outcomes for script in scripts]
    told = [outcomes[-1].get("diagnostics") for outcomes in batched if outcomes]
    about = "Custom tool call output is missing for call id: "
    assert told == [[f"{about}c1"], [f"{about}c2\nc3"], [about], None]


def test_a_resumed_session_says_nothing_of_reports(session: Session) -> None:
    """The real binary keeps silent about calls that were unanswered when it was resumed."""
    custom: JsonObject = {"type": "custom_tool_call", "id": "ctc_1", "name": "n", "input": ""}
    script = script_of({**custom, "call_id": "c1"}, op="restore_items")
    for outcomes in (session.run(script).outcomes, session.run_batch([script])[0].outcomes):
        assert outcomes is not None
        assert outcomes[-1]["diagnostics"] is None


def test_an_unreadable_item_is_an_error_of_its_own_script(session: Session) -> None:
    """One bad item among many histories does not touch the others."""
    scripts = [script_of(said("a")) for _ in range(5)]
    scripts[2] = script_of(said("a"), {"type": "message"})
    outcomes = [answer.outcomes for answer in session.run_batch(scripts)]
    first = [one[0] if one else {} for one in outcomes]
    assert ["error" in one for one in first] == [False, False, True, False, False]
    assert all(one is not None and "ok" in one[1] for one in outcomes)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("please crash", FaultKind.CRASH),
        ("please hang", FaultKind.HANG),
        ("please double", FaultKind.MALFORMED),
    ],
)
def test_a_fault_is_pinned_on_its_script(session: Session, text: str, kind: FaultKind) -> None:
    """The other scripts of the batch are answered all the same."""
    answers = session.run_batch([script_of(said("a")), script_of(said(text)), script_of(said("b"))])
    assert [answer.fault is not None for answer in answers] == [False, True, False]
    fault = answers[1].fault
    assert fault is not None
    assert (fault.kind, fault.repeated) == (kind, True)
    assert answers[1].outcomes is None


def test_a_fault_that_does_not_repeat_is_told_from_one_that_does(session: Session) -> None:
    """The second try was answered: the binary is not deterministic."""
    answer = session.run(script_of(said("please once")))
    assert answer.outcomes is not None
    assert answer.fault is not None
    assert not answer.fault.repeated


def test_the_binary_is_replaced_before_it_grows(
    binary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It never releases a thread, so that after some number of them another takes its place."""
    monkeypatch.setattr("contextcert.adapters.codex.engine._MOST_THREADS", 3)
    with closing(MockServer()) as mock:
        engine = Engine(Launcher(binary, (), tmp_path, mock, 30.0))
        homes = set()
        for _ in range(6):
            assert engine.run(script_of(said("a"))).outcomes is not None
            (home,) = tmp_path.glob("home-*")
            homes.add(home)
        engine.close()
    assert len(homes) == 3
    assert not list(tmp_path.glob("home-*"))


def test_what_lies_around_is_not_imported(
    binary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user's own file of a module's name does not stand in for the module."""
    (tmp_path / "orjson.py").write_text("raise SystemExit(9)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    CodexWay(binary).open(Opening(Mode.RELEASE)).close()


def test_a_way_can_be_sent_to_another_process(binary: Path) -> None:
    """Workers are spawned, so that what opens a session is pickled."""
    spec = codex_subject(binary, (("item_ids", True),), Claim.full())
    assert pickle.loads(pickle.dumps(spec)) == spec  # noqa: S301 -- our own
    assert spec.modes() == (Mode.RELEASE,)


@pytest.fixture
def old_binary(binary: Path) -> Path:
    """Give the stand-in as a release that needs a message for a turn and sends no ids."""
    script = binary.read_text(encoding="utf-8")
    binary.write_text(
        script.replace("FAKE_MARKER=", "FAKE_VERSION=0.121.0 FAKE_MARKER="), encoding="utf-8"
    )
    return binary


def test_an_old_release_is_judged_by_the_edition_before_ids(old_binary: Path) -> None:
    """It offers that edition alone, hides every id, and says why."""
    with closing(CodexWay(old_binary).open(Opening(Mode.RELEASE))) as session:
        description = session.description
        assert description.editions == (Edition.AUGUST_2026,)
        assert not description.capabilities.restore_items
        assert description.claim.profiles == PROFILES
        assert "/id" in description.capabilities.hidden_fields["message"]
        assert any("edition 2026-08" in note for note in description.notes)
        assert description.claim.modalities == {"text", "image"}
        (said,) = [note for note in description.notes if "refuses a message" in note]
        assert "unknown variant `input_audio`" in said
    with pytest.raises(SubjectError, match="edition 2026-08"):
        CodexWay(old_binary).open(Opening(Mode.RELEASE, edition=Edition.NOVEMBER_2026))


def test_the_message_that_a_turn_needs_is_cut_out_of_every_prompt(old_binary: Path) -> None:
    """On both routes, after repeated projections, and where more is recorded behind it."""
    call: JsonObject = {"type": "function_call", "name": "n", "arguments": "{}", "call_id": "c1"}
    output: JsonObject = {"type": "function_call_output", "call_id": "c1", "output": "late"}
    first = list(script_of(said("a"), call))
    script = [*first, first[-1], *script_of(output), first[-1]]
    expected = run_script(script, mode=Mode.RELEASE, edition=Edition.AUGUST_2026)
    with closing(CodexWay(old_binary).open(Opening(Mode.RELEASE))) as session:
        alone = session.run(script).outcomes
        batched = session.run_batch([script, script_of(said("b"))])[0].outcomes
    assert alone == batched
    assert alone is not None
    assert [prompt_of(one) for one in alone] == [prompt_of(one) for one in expected]


def prompt_of(outcome: JsonObject) -> Json:
    """Give the prompt of an outcome as a wire without ids shows it."""
    prompt = outcome.get("ok")
    if not isinstance(prompt, list):
        return None
    items = [one for one in prompt if isinstance(one, dict)]
    return [{key: value for key, value in item.items() if key != "id"} for item in items]


@pytest.mark.parametrize(
    ("opening", "sentence"),
    [
        (Opening(Mode.DEBUG), "release build alone"),
        (Opening(Mode.RELEASE, edition=Edition.AUGUST_2026), "edition 2026-11"),
    ],
)
def test_what_codex_is_not_is_refused(binary: Path, opening: Opening, sentence: str) -> None:
    """Debug builds are not published, and the release follows the later edition."""
    with pytest.raises(SubjectError, match=sentence):
        CodexWay(binary).open(opening)


def test_a_missing_binary_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says where it was looked for, or how to get one."""
    monkeypatch.setenv("CONTEXTCERT_CACHE", str(tmp_path))
    with pytest.raises(SubjectError, match="contextcert codex install"):
        CodexWay().open(Opening(Mode.RELEASE))
    with pytest.raises(SubjectError, match="there is no Codex binary at"):
        CodexWay(tmp_path / "nothing").open(Opening(Mode.RELEASE))


def test_a_program_that_is_not_codex_is_said() -> None:
    """Its version does not look like Codex's."""
    with pytest.raises(SubjectError, match="is it Codex"):
        CodexWay(Path("/bin/true")).open(Opening(Mode.RELEASE))


def test_an_unknown_feature_is_said(binary: Path) -> None:
    """A switch without effect would certify something else than was asked for."""
    with pytest.raises(SubjectError, match=r"does not know features\.nonsense"):
        CodexWay(binary, (("nonsense", True),)).open(Opening(Mode.RELEASE))


def test_nothing_is_left_after_a_session(binary: Path, temporary: Path) -> None:
    """Neither a process nor a file."""
    session = CodexWay(binary).open(Opening(Mode.RELEASE))
    session.run(script_of(said("a")))
    assert list(temporary.iterdir())
    group = group_of(session)
    session.close()
    assert list(temporary.iterdir()) == []
    assert waits_until(lambda: not group_lives(group))


def test_nothing_is_left_when_we_are_killed(binary: Path, temporary: Path) -> None:
    """The processes and their folder end with us."""
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from contextcert.adapters.codex import CodexWay\n"
        "from contextcert.refmodel import Mode\n"
        "from contextcert.subject import Opening\n"
        "session = CodexWay(Path(sys.argv[1])).open(Opening(Mode.RELEASE))\n"
        "print(session._child.group, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(binary)], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        group = int(process.stdout.readline())
        assert group_lives(group)
        process.send_signal(signal.SIGKILL)
    assert waits_until(lambda: not group_lives(group))
    assert waits_until(lambda: not list(temporary.iterdir()))


def test_the_program_ends_with_its_input(binary: Path, temporary: Path) -> None:
    """Driven by hand, the adapter program needs no more than the end of input."""
    request = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"mode":"release"}}\n'
    done = subprocess.run(
        [sys.executable, "-m", "contextcert.adapters.codex", f"--codex={binary}"],
        input=request + b"rubbish\n" + b'{"id":2,"method":"nothing"}\n',
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert [b'"result"' in line for line in done.stdout.splitlines()] == [True, False, False]
    assert list(temporary.iterdir()) == []


def test_a_kept_process_sees_loopback_alone() -> None:
    """Where the system gives a namespace, only loopback is left, and loopback works."""
    code = (
        "import socket\n"
        "from contextcert.adapters.codex.network import keep_to_loopback, only_loopback\n"
        "keep_to_loopback()\n"
        "assert only_loopback()\n"
        "with socket.create_server(('127.0.0.1', 0)) as server:\n"
        "    socket.create_connection(server.getsockname(), 5).close()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True)
    if "NotIsolatedError" in done.stderr:
        pytest.skip(f"no network namespace here: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, done.stderr


def test_a_refused_namespace_leaves_the_process_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one the binary still runs, and the description says so loudly."""
    monkeypatch.setattr(
        "contextcert.adapters.codex.network._tried_in_child", lambda: "refused by us"
    )
    before = only_loopback()
    with pytest.raises(NotIsolatedError, match="refused by us"):
        keep_to_loopback()
    assert only_loopback() == before


def group_of(session: CodexSession) -> int:
    """Give the process group of an open session."""
    assert session._child is not None
    return session._child.group


def group_lives(group: int) -> bool:
    """Say whether a process of the group runs; one that only waits to be reaped does not."""
    states = subprocess.run(
        ["ps", "-e", "-o", "pgid=,stat="],  # noqa: S607 -- found on the PATH
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    lines = (line.split() for line in states.splitlines())
    return any(int(pgid) == group and not stat.startswith("Z") for pgid, stat in lines)


def waits_until(condition: Callable[[], bool], seconds: float = 10) -> bool:
    """Wait for something that takes a moment."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
