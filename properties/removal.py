"""What goes with the oldest item, restated from SPEC 4.2."""

from __future__ import annotations

from collections.abc import Sequence

from contextcert.properties.item_facts import FUNCTION_OUTPUT, OUTPUT_OF, ItemFacts


def counterpart(items: Sequence[ItemFacts]) -> int | None:
    """Give the place of the item that goes with the first one, or None (HEAD-2 to HEAD-7)."""
    found = counterparts(items)
    return found[0] if found else None


def counterparts(items: Sequence[ItemFacts]) -> list[int]:
    """Give every match of the first item, in order; of two kinds of calls only the first."""
    first = items[0]
    if first.call_id is None:
        return []
    same = [place for place in range(1, len(items)) if items[place].call_id == first.call_id]
    if first.output_type is not None:
        return [place for place in same if items[place].answers == first.output_type]
    if first.answers is None:
        return []
    calls = [place for place in same if items[place].output_type == first.answers]
    if first.answers == FUNCTION_OUTPUT:
        functions = [place for place in calls if items[place].type == "function_call"]
        return functions or calls
    return calls


def family_clause(first: ItemFacts) -> str:
    """Name the clause that says what the counterpart of an item is."""
    if first.call_id is None:
        return "HEAD-7"
    kind = first.output_type or first.answers
    if kind is None or (first.type in OUTPUT_OF and first.output_type is None):
        return "HEAD-7"
    if kind == FUNCTION_OUTPUT:
        return "HEAD-3" if first.output_type else "HEAD-4"
    return "HEAD-5" if kind == "custom_tool_call_output" else "HEAD-6"


def is_well_formed(items: Sequence[ItemFacts]) -> bool:
    """Say whether every call_id is on exactly one call and one output of one family (HEAD-9)."""
    calls: dict[str, str] = {}
    outputs: dict[str, str] = {}
    for item in items:
        if item.call_id is None:
            continue
        side = calls if item.output_type is not None else outputs
        if item.call_id in side:
            return False
        side[item.call_id] = str(item.output_type or item.answers)
    return calls == outputs
