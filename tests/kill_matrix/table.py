"""The matrix for machines: a table with one line a fault, its cells parted by tabs.

The columns are `COLUMNS`. `in debug` and `in release` are the numbers of the first cases that show
the fault there; a size is `OPERATIONS/ITEMS`; modes are `d` and `r`, and clauses stand with the
modes they were named in, as `PAIR-1 dr, PROJ-6 r`. What was not found is left empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from contextcert.refmodel import Mode
from kill_matrix.minimal import Size
from kill_matrix.rows import EVIDENCE, Found, Row

COLUMNS: Final = (
    "fault",
    "clause",
    "also right",
    "modes",
    "minimum",
    *(
        f"{evidence}: {told}"
        for evidence in EVIDENCE
        for told in ("source", "in debug", "in release", "counterexample", "named")
    ),
)


def as_table(rows: Sequence[Row]) -> str:
    """Give a line of column names and one of each fault."""
    lines = [COLUMNS, *(tuple(_cells(row)) for row in rows)]
    return "".join("\t".join(cells) + "\n" for cells in lines)


def _cells(row: Row) -> Iterator[str]:
    fault = row.fault
    yield from (fault.name, fault.clause, ", ".join(fault.also), letters(fault.modes))
    yield _size(row.minimum) if row.minimum else f"/{fault.minimum}"
    for evidence in EVIDENCE:
        yield from _found(row.found[evidence])


def _found(found: Found | None) -> Iterator[str]:
    if found is None:
        yield from [""] * 5
        return
    yield found.source
    yield from (str(found.cases.get(mode.value, "")) for mode in Mode)
    yield _size(found.size) if found.size else ""
    named = [f"{clause} {letters(modes)}" for clause, modes in found.named.items()]
    yield ", ".join([*named, "unattributed"] if found.unattributed else named)


def letters(modes: Iterable[str]) -> str:
    """Write modes by their first letters, debug first."""
    return "".join(sorted(mode[0] for mode in modes))


def _size(size: Size) -> str:
    return f"{size.operations}/{size.items}"
