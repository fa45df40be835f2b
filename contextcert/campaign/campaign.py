"""Runs a whole campaign: opens the subject, runs the plan, minimises what was found."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from typing import Final, Protocol

from attrs import frozen

from contextcert.campaign import cores
from contextcert.campaign.minimise import minimise
from contextcert.campaign.plan import Unit, plan
from contextcert.campaign.probe import refusals
from contextcert.campaign.runner import STOPPED_EARLY, UnitRunner
from contextcert.campaign.setting import Campaign, Setting
from contextcert.campaign.tally import Tally
from contextcert.campaign.workers import in_this_process, in_workers
from contextcert.refmodel import DEFAULT_EDITION, Edition, Mode
from contextcert.subject import Description, Session, SubjectError, SubjectSpec

FAULT_WEIGHT_A_CAMPAIGN: Final = 100
"""Four units that each bore all they can: the adapter is at fault, and more of it says no more."""

UNITS_WORTH_A_WORKER: Final = 2


class Watcher(Protocol):
    """Somebody who wants to know how far a campaign is."""

    def planned(self, units: tuple[Unit, ...]) -> None:
        """Hear what there is to do."""
        ...

    def ran(self, cases: int) -> None:
        """Hear that so many more cases were run."""
        ...

    def finished(self, unit: Unit, tally: Tally) -> None:
        """Hear what a unit left; units are told in order."""
        ...

    def minimising(self) -> None:
        """Hear that the findings are being cut down."""
        ...


class NobodyWatches:
    """A watcher who does not care."""

    def planned(self, units: tuple[Unit, ...]) -> None:
        """Ignore the plan."""

    def ran(self, cases: int) -> None:
        """Ignore the progress."""

    def finished(self, unit: Unit, tally: Tally) -> None:
        """Ignore the unit."""

    def minimising(self) -> None:
        """Ignore the end."""


@frozen
class Opened:
    """A subject with one open session in each of its modes."""

    spec: SubjectSpec
    edition: Edition
    sessions: Mapping[Mode, Session]

    @property
    def descriptions(self) -> dict[Mode, Description]:
        """What each build said of itself."""
        return {mode: session.description for mode, session in self.sessions.items()}


@frozen
class Result:
    """What a campaign came to; `tally.findings` hold minimal scripts."""

    setting: Setting
    descriptions: Mapping[Mode, Description]
    tally: Tally


@contextmanager
def open_subject(spec: SubjectSpec, edition: Edition | None = None) -> Iterator[Opened]:
    """Open a subject in all of its modes, and agree on one edition.

    Raises:
        SubjectError: it cannot be opened, its builds differ, or it does not have the edition.
    """
    with ExitStack() as owned:
        sessions: dict[Mode, Session] = {}
        for mode in spec.modes():
            sessions[mode] = spec.open(mode, edition=edition)
            owned.callback(sessions[mode].close)
        descriptions = {mode: session.description for mode, session in sessions.items()}
        agreed = _agreed_edition(spec, edition, descriptions)
        _refuse_unlike_builds(descriptions)
        yield Opened(spec, agreed, sessions)


def setting_of(opened: Opened, campaign: Campaign) -> Setting:
    """Give what a campaign becomes once the subject was asked what it can do."""
    described = Setting.of(campaign, opened.edition, opened.descriptions)
    return described.without(refusals(opened.sessions, described.scope))


def run_campaign(
    opened: Opened,
    campaign: Campaign,
    *,
    workers: int | None = None,
    watcher: Watcher | None = None,
) -> Result:
    """Run a campaign; the same seed gives the same result for any number of workers.

    `workers` None means one for each core, as far as there is work for them.
    """
    watcher = watcher or NobodyWatches()
    setting = setting_of(opened, campaign)
    units = plan(setting)
    watcher.planned(units)
    count = _enough_workers(workers, len(units))
    if count == 1:
        tallies: Generator[Tally, None, None] = in_this_process(
            units, setting, opened.sessions, watcher.ran
        )
    else:
        tallies = in_workers(units, setting, opened.spec, count, watcher.ran)
    with closing(tallies):
        total = _merged(units, tallies, watcher)
    if total.findings or total.faults:
        watcher.minimising()
        minimise(total, UnitRunner(setting, opened.sessions), setting)
    return Result(setting, opened.descriptions, total)


def worker_count(asked: int | None, setting: Setting) -> int:
    """Give how many processes a campaign is spread over."""
    return _enough_workers(asked, len(plan(setting)))


def _enough_workers(asked: int | None, units: int) -> int:
    wanted = len(cores.available()) if asked is None else asked
    return max(1, min(wanted, units // UNITS_WORTH_A_WORKER))


def _merged(units: tuple[Unit, ...], results: Iterator[Tally], watcher: Watcher) -> Tally:
    """Add tallies up in unit order, and stop at a unit, never at a moment."""
    total = Tally()
    for unit, tally in zip(units, results, strict=True):
        total.add(tally)
        watcher.finished(unit, tally)
        if tally.stopped == STOPPED_EARLY:
            break
        if total.fault_weight >= FAULT_WEIGHT_A_CAMPAIGN:
            total.stopped = f"stopped after {total.fault_count} faults"
            break
    return total


def _agreed_edition(
    spec: SubjectSpec, asked: Edition | None, descriptions: Mapping[Mode, Description]
) -> Edition:
    known = [one.editions for one in descriptions.values()]
    common = [edition for edition in Edition if all(edition in editions for editions in known)]
    wanted = asked or spec.edition
    if wanted is None and common:
        return DEFAULT_EDITION if DEFAULT_EDITION in common else common[0]
    if wanted is None or wanted not in common:
        offered = ", ".join(edition.value for edition in common) or "none in all of its modes"
        asked_for = f"edition {wanted.value}" if wanted else "any known edition"
        raise SubjectError(
            f"{spec.name} does not implement {asked_for}; it offers {offered}. "
            f"Choose with --edition."
        )
    return wanted


def _refuse_unlike_builds(descriptions: Mapping[Mode, Description]) -> None:
    names = {(one.name, one.version) for one in descriptions.values()}
    if len(names) > 1:
        builds = " and ".join(
            f"{one.name} {one.version} ({mode.value})" for mode, one in descriptions.items()
        )
        raise SubjectError(
            f"The two builds are not of one implementation: {builds}. "
            f"Point --debug and --release at builds of the same version."
        )
