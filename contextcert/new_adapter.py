"""A kit copied into a folder of the user's own, whole or not at all.

The kits lie in the folder `kits` of the package: sources alone, with the products of a build in a
checkout left behind.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from contextcert.subject import SubjectError

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    """Copy a kit into a folder that is new or empty.

    Raises:
        SubjectError: there is something in the folder, or it cannot be written.
    """
    _require_room(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".new-adapter-", dir=folder.parent) as beside:
            copied = Path(beside) / "kit"
            _copy(KITS / language, copied)
            _move(copied, folder)
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


def _copy(source: Path, target: Path) -> None:
    """Copy contents alone: an installed kit may be read-only, and a copy is there to be edited."""
    target.mkdir()
    for entry in sorted(source.iterdir()):
        if entry.name in PRODUCTS:
            continue
        if entry.is_dir():
            _copy(entry, target / entry.name)
        else:
            shutil.copyfile(entry, target / entry.name)


def _move(copied: Path, folder: Path) -> None:
    if not folder.exists():
        copied.rename(folder)
        return
    # Somebody may stand in the empty folder, so it stays, and what is copied goes into it.
    try:
        for entry in sorted(copied.iterdir()):
            entry.rename(folder / entry.name)
    except OSError:
        for entry in folder.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        raise
