"""What may be generated: the claim, the edition, and what the adapter can do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from contextcert import refmodel
from contextcert.refmodel import DEFAULT_EDITION, Claim, Edition, JsonObject
from contextcert.strategies.item_values import entries_of

OPERATIONS: Final = frozenset(refmodel.OPERATIONS)
"""Every operation that a generated script may hold."""

_PROFILES_OF: Final[Mapping[str, frozenset[str]]] = {
    "remove_first_item": frozenset({"changes"}),
    "drop_last_n_user_turns": frozenset({"changes"}),
    "history_version": frozenset({"changes", "cursor"}),
    "set_reference_context_item": frozenset({"changes"}),
    "reference_context_item": frozenset({"changes"}),
    "update_world_state": frozenset({"world"}),
    "set_world_state_baseline": frozenset({"world"}),
    "world_state_baseline": frozenset({"world"}),
    "set_token_info": frozenset({"changes"}),
    "token_info": frozenset({"changes"}),
    "read_transcript": frozenset({"cursor"}),
    "clone": frozenset({"snapshots"}),
    "hold": frozenset({"snapshots"}),
    "held": frozenset({"snapshots"}),
}
"""Operations that only implementations of some profile have; all others are everybody's."""

_MODALITY_OF_ENTRY: Final = {"input_image": "image", "input_audio": "audio"}


@frozen
class Scope:
    """The bounds of generation: nothing outside them is ever put into a script.

    Attributes:
        claim: item types and modalities that may occur.
        edition: the edition the scripts are for; it narrows ids and media (SPEC 7).
        exact_numbers: whether 1 and 1.0, and integers beyond ±(2^53 - 1), may occur.
        success_flag: whether envelopes may carry `success`.
        restore_items: whether `restore_items` may be used (edition 2026-11 only).
        operations: the operations that may be used; `record_items` and `for_prompt` always are.
    """

    claim: Claim
    edition: Edition = DEFAULT_EDITION
    exact_numbers: bool = True
    success_flag: bool = False
    restore_items: bool = False
    operations: frozenset[str] = OPERATIONS

    @classmethod
    def full(cls, edition: Edition = DEFAULT_EDITION) -> Scope:
        """Give the scope of everything the edition has."""
        return cls(
            claim=Claim.full(),
            edition=edition,
            success_flag=True,
            restore_items=edition is Edition.NOVEMBER_2026,
        )

    @property
    def mints_ids(self) -> bool:
        """Whether recording gives an id to an item that has none (E11-2)."""
        return self.edition is Edition.NOVEMBER_2026

    def may(self, operation: str) -> bool:
        """Say whether a script may use the operation."""
        if operation == "restore_items" and not (self.restore_items and self.mints_ids):
            return False
        if self.claim.profiles.isdisjoint(_PROFILES_OF.get(operation, self.claim.profiles)):
            return False
        return operation in self.operations or operation in {"record_items", "for_prompt"}

    def takes_type(self, item_type: str) -> bool:
        """Say whether items of the type may occur; image generation needs images as well."""
        if item_type == "image_generation_call" and not self.takes_modality("image"):
            return False
        return item_type in self.claim.item_types

    def takes_modality(self, modality: str) -> bool:
        """Say whether content of the modality may occur."""
        return modality in self.claim.modalities

    def takes(self, item: JsonObject) -> bool:
        """Say whether the item, with all its content, lies within the claim."""
        if not self.takes_type(str(item["type"])):
            return False
        needed = (_MODALITY_OF_ENTRY.get(str(entry.get("type"))) for entry in entries_of(item))
        return all(modality is None or self.takes_modality(modality) for modality in needed)
