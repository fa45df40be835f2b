"""ROLL-1 to ROLL-10: where a rollback cuts, and what it leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from contextcert.properties.checks.check import Check
from contextcert.properties.equality import identical
from contextcert.properties.item_facts import ItemFacts
from contextcert.properties.observation import Step
from contextcert.properties.placement import Placement
from contextcert.properties.turns import (
    Turns,
    content,
    is_boundary,
    is_cleaned,
    is_contextual_user,
    is_instruction,
    turn_id,
    turns,
    with_content,
    without_switch,
)
from contextcert.properties.view import Shown
from contextcert.properties.violations import Violation


def rolled_back(step: Step) -> Iterator[str]:
    """Name what a right reading after a rollback exercised."""
    items = _items(step)
    if not step.number:
        if items:
            yield "ROLL-1"
        return
    cut = step.turns
    if any(map(_is_unusual, items)):
        yield "ROLL-2"
    if not cut.boundaries:
        if items:
            yield "ROLL-3"
        return
    yield "ROLL-4"
    if cut.end < cut.cut:
        yield "ROLL-5"
    if cut.at_first and cut.cut:
        yield "ROLL-7"
    if cut.end:
        yield "ROLL-8"
    if any(is_cleaned(item, cut.turn) for item in items[: cut.end]):
        yield "ROLL-9"


def misrolled(placed: Placement, step: Step) -> Iterator[Violation]:
    """Judge what is shown of a history after a rollback."""
    if not step.number:
        yield placed.shown.differs("ROLL-1", "dropping no turn changed the history")
        return
    items, cut = _items(step), step.turns
    if not cut.boundaries:
        yield placed.shown.differs(*_without_boundary(placed, items))
        return
    kept, least = _kept(placed, len(items)), _least(items, cut)
    if kept < least and all(_went_clean(item, cut.turn) for item in items[kept : cut.end]):
        yield placed.shown.differs(
            "ROLL-9", "a message of the first turn went with its model switch"
        )
    elif not least <= kept <= cut.end:
        yield placed.shown.differs(*_wrong_cut(items, cut, kept))
    elif not _rewrote(placed, least) and cut.turn is not None:
        yield placed.shown.differs("ROLL-9", "the first turn's model switches did not go")
    if _rewrote(placed, min(kept, cut.end)):
        clause = "ROLL-9" if _cleanup(placed, items, cut) else "ROLL-8"
        yield placed.shown.differs(clause, "what a rollback keeps is not as it was")


def _least(items: Sequence[ItemFacts], cut: Turns) -> int:
    """Give where the last item ends that a rollback keeps, those that its cleanup takes aside."""
    left = (
        place + 1
        for place in range(cut.end)
        if not is_cleaned(items[place], cut.turn) or without_switch(items[place])
    )
    return max(left, default=0)


def added_up(shown: Shown, base: Sequence[ItemFacts], numbers: tuple[int, ...]) -> bool | None:
    """Say whether rollbacks in a row leave what one of all turns does (ROLL-10).

    None if the turns are more than the boundaries, or if they are not in a row.
    """
    total = sum(numbers)
    whole = turns(base, total)
    if len(numbers) < 2 or total > len(whole.boundaries):  # noqa: PLR2004 - two make a row
        return None
    left = [item for item in base[: whole.end] if not is_cleaned(item, whole.turn)]
    given = [one for one in shown.items if isinstance(one, dict)]
    wanted = [shown.sight.item_object(item.form) for item in left]
    if whole.turn is not None:
        return all(one in given for one in wanted) and len(given) <= whole.end
    return wanted == list(shown.items)


def _without_boundary(placed: Placement, items: Sequence[ItemFacts]) -> tuple[str, str]:
    """Tell a lost prefix from a boundary seen where there is none."""
    message = "items went, though no turn begins anywhere"
    kept = _kept(placed, len(items))
    if kept < len(items) and _is_unusual(items[kept]):
        return "ROLL-2", message
    return "ROLL-3", message


def _kept(placed: Placement, length: int) -> int:
    """Give where what was kept ends: behind the last item that is shown."""
    return max((place + 1 for place in range(length) if place not in placed.gone), default=0)


def _rewrote(placed: Placement, end: int) -> bool:
    lost = any(place < end for place in placed.gone)
    return bool(lost or placed.moved or placed.added or placed.altered)


def _went_clean(item: ItemFacts, turn: str | None) -> bool:
    """Say whether the first turn's cleanup took a whole message, be it one that it looks at or not.

    What it should not look at may be thought to have gone with it only if nothing else was there.
    """
    if item.type != "message" or turn is None or turn_id(item) != turn:
        return False
    return is_cleaned(item, turn) or not without_switch(item)


def _cleanup(placed: Placement, items: Sequence[ItemFacts], cut: Turns) -> bool:
    """Say whether only developer messages of the prefix are wrong, or others were cleaned too."""
    if not cut.at_first or placed.moved or placed.added:
        return False
    touched = placed.altered | {place for place in placed.gone if place < cut.end}
    return all(_is_developer(items[place]) or _cleaned(placed, items, place) for place in touched)


def _is_developer(item: ItemFacts) -> bool:
    return item.type == "message" and item.form["role"] == "developer"


def _cleaned(placed: Placement, items: Sequence[ItemFacts], place: int) -> bool:
    """Say whether a message lost its model switches, and nothing but them."""
    if items[place].type != "message":
        return False
    left = without_switch(items[place])
    given = placed.items[placed.target[place]] if placed.target[place] >= 0 else None
    if given is None:
        return not left
    return left != content(items[place]) and identical(given, with_content(items[place], left))


def _wrong_cut(items: Sequence[ItemFacts], cut: Turns, kept: int) -> tuple[str, str]:
    """Find the reading of the rules under which the cut lies where it does."""
    if cut.at_first and kept < cut.end and _walks_down_to(items, cut.cut, kept):
        return "ROLL-7", "context before the first turn was walked over"
    if kept in (cut.cut, *range(cut.end, cut.cut)) or _walks_down_to(items, cut.end, kept):
        return "ROLL-5", "the walk over context does not end where it must"
    if kept < cut.end and not any(
        item.type in ("message", "agent_message") for item in items[kept : cut.end]
    ):
        return "ROLL-8", "an item that a rollback keeps is gone"
    between = items[min(kept, cut.end) : max(kept, cut.end) + 1]
    at = items[kept] if kept < len(items) else None
    if at is not None and not is_boundary(at) and _is_unusual(at):
        return "ROLL-2", "a turn is taken to begin where none does"
    if any(map(_is_unusual, between)):
        return "ROLL-2", "a turn is not taken for one, or something else is"
    return "ROLL-4", "the cut does not lie where it must"


def _walks_down_to(items: Sequence[ItemFacts], end: int, kept: int) -> bool:
    """Say whether only messages that are no boundary lie between two ends."""
    return kept < end and all(
        items[place].type == "message" and not is_boundary(items[place])
        for place in range(kept, end)
    )


def _is_unusual(item: ItemFacts) -> bool:
    """Say whether an item is, or nearly is, a boundary of another kind than a plain message."""
    if item.type == "agent_message":
        return True
    if item.type != "message":
        return False
    role = str(item.form["role"])
    if role == "assistant":
        return is_instruction(item)
    if role == "user":
        return is_contextual_user(item) or _looks_contextual(item)
    return role.lower() in ("user", "assistant")


def _looks_contextual(item: ItemFacts) -> bool:
    return not content(item) or any(
        isinstance(entry, dict)
        and (entry["type"] != "input_text" or any(one in str(entry["text"]) for one in "<#{:"))
        for entry in content(item)
    )


def _items(step: Step) -> list[ItemFacts]:
    return [entry.item for entry in step.before.entries or ()]


ROLLBACK: Final[Mapping[str, Check]] = {
    clause: Check(clause) for clause in (f"ROLL-{number}" for number in range(1, 11))
}
"""The checks, by clause; ROLL-6 is judged on the reference context."""
