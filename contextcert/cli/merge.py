"""`contextcert merge`: two partial certificates into one over both modes."""

from __future__ import annotations

from pathlib import Path

import click

from contextcert.certificate import (
    Certificate,
    CertificateError,
    merged,
    read_certificate,
    write_certificate,
)
from contextcert.certificate.conclusion import exit_code
from contextcert.certificate.json_form import certificate_digest
from contextcert.certificate.replay import Again
from contextcert.report.certificate_report import print_certificate
from contextcert.report.console import output
from contextcert.report.escape import line


@click.command("merge", short_help="Join the certificates of the debug and release build.")
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", "target", type=click.Path(path_type=Path, dir_okay=False), help="The result."
)
def command(first: Path, second: Path, target: Path | None) -> int:
    """Join the certificates FIRST and SECOND of the debug and the release build.

    They have to agree in subject, edition, seed, budget, claim and versions.
    """
    try:
        parts = {path: read_certificate(path) for path in (first, second)}
        joined = merged(*(parts[path] for path in (first, second)))
    except CertificateError as error:
        raise click.ClickException(str(error)) from error
    console = output()
    folders = {mode: path.parent for path, part in parts.items() for mode in part.modes}
    print_certificate(console, joined, Again(joined, folders, None))
    if target is None:
        console.print(f"digest {certificate_digest(joined)}", style="dim", soft_wrap=True)
        console.print("nothing was written; -o FILE keeps the certificate", style="dim")
    else:
        digest = _written(joined, target)
        console.print(f"digest {digest}", style="dim", soft_wrap=True)
        console.print(line(f"written to {target}", "dim"), soft_wrap=True)
    return exit_code(joined)


def _written(joined: Certificate, target: Path) -> str:
    try:
        return write_certificate(joined, target)
    except OSError as error:
        raise click.ClickException(
            f"-o {target} cannot be written ({error.strerror}): name a file that can."
        ) from error
