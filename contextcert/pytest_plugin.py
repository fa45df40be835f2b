"""The pytest plugin: points the tests of `contextcert.properties` at a subject.

It is loaded into every pytest run of whoever has contextcert installed. So it imports nothing of
contextcert or Hypothesis before a fixture is asked for, prefixes every option, and leaves all
other tests alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from contextcert.campaign import Budget, Opened
    from contextcert.campaign.setting import Setting
    from contextcert.properties import Judge
    from contextcert.refmodel import Mode
    from contextcert.strategies import Scope
    from contextcert.subject import Session, SubjectSpec

PREFIX: Final = "--contextcert-"
BUDGET_NAMES: Final = ("quick", "ci", "certify", "nightly")
EDITION_NAMES: Final = ("2026-08", "2026-11")
MODE_NAMES: Final = ("debug", "release")
MODE_FIXTURE: Final = "contextcert_mode"

_SUBJECT_OPTIONS: Final = {
    "subject": "a subject that contextcert.toml describes, or codex; else the built-in model",
    "debug": "the command of the debug build's adapter",
    "release": "the command of the release build's adapter",
    "cmd": "the command of one adapter that is told its mode",
    "adapter": "module:attribute, a subject in this process",
    "codex": "the path of a Codex binary",
    "config": "a file in place of ./contextcert.toml",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, every one with the prefix."""
    group = parser.getgroup("contextcert", "certify an implementation of a context history")
    for name, text in _SUBJECT_OPTIONS.items():
        group.addoption(f"{PREFIX}{name}", metavar=name.upper(), help=text)
    group.addoption(
        f"{PREFIX}codex-feature",
        action="append",
        default=[],
        metavar="NAME=BOOL",
        help="a feature switch of the Codex binary",
    )
    group.addoption(f"{PREFIX}edition", choices=EDITION_NAMES, help="the edition to judge by")
    group.addoption(
        f"{PREFIX}budget", choices=BUDGET_NAMES, default="quick", help="how much evidence"
    )
    group.addoption(f"{PREFIX}seed", type=int, default=0, help="the seed of random evidence")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `contextcert_mode` once for each mode the subject was given for."""
    if MODE_FIXTURE in metafunc.fixturenames:
        metafunc.parametrize(MODE_FIXTURE, _mode_names(metafunc.config), indirect=True)


def _mode_names(config: pytest.Config) -> tuple[str, ...]:
    """Tell the modes from the options alone, so that collecting opens nothing."""
    given = tuple(name for name in MODE_NAMES if _option(config, name))
    if given:
        return given
    codex = _option(config, "codex") or _option(config, "subject") == "codex"
    return MODE_NAMES[1:] if codex else MODE_NAMES


def _option(config: pytest.Config, name: str) -> str | None:
    value = config.getoption(f"{PREFIX}{name}")
    return None if value is None else str(value)


class _Typed:
    """The options, as `contextcert.subjects.resolve` reads them."""

    def __init__(self, config: pytest.Config) -> None:
        self.subject = _option(config, "subject")
        self.debug = _option(config, "debug")
        self.release = _option(config, "release")
        self.cmd = _option(config, "cmd")
        self.adapter = _option(config, "adapter")
        self.codex = _option(config, "codex")
        self.codex_feature = tuple(map(str, config.getoption(f"{PREFIX}codex-feature")))
        file = _option(config, "config")
        self.config = None if file is None else Path(file)


@pytest.fixture(scope="session")
def contextcert_spec(pytestconfig: pytest.Config) -> SubjectSpec:
    """The subject that the options name."""
    from contextcert.subject import SubjectError  # noqa: PLC0415  see the module's docstring
    from contextcert.subjects import resolve  # noqa: PLC0415

    try:
        return resolve(_Typed(pytestconfig))
    except SubjectError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def contextcert_opened(
    contextcert_spec: SubjectSpec, pytestconfig: pytest.Config
) -> Iterator[Opened]:
    """The subject, opened in each of its modes, and closed at the end of the session."""
    from contextcert.campaign import open_subject  # noqa: PLC0415
    from contextcert.refmodel import Edition  # noqa: PLC0415
    from contextcert.subject import SubjectError  # noqa: PLC0415

    asked = _option(pytestconfig, "edition")
    try:
        opening = open_subject(contextcert_spec, None if asked is None else Edition(asked))
        opened = opening.__enter__()
    except SubjectError as error:
        pytest.fail(str(error), pytrace=False)
    yield opened
    opening.__exit__(None, None, None)


@pytest.fixture(scope="session")
def contextcert_sessions(contextcert_opened: Opened) -> Mapping[Mode, Session]:
    """One open session a mode."""
    return contextcert_opened.sessions


@pytest.fixture(scope="session")
def contextcert_budget(pytestconfig: pytest.Config) -> Budget:
    """How much evidence is asked for."""
    from contextcert.campaign import BUDGETS  # noqa: PLC0415

    return BUDGETS[str(pytestconfig.getoption(f"{PREFIX}budget"))]


@pytest.fixture(scope="session")
def contextcert_seed(pytestconfig: pytest.Config) -> int:
    """The seed of random evidence."""
    return int(pytestconfig.getoption(f"{PREFIX}seed"))


@pytest.fixture(scope="session")
def contextcert_setting(
    contextcert_opened: Opened, contextcert_budget: Budget, contextcert_seed: int
) -> Setting:
    """The edition, claim, capabilities and scope that follow from the subject."""
    from contextcert.campaign import Campaign, setting_of  # noqa: PLC0415

    return setting_of(contextcert_opened, Campaign(contextcert_budget, contextcert_seed))


@pytest.fixture(scope="session")
def contextcert_scope(contextcert_setting: Setting) -> Scope:
    """What may be generated for the subject."""
    return contextcert_setting.scope


@pytest.fixture(scope="session")
def contextcert_judge(contextcert_setting: Setting) -> Judge:
    """A judge of the subject's edition and claim."""
    return contextcert_setting.judge()


@pytest.fixture
def contextcert_mode(request: pytest.FixtureRequest, contextcert_sessions: object) -> Mode:
    """The mode a parametrised test is about; it is skipped where the subject lacks the mode."""
    from contextcert.refmodel import Mode  # noqa: PLC0415

    mode = Mode(request.param)
    assert isinstance(contextcert_sessions, Mapping)
    if mode not in contextcert_sessions:
        pytest.skip(f"the subject was not given for {mode.value} (MODE-10 needs both)")
    return mode
