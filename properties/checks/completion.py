"""PAIR-1 to PAIR-5 and PAIR-12 to PAIR-14: what an unanswered call gains, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from contextcert.properties.checks.check import (
    RELEASE_ONLY,
    Finding,
    PromptCheck,
    at_places,
)
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.item_facts import OUTPUT_OF
from contextcert.properties.synthetic import NOTHING_ELSE
from contextcert.properties.view import Prompt
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import Json, JsonObject


def _completes(clause: str, call: str) -> Callable[[Prompt, int], Iterator[Violation]]:
    def judge(prompt: Prompt, place: int) -> Iterator[Violation]:
        wanted = prompt.facts.unanswered[place]
        if not prompt.present(place):
            if _forgotten(prompt, place):
                yield prompt.violation(
                    clause, f"an unanswered {call} is gone, not completed", "/ok", wanted, None
                )
            return
        positions = prompt.aligned.gained.get(place)
        if not positions:
            yield prompt.violation(
                clause, f"an unanswered {call} gained no output", "/ok", wanted, prompt.shown(place)
            )
            return
        given = prompt.items[positions[0]]
        assert isinstance(given, dict)
        for name in _wrong(wanted, given):
            yield prompt.violation(
                clause,
                f"the output that an unanswered {call} gained has another {name}",
                prompt.path(positions[0], *([name] if name in given else [])),
                wanted.get(name),
                given.get(name),
            )

    return judge


def _forgotten(prompt: Prompt, place: int) -> bool:
    """Say whether nothing of that call id is left; else one of several calls was mistaken."""
    call_id = prompt.facts.unanswered[place]["call_id"]
    return not any(
        isinstance(entry, dict) and entry.get("call_id") == call_id for entry in prompt.items
    )


def _wrong(wanted: JsonObject, given: JsonObject) -> list[str]:
    names = [name for name in wanted if name != "id" and given.get(name) != wanted[name]]
    if "name" in given and wanted["type"] == "custom_tool_call_output":
        names.append("name")
    return names


PAIR_1: Final = at_places("PAIR-1")(_completes("PAIR-1", "function call"))
PAIR_2: Final = at_places("PAIR-2")(_completes("PAIR-2", "tool search call"))
PAIR_3: Final = at_places("PAIR-3", modes=RELEASE_ONLY)(_completes("PAIR-3", "custom call"))
PAIR_4: Final = at_places("PAIR-4", modes=RELEASE_ONLY)(_completes("PAIR-4", "local shell call"))


@at_places("PAIR-5")
def PAIR_5(prompt: Prompt, place: int) -> Iterator[Violation]:  # noqa: N802 - the clause's name
    """A call without call_id gains nothing."""
    for position in prompt.aligned.gained.get(place, ()):
        yield prompt.violation(
            "PAIR-5",
            "a call without call_id gained an output",
            prompt.path(position),
            None,
            prompt.items[position],
        )


@at_places("PAIR-12")
def PAIR_12(prompt: Prompt, place: int) -> Iterator[Violation]:  # noqa: N802
    """A synthetic output carries nothing else."""
    for position in prompt.aligned.gained.get(place, ()):
        given = prompt.items[position]
        assert isinstance(given, dict)
        for name in sorted(given.keys() - NOTHING_ELSE[str(given["type"])]):
            yield prompt.violation(
                "PAIR-12",
                f"a synthetic output carries {name}",
                prompt.path(position),
                None,
                given[name],
            )


def _every_call_answered(prompt: Prompt) -> Iterator[Finding]:
    """Look at the prompt alone: every call of a family has an output of that family and id."""
    answered = {
        (entry["type"], call_id)
        for entry in prompt.items
        if isinstance(entry, dict)
        and isinstance(entry.get("type"), str)
        and isinstance(call_id := entry.get("call_id"), str)
    }
    for position, entry in enumerate(prompt.items):
        if not isinstance(entry, dict):
            continue
        tag, call_id = entry.get("type"), entry.get("call_id")
        output_type = OUTPUT_OF.get(tag) if isinstance(tag, str) else None
        if output_type and isinstance(call_id, str) and (output_type, call_id) not in answered:
            yield prompt.violation(
                "PAIR-13",
                "a call of the prompt has no output of its family and id",
                prompt.path(position),
                {"type": output_type, "call_id": call_id},
                entry,
            )


def _has_calls(facts: HistoryFacts, _image: bool, _audio: bool) -> int:  # noqa: FBT001
    return 1 if facts.calls else 0


PAIR_13: Final = PromptCheck("PAIR-13", True, RELEASE_ONLY, _every_call_answered, _has_calls)


def _nothing_else(prompt: Prompt) -> Iterator[Finding]:
    for place, positions in prompt.aligned.gained.items():
        wanted = 1 if place in prompt.facts.unanswered else 0
        for position in positions[wanted:]:
            yield _synthesised(prompt, position, prompt.items[position])
    for position in prompt.aligned.stray:
        yield _synthesised(prompt, position, prompt.items[position])


def _synthesised(prompt: Prompt, position: int, entry: Json) -> Violation:
    return prompt.violation(
        "PAIR-14",
        "the prompt holds what neither the history nor an unanswered call gives",
        prompt.path(position),
        None,
        entry,
    )


PAIR_14: Final = PromptCheck("PAIR-14", general=True, judge=_nothing_else, count=_has_calls)
