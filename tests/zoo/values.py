"""The few words shared by the parts of the zoo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

Json: TypeAlias = Any
Object: TypeAlias = dict[str, Any]

META: Final = "internal_chat_message_metadata_passthrough"


class RefusalError(Exception):
    """A value cannot be read; the operation that brought it has no effect."""


class PanicError(Exception):
    """A debug build met an anomaly; the argument is its message."""


@dataclass(frozen=True)
class Envelope:
    """An item as read (absent fields are no keys), and what is never sent to a model."""

    item: Object
    metadata: Object | None = None
    success: bool | None = None


@dataclass(frozen=True)
class History:
    """One handle's state; operations make a new one."""

    envelopes: tuple[Envelope, ...] = ()
    version: int = 0
    baseline: Json = None
    reference: Json = None
    token_info: Json = None
