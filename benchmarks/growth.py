"""How projecting and recording grow with the number of items.

usage: python benchmarks/growth.py [--json FILE]     exit 1 where a bar is not met

100,000 items may cost at most 15 times what 10,000 cost: projecting a mixed history, projecting
one of nothing but unanswered calls, and recording items one at a time beside a live clone. Each
figure is the median of rounds that take turns.
"""

# ruff: noqa: INP001, T201 (a program, not part of the package)

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import Final

from contextcert.refmodel import Envelope, History, read_item
from contextcert.refmodel.json_value import JsonObject
from contextcert.refmodel.truncation import TruncationPolicy

SMALL: Final = 10_000
LARGE: Final = 100_000
ROUNDS: Final = 5
BAR: Final = 15.0
POLICY: Final = TruncationPolicy.from_json({"mode": "tokens", "limit": 10_000})


def unanswered(number: int) -> list[JsonObject]:
    """Give nothing but calls without output."""
    return [
        {"type": "function_call", "id": f"fc_{n}", "name": "f", "arguments": "", "call_id": f"c{n}"}
        for n in range(number)
    ]


def mixed(number: int) -> list[JsonObject]:
    """Give messages with media, answered and unanswered calls, and orphans in turn."""
    items: list[JsonObject] = []
    for n in range(0, number, 5):
        items += [
            {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_image", "image_url": f"data:image/png;base64,{n}"}],
            },
            {"type": "function_call", "name": "f", "arguments": "{}", "call_id": f"c{n}"},
            {"type": "function_call_output", "call_id": f"c{n}", "output": "ok"},
            {"type": "custom_tool_call_output", "call_id": f"c{n}", "output": "ok"},
            {"type": "tool_search_call", "execution": "e", "arguments": n, "call_id": f"c{n}"},
        ]
    return items


def envelopes(items: Iterable[JsonObject]) -> list[Envelope]:
    """Read items into envelopes without metadata."""
    return [Envelope(read_item(item)) for item in items]


def seconds(action: Callable[[], object]) -> float:
    """Give how long an action takes."""
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def projecting(make: Callable[[int], list[JsonObject]]) -> Callable[[int], float]:
    """Measure one projection of a history of this kind."""

    def cost(number: int) -> float:
        history = History().record(envelopes(make(number)), POLICY)
        return seconds(lambda: history.project(["text"]))

    return cost


def recording(number: int) -> float:
    """Measure recording one item at a time while a clone of every tenth history lives."""
    waiting = envelopes(mixed(number))

    def record() -> list[History]:
        history, clones = History(), []
        for place, envelope in enumerate(waiting):
            history = history.record([envelope], POLICY)
            if place % 10 == 0:
                clones.append(history)
        return clones

    return seconds(record)


MEASURES: Final[dict[str, Callable[[int], float]]] = {
    "project mixed": projecting(mixed),
    "project unanswered": projecting(unanswered),
    "record one by one": recording,
}


def main() -> int:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    figures = {}
    for name, cost in MEASURES.items():
        rounds = [(cost(SMALL), cost(LARGE)) for _ in range(ROUNDS)]
        small, large = (median(one[place] for one in rounds) for place in (0, 1))
        ratio = large / small
        figures[name] = {"small_s": small, "large_s": large, "ratio": ratio, "met": ratio <= BAR}
        print(
            f"{name:20} {SMALL:,}: {small * 1e3:8.1f} ms  {LARGE:,}: {large * 1e3:8.1f} ms  "
            f"ratio {ratio:5.1f}  bar {BAR:g}  {'met' if ratio <= BAR else 'MISSED'}"
        )
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")
    return 0 if all(figure["met"] for figure in figures.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
