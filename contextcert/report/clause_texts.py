"""Clauses with what they say, for whoever reads a list of their ids."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import RenderableType
from rich.text import Text

from contextcert.refmodel import CLAUSES
from contextcert.report.escape import line
from contextcert.report.layout import labelled


def clause_texts(clauses: Iterable[str]) -> RenderableType:
    """Set each clause's sentence beside its id."""
    return labelled((Text(clause, "cyan"), line(CLAUSES[clause].text)) for clause in clauses)
