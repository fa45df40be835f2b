"""Whether a script that was not generated for a subject keeps to what it claims."""

from __future__ import annotations

from contextcert.properties import Example
from contextcert.refmodel import ITEM_TYPES
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.strategies import Scope
from contextcert.subject import Script


def speaks_to(example: Example, scope: Scope) -> bool:
    """Say whether an example shows a clause of the claim, with nothing but what may be asked."""
    claimed = any(scope.claim.covers(clause) for clause in example["clauses"])
    return claimed and lies_within(example["ops"], scope)


def lies_within(script: Script, scope: Scope) -> bool:
    """Say whether all operations, item types and modalities of a script may be asked for.

    Items that are no known type are nobody's to claim, and stay.
    """
    return all(_asks_within(op, scope) for op in script)


def _asks_within(op: JsonObject, scope: Scope) -> bool:
    if not scope.may(str(op["op"])):
        return False
    modalities = op.get("input_modalities")
    if isinstance(modalities, list) and not scope.claim.modalities.issuperset(map(str, modalities)):
        return False
    return all(scope.takes(item) for item in _known_items(op))


def _known_items(op: JsonObject) -> list[JsonObject]:
    items = op.get("items", op.get("envelopes"))
    if not isinstance(items, list):
        return []
    bare = [_bare(one) for one in items]
    return [one for one in bare if isinstance(one, dict) and one.get("type") in ITEM_TYPES]


def _bare(one: Json) -> Json:
    return one.get("item", one) if isinstance(one, dict) else one
