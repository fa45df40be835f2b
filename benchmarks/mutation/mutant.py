"""A mutant: one small change to the model."""

# ruff: noqa: INP001 (a program, not part of the package)

from __future__ import annotations

from attrs import frozen


@frozen(order=True)
class Mutant:
    """One change, found again by the text around it and not by its line number."""

    module: str
    """The file name."""
    definition: str
    """The function or class it lies in, with dots; empty at the top."""
    line: str
    """The text of its line, stripped."""
    operator: str
    nth: int
    """Which of the changes by this operator to such a line in this definition, from 0."""
    occurrence: int
    """Which of all changes by this operator to the module, from 0: how cosmic-ray counts."""

    def __str__(self) -> str:
        """Name it in one line."""
        place = f"{self.module} {self.definition}".strip()
        return f"{place}: {self.operator} #{self.nth} of `{self.line}`"
