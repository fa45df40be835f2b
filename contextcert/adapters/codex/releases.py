"""What is known of the releases of the binary: versions, and what their wire cannot carry."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from attrs import frozen

from contextcert.refmodel.claim import ITEM_TYPES, MODALITIES

Version: TypeAlias = "tuple[int, int, int]"

_VERSION: Final = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_AUDIO_AND_TOOL_LISTS: Final = (0, 145, 0)
_PASSTHROUGH: Final = "/internal_chat_message_metadata_passthrough"
_WITHOUT_PASSTHROUGH: Final = frozenset({"additional_tools", "compaction_trigger"})


@frozen
class Release:
    """One release of the binary, as far as a certificate depends on it.

    `hidden_fields` are JSON pointers per item type: fields it reads and never sends on.
    """

    version: str
    item_types: frozenset[str]
    modalities: frozenset[str]
    hidden_fields: Mapping[str, tuple[str, ...]]


def parse_version(text: str) -> Version | None:
    """Find the first `major.minor.patch` in a text."""
    found = _VERSION.search(text)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


def release_of(version_text: str) -> Release:
    """Give what was measured of a release; one without a readable version counts as the newest."""
    version = parse_version(version_text)
    if version is None:
        return Release(version_text.strip(), *_newest())
    name = ".".join(map(str, version))
    return Release(name, *(_older() if version < _AUDIO_AND_TOOL_LISTS else _newest()))


def _newest() -> tuple[frozenset[str], frozenset[str], dict[str, tuple[str, ...]]]:
    hidden: dict[str, tuple[str, ...]] = {
        item_type: (_PASSTHROUGH,)
        for item_type in ITEM_TYPES
        if item_type not in _WITHOUT_PASSTHROUGH
    }
    hidden["function_call"] = ("/encrypted_function_args", _PASSTHROUGH)
    return frozenset(ITEM_TYPES), frozenset(MODALITIES), hidden


def _older() -> tuple[frozenset[str], frozenset[str], dict[str, tuple[str, ...]]]:
    item_types, modalities, hidden = _newest()
    hidden["custom_tool_call"] = ("/namespace", _PASSTHROUGH)
    return item_types - {"additional_tools"}, modalities - {"audio"}, hidden
