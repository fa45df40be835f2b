"""The wire form of items (SPEC 1.1): one table, read strictly and written in its order.

Reading and writing copy: nothing that is handed in or out is shared with an item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, cast

import orjson

from contextcert.refmodel import items
from contextcert.refmodel.items import Item, ReasoningEntry, ReasoningText
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import DEFAULT_EDITION, Edition
from contextcert.refmodel.opaque import copy_json
from contextcert.refmodel.shapes import (
    JSON,
    JSON_ARRAY,
    NUMBER,
    STRING,
    TEXT_MAP,
    UNSIGNED,
    ItemError,
    Shape,
    Tagged,
    list_of,
    nullable,
    one_of,
    optional,
    required,
    tagged_shape,
    text_or,
)

REMEMBERED_ITEMS: Final = 4096
LONGEST_REMEMBERED: Final = 2048
"""Items whose JSON text has at most so many bytes are read once and then remembered."""


def _has_reasoning_text(content: tuple[ReasoningEntry, ...]) -> bool:
    """ITEM-7: a content without one `reasoning_text` is left out."""
    return any(isinstance(entry, ReasoningText) for entry in content)


_INPUT_TEXT = tagged_shape(items.InputText, required("text", STRING))
_INPUT_IMAGE = tagged_shape(
    items.InputImage,
    required("image_url", STRING),
    optional("detail", one_of("auto", "low", "high", "original")),
)
_INPUT_AUDIO = tagged_shape(items.InputAudio, required("audio_url", STRING))
_OUTPUT_TEXT = tagged_shape(items.OutputText, required("text", STRING))
_ENCRYPTED = tagged_shape(items.EncryptedContent, required("encrypted_content", STRING))

_MESSAGE_ENTRY = Tagged.of(_INPUT_TEXT, _INPUT_IMAGE, _INPUT_AUDIO, _OUTPUT_TEXT).kind()
_AGENT_ENTRY = Tagged.of(_INPUT_TEXT, _ENCRYPTED).kind()
_BODY_ENTRY = Tagged.of(_INPUT_TEXT, _INPUT_IMAGE, _INPUT_AUDIO, _ENCRYPTED).kind()
_BODY = text_or(list_of(_BODY_ENTRY))
_SUMMARY_ENTRY = Tagged.of(tagged_shape(items.SummaryText, required("text", STRING))).kind()
_REASONING_ENTRY = Tagged.of(
    tagged_shape(items.ReasoningText, required("text", STRING)),
    tagged_shape(items.PlainText, required("text", STRING)),
).kind()
_SHELL_ACTION = Tagged.of(
    tagged_shape(
        items.ExecAction,
        required("command", list_of(STRING)),
        nullable("timeout_ms", UNSIGNED),
        nullable("working_directory", STRING),
        nullable("env", TEXT_MAP),
        nullable("user", STRING),
    )
).kind()
_WEB_SEARCH_ACTION = Tagged.of(
    tagged_shape(
        items.SearchAction,
        optional("query", STRING),
        optional("queries", list_of(STRING)),
    ),
    tagged_shape(items.OpenPageAction, optional("url", STRING)),
    tagged_shape(items.FindInPageAction, optional("url", STRING), optional("pattern", STRING)),
    fallback=tagged_shape(items.OtherAction),
).kind()
_META_FIELDS = Shape.of(
    items.Meta, optional("turn_id", STRING), optional("create_time", NUMBER)
).kind()

_ID = optional("id", STRING)
_CALL_ID = required("call_id", STRING)
_OPTIONAL_CALL_ID = nullable("call_id", STRING)
_META = optional("internal_chat_message_metadata_passthrough", _META_FIELDS, "meta")

_FUNCTION_CALL_OUTPUT_2026_08 = tagged_shape(
    items.FunctionCallOutput, _ID, _CALL_ID, required("output", _BODY), _META
)
_FUNCTION_CALL_OUTPUT_2026_11 = tagged_shape(  # E11-1
    items.FunctionCallOutput,
    _ID,
    optional("call_id", STRING),
    optional("name", STRING),
    optional("namespace", STRING),
    required("output", _BODY),
    _META,
)


def _table(function_call_output: Shape) -> Tagged:
    """The table of SPEC 1.1; the editions differ in one row."""
    return Tagged.of(
        tagged_shape(
            items.Message,
            _ID,
            required("role", STRING),
            required("content", list_of(_MESSAGE_ENTRY)),
            optional("phase", one_of("commentary", "final_answer")),
            _META,
        ),
        tagged_shape(
            items.AgentMessage,
            _ID,
            required("author", STRING),
            required("recipient", STRING),
            required("content", list_of(_AGENT_ENTRY)),
            _META,
        ),
        tagged_shape(
            items.Reasoning,
            _ID,
            required("summary", list_of(_SUMMARY_ENTRY)),
            nullable("content", list_of(_REASONING_ENTRY), shown=_has_reasoning_text),
            nullable("encrypted_content", STRING),
            _META,
        ),
        tagged_shape(
            items.FunctionCall,
            _ID,
            required("name", STRING),
            optional("namespace", STRING),
            required("arguments", STRING),
            optional("encrypted_function_args", list_of(STRING)),
            _CALL_ID,
            _META,
        ),
        function_call_output,
        tagged_shape(
            items.CustomToolCall,
            _ID,
            optional("status", STRING),
            _CALL_ID,
            required("name", STRING),
            optional("namespace", STRING),
            required("input", STRING),
            _META,
        ),
        tagged_shape(
            items.CustomToolCallOutput,
            _ID,
            _CALL_ID,
            optional("name", STRING),
            required("output", _BODY),
            _META,
        ),
        tagged_shape(
            items.ToolSearchCall,
            _ID,
            _OPTIONAL_CALL_ID,
            optional("status", STRING),
            required("execution", STRING),
            required("arguments", JSON),
            _META,
        ),
        tagged_shape(
            items.ToolSearchOutput,
            _ID,
            _OPTIONAL_CALL_ID,
            required("status", STRING),
            required("execution", STRING),
            required("tools", JSON_ARRAY),
            _META,
        ),
        tagged_shape(
            items.LocalShellCall,
            _ID,
            _OPTIONAL_CALL_ID,
            required("status", one_of("completed", "in_progress", "incomplete")),
            required("action", _SHELL_ACTION),
            _META,
        ),
        tagged_shape(
            items.WebSearchCall,
            _ID,
            optional("status", STRING),
            optional("action", _WEB_SEARCH_ACTION),
            _META,
        ),
        tagged_shape(
            items.ImageGenerationCall,
            _ID,
            required("status", STRING),
            optional("revised_prompt", STRING),
            required("result", STRING),
            _META,
        ),
        tagged_shape(
            items.AdditionalTools,
            _ID,
            required("role", STRING),
            required("tools", JSON_ARRAY),
        ),
        tagged_shape(items.Compaction, _ID, required("encrypted_content", STRING), _META),
        tagged_shape(items.ContextCompaction, _ID, optional("encrypted_content", STRING), _META),
        tagged_shape(items.CompactionTrigger),
        fallback=tagged_shape(items.Other),
        aliases={"compaction_summary": "compaction"},
    )


_TABLE_2026_08 = _table(_FUNCTION_CALL_OUTPUT_2026_08)
_TABLE_2026_11 = _table(_FUNCTION_CALL_OUTPUT_2026_11)


def _remembering_reader(table: Tagged) -> Callable[[Json], Item]:
    """Make a reader that remembers small items by their exact JSON text.

    The text tells 1, 1.0 and true apart, and items are frozen, so the memory cannot be noticed.
    Reading from the text makes the copy that the table asks for.
    """

    def read_text(text: bytes) -> Item:
        return cast("Item", table.read(orjson.loads(text)))

    remembered = lru_cache(maxsize=REMEMBERED_ITEMS)(read_text)

    def read(value: Json) -> Item:
        try:
            text = orjson.dumps(value)
        except TypeError:  # an integer beyond 64 bits, or very deep nesting
            return cast("Item", table.read(copy_json(value)))
        return remembered(text) if len(text) <= LONGEST_REMEMBERED else read_text(text)

    return read


_read_2026_08 = _remembering_reader(_TABLE_2026_08)
_read_2026_11 = _remembering_reader(_TABLE_2026_11)


def _reader(edition: Edition) -> Callable[[Json], Item]:
    return _read_2026_11 if edition is Edition.NOVEMBER_2026 else _read_2026_08


def read_item(value: Json, edition: Edition = DEFAULT_EDITION) -> Item:
    """Read one item strictly (ITEM-1 to ITEM-5, ITEM-7; E11-1 in edition 2026-11).

    Raises:
        ItemError: the value is no item (ITEM-4); the message names the type and the field.
    """
    return _reader(edition)(value)


def read_items(values: Iterable[Json], edition: Edition = DEFAULT_EDITION) -> list[Item]:
    """Read a list of items, all or none (ITEM-4).

    Raises:
        ItemError: one of them is no item; the message starts with its index.
    """
    read = _reader(edition)
    read_so_far: list[Item] = []
    try:
        for value in values:
            read_so_far.append(read(value))  # noqa: PERF401 - its length places the error
    except ItemError as error:
        raise error.inside(f"[{len(read_so_far)}]") from None
    return read_so_far


def write_item(item: Item) -> JsonObject:
    """Write one item in the wire form of SPEC 1.1 (ITEM-1, ITEM-2, ITEM-6 to ITEM-8)."""
    return write_items((item,))[0]


def write_items(items_: Sequence[Item]) -> list[JsonObject]:
    """Write items; the caller owns all of the result."""
    try:
        texts = [item.wire_text or _written_text(item) for item in items_]
    except TypeError:  # an integer beyond 64 bits, or very deep nesting
        return [cast("JsonObject", copy_json(_TABLE_2026_11.write(item))) for item in items_]
    return cast("list[JsonObject]", orjson.loads(b"[%b]" % b",".join(texts)))


def _written_text(item: Item) -> bytes:
    """Write an item as JSON text and keep the text beside it: most items are written often."""
    text = orjson.dumps(_TABLE_2026_11.write(item))
    object.__setattr__(item, "wire_text", text)
    return text
