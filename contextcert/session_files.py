"""A session that goes on from another file: reverted and forked ones do, since release 0.160.0.

The first line of such a file names the session whose history it goes on from, and where that ends:
`"history_base": {"thread_id": ID, "end_ordinal_exclusive": N}`. The other file lies beside it, or
in another day's folder of the same tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final

from attrs import frozen

from contextcert.protocol.json_codec import JsonError, decode
from contextcert.refmodel.json_value import Json, JsonObject

MOST_FILES: Final = 32
"""So many files are gone back through at most, whatever they say of each other."""

_ID: Final = re.compile(r"[0-9A-Za-z-]{1,64}", re.ASCII)
_NOWHERE: Final = 2**63


@frozen
class Part:
    """Lines of one file; all of a session's parts together are its lines."""

    name: str
    lines: tuple[bytes, ...]


@frozen
class SessionFile:
    """A session's parts, earliest first; `missing` says what of its beginning is not there."""

    parts: tuple[Part, ...]
    missing: str | None = None

    @property
    def lines(self) -> Iterator[bytes]:
        """All lines in order."""
        return (line for part in self.parts for line in part.lines)


@frozen
class _Base:
    thread: str
    end: int


def read_session_file(path: Path) -> SessionFile:
    """Read a file, and what it goes on from.

    Raises:
        OSError: the file itself cannot be read.
    """
    parts = [Part(path.name, _lines(path))]
    seen = {path.resolve()}
    base = _base(parts[0].lines)
    while base is not None:
        found = _before(path, base, seen) if len(seen) < MOST_FILES else None
        if found is None:
            return SessionFile(tuple(parts[::-1]), _missing(base))
        earlier, lines = found
        seen.add(earlier.resolve())
        parts.append(Part(earlier.name, _up_to(lines, base.end)))
        base = _base(lines)
    return SessionFile(tuple(parts[::-1]))


def _missing(base: _Base) -> str:
    return (
        f"this session goes on from the file of session {base.thread}, which is not beside it: "
        f"everything before ordinal {base.end} is missing"
    )


def _lines(path: Path) -> tuple[bytes, ...]:
    with path.open("rb") as lines:
        return tuple(lines)


def _base(lines: Sequence[bytes]) -> _Base | None:
    """Read what a file goes on from out of its first line."""
    meta = _decoded(lines[0]) if lines else {}
    payload = meta.get("payload")
    base = payload.get("history_base") if isinstance(payload, dict) else None
    if meta.get("type") != "session_meta" or not isinstance(base, dict):
        return None
    thread, end = base.get("thread_id"), base.get("end_ordinal_exclusive")
    if not isinstance(thread, str) or _ID.fullmatch(thread) is None:
        return None
    return _Base(thread, end) if isinstance(end, int) and not isinstance(end, bool) else None


def _before(path: Path, base: _Base, seen: set[Path]) -> tuple[Path, tuple[bytes, ...]] | None:
    """Find the file that holds what comes just before the end of the base."""
    found: list[tuple[int, Path, tuple[bytes, ...]]] = []
    for one in sorted(_tree(path).rglob(f"*{base.thread}*.jsonl")):
        if one.is_symlink() or not one.is_file() or one.resolve() in seen:
            continue
        lines = _lines(one)
        first = _ordinal(lines[0]) if lines else _NOWHERE
        if first < base.end:
            found.append((first, one, lines))
    if not found:
        return None
    _, nearest, lines = max(found, key=lambda one: one[0])
    return nearest, lines


def _tree(path: Path) -> Path:
    """Give the folder of all days, where the file lies in that of one (YEAR/MONTH/DAY)."""
    days = path.resolve().parents
    if len(days) > _DEPTH and all(days[depth].name.isdigit() for depth in range(_DEPTH)):
        return days[_DEPTH]
    return days[0]


_DEPTH: Final = 3


def _up_to(lines: Sequence[bytes], end: int) -> tuple[bytes, ...]:
    return tuple(takewhile(lambda line: _ordinal(line) < end, lines))


def _ordinal(line: bytes) -> int:
    ordinal: Json = _decoded(line).get("ordinal")
    return ordinal if isinstance(ordinal, int) and not isinstance(ordinal, bool) else _NOWHERE


def _decoded(line: bytes) -> JsonObject:
    try:
        value = decode(line)
    except JsonError:
        return {}
    return value if isinstance(value, dict) else {}
