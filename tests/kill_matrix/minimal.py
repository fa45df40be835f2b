"""Cuts a kill down with the campaign's own minimiser, and measures what is left."""

from __future__ import annotations

from attrs import frozen
from zoo.faulty import Fault

from contextcert.campaign.budget import Evidence
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


def _items_in(op: JsonObject) -> int:
    return sum(
        len(listed) for key in ("items", "envelopes") if isinstance(listed := op.get(key), list)
    )


def smallest(kill: Kill, fault: Fault, setting: Setting) -> Script:
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
    return tally.findings[finding.cell].script


def _told(kill: Kill, fault: Fault) -> Violation:
    """Give the violation of the fault's own clause, or of another that is right, or the first."""
    right = {clause: rank for rank, clause in enumerate(fault.clauses)}
    return min(
        kill.judgement.violations,
        key=lambda one: (right.get(one.clause, len(right)), one.mode.value not in fault.modes),
    )
