"""A matrix as Markdown, for a repository's documentation or the summary of a CI run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from contextcert.certificate import Verdict
from contextcert.matrix.columns import Matrix, Red, Row, anchor
from contextcert.matrix.words import (
    MEANINGS,
    NOTHING,
    SAYS_NOTHING_OF,
    SIGNS,
    differences,
    facts,
    under_name,
    used,
)
from contextcert.refmodel.json_value import Json
from contextcert.report.counterexample import compared, position_in
from contextcert.report.escape import plain
from contextcert.report.history import script_lines

_SPECIAL: Final = re.compile(r"([\\`*_\[\]#~|$])")
_ENTITIES: Final = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "@": "&#64;",
    "://": "&#58;//",
    "www.": "www&#46;",
}
"""What would begin an element, name somebody or become a link."""

_LEADING: Final = re.compile(r"^(\d+(?=[.)](?:\s|$))|(?=[-+=:]))")
"""What would begin a list, a rule or a heading: a backslash goes behind it."""

_LONGEST_NAME: Final = 60
_SHORTEST_FENCE: Final = 3


def matrix_markdown(matrix: Matrix) -> str:
    """Write a matrix as Markdown; whatever a subject or a file supplied is escaped."""
    lines = [
        *_head(matrix),
        *_differences(matrix),
        *_table(matrix),
        *_counterexamples(matrix),
        *_columns(matrix),
        "",
        _text(SAYS_NOTHING_OF),
    ]
    return "\n".join(lines) + "\n"


def _head(matrix: Matrix) -> Iterator[str]:
    yield f"# {_text(matrix.title)}"
    yield ""
    if matrix.made:
        yield f"Made on {_text(matrix.made)}" + (" with" if matrix.command else ".")
        yield ""
    if matrix.command:
        yield from _fenced([matrix.command], "sh")
        yield ""
    for sentence in matrix.lead:
        yield _text(sentence)
        yield ""


def _differences(matrix: Matrix) -> Iterator[str]:
    told = list(differences(matrix))
    if not told:
        return
    yield "## What differs"
    yield ""
    for sentence, clauses in told:
        ids = ", ".join(f"**{clause}**" for clause in clauses)
        yield f"* {ids}: {_text(sentence)}."
    yield ""


def _table(matrix: Matrix) -> Iterator[str]:
    yield "## Clauses"
    yield ""
    for verdict in used(matrix):
        yield f"* {SIGNS[verdict]} {verdict.value}: {MEANINGS[verdict]}"
    if any(column.certificate is None for column in matrix.columns):
        yield f"* {NOTHING} not judged: the reason stands below"
    yield ""
    yield _cells(["clause", *(_text(column.title, _LONGEST_NAME) for column in matrix.columns)])
    yield _cells(["---", *(":---:" for _ in matrix.columns)])
    yield _cells(["edition", *(under_name(column) for column in matrix.columns)])
    for row in matrix.rows():
        yield _cells([row.clause.id, *_row(row)])
    yield ""


def _row(row: Row) -> Iterator[str]:
    for place, verdict in enumerate(row.verdicts):
        if verdict is None:
            yield NOTHING
        elif verdict is Verdict.VIOLATES:
            yield f"[{SIGNS[verdict]} violates](#{anchor(row.clause, place)})"
        else:
            yield SIGNS[verdict]


def _cells(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _counterexamples(matrix: Matrix) -> Iterator[str]:
    reds = list(matrix.reds())
    if not reds:
        return
    yield "## Counterexamples"
    yield ""
    for red in reds:
        yield from _counterexample(red)


def _counterexample(red: Red) -> Iterator[str]:
    shown = red.shown
    yield f'### <a id="{red.anchor}"></a>{red.clause.id} in {_text(red.column.title)}'
    yield ""
    yield f"> {red.clause.text}"
    yield ""
    yield f"{_text(shown.message)} (violated {shown.count:,} times)"
    yield ""
    yield from _fenced(_drawn(red), "text")
    yield ""
    yield from _fenced([red.typed()], "sh")
    yield ""


def _drawn(red: Red) -> Iterator[str]:
    shown = red.shown
    near = position_in(shown.path)
    for line in script_lines(shown.script, shown.operation, near=near):
        yield line.plain.rstrip()
    yield ""
    yield plain(f"operation {shown.operation + 1}, at {shown.path or 'the whole outcome'}")
    yield from _side("expected", "-", shown.expected, shown.actual, 0)
    yield from _side("actual", "+", shown.expected, shown.actual, 1)


def _side(name: str, sign: str, expected: Json, actual: Json, side: int) -> Iterator[str]:
    yield name
    for row in compared(expected, actual):
        one, other = row[side], row[1 - side]
        if one.plain:
            yield f"{' ' if one.plain == other.plain else sign} {one.plain.rstrip()}"


def _columns(matrix: Matrix) -> Iterator[str]:
    yield "## How each was judged"
    for column in matrix.columns:
        yield ""
        yield f"### {_text(column.title)}"
        yield ""
        for label, sentence in facts(column):
            yield f"* {label}: {_text(sentence)}"


def _text(text: str, limit: int | None = None) -> str:
    """Escape text so that it is nothing but text, within a cell too."""
    shown = _SPECIAL.sub(r"\\\1", plain(text, limit))
    for found, entity in _ENTITIES.items():
        shown = shown.replace(found, entity)
    return _LEADING.sub(r"\1\\", shown)


def _fenced(lines: Iterator[str] | list[str], language: str) -> Iterator[str]:
    """Fence lines so that nothing in them ends the fence."""
    listed = [plain(line) for line in lines]
    runs = [len(run) for line in listed for run in re.findall("`+", line)]
    fence = "`" * max(_SHORTEST_FENCE, *(length + 1 for length in runs), 0)
    yield fence + language
    yield from listed
    yield fence
