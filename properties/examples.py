"""The pinned examples: small scripts with the outcomes that SPEC asks for, one idea each."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NotRequired, TypedDict

import orjson

from contextcert.refmodel.json_value import JsonObject
from contextcert.refmodel.modes import DEFAULT_EDITION, Edition


class Example(TypedDict):
    """A named script, the clauses it shows, why it matters, and its outcomes in both modes.

    Outcomes have everything that a subject can show: diagnostics and the success flag too. Error
    texts in them mean nothing. With `continue_after_panic` debug goes on after a panic (MODE-8).
    They are those of edition 2026-08, unless `edition` names another; ids that recording gives
    (E11-2) are those that one seed makes.
    """

    name: str
    clauses: list[str]
    why: str
    ops: list[JsonObject]
    debug: list[JsonObject]
    release: list[JsonObject]
    edition: NotRequired[str]
    continue_after_panic: NotRequired[bool]


def goes_on(example: Example) -> bool:
    """Say whether an example asks debug to go on after a panic."""
    return example.get("continue_after_panic", False)


@cache
def examples() -> tuple[Example, ...]:
    """Read the examples of this package, in the order of SPEC."""
    lines = files("contextcert.properties").joinpath("examples.jsonl").read_bytes().splitlines()
    return tuple(orjson.loads(line) for line in lines)


def edition_of(example: Example) -> Edition:
    """Give the edition whose clauses an example's outcomes follow."""
    return Edition(example.get("edition", DEFAULT_EDITION.value))
