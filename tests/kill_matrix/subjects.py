"""The zoo's subjects as a campaign meets them: a session a mode, a setting, a judge."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from attrs import field, frozen
from zoo.registry import FAULTS
from zoo.subject import ZooSubject

from contextcert.adapters.specs import command_spec
from contextcert.campaign.budget import ALL_EVIDENCE, Budget
from contextcert.campaign.setting import Campaign, Setting
from contextcert.refmodel import DEFAULT_EDITION, Mode
from contextcert.refmodel.json_value import JsonObject
from contextcert.subject import Answer, Description, Script, Session

PROGRAM: Final = Path(__file__).parent.parent / "zoo" / "serve_zoo.py"

Answers = Mapping[Mode, list[JsonObject]]


@frozen
class ZooSession:
    """A subject of the zoo, opened in one mode, without a copy of what it is given."""

    build: ZooSubject
    description: Description

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        """Run one script."""
        params = {"ops": ops, "continue_after_panic": continue_after_panic}
        return Answer(self.build.run(params)["outcomes"], None)

    def run_batch(self, scripts: Sequence[Script]) -> list[Answer]:
        """Run scripts one by one."""
        return [self.run(script) for script in scripts]

    def close(self) -> None:
        """End nothing: it lives in this process."""


@frozen
class Pair:
    """Both builds of one subject of the zoo."""

    sessions: Mapping[Mode, ZooSession] = field()

    @classmethod
    def of(cls, fault: str | None) -> Pair:
        """Open the correct subject, or the one with this fault, in both modes."""
        return cls.made_by(ZooSubject if fault is None else FAULTS[fault].make)

    @classmethod
    def made_by(cls, make: type[ZooSubject]) -> Pair:
        """Open a subject in both modes."""
        return cls({mode: opened(make, mode) for mode in Mode})

    def answers(
        self, script: Script, modes: Sequence[Mode] = tuple(Mode), *, goes_on: bool = False
    ) -> Answers:
        """Run a script on the builds it is for."""
        return {
            mode: self.sessions[mode].run(script, continue_after_panic=goes_on).outcomes or []
            for mode in modes
        }


def opened(make: type[ZooSubject], mode: Mode) -> ZooSession:
    """Make a subject of the zoo and shake hands with it."""
    made = make(mode.value)
    given = made.initialize({"protocol": 1, "mode": mode.value, "edition": DEFAULT_EDITION.value})
    return ZooSession(made, Description.from_json(given))


@contextmanager
def served(fault: str, mode: Mode) -> Iterator[Session]:
    """Open a subject with a fault as a program of its own, and end it afterwards."""
    command = (sys.executable, "-S", str(PROGRAM), "--fault", fault, "--mode", mode.value)
    session = command_spec({mode: command}, name=fault).open(mode)
    try:
        yield session
    finally:
        session.close()


@cache
def setting_of(budget: Budget, seed: int) -> Setting:
    """Give the setting of a campaign over the correct subject's whole claim."""
    campaign = Campaign(budget, seed, ALL_EVIDENCE)
    described = {mode: opened(ZooSubject, mode).description for mode in Mode}
    return Setting.of(campaign, DEFAULT_EDITION, described)
