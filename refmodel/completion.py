"""Step A: every unanswered call gains an output (PAIR, SYN)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final
from uuid import UUID, uuid5

from contextcert.refmodel.families import FAMILIES, ORPHANS, Family
from contextcert.refmodel.items import Call, Envelope, Output

NAMESPACE: Final = UUID("90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4")
"""The namespace of synthetic ids (SYN-1)."""

_REMEMBERED_OUTPUTS: Final = 512


def complete(envelopes: Iterable[Envelope]) -> tuple[list[Envelope], list[str]]:
    """Put an output directly behind every unanswered call (PAIR-1 to PAIR-14, ORD-2).

    Gives the completed envelopes and the anomalies, both in item order (MODE-1, MODE-2). Whether
    a call is answered is decided on the history as it was: by call_id and type of output alone,
    wherever the output stands (PAIR-6 to PAIR-11). That functions and local shells share a type
    of output is all there is to PAIR-8. A synthetic output's envelope is empty (PAIR-12).
    """
    envelopes = list(envelopes)
    answered = _answered(envelopes)
    completed: list[Envelope] = []
    anomalies: list[str] = []
    for envelope in envelopes:
        completed.append(envelope)
        call = envelope.item
        if not isinstance(call, Call) or call.call_id is None:  # PAIR-5
            continue
        family = FAMILIES[type(call)]
        if call.call_id in answered[family.output]:
            continue
        completed.append(Envelope(synthetic_output(family, call.id, call.call_id)))
        if family.missing is not None:
            anomalies.append(family.missing + call.call_id)
    return completed, anomalies


def _answered(envelopes: Iterable[Envelope]) -> Mapping[type[Output], set[str | None]]:
    """Collect the call_ids that outputs carry, by the type of output (PAIR-6, PAIR-7)."""
    answered: dict[type[Output], set[str | None]] = {output: set() for output in ORPHANS}
    for envelope in envelopes:
        item = envelope.item
        if isinstance(item, Output):
            answered[type(item)].add(item.call_id)
    return answered


@lru_cache(maxsize=_REMEMBERED_OUTPUTS)
def synthetic_output(family: Family, call_item_id: str | None, call_id: str) -> Output:
    """Make the output of an unanswered call, with a synthetic id if the call has one (SYN-2)."""
    item_id = synthetic_id(family.output_prefix, call_item_id) if call_item_id else None
    return family.synthetic(item_id, call_id)


def synthetic_id(prefix: str, call_item_id: str) -> str:
    """Derive an output's id from the call's item id, as that is, and nothing else (SYN-1 to SYN-4).

    `prefix` is the output's prefix in the family, such as `fco`.
    """
    return f"{prefix}_{uuid5(NAMESPACE, f'{prefix}:{call_item_id}')}"
