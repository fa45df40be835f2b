"""Plain items in wire form, with every required field filled in and every null written out."""

from __future__ import annotations

from typing import Final

from contextcert.refmodel import Json, JsonObject

PNG: Final = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FD"
    "AAAAAElFTkSuQmCC"
)
"""One red pixel: a picture that survives recording in every edition (E11-5)."""

WAV: Final = "data:audio/wav;base64,AAAA"
"""Audio that no decoder takes, and that survives recording in every edition (E11-5, TRUNC-9)."""

LINK: Final = "https://example.invalid/a.png"
"""A picture elsewhere, which recording keeps as it is only in edition 2026-08 (E11-5)."""

META: Final = "internal_chat_message_metadata_passthrough"
"""The field that SPEC 1.1 calls `meta`."""

ID_PREFIXES: Final = {
    "message": "msg",
    "agent_message": "amsg",
    "reasoning": "rs",
    "function_call": "fc",
    "function_call_output": "fco",
    "custom_tool_call": "ctc",
    "custom_tool_call_output": "ctco",
    "tool_search_call": "tsc",
    "tool_search_output": "tso",
    "local_shell_call": "lsh",
    "web_search_call": "ws",
    "image_generation_call": "ig",
    "additional_tools": "at",
    "compaction": "cmp",
    "context_compaction": "cmp",
}
"""The usual prefix of an item id, by item type (E11-2)."""


def text(value: str) -> JsonObject:
    """Give an `input_text` entry."""
    return {"type": "input_text", "text": value}


def image(**fields: Json) -> JsonObject:
    """Give an `input_image` entry."""
    return {"type": "input_image", "image_url": PNG, **fields}


def audio(**fields: Json) -> JsonObject:
    """Give an `input_audio` entry."""
    return {"type": "input_audio", "audio_url": WAV, **fields}


def linked_media() -> list[JsonObject]:
    """Give an image and audio whose addresses are no data URLs, for edition 2026-08 alone."""
    return [image(image_url=LINK, detail="low"), audio(audio_url="")]


def encrypted(value: str = "gAAA") -> JsonObject:
    """Give an `encrypted_content` entry."""
    return {"type": "encrypted_content", "encrypted_content": value}


def shell_action(**fields: Json) -> JsonObject:
    """Give the action of a local shell call, its four optional fields null unless given."""
    action: JsonObject = {
        "type": "exec",
        "command": ["ls"],
        "timeout_ms": None,
        "working_directory": None,
        "env": None,
        "user": None,
    }
    return {**action, **fields}


_REQUIRED: Final[dict[str, JsonObject]] = {
    "message": {"role": "user", "content": [text("hi")]},
    "agent_message": {"author": "/root", "recipient": "/root/a", "content": [text("go")]},
    "reasoning": {"summary": [], "content": None, "encrypted_content": None},
    "function_call": {"name": "f", "arguments": "{}", "call_id": "c1"},
    "function_call_output": {"call_id": "c1", "output": "ok"},
    "custom_tool_call": {"call_id": "c1", "name": "t", "input": "in"},
    "custom_tool_call_output": {"call_id": "c1", "output": "ok"},
    "tool_search_call": {"call_id": "c1", "execution": "client", "arguments": {}},
    "tool_search_output": {
        "call_id": "c1",
        "status": "completed",
        "execution": "client",
        "tools": [],
    },
    "local_shell_call": {"call_id": "c1", "status": "completed", "action": shell_action()},
    "web_search_call": {},
    "image_generation_call": {"status": "completed", "result": "cG5n"},
    "additional_tools": {"role": "developer", "tools": []},
    "compaction": {"encrypted_content": "gAAA"},
    "context_compaction": {},
    "compaction_trigger": {},
}


def item(item_type: str, **fields: Json) -> JsonObject:
    """Give the plainest item of a type, with the given fields set.

    The values it starts from are shared between items: build new ones, never change them.
    """
    return {"type": item_type, **_REQUIRED[item_type], **fields}


def entries_of(value: JsonObject) -> list[JsonObject]:
    """List what an item holds in an array: content of a message, of an output, or tools."""
    bodies = (value.get(name) for name in ("content", "output", "tools"))
    listed = (body for body in bodies if isinstance(body, list))
    return [entry for body in listed for entry in body if isinstance(entry, dict)]
