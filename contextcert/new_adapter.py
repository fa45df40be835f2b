"""A kit copied into a folder of the user's own, whole or not at all.

The kits lie in the folder `kits` of the package: sources alone, with the products of a build in a
checkout left behind.
"""

from __future__ import annotations

import json
import shutil
import signal
import threading
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from contextcert.subject import SubjectError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

KITS: Final = Path(__file__).parent / "kits"

PRODUCTS: Final = frozenset(
    {
        "target",
        "bin",
        "node_modules",
        "dist",
        "certificate",
        "Cargo.lock",
        "__pycache__",
        ".mypy_cache",
        ".ruff_cache",
    }
)
"""What building, testing and certifying a kit leaves in it."""


@cache
def kits() -> Mapping[str, Mapping[str, Any]]:
    """Give the kits by language: what each needs, and its commands for a shell."""
    table: dict[str, dict[str, Any]] = json.loads((KITS / "kits.json").read_text("utf-8"))
    return table


def copy_kit(language: str, folder: Path) -> None:
    """Copy a kit into a folder that is new or empty; an interrupt leaves nothing of it.

    Raises:
        SubjectError: there is something in the folder, or it cannot be written.
    """
    try:
        _require_room(folder)
        # Listed first, since the folder may lie within the kit of a checkout.
        kit = KITS / language
        sources = tuple(_sources(kit))
        with _undisturbed() as heed:
            _write(kit, sources, folder, heed)
    except OSError as error:
        raise SubjectError(
            f"{folder} cannot be written ({error.strerror}): name a folder that can."
        ) from error


def _require_room(folder: Path) -> None:
    if folder.is_dir():
        if any(folder.iterdir()):
            raise SubjectError(f"{folder} is not empty: name a folder that is new or empty.")
    elif folder.exists() or folder.is_symlink():
        raise SubjectError(f"{folder} is no folder: name one that is new or empty.")


def _sources(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.name in PRODUCTS:
            continue
        if entry.is_dir():
            yield from _sources(entry)
        else:
            yield entry


@contextmanager
def _undisturbed() -> Iterator[Callable[[], None]]:
    """Hold signals off till the end, and give what raises where one has come."""
    came: list[int] = []

    def heed() -> None:
        if came:
            raise KeyboardInterrupt

    held = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            before = signal.getsignal(number)
            if before is signal.SIG_DFL or callable(before):
                held[number] = before
                signal.signal(number, lambda number, _frame: came.append(number))
    try:
        yield heed
    finally:
        for number, before in held.items():
            signal.signal(number, before)
        if came:
            signal.raise_signal(came[0])


def _write(kit: Path, sources: Iterable[Path], folder: Path, heed: Callable[[], None]) -> None:
    written = _Written()
    try:
        for parent in reversed(folder.parents):
            if not parent.exists():
                written.make_folder(parent)
        # Whoever stands in an empty folder goes on standing there, and its parent may be
        # read-only or another disk; a new folder appears at once.
        target = folder if folder.exists() else folder.parent / f".new-adapter-{uuid4().hex}"
        for source in sources:
            heed()
            written.copy(source, target, source.relative_to(kit))
        if target != folder:
            target.rename(folder)
    except BaseException:
        written.take_out()
        raise


class _Written:
    """What was made, and nothing else, can be taken out again."""

    def __init__(self) -> None:
        self._made: list[Path] = []

    def make_folder(self, folder: Path) -> None:
        folder.mkdir()
        self._made.append(folder)

    def copy(self, source: Path, target: Path, name: Path) -> None:
        """Copy contents alone: an installed kit may be read-only, and a copy is to be edited.

        Raises:
            OSError: it cannot be written, or is there already.
        """
        for parent in reversed(name.parents):
            if not (target / parent).is_dir():
                self.make_folder(target / parent)
        with source.open("rb") as read, (target / name).open("xb") as write:
            self._made.append(target / name)
            shutil.copyfileobj(read, write)

    def take_out(self) -> None:
        for path in reversed(self._made):
            # What somebody else put into a folder meanwhile keeps the folder.
            with suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
