"""The fault switch: `CONTEXTCERT_FAULT=name` breaks one thing, to see it caught.

An implementation of your own has no use for it: delete it together with `history/`.
"""  # noqa: INP001 (a kit is a folder of modules)

import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from typing import Literal, NoReturn, get_args

Fault = Literal[
    "adjacent-pairing",  # PAIR-6
    "another-panic-message",  # MODE-6
    "baseline-kept-by-rollback",  # WORLD-5
    "call-id-in-synthetic-id",  # SYN-1
    "clone-shares-state",  # SNAP-1
    "delta-after-replace",  # CUR-3
    "empty-call-id-is-absent",  # PAIR-11
    "families-share-ids",  # PAIR-7
    "head-removes-all-matches",  # HEAD-2
    "image-removed",  # IMG-2
    "marker-counts-removed",  # TRUNC-6
    "mixed-bundle-keeps-reference",  # ROLL-6
    "no-panic-in-debug",  # MODE-3
    "orphan-kept",  # ORPH-1
    "release-panics",  # MODE-4
    "repair-written-back",  # PROJ-1
    "version-bumped-by-recording",  # VER-3
    "wrong-mode",
    "crash",
    "hang",
    "garbage",
    "wrong-id",
    "half-line",
    "unknown-operation-crashes",
]

_CRASHED = 3
_active = os.environ.get("CONTEXTCERT_FAULT", "")
_spoils_answer = False

if _active and _active not in get_args(Fault):
    sys.stderr.write(
        f"CONTEXTCERT_FAULT names no fault: {_active!a}; known are {', '.join(get_args(Fault))}.\n"
    )
    sys.exit(2)


def fault(name: Fault) -> bool:
    """Say whether this is the fault switched on."""
    return name == _active


def crash(why: str) -> NoReturn:
    """End the process at once."""
    sys.stderr.write(f"{why}, and the fault {_active} ends the process.\n")
    sys.stderr.flush()
    os._exit(_CRASHED)


def meet(item_types: Iterable[str]) -> None:
    """Do what the faults of the transport do when a projection meets an agent message."""
    global _spoils_answer  # noqa: PLW0603 (the one place that knows of it)
    if not _active or "agent_message" not in item_types:
        return
    if fault("crash"):
        crash("A projection met an agent message")
    while fault("hang"):
        time.sleep(3600)
    _spoils_answer = True


def spoiled(write: Callable[[bytes], object]) -> Callable[[bytes], object]:
    """Give what writes answers, and spoils those of scripts that met an agent message."""

    def write_spoiled(answer: bytes) -> None:
        global _spoils_answer
        spoils, _spoils_answer = _spoils_answer, False
        if spoils and fault("garbage"):
            write(b"this is a log line, not an answer\n")
        if spoils and fault("wrong-id"):
            message = json.loads(answer)
            answer = json.dumps({**message, "id": message["id"] + 1}).encode() + b"\n"
        if spoils and fault("half-line"):
            os.write(1, answer[: len(answer) // 2])
            os._exit(0)
        write(answer)

    return write_spoiled
