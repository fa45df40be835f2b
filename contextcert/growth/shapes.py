"""The shapes of history whose cost is measured, as far as a claim has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Final, TypeAlias

from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.strategies import Scope
from contextcert.strategies.item_values import ID_PREFIXES, item

Items: TypeAlias = "list[Json]"
Make: TypeAlias = Callable[[int, int], Items]
"""Gives so many items; histories of different turns, the second number, share no item."""

_PAIRS: Final = (
    ("function_call", "function_call_output"),
    ("custom_tool_call", "custom_tool_call_output"),
    ("tool_search_call", "tool_search_output"),
    ("local_shell_call", "function_call_output"),
)
_CALLS: Final = ("function_call", "tool_search_call", "custom_tool_call", "local_shell_call")
"""Those first that no build panics about when they are unanswered (MODE-2)."""

_OUTPUTS: Final = ("function_call_output", "custom_tool_call_output", "tool_search_output")


class NoShapeError(Exception):
    """The claim has nothing to make a shape of; the message says what is missing."""


def clean(scope: Scope) -> Make:
    """Give answered calls, each directly before its output; messages where no pair is claimed."""
    for call, output in _PAIRS:
        if scope.takes_type(call) and scope.takes_type(output):
            return _alternating(call, output, shared=True)
    return _only(_claimed(("message",), scope, "neither calls with outputs nor message"))


def orphans(scope: Scope) -> Make:
    """Give orphans, every second item a message, so that there is something to move up."""
    output = _claimed(_OUTPUTS, scope, "no output")
    if scope.takes_type("message"):
        return _alternating("message", output, shared=False)
    return _only(output)


def unanswered(scope: Scope) -> Make:
    """Give nothing but calls without an output."""
    return _only(_claimed(_CALLS, scope, "no call"))


SHAPES: Final[Mapping[str, Callable[[Scope], Make]]] = {
    "clean": clean,
    "orphan-heavy": orphans,
    "unanswered-heavy": unanswered,
}
"""By name: what gives, for a scope, the maker of histories of so many items.

They raise `NoShapeError` where the claim has nothing of the kind.
"""


def _claimed(types: tuple[str, ...], scope: Scope, missing: str) -> str:
    for one in types:
        if scope.takes_type(one):
            return one
    raise NoShapeError(f"{missing} is claimed")


def _only(item_type: str) -> Make:
    return lambda size, turn: [_named(item_type, turn, place, place) for place in range(size)]


def _alternating(first: str, second: str, *, shared: bool) -> Make:
    """Give two kinds of item in turn; `shared` lets each pair have one call id."""

    def make(size: int, turn: int) -> Items:
        pairs = (
            one
            for place in range((size + 1) // 2)
            for one in (
                _named(first, turn, 2 * place, place if shared else 2 * place),
                _named(second, turn, 2 * place + 1, place if shared else 2 * place + 1),
            )
        )
        return list(islice(pairs, size))

    return make


def _named(item_type: str, turn: int, place: int, call: int) -> JsonObject:
    made = item(item_type, id=f"{ID_PREFIXES[item_type]}_{turn}x{place}")
    return {**made, "call_id": f"call_{turn}x{call}"} if "call_id" in made else made
