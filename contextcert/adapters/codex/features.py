"""The binary's own feature switches, as a user writes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

Features: TypeAlias = "tuple[tuple[str, bool], ...]"
"""Lines of the binary's `[features]` table."""

_SWITCH: Final = {"true": True, "false": False}


def features_from_text(texts: Iterable[str]) -> Features:
    """Read `name=true` and `name=false` entries.

    Raises:
        ValueError: an entry has another form; the message quotes it.
    """
    return tuple(_feature(text) for text in texts)


def features_to_text(features: Features) -> tuple[str, ...]:
    """Write features the way `features_from_text` reads them."""
    return tuple(f"{name}={str(value).lower()}" for name, value in features)


def _feature(text: str) -> tuple[str, bool]:
    name, _, value = text.partition("=")
    if not name.replace("_", "").isalnum() or not name.isascii() or value not in _SWITCH:
        raise ValueError(f"a Codex feature is written name=true or name=false, not {text!r}")
    return name, _SWITCH[value]
