"""Rollback: drop the last n instruction turns (ROLL-1 to ROLL-10)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from contextcert.refmodel.fragments import (
    is_contextual_developer_message,
    is_contextual_user_message,
    is_mixed_bundle,
    is_model_switch,
)
from contextcert.refmodel.instructions import is_inter_agent_instruction
from contextcert.refmodel.items import AgentMessage, Envelope, InputText, Item, Message


@frozen
class RolledBack:
    """What a rollback leaves."""

    envelopes: Sequence[Envelope]
    clears_reference_context: bool = False
    """A mixed bundle was trimmed (ROLL-6)."""


def roll_back(envelopes: Sequence[Envelope], num_turns: int) -> RolledBack:
    """Drop the last `num_turns` turns, at least one (ROLL-3 to ROLL-9)."""
    boundaries = [index for index, envelope in enumerate(envelopes) if is_boundary(envelope.item)]
    if not boundaries:
        return RolledBack(envelopes)
    if num_turns >= len(boundaries):
        return RolledBack(_before_first_turn(envelopes, boundaries[0]))
    cut = boundaries[-num_turns]
    end = _walk_over_context(envelopes, cut)
    walked_over = envelopes[end:cut]
    return RolledBack(
        envelopes[:end],
        clears_reference_context=any(is_mixed_bundle(envelope.item) for envelope in walked_over),
    )


def is_boundary(item: Item) -> bool:
    """Say whether an instruction turn starts at an item (ROLL-2)."""
    match item:
        case AgentMessage():
            return True
        case Message(role="user"):
            return not is_contextual_user_message(item)
        case _:
            return is_inter_agent_instruction(item)


def _walk_over_context(envelopes: Sequence[Envelope], cut: int) -> int:
    """Walk left from a cut after the first boundary while context stands before it (ROLL-5).

    A boundary is never contextual, so the first one ends the walk at the latest.
    """
    end = cut
    while _is_context(envelopes[end - 1].item):
        end -= 1
    return end


def _is_context(item: Item) -> bool:
    return is_contextual_developer_message(item) or is_contextual_user_message(item)


def _before_first_turn(envelopes: Sequence[Envelope], first: int) -> Sequence[Envelope]:
    """Keep the whole prefix (ROLL-7), cleaned of the first turn's model switches (ROLL-9)."""
    prefix = envelopes[:first]
    turn_id = _turn_id(envelopes[first].item)
    if not turn_id:
        return prefix
    return [
        cleaned
        for envelope in prefix
        if (cleaned := _without_model_switch(envelope, turn_id)) is not None
    ]


def _without_model_switch(envelope: Envelope, turn_id: str) -> Envelope | None:
    """Clean one developer message of the turn; None if that leaves it without content (ROLL-9)."""
    item = envelope.item
    if not isinstance(item, Message) or item.role != "developer" or _turn_id(item) != turn_id:
        return envelope
    content = tuple(
        entry
        for entry in item.content
        if not (isinstance(entry, InputText) and is_model_switch(entry.text))
    )
    if not content:
        return None
    if len(content) == len(item.content):
        return envelope
    return evolve(envelope, item=evolve(item, content=content))


def _turn_id(item: Item) -> str | None:
    if isinstance(item, Message | AgentMessage) and item.meta is not None:
        return item.meta.turn_id
    return None
