"""Keep this process and its children to the loopback interface, where the system allows it.

Everything that depends on the system's network namespaces is in this module.
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import sys
from pathlib import Path
from typing import Final

_CLONE_NEWUSER: Final = 0x1000_0000
_CLONE_NEWNET: Final = 0x4000_0000
_SIOCGIFFLAGS: Final = 0x8913
_SIOCSIFFLAGS: Final = 0x8914
_IFF_UP: Final = 1
_INTERFACE_REQUEST: Final = struct.Struct("16sh22x")


class NotIsolatedError(Exception):
    """The system gives no network namespace; the message says why."""


def keep_to_loopback() -> None:
    """Move this process into a network namespace that has the loopback interface alone.

    It must be called before any thread starts. A process that cannot stays as it is.

    Raises:
        NotIsolatedError: the system has no such namespaces, or does not allow one.
    """
    if sys.platform != "linux":
        raise NotIsolatedError(f"{sys.platform} has no network namespaces")
    # A refusal half way would leave a process without any network: a child tries it first.
    reason = _tried_in_child()
    if reason:
        raise NotIsolatedError(reason)
    _enter()


def only_loopback() -> bool:
    """Say whether this process sees the loopback interface and no other."""
    return [name for _, name in socket.if_nameindex()] == ["lo"]


def _tried_in_child() -> str:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.write(writer, _refusal().encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        reason = answers.read().decode()
    os.waitpid(child, 0)
    return reason


def _refusal() -> str:
    try:
        _enter()
    except OSError as error:
        return f"the system refuses a network namespace ({error.strerror or error})"
    return "" if only_loopback() else "a new network namespace has more than loopback"


def _enter() -> None:
    try:
        _unshare(_CLONE_NEWNET)
    except PermissionError:
        user, group = os.geteuid(), os.getegid()
        _unshare(_CLONE_NEWUSER | _CLONE_NEWNET)
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    _loopback_up()


def _unshare(flags: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flags) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _loopback_up() -> None:
    import fcntl  # noqa: PLC0415 -- not there on every system

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        asked = _INTERFACE_REQUEST.pack(b"lo", 0)
        _, flags = _INTERFACE_REQUEST.unpack(fcntl.ioctl(control, _SIOCGIFFLAGS, asked))
        fcntl.ioctl(control, _SIOCSIFFLAGS, _INTERFACE_REQUEST.pack(b"lo", flags | _IFF_UP))
