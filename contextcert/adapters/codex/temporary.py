"""A temporary folder that goes away with this process, however this process ends."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_PREFIX: Final = "contextcert-codex-"
# It waits on a pipe from here. A program that is being killed beside us may still write.
_JANITOR: Final = """
read -r _
for pause in 0 0.2 1 3; do
  sleep "$pause"
  rm -rf -- "$1" && exit
done
"""
_JANITOR_SECONDS: Final = 10.0


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give a new folder for as long as the context lasts.

    A small shell removes it when this process is killed. The shell is in a session of its own, so
    that killing our process group does not reach it.
    """
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    with subprocess.Popen(  # noqa: S603 -- a fixed script
        ["/bin/sh", "-c", _JANITOR, "janitor", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as janitor:
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            janitor.communicate(timeout=_JANITOR_SECONDS)
