"""Judges releases of the Codex binary one after the other, each under the switches it has."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol

from attrs import frozen

from contextcert.adapters.codex import Features, InstallError, codex_subject, install
from contextcert.adapters.codex.features import features_to_text
from contextcert.adapters.codex.releases import switches_of
from contextcert.campaign import Campaign, Watcher, open_subject, run_campaign, worker_count
from contextcert.certificate import (
    Certificate,
    CertificateError,
    certificate_of,
    read_certificate,
    write_certificate,
)
from contextcert.certificate.build import this_suite
from contextcert.certificate.file import CERTIFICATE_NAME
from contextcert.certificate.replay import Again, write_replays
from contextcert.certificate.values import Run
from contextcert.matrix.columns import Column, columns_of, missing_column
from contextcert.subject import SubjectError

_AND: Final = "+"
"""Stands between a release and its switches in the name of a folder."""


class Teller(Protocol):
    """Somebody who hears how far the releases are."""

    def fetching(self, version: str) -> None:
        """Hear that a release is fetched, or looked for where it was fetched to."""
        ...

    def judging(self, name: str) -> AbstractContextManager[Watcher]:
        """Hear that a release is judged, and watch its campaign."""
        ...

    def judged(self, column: Column, seconds: float) -> None:
        """Hear what came of it."""
        ...


@frozen
class Plan:
    """What every release is judged by, and the folder where its certificate goes.

    `resume` takes a certificate that an earlier run of the same campaign left there.
    """

    campaign: Campaign
    out: Path
    workers: int | None = None
    resume: bool = False


@frozen
class _Build:
    """One release under some switches."""

    version: str
    features: Features

    @property
    def variant(self) -> str:
        """Name the switches that are on."""
        return _AND.join(name for name, on in self.features if on)

    @property
    def name(self) -> str:
        """Name it for a folder."""
        return _AND.join(filter(None, (self.version, self.variant)))

    def typed(self) -> tuple[str, ...]:
        """Give the words that name it on a command line."""
        switches = [f"--codex-feature={text}" for text in features_to_text(self.features)]
        return (f"--codex={self.version}", *switches)


def judge_releases(versions: tuple[str, ...], plan: Plan, teller: Teller) -> Iterator[Column]:
    """Install and certify the releases in order, and give a column for each set of switches.

    One that cannot be had or judged has a column that says why, and the others still go on. A
    certificate is kept as soon as there is one, however this is ended.
    """
    for version in versions:
        teller.fetching(version)
        builds = [_Build(version, features) for features in switches_of(version)]
        try:
            binary = install(version)
        except InstallError as error:
            for build in builds:
                column = missing_column(build.version, str(error), build.variant)
                teller.judged(column, 0)
                yield column
            continue
        for build in builds:
            yield _judged(build, binary, plan, teller)


def _judged(build: _Build, binary: Path, plan: Plan, teller: Teller) -> Column:
    began = time.monotonic()
    folder = plan.out / build.name
    try:
        certificate = _kept(folder, build, plan) or _made(build, binary, plan, teller)
    except SubjectError as error:
        column = missing_column(build.version, str(error), build.variant)
    else:
        again = Again(certificate, dict.fromkeys(certificate.modes, folder), build.typed())
        (column,) = columns_of(again, build.version, build.variant)
    teller.judged(column, time.monotonic() - began)
    return column


def _kept(folder: Path, build: _Build, plan: Plan) -> Certificate | None:
    """Read what an earlier run left, if it is of the same campaign and asked to be taken."""
    if not plan.resume:
        return None
    try:
        certificate = read_certificate(folder / CERTIFICATE_NAME)
    except CertificateError:
        return None
    campaign, evidence = plan.campaign, certificate.evidence
    alike = (
        certificate.suite == this_suite()
        and certificate.subject.version == build.version
        and (evidence.budget, evidence.seed) == (campaign.budget.name, campaign.seed)
        and campaign.profiles in (None, certificate.claim.profiles)
        and evidence.evidence == tuple(one.value for one in campaign.evidence)
    )
    return certificate if alike else None


def _made(build: _Build, binary: Path, plan: Plan, teller: Teller) -> Certificate:
    """Certify a release, and keep the certificate.

    Raises:
        SubjectError: it cannot be used, or is not what it was installed as.
    """
    started, began = datetime.now(UTC), time.monotonic()
    with (
        open_subject(codex_subject(binary, build.features)) as opened,
        teller.judging(build.name) as watcher,
    ):
        _require_version(build, [one.version for one in opened.descriptions.values()])
        result = run_campaign(opened, plan.campaign, workers=plan.workers, watcher=watcher)
    run = Run(
        started=started.isoformat(timespec="seconds"),
        seconds=round(time.monotonic() - began, 3),
        workers=worker_count(plan.workers, result.setting),
        command=("contextcert", *sys.argv[1:]),
        logs=tuple(fault.stderr for fault in result.tally.faults if fault.stderr),
    )
    certificate = certificate_of(result, run)
    folder = plan.out / build.name
    write_replays(certificate, folder)
    write_certificate(certificate, folder / CERTIFICATE_NAME)
    return certificate


def _require_version(build: _Build, told: list[str]) -> None:
    for version in told:
        if version != build.version:
            raise SubjectError(
                f"The binary that was installed as {build.version} calls itself {version}: remove "
                "its folder from the cache and install it again."
            )
