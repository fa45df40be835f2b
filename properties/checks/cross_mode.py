"""MODE-5, and MODE-1 where neither build takes an anomaly for one: both builds side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contextcert.properties.case import Case
from contextcert.properties.checks.check import Finding
from contextcert.properties.checks.relation import Counts, RelationCheck, exercised
from contextcert.properties.equality import first_difference, identical
from contextcert.properties.renaming import is_told, settled
from contextcert.properties.view import Prompt
from contextcert.refmodel.modes import Mode


def _equal_prompts(case: Case, counts: Counts) -> Iterator[Finding]:
    if len(case.outcomes) < len(Mode):
        return
    in_debug = {one.operation: one for one in case.outcomes[Mode.DEBUG]}
    for outcome in case.outcomes[Mode.RELEASE]:
        other = in_debug.get(outcome.operation)
        if other is None or other.prompt is None or outcome.prompt is None:
            continue
        if outcome.facts.has_anomaly or other.facts.has_anomaly:
            continue
        for mode in Mode:
            exercised(counts, "MODE-5", mode)
        yield from _compared(other.prompt, outcome.prompt)


def no_anomaly_in_either(case: Case) -> Iterator[Finding]:
    """Judge MODE-1 on anomalies that debug passes over and release does not report."""
    if len(case.outcomes) < len(Mode):
        return
    in_release = {one.operation: one for one in case.outcomes[Mode.RELEASE]}
    for outcome in case.outcomes[Mode.DEBUG]:
        other = in_release.get(outcome.operation)
        if outcome.panicked or other is None or other.diagnostics is None:
            continue
        if outcome.facts.has_anomaly and not other.diagnostics and not other.panicked:
            for one, path in ((outcome, ""), (other, "/diagnostics")):
                message = "an anomaly is taken for none in either mode"
                yield one.violation("MODE-1", message, path, outcome.facts.messages[0], None)


def _compared(debug: Prompt, release: Prompt) -> Iterator[Finding]:
    if debug.aligned is release.aligned or not (is_told(debug) and is_told(release)):
        return
    one, other = settled(debug), settled(release)
    if identical(one, other):
        return
    path, in_debug, in_release = first_difference(one, other, "/ok")
    message = "debug and release gave different prompts"
    yield debug.violation("MODE-5", message, path, in_release, in_debug)
    yield release.violation("MODE-5", message, path, in_debug, in_release)


MODE_5: Final = RelationCheck("MODE-5", judge=_equal_prompts)
