"""Messages of every kind in few rollbacks: what is a boundary, and what is walked over (ROLL)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache
from itertools import chain

from attrs import frozen

from contextcert.refmodel import JsonObject, read_item
from contextcert.refmodel.fragments import (
    is_contextual_developer_message,
    is_contextual_user_message,
)
from contextcert.refmodel.rollback import is_boundary
from contextcert.strategies.admission import admitted
from contextcert.strategies.fragments import (
    DEVELOPER_FRAGMENTS,
    INSTRUCTIONS,
    NEAR_DEVELOPER_FRAGMENTS,
    NEAR_INSTRUCTIONS,
    NEAR_USER_FRAGMENTS,
    USER_FRAGMENTS,
)
from contextcert.strategies.item_values import item, text
from contextcert.strategies.listings.turns import HYPHENED, doubtful_messages, odd_messages
from contextcert.strategies.projecting import POLICY, Script
from contextcert.strategies.scope import Scope
from contextcert.strategies.segments.segment import Segment, weighted


class Part(Enum):
    """What a message is to a rollback."""

    BOUNDARY = "starts a turn"
    CONTEXT = "goes with the turn behind it"
    OTHER = "neither"


@frozen
class Said:
    """A message, and what it is."""

    message: JsonObject
    part: Part


_EXTERNAL = ("<external_a b!>e</external_a b!>", "<external_a-b>e</external_a-b>")
"""Names that are no words (4.4 rule 2)."""

_BLOCK = 12
"""How many messages share a history: a difference ends the judging of all of them."""


def turning(scope: Scope) -> Segment[Said]:
    """Give the segment; its letters are messages."""
    return Segment(_messages(scope), 3 * _BLOCK, lambda told: [*_blocks(told, scope)])


@cache
def _messages(scope: Scope) -> tuple[Said, ...]:
    pools = weighted(
        ([_message("user", "t")], 10),
        (map_message("user", USER_FRAGMENTS), 17),
        (map_message("developer", DEVELOPER_FRAGMENTS), 17),
        (map_message("user", NEAR_USER_FRAGMENTS), 9),
        (map_message("user", _EXTERNAL), 12),
        (map_message("developer", NEAR_DEVELOPER_FRAGMENTS), 12),
        (map_message("assistant", INSTRUCTIONS), 9),
        (map_message("assistant", (*NEAR_INSTRUCTIONS, HYPHENED)), 13),
        (odd_messages(), 10),
        (doubtful_messages(), 1),
    )
    taken = [one for one in pools if scope.takes(one)]
    return tuple(Said(one, _part(one)) for one in taken)


def map_message(role: str, texts: tuple[str, ...]) -> list[JsonObject]:
    """Give a message of a role for each text."""
    return [_message(role, said) for said in texts]


def _message(role: str, said: str) -> JsonObject:
    return item("message", role=role, content=[text(said)])


def _part(message: JsonObject) -> Part:
    read = read_item(message)
    if is_boundary(read):
        return Part.BOUNDARY
    if is_contextual_developer_message(read) or is_contextual_user_message(read):
        return Part.CONTEXT
    return Part.OTHER


def _blocks(told: list[Said], scope: Scope) -> Iterator[JsonObject]:
    for place in range(0, len(told), _BLOCK):
        yield from (
            {**op, "on": place // _BLOCK} if place else op
            for op in _block(told[place : place + _BLOCK], scope)
        )


def _block(told: list[Said], scope: Scope) -> Script:
    """Roll back the last turn, then all but two others, so that every message has a say.

    Between the turns that stay and those that go stand a message that is no context, which ends
    the walk, and all that is context. A message that is neither stands before the last turn: it
    stays at first. Were it a boundary or context, or a boundary none, another message would.
    """
    last = _message("user", "z")
    starts = [one.message for one in told if one.part is Part.BOUNDARY] or [last]
    context = [one.message for one in told if one.part is Part.CONTEXT]
    others = [one.message for one in told if one.part is Part.OTHER]
    stopping, staying, rest = others[:1], others[1:2], others[2:]
    prefix = [_message("user", "a"), _message("user", "b")]
    turns = [*starts[:1], *chain(*_pairs(starts[1:], rest)), *staying, last]
    items = admitted([*prefix, *stopping, *context, *turns], scope)
    return [
        {"op": "set_reference_context_item", "value": {"model": "m1"}},
        {"op": "record_items", "items": [*items], "policy": POLICY},
        {"op": "drop_last_n_user_turns", "num_turns": 1},
        {"op": "raw_items"},
        {"op": "drop_last_n_user_turns", "num_turns": len(starts)},
        {"op": "raw_items"},
        {"op": "reference_context_item"},
    ]


def _pairs(starts: list[JsonObject], rest: list[JsonObject]) -> Iterator[list[JsonObject]]:
    for place in range(max(len(starts), len(rest))):
        yield [*starts[place : place + 1], *rest[place : place + 1]]
