"""Item ids in edition 2026-11: given when recording, hidden in prompts (E11-2, E11-6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve

from contextcert.refmodel.fresh_ids import FreshIds
from contextcert.refmodel.items import (
    AdditionalTools,
    AgentMessage,
    Compaction,
    ContextCompaction,
    CustomToolCall,
    CustomToolCallOutput,
    FunctionCall,
    FunctionCallOutput,
    ImageGenerationCall,
    Item,
    LocalShellCall,
    Message,
    Reasoning,
    ToolSearchCall,
    ToolSearchOutput,
    WebSearchCall,
)

ID_PREFIXES: Final[Mapping[type[Item], str]] = {
    Message: "msg",
    AgentMessage: "amsg",
    Reasoning: "rs",
    LocalShellCall: "lsh",
    FunctionCall: "fc",
    ToolSearchCall: "tsc",
    FunctionCallOutput: "fco",
    CustomToolCall: "ctc",
    CustomToolCallOutput: "ctco",
    ToolSearchOutput: "tso",
    WebSearchCall: "ws",
    ImageGenerationCall: "ig",
    Compaction: "cmp",
    ContextCompaction: "cmp",
    AdditionalTools: "at",
}
"""What the fresh id of each recorded type starts with (E11-2)."""


def with_fresh_id(item: Item, fresh_ids: FreshIds) -> Item:
    """Give an item without an id, or with an empty one, a fresh id (E11-2)."""
    prefix = ID_PREFIXES.get(type(item))
    if prefix is None or _id(item):
        return item
    return _with_id(item, fresh_ids(prefix))


def without_odd_id(item: Item) -> Item:
    """Hide an id that has not the form `prefix_suffix`, both parts non-empty (E11-6).

    The prefix ends at the first underscore.
    """
    item_id = _id(item)
    if item_id is None:
        return item
    prefix, _, suffix = item_id.partition("_")
    return item if prefix and suffix else _with_id(item, None)


def _id(item: Item) -> str | None:
    return getattr(item, "id", None)


def _with_id(item: Item, item_id: str | None) -> Item:
    change: dict[str, Any] = {"id": item_id}
    return evolve(item, **change)
