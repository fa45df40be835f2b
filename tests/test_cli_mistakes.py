"""A user's mistake is one line on standard error and exit code 2, never a traceback."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from contextcert.cli.main import run

BROKEN = Path(__file__).parent / "broken_model"
PYTHON = sys.executable


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a folder that holds the broken subjects' module and nothing else."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "broken_model.py").write_text((BROKEN / "broken_model.py").read_text())
    monkeypatch.chdir(tmp_path)


MISTAKES = {
    "missing program": (["certify", "--debug", "./not-there"], ["not-there"]),
    "unclosed quote": (["certify", "--debug", "'adapter"], ["--debug", "split"]),
    "empty command": (["certify", "--cmd", ""], ["--cmd", "empty"]),
    "unknown budget": (["certify", "--budget", "huge"], ["--budget", "huge", "nightly"]),
    "bad seed": (["certify", "--seed", "one"], ["--seed", "one", "whole number"]),
    "negative seed": (["certify", "--seed", "-1"], ["--seed", "-1"]),
    "unknown clause": (["certify", "--clause", "PAIR-99"], ["PAIR-99", "PAIR-9"]),
    "unknown profile": (["certify", "--claim", "projections"], ["projections", "projection"]),
    "unknown evidence": (["certify", "--evidence", "luck"], ["luck", "exhaustive"]),
    "unknown edition": (["certify", "--edition", "2025-01"], ["2025-01", "2026-08"]),
    "no workers": (["certify", "--workers", "0"], ["--workers"]),
    "no configuration": (["certify", "mine"], ["contextcert.toml", "--debug"]),
    "two subjects": (["certify", "--cmd", "a", "--adapter", "m:a"], ["--cmd", "--adapter"]),
    "name and command": (["certify", "mine", "--debug", "a"], ["mine", "--debug"]),
    "no such module": (["certify", "--adapter", "nowhere:Thing"], ["nowhere"]),
    "no such attribute": (["certify", "--adapter", "broken_model:Thing"], ["Thing"]),
    "no colon": (["certify", "--adapter", "broken_model"], ["module:attribute"]),
    "other protocol": (["certify", "--adapter", "broken_model:OtherProtocol"], ["protocol 7"]),
    "not an adapter": (["certify", "--cmd", f"{PYTHON} -c 0"], []),
    "unreadable replay file": (["replay", "nowhere.json"], ["nowhere.json", "No such file"]),
    "missing certificate": (["merge", "a.json", "b.json"], ["a.json"]),
    "unknown command": (["certifi"], ["certifi"]),
    "unknown option": (["certify", "--quick"], ["--quick"]),
    "unknown symptom": (["explain", "zzz"], ["zzz"]),
    "file for a folder": (["certify", "--out", "broken_model.py/sub"], ["--out", "name a folder"]),
    "folder for a program": (["certify", "--cmd", "./folder"], ["./folder", "is a folder"]),
    "no session": (["audit", "broken_model.py"], ["broken_model.py", "no recorded session"]),
    "wrong serve mode": (["serve", "--mode", "fast"], ["fast", "debug"]),
    "bad codex version": (["codex", "install", "newest"], ["newest"]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line_that_says_what_and_where(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line names what was wrong, and nothing is printed to standard output."""
    arguments, said = MISTAKES[name]
    assert run(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("contextcert: ")
    assert told.err.count("\n") == 1
    assert all(part in told.err for part in said)


def test_broken_toml_names_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is no TOML is named with the place."""
    Path("contextcert.toml").write_text("[subjects.mine\n")
    assert run(["certify", "mine"]) == 2
    assert "line 1" in capsys.readouterr().err


def test_a_subject_missing_from_the_configuration_lists_those_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A wrong name is answered with the right ones."""
    Path("contextcert.toml").write_text('[subjects.mine]\nadapter = "broken_model:Sound"\n')
    assert run(["certify", "yours"]) == 2
    assert "mine" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("7", "no object"),
        ('{"ops": 7}', "ops"),
        ('{"ops": [7]}', "ops"),
        ('{"ops": [], "mode": "fast"}', "fast"),
        ('{"ops": [], "edition": "x"}', "edition"),
        ('{"ops": [], "clause": "PAIR-99"}', "PAIR-99"),
        ('{"ops": [], "continue_after_panic": 1}', "continue_after_panic is true or false"),
        ('{"ops": [], "debug": 7}', "outcomes"),
        ('{"ops": []}\n{"ops"}\n', "line 2"),
        ('{"certified": true, "clauses": []}', "certificate"),
        ('{"ops": [{"op": "replace", "items": [NaN]}]}', "not JSON"),
        ('{"ops": [{"op": "replace", "items": ["\\ud800"]}]}', "surrogate"),
        ("[" * 200_000, "depth"),
        ('{"ops": ' + "[" * 300 + "]" * 300 + "}", "nests more than"),
        ("\udcff", "UTF-8"),
    ],
)
def test_a_file_that_is_no_replay_file_says_why(
    text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each way of being wrong has its own words."""
    Path("replay.json").write_text(text, encoding="utf-8", errors="surrogateescape")
    assert run(["replay", "replay.json"]) == 2
    assert said in capsys.readouterr().err


def test_where_to_write_is_tried_before_the_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    """A night's evidence is not lost for want of a folder."""
    monkeypatch.setattr("contextcert.cli.certify._ran", _raise_zero_division)
    Path("file").write_text("")
    assert run(["certify", "--out", "file/certificate"]) == 2
    assert list(Path("folder").iterdir()) == []


def test_a_byte_order_mark_is_forgiven() -> None:
    """Some editors put it there."""
    Path("replay.json").write_bytes(b"\xef\xbb\xbf" + b'{"ops": []}')
    assert run(["replay", "replay.json"]) == 0


def test_a_certificate_that_nests_too_deep_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A hostile file is no defect of ours."""
    Path("deep.json").write_text("[" * 200_000)
    assert run(["merge", "deep.json", "deep.json"]) == 2
    assert "deep.json is not JSON" in capsys.readouterr().err


def test_a_defect_of_ours_says_so_and_keeps_the_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unexpected error is not blamed on the user, and can be reported."""
    monkeypatch.setattr("contextcert.cli.certify.certified", _raise_zero_division)
    monkeypatch.setattr("tempfile.tempdir", str(Path.cwd()))
    assert run(["certify"]) == 2
    told = capsys.readouterr().err
    assert "a defect of contextcert (ZeroDivisionError)" in told
    (saved,) = Path.cwd().glob("*.traceback")
    assert "ZeroDivisionError" in saved.read_text()


def test_the_traceback_is_shown_where_the_variable_asks_for_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """CONTEXTCERT_TRACEBACK prints it in place of saving it."""
    monkeypatch.setattr("contextcert.cli.certify.certified", _raise_zero_division)
    monkeypatch.setenv("CONTEXTCERT_TRACEBACK", "1")
    assert run(["certify"]) == 2
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_an_interrupt_is_one_line_and_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C is no defect."""
    monkeypatch.setattr("contextcert.cli.certify.certified", _interrupt)
    assert run(["certify"]) == 130
    assert capsys.readouterr().err.strip() == "contextcert: stopped."


def test_no_command_shows_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """A bare `contextcert` teaches."""
    assert run([]) == 2
    assert "certify" in capsys.readouterr().out


def _raise_zero_division(_asked: object) -> int:
    return 1 // 0


def _interrupt(_asked: object) -> int:
    raise KeyboardInterrupt
