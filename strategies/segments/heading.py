"""Pairs of all families, whole and broken, taken from the front (HEAD)."""

from __future__ import annotations

from functools import cache, partial

from contextcert.refmodel import JsonObject
from contextcert.strategies.admission import admitted
from contextcert.strategies.alphabet import pairing_alphabet
from contextcert.strategies.item_values import item, text
from contextcert.strategies.projecting import POLICY, Script
from contextcert.strategies.scope import Scope
from contextcert.strategies.segments.segment import Segment, on, weighted

_BLOCK = 10
"""How many items share a history."""


def heading(scope: Scope) -> Segment[list[JsonObject]]:
    """Give the segment; its letters are items, and items that belong together."""
    return Segment(_letters(scope), _BLOCK, partial(_removed, scope))


@cache
def _letters(scope: Scope) -> tuple[list[JsonObject], ...]:
    paired = [symbol.item for symbol in pairing_alphabet(scope)]
    calls = ("function_call", "custom_tool_call", "local_shell_call", "tool_search_call")
    outputs = ("function_call_output", "custom_tool_call_output", "tool_search_output")
    shared = [item(kind, call_id=call_id) for kind in (*calls, *outputs) for call_id in ("c1", "")]
    servers = [
        item("tool_search_output", execution="server"),
        item("tool_search_output", execution="server", call_id=None),
        item("tool_search_call", execution="server"),
    ]
    lone = [item("message"), item("reasoning"), item("agent_message"), item("message", role="tool")]
    taken = weighted((paired, 1), (shared, 4), (servers, 3), (lone, 2))
    output = item("function_call_output", call_id="c3")
    rivals = [item(kind, call_id="c3") for kind in ("local_shell_call", "function_call")]
    pairs = [[item(kind), item(f"{kind}_output")] for kind in ("function_call", "custom_tool_call")]
    pairs += [
        [item("tool_search_call", call_id=call_id), item("tool_search_output", call_id=call_id)]
        for call_id in (None, "c4")
    ]
    together = [
        [output, *rivals],
        [output, *rivals[::-1]],
        [item("reasoning"), item("function_call", call_id="c5")],
        *(two[::order] for two in pairs for order in (1, -1)),
    ]
    several = [[one] for one in taken] + together * 8
    return tuple(few for few in several if all(map(scope.takes, few)))


def _removed(scope: Scope, told: list[list[JsonObject]]) -> Script:
    """Remove the first item until none is left, and once more; ids tell equal items apart."""
    ops: Script = []
    listed = [one for few in told for one in few]
    for start in range(0, len(listed), _BLOCK):
        block = [
            {**one, "id": f"x_{place}"} if place % 3 else one
            for place, one in enumerate(listed[start : start + _BLOCK])
        ]
        items = admitted([*block, item("message", content=[text("end")])], scope)
        removing: Script = [{"op": "remove_first_item"}, {"op": "raw_items"}]
        recording: JsonObject = {"op": "record_items", "items": [*items], "policy": POLICY}
        ops += on(start // _BLOCK, [recording, removing[1], *removing * 6])
    return ops
