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

_BACKTRACE: Final = re.compile(r"note: |stack backtrace:|\s*\d+:|\s+at ")


def panic_message(logs: str, ops: Script) -> str:
    """Find the message of a panic in a tail of logs.

    A message of MODE-1 is found wherever it stands, and ends with the call id of the script that
    fits best, so an id with a newline in it is found too, also where the language's runtime
    indents the lines of a message. Otherwise the last line that is no backtrace is given; it may
    be empty.
    """
    anomalies = list(_ANOMALY.finditer(logs))
    if not anomalies:
        return _last_line(logs)
    found = anomalies[-1]
    rest = logs[found.end() :]
    fitting = [call_id for call_id in _call_ids(list(ops)) if _begins(rest, call_id)]
    line = rest.split("\n", 1)[0]
    longest = max(fitting, key=len, default=line)
    return found.group() + longest


def _begins(text: str, call_id: str) -> bool:
    """Say whether a call id comes first, as it is or as Go prints it: its lines indented."""
    return text.startswith((call_id, call_id.replace("\n", "\n\t")))


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
