"""What the binary reports at error level while it projects, read from its log (MODE-7). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from contextcert.refmodel.json_value import Json

_SUBJECT: Final = "codex_core::util"
# A call id may hold a line feed, so that an entry ends only where the next one begins.
_ENTRY: Final = re.compile(
    r"^(?:\x1b\[[0-9;]*m)*\d{4}-\d\d-\d\dT[0-9:.]+Z(?:\x1b\[[0-9;]*m)*"
    r" +(?:\x1b\[[0-9;]*m)*(?P<level>[A-Z]+)(?:\x1b\[[0-9;]*m)*"
    r" +(?:\x1b\[[0-9;]*m)*(?P<subject>[a-z_0-9:]+?)(?:\x1b\[[0-9;]*m)*:(?:\x1b\[[0-9;]*m)* ",
    re.MULTILINE,
)
_ESCAPED: Final = {code: f"\\x{code:02x}" for code in (0x1B, 0x07, 0x08, 0x0C, 0x7F)} | {
    code: f"\\u{{{code:x}}}" for code in range(0x80, 0xA0)
}
"""Control characters that the log shows escaped, lest they reach a terminal."""

_ABOUT: Final = " for call id: "


def messages_in(log: str) -> list[str]:
    """Give what was reported about histories, in order, as the log shows it."""
    entries = list(_ENTRY.finditer(log))
    ends = [entry.start() for entry in entries[1:]] + [len(log)]
    return [
        log[entry.end() : end].removesuffix("\n")
        for entry, end in zip(entries, ends, strict=True)
        if entry["level"] == "ERROR" and entry["subject"] == _SUBJECT
    ]


def escaped_call_ids(items: Iterable[Json]) -> dict[str, str]:
    """Give the call_ids that the log shows otherwise than they are, by what it shows."""
    ids = {
        str(item["call_id"])
        for item in items
        if isinstance(item, dict) and isinstance(item.get("call_id"), str)
    }
    escaped = ((one.translate(_ESCAPED), one) for one in sorted(ids))
    return {shown: one for shown, one in escaped if shown != one and shown not in ids}


def with_call_ids(messages: Iterable[str], escaped: Mapping[str, str]) -> list[str]:
    """Put the call_ids in as they are."""
    return [_with_call_id(message, escaped) for message in messages]


def _with_call_id(message: str, escaped: Mapping[str, str]) -> str:
    what, call_id = parted(message)
    return joined_report(what, escaped.get(call_id, call_id))


def parted(message: str) -> tuple[str, str]:
    """Split a message into what it says and the call_id that it is about."""
    what, _, call_id = message.partition(_ABOUT)
    return what, call_id


def joined_report(what: str, call_id: str) -> str:
    """Write a message that says this about a call_id."""
    return what + _ABOUT + call_id
