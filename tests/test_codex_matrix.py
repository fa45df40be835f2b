"""Releases judged one after the other, with an npm and binaries of our own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from contextcert.campaign import BUDGETS, Campaign, Evidence, Watcher
from contextcert.campaign.campaign import NobodyWatches
from contextcert.certificate import Verdict, read_certificate
from contextcert.cli.main import run
from contextcert.matrix import Column, Matrix, matrix_markdown
from contextcert.matrix.releases import Plan, judge_releases
from contextcert.processes import CAN_DRIVE_PROGRAMS
from contextcert.refmodel import Edition

pytestmark = pytest.mark.skipif(
    not CAN_DRIVE_PROGRAMS, reason="this system cannot drive adapter programs"
)

FAKE = Path(__file__).with_name("fake_codex.py")
NPM = """#!{python}
import pathlib, sys
wanted = sys.argv[-1].rpartition("@")[2]
version = wanted.partition("-")[0]
if version == "0.0.1":
    sys.exit("npm error code E404")
package = pathlib.Path("node_modules/@openai/codex")
binary = package / "vendor/a-triple/bin/codex"
binary.parent.mkdir(parents=True)
package.joinpath("package.json").write_text('{{"version": "' + wanted + '"}}')
told = "9.9.8" if version == "9.9.7" else version
start = "exit 1" if version == "9.9.6" else f"FAKE_VERSION={{told}} exec {python} {fake} \\"$@\\""
binary.write_text("#!/bin/sh\\n" + start + "\\n")
binary.chmod(0o755)
"""


class Teller:
    """Writes down what it hears."""

    def __init__(self) -> None:
        """Start with nothing heard."""
        self.heard: list[str] = []

    def fetching(self, version: str) -> None:
        """Hear of a release."""
        self.heard.append(f"fetching {version}")

    def judging(self, name: str) -> AbstractContextManager[Watcher]:
        """Hear of a campaign."""
        self.heard.append(f"judging {name}")
        return nullcontext(NobodyWatches())

    def judged(self, column: Column, seconds: float) -> None:
        """Hear of an end."""
        assert seconds >= 0
        self.heard.append(f"judged {column.title}")


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """Give a plan over pinned examples, with an npm of our own and an empty cache."""
    monkeypatch.setenv("CONTEXTCERT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(NPM.format(python=sys.executable, fake=FAKE), encoding="utf-8")
    npm.chmod(0o755)
    campaign = Campaign(BUDGETS["quick"], evidence=(Evidence.VECTORS,))
    return Plan(campaign, tmp_path / "out", workers=1)


def test_each_release_is_judged_by_its_own_edition(plan: Plan) -> None:
    """A certificate each is kept; the one that cannot be had has a column that says why."""
    columns = list(judge_releases(("0.121.0", "0.0.1", "9.9.9"), plan, Teller()))
    assert [column.title for column in columns] == ["0.121.0", "0.0.1", "9.9.9"]
    editions = [
        None if column.certificate is None else column.certificate.edition for column in columns
    ]
    assert editions == [Edition.AUGUST_2026, None, Edition.NOVEMBER_2026]
    assert "E404" in columns[1].why_missing
    assert [column.count(Verdict.VIOLATES) for column in columns] == [0, 0, 0]
    assert columns[0].verdict("SYN-1") is Verdict.NOT_OBSERVABLE
    assert columns[2].verdict("SYN-1") is Verdict.CONFORMS
    kept = read_certificate(plan.out / "0.121.0" / "certificate.json")
    assert kept.subject.version == "0.121.0"
    markdown = matrix_markdown(Matrix("t", tuple(columns)))
    assert "SYN-1" in markdown
    assert "E404" in markdown


def test_ids_are_switched_on_in_a_column_of_their_own(plan: Plan) -> None:
    """A release with optional ids is judged as it ships, and once more with them."""
    columns = list(judge_releases(("0.145.0",), plan, Teller()))
    assert [column.title for column in columns] == ["0.145.0", "0.145.0 item_ids"]
    assert (plan.out / "0.145.0+item_ids" / "certificate.json").exists()


@pytest.mark.parametrize(
    ("version", "why"), [("9.9.7", "calls itself 9.9.8"), ("9.9.6", "is it Codex")]
)
def test_a_release_that_cannot_be_judged_holds_up_no_other(
    plan: Plan, version: str, why: str
) -> None:
    """Its column says why in a sentence."""
    columns = list(judge_releases((version, "9.9.9"), plan, Teller()))
    assert why in columns[0].why_missing
    assert columns[1].certificate is not None


def test_what_is_finished_is_kept_and_taken_again_only_when_asked(plan: Plan) -> None:
    """An ended run leaves the certificates that it had; --resume goes on behind them."""
    columns = judge_releases(("9.9.9", "9.9.5"), plan, Teller())
    next(columns)
    columns.close()  # type: ignore[attr-defined]
    assert (plan.out / "9.9.9" / "certificate.json").exists()
    again, anew = Teller(), Teller()
    list(judge_releases(("9.9.9", "9.9.5"), Plan(plan.campaign, plan.out, 1, resume=True), again))
    assert "judging 9.9.9" not in again.heard
    assert "judging 9.9.5" in again.heard
    list(judge_releases(("9.9.9",), plan, anew))
    assert "judging 9.9.9" in anew.heard


@pytest.mark.parametrize(("end", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_ended_run_leaves_no_process(
    plan: Plan, tmp_path: Path, end: signal.Signals, code: int
) -> None:
    """Neither a binary nor a worker, nor their files, nor half a certificate."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    ended = subprocess.Popen(
        [sys.executable, "-m", "contextcert", "codex", "matrix", "9.9.9", "--out", str(plan.out)],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        # What removes the files of a killed program needs the system's own programs.
        env={**os.environ, "TMPDIR": str(temporary), "PATH": f"{tmp_path}/bin:/usr/bin:/bin"},
    )
    assert ended.stderr is not None
    assert any("9.9.9: certifying" in line for line in ended.stderr)
    assert waits_until(lambda: len(running(tmp_path / "cache")) > 1)
    ended.send_signal(end)
    assert ended.wait(30) == code
    ended.stderr.close()
    assert waits_until(lambda: not running(tmp_path / "cache"))
    assert waits_until(lambda: not list(temporary.iterdir()))
    assert not list(plan.out.rglob("*.json"))


def running(folder: Path) -> list[str]:
    """Give the processes that have something in a folder on their command line."""
    told = subprocess.run(
        ["/bin/ps", "-e", "-ww", "-o", "args="], capture_output=True, check=True, text=True
    )
    return [line for line in told.stdout.splitlines() if str(folder) in line]


def waits_until(condition: Callable[[], bool], seconds: float = 20) -> bool:
    """Wait for something that takes a moment."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def test_a_certificate_of_another_campaign_is_not_taken(plan: Plan) -> None:
    """Another seed is another table."""
    list(judge_releases(("9.9.9",), plan, Teller()))
    other = Campaign(plan.campaign.budget, seed=7, evidence=plan.campaign.evidence)
    teller = Teller()
    list(judge_releases(("9.9.9",), Plan(other, plan.out, 1, resume=True), teller))
    assert "judging 9.9.9" in teller.heard


def test_a_replay_line_names_the_release_by_its_version(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed release needs no path, not even beside a folder that has its name."""
    (column,) = judge_releases(("9.9.9",), plan, Teller())
    monkeypatch.chdir(plan.out)
    assert column.again is not None
    assert column.again.subject == ("--codex=9.9.9",)
    code = run(["certify", "--codex=9.9.9", "--clause=PAIR-1", "--evidence=vectors", "--workers=1"])
    assert code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["codex", "matrix"], "VERSION"),
        (["codex", "matrix", "latest"], "is no version of Codex"),
        (["codex", "matrix", "1.2.3", "--out", "FILE"], "--out"),
        (["codex", "matrix", "1.2.3", "--claim", "nothing"], "no profile 'nothing'"),
        (["certify", "--codex", "1.2.3"], "release 1.2.3 is not installed"),
    ],
)
def test_a_mistake_is_one_sentence(
    plan: Plan, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is fetched for a command that cannot be carried out."""
    file = plan.out.with_name("file")
    file.touch()
    typed = [str(file / "in it") if one == "FILE" else one for one in arguments]
    assert run(typed) == 2
    assert said in capsys.readouterr().err
    assert not (plan.out.parent / "cache").exists()
