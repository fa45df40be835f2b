"""What a subject cannot do is found out first, and nothing is generated in vain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import pytest

from contextcert.adapters.specs import model_spec
from contextcert.campaign import Budget, Campaign, Evidence, Opened, Result, open_subject
from contextcert.campaign import run_campaign as run
from contextcert.campaign.cases import cases
from contextcert.campaign.plan import plan
from contextcert.campaign.probe import refusals
from contextcert.certificate import Certificate, Verdict, certificate_of
from contextcert.refmodel import OPERATIONS, Mode
from contextcert.refmodel.json_value import JsonObject
from contextcert.strategies import Scope
from contextcert.subject import Answer, Fault, FaultKind, Script, Session

SMALL: Final = Campaign(Budget("small", 1, 0, 60, floor=1), evidence=tuple(Evidence))
RECORDS_AND_PROJECTS: Final = frozenset({"record_items", "for_prompt"})
WHY: Final = "it only records and projects"
REFUSAL: Final[JsonObject] = {"unsupported": WHY}


class _Narrow:
    """The model behind an adapter that can do some operations alone, and counts the others."""

    def __init__(self, session: Session, able: frozenset[str] = RECORDS_AND_PROJECTS) -> None:
        self.description = session.description
        self.vain = 0
        self._session = session
        self._able = able

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        del continue_after_panic
        done = [op for op in ops if op["op"] in self._able]
        self.vain += len(ops) - len(done)
        outcomes = iter(self._session.run(done).outcomes or [])
        return Answer(list(self._outcomes(ops, outcomes)))

    def _outcomes(self, ops: Script, done: Iterator[JsonObject]) -> Iterator[JsonObject]:
        for op in ops:
            outcome = next(done, None) if op["op"] in self._able else REFUSAL
            if outcome is None:
                return
            yield outcome

    def run_batch(self, scripts: Sequence[Script]) -> list[Answer]:
        return [self.run(script) for script in scripts]

    def close(self) -> None:
        """Leave that to the session's owner."""


@pytest.fixture(scope="module")
def narrow() -> tuple[Result, Certificate, int]:
    """Give what a campaign on the narrow adapter came to, and what it was asked in vain."""
    with open_subject(model_spec()) as opened:
        sessions = {mode: _Narrow(session) for mode, session in opened.sessions.items()}
        result = run(Opened(opened.spec, opened.edition, sessions), SMALL, workers=1)
    return result, certificate_of(result), sum(session.vain for session in sessions.values())


def test_the_model_refuses_nothing() -> None:
    """Everything that may be generated is there, and is asked for in one script."""
    with open_subject(model_spec()) as opened:
        assert refusals(opened.sessions, Scope.full()) == {mode: {} for mode in Mode}


def test_what_is_refused_is_asked_for_once_and_never_again(
    narrow: tuple[Result, Certificate, int],
) -> None:
    """Generation keeps to what the adapter can do, and nothing is held against it."""
    result, _, vain = narrow
    scope = result.setting.scope
    assert {name for name in OPERATIONS if scope.may(name)} == RECORDS_AND_PROJECTS
    assert vain == sum(len(refused) for refused in result.setting.refused.values())
    assert result.tally.findings == {}
    asked = {
        op["op"]
        for unit in plan(result.setting)
        for case in cases(unit, result.setting)
        for op in case.script
    }
    assert asked <= RECORDS_AND_PROJECTS


def test_clauses_that_need_it_are_not_observable_with_the_adapters_reason(
    narrow: tuple[Result, Certificate, int],
) -> None:
    """Both builds' refusals stand in the certificate; what recording shows as well is judged."""
    _, certificate, _ = narrow
    assert certificate.builds[Mode.DEBUG].unsupported["replace"] == WHY
    said = {clause.id: clause.modes[Mode.RELEASE] for clause in certificate.clauses}
    for clause in ("PROJ-5", "ITEM-2", "ITEM-6", "ITEM-8"):
        assert said[clause].verdict is Verdict.NOT_OBSERVABLE
        assert f"is unsupported: {WHY}" in str(said[clause].reason)
    assert said["PROJ-4"].verdict is Verdict.CONFORMS
    assert said["ITEM-1"].verdict is Verdict.CONFORMS


def test_what_one_build_refuses_is_generated_for_neither() -> None:
    """Both builds get the same scripts, and the reason names the build."""
    with open_subject(model_spec()) as opened:
        unlike = {
            Mode.DEBUG: _Narrow(opened.sessions[Mode.DEBUG]),
            Mode.RELEASE: opened.sessions[Mode.RELEASE],
        }
        result = run(Opened(opened.spec, opened.edition, unlike), SMALL, workers=1)
    certificate = certificate_of(result)
    assert not result.setting.scope.may("replace")
    assert certificate.builds[Mode.RELEASE].unsupported == {}
    said = {clause.id: clause.modes[Mode.RELEASE] for clause in certificate.clauses}
    assert "is unsupported in debug" in str(said["PROJ-5"].reason)


@pytest.mark.parametrize("kind", [FaultKind.CRASH, FaultKind.HANG])
def test_an_adapter_that_fails_on_what_it_cannot_do_is_left_to_the_campaign(
    kind: FaultKind,
) -> None:
    """Only an answer says unsupported; after a crash each operation is asked for by itself."""
    with open_subject(model_spec()) as opened:
        sessions = {mode: _Fails(one, kind) for mode, one in opened.sessions.items()}
        found = refusals(sessions, Scope.full())
    left = len(OPERATIONS.keys() - RECORDS_AND_PROJECTS) - 1 - ("restore_items" in OPERATIONS)
    assert len(found[Mode.DEBUG]) == (0 if kind is FaultKind.HANG else left)


class _Fails(_Narrow):
    """Fails whenever it is asked to replace, and refuses all else."""

    def __init__(self, session: Session, kind: FaultKind) -> None:
        super().__init__(session)
        self._kind = kind

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        if any(op["op"] == "replace" for op in ops):
            return Answer(None, Fault(self._kind, "it failed"))
        return super().run(ops, continue_after_panic=continue_after_panic)
