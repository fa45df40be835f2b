"""Between a certificate and its JSON, and the digest over it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any, Final

from attrs import fields, resolve_types
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, override

from contextcert.certificate.conclusion import claim_wording, why_not_certified
from contextcert.certificate.values import (
    FORMAT,
    Certificate,
    CertifiedFault,
    ClauseVerdicts,
    Counterexample,
    ModeVerdict,
    Unattributed,
)
from contextcert.refmodel import Claim, Edition, Mode
from contextcert.refmodel.json_value import JsonObject
from contextcert.subject import Capabilities

OUTSIDE_DIGEST: Final = ("run", "digest")
_AS_IT_IS: Final = ("expected", "actual", "script")


def certificate_json(certificate: Certificate) -> JsonObject:
    """Write a certificate, with what follows from it and its digest."""
    written: JsonObject = {
        "format": FORMAT,
        "certified": not why_not_certified(certificate),
        "why_not_certified": list(why_not_certified(certificate)),
        "claim_in_words": claim_wording(certificate.claim),
        **_CONVERTER.unstructure(certificate),
    }
    return {**written, "digest": digest(written)}


def certificate_digest(certificate: Certificate) -> str:
    """Give the digest that the written certificate will carry."""
    return str(certificate_json(certificate)["digest"])


def certificate_from_json(value: JsonObject) -> Certificate:
    """Read what `certificate_json` wrote, once the schema has accepted it."""
    return _CONVERTER.structure(value, Certificate)


def digest(written: JsonObject) -> str:
    """Give the SHA-256 over the canonical JSON of all but times and dates.

    Where recording gives ids (E11-2), each holds the time it was given: every such id, and every
    id derived from one, counts as the number of the place where it first stands.
    """
    told = {key: value for key, value in written.items() if key not in OUTSIDE_DIGEST}
    canonical = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    if written["edition"] == Edition.NOVEMBER_2026.value:
        canonical = _with_ids_numbered(canonical)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _with_ids_numbered(canonical: str) -> str:
    numbers: dict[str, str] = {}
    return _FRESH_OR_DERIVED.sub(
        lambda found: numbers.setdefault(found[0], f"uuid {len(numbers)}"), canonical
    )


_FRESH_OR_DERIVED: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[57][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
)


def replay_name(clause: str, mode: str) -> str:
    """Give the name of the file that replays a violation."""
    return f"replay/{clause}.{mode}.json"


def _clause_json(clause: ClauseVerdicts) -> JsonObject:
    return {
        "id": clause.id,
        "profile": clause.profile,
        "text": clause.text,
        "source": clause.source,
        "modes": {
            mode.value: _verdict_json(clause.id, mode, said) for mode, said in clause.modes.items()
        },
    }


def _verdict_json(clause: str, mode: Mode, said: ModeVerdict) -> JsonObject:
    """Write a verdict, and with a violation the line that replays it."""
    violation: JsonObject | None = None
    if said.violation is not None:
        replay = f"contextcert replay {replay_name(clause, mode.value)}"
        violation = {**_CONVERTER.unstructure(said.violation), "replay": replay}
    return {
        "verdict": said.verdict.value,
        "exercised": said.exercised,
        "reason": said.reason,
        "violation": violation,
    }


def _converter() -> Converter:
    converter = Converter(detailed_validation=False)
    converter.register_unstructure_hook(ClauseVerdicts, _clause_json)
    converter.register_unstructure_hook(Claim, Claim.to_json)
    converter.register_structure_hook(Claim, lambda value, _: Claim.from_json(value))
    converter.register_unstructure_hook(Capabilities, Capabilities.to_json)
    converter.register_structure_hook(Capabilities, lambda value, _: Capabilities.from_json(value))
    for kind in (Counterexample, CertifiedFault, Unattributed):
        converter.register_structure_hook(kind, _reader(kind, converter))
    return converter


def _reader(kind: type[Any], converter: Converter) -> Callable[..., Any]:
    """Read a value whose JSON parts stay what they are."""
    resolve_types(kind)
    raw = {
        one.name: override(struct_hook=lambda value, _: value)
        for one in fields(kind)
        if one.name in _AS_IT_IS
    }
    return make_dict_structure_fn(kind, converter, **raw)  # type: ignore[arg-type]


_CONVERTER: Final = _converter()
