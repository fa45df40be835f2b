"""From items to the script that records and projects them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from contextcert.refmodel.claim import MODALITIES
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.strategies.drafts import Draft, settled
from contextcert.strategies.scope import Scope

Script: TypeAlias = "list[JsonObject]"
"""A list of operations (DESIGN 3)."""

POLICY: Final[JsonObject] = {"mode": "tokens", "limit": 10000}
"""The policy that scripts record under: wide enough to leave every generated item alone."""


def projection_script(
    items: Sequence[JsonObject], modality_sets: Sequence[Sequence[str]], scope: Scope
) -> Script:
    """Give the script that records the items at once and projects them under each set."""
    projections = (_for_prompt(tuple(chosen)) for chosen in modality_sets)
    return [_recording(items, scope), *projections]


def script_of(draft: Draft, scope: Scope) -> Script:
    """Give the script that a draft asks for."""
    items = settled(draft.items) if "settle" in draft.wishes else draft.items
    claimed = (modality for modality in MODALITIES if scope.takes_modality(modality))
    modalities = tuple(modality for modality in claimed if modality not in draft.without)
    return [
        *_filling(items, draft, modalities, scope),
        *_reading(draft, modalities),
    ]


def _filling(
    items: list[JsonObject], draft: Draft, modalities: Sequence[str], scope: Scope
) -> Iterator[JsonObject]:
    """Bring the items into the history, in as many operations as there are pauses, plus one."""
    if "replace" in draft.wishes:
        yield {"op": "replace", "items": [*items]}
        return
    annotate = "annotate" in draft.wishes and not _restores(items, scope)
    start = 0
    for stop, look in [*draft.pauses, (len(items), False)]:
        part = items[start:stop]
        yield _annotating(part, start, scope) if annotate else _recording(part, scope, items)
        start = max(start, min(stop, len(items)))
        if look:
            yield _for_prompt(modalities)


def _reading(draft: Draft, modalities: Sequence[str]) -> Iterator[JsonObject]:
    """Look at the history in the ways that the draft asks for."""
    yield _for_prompt(modalities)
    if "twice" in draft.wishes:
        yield _for_prompt(modalities)
    if "annotate" in draft.wishes:
        yield {"op": "for_prompt_annotated", "input_modalities": list(modalities)}
    if "raw" in draft.wishes:
        yield {"op": "raw_items"}


def _for_prompt(modalities: Sequence[str]) -> JsonObject:
    return {"op": "for_prompt", "input_modalities": list(modalities)}


def _recording(
    items: Sequence[JsonObject], scope: Scope, among: Sequence[JsonObject] | None = None
) -> JsonObject:
    """Record the items; restore them where recording would mint ids for some of `among`."""
    if _restores(items if among is None else among, scope):
        return {"op": "restore_items", "items": [*items]}
    return {"op": "record_items", "items": [*items], "policy": POLICY}


def _restores(items: Sequence[JsonObject], scope: Scope) -> bool:
    return scope.may("restore_items") and not all(item.get("id") for item in items)


def _annotating(items: list[JsonObject], first: int, scope: Scope) -> JsonObject:
    envelopes: list[Json] = [
        _envelope(item, place, scope) for place, item in enumerate(items, start=first)
    ]
    return {"op": "record_annotated_items", "envelopes": envelopes, "policy": POLICY}


def _envelope(item: JsonObject, place: int, scope: Scope) -> JsonObject:
    """Wrap an item; every third envelope has no metadata."""
    metadata: JsonObject | None = None if place % 3 == 2 else {"place": place}  # noqa: PLR2004
    envelope: JsonObject = {"item": item, "metadata": metadata}
    if scope.success_flag and item["type"] in _WITH_SUCCESS:
        envelope["success"] = place % 2 == 0
    return envelope


_WITH_SUCCESS: Final = frozenset({"function_call_output", "custom_tool_call_output"})
