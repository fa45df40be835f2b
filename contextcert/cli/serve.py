"""`contextcert serve`: the reference model as an adapter over standard input and output."""

from __future__ import annotations

import sys

import click

from contextcert.refmodel.modes import Edition, Mode


@click.command("serve", short_help="The reference model as an adapter.")
@click.option("--mode", type=click.Choice([one.value for one in Mode]), required=True)
@click.option("--edition", type=click.Choice([one.value for one in Edition]))
def command(mode: str, edition: str | None) -> None:
    """Serve the reference model, one JSON message a line; it offers every edition, or just one."""
    from contextcert.serve import serve  # noqa: PLC0415  only now is the model needed

    chosen = None if edition is None else Edition(edition)
    serve(Mode(mode), chosen, sys.stdin.buffer, sys.stdout.buffer)
