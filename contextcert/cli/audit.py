"""`contextcert audit`: what a real, recorded session holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import click

from contextcert.refmodel import TruncationPolicy

ANOMALIES_FOUND = 1
_TRUNCATION: Final = "--truncation"


@click.command("audit", short_help="Anomalies and hazards of a recorded session.")
@click.argument("session", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--modalities",
    default="text,image,audio",
    show_default=True,
    metavar="LIST",
    help="What the model of the prompt takes; an empty list is allowed.",
)
@click.option(
    _TRUNCATION,
    metavar="MODE:LIMIT",
    help="How outputs were cut, as bytes:10000, where the file does not say so.",
)
@click.option("--prompt/--no-prompt", default=True, help="Whether to show the prompt.")
@click.option("--json", "as_json", is_flag=True, help="Write everything as JSON.")
def command(
    session: Path, modalities: str, truncation: str | None, *, prompt: bool, as_json: bool
) -> int:
    """List the anomalies and hazards of a recorded SESSION, and the prompt it would give.

    SESSION is a session file of Codex, or a file with one item a line. Exit codes: 0 no anomaly;
    1 a debug build would panic on this history; 2 the file cannot be read.
    """
    from contextcert.audit import audit_file, render, to_json  # noqa: PLC0415  slow to import

    usual = None if truncation is None else _policy(truncation)
    names = [name.strip() for name in modalities.split(",") if name.strip()]
    try:
        audit = audit_file(session, names, usual)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--modalities") from error
    if audit.skipped and not audit.items and not audit.ignored:
        first = audit.skipped[0]
        raise click.ClickException(
            f"{session} is no recorded session: none of its lines can be used, and line "
            f"{first.line} is not because {first.reason}."
        )
    text = json.dumps(to_json(audit)) if as_json else render(audit, with_prompt=prompt)
    click.echo(text, nl=as_json)
    return ANOMALIES_FOUND if audit.anomalies else 0


def _policy(text: str) -> TruncationPolicy:
    mode, _, limit = text.partition(":")
    if mode not in {"bytes", "tokens"} or not (limit.isascii() and limit.isdigit()):
        raise click.BadParameter(
            "write it as bytes:10000 or tokens:10000", param_hint="--truncation"
        )
    return TruncationPolicy.from_json({"mode": mode, "limit": int(limit)})
