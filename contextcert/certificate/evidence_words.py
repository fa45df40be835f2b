"""What a campaign tried, in sentences: what was listed to the last one, and what was drawn."""

from __future__ import annotations

from collections.abc import Iterator

from contextcert.campaign.budget import Evidence
from contextcert.certificate.values import Certificate, Evidenced, RecordedSessions


def evidence_in_words(certificate: Certificate) -> tuple[str, ...]:
    """Give a sentence for each kind of evidence; a campaign that was stopped had it planned."""
    evidence = certificate.evidence
    told = tuple(_told(evidence))
    if certificate.stopped is None:
        return told
    return tuple(f"planned, and not all of it run: {one}" for one in told)


def _told(evidence: Evidenced) -> Iterator[str]:
    asked = {Evidence(name) for name in evidence.evidence}
    if Evidence.EXHAUSTIVE in asked:
        yield "exhaustive: " + "; ".join(_listed(evidence))
    if Evidence.VECTORS in asked:
        yield (
            "vectors: the pinned examples and the named upstream tests; contextcert explain NAME "
            "says what a test leaves open and which clause closes it"
        )
    if Evidence.RANDOM in asked:
        groups = ", ".join(evidence.groups)
        yield f"random: {evidence.random_count:,} scripts in each of the groups {groups}"
    if Evidence.RANDOM in asked and evidence.corpus is not None:
        yield _told_sessions(evidence.corpus)


def _told_sessions(corpus: RecordedSessions) -> str:
    texts = "their texts as they are" if corpus.shows_text else "stand-ins for their texts"
    return (
        f"corpus: from {corpus.sessions:,} recorded sessions of {corpus.items:,} items, {texts}, "
        f"sha256 {corpus.sha256[:16]}…"
    )


def _listed(evidence: Evidenced) -> Iterator[str]:
    longest = evidence.exhaustive_length
    yield f"all histories of up to {longest} items of {evidence.alphabet.symbols}"
    if evidence.pairing_length > longest:
        pairing = evidence.pairing_alphabet.symbols
        yield f"up to {evidence.pairing_length} of the {pairing} that pairing is about"
    if evidence.specimens:
        yield f"{evidence.specimens:,} odd and malformed items"
    if evidence.operation_scripts:
        yield (
            f"all scripts of up to {evidence.operations_length} of "
            f"{evidence.operation_alphabet.symbols} operations ({evidence.operation_scripts:,})"
        )
    if evidence.listed_lives:
        yield f"{evidence.listed_lives:,} odd texts, cuts, world states and heads of histories"
