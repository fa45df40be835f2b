"""What may stand in for a character: another one of its kind that takes as many bytes."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

_KEPT: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs", "Cs"})
"""Categories that say nothing by themselves, and that trimming is about (SPEC 4.4)."""


def _from(first: int, count: int) -> str:
    return "".join(map(chr, range(first, first + count)))


# The first of each alphabet is what most characters become.
_LOWER: Final = "xabcdefghijklmnopqrstuvwyz"
_UPPER: Final = _LOWER.upper()
_DIGITS: Final = "0123456789"
_LETTERS: Final = {2: _from(0xE0, 23), 3: _from(0x4E00, 100), 4: _from(0x20000, 100)}
_CAPITALS: Final = {2: _from(0xC0, 23), 3: _from(0x13A0, 80), 4: _from(0x10400, 40)}
_MARKS: Final = {2: _from(0x300, 20), 3: _from(0x20D0, 12), 4: _from(0xE0100, 100)}
_NUMERALS: Final = {2: _from(0x660, 10), 3: _from(0x966, 10), 4: _from(0x1D7D8, 10)}
_SIGNS: Final = {2: "§¶±¬÷", 3: _from(0x2190, 10), 4: _from(0x1F600, 79)}


@lru_cache(4096)
def alphabet_for(character: str) -> str:
    """Give the characters that may stand in for one; itself alone where it says nothing."""
    if character.isascii():
        return _ascii(character)
    category = unicodedata.category(character)
    if category in _KEPT:
        return character
    size = len(character.encode())
    if category == "Lu":
        return _CAPITALS[size]
    by_kind = {"L": _LETTERS, "M": _MARKS, "N": _NUMERALS}
    return by_kind.get(category[0], _SIGNS)[size]


def _ascii(character: str) -> str:
    if character.islower():
        return _LOWER
    if character.isupper():
        return _UPPER
    return _DIGITS if character.isdigit() else character
