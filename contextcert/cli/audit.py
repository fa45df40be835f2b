"""`contextcert audit`: what a real, recorded session holds."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("audit", short_help="Anomalies and hazards of a recorded session.")
@click.argument("session", type=click.Path(path_type=Path))
def command(session: Path) -> int:
    """List the anomalies and hazards of a recorded SESSION, and the prompt it would give."""
    from contextcert.audit import audit  # noqa: PLC0415

    return audit(session)
