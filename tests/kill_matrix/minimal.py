"""Cuts a kill down with the campaign's own minimiser, and measures what is left."""

from __future__ import annotations

from attrs import frozen
from zoo.faulty import Fault

from contextcert.campaign.budget import Evidence
from contextcert.campaign.case import Case
from contextcert.campaign.minimise import minimise
from contextcert.campaign.runner import UnitRunner
from contextcert.campaign.setting import Setting
from contextcert.campaign.tally import Finding, Tally
from contextcert.properties import Violation
from contextcert.refmodel.json_value import JsonObject
from contextcert.subject import Script
from kill_matrix.evidence import Kind
from kill_matrix.hunting import Kill
from kill_matrix.subjects import Pair


@frozen
class Size:
    """How long a counterexample is: its operations, and the items in all of them."""

    operations: int
    items: int

    @classmethod
    def of(cls, script: Script) -> Size:
        """Measure a script."""
        return cls(len(script), sum(map(_items_in, script)))

    def within(self, other: Size) -> bool:
        """Say whether it has neither more operations nor more items than another."""
        return self.operations <= other.operations and self.items <= other.items


def _items_in(op: JsonObject) -> int:
    return sum(
        len(listed) for key in ("items", "envelopes") if isinstance(listed := op.get(key), list)
    )


def smallest(kill: Kill, fault: Fault, setting: Setting) -> Finding:
    """Cut a kill down to the least script that still violates the same clause in the same mode.

    The allowance is that of a quick campaign's finding.
    """
    violation = _told(kill, fault)
    case, source = kill.asked.case, kill.asked.source
    evidence = Evidence.EXHAUSTIVE if source in {kind.value for kind in Kind} else Evidence.RANDOM
    finding = Finding(violation, case.script, evidence, source, case.place, goes_on=case.goes_on)
    tally = Tally(cases=1000)
    tally.find(finding)
    minimise(tally, UnitRunner(setting, Pair.of(fault.name).sessions), setting)
    return tally.findings[finding.cell]


def is_minimal(finding: Finding, fault: Fault, known: Case | None, setting: Setting) -> bool:
    """Say whether no script that is known to violate the same clause is smaller.

    `known` is the least script known to show the fault at all, which may violate another clause;
    None where the fault's own minimum, a number of items, is all that is known.
    """
    size = Size.of(finding.script)
    if known is None:
        return size.items <= fault.minimum
    if size.within(Size.of(known.script)):
        return True
    runner = UnitRunner(setting, Pair.of(fault.name).sessions)
    violations = runner.judge_case(known).violations
    return finding.violation.clause not in {one.clause for one in violations}


def _told(kill: Kill, fault: Fault) -> Violation:
    """Give the violation of the fault's own clause, or of another that is right, or the first."""
    right = {clause: rank for rank, clause in enumerate(fault.clauses)}
    return min(
        kill.judgement.violations,
        key=lambda one: (right.get(one.clause, len(right)), one.mode.value not in fault.modes),
    )
