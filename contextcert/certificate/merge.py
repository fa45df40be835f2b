"""Joins the partial certificates of two builds that were judged apart (MODE-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from attrs import evolve

from contextcert.campaign.one_build import BETWEEN_MODES_CLAUSE
from contextcert.certificate.errors import CertificateError
from contextcert.certificate.values import Certificate, ClauseVerdicts, ModeVerdict, Verdict
from contextcert.certificate.verdicts import BOTH_MODES_CLAUSE, both_modes_verdict
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
    apart = evolve(
        debug,
        builds={**debug.builds, **release.builds},
        evidence=evolve(debug.evidence, cases=debug.evidence.cases + release.evidence.cases),
        faults=debug.faults + release.faults,
        fault_count=debug.fault_count + release.fault_count,
        unattributed=debug.unattributed + release.unattributed,
        unattributed_count=debug.unattributed_count + release.unattributed_count,
        stopped=debug.stopped or release.stopped,
        unasked=dict(Counter(debug.unasked) + Counter(release.unasked)),
        run=None,
    )
    pairs = list(zip(debug.clauses, release.clauses, strict=True))
    both = evolve(apart, clauses=tuple(_side_by_side(*pair) for pair in pairs))
    return evolve(both, clauses=tuple(_joined(one, both) for one in both.clauses))


def _side_by_side(debug: ClauseVerdicts, release: ClauseVerdicts) -> ClauseVerdicts:
    return evolve(debug, modes={**debug.modes, **release.modes})


def _joined(clause: ClauseVerdicts, both: Certificate) -> ClauseVerdicts:
    modes = dict(clause.modes)
    for mode, said in modes.items():
        if said.verdict is not Verdict.NOT_OBSERVABLE:
            continue
        if clause.id == BOTH_MODES_CLAUSE:
            modes[mode] = both_modes_verdict(both.modes)
        elif clause.id == BETWEEN_MODES_CLAUSE:
            modes[mode] = _equal_prompts_verdict(said, both)
    return evolve(clause, modes=modes)


def _equal_prompts_verdict(said: ModeVerdict, both: Certificate) -> ModeVerdict:
    """Judge MODE-5 on builds that were held against the model apart.

    Where every clean projection of each of them was the model's, each was the other's.
    """
    reason = _why_not_compared(both)
    if reason is None:
        return ModeVerdict(Verdict.CONFORMS, exercised=said.exercised)
    return evolve(said, reason=f"{JUDGED_APART}, and {reason}")


JUDGED_APART: Final = "the builds were judged apart, each against the model"


def _why_not_compared(both: Certificate) -> str | None:
    if both.cells(Verdict.VIOLATES) or both.unattributed_count or both.unasked:
        return "not every prompt is the model's"
    if both.fault_count:
        return "not every script was answered"
    cannot = {tuple(build.unsupported) for build in both.builds.values()}
    if len(cannot) > 1:
        return "their adapters cannot do the same, so the scripts were not the same"
    floor = both.evidence.floor
    rare = [
        f"{mode.value} gave the model's prompt {said.exercised} times"
        for clause in both.clauses
        if clause.id == BETWEEN_MODES_CLAUSE
        for mode, said in clause.modes.items()
        if said.exercised < floor
    ]
    return f"{' and '.join(rare)}; the floor is {floor}" if rare else None


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
