"""Head removal and rollback (SPEC 4.2 and 4.3)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from faults import fault

from history.fragments import is_model_switch
from history.items import META, Envelope, Item
from history.turns import (
    contextual_entries,
    is_boundary,
    is_contextual_user_message,
    is_developer_message,
)

_COUNTERPARTS: Mapping[str, Sequence[str]] = {
    "function_call": ("function_call_output",),
    "local_shell_call": ("function_call_output",),
    "function_call_output": ("function_call", "local_shell_call"),
    "custom_tool_call": ("custom_tool_call_output",),
    "custom_tool_call_output": ("custom_tool_call",),
    "tool_search_call": ("tool_search_output",),
    "tool_search_output": ("tool_search_call",),
}
"""The types that a type pairs with, the preferred one first (HEAD-3 to HEAD-6)."""


def without_head(envelopes: Sequence[Envelope]) -> list[Envelope]:
    """Leave out the oldest item and its counterpart, if any (HEAD-1, HEAD-2)."""
    head, *rest = envelopes
    matches = _counterparts(head.item, rest)
    gone = set(matches if fault("head-removes-all-matches") else matches[:1])
    return [envelope for index, envelope in enumerate(rest) if index not in gone]


def _counterparts(head: Item, rest: Sequence[Envelope]) -> list[int]:
    """Find what pairs with an item; without call_id nothing does (HEAD-7)."""
    call_id = head.get("call_id")
    if call_id is None:
        return []
    matches = [index for index, one in enumerate(rest) if one.item.get("call_id") == call_id]
    for wanted in _COUNTERPARTS[head["type"]]:
        found = [index for index in matches if rest[index].item["type"] == wanted]
        if found:
            return found
    return []


class RolledBack(NamedTuple):
    """What a rollback leaves, and whether it clears the reference context (ROLL-6)."""

    envelopes: list[Envelope]
    clears_reference: bool = False


def roll_back(envelopes: Sequence[Envelope], turns: int) -> RolledBack:
    """Drop the last instruction turns, one at least (ROLL)."""
    boundaries = [index for index, one in enumerate(envelopes) if is_boundary(one.item)]
    if not boundaries:
        return RolledBack([*envelopes])  # ROLL-3
    if turns >= len(boundaries):
        first = boundaries[0]  # ROLL-4, ROLL-7
        return RolledBack(_without_model_switches(envelopes[:first], envelopes[first].item))
    cut = boundaries[-turns]
    start = _walked_back(envelopes, cut)
    trimmed = envelopes[start:cut]
    mixed = any(_is_mixed_bundle(one.item) for one in trimmed)
    return RolledBack([*envelopes[:start]], clears_reference=mixed)


def _walked_back(envelopes: Sequence[Envelope], cut: int) -> int:
    """Walk left over what leads up to a turn; a boundary before it ends the walk (ROLL-5)."""
    while _leads_up(envelopes[cut - 1].item):
        cut -= 1
    return cut


def _leads_up(item: Item) -> bool:
    if is_developer_message(item):
        return contextual_entries(item) > 0
    return is_contextual_user_message(item)


def _is_mixed_bundle(item: Item) -> bool:
    return is_developer_message(item) and contextual_entries(item) < len(item["content"])


def _without_model_switches(kept: Sequence[Envelope], first_turn: Item) -> list[Envelope]:
    """Clean up after the first turn: its model switches go, and what they leave empty (ROLL-9)."""
    turn_id = _turn_id(first_turn)
    if not turn_id:
        return [*kept]
    cleaned = []
    for envelope in kept:
        item = envelope.item
        if not is_developer_message(item) or _turn_id(item) != turn_id:
            cleaned.append(envelope)
            continue
        content = [entry for entry in item["content"] if not _is_switch(entry)]
        if content:
            cleaned.append(envelope.with_item({**item, "content": content}))
    return cleaned


def _turn_id(item: Item) -> str | None:
    turn_id: str | None = item.get(META, {}).get("turn_id")
    return turn_id


def _is_switch(entry: Mapping[str, str]) -> bool:
    return entry["type"] == "input_text" and is_model_switch(entry["text"])
