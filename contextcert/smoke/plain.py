"""Smoke: in a second, whether it is the adapter or the implementation that is at fault.

A handful of scripts, from the handshake to the first projection, each with a culprit and a remedy
in words. The adapter answers for the protocol (lines, ids, fresh histories, lossless text), the
implementation for what SPEC says of the simplest histories. What is not claimed is not asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import evolve

from contextcert.protocol.messages import shown
from contextcert.refmodel.json_value import same_json
from contextcert.refmodel.modes import Mode
from contextcert.smoke.probe import Asked, Probe, attempt, edition_of, last_is
from contextcert.smoke.samples import (
    ANSWER,
    CALL,
    PROMPT,
    RAW,
    UNKNOWN_OPERATION,
    message,
    record,
)
from contextcert.smoke.steps import Culprit, SmokeReport, Step, Verdict
from contextcert.subject import SubjectError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from contextcert.refmodel.json_value import JsonObject
    from contextcert.refmodel.modes import Edition
    from contextcert.subject import Outcomes, Session, SubjectSpec

RUN_SHARE: Final = 0.08
"""How much of the usual time a smoke script gets: 0.4 s, and once more for the second try."""

START: Final = "It starts and shakes hands"


def smoke(spec: SubjectSpec, mode: Mode, *, edition: Edition | None = None) -> SmokeReport:
    """Try a subject in one mode, every message held to the schemas; it never raises."""
    try:
        # Starting may take a program its time; scripts this small may not.
        hasty = evolve(spec, validating=True, run_share=RUN_SHARE)
        session = hasty.open(mode, edition=edition)
    except SubjectError as error:
        failed = Step(START, Verdict.FAILED, str(error), Culprit.ADAPTER, "See the sentence above.")
        return SmokeReport(mode, (failed,))
    try:
        spoken = edition_of(spec, edition, session.description)
        steps = [Step(START, Verdict.PASSED), *_steps(session, spoken)]
    finally:
        session.close()
    return SmokeReport(mode, tuple(steps))


def _steps(session: Session, edition: Edition) -> Iterator[Step]:
    for probe in _PROBES:
        step = attempt(session, probe, edition)
        yield step
        if step.verdict is Verdict.FAILED:
            # What comes after would fail for the same reason, with a more confusing sentence.
            return


_TEXT: Final = 'a\u0000\u00e9\u2028\U0001f600\ufeff"\\\n'
_LARGE: Final = 2**53 + 1

_ABORTED: Final[JsonObject] = {
    "type": "function_call_output",
    "id": "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4",
    "call_id": "c1",
    "output": "aborted",
}
_ORPHAN: Final = "Orphan function call output for call id: c1"


def _nothing(_outcomes: Outcomes, _asked: Asked) -> str | None:
    return None


def _unsupported(outcomes: Outcomes, _: Asked) -> str | None:
    first, second = outcomes
    if "unsupported" in first and "ok" in second:
        return None
    return f"expected an unsupported and then an ok, got {shown([first, second])}"


def _refused(outcomes: Outcomes, _: Asked) -> str | None:
    first, second = outcomes
    if "error" in first and same_json(second, {"ok": []}):
        return None
    return f"expected an error that records nothing, got {shown([first, second])}"


def _anomaly(outcomes: Outcomes, asked: Asked) -> str | None:
    mode = asked.description.mode
    last = {key: value for key, value in outcomes[-1].items() if key != "diagnostics"}
    expected: JsonObject = {"panic": _ORPHAN} if mode is Mode.DEBUG else {"ok": []}
    if same_json(last, expected):
        return None
    return f"a {mode.value} build is expected to give {shown(expected)}, got {shown(last)}"


_PROBES: Final = (
    Probe(
        "An empty script is answered",
        (),
        _nothing,
        Culprit.ADAPTER,
        "Answer run with one outcome an operation.",
    ),
    Probe(
        "An unknown operation is unsupported, and the script goes on",
        ({"op": UNKNOWN_OPERATION}, RAW),
        _unsupported,
        Culprit.ADAPTER,
        'Give {"unsupported": reason} for an operation you do not know; never stop there.',
    ),
    Probe(
        "A history starts empty",
        (RAW,),
        last_is([]),
        Culprit.ADAPTER,
        "Make a new history for each run and each handle.",
    ),
    Probe(
        "Text survives: NUL, controls, beyond the basic plane",
        (record(message(_TEXT)), RAW),
        last_is([message(_TEXT)]),
        Culprit.ADAPTER,
        "Read and write UTF-8 without normalising, trimming or escaping anything twice.",
        item_types=("message",),
    ),
    Probe(
        "Each run starts from nothing",
        (RAW,),
        last_is([]),
        Culprit.ADAPTER,
        "Nothing of one run may be seen by the next: keep histories inside run.",
    ),
    Probe(
        "Numbers survive, as exact_numbers says",
        ({"op": "set_token_info", "value": [1, 1.0, _LARGE]}, {"op": "token_info"}),
        last_is([1, 1.0, _LARGE]),
        Culprit.ADAPTER,
        "Keep 1 apart from 1.0 and integers beyond 2^53 whole, or do not declare exact_numbers.",
        needs=("exact_numbers",),
    ),
    Probe(
        "An unreadable item is refused, and the script goes on",
        (record({"type": "message", "role": "user"}), RAW),
        _refused,
        Culprit.IMPLEMENTATION,
        'Refuse the whole item with {"error": {"message": ...}} (ITEM-4).',
        item_types=("message",),
        profiles=("wire",),
    ),
    Probe(
        "A clean history projects to itself",
        (record(message("hi"), CALL, ANSWER), PROMPT),
        last_is([message("hi"), CALL, ANSWER]),
        Culprit.IMPLEMENTATION,
        "Project without changing what needs no change (PROJ-6).",
        item_types=("message", "function_call", "function_call_output"),
        profiles=("projection",),
    ),
    Probe(
        "An unanswered call gains an output",
        (record(CALL), PROMPT),
        last_is([CALL, _ABORTED]),
        Culprit.IMPLEMENTATION,
        "Complete the call with an aborted output directly after it (PAIR-1, SYN-1, ORD-2).",
        item_types=("function_call", "function_call_output"),
        profiles=("projection",),
    ),
    Probe(
        "An orphan output stops a debug build, and is dropped by a release build",
        (record(ANSWER), PROMPT),
        _anomaly,
        Culprit.IMPLEMENTATION,
        "If the other mode's answer came, the adapter was built in the wrong mode; otherwise see "
        "MODE-1, MODE-3 and ORPH-1.",
        item_types=("function_call_output",),
        profiles=("projection",),
    ),
)
