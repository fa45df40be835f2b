"""The table of named upstream tests in the documentation, made from the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contextcert.properties import DEBUG_SUFFIX, UpstreamTest, upstream_tests

_HEAD: Final = f"""\
# Named upstream tests

Codex's own tests of its context history, by name, and the clauses of
[the specification](specification.md) that say the same for any implementation. What a test leaves
open is settled by the clauses in the last column; where there is none, SPEC leaves it open too.
Each test is pinned as a script of ours with its outcomes in debug and in release, runs as `vectors`
evidence, and is shown by `contextcert explain NAME`. Where the builds differ, upstream has the test
once more for debug, with `{DEBUG_SUFFIX}` behind its name; one row stands for both.

| test | builds | clauses | what it leaves open | closed by |
|---|---|---|---|---|
"""


def upstream_table() -> str:
    """Give the text of `docs/upstream-tests.md`."""
    return _HEAD + "".join(map(_row, upstream_tests()))


def _row(test: UpstreamTest) -> str:
    return f"| {' | '.join(_cells(test))} |\n"


def _cells(test: UpstreamTest) -> Iterator[str]:
    yield f"`{test['name']}`"
    yield "alike" if test["debug"] == test["release"] else "debug panics"
    yield ", ".join(test["clauses"])
    yield test["open"]
    yield ", ".join(test["closed_by"]) or "—"
