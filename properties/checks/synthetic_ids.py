"""SYN-1, SYN-2 and SYN-4: the id of a synthetic output; SYN-3 is judged over whole scripts."""

from __future__ import annotations

from collections.abc import Iterator

from contextcert.properties.checks.check import at_places
from contextcert.properties.view import Prompt
from contextcert.properties.violations import Violation


def _gained(prompt: Prompt, place: int) -> Iterator[tuple[int, object, object]]:
    """Give the position of a gained output and its id, expected and actual, if they differ."""
    wanted = prompt.sight.item_object(prompt.facts.unanswered[place])
    for position in prompt.aligned.gained.get(place, ()):
        given = prompt.items[position]
        assert isinstance(given, dict)
        if prompt.sight.hides(str(wanted["type"]), "id"):
            continue
        if "id" in wanted and given.get("id") != wanted["id"]:
            yield position, wanted["id"], given.get("id")


@at_places("SYN-1")
def SYN_1(prompt: Prompt, place: int) -> Iterator[Violation]:  # noqa: N802 - the clause's name
    """The id is P_U of the call's item id."""
    for position, wanted, given in _gained(prompt, place):
        yield prompt.violation(
            "SYN-1",
            "a synthetic output's id is not that of its call's item id",
            prompt.path(position),
            str(wanted),
            given if isinstance(given, str) else None,
        )


@at_places("SYN-2")
def SYN_2(prompt: Prompt, place: int) -> Iterator[Violation]:  # noqa: N802
    """A call with no item id, or an empty one, gives an output without id."""
    for position in prompt.aligned.gained.get(place, ()):
        given = prompt.items[position]
        assert isinstance(given, dict)
        if "id" in given:
            yield prompt.violation(
                "SYN-2",
                "the synthetic output of a call without item id has an id",
                prompt.path(position, "id"),
                None,
                given["id"],
            )


@at_places("SYN-4")
def SYN_4(prompt: Prompt, place: int) -> Iterator[Violation]:  # noqa: N802
    """An item id is taken as it is, however it looks; an ordinary id beside it must be."""
    if not _usual_is_right(prompt):
        return
    for position, wanted, given in _gained(prompt, place):
        yield prompt.violation(
            "SYN-4",
            "an item id that does not look like one is not taken as it is",
            prompt.path(position),
            str(wanted),
            given if isinstance(given, str) else None,
        )


def _usual_is_right(prompt: Prompt) -> bool:
    """Say whether ids that look like one are there and taken: else SYN-1 alone is to blame."""
    places = prompt.facts.places
    unusual = set(places.get("SYN-4", ()))
    usual = [place for place in places.get("SYN-1", ()) if place not in unusual]
    return bool(usual) and not any(any(_gained(prompt, place)) for place in usual)
