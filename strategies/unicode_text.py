"""Text from all over Unicode, without lone surrogates."""

from __future__ import annotations

from functools import cache
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

_TROUBLE: Final = (
    "ab1 _-./<>&{}[]\"'\\%$"
    "\x00\x01\t\n\r\x1b\x1c\x1f\x7f\x85\xa0\xad"
    "\u00e9e\u0301\u00df\u0130\u0131\u017f\u212a\u03c2"
    "\u200b\u200d\u200e\u202e\u2028\u2029\u2066\u2026\u3000\ufeff\ufffd\ufffe\uffff\ud7ff\ue000"
    "\u05d0\u0661\u4e2d\U0001f600\U0001f468\U0001f3fd\U0010ffff"
)
"""Characters that some decoder, terminal or page is known to stumble over; the plainest first."""

_SPREAD: Final = 160
"""How many more characters are taken, evenly from all planes."""

_SCALARS: Final = 0x110000 - 0x800
_SURROGATES: Final = (0xD800, 0x800)

_FIRST: Final = 0x100000
"""Code point that stands for the first character while Hypothesis draws.

All of them are private use: a constant that Hypothesis mines from some module is never drawn.
"""


@cache
def texts(min_size: int = 0, max_size: int = 12) -> SearchStrategy[str]:
    """Give the strategy of texts of that many characters; they shrink towards `a`."""
    count = len(_characters())
    letters = "".join(chr(_FIRST + place) for place in range(count))
    return st.text(letters, min_size=min_size, max_size=max_size).map(_translated)


def long_texts(min_size: int = 0) -> SearchStrategy[str]:
    """Give the strategy of texts that are sometimes a few kilobytes long."""
    return st.builds(str.__mul__, texts(min_size), st.sampled_from((1, 1, 1, 1, 1, 40)))


@cache
def _characters() -> str:
    step = _SCALARS // _SPREAD
    return _TROUBLE + "".join(_scalar(place * step + step // 2) for place in range(_SPREAD))


def _scalar(place: int) -> str:
    """Give the Unicode scalar value at a place, surrogates not counted."""
    first, many = _SURROGATES
    return chr(place if place < first else place + many)


def _translated(drawn: str) -> str:
    characters = _characters()
    return "".join(characters[ord(letter) - _FIRST] for letter in drawn)
