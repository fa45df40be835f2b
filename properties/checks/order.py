"""ORD-1 to ORD-3: what survives keeps its order and its content."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contextcert.properties.checks.check import Finding, PromptCheck, at_places
from contextcert.properties.equality import first_difference
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.view import Prompt
from contextcert.properties.violations import Violation


def _order(prompt: Prompt) -> Iterator[Finding]:
    for place in prompt.aligned.moved:
        yield prompt.violation(
            "ORD-1",
            "an item stands before one that it stood after",
            prompt.path(prompt.aligned.target[place]),
            None,
            prompt.shown(place),
        )
    for place in prompt.suspects:
        if not prompt.present(place) and place not in prompt.facts.orphans:
            yield from _merged(prompt, place)


def _merged(prompt: Prompt, place: int) -> Iterator[Violation]:
    """Find what became of an item that is gone: a twin that stayed, or a changed neighbour."""
    form = prompt.forms[place]
    for other, twin in enumerate(prompt.forms):
        if twin == form and prompt.present(other):
            yield prompt.violation(
                "ORD-1", "an item was taken for a duplicate", "/ok", form, prompt.shown(other)
            )
            return
    for other in (place - 1, place + 1):
        if other not in prompt.aligned.altered or prompt.forms[other]["type"] != form["type"]:
            continue
        if not _gained_nothing(prompt, other):
            yield prompt.violation(
                "ORD-1", "two items were merged", "/ok", form, prompt.shown(other)
            )
            return


def _gained_nothing(prompt: Prompt, place: int) -> bool:
    """Say whether an item that came out wrong has, its id aside, only lost something."""
    wanted, given = prompt.forms[place], prompt.shown(place)
    return isinstance(given, dict) and all(
        name in wanted and prompt.sight.same(wanted[name], value)
        for name, value in given.items()
        if name != "id"
    )


def _two_survive(facts: HistoryFacts, _image: bool, _audio: bool) -> int:  # noqa: FBT001
    return 1 if len(facts.items) - len(facts.orphans) > 1 else 0


ORD_1: Final = PromptCheck("ORD-1", judge=_order, count=_two_survive)


@at_places("ORD-2")
def ORD_2(prompt: Prompt, place: int) -> Iterator[Violation]:  # noqa: N802 - the clause's name
    """A synthetic output stands directly after its call."""
    positions = prompt.aligned.gained.get(place, ())
    after = prompt.aligned.target[place] + 1
    if positions and prompt.present(place) and after not in positions:
        yield prompt.violation(
            "ORD-2",
            "a synthetic output does not stand directly after its call",
            prompt.path(positions[0]),
            after,
            positions[0],
        )


def _content(prompt: Prompt) -> Iterator[Finding]:
    for place in sorted(prompt.aligned.altered):
        if prompt.raw is not None and place in prompt.raw.aligned.altered:
            continue
        position = prompt.aligned.target[place]
        path, expected, actual = first_difference(
            prompt.forms[place], prompt.items[position], prompt.path(position)
        )
        yield prompt.violation("ORD-3", "an item came out changed", path, expected, actual)


def _untouched(facts: HistoryFacts, image: bool, audio: bool) -> int:  # noqa: FBT001
    changed = len(facts.orphans)
    if not image:
        changed += len(facts.images) + len(facts.results)
    if not audio:
        changed += len(facts.audios)
    return 1 if len(facts.items) > changed else 0


ORD_3: Final = PromptCheck("ORD-3", general=True, judge=_content, count=_untouched)
