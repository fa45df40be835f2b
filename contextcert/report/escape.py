"""Makes text from a subject or a file harmless for a terminal, and values readable in a line."""

from __future__ import annotations

import json
import unicodedata
from typing import Final

from rich.text import Text

from contextcert.refmodel.json_value import Json

_SHOWN_CONTROLS: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that move the cursor, reorder the line or show nothing."""


def plain(text: str, limit: int | None = None) -> str:
    """Give one line of text in which every control or invisible character is spelled out."""
    shown = text if text.isascii() and text.isprintable() else "".join(map(_shown, text))
    if limit is not None and len(shown) > limit:
        return shown[: limit - 1] + "…"
    return shown


def line(text: str, style: str = "") -> Text:
    """Give escaped text for rich, in which nothing is read as markup."""
    return Text(plain(text), style=style)


def compact(value: Json, limit: int | None = None) -> str:
    """Write a JSON value in one escaped line."""
    return plain(json.dumps(value, ensure_ascii=False, separators=(", ", ": ")), limit)


def _shown(character: str) -> str:
    if character in _SHOWN_CONTROLS:
        return _SHOWN_CONTROLS[character]
    if unicodedata.category(character) not in _HIDDEN:
        return character
    return ascii(character)[1:-1]
