"""What running cases leaves behind: counts, and the first of everything that went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from attrs import Factory, define, frozen

from contextcert.campaign.budget import Evidence
from contextcert.properties import Violation
from contextcert.refmodel import Mode
from contextcert.refmodel.json_value import Json
from contextcert.subject import Script

HANG: Final = "hang"
HANG_WEIGHT: Final = 20
"""A hang costs two time-outs, so it weighs as much as this many faults of any other kind."""

HANG_RUNS: Final = 100
"""What a hang counts for while a script is cut down: it is cut a few times only."""

KEPT_FAULTS: Final = 20
KEPT_DIFFERENCES: Final = 5

Cell = tuple[str, Mode]
"""A clause in a mode."""


@frozen
class Finding:
    """The first violation of a clause in a mode, with the script that shows it.

    `group` and `place` say where among random scripts it was met, and so where to shrink from.
    `goes_on`, here and below, says that the subject was asked to go on after a panic.
    """

    violation: Violation
    script: Script
    evidence: Evidence
    group: str
    place: int = 0
    goes_on: bool = False

    @property
    def cell(self) -> Cell:
        """The clause and the mode that it violates."""
        return self.violation.clause, self.violation.mode


@frozen
class FaultFound:
    """An adapter that did not answer a script; `repeated` as in `contextcert.subject.Fault`."""

    mode: Mode
    kind: str
    message: str
    stderr: str
    repeated: bool
    script: Script
    goes_on: bool = False

    @property
    def weight(self) -> int:
        """How much of what a unit and a campaign bear it uses up."""
        return HANG_WEIGHT if self.kind == HANG else 1


@frozen
class DifferenceFound:
    """A difference from the model that no check explains: our defect, not the subject's."""

    mode: Mode
    operation: int
    path: str
    expected: Json
    actual: Json
    script: Script
    goes_on: bool = False


@define
class Tally:
    """Counts of one unit, or of many merged in unit order.

    `unasked` counts the violations of clauses that `--clause` left out.
    """

    cases: int = 0
    exercised: Counter[Cell] = Factory(Counter)
    violated: Counter[Cell] = Factory(Counter)
    findings: dict[Cell, Finding] = Factory(dict)
    unobservable: dict[Cell, str] = Factory(dict)
    faults: list[FaultFound] = Factory(list)
    fault_count: int = 0
    fault_weight: int = 0
    differences: list[DifferenceFound] = Factory(list)
    difference_count: int = 0
    unasked: Counter[str] = Factory(Counter)
    stopped: str | None = None

    def count(self, exercised: Mapping[Cell, int]) -> None:
        """Count one case, and how often it exercised what."""
        self.cases += 1
        self.exercised.update(exercised)

    def find(self, finding: Finding) -> None:
        """Count a violation, and keep it if it is the first of its clause and mode."""
        self.violated[finding.cell] += 1
        self.findings.setdefault(finding.cell, finding)

    def fault(self, found: FaultFound) -> None:
        """Count a fault, and keep it while there are few."""
        self.fault_count += 1
        self.fault_weight += found.weight
        if len(self.faults) < KEPT_FAULTS:
            self.faults.append(found)

    def difference(self, found: DifferenceFound) -> None:
        """Count an unattributed difference, and keep it while there are few."""
        self.difference_count += 1
        if len(self.differences) < KEPT_DIFFERENCES:
            self.differences.append(found)

    def add(self, later: Tally) -> None:
        """Take in what a later unit left; what is kept of several is the earliest."""
        self.cases += later.cases
        self.exercised.update(later.exercised)
        self.violated.update(later.violated)
        for cell, finding in later.findings.items():
            self.findings.setdefault(cell, finding)
        for cell, reason in later.unobservable.items():
            self.unobservable.setdefault(cell, reason)
        self.faults = (self.faults + later.faults)[:KEPT_FAULTS]
        self.fault_count += later.fault_count
        self.fault_weight += later.fault_weight
        self.differences = (self.differences + later.differences)[:KEPT_DIFFERENCES]
        self.difference_count += later.difference_count
        self.unasked.update(later.unasked)
        self.stopped = self.stopped or later.stopped
