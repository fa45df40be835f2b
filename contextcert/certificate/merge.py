"""Joins the partial certificates of two builds that were judged apart (MODE-10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import evolve

from contextcert.certificate.errors import CertificateError
from contextcert.certificate.values import Certificate, ClauseVerdicts, ModeVerdict, Verdict
from contextcert.certificate.verdicts import (
    BETWEEN_MODES_CLAUSE,
    BOTH_MODES_CLAUSE,
    both_modes_verdict,
)
from contextcert.refmodel import Mode

_MUST_AGREE: Final[tuple[tuple[str, Callable[[Certificate], object]], ...]] = (
    ("subject name", lambda one: one.subject.name),
    ("subject version", lambda one: one.subject.version),
    ("edition", lambda one: one.edition.value),
    ("seed", lambda one: one.evidence.seed),
    ("budget", lambda one: one.evidence.budget),
    ("contextcert version", lambda one: one.suite.version),
    ("Hypothesis version", lambda one: one.suite.hypothesis),
    ("Python version", lambda one: one.suite.python),
    ("claim", lambda one: one.claim.to_json()),
    ("evidence", lambda one: one.evidence.evidence),
    ("choice of clauses", lambda one: one.evidence.clauses),
    ("alphabet", lambda one: one.evidence.alphabet),
    ("counts", lambda one: evolve(one.evidence, cases=0, fail_fast=False)),
)


def merged(first: Certificate, second: Certificate) -> Certificate:
    """Join a certificate over debug and one over release into one over both.

    Raises:
        CertificateError: they are of the same mode, or differ in what must agree.
    """
    _refuse_unlike(first, second)
    debug, release = sorted((first, second), key=lambda one: list(Mode).index(one.modes[0]))
    joined = evolve(
        debug,
        builds={**debug.builds, **release.builds},
        evidence=evolve(debug.evidence, cases=debug.evidence.cases + release.evidence.cases),
        faults=debug.faults + release.faults,
        fault_count=debug.fault_count + release.fault_count,
        unattributed=debug.unattributed + release.unattributed,
        unattributed_count=debug.unattributed_count + release.unattributed_count,
        stopped=debug.stopped or release.stopped,
        run=None,
    )
    pairs = zip(debug.clauses, release.clauses, strict=True)
    return evolve(joined, clauses=tuple(_joined(one, other, joined) for one, other in pairs))


def _joined(debug: ClauseVerdicts, release: ClauseVerdicts, both: Certificate) -> ClauseVerdicts:
    modes = {**debug.modes, **release.modes}
    for mode, said in modes.items():
        if said.verdict is not Verdict.NOT_OBSERVABLE:
            continue
        if debug.id == BOTH_MODES_CLAUSE:
            modes[mode] = both_modes_verdict(both.modes)
        elif debug.id == BETWEEN_MODES_CLAUSE:
            modes[mode] = ModeVerdict(Verdict.NOT_OBSERVABLE, reason=JUDGED_APART)
    return evolve(debug, modes=modes)


JUDGED_APART: Final = (
    "the builds were judged apart, each against the model's prompts for the same scripts"
)


def _refuse_unlike(first: Certificate, second: Certificate) -> None:
    if shared := [mode.value for mode in first.modes if mode in second.builds]:
        raise CertificateError(
            f"Both certificates judge {' and '.join(shared)}: "
            f"merge one of debug with one of release."
        )
    for what, part in _MUST_AGREE:
        one, other = part(first), part(second)
        if one != other:
            raise CertificateError(
                f"The certificates differ in {what}: {one} and {other}. "
                f"Certify both builds alike, then merge."
            )
