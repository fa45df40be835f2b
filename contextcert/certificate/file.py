"""Certificates on disk: written whole or not at all, read only if they have the right form."""

from __future__ import annotations

import json
import os
import tempfile
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import jsonschema

from contextcert.certificate.errors import CertificateError
from contextcert.certificate.json_form import certificate_from_json, certificate_json, digest
from contextcert.certificate.values import FORMAT, Certificate
from contextcert.protocol.json_codec import decode
from contextcert.refmodel.json_value import Json, JsonObject

CERTIFICATE_NAME: Final = "certificate.json"


def write_certificate(certificate: Certificate, path: Path) -> str:
    """Write `certificate.json` atomically and give its digest."""
    written = certificate_json(certificate)
    write_json(written, path)
    return str(written["digest"])


def write_json(value: JsonObject, path: Path) -> None:
    """Write a JSON file whole or not at all, making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=path.name, delete=False
    ) as unfinished:
        unfinished.write(text)
    Path(unfinished.name).chmod(0o666 & ~_umask())
    Path(unfinished.name).replace(path)


def read_certificate(path: Path) -> Certificate:
    """Read a certificate.

    Raises:
        CertificateError: it cannot be read, is no certificate, or was changed after it was written.
    """
    value = _read(path)
    if not isinstance(value, dict):
        raise CertificateError(f"{path} is not a certificate: it holds no JSON object.")
    if value.get("format") != FORMAT:
        raise CertificateError(
            f"{path} is not a certificate of format {FORMAT}: write it again with this version."
        )
    error = jsonschema.exceptions.best_match(_validator().iter_errors(value))
    if error is not None:
        place = "/".join(map(str, error.absolute_path)) or "its top level"
        raise CertificateError(f"{path} is not a certificate: {error.message[:200]} at {place}.")
    if digest(value) != value["digest"]:
        raise CertificateError(
            f"{path} was changed after it was written, its digest does not fit: certify again."
        )
    return certificate_from_json(value)


def _read(path: Path) -> Json:
    try:
        value = decode(path.read_bytes())
    except OSError as error:
        raise CertificateError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise CertificateError(f"{path} is not JSON: {error}.") from error
    return value


@cache
def _validator() -> jsonschema.Draft202012Validator:
    schema = files("contextcert.certificate").joinpath("certificate.schema.json").read_bytes()
    return jsonschema.Draft202012Validator(json.loads(schema))


def _umask() -> int:
    """Read the mask; the system lets it be read only by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
