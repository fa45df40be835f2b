"""What an implementation says it has: profiles, item types and modalities (SPEC, "Claims")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import frozen

from contextcert.refmodel.clauses import CLAUSES, PROFILES
from contextcert.refmodel.json_value import Json, JsonObject

ITEM_TYPES: Final = (
    "message",
    "agent_message",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "tool_search_call",
    "tool_search_output",
    "local_shell_call",
    "web_search_call",
    "image_generation_call",
    "additional_tools",
    "compaction",
    "context_compaction",
    "compaction_trigger",
)
"""The wire names of every item type but `other`, in the order of SPEC 1.1."""

MODALITIES: Final = ("text", "image", "audio")
"""What a model can take in (SPEC 2)."""


@frozen
class Claim:
    """The part of SPEC that an implementation stands for; clauses outside it do not count."""

    profiles: frozenset[str]
    item_types: frozenset[str]
    modalities: frozenset[str]

    @classmethod
    def full(cls) -> Claim:
        """Give the claim of everything SPEC has."""
        return cls(frozenset(PROFILES), frozenset(ITEM_TYPES), frozenset(MODALITIES))

    @classmethod
    def from_json(cls, value: Json) -> Claim:
        """Read `{"profiles": [...], "item_types": [...], "modalities": [...]}`.

        A part that is left out or null claims all of its kind.

        Raises:
            ValueError: a part is no list of strings, or names something SPEC does not have; the
                message says which.
        """
        if not isinstance(value, dict):
            raise ValueError("a claim is an object with profiles, item_types and modalities")
        return cls(
            profiles=_named(value, "profiles", PROFILES),
            item_types=_named(value, "item_types", ITEM_TYPES),
            modalities=_named(value, "modalities", MODALITIES),
        )

    def to_json(self) -> JsonObject:
        """Write the claim with every list in SPEC's order."""
        return {
            "profiles": _in_order(self.profiles, PROFILES),
            "item_types": _in_order(self.item_types, ITEM_TYPES),
            "modalities": _in_order(self.modalities, MODALITIES),
        }

    def covers(self, clause_id: str) -> bool:
        """Say whether the clause counts for this claim."""
        return CLAUSES[clause_id].claimed_with in self.profiles


def _named(claim: Mapping[str, Json], part: str, known: tuple[str, ...]) -> frozenset[str]:
    names = claim.get(part)
    if names is None:
        return frozenset(known)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"a claim's {part} is a list of strings")
    for name in names:
        if name not in known:
            raise ValueError(f"a claim's {part} cannot hold {name!r}; known are {', '.join(known)}")
    return frozenset(str(name) for name in names)


def _in_order(names: Iterable[str], order: tuple[str, ...]) -> list[Json]:
    present = set(names)
    return [name for name in order if name in present]
