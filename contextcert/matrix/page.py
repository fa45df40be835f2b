"""A matrix as one page of HTML that needs nothing else: no script, no network."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Final

from rich.text import Text

from contextcert.certificate import Verdict
from contextcert.matrix.columns import Column, Matrix, Red, Row, anchor
from contextcert.matrix.words import (
    MEANINGS,
    NOTHING,
    SAYS_NOTHING_OF,
    SIGNS,
    differences,
    facts,
    summary,
    under_name,
    used,
)
from contextcert.refmodel import Clause
from contextcert.report.counterexample import compared, position_in
from contextcert.report.escape import plain
from contextcert.report.history import script_lines

_LONGEST_NAME: Final = 60


def matrix_page(matrix: Matrix) -> str:
    """Write a matrix as a page; whatever a subject or a file supplied is escaped."""
    style = files("contextcert.matrix").joinpath("page.css").read_text(encoding="utf-8")
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{_text(matrix.title)}</title>",
            f"<style>\n{style}</style>",
            "</head>",
            "<body>",
            *_head(matrix),
            *_table(matrix),
            *_differences(matrix),
            *_counterexamples(matrix),
            *_columns(matrix),
            f"<footer><p>{_text(SAYS_NOTHING_OF)}</p></footer>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _head(matrix: Matrix) -> Iterator[str]:
    yield "<header>"
    yield f"<h1>{_text(matrix.title)}</h1>"
    for sentence in matrix.lead:
        yield f"<p>{_text(sentence)}</p>"
    if matrix.made:
        yield f"<p>Made on {_text(matrix.made)}{' with' if matrix.command else '.'}</p>"
    if matrix.command:
        yield _block([_text(matrix.command)])
    yield "</header>"


def _table(matrix: Matrix) -> Iterator[str]:
    yield '<section><h2 id="clauses">Clauses</h2>'
    yield '<ul class="legend">'
    for verdict in used(matrix):
        yield f"<li>{_marked(verdict)}: {MEANINGS[verdict]}</li>"
    yield "</ul>"
    yield '<div class="scroll" tabindex="0" role="region" aria-labelledby="clauses">'
    yield "<table><thead><tr>"
    yield '<th scope="col" class="clause">clause</th>'
    for place, column in enumerate(matrix.columns):
        yield _column_head(column, place)
    yield '<th scope="col" class="says">what it says</th></tr></thead>'
    for group, rows in matrix.groups():
        yield f'<tbody aria-label="{group}">'
        yield from map(_row, rows)
        yield "</tbody>"
    yield "</table></div></section>"


def _column_head(column: Column, place: int) -> str:
    name, variant = _text(column.name, _LONGEST_NAME), _text(column.variant, _LONGEST_NAME)
    under = "".join(
        f"<small>{line}</small>" for line in (variant, _text(under_name(column))) if line
    )
    return (
        f'<th scope="col" class="build"><a href="#column-{place + 1}"><b>{name}</b>{under}</a></th>'
    )


def _row(row: Row) -> str:
    cells = "".join(_cell(row, place) for place in range(len(row.verdicts)))
    differs = ' class="differs"' if row.differs else ""
    return (
        f'<tr{differs}><th scope="row" class="clause">{row.clause.id}</th>{cells}'
        f'<td class="says">{_sentence(row.clause)}</td></tr>'
    )


def _cell(row: Row, place: int) -> str:
    verdict = row.verdicts[place]
    if verdict is None:
        return f'<td class="v missing">{_sign(NOTHING, "not judged")}</td>'
    shown = _sign(SIGNS[verdict], verdict.value)
    if verdict is Verdict.VIOLATES:
        shown = f'<a href="#{anchor(row.clause, place)}">{shown}</a>'
    elif verdict is Verdict.NOT_EXERCISED:
        shown = f'<a href="#column-{place + 1}">{shown}</a>'
    return f'<td class="v {_class(verdict)}">{shown}</td>'


def _sign(sign: str, word: str) -> str:
    return f'<span aria-hidden="true">{sign}</span><span class="word">{word}</span>'


def _marked(verdict: Verdict) -> str:
    return f'<span class="v {_class(verdict)}">{SIGNS[verdict]} {verdict.value}</span>'


def _class(verdict: Verdict) -> str:
    return verdict.name.lower().replace("_", "-")


def _differences(matrix: Matrix) -> Iterator[str]:
    told = list(differences(matrix))
    if not told:
        return
    yield "<section><h2>What differs</h2><ul>"
    for sentence, clauses in told:
        ids = ", ".join(f"<b>{clause}</b>" for clause in clauses)
        yield f"<li>{ids}: {_text(sentence)}.</li>"
    yield "</ul></section>"


def _counterexamples(matrix: Matrix) -> Iterator[str]:
    reds = list(matrix.reds())
    if not reds:
        return
    yield "<section><h2>Counterexamples</h2>"
    for red in reds:
        yield from _counterexample(red)
    yield "</section>"


def _counterexample(red: Red) -> Iterator[str]:
    shown = red.shown
    yield f'<article id="{red.anchor}">'
    yield f"<h3>{red.clause.id} in {_text(red.column.title)}</h3>"
    yield f"<blockquote>{_sentence(red.clause)}</blockquote>"
    yield f"<p><b>{_text(shown.message)}</b> (violated {shown.count:,} times)</p>"
    near = position_in(shown.path)
    yield _block(map(_line, script_lines(shown.script, shown.operation, near=near)))
    path = shown.path or "the whole outcome"
    yield f"<p>Operation {shown.operation + 1}, at <code>{_text(path)}</code>:</p>"
    rows = compared(shown.expected, shown.actual)
    yield '<div class="sides">'
    for name, side in (("expected", 0), ("actual", 1)):
        yield f"<div><h4>{name}</h4>"
        yield _block(_compared(row[side], row[1 - side], name) for row in rows if row[side].plain)
        yield "</div>"
    yield "</div>"
    yield "<p>See it again:</p>"
    yield _block([_text(red.typed())])
    yield '<p><a href="#clauses">back to the table</a></p>'
    yield "</article>"


def _compared(line: Text, other: Text, side: str) -> str:
    """Mark a line of one side alone by a sign and a colour."""
    if line.plain == other.plain:
        return f"  {_line(line)}"
    sign = "-" if side == "expected" else "+"
    return f'<span class="{side}">{sign} {_line(line)}</span>'


def _line(line: Text) -> str:
    return _text(line.plain.rstrip())


def _columns(matrix: Matrix) -> Iterator[str]:
    yield "<section><h2>How each was judged</h2>"
    for place, column in enumerate(matrix.columns):
        yield f'<details id="column-{place + 1}" open>'
        yield f"<summary><b>{_text(column.title)}</b>: {_text(summary(column))}</summary>"
        yield "<dl>"
        for label, sentence in facts(column):
            yield f"<dt>{label}</dt><dd>{_text(sentence)}</dd>"
        yield "</dl></details>"
    yield "</section>"


def _sentence(clause: Clause) -> str:
    """Set what a clause says, its code as code."""
    parts = clause.text.split("`")
    return "".join(
        f"<code>{_text(part)}</code>" if place % 2 else _text(part)
        for place, part in enumerate(parts)
    )


def _block(lines: Iterable[str]) -> str:
    """Set lines that are already escaped."""
    return "<pre>" + "\n".join(lines) + "</pre>"


def _text(text: str, limit: int | None = None) -> str:
    """Escape text for an element or an attribute, control characters spelled out."""
    return html.escape(plain(text, limit))
