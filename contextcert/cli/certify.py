"""`contextcert certify`: from evidence to a verdict per clause and mode."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from contextcert.campaign import (
    BUDGETS,
    Budget,
    Campaign,
    Evidence,
    Opened,
    Result,
    open_subject,
    run_campaign,
    worker_count,
)
from contextcert.campaign.setting import Setting
from contextcert.certificate import Certificate, certificate_of, write_certificate
from contextcert.certificate.conclusion import exit_code
from contextcert.certificate.file import CERTIFICATE_NAME
from contextcert.certificate.json_form import certificate_digest
from contextcert.certificate.needs import unmet_need
from contextcert.certificate.replay import Again, write_replays
from contextcert.certificate.values import Run
from contextcert.cli.growth import growth_of
from contextcert.cli.lists import (
    CLAUSE_LIST,
    EVIDENCE_LIST,
    PROFILE_LIST,
    WholeNumber,
    flattened,
)
from contextcert.cli.main import forget_standard_output
from contextcert.cli.options import SubjectOptions, gathered, subject_argument, subject_options
from contextcert.cli.out_folder import make_folder
from contextcert.corpus import Corpus, CorpusError, read_corpus
from contextcert.growth import Growth
from contextcert.report.certificate_report import print_certificate
from contextcert.report.console import notes, output
from contextcert.report.escape import line
from contextcert.report.progress import CampaignProgress
from contextcert.subject import SubjectError

FRESH_SEED_BITS = 32
SHOWN_NOTES = 10


@frozen
class Asked:
    """A campaign, and what is to be done around it."""

    subject: SubjectOptions
    campaign: Campaign
    workers: int | None
    out: Path | None
    growth: bool = False


@click.command("certify", short_help="From evidence to a verdict per clause and mode.")
@subject_argument
@subject_options
@click.option(
    "--budget",
    type=click.Choice(list(BUDGETS)),
    default="quick",
    show_default=True,
    help="How much evidence, in counts.",
)
@click.option("--claim", type=PROFILE_LIST, multiple=True, help="Only these profiles, as a,b.")
@click.option("--clause", type=CLAUSE_LIST, multiple=True, help="Only these clauses, as PAIR-3.")
@click.option(
    "--evidence", type=EVIDENCE_LIST, multiple=True, help="Out of exhaustive,random,vectors."
)
@click.option("--seed", type=WholeNumber(min=0), help="Fixed (0) unless the budget is nightly.")
@click.option(
    "--corpus",
    metavar="DIR",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Mix the recorded sessions of a folder into random evidence, their texts replaced.",
)
@click.option(
    "--show-corpus-text",
    is_flag=True,
    help="Leave the texts of --corpus as they are, in everything that is shown and written.",
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first script that shows a violation.")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to write certificate.json and replay files; nothing is written without it.",
)
@click.option(
    "--growth",
    is_flag=True,
    help="Measure too what a projection costs as its history grows; no part of the verdict.",
)
@click.option("--workers", type=WholeNumber(min=1), help="Processes; one a core when left out.")
def command(**values: Any) -> int:  # noqa: ANN401  whatever the options are
    """Certify SUBJECT: the built-in model, codex, or what contextcert.toml describes.

    Exit codes: 0 nothing is red; 1 a violation; 2 wrong usage, or an adapter that cannot be used;
    3 nothing violated, but something not exercised.
    """
    return certified(_asked(values))


def certified(asked: Asked) -> int:
    """Run the campaign, report it, and give the exit code."""
    if asked.out is not None:
        make_folder(asked.out)
    started, began = datetime.now(UTC), time.monotonic()
    result = _ran(asked)
    run = Run(
        started=started.isoformat(timespec="seconds"),
        seconds=round(time.monotonic() - began, 3),
        workers=worker_count(asked.workers, result.setting),
        command=("contextcert", *sys.argv[1:]),
        logs=tuple(fault.stderr for fault in result.tally.faults if fault.stderr),
        growth=_growth(asked, result),
    )
    certificate = certificate_of(result, run)
    digest = _kept(certificate, asked.out)
    try:
        _report(certificate, asked, digest)
    except BrokenPipeError:
        # Whoever stopped reading has to get the verdict all the same.
        forget_standard_output()
    return exit_code(certificate)


def _growth(asked: Asked, result: Result) -> Growth | None:
    """Measure the growth if that was asked for; a verdict is never lost over it."""
    if not asked.growth:
        return None
    try:
        return growth_of(asked.subject.spec(), result.setting)
    except SubjectError as error:
        return Growth(result.setting.modes[-1], (), 0.0, (f"not measured: {error}",))


def _kept(certificate: Certificate, out: Path | None) -> str:
    """Write the certificate if that was asked for, and give its digest."""
    if out is None:
        return certificate_digest(certificate)
    write_replays(certificate, out)
    return write_certificate(certificate, out / CERTIFICATE_NAME)


def _asked(values: dict[str, Any]) -> Asked:
    subject = gathered(values)
    evidence = _evidence(flattened(values["evidence"]))
    if values["corpus"] is not None and Evidence.RANDOM not in evidence:
        raise click.UsageError(
            "--corpus is mixed into random evidence, which --evidence leaves out."
        )
    budget = BUDGETS[values["budget"]]
    clauses = flattened(values["clause"])
    profiles = flattened(values["claim"])
    return Asked(
        subject=subject,
        campaign=Campaign(
            budget=budget,
            seed=_seed(values["seed"], budget),
            evidence=evidence,
            clauses=None if clauses is None else frozenset(clauses),
            profiles=None if profiles is None else frozenset(profiles),
            fail_fast=values["fail_fast"],
            corpus=_corpus(values["corpus"], shows_text=values["show_corpus_text"]),
        ),
        workers=values["workers"],
        out=values["out"],
        growth=values["growth"],
    )


def _corpus(folder: Path | None, *, shows_text: bool) -> Corpus | None:
    """Read the recorded sessions, and tell what of them is left out."""
    if folder is None:
        if shows_text:
            raise click.UsageError("--show-corpus-text is about --corpus, which is not given.")
        return None
    try:
        corpus = read_corpus(folder, shows_text=shows_text)
    except CorpusError as error:
        raise click.ClickException(f"--corpus: {error}") from error
    told = [*corpus.notes[:SHOWN_NOTES]]
    if len(corpus.notes) > SHOWN_NOTES:
        told.append(f"and {len(corpus.notes) - SHOWN_NOTES:,} more")
    for note in told:
        notes().print(line(f"--corpus: {note}"))
    return corpus


def _seed(asked: int | None, budget: Budget) -> int:
    if asked is not None:
        return asked
    return secrets.randbits(FRESH_SEED_BITS) if budget.fresh_seed else 0


def _evidence(names: Sequence[str] | None) -> tuple[Evidence, ...]:
    return tuple(one for one in Evidence if names is None or one.value in names)


def _ran(asked: Asked) -> Result:
    spec = asked.subject.spec()
    with (
        open_subject(spec, asked.subject.chosen_edition) as opened,
        CampaignProgress(notes()) as progress,
    ):
        _require_observable(opened, asked.campaign)
        return run_campaign(opened, asked.campaign, workers=asked.workers, watcher=progress)


def _require_observable(opened: Opened, campaign: Campaign) -> None:
    """Refuse a run that could judge nothing of what it was asked for.

    Raises:
        SubjectError: no clause that was asked for says anything about what the subject claims.
    """
    if campaign.clauses is None:
        return
    setting = Setting.of(campaign, opened.edition, opened.descriptions)
    unmet = {clause: unmet_need(clause, setting.claim) for clause in sorted(campaign.clauses)}
    if all(reason is not None for reason in unmet.values()):
        reasons = "; ".join(f"{clause}: {reason}" for clause, reason in unmet.items())
        raise SubjectError(f"--clause asks for nothing that can be judged here: {reasons}.")


def _report(certificate: Certificate, asked: Asked, digest: str) -> None:
    console = output()
    folders = {} if asked.out is None else dict.fromkeys(certificate.modes, asked.out)
    print_certificate(console, certificate, Again(certificate, folders, asked.subject.typed()))
    console.print(f"digest {digest}", style="dim", soft_wrap=True)
    if asked.out is None:
        console.print("nothing was written; --out DIR keeps the certificate", style="dim")
    else:
        console.print(line(f"written to {asked.out / CERTIFICATE_NAME}", "dim"), soft_wrap=True)
