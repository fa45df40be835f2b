"""Steps of size: long strings, and a history of 100,000 items in a time that grows with it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from attrs import frozen

from contextcert.protocol.messages import shown
from contextcert.refmodel.json_value import same_json
from contextcert.smoke.probe import READ_FAULT, Probe, as_the_model, visible
from contextcert.smoke.samples import PROMPT, RAW, TOKEN_INFO, message, record
from contextcert.smoke.steps import Culprit, Step, Verdict
from contextcert.subject import FaultKind

if TYPE_CHECKING:
    from contextcert.refmodel.claim import Claim
    from contextcert.refmodel.json_value import Json, JsonObject
    from contextcert.subject import Answer, Session

RUN_SHARE: Final = 4.0
"""How much of the usual time a large history gets: 20 s."""

LARGE: Final = 100_000
SMALL: Final = 10_000

_TOLERATED_GROWTH: Final = 40.0
"""How many times longer ten times the items may take; a quadratic time takes 100 times."""

_PROMPT_ENOUGH: Final = 3.0
"""Seconds below which the growth says more about the machine than about the subject."""

# Characters of one to four bytes, so that a piece of a line may end within one.
_LONG: Final = "a\u00e9\u20ac\U0001f600" * 100_000

STRINGS: Final = (
    Probe(
        "A string of 1 MB survives",
        (
            {"op": "set_token_info", "value": _LONG},
            TOKEN_INFO,
            record(message(_LONG)),
            RAW,
        ),
        as_the_model,
        Culprit.ADAPTER,
        "Read a line of any length as bytes before decoding it, and write an answer whole.",
        lenient=True,
    ),
)

_TITLE: Final = f"A history of {LARGE:,} items is recorded and projected in time"
_LINEAR: Final = (
    "Let recording and projection take a time that grows with the history: look call ids up in a "
    "set built once, and do not search, copy or move the whole list for each item."
)


@frozen
class _Timing:
    seconds: float
    failure: Step | None


def large_history(session: Session) -> Step:
    """Record and project 10,000 items, and then 100,000."""
    claim = session.description.claim
    if not _items(claim, 2):
        return Step(_TITLE, Verdict.SKIPPED, "neither messages nor calls with outputs are claimed")
    small = _timed(session, SMALL)
    if small.failure is not None:
        return small.failure
    large = _timed(session, LARGE)
    if large.failure is not None:
        return large.failure
    if large.seconds > max(_PROMPT_ENOUGH, _TOLERATED_GROWTH * small.seconds):
        seen = f"{SMALL:,} items took {small.seconds:.2f} s, {LARGE:,} took {large.seconds:.1f} s"
        return Step(_TITLE, Verdict.FAILED, seen, Culprit.IMPLEMENTATION, _LINEAR)
    return Step(_TITLE, Verdict.PASSED)


def _timed(session: Session, count: int) -> _Timing:
    items = _items(session.description.claim, count)
    begun = time.monotonic()
    answer = session.run([record(*items), PROMPT])
    seconds = time.monotonic() - begun
    return _Timing(seconds, _failure(answer, items, session))


def _failure(answer: Answer, items: list[Json], session: Session) -> Step | None:
    count = f"{len(items):,} items"
    if answer.fault is not None:
        slow = answer.fault.kind is FaultKind.HANG
        culprit = Culprit.IMPLEMENTATION if slow else Culprit.ADAPTER
        remedy = _LINEAR if slow else READ_FAULT
        seen = f"{count}: {answer.fault.message}"
        return Step(_TITLE, Verdict.FAILED, seen, culprit, remedy, answer.fault.stderr)
    prompt = answer.outcomes[-1] if answer.outcomes else {}
    wanted, got = (visible(value, session.description) for value in (items, prompt.get("ok")))
    if same_json(wanted, got):
        return None
    seen = f"{count}, all of them clean: expected them back, got {shown(_summary(prompt))}"
    return Step(_TITLE, Verdict.FAILED, seen, Culprit.IMPLEMENTATION, "See PROJ-6.")


def _summary(outcome: JsonObject) -> Json:
    prompt = outcome.get("ok")
    return f"{len(prompt):,} items" if isinstance(prompt, list) else outcome


def _items(claim: Claim, count: int) -> list[Json]:
    """Give a clean history: calls, and their outputs in reverse, so that a search is long."""
    families = [pair for pair in _PAIRS if claim.item_types.issuperset(pair)]
    if not families:
        return [message(str(n)) for n in range(count)] if "message" in claim.item_types else []
    of_family = [families[n % len(families)] for n in range(count // 2)]
    calls: list[Json] = [_call(call, n) for n, (call, _) in enumerate(of_family)]
    outputs: list[Json] = [_output(output, n) for n, (_, output) in enumerate(of_family)]
    return calls + outputs[::-1]


_PAIRS: Final = (
    ("function_call", "function_call_output"),
    ("custom_tool_call", "custom_tool_call_output"),
)


def _call(item_type: str, number: int) -> JsonObject:
    text = "arguments" if item_type == "function_call" else "input"
    prefix = "fc" if item_type == "function_call" else "ctc"
    return {
        "type": item_type,
        "id": f"{prefix}_{number}",
        "call_id": f"call_{number}",
        "name": "shell",
        text: "{}",
    }


def _output(item_type: str, number: int) -> JsonObject:
    prefix = "fco" if item_type == "function_call_output" else "ctco"
    return {
        "type": item_type,
        "id": f"{prefix}_{number}",
        "call_id": f"call_{number}",
        "output": "done",
    }
