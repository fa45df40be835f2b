"""A small context history, written from SPEC alone: what this kit's adapter certifies."""

from history.cursor import Cursor
from history.history import History
from history.items import (
    Edition,
    Envelope,
    read_envelopes,
    read_items,
    write_envelopes,
    write_items,
)
from history.media import MODALITIES
from history.truncation import Policy
from history.wire import RefusedError

__all__ = [
    "MODALITIES",
    "Cursor",
    "Edition",
    "Envelope",
    "History",
    "Policy",
    "RefusedError",
    "read_envelopes",
    "read_items",
    "write_envelopes",
    "write_items",
]
