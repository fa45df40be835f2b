"""Temporary folders that go away, even those of processes that were killed.

Each folder holds a lock file. The system frees the lock when its owner dies, however it dies; a
folder whose lock is free is removed by the next one that is made.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_PREFIX: Final = "contextcert-codex-"
_LOCK: Final = "lock"


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give a new folder for as long as the context lasts, and remove abandoned ones."""
    _remove_abandoned(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    try:
        with _locked(folder / _LOCK):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{_PREFIX}*"):
        # One without its lock file is being made just now, or belongs to somebody else.
        with contextlib.suppress(OSError):
            if folder.stat().st_uid == os.getuid() and (folder / _LOCK).exists():
                with _locked(folder / _LOCK):
                    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a file's lock.

    Raises:
        OSError: somebody else holds it.
    """
    import fcntl  # noqa: PLC0415 -- not there on every system

    with path.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
