"""Whether a script that was not generated for a subject keeps to what it claims."""

from __future__ import annotations

from typing import Final

from contextcert.properties import Example, edition_of, is_settled
from contextcert.refmodel import DEFAULT_EDITION, ITEM_TYPES
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.strategies import Scope
from contextcert.strategies.projecting import look
from contextcert.subject import Script

_LARGEST_EXACT: Final = 2**53 - 1


def script_for(example: Example, scope: Scope) -> Script | None:
    """Give the script of an example that shows a clause of the claim, or None if it shows none.

    Where no items are shown, it looks at prompts. What it projects for is cut to the claimed
    modalities, so that a narrow port is judged on it; nothing else may lie outside of the scope. An
    example of the first edition says something in a later one too, where that one settles what
    comes of its script.
    """
    looking = (look(op, scope) for op in example["ops"])
    script = [_for_claimed_modalities(op, scope) for op in looking if not _is_blind(op, scope)]
    claimed = any(scope.claim.covers(clause) for clause in example["clauses"])
    if not (claimed and lies_within(script, scope)):
        return None
    own = edition_of(example)
    if own is scope.edition or (own is DEFAULT_EDITION and is_settled(script, scope.edition)):
        return script
    return None


def _is_blind(op: JsonObject, scope: Scope) -> bool:
    """Say whether an operation looks at what the adapter does not show, and changes nothing."""
    name = str(op["op"])
    return name in _LOOKS and name not in scope.operations


_LOOKS: Final = frozenset({"history_version", "reference_context_item", "token_info"})


def _for_claimed_modalities(op: JsonObject, scope: Scope) -> JsonObject:
    modalities = op.get("input_modalities")
    if not isinstance(modalities, list) or scope.claim.modalities.issuperset(map(str, modalities)):
        return op
    return {**op, "input_modalities": [one for one in modalities if one in scope.claim.modalities]}


def lies_within(script: Script, scope: Scope) -> bool:
    """Say whether all operations, item types, modalities and numbers of a script may be asked for.

    Items that are no known type are nobody's to claim, and stay.
    """
    if not scope.exact_numbers and any(_needs_exact_numbers(op) for op in script):
        return False
    return all(_asks_within(op, scope) for op in script)


def _needs_exact_numbers(value: Json) -> bool:
    """Say whether a value holds 1.0, which may read as 1, or an integer beyond 2^53 - 1."""
    if isinstance(value, dict):
        return any(map(_needs_exact_numbers, value.values()))
    if isinstance(value, list):
        return any(map(_needs_exact_numbers, value))
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and abs(value) > _LARGEST_EXACT


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
