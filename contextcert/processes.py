"""Everything that depends on the system: process groups, signals, cores, non-blocking pipes.

Linux and macOS are served fully, save that only Linux can pin a process to a core. On Windows
programs cannot be driven; in-process subjects and the built-in model can.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CAN_DRIVE_PROGRAMS: Final = sys.platform != "win32"
"""Whether this system has the process groups and polled pipes that stdio adapters need."""

_YIELDS_BEFORE_SLEEP: Final = 50
_SLEEP_SECONDS: Final = 0.001
_GUARDIAN_SECONDS: Final = 2.0

_GUARDIAN_SCRIPT: Final = """
groups=
while read -r verb group; do
  left=
  for one in $groups; do [ "$one" = "$group" ] || left="$left $one"; done
  groups=$left
  [ "$verb" = forget ] || groups="$groups $group"
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
"""


def pin_to_core(core: int) -> bool:
    """Keep this process, and the children it starts from now on, on one core.

    A round trip between two processes on one core costs a fraction of one across cores. Gives
    False, and changes nothing, where the system cannot.
    """
    if not hasattr(os, "sched_setaffinity"):
        return False
    try:
        os.sched_setaffinity(0, {core})
    except OSError:
        return False
    return True


def usable_cores() -> tuple[int, ...]:
    """List the cores this process may run on, in order; numbers from 0 where unknown."""
    if hasattr(os, "sched_getaffinity"):
        return tuple(sorted(os.sched_getaffinity(0)))
    return tuple(range(os.cpu_count() or 1))


class Guardian:
    """A small shell that ends the groups left behind if this process is killed.

    It waits on a pipe from here; when the pipe closes, for whatever reason, it kills every group
    it was told of. A parent-death signal would reach the child only, and exists on Linux alone.
    """

    def __init__(self) -> None:
        """Start the shell, out of reach of signals sent to our own group."""
        self.owner = os.getpid()
        self._shell = subprocess.Popen(  # noqa: S603 (a fixed script)
            ["/bin/sh", "-c", _GUARDIAN_SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )

    def watch(self, group: int) -> None:
        """End this group when we die."""
        self._tell(f"watch {group}\n")

    def forget(self, group: int) -> None:
        """Leave this group alone from now on."""
        self._tell(f"forget {group}\n")

    def release(self) -> None:
        """Let go of the pipe; the shell acts when the last process that holds it does."""
        self._pipe.close()

    def close(self) -> None:
        """Let the shell end what is left, and wait for it."""
        self.release()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._shell.wait(_GUARDIAN_SECONDS)

    @property
    def _pipe(self) -> IO[bytes]:
        assert self._shell.stdin is not None
        return self._shell.stdin

    def _tell(self, line: str) -> None:
        with contextlib.suppress(OSError):
            self._pipe.write(line.encode())


_guardians: Final[list[Guardian]] = []


def _guardian() -> Guardian:
    if not _guardians or _guardians[-1].owner != os.getpid():
        _guardians.append(Guardian())
        atexit.register(_guardians[-1].close)
    return _guardians[-1]


def _release_inherited() -> None:
    """A fork has its own guardian; holding on to its parent's would keep that one waiting."""
    for guardian in _guardians:
        guardian.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_inherited)


class Child:
    """A program in a process group of its own; our ends of its pipes never block."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], cwd: str | None) -> None:
        """Start the program; `env` is added to our own environment.

        Raises:
            OSError: the program or the folder is missing or may not be used; `filename` says
                which of the two.
        """
        guardian = _guardian()
        self._process = subprocess.Popen(  # noqa: S603 (running a named program is the purpose)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=cwd,
            env={**os.environ, **env},
            start_new_session=True,
        )
        guardian.watch(self._process.pid)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self.stdin, self.stdout, self.stderr = (_unblocked(pipe) for pipe in pipes)

    @property
    def group(self) -> int:
        """The number of the process group, which is that of its first process."""
        return self._process.pid

    def exit_status(self, seconds: float = 0.0) -> int | None:
        """Wait up to so long for the program to end; negative is the signal that ended it."""
        if (status := self._process.poll()) is not None or seconds <= 0:
            return status
        deadline = time.monotonic() + seconds
        turns = 0
        while (status := self._process.poll()) is None and time.monotonic() < deadline:
            turns += 1
            # A dying process on our own core needs the core first, then real time.
            time.sleep(0 if turns < _YIELDS_BEFORE_SLEEP else _SLEEP_SECONDS)
        return status

    def end(self, grace: float = 0.0) -> None:
        """End the whole group: politely if there is time for grace, then for good."""
        if grace > 0 and self.exit_status() is None:
            self._signal(signal.SIGTERM)
            self.exit_status(grace)
        self._signal(_KILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        _guardian().forget(self.group)

    def close_stdin(self) -> None:
        """Tell the program that nothing more is coming."""
        if self._process.stdin is not None:
            self._process.stdin.close()

    def _signal(self, number: int) -> None:
        # macOS refuses to signal a group whose only member is not yet reaped.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform != "win32":
                os.killpg(self.group, number)


_KILL: Final = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL


def _unblocked(pipe: IO[bytes] | None) -> int:
    assert pipe is not None
    if sys.platform != "win32":
        os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


def name_of_signal(number: int) -> str:
    """Give a signal's name, such as SIGSEGV, or its number where it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def peak_memory(group: int) -> int | None:
    """Give the bytes that the processes of a group, and all below them, held at most.

    Each counts its own most, so what they share counts once a process. None where the system does
    not tell (only Linux does), or where there is no such process.
    """
    told = [_peak_of(pid) for pid in _members(group)]
    known = [one for one in told if one is not None]
    return sum(known) if known else None


def _members(group: int) -> set[int]:
    """List the processes of a group, and those that they started, whatever group these are in."""
    parents, members = {}, set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        # What stands in brackets is the program's name, which may hold anything.
        with contextlib.suppress(OSError, ValueError, IndexError):
            _, parent, own_group = stat.read_text(errors="replace").rpartition(")")[2].split()[:3]
            parents[int(stat.parent.name)] = int(parent)
            if int(own_group) == group:
                members.add(int(stat.parent.name))
    grown = 0
    while members and len(members) > grown:
        grown = len(members)
        members |= {pid for pid, parent in parents.items() if parent in members}
    return members


def _peak_of(pid: int) -> int | None:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for told in Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines():
            if told.startswith("VmHWM:"):
                return int(told.split()[1]) * 1024
    return None
