"""`contextcert codex`: the real, released Codex binary."""

from __future__ import annotations

import click

from contextcert.adapters.codex import InstallError, install


@click.group("codex", short_help="Fetch the released Codex binary.")
def command() -> None:
    """Fetch the Codex binary, to be certified with: contextcert certify codex."""


@command.command("install")
@click.argument("version", required=False)
def install_command(version: str | None) -> None:
    """Fetch a release from npm into a cache folder; the newest when no VERSION is given."""
    try:
        click.echo(install(version))
    except InstallError as error:
        raise click.ClickException(str(error)) from error
