"""From counts and findings to one verdict per clause and mode (DESIGN 1)."""

from __future__ import annotations

from typing import Final

from contextcert.campaign import Result
from contextcert.campaign.one_build import BETWEEN_MODES_CLAUSE
from contextcert.campaign.tally import Finding
from contextcert.certificate.needs import (
    missing_capability,
    missing_operations,
    replacement,
    unmet_in_debug,
    unmet_need,
)
from contextcert.certificate.values import ClauseVerdicts, Counterexample, ModeVerdict, Verdict
from contextcert.properties import CHECKS
from contextcert.refmodel import CLAUSES, Clause, Edition, Mode

BOTH_MODES_CLAUSE: Final = "MODE-10"
EDITION_PROFILE: Final = "edition"
ONE_MODE: Final = "only the {mode} build was run; this clause needs both"
SAYS_NOTHING: Final = "says nothing in {mode}"
NOT_ASKED: Final = "this run was not asked for it (--clause)"


def clause_verdicts(result: Result) -> tuple[ClauseVerdicts, ...]:
    """Give the verdicts of every clause of SPEC, in its order."""
    return tuple(
        ClauseVerdicts(
            id=clause.id,
            profile=clause.profile,
            text=clause.text,
            source=clause.source,
            modes={mode: _verdict(result, clause, mode) for mode in result.setting.modes},
        )
        for clause in CLAUSES.values()
    )


def _verdict(result: Result, clause: Clause, mode: Mode) -> ModeVerdict:
    outside = _outside_claim(result, clause)
    if outside is not None:
        return ModeVerdict(Verdict.NOT_CLAIMED, reason=outside)
    if clause.id == BOTH_MODES_CLAUSE:
        return both_modes_verdict(result.setting.modes)
    finding = result.tally.findings.get((clause.id, mode))
    if finding is not None:
        return _violated(result, finding)
    unmet = unmet_need(clause.id, result.setting.claim)
    if unmet is not None:
        return ModeVerdict(Verdict.NOT_CLAIMED, reason=unmet)
    return _unseen(result, clause, mode) or _by_count(result, clause, mode)


def _unseen(result: Result, clause: Clause, mode: Mode) -> ModeVerdict | None:
    """Give the verdict of a clause that no number of cases can decide here."""
    if clause.id not in CHECKS:
        return ModeVerdict(Verdict.NOT_YET_JUDGED)
    if mode not in CHECKS[clause.id].modes:
        return ModeVerdict(Verdict.NOT_OBSERVABLE, reason=SAYS_NOTHING.format(mode=mode.value))
    if clause.id != BETWEEN_MODES_CLAUSE or len(result.setting.modes) > 1:
        return None
    return ModeVerdict(
        Verdict.NOT_OBSERVABLE,
        exercised=result.tally.exercised[clause.id, mode],
        reason=ONE_MODE.format(mode=mode.value),
    )


def both_modes_verdict(modes: tuple[Mode, ...]) -> ModeVerdict:
    """Judge MODE-10, which speaks of the certificate and not of the subject."""
    if len(modes) == len(Mode):
        return ModeVerdict(Verdict.CONFORMS, exercised=1)
    return ModeVerdict(Verdict.NOT_OBSERVABLE, reason=ONE_MODE.format(mode=modes[0].value))


def says_nothing(said: ModeVerdict, mode: Mode) -> bool:
    """Say whether a clause speaks, by its nature, of the other build alone."""
    return said.reason == SAYS_NOTHING.format(mode=mode.value)


def _outside_claim(result: Result, clause: Clause) -> str | None:
    setting = result.setting
    if clause.profile == EDITION_PROFILE and setting.edition is Edition.AUGUST_2026:
        return f"belongs to edition {Edition.NOVEMBER_2026.value}"
    if not setting.claim.covers(clause.id):
        return f"profile {clause.claimed_with} is not claimed"
    asked = setting.campaign.clauses
    if asked is not None and clause.id not in asked:
        return NOT_ASKED
    return None


def _violated(result: Result, finding: Finding) -> ModeVerdict:
    violation = finding.violation
    return ModeVerdict(
        Verdict.VIOLATES,
        exercised=result.tally.exercised[finding.cell],
        violation=Counterexample(
            message=violation.message,
            operation=violation.operation,
            path=violation.path,
            expected=violation.expected,
            actual=violation.actual,
            script=finding.script,
            evidence=finding.evidence.value,
            group=finding.group,
            count=result.tally.violated[finding.cell],
            continue_after_panic=finding.goes_on,
        ),
    )


def _by_count(result: Result, clause: Clause, mode: Mode) -> ModeVerdict:
    campaign = result.setting.campaign
    exercised = result.tally.exercised[clause.id, mode]
    floor = campaign.budget.floor_for(campaign.evidence)
    if exercised >= floor:
        return ModeVerdict(Verdict.CONFORMS, exercised=exercised)
    reason = (
        replacement(clause, result.setting.edition)
        or missing_capability(clause, result.setting.capabilities[mode])
        or result.tally.unobservable.get((clause.id, mode))
        or _refusal(result, clause)
        or (unmet_in_debug(clause.id, result.setting.claim) if mode is Mode.DEBUG else None)
    )
    if reason is not None:
        return ModeVerdict(Verdict.NOT_OBSERVABLE, exercised=exercised, reason=reason)
    return ModeVerdict(
        Verdict.NOT_EXERCISED,
        exercised=exercised,
        reason=_too_rarely(exercised, floor, result.tally.stopped),
    )


def _refusal(result: Result, clause: Clause) -> str | None:
    """Give the adapter's own reason where it has no operation that would show the clause."""
    for mode, refused in result.setting.refused.items():
        for name in missing_operations(clause, frozenset(refused)):
            everywhere = all(name in each for each in result.setting.refused.values())
            where = "" if everywhere else f" in {mode.value}"
            return f"{name} is unsupported{where}: {refused[name]}"
    return None


def _too_rarely(exercised: int, floor: int, stopped: str | None) -> str:
    because = f"; the campaign was {stopped}" if stopped else ""
    return f"what it speaks of came up {exercised} times; the floor is {floor}{because}"
