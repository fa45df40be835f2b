"""What is known of the releases of the binary: versions, editions, and what their wire carries.

Seven releases were measured. One between two of them counts as the older of the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final, TypeAlias

from attrs import evolve, frozen

from contextcert.adapters.codex.features import Features
from contextcert.refmodel.claim import ITEM_TYPES, MODALITIES
from contextcert.refmodel.modes import Edition

Version: TypeAlias = "tuple[int, int, int]"

ITEM_IDS: Final = "item_ids"
"""The feature switch that puts item ids on the wire where they are optional."""

_VERSION: Final = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_PASSTHROUGH: Final = "/internal_chat_message_metadata_passthrough"
_WITHOUT_PASSTHROUGH: Final = frozenset({"additional_tools", "compaction_trigger"})


class Ids(Enum):
    """When item ids reach the wire."""

    NEVER = "Item ids never reach its wire."
    SWITCHED = "Item ids reach its wire only with the feature item_ids."
    ALWAYS = "Item ids always reach its wire."


_WHY_AUGUST: Final = "it shows no ids, and the later edition is about ids that are given (E11-2)"
_WHY_NOVEMBER: Final = "it gives ids to items that it records, and shows them (E11-2)"


@frozen
class Release:
    """One release of the binary under some feature switches, as far as a certificate depends on it.

    `hidden_fields` are JSON pointers per item type: fields it reads and never sends on.
    `sends_empty_turns` tells a release that sends a prompt for a turn without input from one that
    needs a message for it. `shows_changes` says whether head removal, rollback and replacement are
    asked of it. `notes` are for the reader of a certificate.
    """

    version: str
    edition: Edition
    item_types: frozenset[str]
    modalities: frozenset[str]
    hidden_fields: Mapping[str, tuple[str, ...]]
    sends_empty_turns: bool
    shows_changes: bool
    notes: tuple[str, ...]

    def refusing(self, refusals: Iterable[str]) -> Release:
        """Give the release with what it was seen to refuse, each sentence noted once."""
        return evolve(self, notes=tuple(dict.fromkeys((*self.notes, *refusals))))


@frozen
class _Era:
    """What was measured of a release; what came after it counts as it, up to the next."""

    since: Version
    ids: Ids
    unknown_types: frozenset[str] = frozenset()
    unknown_modalities: frozenset[str] = frozenset()
    custom_calls_have_namespaces: bool = True
    sends_empty_turns: bool = True
    # Where an output needs a call_id, one without loses the whole replacement that it is part of.
    reads_every_output: bool = True


_ERAS: Final = (
    _Era(
        (0, 0, 0),
        Ids.NEVER,
        unknown_types=frozenset({"additional_tools", "agent_message", "context_compaction"}),
        unknown_modalities=frozenset({"audio"}),
        custom_calls_have_namespaces=False,
        sends_empty_turns=False,
        reads_every_output=False,
    ),
    _Era(
        (0, 142, 0),
        Ids.SWITCHED,
        unknown_types=frozenset({"additional_tools"}),
        unknown_modalities=frozenset({"audio"}),
        custom_calls_have_namespaces=False,
        reads_every_output=False,
    ),
    _Era((0, 145, 0), Ids.SWITCHED, reads_every_output=False),
    _Era((0, 150, 0), Ids.ALWAYS),
)


def parse_version(text: str) -> Version | None:
    """Find the first `major.minor.patch` in a text."""
    found = _VERSION.search(text)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


def release_of(version_text: str, features: Features = ()) -> Release:
    """Give what was measured of a release; one without a readable version counts as the newest."""
    version = parse_version(version_text)
    name = version_text.strip() if version is None else ".".join(map(str, version))
    era = _ERAS[-1] if version is None else _era_of(version)
    shows_ids = era.ids is Ids.ALWAYS or (
        era.ids is Ids.SWITCHED and dict(features).get(ITEM_IDS) is True
    )
    edition = Edition.NOVEMBER_2026 if shows_ids else Edition.AUGUST_2026
    return Release(
        version=name,
        edition=edition,
        item_types=frozenset(ITEM_TYPES) - era.unknown_types,
        modalities=frozenset(MODALITIES) - era.unknown_modalities,
        hidden_fields=_hidden_fields(era, shows_ids=shows_ids),
        sends_empty_turns=era.sends_empty_turns,
        shows_changes=era.sends_empty_turns and era.reads_every_output,
        notes=tuple(_notes(era, features, edition)),
    )


def switches_of(version_text: str) -> tuple[Features, ...]:
    """Give the feature switches under which a release is judged: as it ships, and with ids."""
    version = parse_version(version_text)
    switched = version is not None and _era_of(version).ids is Ids.SWITCHED
    return ((), ((ITEM_IDS, True),)) if switched else ((),)


def _era_of(version: Version) -> _Era:
    return next(era for era in reversed(_ERAS) if era.since <= version)


def _hidden_fields(era: _Era, *, shows_ids: bool) -> dict[str, tuple[str, ...]]:
    hidden = {
        item_type: [_PASSTHROUGH]
        for item_type in ITEM_TYPES
        if item_type not in _WITHOUT_PASSTHROUGH
    }
    hidden["function_call"].insert(0, "/encrypted_function_args")
    if not era.custom_calls_have_namespaces:
        hidden["custom_tool_call"].insert(0, "/namespace")
    if not shows_ids:
        for item_type in ITEM_TYPES:
            hidden.setdefault(item_type, []).insert(0, "/id")
    return {item_type: tuple(pointers) for item_type, pointers in hidden.items()}


def _notes(era: _Era, features: Features, edition: Edition) -> list[str]:
    why = _WHY_NOVEMBER if edition is Edition.NOVEMBER_2026 else _WHY_AUGUST
    notes = [f"Judged by edition {edition.value}: {why}."]
    if era.ids is not Ids.ALWAYS:
        notes.append(era.ids.value)
    if features:
        switches = ", ".join(f"{name} = {str(value).lower()}" for name, value in features)
        notes.append(f"Feature switches: {switches}.")
    if era.unknown_types:
        notes.append(f"It does not know {', '.join(sorted(era.unknown_types))}.")
    if era.unknown_modalities:
        notes.append(
            f"Its catalogue of models names no {', '.join(sorted(era.unknown_modalities))}: "
            "it would refuse the whole of it."
        )
    if not era.sends_empty_turns:
        notes.append(
            "It sends nothing for a turn without input: each turn brings one message, which is cut "
            "out of the prompt again and counted."
        )
    return notes
