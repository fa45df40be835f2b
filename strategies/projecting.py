"""From items to the script that records and projects them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, TypeAlias

from contextcert.refmodel import MODALITIES, Json, JsonObject, Mode, run_script
from contextcert.strategies.drafts import Draft, settled
from contextcert.strategies.item_values import ID_PREFIXES, text
from contextcert.strategies.scope import Scope

Script: TypeAlias = "list[JsonObject]"
"""A list of operations (DESIGN 3)."""

POLICY: Final[JsonObject] = {"mode": "tokens", "limit": 10000}
"""The policy that scripts record under: wide enough to leave every generated item alone."""


def projection_script(
    items: Sequence[JsonObject],
    modality_sets: Sequence[Sequence[str]],
    scope: Scope,
    *,
    annotated: bool = False,
) -> Script:
    """Give the script that records the items at once and projects them under each set.

    In edition 2026-11 a history with an item whose id is empty is restored, if that can be done: it
    keeps its ids as they are (SYN-2), where recording gives new ones (E11-2).

    Args:
        items: the history.
        modality_sets: what the models take in.
        scope: what may be generated.
        annotated: whether a second history gets the same items with metadata, where the adapter
            can do that, and is projected plainly and with it, under the last set that holds text
            (PROJ-5).
    """
    restored = scope.mints_ids and any(item.get("id") == "" for item in items)
    ops = [_storing(items, items, scope, restored=restored), *map(for_prompt, modality_sets)]
    if annotated:
        asked = for_prompt(_barest(modality_sets))
        second = [_annotating(items, 0, scope), asked, {**asked, "op": "for_prompt_annotated"}]
        ops += [{**op, "on": 1} for op in second]
    return [op for op in ops if scope.may(str(op["op"]))]


def _barest(modality_sets: Sequence[Sequence[str]]) -> Sequence[str]:
    """Give the last set that holds text: a lone projection without it could blame AUD-5 for all."""
    with_text = [chosen for chosen in modality_sets if "text" in chosen]
    return (with_text or modality_sets)[-1]


def for_prompt(modalities: Sequence[str]) -> JsonObject:
    """Give the operation that projects under a set of modalities."""
    return {"op": "for_prompt", "input_modalities": [*modalities]}


def look(operation: JsonObject, scope: Scope) -> JsonObject:
    """Give an operation that looks at items; a prompt shows them where nothing else does."""
    if str(operation["op"]) not in _LOOKS or scope.may("raw_items") or scope.may("raw_envelopes"):
        return operation
    on: JsonObject = {"on": operation["on"]} if "on" in operation else {}
    return {**for_prompt([*_claimed(scope)]), **on}


_LOOKS: Final = frozenset({"raw_items", "raw_envelopes"})


def bringing_in(items: Sequence[Json], wishes: Collection[str], scope: Scope) -> JsonObject:
    """Give the operation that brings in items, readable or not, the way the wishes name."""
    if "replace" in wishes:
        return {"op": "replace", "items": [*items]}
    if "annotate" in wishes:
        return _annotating(items, 0, scope)
    return {"op": "record_items", "items": [*items], "policy": POLICY}


def script_of(draft: Draft, scope: Scope) -> Script:
    """Give the script that a draft asks for."""
    items = settled(draft.items) if "settle" in draft.wishes else draft.items
    if "again" in draft.wishes and scope.mints_ids:
        items = [named(item, place) for place, item in enumerate(items)]
    modalities = tuple(one for one in _claimed(scope) if one not in draft.without)
    ops = [*_filling(items, draft, modalities, scope), for_prompt(modalities)]
    again = _again(ops, modalities, scope) if "again" in draft.wishes else ()
    return [*ops, *_reading(draft, modalities, scope), *again]


def _claimed(scope: Scope) -> Iterator[str]:
    return filter(scope.takes_modality, MODALITIES)


def _filling(
    items: list[JsonObject], draft: Draft, modalities: Sequence[str], scope: Scope
) -> Iterator[JsonObject]:
    """Bring the items into the history, in as many operations as there are pauses, plus one."""
    if "replace" in draft.wishes:
        yield bringing_in(items, draft.wishes, scope)
        return
    restored = "restore" in draft.wishes
    annotate = "annotate" in draft.wishes and not restored
    start = 0
    for stop, look in [*draft.pauses, (len(items), False)]:
        part = items[start:stop]
        if annotate:
            yield _annotating(part, start, scope)
        else:
            yield _storing(part, items, scope, restored=restored)
        start = max(start, min(stop, len(items)))
        if look:
            yield for_prompt(modalities)


def _reading(draft: Draft, modalities: Sequence[str], scope: Scope) -> Iterator[JsonObject]:
    """Look at the history in the ways that the draft asks for (PROJ-2, PROJ-3, PROJ-5)."""
    everything = tuple(_claimed(scope))
    if "otherwise" in draft.wishes and modalities != everything:
        yield for_prompt(everything)
    if "twice" in draft.wishes:
        yield for_prompt(modalities)
    if "annotate" in draft.wishes:
        yield {"op": "for_prompt_annotated", "input_modalities": [*modalities]}
    if "raw" in draft.wishes:
        yield {"op": "raw_items"}


def _again(ops: Script, modalities: Sequence[str], scope: Scope) -> Iterator[JsonObject]:
    """Project the prompt that the operations give in release once more (PROJ-4).

    In edition 2026-11 the items have ids of their own, for what the model gives no subject does.
    """
    given = run_script(ops, mode=Mode.RELEASE, edition=scope.edition)[-1]["ok"]
    assert isinstance(given, list)
    prompt = [item for item in given if isinstance(item, dict)]
    replacing: JsonObject = {"op": "replace", "items": [*prompt]}
    storing = _storing(prompt, prompt, scope, restored=True)
    yield {**(replacing if scope.may("replace") else storing), "on": 1}
    yield {**for_prompt(modalities), "on": 1}


def _storing(
    items: Sequence[JsonObject], history: Sequence[JsonObject], scope: Scope, *, restored: bool
) -> JsonObject:
    """Record the items, or restore them if that is asked for and all of the history can be."""
    if restored and scope.may("restore_items") and all(map(is_restorable, history)):
        return {"op": "restore_items", "items": [*items]}
    return {"op": "record_items", "items": [*items], "policy": POLICY}


def is_restorable(item: JsonObject) -> bool:
    """Say whether SPEC settles what restoring an item gives.

    It does not say whether what recording drops, or drops of an item, is dropped then (REC-2,
    E11-3).
    """
    if item.get("role") == "system" or item["type"] in {"other", "compaction_trigger"}:
        return False
    body = item.get("output")
    return not (isinstance(body, list) and text("") in body)


def named(item: JsonObject, place: int) -> JsonObject:
    """Give an item without an id one that tells its place."""
    if item.get("id") or str(item["type"]) not in ID_PREFIXES:
        return item
    return {**item, "id": f"{ID_PREFIXES[str(item['type'])]}_n{place}"}


def _annotating(items: Sequence[Json], first: int, scope: Scope) -> JsonObject:
    envelopes: list[Json] = [
        envelope_of(item, place, scope) for place, item in enumerate(items, start=first)
    ]
    return {"op": "record_annotated_items", "envelopes": envelopes, "policy": POLICY}


def envelope_of(item: Json, place: int, scope: Scope) -> JsonObject:
    """Wrap an item; every third envelope has no metadata, every second output succeeded."""
    noted: JsonObject = {"turn_id": f"m{place}", "place": place}
    metadata = None if place % 3 == 2 else noted  # noqa: PLR2004
    envelope: JsonObject = {"item": item, "metadata": metadata}
    if scope.success_flag and isinstance(item, dict) and item.get("type") in _WITH_SUCCESS:
        envelope["success"] = place % 2 == 0
    return envelope


_WITH_SUCCESS: Final = ("function_call_output", "custom_tool_call_output")
