"""Kinds of option values: several names, with commas or by being repeated; whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import click

from contextcert.campaign.budget import Evidence
from contextcert.refmodel import CLAUSES, MODALITIES, PROFILES


class NameList(click.ParamType[tuple[str, ...]]):
    """Names out of a fixed list, separated by commas."""

    name = "names"

    def __init__(self, what: str, known: Sequence[str]) -> None:
        """Say what the names are of, and which there are."""
        self._what = what
        self._known = {name.lower(): name for name in known}

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split and check; letter case does not matter."""
        typed = [name.strip() for name in str(value).split(",") if name.strip()]
        if not typed:
            self.fail(f"no {self._what} is named.", param, ctx)
        return tuple(self._checked(name, param, ctx) for name in typed)

    def _checked(self, name: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if known := self._known.get(name.lower()):
            return known
        near = get_close_matches(name.lower(), self._known, n=3, cutoff=0.5)
        listed = ", ".join(self._known[one] for one in near or list(self._known)[:12])
        how = "close are" if near else "there are"
        return self.fail(f"there is no {self._what} {name!a}; {how} {listed}.", param, ctx)


class WholeNumber(click.IntRange):
    """A number out of a range, called what a person calls it."""

    name = "whole number"


CLAUSE_LIST = NameList("clause", tuple(CLAUSES))
PROFILE_LIST = NameList("profile", PROFILES)
MODALITY_LIST = NameList("modality", MODALITIES)
EVIDENCE_LIST = NameList("kind of evidence", tuple(one.value for one in Evidence))


def flattened(lists: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """Join what a repeated option gathered; None where it was not given."""
    return tuple(name for names in lists for name in names) or None
