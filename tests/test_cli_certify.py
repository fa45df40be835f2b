"""The commands, from the words typed to the exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from contextcert.campaign import Budget
from contextcert.certificate import read_certificate
from contextcert.cli.main import run
from contextcert.cli.symptoms import SYMPTOMS, symptoms_like
from contextcert.properties import examples, goes_on
from contextcert.refmodel import CLAUSES, Mode, run_script

BROKEN = Path(__file__).parent / "broken_model"
TINY = Budget("quick", 1, 0, 40, floor=1)
FORGETS = ("--adapter", "broken_model:ForgetsCustom")


@pytest.fixture(autouse=True)
def _tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Certify with few cases, in an empty folder, with the broken subjects importable."""
    monkeypatch.setattr("contextcert.cli.certify.BUDGETS", {"quick": TINY})
    monkeypatch.setattr("contextcert.campaign.plan.WIRE", "no profile, so no specimens")
    monkeypatch.syspath_prepend(str(BROKEN))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")


def certify(*words: str) -> int:
    """Certify with one worker."""
    return run(["certify", "--workers", "1", *words])


def test_without_a_subject_the_model_is_certified(capsys: pytest.CaptureFixture[str]) -> None:
    """The first command of a new user is green, in both modes."""
    assert certify() == 0
    shown = capsys.readouterr().out
    assert "contextcert reference model" in shown
    assert "certified: every profile over every item type, debug and release" in shown
    assert "nothing was written" in shown


def test_clauses_that_say_nothing_in_a_mode_stand_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """They are neither reasons for doubt nor a list of their own, and the table counts them."""
    certify()
    shown = capsys.readouterr().out
    assert "says nothing in release: MODE-3, MODE-6, MODE-8\n" in shown
    assert "says nothing in debug: PROJ-4, PAIR-3, PAIR-4" in shown
    assert "11 conform, 3 release only" in shown
    assert "\nnot observable\n" not in shown


def test_nothing_is_written_unasked() -> None:
    """The folder of a user stays as it was."""
    certify()
    assert list(Path.cwd().iterdir()) == []


def test_a_violation_is_shown_once_with_its_counterexample(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The sentence, the history, expected and actual, and a line that replays it."""
    assert certify(*FORGETS) == 1
    shown = capsys.readouterr().out
    assert shown.count("PAIR-3 violated in release") == 1
    assert CLAUSES["PAIR-3"].text.split(" must ")[0].replace("**", "") in " ".join(shown.split())
    assert "custom_tool_call" in shown
    assert "expected" in shown
    assert "actual" in shown
    assert "contextcert replay - --adapter broken_model:ForgetsCustom" in shown
    assert "not certified, because" in shown


def test_out_holds_a_certificate_and_replay_files_that_fail_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is written can be read, and the line that is shown finds the file."""
    assert certify(*FORGETS, "--out", "o") == 1
    assert "contextcert replay o/replay/PAIR-3.release.json" in capsys.readouterr().out
    read_certificate(Path("o/certificate.json"))
    replay = "o/replay/PAIR-3.release.json"
    assert run(["replay", replay, *FORGETS]) == 1
    assert "not as expected" in capsys.readouterr().out
    assert run(["replay", replay]) == 0
    assert "as expected" in capsys.readouterr().out


def test_one_build_alone_is_partial_and_two_can_be_merged(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Two CI jobs certify a build each, and merge gives the certificate of both."""
    for mode in ("debug", "release"):
        serve = f"{sys.executable} -m contextcert serve --mode {mode}"
        assert certify(f"--{mode}", serve, "--out", mode) == 0
        assert "was not judged (MODE-10)" in capsys.readouterr().out
    both = ["debug/certificate.json", "release/certificate.json"]
    assert run(["merge", *both, "-o", "both.json"]) == 0
    assert "certified: every profile over every item type, debug and release" in (
        capsys.readouterr().out
    )
    assert json.loads(Path("both.json").read_text())["certified"] is True
    assert read_certificate(Path("both.json")).modes == tuple(Mode)
    assert run(["merge", both[0], both[0]]) == 2
    assert "merge one of debug with one of release" in capsys.readouterr().err


def test_the_example_adapter_is_wrong_in_the_one_place_that_it_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What README shows: one clause, one item, nothing about operations the adapter lacks."""
    example = Path(__file__).parents[1] / "examples" / "minimal_adapter.py"
    assert certify("--release", f"{sys.executable} {example}") == 1
    shown = capsys.readouterr().out
    assert "  violates: ORPH-1\n" in shown
    assert shown.count(" violated in ") == 1
    assert "release cannot: record_annotated_items" in shown
    assert "PROJ-5           record_annotated_items is unsupported: not written yet" in shown
    assert "diagnostics:" not in shown
    assert "HEAD, ROLL, REPL, VER, REF  profile changes is not claimed" in shown
    assert "not run" not in shown


def test_a_clause_alone_leaves_the_others_unclaimed(capsys: pytest.CaptureFixture[str]) -> None:
    """A narrowed run is green for what was asked, and says that it was narrowed."""
    assert certify("--clause", "PAIR-1,syn-1") == 0
    shown = capsys.readouterr().out
    assert "this run was not asked for it (--clause)" in shown
    assert "only PAIR-1, SYN-1 were asked for (--clause)" in shown


def test_evidence_that_is_too_little_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the empty history alone nothing is violated, and nothing is certified."""
    empty = Budget("quick", 0, 0, 0, floor=1)
    monkeypatch.setattr("contextcert.cli.certify.BUDGETS", {"quick": empty})
    assert certify("--evidence", "exhaustive") == 3


def test_a_configured_subject_is_certified_by_its_name() -> None:
    """A name on the command line is looked up in contextcert.toml."""
    Path("contextcert.toml").write_text('[subjects.mine]\nadapter = "broken_model:ForgetsCustom"\n')
    assert certify("mine") == 1


def test_nightly_draws_a_seed_and_tells_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fresh seed is recorded, so that the night can be run again."""
    fresh = Budget("quick", 0, 0, 5, floor=0, fresh_seed=True)
    monkeypatch.setattr("contextcert.cli.certify.BUDGETS", {"quick": fresh})
    monkeypatch.setattr("secrets.randbits", lambda bits: 4_321 + bits)
    certify()
    assert "seed 4353" in capsys.readouterr().out


def test_what_a_subject_says_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    """A crash message cannot colour, clear or mark up the terminal."""
    assert certify("--adapter", "broken_model:Dies", "--evidence", "exhaustive") == 1
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "[bold]" in shown


@pytest.mark.parametrize("columns", ["60", "160"])
def test_the_report_keeps_to_the_terminal(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing but what is there to be copied is wider than the terminal."""
    monkeypatch.setenv("COLUMNS", columns)
    certify(*FORGETS)
    lines = capsys.readouterr().out.splitlines()
    copied = ("again: ", "digest ")
    assert max(len(line) for line in lines if not line.startswith(copied)) <= int(columns)


def test_faults_and_long_scripts_have_replay_files_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is too long for a line is replayed from a file, if it is kept."""
    dies = ("--adapter", "broken_model:Dies", "--evidence", "exhaustive")
    assert certify(*dies, "--out", "o") == 1
    assert "contextcert replay o/replay/crash.release.json" in capsys.readouterr().out
    assert run(["replay", "o/replay/crash.release.json", *dies[:2]]) == 1
    assert certify("--adapter", "broken_model:DiesAtLength", "--evidence", "random") == 1
    shown = capsys.readouterr().out
    assert "contextcert replay DIR/replay/crash.release.json" in shown
    assert "(--out DIR keeps that file)" in shown


def test_worked_cases_are_replayed_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A file of cases with recorded outcomes is compared, and the differing ones are shown."""
    _write_cases("cases.jsonl")
    assert run(["replay", "cases.jsonl"]) == 0
    assert "2 of 2 cases agree" in capsys.readouterr().out
    assert run(["replay", "cases.jsonl", *FORGETS]) == 1
    assert "1 of 2 cases agree" in capsys.readouterr().out


def test_a_line_of_cases_ends_at_a_line_feed_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """U+2028 and its like stand inside JSON strings and end no case."""
    case = json.dumps(
        {"name": "a\u2028b\x85c", "ops": _script("function_call")}, ensure_ascii=False
    )
    Path("cases.jsonl").write_text(f"{case}\n{case}\n", encoding="utf-8")
    assert run(["replay", "cases.jsonl"]) == 0
    assert "2 of 2 cases agree" in capsys.readouterr().out


def test_whoever_stops_reading_gets_the_verdict_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`certify | head` has the exit code of the verdict."""
    monkeypatch.setattr("contextcert.cli.certify._report", _nobody_reads)
    monkeypatch.setattr("contextcert.cli.certify.forget_standard_output", lambda: None)
    assert certify(*FORGETS, "--out", "o") == 1
    read_certificate(Path("o/certificate.json"))


def test_a_replay_file_goes_on_after_a_panic(capsys: pytest.CaptureFixture[str]) -> None:
    """What only shows after a panic is shown again, and needs a subject that can go on (MODE-8)."""
    loses = ("--adapter", "broken_model:LosesAfterPanic")
    assert certify(*loses, "--clause", "MODE-8", "--out", "o") == 1
    assert "the subject was asked to go on after a panic" in capsys.readouterr().out
    replay = "o/replay/MODE-8.debug.json"
    assert json.loads(Path(replay).read_text())["continue_after_panic"] is True
    read_certificate(Path("o/certificate.json"))
    assert run(["replay", replay, *loses]) == 1
    assert "MODE-8" in capsys.readouterr().out
    assert run(["replay", replay]) == 0
    assert run(["replay", replay, "--adapter", "broken_model:StopsAtPanic"]) == 2
    assert "capability continue_after_panic" in capsys.readouterr().err


def test_a_pinned_example_that_goes_on_is_explained_and_replayed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What debug is asked beyond its panic is said, and asked again (MODE-8)."""
    assert run(["explain", "MODE-8"]) == 0
    assert "asked to go on after a panic" in capsys.readouterr().out
    (example,) = (one for one in examples() if goes_on(one))
    file = tmp_path / "example.json"
    file.write_text(json.dumps(example))
    assert run(["replay", str(file)]) == 0
    assert run(["replay", str(file), "--adapter", "broken_model:LosesAfterPanic"]) == 1
    assert "MODE-8" in capsys.readouterr().out


def test_a_script_from_standard_input_is_replayed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`replay -` is what the line of a run without --out uses."""
    file = tmp_path / "in"
    file.write_text(json.dumps({"ops": _script("custom_tool_call"), "mode": "release"}))
    with file.open() as text:
        monkeypatch.setattr(sys, "stdin", text)
        assert run(["replay", "-", *FORGETS]) == 1


@pytest.mark.parametrize("clause", ["PAIR-3", "syn-1", "ROLL-9", "MODE-10", "HAZ-3", "E11-1"])
def test_every_kind_of_clause_is_explained(clause: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its sentence is shown, whatever the letter case it was typed in."""
    assert run(["explain", clause]) == 0
    assert clause.upper() in capsys.readouterr().out


@pytest.mark.parametrize(
    ("seen", "clause"),
    [
        ("an output disappeared", "ORPH-1"),
        ("ids change on retry", "SYN-1"),
        ("my tool result is missing", "ORPH-1"),
        ("images are still sent to a text model", "IMG-2"),
        ("crash in release", "MODE-4"),
        ("the order of items is wrong", "ORD-1"),
    ],
)
def test_a_symptom_leads_to_clauses(
    seen: str, clause: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a user sees is enough to find what to read."""
    assert run(["explain", *seen.split()]) == 0
    assert clause in capsys.readouterr().out


def test_symptoms_name_clauses_that_are_there() -> None:
    """The table keeps to SPEC, and each of its sentences finds itself."""
    for symptom in SYMPTOMS:
        assert set(symptom.clauses) <= set(CLAUSES)
        assert symptom in symptoms_like(symptom.seen)


def test_a_name_without_end_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    """A report is for reading, whatever a subject calls itself."""
    certify("--adapter", "broken_model:LongName", "--evidence", "vectors")
    shown = capsys.readouterr().out
    assert len(shown) < 20_000
    assert "n" * 100 in shown
    assert "n…" in shown


def test_a_misspelt_item_type_among_hidden_fields_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It would hide nothing, and the report would say that it does."""
    assert certify("--adapter", "broken_model:HidesNothing") == 2
    assert "hidden_fields names 'function_cal'" in capsys.readouterr().err


def test_smoke_tells_whose_fault_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """0 for a sound subject, 1 for the implementation, 2 for the adapter."""
    assert run(["smoke"]) == 0
    assert run(["smoke", "--adapter", "broken_model:NeverPanics"]) == 1
    assert "the implementation" in capsys.readouterr().out
    assert run(["smoke", "--adapter", "broken_model:OtherProtocol"]) == 2
    assert "the adapter" in capsys.readouterr().out


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_campaign_that_is_asked_to_end_says_so_and_ends_its_workers() -> None:
    """SIGTERM to the parent alone gives one line and 143, and no process is left behind."""
    running = _sleeping_campaign()
    os.kill(running.pid, signal.SIGTERM)
    _, said = running.communicate(timeout=20)
    assert running.returncode == 143
    assert said.strip() == "contextcert: stopped, as it was asked to end (SIGTERM)."
    assert _is_gone(running.pid)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupted_campaign_ends_its_workers() -> None:
    """Ctrl-C gives one line and 130, and no process is left behind."""
    running = _sleeping_campaign()
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=20)
    assert running.returncode == 130
    assert said.strip() == "contextcert: stopped."
    assert _is_gone(running.pid)


def _sleeping_campaign() -> subprocess.Popen[str]:
    """Start a campaign in a session of its own, and wait until its subject sleeps."""
    command = [sys.executable, "-m", "contextcert", "certify", "--workers", "2"]
    running = subprocess.Popen(
        [*command, "--adapter", "broken_model:Sleeps"],
        cwd=BROKEN,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(2.5)
    return running


def _nobody_reads(*_: object) -> None:
    raise BrokenPipeError


def _is_gone(group: int) -> bool:
    """Wait a moment for the last process of a group to end."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def _script(kind: str) -> list[Any]:
    call = {"type": kind, "id": "x_1", "call_id": "c", "name": "n", "input": "", "arguments": "{}"}
    kept = "input" if kind == "custom_tool_call" else "arguments"
    item = {key: value for key, value in call.items() if key not in {"input", "arguments"} - {kept}}
    return [
        {"op": "record_items", "items": [item], "policy": {"mode": "tokens", "limit": 1000}},
        {"op": "for_prompt", "input_modalities": ["text"]},
    ]


def _write_cases(name: str) -> None:
    scripts = [_script("custom_tool_call"), _script("function_call")]
    cases = [
        {
            "name": f"case {number}",
            "ops": script,
            **{mode.value: run_script(script, mode=mode) for mode in Mode},
        }
        for number, script in enumerate(scripts)
    ]
    Path(name).write_text("".join(json.dumps(case) + "\n" for case in cases))
