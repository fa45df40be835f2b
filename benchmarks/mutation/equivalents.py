"""The mutants that SPEC does not tell from the model, each with the reason (equivalent.toml)."""

# ruff: noqa: INP001 (a program, not part of the package)

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from attrs import field, frozen, validators
from mutant import Mutant

FILE: Final = Path(__file__).with_name("equivalent.toml")
_TEXT: Final = validators.and_(validators.instance_of(str), validators.min_len(1))


@frozen(kw_only=True)
class Equivalent:
    """A place and the operators that change nothing there."""

    module: str = field(validator=_TEXT)
    definition: str = field(default="", validator=validators.instance_of(str))
    line: str = field(validator=_TEXT)
    """The text of the line, stripped."""
    operators: tuple[str, ...] = field(converter=tuple, validator=validators.min_len(1))
    """Names of operators, with `*` for any letters."""
    nth: Sequence[int] | None = None
    """Which of an operator's changes to the line; all when left out."""
    because: str = field(validator=_TEXT)

    def names(self, mutant: Mutant) -> bool:
        """Say whether a mutant is listed here."""
        return (
            (self.module, self.definition, self.line)
            == (mutant.module, mutant.definition, mutant.line)
            and (self.nth is None or mutant.nth in self.nth)
            and any(fnmatchcase(mutant.operator, one) for one in self.operators)
        )


def read_equivalents(file: Path = FILE) -> tuple[Equivalent, ...]:
    """Read the list.

    Raises:
        ValueError: an entry lacks its place, its operators or its reason.
    """
    entries = tomllib.loads(file.read_text("utf-8")).get("equivalent", [])
    try:
        return tuple(Equivalent(**entry) for entry in entries)
    except TypeError as error:
        raise ValueError(f"{file.name}: {error}") from error


def stale(
    listed: Iterable[Equivalent], mutants: Sequence[Mutant], noticed: Collection[Mutant]
) -> list[str]:
    """Say which entries are no longer true: they name nothing, or what the oracle notices."""
    complaints = []
    for entry in listed:
        named = [mutant for mutant in mutants if entry.names(mutant)]
        if not all(any(fnmatchcase(m.operator, one) for m in named) for one in entry.operators):
            complaints.append(f"names a mutant that is not there: {entry}")
        complaints += [f"is no equivalent, it is noticed: {one}" for one in named if one in noticed]
    return complaints
