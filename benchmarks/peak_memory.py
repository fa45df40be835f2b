# ruff: noqa: INP001, T201 (a program, not part of the package)
"""How long a command takes, and how much memory it and all that it started hold at most.

usage: python benchmarks/peak_memory.py COMMAND...

Twice a second the proportional set sizes of the process and its descendants are added up: what
several share counts once. Linux alone tells them. The exit code is the command's own.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

PAUSE = 0.5
KILOBYTES_A_GIGABYTE = 1_000_000


def main() -> int:
    """Run the command, and say what it took."""
    began = time.monotonic()
    peak = 0
    with subprocess.Popen(sys.argv[1:]) as process:  # noqa: S603 -- the command that was given
        while process.poll() is None:
            peak = max(peak, sum(map(_kilobytes, _family(process.pid))))
            time.sleep(PAUSE)
    minutes, seconds = divmod(time.monotonic() - began, 60)
    print(f"{minutes:.0f} min {seconds:.0f} s, {peak / KILOBYTES_A_GIGABYTE:.2f} GB at most")
    return process.returncode


def _family(oldest: int) -> list[int]:
    """Give a process and its descendants, whatever their groups are."""
    children: dict[int, list[int]] = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text(encoding="ascii", errors="replace")
        except OSError:
            continue
        parent = int(stat.rpartition(")")[2].split()[1])
        children[parent].append(int(folder.name))
    family = [oldest]
    for one in family:
        family += children[one]
    return family


def _kilobytes(process: int) -> int:
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))


if __name__ == "__main__":
    sys.exit(main())
