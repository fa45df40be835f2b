"""Keeps listed items to what a scope may show."""

from __future__ import annotations

from collections.abc import Iterable

from contextcert.refmodel import JsonObject
from contextcert.strategies.item_values import ID_PREFIXES
from contextcert.strategies.scope import Scope


def admitted(items: Iterable[JsonObject], scope: Scope) -> list[JsonObject]:
    """Keep to the claimed types; give every item an id where recording would (E11-2)."""
    taken = [one for one in items if one["type"] == "other" or scope.takes(one)]
    if not scope.mints_ids:
        return taken
    return [
        {**one, "id": f"{ID_PREFIXES[str(one['type'])]}_{place}"}
        if one["type"] in ID_PREFIXES and "id" not in one
        else one
        for place, one in enumerate(taken)
    ]
