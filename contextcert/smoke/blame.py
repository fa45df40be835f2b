"""Who is to blame for a step, seen beside the others: nobody answers for what another lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import evolve

from contextcert.smoke.encoding import ENCODING, TEXT_IN_ITEMS, TEXT_IN_VALUES, TEXT_REMEDY
from contextcert.smoke.sizes import STRINGS
from contextcert.smoke.steps import Culprit, Step, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

_CARRIES: Final = frozenset(
    probe.title for probe in (*ENCODING, *STRINGS) if probe.culprit is Culprit.ADAPTER
)
"""The steps about opaque values, which no implementation looks into."""


def fairly(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Blame the implementation for nothing that may have been lost on the way to it."""
    weighed = tuple(steps)
    lossy = next((step for step in weighed if _failed(step) and step.title in _CARRIES), None)
    if lossy is not None:
        return tuple(_undecided(step, lossy) for step in weighed)
    if any(step.title == TEXT_IN_VALUES and step.verdict is Verdict.PASSED for step in weighed):
        return weighed
    return tuple(
        evolve(step, culprit=Culprit.ADAPTER, remedy=TEXT_REMEDY)
        if step.title == TEXT_IN_ITEMS and _failed(step)
        else step
        for step in weighed
    )


def _undecided(step: Step, lossy: Step) -> Step:
    if step.culprit is not Culprit.IMPLEMENTATION:
        return step
    remedy = (
        f"Repair first what failed in the step '{lossy.title}', and try again: what is lost "
        "between the two may be all that is wrong here."
    )
    return evolve(step, culprit=None, remedy=remedy)


def _failed(step: Step) -> bool:
    return step.verdict is Verdict.FAILED
