"""Judges one script: equality with the model, and every clause's own check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from attrs import define, field

from contextcert.properties.equality import Sight, first_difference
from contextcert.properties.judgement import Judgement
from contextcert.properties.violations import Difference, Violation
from contextcert.refmodel import run_script_in_both_modes
from contextcert.refmodel.claim import Claim
from contextcert.refmodel.json_value import JsonObject
from contextcert.refmodel.modes import Edition, Mode
from contextcert.subject import Capabilities, Script


class Model(Protocol):
    """What gives the expected outcomes of a script in both modes."""

    def __call__(
        self, ops: Script, *, edition: Edition, continue_after_panic: bool = ...
    ) -> Mapping[Mode, list[JsonObject]]:
        """Run a script."""
        ...


@define
class Judge:
    """Holds a subject's outcomes against the model and against every clause.

    `clauses` limits the judgement to some clauses; a difference is then not reported, since the
    check that would explain it may be among those left out. `model` can be replaced, so that a
    broken model can be shown to be noticed by the checks alone.
    """

    edition: Edition
    claim: Claim
    capabilities: Mapping[Mode, Capabilities]
    clauses: frozenset[str] | None = None
    model: Model = run_script_in_both_modes
    _sights: Mapping[Mode, Sight] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Work out once what each mode's adapter can show."""
        self._sights = {mode: _sight(one) for mode, one in self.capabilities.items()}

    def judge(
        self,
        script: Script,
        answers: Mapping[Mode, list[JsonObject]],
        *,
        continue_after_panic: bool = False,
    ) -> Judgement:
        """Judge what a subject answered to a script, in one mode or in both."""
        expected = self.model(
            script, edition=self.edition, continue_after_panic=continue_after_panic
        )
        differences = [
            difference
            for mode, outcomes in answers.items()
            for difference in _differences(mode, self._sights[mode], expected[mode], outcomes)
        ]
        return Judgement(unattributed=tuple(_unexplained(differences, ())))


def _sight(capabilities: Capabilities) -> Sight:
    return Sight.of(
        exact_numbers=capabilities.exact_numbers,
        diagnostics=capabilities.diagnostics,
        hidden_fields=capabilities.hidden_fields,
    )


def _differences(
    mode: Mode, sight: Sight, expected: Sequence[JsonObject], actual: Sequence[JsonObject]
) -> Iterator[Difference]:
    """Give every operation whose outcome is not the model's; what is unsupported is not compared.

    After a panic in one of the two only, what follows has no counterpart.
    """
    for operation, wanted in enumerate(expected):
        if operation >= len(actual):
            yield Difference(mode, operation, "", dict(wanted), None)
            return
        given = actual[operation]
        if "unsupported" in given or "unsupported" in wanted:
            continue
        if not sight.same_outcome(wanted, given):
            yield _difference(mode, operation, sight.seen(wanted), sight.seen(given))
            if ("panic" in wanted) != ("panic" in given):
                return


def _difference(mode: Mode, operation: int, wanted: JsonObject, given: JsonObject) -> Difference:
    path, one, other = first_difference(wanted, given)
    return Difference(mode, operation, path, one, other)


def _unexplained(
    differences: Sequence[Difference], violations: Sequence[Violation]
) -> Iterator[Difference]:
    """Give, per mode, the first difference at an operation that no violation is reported for."""
    explained = {(one.mode, one.operation) for one in violations}
    seen: set[Mode] = set()
    for one in differences:
        if one.mode not in seen and (one.mode, one.operation) not in explained:
            seen.add(one.mode)
            yield one
