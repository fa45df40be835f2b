"""Fresh item ids for edition 2026-11 (E11-2): the one source of chance, and it is passed in."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from itertools import count
from typing import Final, TypeAlias
from uuid import UUID

FreshIds: TypeAlias = Callable[[str], str]
"""Takes a type's prefix, such as `fc`, and gives `fc_` and a version 7 UUID never given before."""

_FIRST_MILLISECOND: Final = 1_793_491_200_000  # 2026-11-01, when the edition begins
_RANDOM_BYTES: Final = 10


def seeded_fresh_ids(seed: int) -> FreshIds:
    """Give a source whose ids are the same for the same seed, in the order asked for.

    Each id lies one millisecond after the one before, so ids sort as they were given.
    """
    milliseconds = count(_FIRST_MILLISECOND)

    def fresh_id(prefix: str) -> str:
        millisecond = next(milliseconds)
        return f"{prefix}_{_version_7(millisecond, _random_bytes(seed, millisecond))}"

    return fresh_id


def _random_bytes(seed: int, millisecond: int) -> bytes:
    return blake2b(f"{seed}:{millisecond}".encode(), digest_size=_RANDOM_BYTES).digest()


def _version_7(millisecond: int, random: bytes) -> UUID:
    """Lay out 48 bits of time, the version, 12 random bits, the variant and 62 random bits."""
    chance = int.from_bytes(random)
    version_and_high = 0x7000 | chance >> 68
    variant_and_low = 1 << 63 | chance & (1 << 62) - 1
    return UUID(int=millisecond << 80 | version_and_high << 64 | variant_and_low)
