"""PROJ-6: a clean history projects to itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contextcert.properties.checks.check import Finding, PromptCheck
from contextcert.properties.equality import first_difference
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.view import Prompt
from contextcert.refmodel.json_value import Json


def _clean(facts: HistoryFacts, image: bool, audio: bool) -> int:  # noqa: FBT001
    changed = (not image and (facts.images or facts.results)) or (not audio and facts.audios)
    return 1 if facts.items and facts.paired and not changed else 0


def _itself(prompt: Prompt) -> Iterator[Finding]:
    if not _clean(prompt.facts, prompt.image, prompt.audio):
        return
    itself: list[Json] = [item.shown for item in prompt.facts.items]
    if not prompt.sight.same(itself, list(prompt.items)):
        path, expected, actual = first_difference(itself, list(prompt.items), "/ok")
        yield prompt.violation(
            "PROJ-6", "a clean history does not project to itself", path, expected, actual
        )


PROJ_6: Final = PromptCheck("PROJ-6", general=True, judge=_itself, count=_clean)
