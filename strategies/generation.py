"""Scripts by seed, and the smallest script that shows something."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any, Final

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded_test
from hypothesis.configuration import set_hypothesis_home_dir, storage_directory
from hypothesis.errors import Flaky

from contextcert.strategies.programs import scripts
from contextcert.strategies.projecting import Script
from contextcert.strategies.scope import Scope
from contextcert.strategies.source import BACKEND, seeded

QUIET: Final[dict[str, Any]] = {
    "backend": BACKEND,
    "database": None,
    "deadline": None,
    "derandomize": False,
    "print_blob": False,
    "report_multiple_bugs": False,
    "suppress_health_check": list(HealthCheck),
    "verbosity": Verbosity.quiet,
}
"""Settings that depend on nothing outside: no profile of the user's, no clock, no files."""


def generate(group: str, scope: Scope, *, seed: int, count: int, start: int = 0) -> list[Script]:
    """Give the scripts of a group from index `start` on, exactly `count` of them.

    Script i of a group, scope and seed is always the same, whatever `start` and `count` are;
    nothing in the working folder has a say, and nothing is written there. Two scripts may be
    equal. Scripts may share values: never change them.
    """
    made: list[Script] = []

    @seeded_test(seed)
    @settings(max_examples=count + 1, phases=[Phase.generate], **QUIET)
    @given(scripts(group, scope))
    def collect(script: Script) -> None:
        made.append(script)

    with drawing(seed, start):
        collect()
    return made[1:]  # Hypothesis always begins with the simplest script, whatever the seed


def smallest_script(  # noqa: PLR0913 -- half of them by name, most with a default
    group: str,
    scope: Scope,
    condition: Callable[[Script], bool],
    *,
    seed: int,
    max_examples: int = 1000,
    start: int = 0,
) -> Script | None:
    """Give the smallest script that meets the condition, or None if none was met.

    Tried are the scripts that `generate` gives for the same seed and start, at most
    `max_examples`; from the first that meets the condition Hypothesis shrinks. Where the
    condition contradicts itself, the last script that met it is given.
    """
    met: list[Script] = []

    @seeded_test(seed)
    @settings(max_examples=max_examples + 1, phases=[Phase.generate, Phase.shrink], **QUIET)
    @given(scripts(group, scope))
    def look(script: Script) -> None:
        if condition(script):
            met[:] = [script]
            raise _MetError

    with drawing(seed, start):
        try:
            look()
        except (_MetError, Flaky):
            return met[0]
    return None


@contextmanager
def drawing(seed: int, start: int = 0) -> Iterator[None]:
    """Let what is drawn meanwhile under the settings `QUIET` follow from the seed alone."""
    with seeded(seed, start), _notes_elsewhere():
        yield


@contextmanager
def _notes_elsewhere() -> Iterator[None]:
    """Let Hypothesis keep its tables in a folder that is removed, not in the working folder."""
    before = storage_directory(intent_to_write=False)
    home = str(getattr(before, "home_directory", before))  # older releases give the path itself
    with TemporaryDirectory() as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(home)


class _MetError(Exception):
    """The condition is met."""
