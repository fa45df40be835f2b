"""Smoke: whose fault it is, and the remedy."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve, frozen

from contextcert.adapters.in_process import InProcessSession
from contextcert.adapters.model import ModelSubject
from contextcert.adapters.specs import command_spec, model_spec
from contextcert.refmodel.claim import Claim
from contextcert.refmodel.json_value import JsonObject
from contextcert.refmodel.modes import Edition, Mode
from contextcert.smoke import Culprit, Verdict, smoke
from contextcert.subject import Opening, Session, SubjectSpec

HOSTILE = Path(__file__).parent / "hostile" / "adapter.py"

Change = Callable[[list[JsonObject], list[JsonObject]], list[JsonObject]]


class Changed(ModelSubject):
    """The model with its outcomes changed on the way out."""

    def __init__(self, mode: Mode, change: Change) -> None:
        """Change what the model gives in this mode."""
        super().__init__(mode)
        self._change = change

    def outcomes(self, ops: list[JsonObject], *, continue_after_panic: bool) -> list[JsonObject]:
        """Give the changed outcomes."""
        honest = super().outcomes(ops, continue_after_panic=continue_after_panic)
        return self._change(ops, honest)


@frozen
class ChangedWay:
    """Opens the changed model, of whichever build."""

    change: Change
    build: Mode | None = None

    def open(self, opening: Opening) -> Session:
        """Open it."""
        subject = Changed(self.build or opening.mode, self.change)
        description = evolve(subject.description(), mode=opening.mode)
        return InProcessSession(subject, opening.described(description), copies=True)


def changed(change: Change, build: Mode | None = None) -> SubjectSpec:
    """Describe the changed model."""
    return SubjectSpec("changed", dict.fromkeys(Mode, ChangedWay(change, build)))


def honest(_ops: list[JsonObject], outcomes: list[JsonObject]) -> list[JsonObject]:
    """Change nothing."""
    return outcomes


def rewritten(old: str, new: str) -> Change:
    """Replace one text by another in everything that comes out."""

    def change(_ops: list[JsonObject], outcomes: list[JsonObject]) -> list[JsonObject]:
        text = json.dumps(outcomes, ensure_ascii=False).replace(old, new)
        rewritten_outcomes: list[JsonObject] = json.loads(text)
        return rewritten_outcomes

    return change


def forgotten(kind: str) -> Change:
    """Give ok in place of one kind of outcome."""

    def change(_ops: list[JsonObject], outcomes: list[JsonObject]) -> list[JsonObject]:
        return [{"ok": None} if kind in outcome else outcome for outcome in outcomes]

    return change


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("edition", Edition)
def test_the_model_passes_every_step(mode: Mode, edition: Edition) -> None:
    """Nothing fails and nothing is skipped."""
    report = smoke(model_spec(), mode, edition=edition)
    assert report.passed
    assert {step.verdict for step in report.steps} == {Verdict.PASSED}


@pytest.mark.parametrize(
    ("change", "culprit", "words"),
    [
        (
            forgotten("unsupported"),
            Culprit.ADAPTER,
            "expected an unsupported",
        ),
        (
            rewritten("\ufeff", ""),
            Culprit.ADAPTER,
            "expected",
        ),
        (
            rewritten("1.0", "1"),
            Culprit.ADAPTER,
            "1.0",
        ),
        (
            forgotten("error"),
            Culprit.IMPLEMENTATION,
            "records nothing",
        ),
        (
            rewritten("aborted", "missing"),
            Culprit.IMPLEMENTATION,
            "missing",
        ),
        (
            rewritten("Orphan", "An orphan"),
            Culprit.IMPLEMENTATION,
            "An orphan",
        ),
    ],
)
def test_the_culprit_is_named(change: Change, culprit: Culprit, words: str) -> None:
    """The protocol is the adapter's, what SPEC says is the implementation's."""
    failure = smoke(changed(change), Mode.DEBUG).failure
    assert failure is not None
    assert failure.culprit is culprit
    assert words in failure.message
    assert failure.remedy


def test_a_build_of_the_other_mode_is_suspected() -> None:
    """An adapter that says debug and is a release build is found out by an orphan."""
    failure = smoke(changed(honest, Mode.RELEASE), Mode.DEBUG).failure
    assert failure is not None
    assert "wrong mode" in failure.remedy


def test_what_is_not_claimed_is_skipped() -> None:
    """A port that has only messages is tried on messages."""
    claim = Claim(frozenset({"projection"}), frozenset({"message"}), frozenset({"text"}))
    report = smoke(evolve(model_spec(), claim=claim), Mode.RELEASE)
    assert report.passed
    skipped = [step for step in report.steps if step.verdict is Verdict.SKIPPED]
    assert len(skipped) == 4
    assert all("not claimed" in step.message for step in skipped)


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [("banner", "Welcome"), ("other_mode", "release build"), ("dies_at_start", "code 4")],
)
def test_an_adapter_that_does_not_start_is_at_fault(behaviour: str, words: str) -> None:
    """The sentence about the start is the report."""
    command = (sys.executable, "-S", "-E", str(HOSTILE), behaviour)
    failure = smoke(command_spec({Mode.DEBUG: command}, name="hostile"), Mode.DEBUG).failure
    assert failure is not None
    assert failure.culprit is Culprit.ADAPTER
    assert words in failure.message


def test_an_adapter_that_hangs_is_told_in_a_second_or_so() -> None:
    """A script as small as these has no right to the usual time."""
    source = (
        "import json\n"
        "request = json.loads(input())\n"
        "answer = {'protocol': 1, 'mode': 'debug', 'editions': ['2026-08'],"
        " 'implementation': {'name': 'n', 'version': '1', 'language': 'l'},"
        " 'claim': {'profiles': [], 'item_types': [], 'modalities': []}}\n"
        "print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': answer}), flush=True)\n"
        "__import__('time').sleep(60)\n"
    )
    spec = command_spec({Mode.DEBUG: (sys.executable, "-c", source)}, name="hangs")
    begun = time.monotonic()
    failure = smoke(spec, Mode.DEBUG).failure
    assert failure is not None
    assert "did not answer within 0.4 s" in failure.message
    assert time.monotonic() - begun < 3
