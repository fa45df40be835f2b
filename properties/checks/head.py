"""HEAD-1 to HEAD-9: what goes with the oldest item, and what stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from contextcert.properties.checks.check import Check
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.item_facts import ItemFacts
from contextcert.properties.observation import Step
from contextcert.properties.placement import Placement
from contextcert.properties.removal import counterpart, counterparts, family_clause, is_well_formed
from contextcert.properties.violations import Violation


def removed(step: Step) -> Iterator[str]:
    """Name what a right reading after a head removal exercised."""
    items = _items(step)
    yield "HEAD-1"
    if not items:
        return
    matches = counterparts(items)
    clause = family_clause(items[0])
    if matches or clause == "HEAD-7":
        yield clause
    if len(matches) > 1:
        yield "HEAD-2"
    if len(items) > 1:
        yield "HEAD-8"
    if matches and is_well_formed(items):
        yield "HEAD-9"


def misremoved(placed: Placement, step: Step) -> Iterator[Violation]:
    """Judge what is shown of a history after a head removal."""
    items = _items(step)
    if not items:
        yield placed.shown.differs("HEAD-1", "an empty history changed")
        return
    partner = counterpart(items)
    gone = placed.gone
    for clause, message in dict(_wrongly_gone(items, partner, gone)).items():
        yield placed.shown.differs(clause, message)
    if placed.moved or placed.added or placed.altered:
        yield placed.shown.differs("HEAD-8", "what is left is not as it was")
    if is_well_formed(items) and _leaves_alone(items, gone):
        yield placed.shown.differs("HEAD-9", "head removal left a call or an output alone")


def _wrongly_gone(
    items: Sequence[ItemFacts], partner: int | None, gone: set[int]
) -> Iterator[tuple[str, str]]:
    if 0 not in gone:
        yield "HEAD-1", "the oldest item did not go"
    clause = family_clause(items[0])
    others = gone - {0, partner}
    kin = [place for place in others if items[place].call_id == items[0].call_id is not None]
    if partner is not None and partner not in gone:
        if set(counterparts(items)) & gone:
            yield "HEAD-2", "a later match went in place of the first one"
        else:
            yield clause, "the counterpart of the oldest item did not go"
    elif partner is not None and kin:
        yield "HEAD-2", "more than one counterpart went"
    elif kin:
        yield clause, "an item went that is no counterpart of the oldest one"
    if len(others) > len(kin):
        message = "an item went that has nothing to do with the oldest one"
        yield (clause if clause == "HEAD-7" and others else "HEAD-8"), message


def _leaves_alone(items: Sequence[ItemFacts], gone: set[int]) -> bool:
    """Say whether a well-formed history has an orphan or an unanswered call now."""
    left = [item for place, item in enumerate(items) if place not in gone]
    return not HistoryFacts.of(left).paired


def _items(step: Step) -> list[ItemFacts]:
    return [entry.item for entry in step.before.entries or ()]


HEAD: Final[Mapping[str, Check]] = {
    clause: Check(clause) for clause in (f"HEAD-{number}" for number in range(1, 10))
}
"""The checks, by clause."""
