"""What the command line makes of adapters that misbehave: a verdict, a sentence, nothing left.

Behind each of them stands a history that is wrong in one place; it misbehaves on one script among
all pinned examples, so that what is found elsewhere must not be lost.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from attrs import frozen

ADAPTER: Final = Path(__file__).parent / "hostile" / "history_adapter.py"
MEBIBYTE: Final = 2**20
PEAK: Final = 256 * MEBIBYTE
"""What contextcert may take at most: itself and one line at its longest (64 MiB), joined once."""

SECONDS: Final = 20
WRONG_IN_ANY_CASE: Final = {"IMG-2", "IMG-3"}

RED: Final = {
    "dies": ("crash", {"MODE-3"}, "was ended by SIGSEGV instead of answering"),
    "dies-once": ("crash", {"PROJ-2"}, "A second try of the same script in a new process was"),
    "hangs": ("hang", {"MODE-3"}, "did not answer within 0.3 s"),
    "ignores-sigterm": ("hang", {"MODE-3"}, "did not answer within 0.3 s"),
    "late": ("hang", {"MODE-3"}, "did not answer within 0.3 s"),
    "floods": ("flood", set(), "longer than 64 MiB"),
    "floods-lines": ("garbage", set(), "no id and result"),
    "floods-logs": ("hang", {"MODE-3"}, "did not answer within 0.3 s"),
    "long-line": ("flood", set(), "longer than 64 MiB"),
    "garbage": ("garbage", set(), "log to stderr"),
    "wrong-id": ("wrong id", set(), "copy the id"),
    "twice": ("wrong id", set(), "one request"),
    "half-a-line": ("half line", set(), "did not end it"),
    "invalid-utf-8": ("garbage", set(), "UTF-8"),
    "closes-stdout": ("closed pipe", set(), "closed its stdout"),
    "leaves-grandchildren": ("crash", {"MODE-3"}, "exited with code 3"),
}
"""What is listed under `faults`, which clauses it violates beside, and words of its sentence."""

REFUSED: Final = {
    "dies-at-start": "exited with code 4",
    "hangs-at-start": "within 0.6 s",
    "prints-a-banner": "Welcome to hostile",
    "claims-the-wrong-mode": "is a release build, asked for debug",
}
"""What is wrong from the start, and words of the one line that says so."""


@frozen
class Run:
    """How a run of `contextcert certify` ended."""

    code: int
    said: str
    peak: int
    seconds: float
    left: str
    certificate: Any

    @property
    def violated(self) -> set[str]:
        """The clauses that are violated."""
        modes = [(one["id"], said) for one in self.clauses for said in one["modes"].values()]
        return {clause for clause, said in modes if said["verdict"] == "violates"}

    @property
    def clauses(self) -> Any:  # noqa: ANN401 - JSON
        """The certificate's clauses."""
        return self.certificate["clauses"]

    @property
    def judged(self) -> dict[str, int]:
        """How often each clause was judged."""
        return {one["id"]: one["modes"]["debug"]["exercised"] for one in self.clauses}


@cache
def run(behaviour: str) -> Run:
    """Certify the debug build of an adapter over the pinned examples."""
    with TemporaryDirectory(prefix="hostile-") as folder:
        command = [sys.executable, "-S", "-E", str(ADAPTER), behaviour, folder]
        described = {"debug": command, "time_out_factor": 0.06}
        lines = [f"{key} = {json.dumps(value)}" for key, value in described.items()]
        Path(folder, "contextcert.toml").write_text("\n".join(["[subjects.hostile]", *lines]))
        return _certified(Path(folder))


def _certified(folder: Path) -> Run:
    asked = ["certify", "hostile", "--evidence", "vectors", "--workers", "1", "--out", "out"]
    begun = time.monotonic()
    with (folder / "said").open("w+b") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "contextcert", *asked], cwd=folder, stdout=said, stderr=said
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    written = folder / "out" / "certificate.json"
    return Run(
        code=process.returncode,
        said=" ".join((folder / "said").read_text(encoding="utf-8").split()),
        peak=used.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
        seconds=time.monotonic() - begun,
        left=_left(folder),
        certificate=json.loads(written.read_bytes()) if written.exists() else None,
    )


def _left(folder: Path) -> str:
    """Give the processes that still run for a folder, after a moment to end in."""
    deadline, left = time.monotonic() + 2, "?"
    while left and time.monotonic() < deadline:
        table = subprocess.run(
            ["ps", "-A", "-o", "stat=,args="],  # noqa: S607
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        left = "\n".join(
            line for line in table.splitlines() if str(folder) in line and line[0] != "Z"
        )
    return left


def assert_bounded(one: Run) -> None:
    """Require an end in time, in memory, and of every process."""
    assert one.left == ""
    assert one.peak < PEAK
    assert one.seconds < SECONDS


@pytest.mark.parametrize("behaviour", RED)
def test_misbehaviour_on_a_script_is_red_and_costs_no_other_result(behaviour: str) -> None:
    """It stands beside its script with a sentence, and all else is judged as without it."""
    kind, violated, words = RED[behaviour]
    one, good = run(behaviour), run("none")
    assert_bounded(one)
    assert one.code == 1
    (fault,) = one.certificate["faults"]
    assert fault["kind"] == kind
    assert fault["message"].startswith("The adapter")
    assert words in fault["message"]
    assert fault["script"][0]["items"][0]["type"] == "web_search_call"
    assert words in one.said
    assert one.violated == violated | WRONG_IN_ANY_CASE
    assert one.certificate["evidence"] == good.certificate["evidence"]
    assert not one.certificate["unattributed"]
    once = {clause for clause, times in good.judged.items() if one.judged[clause] < times - 2}
    assert once == set()


@pytest.mark.parametrize("behaviour", REFUSED)
def test_what_cannot_be_used_is_refused_in_one_line(behaviour: str) -> None:
    """There is no certificate, and the exit code is that of wrong use."""
    one = run(behaviour)
    assert_bounded(one)
    assert one.code == 2
    assert one.certificate is None
    assert REFUSED[behaviour] in one.said
    assert "Traceback (most recent call last)" not in one.said


def test_an_operation_that_is_not_known_is_no_fault() -> None:
    """What needs it is not observable, with the reason, and all else is judged."""
    one = run("knows-no-clone")
    assert_bounded(one)
    assert one.code == 1
    assert one.violated == WRONG_IN_ANY_CASE
    assert one.certificate["faults"] == []
    unseen = {
        clause["id"]: clause["modes"]["debug"]["reason"]
        for clause in one.clauses
        if clause["modes"]["debug"]["verdict"] == "not observable"
    }
    assert {"SNAP-1", "SNAP-3"} <= unseen.keys()
    assert "clone" in unseen["SNAP-1"]


def test_the_history_behind_them_is_wrong_in_one_place() -> None:
    """Without misbehaviour its notice alone is red."""
    one = run("none")
    assert_bounded(one)
    assert one.code == 1
    assert one.violated == WRONG_IN_ANY_CASE
    assert one.certificate["faults"] == []
