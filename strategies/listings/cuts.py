"""Outputs at the edge of what a policy lets through, as text and as arrays (TRUNC)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.admission import admitted
from contextcert.strategies.item_values import audio, encrypted, image, item, text
from contextcert.strategies.projecting import Script
from contextcert.strategies.scope import Scope

_LIMITS: Final = (0, 1, 2, 3, 4, 5, 9, 10)
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz" * 2
_TEXTS: Final = (
    *(_LETTERS[:length] for length in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 48, 52)),
    "\u00e9",
    "\u00e9\u00e9\u00e9",
    "\u20ac\u20ac\u20ac",
    "\U0001f600\U0001f600\U0001f600\U0001f600",
    "a\U0001f600b\u20acc\u00e9d",
    "\u00e9bc\u00e9-\u00e9yz\u00e9",
    "e\u0301e\u0301e\u0301",
    "\r\n\r\n\r\n",
)
_ARRAY_LIMITS: Final = (0, 1, 2, 6, 12, 24)
_OUTPUTS_A_SCRIPT: Final = 12


def cut_scripts(scope: Scope) -> Iterator[Script]:
    """Record a dozen outputs under one policy, and look at them."""
    for unit, limit in product(("bytes", "tokens"), _LIMITS):
        yield from _recorded(unit, limit, _TEXTS, scope)
    arrays: list[Json] = [
        [*parts] for length in (1, 2, 3) for parts in product(_PARTS, repeat=length)
    ]
    for unit, limit in product(("bytes", "tokens"), _ARRAY_LIMITS):
        yield from _recorded(unit, limit, arrays, scope)


_PARTS: Final = (text("abcdefg"), text("\u20ac"), text(""), image(), encrypted(), audio())


def _recorded(unit: str, limit: int, bodies: Sequence[Json], scope: Scope) -> Iterator[Script]:
    settled = [body for body in bodies if not scope.mints_ids or not _holds_empty_text(body)]
    for start in range(0, len(settled), _OUTPUTS_A_SCRIPT):
        some = settled[start : start + _OUTPUTS_A_SCRIPT]
        items = admitted((_output(place, body) for place, body in enumerate(some)), scope)
        if items:
            policy: JsonObject = {"mode": unit, "limit": limit}
            yield [
                {"op": "record_items", "items": [*items], "policy": policy},
                {"op": "raw_items"},
            ]


def _output(place: int, body: Json) -> JsonObject:
    kind = ("function_call_output", "custom_tool_call_output")[place % 2]
    return item(kind, output=body)


def _holds_empty_text(body: Json) -> bool:
    """Say whether SPEC leaves open what is cut: E11-3 gives no order with truncation."""
    return isinstance(body, list) and text("") in body
