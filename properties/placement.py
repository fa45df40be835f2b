"""Lays what is shown after a change beside the history before it: what went, stayed, is new."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from contextcert.properties.alignment import align
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.observation import Entry
from contextcert.properties.view import Shown
from contextcert.refmodel.json_value import Json


@define(eq=False)
class Placement:
    """What a reading shows of the entries before a change, what came later left out.

    `gone` are the places before the change that are not shown, `altered` and `moved` those that
    are shown otherwise or elsewhere, `added` the positions that come from nowhere. `items` is what
    is shown of them, and `target` gives each place's position in it, or -1.
    """

    shown: Shown
    before: Sequence[Entry]
    gone: set[int] = field(factory=set)
    altered: set[int] = field(factory=set)
    moved: tuple[int, ...] = ()
    added: list[int] = field(factory=list)
    target: list[int] = field(factory=list)
    items: Sequence[Json] = ()

    @classmethod
    def of(cls, shown: Shown, before: Sequence[Entry], later: set[int]) -> Placement:
        """Lay a reading beside a history; `later` are the ids of entries that came after."""
        positions = _positions(shown, later)
        items = [shown.items[position] for position in positions]
        forms = [shown.sight.item_object(entry.item.form) for entry in before]
        facts = HistoryFacts([entry.item for entry in before])
        aligned = align(facts, forms, items, shown.sight)
        gained = [one for each in aligned.gained.values() for one in each]
        return cls(
            shown,
            before,
            {place for place, one in enumerate(aligned.target) if one < 0},
            aligned.altered,
            aligned.moved,
            [positions[one] for one in (*aligned.stray, *gained)],
            aligned.target,
            items,
        )

    def pass_over(self, entries: set[int]) -> None:
        """Hold no alteration of some entries, by their ids, against the change."""
        self.altered = {one for one in self.altered if id(self.before[one]) not in entries}


def _positions(shown: Shown, later: set[int]) -> list[int]:
    """Give the positions that are not those of entries which came after the change."""
    taken = {
        shown.aligned.target[place]
        for place, entry in enumerate(shown.entries)
        if id(entry) in later
    }
    return [position for position in range(len(shown.items)) if position not in taken]
