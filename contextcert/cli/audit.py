"""`contextcert audit`: what a real, recorded session holds."""

from __future__ import annotations

import json
from pathlib import Path

import click

ANOMALIES_FOUND = 1


@click.command("audit", short_help="Anomalies and hazards of a recorded session.")
@click.argument("session", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--modalities",
    default="text,image,audio",
    show_default=True,
    metavar="LIST",
    help="What the model of the prompt takes; an empty list is allowed.",
)
@click.option("--prompt/--no-prompt", default=True, help="Whether to show the prompt.")
@click.option("--json", "as_json", is_flag=True, help="Write everything as JSON.")
def command(session: Path, modalities: str, *, prompt: bool, as_json: bool) -> int:
    """List the anomalies and hazards of a recorded SESSION, and the prompt it would give.

    SESSION is a session file of Codex, or a file with one item a line. Exit codes: 0 no anomaly;
    1 a debug build would panic on this history; 2 the file cannot be read.
    """
    from contextcert.audit import audit_file, render, to_json  # noqa: PLC0415  slow to import

    names = [name.strip() for name in modalities.split(",") if name.strip()]
    try:
        audit = audit_file(session, names)
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
