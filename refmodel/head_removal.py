"""Head removal: the oldest item goes, and its counterpart with it (HEAD-1 to HEAD-9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

from contextcert.refmodel.items import (
    Call,
    CustomToolCall,
    CustomToolCallOutput,
    Envelope,
    FunctionCall,
    FunctionCallOutput,
    Item,
    LocalShellCall,
    Output,
    ToolSearchCall,
    ToolSearchOutput,
)

_COUNTERPARTS: Final[Mapping[type[Item], tuple[type[Call | Output], ...]]] = {
    FunctionCall: (FunctionCallOutput,),
    LocalShellCall: (FunctionCallOutput,),
    FunctionCallOutput: (FunctionCall, LocalShellCall),
    CustomToolCall: (CustomToolCallOutput,),
    CustomToolCallOutput: (CustomToolCall,),
    ToolSearchCall: (ToolSearchOutput,),
    ToolSearchOutput: (ToolSearchCall,),
}
"""What goes with an item of each type, the preferred type first (HEAD-3 to HEAD-6)."""


def remove_first(envelopes: Sequence[Envelope]) -> Sequence[Envelope]:
    """Drop the oldest item and at most one counterpart; nothing else moves (HEAD-1, HEAD-8)."""
    if not envelopes:
        return envelopes
    counterpart = _counterpart(envelopes)
    if counterpart is None:
        return envelopes[1:]
    return [*envelopes[1:counterpart], *envelopes[counterpart + 1 :]]


def _counterpart(envelopes: Sequence[Envelope]) -> int | None:
    """Find what goes with the oldest item: the first match in what is left (HEAD-2).

    A type that is preferred is looked for everywhere before the next one (HEAD-4). Items without
    call_id, and of all other types, have no counterpart (HEAD-7).
    """
    oldest = envelopes[0].item
    if not isinstance(oldest, Call | Output) or oldest.call_id is None:
        return None
    for wanted in _COUNTERPARTS[type(oldest)]:
        for index, envelope in enumerate(islice(envelopes, 1, None), start=1):
            item = envelope.item
            if isinstance(item, wanted) and item.call_id == oldest.call_id:
                return index
    return None
