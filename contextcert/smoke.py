"""Smoke: in a second, whether it is the adapter or the implementation that is at fault.

A handful of scripts, from the handshake to the first projection, each with a culprit and a remedy
in words. The adapter answers for the protocol (lines, ids, fresh histories, lossless text), the
implementation for what SPEC says of the simplest histories. What is not claimed is not asked.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import evolve, frozen

from contextcert.protocol.messages import shown
from contextcert.refmodel.json_value import same_json
from contextcert.refmodel.modes import Mode
from contextcert.subject import SubjectError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from contextcert.refmodel.json_value import Json, JsonObject
    from contextcert.refmodel.modes import Edition
    from contextcert.subject import Description, Outcomes, Session, SubjectSpec

RUN_SHARE: Final = 0.08
"""How much of the usual time a smoke script gets: 0.4 s, and once more for the second try."""


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

    `culprit` and `remedy` are set where it failed; `message` says what was seen, or why it was
    skipped. Everything a subject supplied is escaped.
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
        return self.failure is None

    @property
    def failure(self) -> Step | None:
        """The first step that failed: the one to repair first."""
        return next((step for step in self.steps if step.verdict is Verdict.FAILED), None)


def smoke(spec: SubjectSpec, mode: Mode, *, edition: Edition | None = None) -> SmokeReport:
    """Try a subject in one mode, every message held to the schemas; it never raises."""
    start = "It starts and shakes hands"
    try:
        # Starting may take a program its time; scripts this small may not.
        hasty = evolve(spec, validating=True, run_share=RUN_SHARE)
        session = hasty.open(mode, edition=edition)
    except SubjectError as error:
        failed = Step(start, Verdict.FAILED, str(error), Culprit.ADAPTER, "See the sentence above.")
        return SmokeReport(mode, (failed,))
    try:
        steps = [Step(start, Verdict.PASSED), *_steps(session)]
    finally:
        session.close()
    return SmokeReport(mode, tuple(steps))


Expectation: TypeAlias = "Callable[[Outcomes, Description], str | None]"
"""Says what is wrong with the outcomes of a probe, or None."""


@frozen
class _Probe:
    title: str
    ops: tuple[JsonObject, ...]
    expect: Expectation
    culprit: Culprit
    remedy: str
    item_types: tuple[str, ...] = ()
    profile: str | None = None
    needs_exact_numbers: bool = False


def _steps(session: Session) -> Iterator[Step]:
    for probe in _PROBES:
        step = _try(session, probe)
        yield step
        if step.verdict is Verdict.FAILED:
            # What comes after would fail for the same reason, with a more confusing sentence.
            return


def _try(session: Session, probe: _Probe) -> Step:
    description = session.description
    unasked = _reason_not_to_ask(probe, description)
    if unasked is not None:
        return Step(probe.title, Verdict.SKIPPED, unasked)
    answer = session.run(list(probe.ops))
    if answer.fault is not None or answer.outcomes is None:
        fault = answer.fault
        message, logs = (fault.message, fault.stderr) if fault else ("no outcomes", "")
        return Step(probe.title, Verdict.FAILED, message, Culprit.ADAPTER, _READ_FAULT, logs)
    missing = _missing(answer.outcomes, probe)
    if missing is not None:
        return Step(probe.title, Verdict.SKIPPED, missing)
    wrong = probe.expect(answer.outcomes, description)
    if wrong is not None:
        return Step(probe.title, Verdict.FAILED, wrong, probe.culprit, probe.remedy)
    return Step(probe.title, Verdict.PASSED)


def _reason_not_to_ask(probe: _Probe, description: Description) -> str | None:
    claim = description.claim
    unclaimed = [name for name in probe.item_types if name not in claim.item_types]
    if probe.profile is not None and probe.profile not in claim.profiles:
        unclaimed.append(f"the profile {probe.profile}")
    if unclaimed:
        return f"{', '.join(unclaimed)} is not claimed"
    if probe.needs_exact_numbers and not description.capabilities.exact_numbers:
        return "the capability exact_numbers is not declared"
    return None


_READ_FAULT: Final = (
    "Repair the adapter as the sentence above says; the implementation was not judged."
)


def _missing(outcomes: Outcomes, probe: _Probe) -> str | None:
    for op, outcome in zip(probe.ops, outcomes, strict=False):
        if "unsupported" in outcome and op["op"] != _UNKNOWN:
            return f"the operation {op['op']} is not supported ({shown(outcome['unsupported'])})"
    return None


_UNKNOWN: Final = "contextcert_unknown_operation"
_TEXT: Final = 'a\u0000\u00e9\u2028\U0001f600\ufeff"\\\n'
_LARGE: Final = 2**53 + 1


def _record(*items: JsonObject) -> JsonObject:
    policy: Json = {"mode": "tokens", "limit": 10_000}
    return {"op": "record_items", "items": list(items), "policy": policy}


def _message(text: str) -> JsonObject:
    content: Json = [{"type": "input_text", "text": text}]
    return {"type": "message", "id": "msg_1", "role": "user", "content": content}


_CALL: Final[JsonObject] = {
    "type": "function_call",
    "id": "fc_1",
    "name": "shell",
    "arguments": "{}",
    "call_id": "c1",
}
_ANSWER: Final[JsonObject] = {
    "type": "function_call_output",
    "id": "fco_1",
    "call_id": "c1",
    "output": "done",
}
_ABORTED: Final[JsonObject] = {
    "type": "function_call_output",
    "id": "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4",
    "call_id": "c1",
    "output": "aborted",
}
_PROMPT: Final[JsonObject] = {"op": "for_prompt", "input_modalities": ["text", "image", "audio"]}
_RAW: Final[JsonObject] = {"op": "raw_items"}
_ORPHAN: Final = "Orphan function call output for call id: c1"


def _last_is(value: Json) -> Expectation:
    def expect(outcomes: Outcomes, description: Description) -> str | None:
        expected: JsonObject = {"ok": _visible(value, description)}
        last: JsonObject = {
            kind: _visible(got, description)
            for kind, got in (outcomes[-1] if outcomes else {}).items()
        }
        return None if same_json(last, expected) else _unlike(expected, last)

    return expect


def _visible(value: Json, description: Description) -> Json:
    """Give a list of items without the fields that the adapter never carries."""
    if not isinstance(value, list):
        return value
    return [_visible_item(item, description) for item in value]


def _visible_item(item: Json, description: Description) -> Json:
    if not isinstance(item, dict):
        return item
    hidden = description.capabilities.hidden_fields.get(str(item.get("type")), ())
    return {name: field for name, field in item.items() if f"/{name}" not in hidden}


def _unlike(expected: Json, got: Json, pointer: str = "") -> str:
    """Say where two values first differ."""
    if isinstance(expected, dict) and isinstance(got, dict) and expected.keys() == got.keys():
        name = next(name for name in expected if not same_json(expected[name], got[name]))
        return _unlike(expected[name], got[name], f"{pointer}/{name}")
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        pairs = enumerate(zip(expected, got, strict=True))
        index = next(index for index, (one, other) in pairs if not same_json(one, other))
        return _unlike(expected[index], got[index], f"{pointer}/{index}")
    place = f"at {pointer} " if pointer else ""
    return f"{place}expected {shown(expected)}, got {shown(got)}"


def _nothing(_outcomes: Outcomes, _description: Description) -> str | None:
    return None


def _unsupported(outcomes: Outcomes, _: Description) -> str | None:
    first, second = outcomes
    if "unsupported" in first and "ok" in second:
        return None
    return f"expected an unsupported and then an ok, got {shown([first, second])}"


def _refused(outcomes: Outcomes, _: Description) -> str | None:
    first, second = outcomes
    if "error" in first and same_json(second, {"ok": []}):
        return None
    return f"expected an error that records nothing, got {shown([first, second])}"


def _anomaly(outcomes: Outcomes, description: Description) -> str | None:
    last = {key: value for key, value in outcomes[-1].items() if key != "diagnostics"}
    expected: JsonObject = {"panic": _ORPHAN} if description.mode is Mode.DEBUG else {"ok": []}
    if same_json(last, expected):
        return None
    return (
        f"a {description.mode.value} build is expected to give {shown(expected)}, got {shown(last)}"
    )


_PROBES: Final = (
    _Probe(
        "An empty script is answered",
        (),
        _nothing,
        Culprit.ADAPTER,
        "Answer run with one outcome an operation.",
    ),
    _Probe(
        "An unknown operation is unsupported, and the script goes on",
        ({"op": _UNKNOWN}, _RAW),
        _unsupported,
        Culprit.ADAPTER,
        'Give {"unsupported": reason} for an operation you do not know; never stop there.',
    ),
    _Probe(
        "A history starts empty",
        (_RAW,),
        _last_is([]),
        Culprit.ADAPTER,
        "Make a new history for each run and each handle.",
    ),
    _Probe(
        "Text survives: NUL, controls, beyond the basic plane",
        (_record(_message(_TEXT)), _RAW),
        _last_is([_message(_TEXT)]),
        Culprit.ADAPTER,
        "Read and write UTF-8 without normalising, trimming or escaping anything twice.",
        ("message",),
    ),
    _Probe(
        "Each run starts from nothing",
        (_RAW,),
        _last_is([]),
        Culprit.ADAPTER,
        "Nothing of one run may be seen by the next: keep histories inside run.",
    ),
    _Probe(
        "Numbers survive, as exact_numbers says",
        ({"op": "set_token_info", "value": [1, 1.0, _LARGE]}, {"op": "token_info"}),
        _last_is([1, 1.0, _LARGE]),
        Culprit.ADAPTER,
        "Keep 1 apart from 1.0 and integers beyond 2^53 whole, or do not declare exact_numbers.",
        needs_exact_numbers=True,
    ),
    _Probe(
        "An unreadable item is refused, and the script goes on",
        (_record({"type": "message", "role": "user"}), _RAW),
        _refused,
        Culprit.IMPLEMENTATION,
        'Refuse the whole item with {"error": {"message": ...}} (ITEM-4).',
        ("message",),
        "wire",
    ),
    _Probe(
        "A clean history projects to itself",
        (_record(_message("hi"), _CALL, _ANSWER), _PROMPT),
        _last_is([_message("hi"), _CALL, _ANSWER]),
        Culprit.IMPLEMENTATION,
        "Project without changing what needs no change (PROJ-6).",
        ("message", "function_call", "function_call_output"),
        "projection",
    ),
    _Probe(
        "An unanswered call gains an output",
        (_record(_CALL), _PROMPT),
        _last_is([_CALL, _ABORTED]),
        Culprit.IMPLEMENTATION,
        "Complete the call with an aborted output directly after it (PAIR-1, SYN-1, ORD-2).",
        ("function_call", "function_call_output"),
        "projection",
    ),
    _Probe(
        "An orphan output stops a debug build, and is dropped by a release build",
        (_record(_ANSWER), _PROMPT),
        _anomaly,
        Culprit.IMPLEMENTATION,
        "If the other mode's answer came, the adapter was built in the wrong mode; otherwise see "
        "MODE-1, MODE-3 and ORPH-1.",
        ("function_call_output",),
        "projection",
    ),
)
