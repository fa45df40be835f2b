"""`contextcert codex`: the real, released Codex binary."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from contextcert.adapters.codex import InstallError, install
from contextcert.adapters.codex.install import VERSION
from contextcert.cli.lists import EVIDENCE_LIST, PROFILE_LIST, WholeNumber
from contextcert.cli.out_folder import make_folder

if TYPE_CHECKING:
    from contextcert.matrix import Column, Matrix
    from contextcert.matrix.releases import Teller

MATRIX_NAME: Final = "matrix"
_BUDGETS: Final = ("quick", "ci", "certify")
_CLAIM: Final = "projection,media"
_EVIDENCE: Final = "exhaustive,vectors,random"
_LEAD: Final = (
    "Each column is a release of Codex, a release build, by what its wire can show.",
    (
        "A release that sends no item ids is judged by edition 2026-08. Where the switch item_ids "
        "has it send them, it is judged once more with the switch on, by edition 2026-11, which "
        "speaks of ids that recording gives; so is every release that always sends them."
    ),
)


@click.group("codex", short_help="Fetch and compare releases of the Codex binary.")
def command() -> None:
    """Fetch a Codex binary for `contextcert certify codex`, or compare its releases."""


@command.command("install")
@click.argument("version", required=False)
def install_command(version: str | None) -> None:
    """Fetch a release from npm into a cache folder; the newest when no VERSION is given."""
    try:
        click.echo(install(version))
    except InstallError as error:
        raise click.ClickException(str(error)) from error


@command.command("matrix")
@click.argument("versions", nargs=-1, required=True, metavar="VERSION...")
@click.option(
    "--budget",
    type=click.Choice(_BUDGETS),
    default="quick",
    show_default=True,
    help="How much evidence a release, in counts.",
)
@click.option(
    "--claim",
    type=PROFILE_LIST,
    default=_CLAIM,
    show_default=True,
    help="Judge these profiles of what a release claims, as a,b.",
)
@click.option(
    "--evidence",
    type=EVIDENCE_LIST,
    default=_EVIDENCE,
    show_default=True,
    help="Only this evidence, as a,b; vectors alone takes some seconds a release.",
)
@click.option("--seed", type=WholeNumber(min=0), default=0, show_default=True)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("codex-matrix"),
    show_default=True,
    help="Where matrix.md, matrix.html and a certificate a release go.",
)
@click.option("--workers", type=WholeNumber(min=1), help="Processes; one a core when left out.")
@click.option("--resume", is_flag=True, help="Take the certificates of an earlier, ended run.")
def matrix_command(**values: Any) -> int:  # noqa: ANN401  whatever the options are
    """Install, certify and compare releases: clauses by releases, on a page.

    Releases go one after the other; what is finished is on the page even if the rest is ended.

    Exit codes: 1 a violation in some release; 2 wrong usage, or a release that could not be had or
    judged; 3 nothing violated, but something not exercised; 0 nothing is red.
    """
    from contextcert.campaign import BUDGETS, Campaign, Evidence  # noqa: PLC0415  slow to import
    from contextcert.matrix.releases import Plan, judge_releases  # noqa: PLC0415  the same

    versions = _versions(values["versions"])
    out: Path = values["out"]
    make_folder(out)
    campaign = Campaign(
        BUDGETS[values["budget"]],
        values["seed"],
        evidence=tuple(one for one in Evidence if one.value in values["evidence"]),
        profiles=frozenset(values["claim"]),
    )
    plan = Plan(campaign, out, values["workers"], values["resume"])
    columns: list[Column] = []
    for column in judge_releases(versions, plan, _teller()):
        columns.append(column)
        _write(_matrix(columns, _typed(versions, values)), out)
    return _conclude(columns, out)


def _teller() -> Teller:
    from contextcert.report.console import notes, output  # noqa: PLC0415  slow to import
    from contextcert.report.release_progress import ReleaseTeller  # noqa: PLC0415  the same

    return ReleaseTeller(notes(), output())


def _versions(texts: Sequence[str]) -> tuple[str, ...]:
    """Take each version once, in order; refuse what is none before anything is fetched."""
    for text in texts:
        if not VERSION.fullmatch(text):
            raise click.BadParameter(f"{text!a} is no version of Codex; write one such as 0.171.0.")
    return tuple(dict.fromkeys(texts))


def _typed(versions: Sequence[str], values: dict[str, Any]) -> str:
    """Give the command that makes the same table, without where it goes."""
    seed = [] if values["seed"] == 0 else ["--seed", str(values["seed"])]
    budget = [] if values["budget"] == "quick" else ["--budget", values["budget"]]
    profiles = ",".join(values["claim"])
    claim = [] if profiles == _CLAIM else ["--claim", profiles]
    kinds = ",".join(values["evidence"])
    evidence = [] if kinds == _EVIDENCE else ["--evidence", kinds]
    options = [*budget, *claim, *evidence, *seed]
    return shlex.join(["contextcert", "codex", "matrix", *versions, *options])


def _matrix(columns: Sequence[Column], typed: str) -> Matrix:
    from contextcert.matrix import Matrix  # noqa: PLC0415  slow to import

    runs = [column.certificate.run for column in columns if column.certificate is not None]
    days = [run.started[:10] for run in runs if run is not None]
    return Matrix(
        title="Releases of Codex beside each other",
        columns=tuple(columns),
        made=max(days, default=datetime.now(UTC).date().isoformat()),
        command=typed,
        lead=_LEAD,
    )


def _write(matrix: Matrix, out: Path) -> None:
    from contextcert.matrix import matrix_markdown, matrix_page  # noqa: PLC0415  slow to import

    for suffix, text in ((".md", matrix_markdown(matrix)), (".html", matrix_page(matrix))):
        path = out / f"{MATRIX_NAME}{suffix}"
        unfinished = path.with_suffix(f"{suffix}.unfinished")
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)


def _conclude(columns: Sequence[Column], out: Path) -> int:
    from contextcert.matrix.words import exit_code  # noqa: PLC0415  slow to import
    from contextcert.report.escape import plain  # noqa: PLC0415  the same

    for suffix in (".md", ".html"):
        click.echo(plain(f"written to {out / MATRIX_NAME}{suffix}"))
    return exit_code(columns)
