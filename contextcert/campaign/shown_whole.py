"""Shows a counterexample as a person compares it: whole outcomes, as this adapter can give them."""

from __future__ import annotations

from attrs import evolve

from contextcert.campaign.case import Case
from contextcert.campaign.faults import is_nondeterministic
from contextcert.campaign.runner import UnitRunner
from contextcert.campaign.setting import Setting
from contextcert.campaign.tally import Finding
from contextcert.properties import Sight
from contextcert.refmodel import run_script, seeded_fresh_ids
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.subject import Outcomes


def shown_whole(finding: Finding, runner: UnitRunner, setting: Setting) -> Finding:
    """Show the whole outcome that was expected, and the one that came, for a person to compare.

    Of what was expected only that is shown which this adapter could have given.
    """
    violation = finding.violation
    ops, mode = list(finding.script), violation.mode
    sight = Sight.of(setting.capabilities[mode])
    if is_nondeterministic(violation) or _is_rendered(ops[violation.operation], sight):
        return finding
    model = run_script(
        ops,
        mode=mode,
        edition=setting.edition,
        fresh_ids=seeded_fresh_ids(setting.campaign.seed),
        continue_after_panic=finding.goes_on,
    )
    expected = _outcome_at(model, violation.operation)
    if isinstance(expected, dict) and "error" not in expected:
        expected = sight.seen(expected)
    answer = runner.ask(Case(finding.script, (mode,), goes_on=finding.goes_on))[mode]
    if answer.outcomes is None:
        return evolve(finding, violation=evolve(violation, expected=expected))
    actual = _outcome_at(answer.outcomes, violation.operation)
    return evolve(finding, violation=evolve(violation, expected=expected, actual=actual))


def _is_rendered(op: JsonObject, sight: Sight) -> bool:
    """Say whether the model's outcome is not what this adapter could have given (CUR)."""
    return sight.coarse_transcript and op["op"] == "read_transcript"


def _outcome_at(outcomes: Outcomes, operation: int) -> Json:
    return dict(outcomes[operation]) if operation < len(outcomes) else None
