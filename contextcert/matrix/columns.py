"""What a matrix holds: a column a build, a row a clause, and what each column says of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from attrs import field, frozen

from contextcert.certificate import Certificate, Counterexample, ModeVerdict, Verdict
from contextcert.certificate.replay import Again, of_violation
from contextcert.refmodel import CLAUSES, Clause, Mode
from contextcert.report.ranges import ranges

JUDGED: Final = frozenset(
    {Verdict.CONFORMS, Verdict.VIOLATES, Verdict.EXPECTED_FAILURE, Verdict.NOT_EXERCISED}
)
"""The verdicts that say something of the subject; the others say why nothing is said."""


@frozen
class Column:
    """One build of one subject: its certificate in one mode, or the sentence why there is none.

    `name` and `variant` tell it from the others, `again` knows what to type to see something again.
    """

    name: str
    variant: str = ""
    certificate: Certificate | None = None
    mode: Mode | None = None
    again: Again | None = None
    why_missing: str = ""
    verdicts: dict[str, ModeVerdict] = field(init=False)

    @verdicts.default
    def _by_clause(self) -> dict[str, ModeVerdict]:
        if self.certificate is None or self.mode is None:
            return {}
        return {
            clause.id: clause.modes[self.mode]
            for clause in self.certificate.clauses
            if self.mode in clause.modes and clause.id in CLAUSES
        }

    @property
    def title(self) -> str:
        """The name and what follows it."""
        return f"{self.name} {self.variant}".strip()

    def verdict(self, clause: str) -> Verdict | None:
        """Give what is said of a clause; None where there is no certificate."""
        said = self.verdicts.get(clause)
        return None if said is None else said.verdict

    def count(self, verdict: Verdict) -> int:
        """Say how many clauses have a verdict."""
        return sum(said.verdict is verdict for said in self.verdicts.values())

    def ids(self, verdict: Verdict) -> list[str]:
        """Give the clauses with a verdict, in SPEC's order."""
        return [clause for clause, said in self.verdicts.items() if said.verdict is verdict]

    def reasons(self, verdict: Verdict) -> dict[str, str]:
        """Give each reason for a verdict with the clauses it holds for, runs of them as ranges."""
        listed: dict[str, list[str]] = {}
        for clause, said in self.verdicts.items():
            if said.verdict is verdict:
                listed.setdefault(said.reason or "no reason given", []).append(clause)
        return {reason: ", ".join(ranges(ids)) for reason, ids in listed.items()}


def anchor(clause: Clause, place: int) -> str:
    """Give the name by which the counterexample of a clause in a column is linked to."""
    return f"{clause.id.lower()}-in-{place + 1}"


@frozen
class Red:
    """A red cell with its counterexample, and the line that shows it again."""

    column: Column
    place: int
    clause: Clause
    shown: Counterexample

    @property
    def anchor(self) -> str:
        """The name by which a page links to it."""
        return anchor(self.clause, self.place)

    def typed(self) -> str:
        """Give the line that replays it; it needs no file where the script is short."""
        again, mode = self.column.again, self.column.mode
        assert again is not None
        assert mode is not None
        replay = of_violation(self.clause.id, mode, self.shown)
        alone = Again(again.certificate, {}, again.subject).line(replay)
        return alone if alone.startswith("echo ") else again.line(replay)


@frozen
class Row:
    """A clause and what every column says of it."""

    clause: Clause
    verdicts: tuple[Verdict | None, ...]

    @property
    def judged(self) -> bool:
        """Whether any column says something of it."""
        return any(verdict in JUDGED for verdict in self.verdicts)

    @property
    def differs(self) -> bool:
        """Whether the columns that there are say different things."""
        return len({verdict for verdict in self.verdicts if verdict is not None}) > 1


@frozen
class Matrix:
    """Columns beside each other.

    `made` is the date, `command` what makes the same again; `lead` are sentences for its reader.
    """

    title: str
    columns: tuple[Column, ...]
    made: str = ""
    command: str = ""
    lead: tuple[str, ...] = ()

    def rows(self) -> Iterator[Row]:
        """Give the clauses of which some column says something, in SPEC's order."""
        for clause in CLAUSES.values():
            row = Row(clause, tuple(one.verdict(clause.id) for one in self.columns))
            if row.judged:
                yield row

    def groups(self) -> Iterator[tuple[str, list[Row]]]:
        """Give the rows by group of clauses, such as PAIR."""
        for group, rows in groupby(self.rows(), lambda row: row.clause.group):
            yield group, list(rows)

    def differing(self) -> list[Row]:
        """Give the rows in which columns differ, those with a violation first."""
        rows = [row for row in self.rows() if row.differs]
        return sorted(rows, key=lambda row: Verdict.VIOLATES not in row.verdicts)

    def reds(self) -> Iterator[Red]:
        """Give every violation with its counterexample, clause by clause."""
        for clause in CLAUSES.values():
            for place, column in enumerate(self.columns):
                said = column.verdicts.get(clause.id)
                if said is not None and said.violation is not None:
                    yield Red(column, place, clause, said.violation)


def columns_of(again: Again, name: str | None = None, variant: str = "") -> Iterator[Column]:
    """Give a column for each mode of a certificate; `name` stands in place of the subject's own."""
    certificate = again.certificate
    subject = certificate.subject
    for mode in certificate.modes:
        yield Column(
            name=name or f"{subject.name} {subject.version}".strip(),
            variant=variant if len(certificate.modes) == 1 else f"{variant} {mode.value}".strip(),
            certificate=certificate,
            mode=mode,
            again=again,
        )


def missing_column(name: str, why: str, variant: str = "") -> Column:
    """Give the column of a subject that could not be judged."""
    return Column(name=name, variant=variant, why_missing=why)


def said_of(row: Row, columns: Iterable[Column]) -> Iterator[tuple[Verdict, list[Column], str]]:
    """Give each verdict of a row with the columns that have it, and their one reason if any."""
    by_verdict: dict[tuple[Verdict, str], list[Column]] = {}
    for column in columns:
        said = column.verdicts.get(row.clause.id)
        if said is not None:
            reason = "" if said.verdict in JUDGED else said.reason or ""
            by_verdict.setdefault((said.verdict, reason), []).append(column)
    for (verdict, reason), named in by_verdict.items():
        yield verdict, named, reason
