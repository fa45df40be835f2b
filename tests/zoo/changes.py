"""Head removal and rollback (SPEC 4.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from zoo.turns import Turns
from zoo.values import META, Envelope, History, Object

Envelopes: TypeAlias = tuple[Envelope, ...]

COUNTERPARTS: Final = {
    "function_call": ("function_call_output",),
    "local_shell_call": ("function_call_output",),
    "function_call_output": ("function_call", "local_shell_call"),
    "custom_tool_call": ("custom_tool_call_output",),
    "custom_tool_call_output": ("custom_tool_call",),
    "tool_search_call": ("tool_search_output",),
    "tool_search_output": ("tool_search_call",),
}
"""What goes with an item, the types to look for in this order."""


class Changes(Turns):
    """Takes items away; every underscored method is a place where a fault may sit."""

    # Head removal

    def _without_first(self, history: History) -> History:
        if not history.envelopes:
            return history
        first, *rest = history.envelopes
        left = self._without_counterpart(first.item, rest)
        return self._after_head(replace(history, envelopes=tuple(left)))

    def _after_head(self, history: History) -> History:
        return replace(history, baseline=None)

    def _without_counterpart(self, gone: Object, rest: list[Envelope]) -> list[Envelope]:
        place = self._counterpart(gone, rest)
        return rest if place is None else rest[:place] + rest[place + 1 :]

    def _counterpart(self, gone: Object, rest: Sequence[Envelope]) -> int | None:
        if "call_id" not in gone:
            return None
        for wanted in self._counterparts(gone):
            found = self._matches(gone, wanted, rest)
            if (place := self._first_match(found)) is not None:
                return place
        return None

    def _counterparts(self, gone: Object) -> tuple[str, ...]:
        return COUNTERPARTS.get(gone["type"], ())

    def _matches(self, gone: Object, wanted: str, rest: Sequence[Envelope]) -> Iterator[int]:
        for place, one in enumerate(rest):
            if one.item["type"] == wanted and self._same_call(gone, one.item):
                yield place

    def _same_call(self, gone: Object, other: Object) -> bool:
        return bool(other.get("call_id") == gone["call_id"])

    def _first_match(self, places: Iterator[int]) -> int | None:
        return next(places, None)

    # Rollback

    def _rolled_back(self, history: History, count: int) -> History:
        if count == 0:
            return history
        boundaries = self._boundaries(history.envelopes)
        kept = self._cut_back(history, boundaries, count) if boundaries else history
        return self._after_rollback(kept, found=bool(boundaries))

    def _after_rollback(self, history: History, *, found: bool) -> History:  # noqa: ARG002
        return replace(history, version=history.version + 1, baseline=None)

    def _boundaries(self, envelopes: Envelopes) -> list[int]:
        return [place for place, one in enumerate(envelopes) if self._is_boundary(one.item)]

    def _cut_back(self, history: History, boundaries: list[int], count: int) -> History:
        cut = self._cut_at(boundaries, count)
        first = boundaries[0]
        start = self._walked(history.envelopes, cut, first)
        kept = history.envelopes[:start]
        if cut == first:
            kept = self._cleaned(kept, history.envelopes[cut].item)
        trimmed = [one.item for one in history.envelopes[start:cut]]
        reference = None if self._clears_reference(trimmed) else history.reference
        return replace(history, envelopes=kept, reference=reference)

    def _cut_at(self, boundaries: list[int], count: int) -> int:
        return boundaries[-count] if count < len(boundaries) else boundaries[0]

    def _walked(self, envelopes: Envelopes, cut: int, first: int) -> int:
        while cut > first and self._is_context(envelopes[cut - 1].item):
            cut -= 1
        return cut

    def _clears_reference(self, trimmed: list[Object]) -> bool:
        return any(self._is_mixed(item) for item in trimmed)

    # First-turn cleanup

    def _cleaned(self, kept: Envelopes, boundary: Object) -> Envelopes:
        turn = self._turn_of(boundary)
        if not turn:
            return kept
        return tuple(
            cleaned for one in kept if (cleaned := self._cleaned_one(one, turn)) is not None
        )

    def _turn_of(self, item: Object) -> str | None:
        turn: str | None = item.get(META, {}).get("turn_id")
        return turn

    def _cleaned_one(self, one: Envelope, turn: str) -> Envelope | None:
        if not self._is_of_turn(one.item, turn):
            return one
        content = [part for part in one.item["content"] if not self._is_model_switch(part)]
        return replace(one, item={**one.item, "content": content}) if content else None

    def _is_of_turn(self, item: Object, turn: str) -> bool:
        return self._is_message_of("developer", item) and self._turn_of(item) == turn
