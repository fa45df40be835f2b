"""Items and operations that probes are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from contextcert.refmodel.claim import MODALITIES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contextcert.refmodel.json_value import Json, JsonObject

UNKNOWN_OPERATION: Final = "contextcert_unknown_operation"

POLICY: Final[JsonObject] = {"mode": "tokens", "limit": 10_000}

PROMPT: Final[JsonObject] = {"op": "for_prompt", "input_modalities": list(MODALITIES)}
RAW: Final[JsonObject] = {"op": "raw_items"}
RAW_ENVELOPES: Final[JsonObject] = {"op": "raw_envelopes"}
TOKEN_INFO: Final[JsonObject] = {"op": "token_info"}


def record(*items: Json, on: int = 0) -> JsonObject:
    """Record items under a policy that truncates none of them."""
    op: JsonObject = {"op": "record_items", "items": list(items), "policy": POLICY}
    return op if on == 0 else op | {"on": on}


def record_envelopes(*envelopes: JsonObject) -> JsonObject:
    """Record items with their metadata."""
    return {"op": "record_annotated_items", "envelopes": list(envelopes), "policy": POLICY}


def message(*texts: str, item_id: str = "msg_1") -> JsonObject:
    """Give a user's message of a text an entry."""
    content: list[Json] = [{"type": "input_text", "text": text} for text in texts]
    return {"type": "message", "id": item_id, "role": "user", "content": content}


def value_everywhere(value: Json) -> tuple[JsonObject, ...]:
    """Put one value into every field that takes any, and read it back."""
    return (
        {"op": "set_token_info", "value": value},
        TOKEN_INFO,
        {"op": "set_reference_context_item", "value": value},
        {"op": "reference_context_item"},
        {"op": "set_world_state_baseline", "state": value},
        {"op": "world_state_baseline"},
    )


CALL: Final[JsonObject] = {
    "type": "function_call",
    "id": "fc_1",
    "name": "shell",
    "arguments": "{}",
    "call_id": "c1",
}
ANSWER: Final[JsonObject] = {
    "type": "function_call_output",
    "id": "fco_1",
    "call_id": "c1",
    "output": "done",
}
CUSTOM_ANSWER: Final[JsonObject] = {
    "type": "custom_tool_call_output",
    "id": "ctco_1",
    "call_id": "c2",
    "output": "done",
}
SEARCH_ANSWER: Final[JsonObject] = {
    "type": "tool_search_output",
    "id": "tso_1",
    "call_id": "c3",
    "status": "completed",
    "execution": "client",
    "tools": [],
}

ORPHANS: Final = (ANSWER, CUSTOM_ANSWER, SEARCH_ANSWER)
"""Outputs without their calls, one a family."""

ONE_OF_EACH: Final[tuple[JsonObject, ...]] = (
    message("hi"),
    {
        "type": "agent_message",
        "id": "amsg_1",
        "author": "/root",
        "recipient": "/root/helper",
        "content": [{"type": "input_text", "text": "go"}],
    },
    {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "so"}],
        "content": [{"type": "reasoning_text", "text": "because"}],
        "encrypted_content": None,
    },
    CALL,
    ANSWER,
    {
        "type": "custom_tool_call",
        "id": "ctc_1",
        "call_id": "c2",
        "name": "apply_patch",
        "input": "*** Begin Patch",
    },
    CUSTOM_ANSWER,
    {
        "type": "tool_search_call",
        "id": "tsc_1",
        "call_id": "c3",
        "execution": "client",
        "arguments": {"query": ["a", None]},
    },
    SEARCH_ANSWER,
    {
        "type": "local_shell_call",
        "id": "lsh_1",
        "call_id": None,
        "status": "completed",
        "action": {
            "type": "exec",
            "command": ["ls"],
            "timeout_ms": None,
            "working_directory": None,
            "env": None,
            "user": None,
        },
    },
    {
        "type": "web_search_call",
        "id": "ws_1",
        "status": "completed",
        "action": {"type": "search", "query": "a"},
    },
    {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": ""},
    {"type": "additional_tools", "id": "at_1", "role": "developer", "tools": []},
    {"type": "compaction", "id": "cmp_1", "encrypted_content": "e"},
    {"type": "context_compaction", "id": "cmp_2"},
    {"type": "compaction_trigger"},
)
"""A clean history with an item of every type, its calls answered."""


def claimed(items: Iterable[Json], item_types: frozenset[str]) -> list[Json]:
    """Leave out the items whose type is not claimed."""
    return [item for item in items if not isinstance(item, dict) or item.get("type") in item_types]
