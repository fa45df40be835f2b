"""What was tried, what was seen, and who has to repair what."""

from __future__ import annotations

from enum import Enum

from attrs import frozen

from contextcert.refmodel.modes import Mode


class Culprit(Enum):
    """Who has to be repaired."""

    ADAPTER = "adapter"
    IMPLEMENTATION = "implementation"


class Verdict(Enum):
    """What a step found."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@frozen
class Step:
    """One thing that was tried.

    `remedy` is set where it failed, and so is `culprit` unless another failure has to be repaired
    before it can be told; `message` says what was seen, or why it was skipped. Everything a subject
    supplied is escaped.
    """

    title: str
    verdict: Verdict
    message: str = ""
    culprit: Culprit | None = None
    remedy: str = ""
    logs: str = ""


@frozen
class SmokeReport:
    """What smoke found in one mode, in the order it was tried."""

    mode: Mode
    steps: tuple[Step, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    @property
    def failures(self) -> tuple[Step, ...]:
        """The steps that failed, the one to repair first at the beginning."""
        return tuple(step for step in self.steps if step.verdict is Verdict.FAILED)

    @property
    def failure(self) -> Step | None:
        """The first step that failed."""
        return next(iter(self.failures), None)
