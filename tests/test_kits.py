"""Every kit: it builds as it says, its adapter loses nothing, its faults are the shared ones."""

import fcntl
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from contextcert.config import configured_subject
from contextcert.new_adapter import KITS, kits
from contextcert.refmodel import Edition, Mode
from contextcert.smoke import Verdict, thorough
from contextcert.subject import SubjectSpec

LANGUAGES = sorted(kits())
ROOT = Path(__file__).parent.parent
FAULTS = json.loads((KITS / "faults.json").read_text("utf-8"))["faults"]
NAMES = {fault["name"] for fault in FAULTS}

SKIPPED = {
    Mode.DEBUG: {"Diagnostics are given as declared"},
    Mode.RELEASE: {
        "A panic ends the script",
        "After a panic a script goes on where it is asked to",
    },
}
"""What a mode has nothing to show of."""

INEXACT = {
    "Numbers survive, as exact_numbers says",
    "Integers beyond 2^53 survive",
    "1, 1.0 and true are three values",
}
"""What a decoder that turns 1.0 into 1 is not asked."""


def shell(command: str, folder: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run a command as a user would type it."""
    return subprocess.run(
        ["/bin/bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(params=LANGUAGES)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build a kit once in its own folder, whichever worker comes first, and give its language."""
    language: str = request.param
    toolchain = shell(f"{sys.executable} .ci/kit_toolchains.py {language}", ROOT)
    if toolchain.returncode != 0:
        pytest.skip(toolchain.stdout.strip())
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with (shared / f"{language}.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if not lock.read():
            build = kits()[language]["build"]
            if build is not None:
                done = shell(build, KITS / language)
                assert done.returncode == 0, done.stdout + done.stderr
            lock.write("built")
    return language


def subject(language: str) -> SubjectSpec:
    """Give the subject that the kit's own configuration describes."""
    return configured_subject(language, KITS / language / "contextcert.toml")


def start(language: str, mode: Mode, fault: str) -> "subprocess.CompletedProcess[str]":
    """Start an adapter with a fault and nothing to read."""
    way = subject(language).ways[mode]
    return subprocess.run(
        way.command,  # type: ignore[attr-defined]
        cwd=KITS / language,
        env=os.environ | {"CONTEXTCERT_FAULT": fault},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("mode", "edition"),
    [
        (Mode.DEBUG, Edition.AUGUST_2026),
        (Mode.RELEASE, Edition.AUGUST_2026),
        (Mode.RELEASE, Edition.NOVEMBER_2026),
    ],
)
def test_the_adapter_passes_every_step(built: str, mode: Mode, edition: Edition) -> None:
    """Nothing fails, and nothing is skipped but what the mode, the edition or numbers exclude."""
    report = thorough(subject(built), mode, edition=edition)
    assert not report.failures
    skipped = {step.title for step in report.steps if step.verdict is Verdict.SKIPPED}
    excused = SKIPPED[mode] | (INEXACT if built == "typescript" else set())
    by_edition = {step.title for step in report.steps if step.message.startswith("edition ")}
    assert skipped - by_edition == excused


@pytest.mark.parametrize("mode", Mode)
def test_it_offers_the_editions_that_are_listed(built: str, mode: Mode) -> None:
    """What CI certifies is what the kit has."""
    session = subject(built).open(mode)
    session.close()
    assert [one.value for one in session.description.editions] == kits()[built]["editions"]


def test_an_unknown_fault_ends_the_start_and_lists_those_there(built: str) -> None:
    """The names are those of faults.json, and no others."""
    ended = start(built, Mode.DEBUG, "no-such-fault-at-all")
    assert ended.returncode == 2
    assert ended.stdout == ""
    told = set(re.findall(r"[a-z]+(?:-[a-z]+)+", ended.stderr)) | {"crash", "hang", "garbage"}
    assert told - {"no-such-fault-at-all"} == NAMES
    assert re.search(r"\bcrash\b.*\bhang\b.*\bgarbage\b", ended.stderr, re.DOTALL)


@pytest.mark.parametrize("mode", Mode)
def test_every_shared_fault_is_known(built: str, mode: Mode) -> None:
    """Started with one and given nothing, the adapter ends as it does without."""
    for name in sorted(NAMES):
        ended = start(built, mode, name)
        assert (ended.returncode, ended.stdout) == (0, ""), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_loop_is_short(language: str) -> None:
    """At most 120 lines, comments included, without the implementer's part."""
    lines = (KITS / language / kits()[language]["protocol"]).read_text("utf-8").splitlines()
    assert len(lines) <= 120


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_place_for_ones_own_calls_is_marked_once(language: str) -> None:
    """The two marks stand in one file, one after the other."""
    texts = [
        path.read_text("utf-8")
        for path in (KITS / language).rglob("adapter.*")
        if path.suffix in {".rs", ".go", ".ts", ".py"} and "node_modules" not in path.parts
    ]
    (marked,) = [text for text in texts if "YOUR CALLS START HERE" in text]
    assert marked.count("YOUR CALLS START HERE") == marked.count("YOUR CALLS END HERE") == 1
    assert marked.index("YOUR CALLS START HERE") < marked.index("YOUR CALLS END HERE")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_readme_has_the_commands_that_work(language: str) -> None:
    """Building, smoke and certify stand there as new-adapter says them, and so does the switch."""
    readme = (KITS / language / "README.md").read_text("utf-8")
    wanted = [f"contextcert smoke {language}", f"contextcert certify {language}"]
    wanted += ["CONTEXTCERT_FAULT", "YOUR CALLS START HERE"]
    wanted += (kits()[language]["build"] or kits()[language]["test"]).split(" && ")
    assert [one for one in wanted if one not in readme] == []


def test_lock_files_name_no_registry() -> None:
    """Whoever installs takes the packages from where their own tools take them."""
    lock = json.loads((KITS / "typescript" / "package-lock.json").read_text("utf-8"))
    assert all("resolved" not in package for package in lock["packages"].values())


def test_faults_are_named_once_and_expected_somewhere() -> None:
    """Each has a sentence, and something by which it is caught."""
    assert len(NAMES) == len(FAULTS) >= 10
    for fault in FAULTS:
        assert fault["says"].endswith(".")
        assert fault["kind"] in {"answer", "mode", "transport"}
        assert fault.keys() & {"clauses", "faults", "refused_by"}, fault["name"]


def test_the_page_on_kits_names_every_fault_with_its_sentence() -> None:
    """What the page says a fault does is what faults.json says."""
    page = (ROOT / "docs" / "kits.md").read_text("utf-8")
    assert [
        fault["name"] for fault in FAULTS if f"| `{fault['name']}` | {fault['says']} |" not in page
    ] == []
