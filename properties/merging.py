"""What an update of the world state reports, and what a report does, restated from SPEC 4.7."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from contextcert.properties.equality import identical
from contextcert.refmodel.json_value import Json, JsonObject


@frozen
class Unsure:
    """Stands for a value that cannot be told."""


UNSURE: Final = Unsure()


def report(baseline: Json | Unsure, state: JsonObject) -> Json | Unsure:
    """Give what an update from a baseline to a state must report (WORLD-1, WORLD-2)."""
    if isinstance(baseline, Unsure):
        return UNSURE
    if baseline is None:
        return {"full": True, "state": state}
    try:
        patch = state if not isinstance(baseline, dict) else _patch(baseline, state)
    except RecursionError:
        return UNSURE
    return {"full": False, "patch": patch} if patch or not isinstance(baseline, dict) else None


def applied(target: Json, patch: Json) -> Json:
    """Give a value as a JSON merge patch changes it (RFC 7396, WORLD-4)."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = applied(merged.get(key), value)
    return merged


def has_nulls(value: Json) -> bool:
    """Say whether an object holds a null at any depth, which a patch cannot set (WORLD-4)."""
    if isinstance(value, dict):
        return any(one is None or has_nulls(one) for one in value.values())
    return False


def _patch(old: JsonObject, new: JsonObject) -> JsonObject:
    patch: JsonObject = {key: None for key in old if key not in new}
    for key, value in new.items():
        before = old.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            inner = _patch(before, value)
            if inner:
                patch[key] = inner
        elif key not in old or not identical(before, value):
            patch[key] = value
    return patch
