"""MODE-1 to MODE-4, MODE-6 and MODE-7: panics and diagnostics; MODE-5 compares both modes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from attrs import frozen

from contextcert.properties.accusations import named_call_id
from contextcert.properties.checks.check import BOTH, DEBUG_ONLY, RELEASE_ONLY, Check
from contextcert.properties.history_facts import MISSING, ORPHANED, HistoryFacts
from contextcert.properties.view import Outcome, Prompt
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import Json
from contextcert.refmodel.modes import Mode


@frozen
class OutcomeCheck(Check):
    """Judges what one projection gave, panic and diagnostics included."""

    judge: Callable[[Outcome], Iterator[Violation]] = lambda _: iter(())
    count: Callable[[Outcome], int] = lambda _: 1


def _messages(outcome: Outcome) -> Iterator[Violation]:
    """Judge the wording: a message that names nothing is neither an anomaly's nor MODE-2's."""
    if outcome.panicked and not outcome.facts.has_anomaly:
        return
    for message in outcome.accusations.unknown:
        call_id = named_call_id(message)
        named = {one.partition("call id: ")[2] for one in outcome.facts.messages}
        if call_id in named or not _names_no_anomaly(outcome.facts, message):
            yield outcome.violation(
                "MODE-1",
                "a message is not that of an anomaly",
                _path(outcome),
                _as_json(outcome.facts.messages),
                message,
            )


def _names_no_anomaly(facts: HistoryFacts, message: str) -> bool:
    """Say whether a message may speak of an unanswered function or tool search call (MODE-2)."""
    ids = [facts.items[place].call_id for place in facts.places.get("MODE-2", ())]
    call_id = named_call_id(message)
    return call_id in ids if call_id is not None else bool(ids)


def _shows_anomalies(outcome: Outcome) -> int:
    if not outcome.facts.has_anomaly:
        return 0
    shown = outcome.panic is not None or outcome.diagnostics is not None
    return 1 if shown else 0


def _no_anomaly(outcome: Outcome) -> Iterator[Violation]:
    """Judge panics and messages about unanswered function and tool search calls."""
    facts = outcome.facts
    if not facts.places.get("MODE-2"):
        return
    if outcome.panicked and outcome.panic is None and not facts.has_anomaly:
        yield outcome.violation("MODE-2", _TAKEN, "/panic", None, None)
    for message in outcome.accusations.unknown:
        if any(one in message for one in facts.messages):
            continue  # only its wording is wrong (MODE-1)
        if _names_no_anomaly(facts, message):
            yield outcome.violation("MODE-2", _TAKEN, _path(outcome), None, message)


_TAKEN: Final = "an unanswered function or tool search call is taken for an anomaly"


def _completed_anyway(outcome: Outcome) -> int:
    return len(outcome.facts.places.get("MODE-2", ())) if outcome.prompt is not None else 0


def _panic_iff_anomaly(outcome: Outcome) -> Iterator[Violation]:
    if outcome.mode is not Mode.DEBUG or outcome.panicked == outcome.facts.has_anomaly:
        return
    if outcome.panicked:
        yield outcome.violation(
            "MODE-3", "a projection panicked without an anomaly", "/panic", None, outcome.panic
        )
    else:
        yield outcome.violation(
            "MODE-3",
            "a projection did not panic, though there is an anomaly",
            "",
            {"panic": outcome.facts.messages[0]},
            None,
        )


def _never_panics(outcome: Outcome) -> Iterator[Violation]:
    if outcome.mode is Mode.RELEASE and outcome.panicked:
        yield outcome.violation(
            "MODE-4", "a projection panicked in release", "/panic", None, outcome.panic
        )


def _first_anomaly(outcome: Outcome) -> Iterator[Violation]:
    messages = outcome.facts.messages
    if outcome.panic is None or not messages or outcome.panic in outcome.accusations.unknown:
        return
    if outcome.mode is Mode.DEBUG and outcome.panic != messages[0]:
        yield outcome.violation(
            "MODE-6",
            "the panic is not about the first anomaly",
            "/panic",
            messages[0],
            outcome.panic,
        )


def _several_anomalies(outcome: Outcome) -> int:
    return 1 if outcome.panic is not None and len(set(outcome.facts.messages)) > 1 else 0


def _every_anomaly(outcome: Outcome) -> Iterator[Violation]:
    """Judge the list of diagnostics; wrong wording is MODE-1's, wrong decisions are others'."""
    given, wanted = outcome.diagnostics, outcome.facts.messages
    if outcome.mode is not Mode.RELEASE or given is None or given == wanted:
        return
    if _only_worded_otherwise(given, wanted) or given == _own_view(outcome):
        return
    yield outcome.violation(
        "MODE-7",
        "the diagnostics are not every anomaly once, in order",
        "/diagnostics",
        _as_json(wanted),
        _as_json(given),
    )


def _only_worded_otherwise(given: list[str], wanted: list[str]) -> bool:
    """Say whether every message that differs names the call id of the one it stands for."""
    known = Counter(wanted)
    return len(given) == len(wanted) and all(
        one == other or (one not in known and named_call_id(one) == named_call_id(other))
        for one, other in zip(given, wanted, strict=True)
    )


def _own_view(outcome: Outcome) -> list[str] | None:
    """Give the diagnostics that would fit what the prompt shows, right or wrong."""
    prompt = outcome.prompt
    if prompt is None or not prompt.suspicious:
        return None
    return [*_completed(prompt), *_removed(prompt)]


def _completed(prompt: Prompt) -> Iterator[str]:
    for place in sorted(prompt.aligned.gained):
        item = prompt.facts.items[place]
        if item.type in MISSING:
            yield f"{MISSING[item.type]}{item.call_id}"


def _removed(prompt: Prompt) -> Iterator[str]:
    for place, item in enumerate(prompt.facts.items):
        if item.answers is not None and not prompt.present(place):
            yield f"{ORPHANED[item.answers]}{item.call_id}"


def _path(outcome: Outcome) -> str:
    return "/panic" if outcome.panicked else "/diagnostics"


def _as_json(messages: list[str]) -> list[Json]:
    return list(messages)


def _reports_anomalies(outcome: Outcome) -> int:
    return 1 if outcome.diagnostics is not None and outcome.facts.has_anomaly else 0


MODES: Final[Mapping[str, OutcomeCheck]] = MappingProxyType(
    {
        check.clause: check
        for check in (
            OutcomeCheck("MODE-1", False, BOTH, _messages, _shows_anomalies),
            OutcomeCheck("MODE-2", False, BOTH, _no_anomaly, _completed_anyway),
            OutcomeCheck("MODE-3", False, DEBUG_ONLY, _panic_iff_anomaly),
            OutcomeCheck("MODE-4", False, RELEASE_ONLY, _never_panics),
            OutcomeCheck("MODE-6", False, DEBUG_ONLY, _first_anomaly, _several_anomalies),
            OutcomeCheck("MODE-7", False, RELEASE_ONLY, _every_anomaly, _reports_anomalies),
        )
    }
)
"""The checks, by clause."""
