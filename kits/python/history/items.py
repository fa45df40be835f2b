"""Items and their wire form (SPEC 1.1).

An item is kept as the JSON object that is written for it. It is never changed once it has been
read: what changes makes another. So whoever was handed one keeps what they were handed (SNAP-2).
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from history.wire import (
    UNWRITTEN,
    Fields,
    Reader,
    an_object,
    anything,
    array,
    boolean,
    choice,
    count,
    mapping,
    nullable,
    number,
    optional,
    record,
    required,
    tagged,
    text,
)

Item: TypeAlias = dict[str, Any]


class Edition(Enum):
    """An edition of SPEC."""

    AUGUST_2026 = "2026-08"
    NOVEMBER_2026 = "2026-11"


class Envelope(NamedTuple):
    """An item with what is never sent: metadata, and an output's success flag (ITEM-6, ITEM-8)."""

    item: Item
    metadata: dict[str, Any] | None = None
    success: bool | None = None

    def with_item(self, item: Item) -> "Envelope":
        """Give the envelope around another item."""
        return self if item is self.item else Envelope(item, self.metadata, self.success)


OUTPUTS = ("function_call_output", "custom_tool_call_output")
"""The types of outputs that have a body and a success flag."""

META = "internal_chat_message_metadata_passthrough"

_MAX_U64 = 2**64 - 1

_INPUT_TEXT = (required("text", text),)
_INPUT_IMAGE = (
    required("image_url", text),
    optional("detail", choice("auto", "low", "high", "original")),
)
_INPUT_AUDIO = (required("audio_url", text),)
_ENCRYPTED_CONTENT = (required("encrypted_content", text),)

_message_content = array(
    tagged(
        {
            "input_text": _INPUT_TEXT,
            "input_image": _INPUT_IMAGE,
            "input_audio": _INPUT_AUDIO,
            "output_text": _INPUT_TEXT,
        }
    )
)
_agent_content = array(tagged({"input_text": _INPUT_TEXT, "encrypted_content": _ENCRYPTED_CONTENT}))
_body_entries = array(
    tagged(
        {
            "input_text": _INPUT_TEXT,
            "input_image": _INPUT_IMAGE,
            "input_audio": _INPUT_AUDIO,
            "encrypted_content": _ENCRYPTED_CONTENT,
        }
    )
)
_reasoning_entries = array(tagged({"reasoning_text": _INPUT_TEXT, "text": _INPUT_TEXT}))


def _body(value: object) -> object:
    """Read an output's body, a string or an array (ITEM-4, ITEM-5)."""
    return value if isinstance(value, str) else _body_entries(value)


def _reasoning_content(value: object) -> object:
    """Read the content of a reasoning, which is written only with a `reasoning_text` (ITEM-7)."""
    entries = _reasoning_entries(value)
    return entries if any(one["type"] == "reasoning_text" for one in entries) else UNWRITTEN


_shell_action = tagged(
    {
        "exec": (
            required("command", array(text)),
            nullable("timeout_ms", count(_MAX_U64)),
            nullable("working_directory", text),
            nullable("env", mapping(text)),
            nullable("user", text),
        )
    }
)
_web_action = tagged(
    {
        "search": (optional("query", text), optional("queries", array(text))),
        "open_page": (optional("url", text),),
        "find_in_page": (optional("url", text), optional("pattern", text)),
    },
    unknown="other",
)

_id = optional("id", text)
_meta = optional(META, record((optional("turn_id", text), optional("create_time", number))))

_TYPES: Mapping[str, Fields] = {
    "message": (
        _id,
        required("role", text),
        required("content", _message_content),
        optional("phase", choice("commentary", "final_answer")),
        _meta,
    ),
    "agent_message": (
        _id,
        required("author", text),
        required("recipient", text),
        required("content", _agent_content),
        _meta,
    ),
    "reasoning": (
        _id,
        required("summary", array(tagged({"summary_text": _INPUT_TEXT}))),
        nullable("content", _reasoning_content),
        nullable("encrypted_content", text),
        _meta,
    ),
    "function_call": (
        _id,
        required("name", text),
        optional("namespace", text),
        required("arguments", text),
        optional("encrypted_function_args", array(text)),
        required("call_id", text),
        _meta,
    ),
    "function_call_output": (_id, required("call_id", text), required("output", _body), _meta),
    "custom_tool_call": (
        _id,
        optional("status", text),
        required("call_id", text),
        required("name", text),
        optional("namespace", text),
        required("input", text),
        _meta,
    ),
    "custom_tool_call_output": (
        _id,
        required("call_id", text),
        optional("name", text),
        required("output", _body),
        _meta,
    ),
    "tool_search_call": (
        _id,
        nullable("call_id", text),
        optional("status", text),
        required("execution", text),
        required("arguments", anything),
        _meta,
    ),
    "tool_search_output": (
        _id,
        nullable("call_id", text),
        required("status", text),
        required("execution", text),
        required("tools", array(anything)),
        _meta,
    ),
    "local_shell_call": (
        _id,
        nullable("call_id", text),
        required("status", choice("completed", "in_progress", "incomplete")),
        required("action", _shell_action),
        _meta,
    ),
    "web_search_call": (_id, optional("status", text), optional("action", _web_action), _meta),
    "image_generation_call": (
        _id,
        required("status", text),
        optional("revised_prompt", text),
        required("result", text),
        _meta,
    ),
    "additional_tools": (_id, required("role", text), required("tools", array(anything))),
    "compaction": (_id, required("encrypted_content", text), _meta),
    "context_compaction": (_id, optional("encrypted_content", text), _meta),
    "compaction_trigger": (),
}

_TYPES_OF_NOVEMBER: Mapping[str, Fields] = {
    **_TYPES,
    "function_call_output": (
        _id,
        optional("call_id", text),
        optional("name", text),
        optional("namespace", text),
        required("output", _body),
        _meta,
    ),
}


def _item_reader(types: Mapping[str, Fields]) -> Reader:
    read_tagged = tagged(types, unknown="other")  # ITEM-2

    def read(value: object) -> Item:
        if isinstance(value, dict) and value.get("type") == "compaction_summary":
            value = {**value, "type": "compaction"}
        item: Item = read_tagged(value)
        return item

    return read


_ITEM_READERS: Mapping[Edition, Reader] = {
    Edition.AUGUST_2026: _item_reader(_TYPES),
    Edition.NOVEMBER_2026: _item_reader(_TYPES_OF_NOVEMBER),  # E11-1
}
_ENVELOPE_READERS: Mapping[Edition, Reader] = {
    edition: record(
        (
            required("item", read_item),
            nullable("metadata", an_object),
            nullable("success", boolean),
        )
    )
    for edition, read_item in _ITEM_READERS.items()
}


def read_items(value: object, edition: Edition) -> list[Envelope]:
    """Read a list of items, into envelopes without metadata.

    Raises:
        RefusedError: one cannot be read, so none is (ITEM-4).
    """
    return [Envelope(item) for item in array(_ITEM_READERS[edition])(value)]


def read_envelopes(value: object, edition: Edition) -> list[Envelope]:
    """Read a list of `{"item", "metadata", "success"?}`; only the item must be there.

    Raises:
        RefusedError: one cannot be read, so none is (ITEM-4).
    """
    return [_envelope(given) for given in array(_ENVELOPE_READERS[edition])(value)]


def _envelope(given: Mapping[str, Any]) -> Envelope:
    """Make an envelope; only an output has a success flag (ITEM-6)."""
    item = given["item"]
    return Envelope(item, given["metadata"], given["success"] if _is_output(item) else None)


def _is_output(item: Item) -> bool:
    return item["type"] in OUTPUTS


def write_items(envelopes: Iterable[Envelope]) -> list[Item]:
    """Write the items alone: metadata is never part of them (ITEM-8)."""
    return [envelope.item for envelope in envelopes]


def write_envelopes(envelopes: Iterable[Envelope]) -> list[dict[str, Any]]:
    """Write envelopes; the success flag is left out where there is none."""
    return [_write_envelope(envelope) for envelope in envelopes]


def _write_envelope(envelope: Envelope) -> dict[str, Any]:
    written = {"item": envelope.item, "metadata": envelope.metadata}
    return written if envelope.success is None else {**written, "success": envelope.success}
