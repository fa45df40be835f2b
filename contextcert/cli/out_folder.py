"""The folder that a run writes to."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click


def make_folder(out: Path) -> None:
    """Find out before the campaign, and not after it, whether there is where to write.

    Raises:
        click.ClickException: the folder cannot be made, or nothing can be written into it.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=out).close()
    except OSError as error:
        raise click.ClickException(
            f"--out {out} cannot be written ({error.strerror}): name a folder that can."
        ) from error
