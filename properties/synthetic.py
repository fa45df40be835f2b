"""What a synthetic output must look like (PAIR-1 to PAIR-4, PAIR-12, SYN-1, SYN-2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from uuid import UUID, uuid5

from contextcert.properties.item_facts import (
    CUSTOM_OUTPUT,
    FUNCTION_OUTPUT,
    PREFIX_OF,
    SEARCH_OUTPUT,
    ItemFacts,
)
from contextcert.refmodel.json_value import JsonObject

NAMESPACE: Final = UUID("90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4")
ABORTED: Final = "aborted"

NOTHING_ELSE: Final = {
    FUNCTION_OUTPUT: frozenset({"type", "id", "call_id", "output"}),
    CUSTOM_OUTPUT: frozenset({"type", "id", "call_id", "output", "name"}),
    SEARCH_OUTPUT: frozenset({"type", "id", "call_id", "status", "execution", "tools"}),
}
"""The fields that the clauses on each kind of synthetic output speak of."""


@lru_cache(maxsize=4096)
def synthetic_id(output_type: str, item_id: str) -> str:
    """Give the id of the synthetic output for a call with this item id (SYN-1)."""
    prefix = PREFIX_OF[output_type]
    return f"{prefix}_{uuid5(NAMESPACE, f'{prefix}:{item_id}')}"


def synthetic_body(output_type: str) -> JsonObject:
    """Give the fields that stand beside type, id and call_id."""
    if output_type == SEARCH_OUTPUT:
        return {"status": "completed", "execution": "client", "tools": []}
    return {"output": ABORTED}


def synthetic_output(call: ItemFacts) -> JsonObject:
    """Give the output that an unanswered call must gain."""
    assert call.output_type is not None
    output: JsonObject = {"type": call.output_type, "call_id": call.call_id}
    if call.id:
        output["id"] = synthetic_id(call.output_type, call.id)
    output.update(synthetic_body(call.output_type))
    return output
