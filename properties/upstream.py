"""Tests that upstream has by name, each shown by a script of ours with the outcomes SPEC asks for.

The name is a fact about upstream; the script, its outcomes and every sentence are made from SPEC.
Where debug panics and release goes on, upstream has a pair of tests: the name is that of the one
in release, and the other has `DEBUG_SUFFIX` behind it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

import orjson

from contextcert.properties.examples import Example

DEBUG_SUFFIX: Final = "_panics_in_debug"


class UpstreamTest(Example):
    """A pinned example that bears an upstream test's name.

    `open` says what the test leaves open, and `closed_by` names the clauses that settle it; there
    are none where SPEC leaves it open too.
    """

    open: str
    closed_by: list[str]


@cache
def upstream_tests() -> tuple[UpstreamTest, ...]:
    """Read the named upstream tests of this package: projection, head removal, rollback."""
    file = files("contextcert.properties").joinpath("upstream_tests.jsonl")
    return tuple(orjson.loads(line) for line in file.read_bytes().splitlines())
