"""Cuts the script of a fault down to the least that still brings the adapter to it."""

from __future__ import annotations

from typing import Final

from contextcert.campaign.case import Case
from contextcert.campaign.descent import Allowance, Descent
from contextcert.campaign.runner import UnitRunner
from contextcert.campaign.setting import Setting
from contextcert.campaign.tally import HANG, HANG_RUNS, FaultFound, Tally
from contextcert.refmodel import Mode
from contextcert.subject import FaultKind, Script

RUNS_A_FAULT: Final = 200


def minimise_faults(tally: Tally, runner: UnitRunner, setting: Setting) -> None:
    """Cut the script of the first fault of each mode and kind; what does not repeat stays."""
    seen: set[tuple[Mode, str]] = set()
    for place, fault in enumerate(tally.faults):
        if fault.repeated and (fault.mode, fault.kind) not in seen:
            seen.add((fault.mode, fault.kind))
            tally.faults[place] = _least_fault(fault, runner, setting)


def _least_fault(fault: FaultFound, runner: UnitRunner, setting: Setting) -> FaultFound:
    least, allowance = fault, Allowance(RUNS_A_FAULT)

    def shows(script: Script) -> int | None:
        nonlocal least
        case = Case(script, (fault.mode,), goes_on=fault.goes_on)
        shown = runner.fault(case, late=fault.kind == FaultKind.WRONG_ID.value)
        if shown is not None and shown.kind == HANG:
            allowance.pay(HANG_RUNS - 1)
        if shown is None or (shown.kind, shown.repeated) != (fault.kind, True):
            return None
        least = shown
        return len(script) - 1

    Descent(fault.script, len(fault.script) - 1, setting.scope, shows, allowance).go()
    return least
