"""What is reported of the world state: all of it, or what changed (SPEC 4.7, WORLD)."""

from typing import Any


def report_of(baseline: object, state: object) -> dict[str, Any] | None:
    """Give the full state, the merge patch from the baseline to it, or nothing (RFC 7396).

    A baseline of None is none at all (WORLD-1).
    """
    if baseline is None:
        return {"full": True, "state": state}
    patch = _merge_patch(baseline, state)
    return None if patch is _EQUAL else {"full": False, "patch": patch}


_EQUAL = object()


def _merge_patch(old: object, new: object) -> object:
    """Give the minimal patch from one value to another, or that they are equal (WORLD-2)."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return _EQUAL if same_json(old, new) else new
    patch: dict[str, Any] = {key: None for key in old if key not in new}
    for key, value in new.items():
        change = _merge_patch(old[key], value) if key in old else value
        if change is not _EQUAL:
            patch[key] = change
    return patch or _EQUAL


def same_json(one: object, other: object) -> bool:
    """Say whether two JSON values are equal: 1, 1.0 and true differ (WORLD-7)."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            same_json(value, other[key]) for key, value in one.items()
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return one == other
