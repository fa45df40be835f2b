"""Which handles of a script are clones of one another, and since when (SNAP-1)."""

from __future__ import annotations

from collections.abc import Iterator

from contextcert.refmodel.json_value import Json
from contextcert.subject import Script


def kin(script: Script, operation: int) -> list[Json]:
    """Give the handle of an operation, and all that were cloned from or to it, in any number."""
    related: list[Json] = [script[operation].get("on", 0)]
    pairs = [pair for _, pair in _clones(script[:operation])]
    for _ in pairs:
        for one, other in pairs:
            if (one in related) is not (other in related):
                related.append(other if one in related else one)
    return related


def shared_since(script: Script, operation: int) -> int | None:
    """Give the first operation that cloned any of an operation's kin; None if none did."""
    related = kin(script, operation)
    return next((place for place, (one, _) in _clones(script) if one in related), None)


def touched_together(script: Script, operation: int) -> Iterator[int]:
    """Give every operation on kin of an operation's history that came after their cloning."""
    related, since = kin(script, operation), shared_since(script, operation)
    for place, op in enumerate(script):
        if since is not None and place > since and op.get("on", 0) in related:
            yield place


def _clones(script: Script) -> Iterator[tuple[int, tuple[Json, Json]]]:
    for place, op in enumerate(script):
        if op.get("op") == "clone" and op.get("to") != op.get("on", 0):
            yield place, (op.get("on", 0), op.get("to"))
