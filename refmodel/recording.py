"""Recording: which items are kept, and what changes on the way in (REC, E11-2 to E11-5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import evolve

from contextcert.refmodel.fresh_ids import FreshIds
from contextcert.refmodel.item_ids import with_fresh_id
from contextcert.refmodel.items import (
    CompactionTrigger,
    CustomToolCallOutput,
    Envelope,
    FunctionCallOutput,
    InputText,
    Item,
    Message,
    Other,
)
from contextcert.refmodel.modes import DEFAULT_EDITION, Edition
from contextcert.refmodel.processed_media import with_processed_media
from contextcert.refmodel.truncation import TruncationPolicy, truncate_output_body

_DROPPED: Final = (CompactionTrigger, Other)
_TRUNCATED: Final = (FunctionCallOutput, CustomToolCallOutput)
_EMPTY: Final = InputText("")


def recorded(
    envelopes: Iterable[Envelope],
    policy: TruncationPolicy | None,
    edition: Edition = DEFAULT_EDITION,
    fresh_ids: FreshIds | None = None,
) -> list[Envelope]:
    """Give what the history gains from these envelopes, in their order (REC-1).

    Each is looked at by itself, so that it does not matter how many come at once (REC-6), and
    pairs are not looked at (REC-4). Metadata and success flag stay (REC-7).

    Args:
        envelopes: what to record.
        policy: how to truncate outputs (3.2); None leaves them whole.
        edition: in 2026-11 media is processed (E11-5) and empty text dropped (E11-3) before
            truncation, which then counts in tokens (E11-4).
        fresh_ids: gives ids to items without one in edition 2026-11 (E11-2); None adds none.
    """
    in_november = edition is Edition.NOVEMBER_2026
    gained: list[Envelope] = []
    for envelope in envelopes:
        item = envelope.item
        if not is_recorded(item):
            continue
        if in_november:
            item = _without_empty_text(with_processed_media(item))
        if policy is not None and isinstance(item, _TRUNCATED):
            item = _truncated(item, policy, edition)
        if in_november and fresh_ids is not None:
            item = with_fresh_id(item, fresh_ids)
        gained.append(envelope if item is envelope.item else evolve(envelope, item=item))
    return gained


def is_recorded(item: Item) -> bool:
    """Say whether an item is kept: system messages and two types are not (REC-2)."""
    if isinstance(item, Message):
        return item.role != "system"
    return not isinstance(item, _DROPPED)


def _truncated(
    output: FunctionCallOutput | CustomToolCallOutput, policy: TruncationPolicy, edition: Edition
) -> Item:
    """Truncate the body of an output; the rest of it stays (REC-3, REC-7)."""
    body = truncate_output_body(output.output, policy, edition)
    return output if body == output.output else evolve(output, output=body)


def _without_empty_text(item: Item) -> Item:
    """Drop the empty `input_text` entries of an output's array body (E11-3)."""
    if not isinstance(item, _TRUNCATED) or isinstance(item.output, str):
        return item
    if _EMPTY not in item.output:
        return item
    return evolve(item, output=tuple(entry for entry in item.output if entry != _EMPTY))
