"""Odd items, and items that must be refused (ITEM)."""

from __future__ import annotations

from functools import cache, partial

from attrs import frozen

from contextcert.refmodel import MODALITIES, Json
from contextcert.strategies.projecting import Script, bringing_in, for_prompt
from contextcert.strategies.scope import Scope
from contextcert.strategies.segments.segment import Segment, on, weighted
from contextcert.strategies.specimens import malformed_items, odd_items


@frozen
class Specimen:
    """An item, and whether it can be read."""

    item: Json
    good: bool = True


def wiring(scope: Scope) -> Segment[Specimen]:
    """Give the segment; its letters are items."""
    return Segment(_letters(scope), 26, partial(_brought, scope), broken=True)


@cache
def _letters(scope: Scope) -> tuple[Specimen, ...]:
    odd, bad = odd_items(scope), malformed_items(scope)
    alias = [one for one in odd if one["type"] == "compaction_summary"]
    return weighted(
        (map(Specimen, odd), max(1, 2 * len(bad) // len(odd))),
        (map(Specimen, alias), 30),
        ((Specimen(one, good=False) for one in bad), 1),
    )


def _brought(scope: Scope, told: list[Specimen]) -> Script:
    """Bring in what is odd, half of it by replacing, and each bad item beside a good one."""
    if not told:
        return []
    odd = [one.item for one in told if one.good]
    half = (len(odd) + 1) // 2
    replaced, recorded = odd[:half], odd[half:]
    modalities = [one for one in MODALITIES if scope.takes_modality(one)]
    looks: Script = [{"op": "raw_items"}, for_prompt(modalities)]
    way = ("replace",) if scope.may("replace") else ()
    annotated = ("annotate",) if scope.may("record_annotated_items") else ()
    refused = [
        bringing_in([*odd[:1], one.item], annotated if place % 2 else (), scope)
        for place, one in enumerate(one for one in told if not one.good)
    ]
    other: Script = [bringing_in(recorded, annotated, scope), *looks, {"op": "raw_envelopes"}]
    return [bringing_in(replaced, way, scope), *refused, *looks, *on(1, other)]
