"""Signs and sentences that the Markdown and the page share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from contextcert.certificate import Certificate, Verdict, conclusion
from contextcert.certificate.conclusion import (
    NOTHING_RED,
    UNDECIDED,
    UNUSABLE,
    VIOLATED,
    claim_wording,
)
from contextcert.certificate.evidence_words import evidence_in_words
from contextcert.certificate.json_form import certificate_digest
from contextcert.matrix.columns import Column, Matrix, Row, said_of

SIGNS: Final[Mapping[Verdict, str]] = {
    Verdict.CONFORMS: "✓",
    Verdict.VIOLATES: "✗",
    Verdict.EXPECTED_FAILURE: "!",
    Verdict.NOT_EXERCISED: "?",
    Verdict.NOT_OBSERVABLE: "–",  # noqa: RUF001 -- a sign, no letter
    Verdict.NOT_CLAIMED: "·",
    Verdict.NOT_YET_JUDGED: "…",
}
NOTHING: Final = "×"  # noqa: RUF001 -- a sign, no letter
"""The sign of a column without a certificate."""

MEANINGS: Final[Mapping[Verdict, str]] = {
    Verdict.CONFORMS: "judged often enough, and never violated",
    Verdict.VIOLATES: "its smallest counterexample stands below",
    Verdict.EXPECTED_FAILURE: "violated, as the subject's own configuration says",
    Verdict.NOT_EXERCISED: "claimed and observable, but it came up too rarely",
    Verdict.NOT_OBSERVABLE: "the adapter cannot show it",
    Verdict.NOT_CLAIMED: "outside the claim, or of another edition",
    Verdict.NOT_YET_JUDGED: "this version of contextcert has no check for it",
}

SAYS_NOTHING_OF: Final = (
    "What this does not say: whether a provider accepts a prompt or finds it in its cache, how "
    "many tokens it costs, how sessions are stored, or anything about a user interface. A verdict "
    "speaks of what was tried, and of what the adapter can show."
)


def used(matrix: Matrix) -> list[Verdict]:
    """Give the verdicts that occur, for a legend."""
    return [verdict for verdict in Verdict if any(verdict in row.verdicts for row in matrix.rows())]


def differences(matrix: Matrix) -> Iterator[tuple[str, list[str]]]:
    """Give what differs between columns, each sentence with the clauses that it is true of."""
    rows = groupby(matrix.differing(), lambda row: _sentence(row, matrix))
    return ((sentence, [row.clause.id for row in alike]) for sentence, alike in rows)


def _sentence(row: Row, matrix: Matrix) -> str:
    """Say in one sentence which columns say what of a clause."""
    return "; ".join(
        f"{verdict.value} in {_named(columns)}" + (f" ({reason})" if reason else "")
        for verdict, columns, reason in said_of(row, matrix.columns)
    )


def _named(columns: list[Column]) -> str:
    return ", ".join(column.title for column in columns)


def under_name(column: Column) -> str:
    """Say what a column was judged by, for its head."""
    return "" if column.certificate is None else column.certificate.edition.value


def facts(column: Column) -> Iterator[tuple[str, str]]:
    """Give what a reader has to know of a column, as labels and sentences."""
    certificate = column.certificate
    if certificate is None or column.mode is None:
        yield "not judged", column.why_missing
        return
    evidence, build = certificate.evidence, certificate.builds[column.mode]
    subject = certificate.subject
    yield "subject", f"{subject.name} {subject.version} ({subject.language}), {column.mode.value}"
    yield "edition", certificate.edition.value
    yield "claim", claim_wording(certificate.claim)
    yield "evidence", f"budget {evidence.budget}, seed {evidence.seed}, {evidence.cases:,} cases"
    for sentence in evidence_in_words(certificate):
        yield "evidence", sentence
    yield "verdicts", _counted(column)
    for note in build.notes:
        yield "note", note
    yield from _troubles(certificate)
    for verdict in (Verdict.NOT_EXERCISED, Verdict.NOT_OBSERVABLE, Verdict.NOT_CLAIMED):
        for reason, ids in column.reasons(verdict).items():
            yield verdict.value, f"{ids}: {reason}"
    hidden = ", ".join(_hidden(column, certificate))
    if hidden:
        yield "not compared", hidden
    yield "judged with", f"contextcert {certificate.suite.version}"
    yield "digest", certificate_digest(certificate)


def summary(column: Column) -> str:
    """Say in a line how a column came out."""
    if column.certificate is None:
        return column.why_missing
    violated = column.ids(Verdict.VIOLATES)
    return _counted(column) + (f" ({', '.join(violated)})" if violated else "")


def exit_code(columns: Sequence[Column]) -> int:
    """Give the exit code for columns beside each other: the first of 1, 2 and 3 that any has.

    A column without a certificate counts as one that cannot be used.
    """
    codes = {
        UNUSABLE if column.certificate is None else conclusion.exit_code(column.certificate)
        for column in columns
    }
    return next((code for code in (VIOLATED, UNUSABLE, UNDECIDED) if code in codes), NOTHING_RED)


def _counted(column: Column) -> str:
    counted = [(column.count(verdict), verdict.value) for verdict in Verdict]
    return ", ".join(f"{count} {word}" for count, word in counted if count)


def _troubles(certificate: Certificate) -> Iterator[tuple[str, str]]:
    if certificate.fault_count:
        told = dict.fromkeys(f"{one.kind}: {one.message}" for one in certificate.faults)
        yield (
            "faults",
            f"{certificate.fault_count:,} scripts were not answered, or not twice alike: "
            + "; ".join(list(told)[:_SHOWN_FAULTS]),
        )
    if certificate.unattributed_count:
        count = f"{certificate.unattributed_count:,} differences that no check explains"
        yield "unexplained", f"{count}; please report them with the certificate"
    if certificate.stopped is not None:
        yield "stopped", certificate.stopped


_SHOWN_FAULTS: Final = 3


def _hidden(column: Column, certificate: Certificate) -> Iterator[str]:
    """Name each field that is not compared, and of how many item types."""
    assert column.mode is not None
    fields: dict[str, list[str]] = {}
    for item_type, pointers in certificate.builds[column.mode].capabilities.hidden_fields.items():
        for pointer in pointers:
            fields.setdefault(pointer, []).append(item_type)
    for pointer, types in fields.items():
        few = ", ".join(types) if len(types) <= _FEW_TYPES else f"{len(types)} item types"
        yield f"{pointer} of {few}"


_FEW_TYPES: Final = 2
