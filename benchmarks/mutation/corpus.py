"""The scripts that a mutant is held to, all of them what the suite tries on a subject too.

usage: python corpus.py FILE [SEED]     writes one JSON line a script

Pinned examples and named upstream tests, all listed lives, odd and malformed items, scripts of two
operations, small histories and random scripts of every group, in both editions. Early lines come
from everywhere, so that most mutants are noticed within the first hundreds.
"""

# ruff: noqa: INP001 (a program, not part of the package)

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest
from pathlib import Path
from typing import Final

from contextcert.properties.examples import Example, edition_of, examples, goes_on
from contextcert.properties.upstream import upstream_tests
from contextcert.refmodel import Edition, JsonObject
from contextcert.strategies import (
    Scope,
    Script,
    alphabet,
    generate,
    groups_of,
    histories,
    listed_lives,
    modality_sets,
    operation_scripts,
    projection_script,
    specimen_scripts,
)

RANDOM: Final = 80
"""Random scripts a group and edition."""
EVERY: Final = 29
"""One in so many of the histories of two items."""
GOLDEN: Final = 0.6180339887498949
"""Multiples of it, without their integer part, spread evenly over the unit interval."""


def corpus(seed: int) -> Iterator[JsonObject]:
    """Give each script with its edition, and whether debug goes on after a panic."""
    yield from (_case(one["ops"], edition_of(one), going_on=goes_on(one)) for one in _pinned())
    for edition in Edition:
        sources = [_spread(scripts) for scripts in _sources(Scope.full(edition), seed)]
        in_turns = (script for turn in zip_longest(*sources) for script in turn if script)
        for place, script in enumerate(in_turns):
            yield _case(script, edition, going_on=place % 2 == 1)


def _pinned() -> Iterator[Example]:
    yield from examples()
    yield from upstream_tests()


def _case(ops: Script, edition: Edition, *, going_on: bool) -> JsonObject:
    return {"edition": edition.value, "continue_after_panic": going_on, "ops": list(ops)}


def _sources(scope: Scope, seed: int) -> Iterator[Iterable[Script]]:
    symbols, sets = alphabet(scope), modality_sets(scope)
    yield listed_lives(scope)
    yield specimen_scripts(scope)
    yield operation_scripts(scope, 2)
    for chosen in (histories(symbols, 1), islice(histories(symbols, 2), 0, None, EVERY)):
        yield (projection_script([one.item for one in small], sets, scope) for small in chosen)
    for group in groups_of(scope):
        yield generate(group, scope, seed=seed, count=RANDOM)


def _spread(scripts: Iterable[Script]) -> list[Script]:
    """Put scripts that are listed side by side far from each other."""
    listed = list(scripts)
    return [listed[place] for place in sorted(range(len(listed)), key=lambda n: n * GOLDEN % 1)]


if __name__ == "__main__":
    file, *given = sys.argv[1:]
    with Path(file).open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(case) + "\n" for case in corpus(int(given[0]) if given else 0))
