"""A stored session file, written by hand, that the binary reads back without adding ids."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from contextcert.adapters.codex.app_server import AppServer
from contextcert.adapters.codex.home import PROVIDER
from contextcert.adapters.codex.models import model_name
from contextcert.protocol.json_codec import encode
from contextcert.refmodel.json_value import Json, JsonObject

# The binary wants times; none of them ever reaches a prompt.
_TIME: Final = "2026-01-01T00:00:00.000Z"


def restore(server: AppServer, items: Sequence[Json]) -> str:
    """Have the binary read the items from a session file; give the thread's id.

    Raises:
        BinaryRefusal: it does not read the file.
        JsonError: an item holds a lone surrogate.
    """
    return server.resume_thread(*write_stored_session(server.home, items), model_name(()))


def write_stored_session(folder: Path, items: Sequence[Json]) -> tuple[str, Path]:
    """Write the items as a session file into the folder; give its thread id and its path."""
    thread = str(uuid.uuid4())
    meta: JsonObject = {
        "id": thread,
        "timestamp": _TIME,
        "cwd": str(folder),
        "originator": "contextcert",
        "source": "vscode",
        "cli_version": "0.0.0",
        "model_provider": PROVIDER,
    }
    lines = [_line("session_meta", meta), *(_line("response_item", item) for item in items)]
    path = folder / f"stored-{thread}.jsonl"
    path.write_bytes(b"".join(lines))
    return thread, path


def _line(kind: str, payload: Json) -> bytes:
    return encode({"timestamp": _TIME, "type": kind, "payload": payload}) + b"\n"
