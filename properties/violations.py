"""What a check reports, and one exception class for every clause.

Hypothesis tells failures apart by type and place, so a test that raises the clause's own class
gets every broken clause shrunk and reported, not one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Final

from attrs import frozen

from contextcert.refmodel.clauses import CLAUSES
from contextcert.refmodel.json_value import Json
from contextcert.refmodel.modes import Mode


@frozen
class Violation:
    """One clause that one operation broke in one mode.

    `operation` is the index in the script. `path` is a JSON pointer into the outcome object
    (`/ok/2/id`, `/panic`); where a field is missing it points at what lacks it. `expected` and
    `actual` are what stands, or should stand, there.
    """

    clause: str
    mode: Mode
    message: str
    operation: int
    path: str
    expected: Json
    actual: Json

    def __str__(self) -> str:
        """Give the sentence that reports show."""
        where = f"operation {self.operation}, {self.path or 'the outcome'}"
        return f"{self.clause} in {self.mode.value}: {self.message} ({where})"


@frozen
class Difference:
    """Where a subject's outcome first parts from the model's, unexplained by any check."""

    mode: Mode
    operation: int
    path: str
    expected: Json
    actual: Json


class ClauseViolation(AssertionError):  # noqa: N818 - a violation is the word for it
    """A clause does not hold; each clause has its own subclass in `VIOLATIONS`."""

    clause: ClassVar[str] = ""

    def __init__(self, violation: Violation) -> None:
        """Carry the violation."""
        super().__init__(str(violation))
        self.violation = violation

    def __reduce__(self) -> tuple[type[ClauseViolation], tuple[Violation]]:
        """Travel between processes as the violation alone."""
        return type(self), (self.violation,)


def _class_name(clause: str) -> str:
    group, _, number = clause.rpartition("-")
    return f"{group.capitalize()}{number}Violation"


def _own_class(clause: str) -> type[ClauseViolation]:
    text = f"{clause} does not hold."
    body = {"clause": clause, "__doc__": text, "__module__": __name__}
    return type(_class_name(clause), (ClauseViolation,), body)


VIOLATIONS: Final[Mapping[str, type[ClauseViolation]]] = MappingProxyType(
    {clause: _own_class(clause) for clause in CLAUSES}
)
"""The exception class of each clause, e.g. `Pair3Violation` of PAIR-3."""

# The classes are found again by module and name when a worker sends one home.
globals().update({own.__name__: own for own in VIOLATIONS.values()})
