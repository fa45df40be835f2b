"""SYN-1, SYN-2 and SYN-4: the id of a synthetic output; SYN-3 is judged over whole scripts."""

from __future__ import annotations

from collections.abc import Iterator

from contextcert.properties.checks.check import at_places
from contextcert.properties.synthetic import synthetic_id
from contextcert.properties.view import Prompt
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import JsonObject


def _gained(prompt: Prompt, place: int) -> Iterator[tuple[int, object, object]]:
    """Give the position of a gained output and its id, expected and actual, if they differ."""
    wanted = prompt.sight.item_object(prompt.facts.unanswered[place])
    for position in prompt.aligned.gained.get(place, ()):
        given = prompt.items[position]
        assert isinstance(given, dict)
        if prompt.sight.hides(str(wanted["type"]), "id") or _fits_another(prompt, place, given):
            continue
        if "id" in wanted and given.get("id") != wanted["id"]:
            yield position, wanted["id"], given.get("id")


def _fits_another(prompt: Prompt, place: int, output: JsonObject) -> bool:
    """Say whether the call is shown with an id it was not given (E11-2), and the output fits it."""
    call = prompt.shown(place)
    if not prompt.in_november or not isinstance(call, dict):
        return False
    shown_id = call.get("id")
    if not isinstance(shown_id, str) or not shown_id or shown_id == prompt.facts.items[place].id:
        return False
    return bool(output.get("id") == synthetic_id(str(output["type"]), shown_id))


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
    if prompt.entries[place].mint is not None:
        return  # recording gave it an id that is not shown (E11-2)
    for position in prompt.aligned.gained.get(place, ()):
        given = prompt.items[position]
        assert isinstance(given, dict)
        if "id" in given and not _fits_another(prompt, place, given):
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
