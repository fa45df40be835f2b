"""ORPH-1, ORPH-2, ORPH-5, ORPH-7 and ORPH-9: what goes, and what does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from contextcert.properties.checks.check import RELEASE_ONLY, Finding, PromptCheck
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.view import Outcome, Prompt
from contextcert.properties.violations import Violation


def _removes(clause: str, output_type: str) -> PromptCheck:
    def judge(prompt: Prompt) -> Iterator[Finding]:
        for place in prompt.facts.places.get(clause, ()):
            if place in prompt.kept:
                yield prompt.violation(
                    clause,
                    "an orphan stays",
                    prompt.path(prompt.aligned.target[place]),
                    None,
                    prompt.shown(place),
                )
        for place in prompt.lost - prompt.facts.special:
            item = prompt.facts.items[place]
            if item.type == output_type and item.call_id is not None:
                yield prompt.violation(
                    clause, "an output whose call is there is gone", "/ok", item.form, None
                )

    return PromptCheck(clause, modes=RELEASE_ONLY, judge=judge)


ORPH_1: Final = _removes("ORPH-1", "function_call_output")
ORPH_2: Final = _removes("ORPH-2", "custom_tool_call_output")
ORPH_5: Final = _removes("ORPH-5", "tool_search_output")


def _only_outputs_go(prompt: Prompt) -> Iterator[Finding]:
    for place in sorted(prompt.suspects):
        item = prompt.facts.items[place]
        if not prompt.present(place) and item.answers is None:
            yield prompt.violation(
                "ORPH-7", "an item that is no output is gone", "/ok", item.form, None
            )


def _both_kinds(facts: HistoryFacts, _image: bool, _audio: bool) -> int:  # noqa: FBT001
    outputs = sum(1 for item in facts.items if item.answers is not None)
    return 1 if 0 < outputs < len(facts.items) else 0


ORPH_7: Final = PromptCheck("ORPH-7", judge=_only_outputs_go, count=_both_kinds)


def _no_removal_unanswers(prompt: Prompt) -> Iterator[Finding]:
    """Look for calls whose ordinary answers all went."""
    facts = prompt.facts
    for key, outputs in facts.outputs.items():
        callers = facts.calls.get(key, ())
        if not callers or not all(place in prompt.lost for place in outputs):
            continue
        for call in callers:
            if prompt.present(call) and call not in prompt.aligned.gained:
                yield prompt.violation(
                    "ORPH-9",
                    "a removal left a call unanswered",
                    prompt.path(prompt.aligned.target[call]),
                    facts.items[outputs[0]].form,
                    prompt.shown(call),
                )


def _something_to_remove(
    facts: HistoryFacts,
    _image: bool,  # noqa: FBT001
    _audio: bool,  # noqa: FBT001
) -> int:
    return 1 if facts.unanswered or (facts.orphans and facts.calls) else 0


ORPH_9: Final = PromptCheck("ORPH-9", judge=_no_removal_unanswers, count=_something_to_remove)


def synthetic_orphans(outcome: Outcome) -> Iterable[Violation]:
    """Judge ORPH-9 on messages that call a synthetic output an orphan."""
    for place in sorted(outcome.accusations.synthetic):
        yield outcome.violation(
            "ORPH-9",
            "a synthetic output is taken for an orphan",
            "/panic" if outcome.panicked else "/diagnostics",
            outcome.facts.items[place].form,
            outcome.panic,
        )
