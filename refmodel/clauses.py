"""The clauses of the specification, in its order: ids are permanent, texts are ours."""

import json
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from attrs import frozen

PROFILES: Final = (
    "projection",
    "media",
    "recording",
    "changes",
    "world",
    "cursor",
    "snapshots",
    "wire",
)
"""What an implementation may claim, in the order of SPEC's "Claims"."""

EDITION_PROFILE: Final = "edition"
"""Where the changes of SPEC 7 belong; they alter other clauses, and no claim names them."""

_CHANGED: Final = MappingProxyType(
    {"E11-1": "projection", "E11-6": "projection"}
    | dict.fromkeys(("E11-2", "E11-3", "E11-4", "E11-5"), "recording")
)
"""The profile whose clauses each change of SPEC 7 alters."""


@frozen
class Clause:
    """One numbered rule of SPEC.

    `source` names the document it was distilled from: A (normalisation), B (change semantics),
    U (measurements); a dash means that it follows from the clauses above it.
    """

    id: str
    profile: str
    text: str
    source: str

    @property
    def group(self) -> str:
        """The letters before the number: `PAIR` of `PAIR-3`."""
        return self.id.rpartition("-")[0]

    @property
    def claimed_with(self) -> str:
        """The profile with which the clause counts: its own, or that of what it changes."""
        return _CHANGED.get(self.id, self.profile)


@frozen
class Hazard:
    """Something SPEC 6 allows and a real history is warned about."""

    id: str
    text: str


def _load() -> tuple[Mapping[str, Clause], Mapping[str, Hazard]]:
    table = json.loads(files("contextcert.refmodel").joinpath("clauses.json").read_bytes())
    clauses = {row["id"]: Clause(**row) for row in table["clauses"]}
    hazards = {row["id"]: Hazard(**row) for row in table["hazards"]}
    return MappingProxyType(clauses), MappingProxyType(hazards)


CLAUSES, HAZARDS = _load()
