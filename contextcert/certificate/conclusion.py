"""What follows from a certificate as a whole: certified or not, and the exit code (DESIGN 1)."""

from __future__ import annotations

from contextcert.certificate.values import Certificate, Verdict
from contextcert.refmodel import Claim, Mode

NOTHING_RED = 0
VIOLATED = 1
UNUSABLE = 2
UNDECIDED = 3


def exit_code(certificate: Certificate) -> int:
    """Give the exit code of `certify`; a violation goes before everything that may hide behind it.

    1: a violation, or a fault; 2: a difference that no check explains; 3: something claimed was not
    exercised; 0: nothing is red. What belongs to clauses that were not asked for is told among the
    reasons why nothing is certified, and leaves the code to those that were.
    """
    if certificate.cells(Verdict.VIOLATES) or certificate.fault_count:
        return VIOLATED
    if certificate.unattributed_count:
        return UNUSABLE
    if certificate.cells(Verdict.NOT_EXERCISED):
        return UNDECIDED
    return NOTHING_RED


def why_not_certified(certificate: Certificate) -> tuple[str, ...]:
    """Give every reason why the implementation is not certified; none means that it is."""
    return (*_missing_modes(certificate), *_narrowings(certificate), *_red(certificate))


def claim_wording(claim: Claim) -> str:
    """Say a claim in words, such as `projection over function, custom`."""
    full = Claim.full()
    profiles = _listed(claim.profiles, full.profiles, claim.to_json()["profiles"], "every profile")
    families = [name for name, call in _FAMILIES if call in claim.item_types]
    over = "every item type"
    if claim.item_types != full.item_types:
        over = ", ".join(families) or "no calls"
    wording = f"{profiles} over {over}"
    if claim.modalities != full.modalities:
        wording += f" with {', '.join(map(str, _sequence(claim.to_json()['modalities'])))}"
    return wording


_FAMILIES = (
    ("function", "function_call"),
    ("local shell", "local_shell_call"),
    ("custom", "custom_tool_call"),
    ("tool search", "tool_search_call"),
)


def _listed(named: frozenset[str], full: frozenset[str], ordered: object, all_of_them: str) -> str:
    if named == full:
        return all_of_them
    return ", ".join(map(str, _sequence(ordered))) or "nothing"


def _sequence(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


def _missing_modes(certificate: Certificate) -> list[str]:
    missing = [mode.value for mode in Mode if mode not in certificate.builds]
    return [f"the {mode} build was not judged (MODE-10)" for mode in missing]


def _narrowings(certificate: Certificate) -> list[str]:
    said = []
    evidence = certificate.evidence
    if evidence.clauses is not None:
        said.append(f"only {', '.join(evidence.clauses)} were asked for (--clause)")
    if len(evidence.evidence) < _ALL_EVIDENCE:
        said.append(f"only {', '.join(evidence.evidence)} evidence was asked for (--evidence)")
    if certificate.stopped is not None:
        said.append(certificate.stopped)
    return said


_ALL_EVIDENCE = 3


def _red(certificate: Certificate) -> list[str]:
    said = [
        f"{verdict.value}: {', '.join(ids)}"
        for verdict in (Verdict.VIOLATES, Verdict.NOT_EXERCISED, Verdict.EXPECTED_FAILURE)
        if (ids := sorted_ids(certificate, verdict))
    ]
    if certificate.fault_count:
        said.append(f"{certificate.fault_count} scripts were not answered, or not twice alike")
    if certificate.unasked:
        count = sum(certificate.unasked.values())
        said.append(
            f"{count:,} differences belong to clauses that were not asked for "
            f"({', '.join(certificate.unasked)}): run without --clause"
        )
    if certificate.unattributed_count:
        said.append(
            f"{certificate.unattributed_count} differences from the model that no check explains"
        )
    return said


def sorted_ids(certificate: Certificate, verdict: Verdict) -> list[str]:
    """Give the clauses with a verdict in any mode, in SPEC's order, each once."""
    return list(dict.fromkeys(clause.id for clause, _, _ in certificate.cells(verdict)))
