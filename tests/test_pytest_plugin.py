"""The plugin certifies from inside pytest, and leaves everybody else's runs alone."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from contextcert import pytest_plugin
from contextcert.campaign import BUDGETS
from contextcert.refmodel import Edition, Mode

BROKEN = Path(__file__).parent / "broken_model"
PLUGIN = ("-p", "contextcert.pytest_plugin")

TEST_OF_MODES = """
def test_mode(contextcert_mode, contextcert_sessions, contextcert_judge, contextcert_scope):
    session = contextcert_sessions[contextcert_mode]
    script = [{"op": "raw_items"}]
    answers = {contextcert_mode: session.run(script).outcomes}
    assert contextcert_judge.judge(script, answers).clean
"""


def _pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder of its own, in a process of its own."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A foreign repository with one test over both modes."""
    (tmp_path / "test_modes.py").write_text(TEST_OF_MODES)
    return tmp_path


def test_both_modes_are_parametrised(folder: Path) -> None:
    """A test over `contextcert_mode` runs once a mode."""
    done = _pytest(folder, *PLUGIN, "-v")
    assert "test_mode[debug] PASSED" in done.stdout
    assert "test_mode[release] PASSED" in done.stdout
    assert done.returncode == 0


def test_one_build_alone_is_one_mode(folder: Path) -> None:
    """With --contextcert-release alone nothing is asked of debug."""
    serve = f"{sys.executable} -m contextcert serve --mode release"
    done = _pytest(folder, *PLUGIN, "-v", "--contextcert-release", serve)
    assert "test_mode[release] PASSED" in done.stdout
    assert "test_mode[debug]" not in done.stdout


def test_a_subject_that_cannot_be_used_is_one_line_and_no_traceback(folder: Path) -> None:
    """The sentence of the command line, inside pytest."""
    done = _pytest(folder, *PLUGIN, "--contextcert-adapter", "nowhere:Thing")
    assert done.returncode == 1
    assert "importing nowhere failed" in done.stdout
    assert "Traceback" not in done.stdout


def test_an_unknown_budget_is_refused(folder: Path) -> None:
    """Pytest's own usage error names the choices."""
    done = _pytest(folder, *PLUGIN, "--contextcert-budget", "huge")
    assert done.returncode == 4
    assert "quick" in done.stderr


def test_it_spreads_over_workers(folder: Path) -> None:
    """-n gives every worker its own sessions."""
    done = _pytest(folder, *PLUGIN, "-n", "2")
    assert done.returncode == 0, done.stdout


def test_nothing_is_written_into_the_repository(folder: Path) -> None:
    """No .hypothesis folder, no certificate, no cache of ours."""
    _pytest(folder, *PLUGIN)
    left = {one.name for one in folder.iterdir()} - {"__pycache__"}
    assert left == {"test_modes.py"}


def test_it_does_nothing_for_others(tmp_path: Path) -> None:
    """Whoever merely has it installed gets no import of contextcert's rooms and no output."""
    (tmp_path / "test_other.py").write_text(
        "import sys\n\n\ndef test_it():\n"
        "    rooms = {name for name in sys.modules if name.startswith('contextcert.')}\n"
        "    assert rooms <= {'contextcert.pytest_plugin'}\n"
    )
    done = _pytest(tmp_path, *PLUGIN)
    assert done.returncode == 0, done.stdout
    told = [one for one in done.stdout.splitlines() if not one.startswith("plugins: ")]
    assert not any("contextcert" in one for one in told)


def test_loading_it_twice_does_no_harm(folder: Path) -> None:
    """By entry point, by -p and by a conftest, it is one plugin."""
    (folder / "conftest.py").write_text('pytest_plugins = ["contextcert.pytest_plugin"]\n')
    assert _pytest(folder, *PLUGIN).returncode == 0


def test_its_entry_point_is_named_like_its_module() -> None:
    """That is what lets pytest see that it is loaded already."""
    (point,) = (one for one in entry_points(group="pytest11") if "contextcert" in one.value)
    assert point.name == point.value == pytest_plugin.__name__


def test_the_choices_that_it_spells_out_are_those_of_the_rooms() -> None:
    """The plugin imports nothing, so it repeats names; they must not drift."""
    assert tuple(BUDGETS) == pytest_plugin.BUDGET_NAMES
    assert tuple(one.value for one in Edition) == pytest_plugin.EDITION_NAMES
    assert tuple(one.value for one in Mode) == pytest_plugin.MODE_NAMES


def test_every_option_carries_the_prefix() -> None:
    """`--debug` is pytest's own."""
    parser = pytest.Parser(_ispytest=True)
    pytest_plugin.pytest_addoption(parser)
    (group,) = (one for one in parser._groups if one.name == "contextcert")
    names = [name for option in group.options for name in option.names()]
    assert len(names) > 8
    assert all(name.startswith("--contextcert-") for name in names)
