"""Certificates beside each other: clauses by builds, as Markdown and as one page of HTML."""

from contextcert.matrix.columns import Column, Matrix, columns_of, missing_column
from contextcert.matrix.markdown import matrix_markdown
from contextcert.matrix.page import matrix_page

__all__ = [
    "Column",
    "Matrix",
    "columns_of",
    "matrix_markdown",
    "matrix_page",
    "missing_column",
]
