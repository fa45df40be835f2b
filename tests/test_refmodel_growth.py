"""The cost of projecting and recording grows with the number of items, not faster."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest

from contextcert.refmodel import Json, JsonObject, Mode, run_script

POLICY: JsonObject = {"mode": "tokens", "limit": 10_000}
SMALL, LARGE, MOST = 5_000, 50_000, 30
"""Both sizes are beyond what the reader remembers, so that both read every item anew.

The bar of 15 is measured by benchmarks/growth.py; here a busy machine must not turn a test red.
"""


def unanswered(number: int) -> list[Json]:
    """Give nothing but calls without output."""
    return [
        {"type": "custom_tool_call", "id": f"ctc_{n}", "name": "", "input": "", "call_id": f"c{n}"}
        for n in range(number)
    ]


def mixed(number: int) -> list[Json]:
    """Give messages with media, calls, answers and orphans in turn."""
    items: list[Json] = []
    for n in range(0, number, 5):
        image: JsonObject = {"type": "input_image", "image_url": f"data:image/png;base64,{n}"}
        items += [
            {"type": "message", "role": "user", "content": [image]},
            {"type": "function_call", "name": "", "arguments": "", "call_id": f"c{n}"},
            {"type": "function_call_output", "call_id": f"c{n}", "output": "o"},
            {"type": "custom_tool_call_output", "call_id": f"c{n}", "output": "o"},
            {"type": "tool_search_call", "execution": "e", "arguments": n, "call_id": f"c{n}"},
        ]
    return items


def best_time(ops: list[Json]) -> float:
    """Give the shortest of three runs, in seconds of this process."""
    times: list[float] = []
    for _ in range(3):
        start = process_time()
        run_script(ops, mode=Mode.RELEASE)
        times.append(process_time() - start)
    return min(times)


@pytest.mark.parametrize("history", [unanswered, mixed])
def test_projection_is_linear(history: Callable[[int], list[Json]]) -> None:
    """Ten times the items cost nothing like a hundred times as much, unanswered calls included."""

    def cost(number: int) -> float:
        projection: JsonObject = {"op": "for_prompt", "input_modalities": []}
        record: JsonObject = {"op": "replace", "items": history(number)}
        return best_time([record, projection, projection])

    assert cost(LARGE) <= MOST * cost(SMALL)


def test_recording_one_by_one_beside_a_clone_is_linear() -> None:
    """Appending costs the same at any length, although a clone keeps the past alive."""

    def cost(number: int) -> float:
        ops: list[Json] = []
        for item in mixed(number):
            ops += [{"op": "record_items", "items": [item], "policy": POLICY}]
            ops += [{"op": "clone", "to": 1}]
        return best_time(ops)

    assert cost(LARGE) <= MOST * cost(SMALL)
