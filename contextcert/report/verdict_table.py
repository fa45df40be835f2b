"""The table of clause groups by modes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import groupby
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from contextcert.certificate import Certificate, Verdict
from contextcert.certificate.values import ClauseVerdicts
from contextcert.certificate.verdicts import says_nothing
from contextcert.refmodel import CLAUSES, Mode

COLOURS: Final[Mapping[Verdict, str]] = {
    Verdict.CONFORMS: "green",
    Verdict.VIOLATES: "bold red",
    Verdict.EXPECTED_FAILURE: "yellow",
    Verdict.NOT_EXERCISED: "red",
    Verdict.NOT_OBSERVABLE: "dim",
    Verdict.NOT_CLAIMED: "dim",
    Verdict.NOT_YET_JUDGED: "dim",
}
_NAMED: Final = frozenset({Verdict.VIOLATES, Verdict.NOT_EXERCISED, Verdict.EXPECTED_FAILURE})
_SHORT: Final = {Verdict.CONFORMS: "conform"}


def verdict_table(certificate: Certificate) -> Table:
    """Give one row a group of clauses, and one column a mode that was judged.

    Groups of which nothing is claimed are left out: a list below the table names them.
    """
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("clauses", no_wrap=True)
    for mode in certificate.modes:
        table.add_column(mode.value, overflow="fold")
    for group, clauses in groupby(certificate.clauses, lambda one: CLAUSES[one.id].group):
        listed = list(clauses)
        if any(map(_is_claimed, listed)):
            cells = [_cell(listed, mode) for mode in certificate.modes]
            table.add_row(f"{group} ({len(listed)})", *cells)
    return table


def _is_claimed(clause: ClauseVerdicts) -> bool:
    return any(said.verdict is not Verdict.NOT_CLAIMED for said in clause.modes.values())


def _cell(clauses: list[ClauseVerdicts], mode: Mode) -> Text:
    here = [one for one in clauses if mode in one.modes]
    said = [(one.id, one.modes[mode].verdict) for one in here if not _elsewhere(one, mode)]
    counts = Counter(verdict for _, verdict in said)
    parts = [_part(said, verdict, counts[verdict]) for verdict in Verdict if counts[verdict]]
    if len(said) < len(here):
        (other,) = set(Mode) - {mode}
        parts.append(Text(f"{len(here) - len(said)} {other.value} only", "dim"))
    return Text(", ").join(parts)


def _elsewhere(clause: ClauseVerdicts, mode: Mode) -> bool:
    return says_nothing(clause.modes[mode], mode)


def _part(said: list[tuple[str, Verdict]], verdict: Verdict, count: int) -> Text:
    what = _SHORT.get(verdict, verdict.value)
    if verdict in _NAMED:
        ids = " ".join(clause for clause, given in said if given is verdict)
        return Text(f"{what} {ids}", COLOURS[verdict])
    return Text(f"{count} {what}", COLOURS[verdict])
