"""World state: what an update reports against the baseline (WORLD-1 to WORLD-7)."""

from __future__ import annotations

from contextcert.refmodel.json_value import Json, JsonObject, same_json


def merge_patch(baseline: Json, state: JsonObject) -> JsonObject | None:
    """Give the minimal JSON merge patch (RFC 7396) from baseline to state (WORLD-2).

    None if the two are equal (WORLD-7). A baseline that is no object is replaced whole. Deep
    nesting is walked without recursion, and every value is looked at once.
    """
    if not isinstance(baseline, dict):
        return state
    patch: JsonObject = {}
    waiting = [(baseline, state, patch)]
    nested: list[tuple[JsonObject, str, JsonObject]] = []
    while waiting:
        old, new, changes = waiting.pop()
        changes |= {key: None for key in old if key not in new}
        for key, value in new.items():
            before = old.get(key)
            if isinstance(before, dict) and isinstance(value, dict):
                inner: JsonObject = {}
                changes[key] = inner
                nested.append((changes, key, inner))
                waiting.append((before, value, inner))
            elif key not in old or not same_json(before, value):
                changes[key] = value
    _drop_equal(nested)
    return patch or None


def _drop_equal(nested: list[tuple[JsonObject, str, JsonObject]]) -> None:
    """Take out the patches of nested objects that turned out equal, innermost first."""
    for changes, key, inner in reversed(nested):
        if not inner:
            del changes[key]


def apply_merge_patch(target: Json, patch: Json) -> Json:
    """Give the target as a JSON merge patch (RFC 7396) changes it (WORLD-4).

    Neither argument is touched; what does not change may be shared with the result.
    """
    if not isinstance(patch, dict):
        return patch
    result = _object(target)
    waiting = [(result, patch)]
    while waiting:
        merged, changes = waiting.pop()
        for key, value in changes.items():
            if value is None:
                merged.pop(key, None)
            elif isinstance(value, dict):
                inner = _object(merged.get(key))
                merged[key] = inner
                waiting.append((inner, value))
            else:
                merged[key] = value
    return result


def _object(target: Json) -> JsonObject:
    """Give a copy to merge into: of the target, or of nothing if it is no object."""
    return dict(target) if isinstance(target, dict) else {}
