"""Reads a folder of recorded sessions, without trusting anything in it."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from contextcert.corpus import values
from contextcert.corpus.disguise import disguised
from contextcert.corpus.stand_ins import StandIns
from contextcert.corpus.values import Corpus, CorpusError, Move, Session
from contextcert.recorded_session import (
    Compacted,
    Entry,
    Recorded,
    RecordedSession,
    Replaced,
    RolledBack,
    read_session,
)
from contextcert.refmodel import Json, JsonObject, TruncationPolicy, write_item
from contextcert.refmodel.items import CompactionTrigger, InputText, Item, Message, Other

MOST_FILES: Final = 5_000
MOST_BYTES_A_FILE: Final = 64 * 2**20
MOST_BYTES: Final = 256 * 2**20
LONGEST_ITEM: Final = 2**20
DEEPEST: Final = 64
SUFFIX: Final = ".jsonl"


@frozen
class _File:
    """What one file holds."""

    name: str
    sha256: str
    session: RecordedSession


def read_corpus(folder: Path, *, shows_text: bool = False) -> Corpus:
    """Read every session below a folder, and replace what it says unless that is to be shown.

    Read are regular files whose names end in `.jsonl`; links are not followed. A file that cannot
    be used is left out and named among the notes.

    Raises:
        CorpusError: nothing in the folder can be used, or there is too much of it.
    """
    notes: list[str] = []
    files = sorted(_read_files(folder, notes), key=lambda one: one.sha256)
    stand_ins = None if shows_text else StandIns()
    sessions = []
    for file in files:
        session, left_out = _disguised(file.session, stand_ins)
        if left_out:
            notes.append(f"{file.name}: {left_out:,} items are left out, {_WHY_ITEMS}.")
        sessions.append(session)
    if not any(session.moves for session in sessions):
        raise CorpusError(_nothing(folder, notes))
    digest = hashlib.sha256("".join(file.sha256 for file in files).encode()).hexdigest()
    return Corpus(digest, tuple(sessions), shows_text, tuple(notes))


_WHY_ITEMS: Final = "which are of no known type, too long, or have no stand-in"


def _nothing(folder: Path, notes: list[str]) -> str:
    why = f" {notes[0]}" if notes else ""
    return (
        f"{folder} holds no recorded session that can be used (files that end in {SUFFIX}).{why} "
        "contextcert audit FILE tells what is in a file."
    )


def _read_files(folder: Path, notes: list[str]) -> Iterator[_File]:
    left = MOST_BYTES
    for count, path in enumerate(_paths(folder)):
        name = str(path.relative_to(folder))
        if count >= MOST_FILES:
            raise CorpusError(f"{folder} holds more than {MOST_FILES:,} files: name a smaller one.")
        try:
            content = _content(path)
        except _LeftOutError as reason:
            notes.append(f"{name} is left out: {reason}.")
            continue
        left -= len(content)
        if left < 0:
            raise CorpusError(
                f"{folder} holds more than {MOST_BYTES >> 20} MB of sessions: name a smaller one."
            )
        file = _file(name, content, notes)
        if file is not None:
            yield file


def _paths(folder: Path) -> Iterator[Path]:
    """Give the session files below a folder in the order of their names."""
    try:
        os.scandir(folder).close()
    except OSError as error:
        raise CorpusError(f"{folder} cannot be read: {error.strerror}.") from error
    for here, folders, names in os.walk(folder):
        folders.sort()
        yield from (Path(here, name) for name in sorted(names) if name.endswith(SUFFIX))


class _LeftOutError(Exception):
    """A file cannot be used; the message says why."""


def _content(path: Path) -> bytes:
    # Neither a link nor a pipe that was put in a file's place may hold us up or lead us elsewhere.
    careful = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        if path.is_symlink():
            raise _LeftOutError("it is a link")
        file = os.open(path, os.O_RDONLY | careful)
    except OSError as error:
        raise _LeftOutError(f"it cannot be read ({error.strerror})") from error
    with os.fdopen(file, "rb") as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise _LeftOutError("it is no regular file")
        content = opened.read(MOST_BYTES_A_FILE + 1)
    if len(content) > MOST_BYTES_A_FILE:
        raise _LeftOutError(f"it is longer than {MOST_BYTES_A_FILE >> 20} MB")
    return content


def _file(name: str, content: bytes, notes: list[str]) -> _File | None:
    session = read_session(content.split(b"\n"))
    if not session.entries:
        notes.append(f"{name} is left out: it is no recorded session.")
        return None
    if session.skipped:
        notes.append(f"{name}: {len(session.skipped):,} lines cannot be used and are left out.")
    return _File(name, hashlib.sha256(content).hexdigest(), session)


def _disguised(session: RecordedSession, stand_ins: StandIns | None) -> tuple[Session, int]:
    """Give a session as it may be shown, and the number of items that are left out."""
    moves: list[Move] = []
    left_out = 0
    for entry in session.entries:
        items = _items(entry)
        usable = [shown for one in items if (shown := _shown(one, stand_ins)) is not None]
        left_out += len(items) - len(usable)
        moves.extend(_moves(entry, usable))
    return Session(tuple(moves)), left_out


def _items(entry: Entry) -> tuple[Item, ...]:
    match entry:
        case Recorded():
            return (entry.item,)
        case Replaced():
            return entry.items
        case Compacted():
            return (Message(role="user", content=(InputText(entry.summary),)),)
        case RolledBack():
            return ()


def _moves(entry: Entry, usable: list[JsonObject]) -> Iterator[Move]:
    match entry:
        case Recorded():
            policy = _policy(entry.policy)
            yield from (values.Recorded(one, policy) for one in usable)
        case Replaced():
            yield values.Replaced(tuple(usable))
        case Compacted():
            # What an older release made of the history is not in its file: the summary comes next.
            yield from map(values.Recorded, usable)
        case RolledBack():
            yield values.RolledBack(entry.turns)


def _policy(policy: TruncationPolicy | None) -> JsonObject | None:
    return None if policy is None else {"mode": policy.mode.value, "limit": policy.limit}


def _shown(item: Item, stand_ins: StandIns | None) -> JsonObject | None:
    if isinstance(item, Other | CompactionTrigger):
        return None
    written = write_item(item)
    if _is_too_large(written):
        return None
    return written if stand_ins is None else disguised(written, stand_ins)


def _is_too_large(item: JsonObject) -> bool:
    """Say whether a value holds too many characters or is nested too deeply, without recursion."""
    waiting: list[tuple[Json, int]] = [(item, 0)]
    left = LONGEST_ITEM
    while waiting and left >= 0:
        value, depth = waiting.pop()
        if depth > DEEPEST:
            return True
        left -= len(value) if isinstance(value, str) else 1
        if isinstance(value, dict):
            left -= sum(map(len, value))
            waiting.extend((one, depth + 1) for one in value.values())
        elif isinstance(value, list):
            waiting.extend((one, depth + 1) for one in value)
    return left < 0
