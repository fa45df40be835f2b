"""The message of a panic that ended the process, looked for on stderr (`panic_ends_process`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from contextcert.refmodel.json_value import Json
    from contextcert.subject import Script

_ANOMALY: Final = re.compile(
    r"(?:Custom tool call output is missing"
    r"|Local shell call output is missing"
    r"|Orphan function call output"
    r"|Orphan custom tool call output"
    r"|Orphan tool search output)"
    r" for call id: "
)
"""How the messages of MODE-1 begin."""

_GOROUTINE: Final = "\n\ngoroutine "
"""What follows a message in Go, whose runtime indents every further line of it."""

_LINE_END: Final = re.compile("\n")

_BOUND: Final = re.compile(r"[\s'\"`,;)\]}]|\Z")

_BACKTRACE: Final = re.compile(r"note: |stack backtrace:|\s*\d+:|\s+at ")


def panic_message(logs: str, ops: Script) -> str:
    """Find the message of a panic in a tail of logs.

    A message of MODE-1 is found wherever it stands, and ends with the call id of the script that
    fits best, so an id with a newline in it is found too. Otherwise the last line that is no
    backtrace is given; it may be empty.
    """
    anomalies = list(_ANOMALY.finditer(logs))
    if not anomalies:
        return _last_line(logs)
    found = anomalies[-1]
    return found.group() + _call_id(logs[found.end() :], ops)


def _call_id(rest: str, ops: Script) -> str:
    """Find the call id that a message ends with: the longest that a line end follows.

    Where none does, quotes, brackets and words such as `[recovered]` may follow instead.
    """
    call_ids = set(_call_ids(list(ops)))
    plain = {call_id: call_id for call_id in call_ids}
    indented = {call_id: call_id.replace("\n", "\n\t") for call_id in call_ids}
    prints = (indented, plain) if _GOROUTINE in rest else (plain,)
    for follows in (_LINE_END, _BOUND):
        for printed in prints:
            fitting = [
                call_id
                for call_id, text in printed.items()
                if rest.startswith(text) and follows.match(rest, len(text))
            ]
            if fitting:
                return max(fitting, key=len)
    return rest.split("\n", 1)[0]


def _last_line(logs: str) -> str:
    lines = [line for line in logs.splitlines() if line.strip() and not _BACKTRACE.match(line)]
    return lines[-1].strip() if lines else ""


def _call_ids(value: Json) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(one)
        elif isinstance(one, dict):
            call_id = one.get("call_id")
            if isinstance(call_id, str):
                yield call_id
            waiting.extend(one.values())
