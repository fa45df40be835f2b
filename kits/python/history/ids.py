"""Item ids: those of synthetic outputs, and those that edition 2026-11 gives and shows."""

import re
import secrets
import time
from collections.abc import Mapping
from uuid import UUID, uuid5

NAMESPACE = UUID("90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4")

_PREFIXES: Mapping[str, str] = {
    "message": "msg",
    "agent_message": "amsg",
    "reasoning": "rs",
    "local_shell_call": "lsh",
    "function_call": "fc",
    "tool_search_call": "tsc",
    "function_call_output": "fco",
    "custom_tool_call": "ctc",
    "custom_tool_call_output": "ctco",
    "tool_search_output": "tso",
    "web_search_call": "ws",
    "image_generation_call": "ig",
    "compaction": "cmp",
    "context_compaction": "cmp",
    "additional_tools": "at",
}

_FORM = re.compile(r"[^_]+_.+", re.DOTALL)


def synthetic_id(prefix: str, item_id: str) -> str:
    """Give the id of the output that stands in for that of a call with this item id (SYN-1)."""
    return f"{prefix}_{uuid5(NAMESPACE, f'{prefix}:{item_id}')}"


def fresh_id(item_type: str) -> str:
    """Make an id: the type's prefix and a UUID of version 7, by time and by chance (E11-2)."""
    milliseconds = time.time_ns() // 1_000_000
    version, variant = 7, 0b10
    bits = milliseconds << 80 | version << 76 | secrets.randbits(12) << 64
    bits |= variant << 62 | secrets.randbits(62)
    return f"{_PREFIXES[item_type]}_{UUID(int=bits)}"


def is_shown(item_id: str) -> bool:
    """Say whether an id has the form that a prompt shows, `prefix_suffix` (E11-6)."""
    return _FORM.fullmatch(item_id) is not None
