"""Items on the wire (SPEC 1.1): a table of fields, one reader per kind of value, one writer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from zoo.values import META, Json, Object, RefusalError


@dataclass(frozen=True)
class Field:
    """One field of a tagged object: how it is named, read, and written when absent."""

    name: str
    kind: str
    required: bool
    null_when_absent: bool


def fields(line: str) -> tuple[Field, ...]:
    """Read a row of the table: `name`, `name?` optional, `name!` null when absent; `:kind`."""
    table = []
    for word in line.split():
        name, _, kind = word.partition(":")
        plain = name.rstrip("?!")
        table.append(
            Field(
                META if plain == "meta" else plain,
                "meta" if plain == "meta" else kind or "string",
                required=name == plain,
                null_when_absent=name.endswith("!"),
            )
        )
    return tuple(table)


Table: TypeAlias = Mapping[str, tuple[Field, ...]]

ITEMS: Final[Table] = {
    "message": fields("id? role content:message_parts phase?:phase meta?"),
    "agent_message": fields("id? author recipient content:agent_parts meta?"),
    "reasoning": fields(
        "id? summary:summary_parts content?:reasoning_parts encrypted_content! meta?"
    ),
    "function_call": fields(
        "id? name namespace? arguments encrypted_function_args?:strings call_id meta?"
    ),
    "function_call_output": fields("id? call_id output:body meta?"),
    "custom_tool_call": fields("id? status? call_id name namespace? input meta?"),
    "custom_tool_call_output": fields("id? call_id name? output:body meta?"),
    "tool_search_call": fields("id? call_id! status? execution arguments:any meta?"),
    "tool_search_output": fields("id? call_id! status execution tools:array meta?"),
    "local_shell_call": fields("id? call_id! status:shell_status action:shell_action meta?"),
    "web_search_call": fields("id? status? action?:web_action meta?"),
    "image_generation_call": fields("id? status revised_prompt? result meta?"),
    "additional_tools": fields("id? role tools:array"),
    "compaction": fields("id? encrypted_content meta?"),
    "context_compaction": fields("id? encrypted_content? meta?"),
    "compaction_trigger": (),
}

ALIASES: Final = {"compaction_summary": "compaction"}

OTHER: Final[Object] = {"type": "other"}

_TEXT: Final = fields("text")
_IMAGE: Final = fields("image_url detail?:detail")
_AUDIO: Final = fields("audio_url")
_ENCRYPTED: Final = fields("encrypted_content")

MESSAGE_PARTS: Final[Table] = {
    "input_text": _TEXT,
    "input_image": _IMAGE,
    "input_audio": _AUDIO,
    "output_text": _TEXT,
}
BODY_PARTS: Final[Table] = {
    "input_text": _TEXT,
    "input_image": _IMAGE,
    "input_audio": _AUDIO,
    "encrypted_content": _ENCRYPTED,
}
AGENT_PARTS: Final[Table] = {"input_text": _TEXT, "encrypted_content": _ENCRYPTED}
SUMMARY_PARTS: Final[Table] = {"summary_text": _TEXT}
REASONING_PARTS: Final[Table] = {"reasoning_text": _TEXT, "text": _TEXT}
PARTS: Final[Mapping[str, Table]] = {
    "message_parts": MESSAGE_PARTS,
    "agent_parts": AGENT_PARTS,
    "summary_parts": SUMMARY_PARTS,
    "reasoning_parts": REASONING_PARTS,
}
WEB_ACTIONS: Final[Table] = {
    "search": fields("query? queries?:strings"),
    "open_page": fields("url?"),
    "find_in_page": fields("url? pattern?"),
}
SHELL_ACTIONS: Final[Table] = {
    "exec": fields(
        "command:strings timeout_ms!:count working_directory! env!:string_map user!",
    ),
}
META_FIELDS: Final = fields("turn_id? create_time?:number")

ENUMS: Final[Mapping[str, tuple[str, ...]]] = {
    "phase": ("commentary", "final_answer"),
    "detail": ("auto", "low", "high", "original"),
    "shell_status": ("completed", "in_progress", "incomplete"),
}


class Wire:
    """Reads and writes items; every underscored method is a place where a fault may sit."""

    def _read_item(self, value: Json) -> Object:
        tag = self._tag(value)
        tag = ALIASES.get(tag, tag)
        if tag not in ITEMS:
            return self._read_unknown(value)
        return {"type": tag, **self._read_fields(value, ITEMS[tag])}

    def _read_unknown(self, _value: Object) -> Object:
        return OTHER

    def _tag(self, value: Json) -> str:
        if not isinstance(value, dict):
            raise RefusalError("an object is expected")
        tag = self._member(value, "type")
        if not isinstance(tag, str):
            raise RefusalError("field type is missing or no string")
        return tag

    def _member(self, value: Object, name: str) -> Json:
        return value.get(name)

    def _read_fields(self, value: Object, table: tuple[Field, ...]) -> Object:
        read: Object = {}
        for field in table:
            given = self._member(value, field.name)
            if given is not None or (field.kind == "any" and field.name in value):
                read[field.name] = self._read(field.kind, given, field.name)
            elif field.required:
                self._read_missing(field, read)
        return read

    def _read_missing(self, field: Field, _read: Object) -> None:
        raise RefusalError(f"field {field.name} is missing")

    def _read(self, kind: str, value: Json, name: str) -> Json:
        if kind in ENUMS:
            return self._read_enum(value, ENUMS[kind], name)
        if kind in PARTS:
            return self._read_parts(value, PARTS[kind])
        return self._readers[kind](value, name)

    @cached_property
    def _readers(self) -> Mapping[str, Callable[[Json, str], Json]]:
        return {
            "string": self._read_string,
            "strings": self._read_strings,
            "string_map": self._read_string_map,
            "number": self._read_number,
            "count": self._read_count,
            "any": self._read_any,
            "array": self._read_array,
            "body": self._read_body,
            "meta": self._read_meta,
            "web_action": self._read_web_action,
            "shell_action": self._read_shell_action,
        }

    def _read_string(self, value: Json, name: str) -> str:
        if not isinstance(value, str):
            raise RefusalError(f"field {name} is no string")
        return value

    def _read_strings(self, value: Json, name: str) -> list[str]:
        return [self._read_string(one, name) for one in self._list(value, name)]

    def _read_string_map(self, value: Json, name: str) -> Object:
        if not isinstance(value, dict):
            raise RefusalError(f"field {name} is no object")
        return {key: self._read_string(one, name) for key, one in value.items()}

    def _read_number(self, value: Json, name: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise RefusalError(f"field {name} is no number")
        return value

    def _read_count(self, value: Json, name: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise RefusalError(f"field {name} is no count")
        return value

    def _read_enum(self, value: Json, known: tuple[str, ...], name: str) -> str:
        if value not in known or not isinstance(value, str):
            raise RefusalError(f"field {name} is none of {', '.join(known)}")
        return value

    def _read_any(self, value: Json, _name: str) -> Json:
        return value

    def _read_array(self, value: Json, name: str) -> list[Json]:
        return [self._read_any(one, name) for one in self._list(value, name)]

    def _list(self, value: Json, name: str) -> list[Json]:
        if not isinstance(value, list):
            raise RefusalError(f"field {name} is no array")
        return value

    def _read_body(self, value: Json, _name: str) -> Json:
        if isinstance(value, str):
            return value
        return self._read_parts(value, BODY_PARTS)

    def _read_meta(self, value: Json, name: str) -> Object:
        if not isinstance(value, dict):
            raise RefusalError(f"field {name} is no object")
        return self._read_fields(value, META_FIELDS)

    def _read_parts(self, value: Json, table: Table) -> list[Object]:
        return [self._read_part(part, table) for part in self._list(value, "content")]

    def _read_part(self, value: Json, table: Table) -> Object:
        tag = self._tag(value)
        if tag not in table:
            raise RefusalError(f"type {tag} is none of {', '.join(table)}")
        return {"type": tag, **self._read_fields(value, table[tag])}

    def _read_web_action(self, value: Json, _name: str) -> Object:
        if self._tag(value) not in WEB_ACTIONS:
            return OTHER
        return self._read_part(value, WEB_ACTIONS)

    def _read_shell_action(self, value: Json, _name: str) -> Object:
        action = self._read_part(value, SHELL_ACTIONS)
        absent = {field.name: None for field in SHELL_ACTIONS["exec"] if field.null_when_absent}
        return {"type": "exec", **absent, **action}

    def _write_item(self, item: Object) -> Object:
        written: Object = {"type": item["type"]}
        for field in ITEMS.get(item["type"], ()):
            written.update(self._write_field(item, field))
        return written

    def _write_field(self, item: Object, field: Field) -> Object:
        if item["type"] == "reasoning" and field.name == "content":
            return self._write_reasoning_content(item)
        if field.name in item:
            return {field.name: item[field.name]}
        return self._write_absent(field)

    def _write_absent(self, field: Field) -> Object:
        return {field.name: None} if field.null_when_absent else {}

    def _write_reasoning_content(self, item: Object) -> Object:
        if "content" not in item:
            return {"content": None}
        shown = any(part["type"] == "reasoning_text" for part in item["content"])
        return {"content": item["content"]} if shown else {}
