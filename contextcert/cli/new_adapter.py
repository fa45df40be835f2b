"""`contextcert new-adapter`: a kit to start from, in a folder of one's own."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

import click

from contextcert.new_adapter import copy_kit, kits


@click.command("new-adapter", short_help="An adapter to start from, in your language.")
@click.argument("language", metavar="LANG", type=click.Choice(list(kits())))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def command(language: str, folder: Path) -> None:
    """Copy the kit of LANG (go, python, rust, typescript) into DIR, which is new or empty.

    It is a whole adapter around a small history that is right, so it certifies before you change
    anything; its README says where your own calls go.
    """
    copy_kit(language, folder)
    click.echo(f"{folder} holds an adapter that works; its README.md says where your calls go.")
    click.echo("Next:")
    for line in _next(language, folder):
        click.echo(f"  {line}")


def _next(language: str, folder: Path) -> tuple[str, str, str]:
    """Give what to type now, where the user stands."""
    first = kits()[language]["build"] or kits()[language]["test"]
    contextcert = _typed_again()
    # cd takes what begins with a hyphen for an option.
    place = f"./{folder}" if str(folder).startswith("-") else str(folder)
    return (
        f"cd {shlex.quote(place)} && {first}",
        f"{contextcert} smoke {language}",
        f"{contextcert} certify {language}",
    )


def _typed_again() -> str:
    """Give how this very program is started from any folder."""
    program = Path(sys.argv[0])
    if program.name == "__main__.py":
        return f"{shlex.quote(sys.executable)} -m contextcert"
    found = shutil.which("contextcert")
    # What uvx puts on the path of the program is not on that of the user's shell.
    on_path = found is not None and Path(found).resolve() == program.resolve()
    if on_path and "UV" not in os.environ:
        return "contextcert"
    return shlex.quote(str(program.absolute()))
