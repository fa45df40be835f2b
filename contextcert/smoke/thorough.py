"""The conformance test of adapters: smoke first, then every trap of transports and decoders.

Its steps do not build on one another, so all of them are tried; only an adapter that fails the
plain smoke is not troubled with more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import evolve

from contextcert.smoke.blame import fairly
from contextcert.smoke.encoding import ENCODING
from contextcert.smoke.lines import line_steps
from contextcert.smoke.plain import smoke
from contextcert.smoke.probe import attempt, edition_of
from contextcert.smoke.scripts import SCRIPTS
from contextcert.smoke.sizes import RUN_SHARE, STRINGS, large_history
from contextcert.smoke.steps import Culprit, SmokeReport, Step, Verdict
from contextcert.subject import SubjectError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from contextcert.refmodel.modes import Edition, Mode
    from contextcert.subject import SubjectSpec

_REOPENED: Final = "It starts again"


def thorough(spec: SubjectSpec, mode: Mode, *, edition: Edition | None = None) -> SmokeReport:
    """Try everything on a subject in one mode; it never raises."""
    plain = smoke(spec, mode, edition=edition)
    if any(step.culprit is Culprit.ADAPTER for step in plain.failures):
        return plain
    try:
        steps = tuple(_steps(spec, mode, edition))
    except SubjectError as error:
        remedy = "Let any number of processes of the adapter start, one after another."
        steps = (Step(_REOPENED, Verdict.FAILED, str(error), Culprit.ADAPTER, remedy),)
    return SmokeReport(mode, fairly(plain.steps + steps))


def _steps(spec: SubjectSpec, mode: Mode, edition: Edition | None) -> Iterator[Step]:
    held = evolve(spec, validating=True).open(mode, edition=edition)
    spoken = edition_of(spec, edition, held.description)
    try:
        for probe in (*ENCODING, *SCRIPTS, *STRINGS):
            yield attempt(held, probe, spoken)
    finally:
        held.close()
    yield from line_steps(spec, held.description, spoken)
    # Holding large answers to the schemas would take longer than the answers themselves.
    patient = evolve(spec, run_share=RUN_SHARE).open(mode, edition=edition)
    try:
        yield large_history(patient)
    finally:
        patient.close()
