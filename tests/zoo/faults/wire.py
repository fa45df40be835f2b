"""Faults of reading and writing items (ITEM), many of them traps of one language."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from zoo.faulty import fault
from zoo.projection import Entries
from zoo.recording import Policy
from zoo.subject import ZooSubject
from zoo.values import META, Envelope, Json, Object, RefusalError
from zoo.wire import ITEMS, Field, Table

BAD_ITEM: Final = "an item that cannot be read"


class _NotRead(ZooSubject):
    """Does not know one optional field."""

    missing: str

    def _member(self, value: Object, name: str) -> Json:
        return None if name == self.missing else super()._member(value, name)


@fault("phase-not-read", "ITEM-1", also=("ORD-3", "PROJ-6"), why="an optional field is unknown")
class _PhaseNotRead(_NotRead):
    missing = "phase"


@fault("namespace-not-read", "ITEM-1", also=("ORD-3", "PROJ-6"), why="an optional field is unknown")
class _NamespaceNotRead(_NotRead):
    missing = "namespace"


@fault("create-time-not-read", "ITEM-1", also=("ORD-3", "PROJ-6"), why="only turn_id is known")
class _CreateTimeNotRead(_NotRead):
    missing = "create_time"


@fault(
    "namespace-omitted-when-empty",
    "ITEM-1",
    also=("ORD-3", "PROJ-6", "ITEM-5"),
    why="omitempty drops an empty string",
)
class _NamespaceOmittedWhenEmpty(ZooSubject):
    def _write_field(self, item: Object, field: Field) -> Object:
        written = super()._write_field(item, field)
        return {} if written == {"namespace": ""} else written


@fault(
    "unknown-fields-kept",
    "ITEM-1",
    also=("ORD-3",),
    needs="an item with a field of no type",
    why="items are passed through as they came",
)
class _UnknownFieldsKept(ZooSubject):
    def _read_item(self, value: Json) -> Object:
        item = super()._read_item(value)
        known = {field.name for field in ITEMS.get(item["type"], ())} | {"type"}
        extra = {name: one for name, one in value.items() if name not in known}
        return {**item, "\0extra": extra} if item["type"] in ITEMS else item

    def _write_item(self, item: Object) -> Object:
        return {**super()._write_item(item), **item.get("\0extra", {})}


class _AnyJson(ZooSubject):
    """Changes values inside arguments and tool lists."""

    def _read_any(self, value: Json, name: str) -> Json:
        if isinstance(value, list):
            return [self._read_any(one, name) for one in value]
        if isinstance(value, dict):
            return self._object({key: self._read_any(one, name) for key, one in value.items()})
        return self._leaf(value)

    def _object(self, value: Object) -> Object:
        return value

    def _leaf(self, value: Json) -> Json:
        return value


@fault(
    "whole-floats-become-integers",
    "ITEM-1",
    also=("ORD-3", "PROJ-6"),
    why="a decoder without integers writes 1.0 as 1",
)
class _WholeFloatsBecomeIntegers(_AnyJson):
    def _leaf(self, value: Json) -> Json:
        return int(value) if isinstance(value, float) and value.is_integer() else value


@fault(
    "integers-become-floats",
    "ITEM-1",
    also=("ORD-3", "PROJ-6"),
    why="a decoder without integers writes 1 as 1.0",
)
class _IntegersBecomeFloats(_AnyJson):
    def _leaf(self, value: Json) -> Json:
        return float(value) if type(value) is int else value


@fault(
    "large-integers-rounded",
    "ITEM-1",
    also=("ORD-3", "PROJ-6"),
    why="integers pass through a double",
)
class _LargeIntegersRounded(_AnyJson):
    def _leaf(self, value: Json) -> Json:
        return int(float(value)) if type(value) is int else value


@fault(
    "proto-key-lost",
    "ITEM-1",
    also=("ORD-3", "PROJ-6"),
    why="assigning __proto__ sets no key in JavaScript",
)
class _ProtoKeyLost(_AnyJson):
    def _object(self, value: Object) -> Object:
        return {name: one for name, one in value.items() if name != "__proto__"}


@fault(
    "nulls-in-arguments-dropped",
    "ITEM-1",
    also=("ORD-3", "PROJ-6"),
    needs="a null in arguments or a tool list",
    why="nulls are skipped at every depth",
)
class _NullsInArgumentsDropped(_AnyJson):
    def _object(self, value: Object) -> Object:
        return {name: one for name, one in value.items() if one is not None}


@fault(
    "arguments-become-text",
    "ITEM-1",
    also=("ORD-3", "PROJ-6"),
    why="search arguments are kept as a string, like a function's",
)
class _ArgumentsBecomeText(ZooSubject):
    def _read_any(self, value: Json, name: str) -> Json:
        return str(value) if name == "arguments" else value


@fault(
    "texts-trimmed",
    "ITEM-1",
    also=("ORD-3", "PROJ-6"),
    why="content is trimmed when read",
)
class _TextsTrimmed(ZooSubject):
    def _read_string(self, value: Json, name: str) -> str:
        read = super()._read_string(value, name)
        return read.strip() if name == "text" else read


@fault(
    "line-ends-normalised",
    "ITEM-1",
    also=("ORD-3", "PROJ-6"),
    why="CRLF becomes LF",
)
class _LineEndsNormalised(ZooSubject):
    def _read_string(self, value: Json, name: str) -> str:
        return super()._read_string(value, name).replace("\r\n", "\n").replace("\r", "\n")


@fault(
    "texts-composed",
    "ITEM-1",
    also=("ORD-3", "PROJ-6"),
    why="strings are normalised to NFC",
)
class _TextsComposed(ZooSubject):
    def _read_string(self, value: Json, name: str) -> str:
        return unicodedata.normalize("NFC", super()._read_string(value, name))


@fault(
    "text-ends-at-nul",
    "ITEM-1",
    also=("ORD-3", "PROJ-6"),
    why="strings end at the first NUL",
)
class _TextEndsAtNul(ZooSubject):
    def _read_string(self, value: Json, name: str) -> str:
        return super()._read_string(value, name).partition("\0")[0]


@fault(
    "keys-in-any-case",
    "ITEM-1",
    also=("ORD-3", "PROJ-6", "ITEM-4", "ITEM-3"),
    needs="an unknown field that differs from a known one in letter case",
    why="Go's decoder matches keys in any letter case",
)
class _KeysInAnyCase(ZooSubject):
    def _member(self, value: Object, name: str) -> Json:
        given = [one for key, one in value.items() if key.casefold() == name]
        return given[-1] if given else None


@fault(
    "alias-unknown",
    "ITEM-1",
    also=("ITEM-2", "ORD-3", "PROJ-6"),
    needs="a compaction_summary",
    why="compaction_summary reads as an unknown type",
)
class _AliasUnknown(ZooSubject):
    def _read_item(self, value: Json) -> Object:
        aliased = isinstance(value, dict) and value.get("type") == "compaction_summary"
        return self._read_unknown(value) if aliased else super()._read_item(value)


@fault(
    "alias-kept",
    "ITEM-1",
    also=("ORD-3", "PROJ-6"),
    needs="a compaction_summary",
    why="compaction_summary is written back under its old name",
)
class _AliasKept(ZooSubject):
    def _read_item(self, value: Json) -> Object:
        return {**super()._read_item(value), "\0tag": value["type"]}

    def _write_item(self, item: Object) -> Object:
        written = super()._write_item(item)
        aliased = item["type"] == "compaction" and "\0tag" in item
        return {**written, "type": item["\0tag"]} if aliased else written


@fault(
    "absent-call-id-omitted",
    "ITEM-1",
    also=("ITEM-3", "ORD-3", "PROJ-6"),
    why="no optional field is ever written as null",
)
class _AbsentCallIdOmitted(ZooSubject):
    def _write_absent(self, field: Field) -> Object:
        return {}


@fault(
    "absent-written-as-null",
    "ITEM-1",
    also=("ITEM-3", "ORD-3", "PROJ-6"),
    why="every absent field is written as null",
)
class _AbsentWrittenAsNull(ZooSubject):
    def _write_absent(self, field: Field) -> Object:
        return {field.name: None}


@fault(
    "other-web-action-kept",
    "ITEM-1",
    also=("ORD-3", "PROJ-6"),
    needs="a web search action of an unknown type",
    why="an unknown action is passed through",
)
class _OtherWebActionKept(ZooSubject):
    def _read_web_action(self, value: Json, name: str) -> Object:
        read = super()._read_web_action(value, name)
        return dict(value) if read == {"type": "other"} else read


@fault(
    "other-web-action-refused",
    "ITEM-1",
    also=("ITEM-4",),
    needs="a web search action of an unknown type",
    why="an unknown action is an error",
)
class _OtherWebActionRefused(ZooSubject):
    def _read_web_action(self, value: Json, name: str) -> Object:
        read = super()._read_web_action(value, name)
        if read == {"type": "other"}:
            raise RefusalError("unknown action")
        return read


UNKNOWN: Final = "an item of an unknown type"


@fault("unknown-type-refused", "ITEM-2", also=("ITEM-4",), needs=UNKNOWN, why="unknown is an error")
class _UnknownTypeRefused(ZooSubject):
    def _read_unknown(self, value: Object) -> Object:
        raise RefusalError(f"unknown type {value['type']}")


@fault(
    "unknown-type-kept",
    "ITEM-2",
    also=("ORD-3", "PROJ-6"),
    needs="a replace that installs an item of an unknown type",
    why="unknown items are passed through",
)
class _UnknownTypeKept(ZooSubject):
    def _read_unknown(self, value: Object) -> Object:
        return {"type": "other", "\0whole": value}

    def _write_item(self, item: Object) -> Object:
        whole: Object = item.get("\0whole") or super()._write_item(item)
        return whole


@fault(
    "unknown-type-name-kept",
    "ITEM-2",
    also=("ORD-3", "PROJ-6"),
    needs="a replace that installs an item of an unknown type",
    why="the unknown type's own name is written",
)
class _UnknownTypeNameKept(_UnknownTypeKept):
    def _read_unknown(self, value: Object) -> Object:
        return {"type": "other", "\0whole": {"type": value["type"]}}


@fault(
    "type-in-any-case",
    "ITEM-2",
    also=("ORD-3", "PROJ-6"),
    needs="a type that differs from a known one in letter case",
    why="type names are compared without case",
)
class _TypeInAnyCase(ZooSubject):
    def _tag(self, value: Json) -> str:
        return super()._tag(value).lower()


@fault(
    "null-refused",
    "ITEM-3",
    also=("ITEM-4",),
    why="null is a wrong type for an optional string",
)
class _NullRefused(ZooSubject):
    def _read_fields(self, value: Object, table: tuple[Field, ...]) -> Object:
        for field in table:
            if not (field.null_when_absent or field.required) and field.name in value:
                self._read(field.kind, value[field.name], field.name)
        return super()._read_fields(value, table)


@fault(
    "null-written-back",
    "ITEM-3",
    also=("ITEM-1", "ORD-3", "PROJ-6"),
    needs="an optional field that is null",
    why="a null id is written back, an absent one is not",
)
class _NullWrittenBack(ZooSubject):
    def _read_item(self, value: Json) -> Object:
        item = super()._read_item(value)
        named = any(field.name == "id" for field in ITEMS.get(item["type"], ()))
        return {**item, "id": None} if named and value.get("id", "") is None else item


@fault(
    "null-call-id-is-empty",
    "ITEM-3",
    also=("ITEM-5", "PAIR-5", "ORD-3", "PROJ-6", "MODE-1", "MODE-3"),
    why="null decodes to the zero value of a string",
)
class _NullCallIdIsEmpty(ZooSubject):
    def _read_item(self, value: Json) -> Object:
        item = super()._read_item(value)
        optional = any(one.name == "call_id" for one in ITEMS.get(item["type"], ()))
        if optional and "call_id" in value and value["call_id"] is None:
            return {**item, "call_id": ""}
        return item


@fault(
    "bad-item-skipped",
    "ITEM-4",
    needs=BAD_ITEM,
    why="the readable items of a refused batch are kept",
)
class _BadItemSkipped(ZooSubject):
    def _do_record_items(self, op: Object) -> Object:
        readable = []
        for item in self._list(op.get("items"), "items"):
            try:
                readable.append(Envelope(self._read_item(item)))
            except RefusalError:
                continue
        return self._append(op, readable)


@fault(
    "refused-batch-half-recorded",
    "ITEM-4",
    minimum=2,
    needs="a readable item and one that cannot be read in one operation",
    why="items are stored one by one as they are read",
)
class _RefusedBatchHalfRecorded(ZooSubject):
    def _append(self, op: Object, given: Iterable[Envelope]) -> Object:
        policy: Policy = self._policy(op.get("policy"))
        for envelope in given:
            history = self._history(op)
            recorded = history.envelopes + self._record([envelope], policy)
            self._store(op, replace(history, envelopes=recorded))
        return {"ok": None}


@fault("bad-item-is-other", "ITEM-4", needs=BAD_ITEM, why="what cannot be read is an unknown type")
class _BadItemIsOther(ZooSubject):
    def _read_item(self, value: Json) -> Object:
        try:
            return super()._read_item(value)
        except RefusalError:
            return {"type": "other"}


@fault(
    "missing-field-defaults",
    "ITEM-4",
    needs=BAD_ITEM,
    why="a missing string decodes to the empty one",
)
class _MissingFieldDefaults(ZooSubject):
    def _read_missing(self, field: Field, read: Object) -> None:
        if field.kind != "string":
            super()._read_missing(field, read)
        read[field.name] = ""


@fault(
    "missing-arguments-are-null",
    "ITEM-4",
    needs="a tool search call without arguments",
    why="any JSON includes none at all",
)
class _MissingArgumentsAreNull(ZooSubject):
    def _read_missing(self, field: Field, read: Object) -> None:
        if field.kind != "any":
            super()._read_missing(field, read)
        read[field.name] = None


@fault("unknown-enum-accepted", "ITEM-4", needs=BAD_ITEM, why="enums are plain strings")
class _UnknownEnumAccepted(ZooSubject):
    def _read_enum(self, value: Json, known: tuple[str, ...], name: str) -> str:
        return self._read_string(value, name)


@fault("unknown-part-skipped", "ITEM-4", needs=BAD_ITEM, why="unknown content entries go")
class _UnknownPartSkipped(ZooSubject):
    def _read_parts(self, value: Json, table: Table) -> list[Object]:
        known = [part for part in self._list(value, "content") if self._tag(part) in table]
        return super()._read_parts(known, table)


@fault("numbers-become-strings", "ITEM-4", needs=BAD_ITEM, why="a number is read as its digits")
class _NumbersBecomeStrings(ZooSubject):
    def _read_string(self, value: Json, name: str) -> str:
        digits = isinstance(value, int | float)
        return super()._read_string(str(value) if digits else value, name)


@fault(
    "object-body-becomes-text",
    "ITEM-4",
    minimum=2,
    needs="an output whose body is an object",
    why="a body of another type is written out as text",
)
class _ObjectBodyBecomesText(ZooSubject):
    def _read_body(self, value: Json, name: str) -> Json:
        return str(value) if isinstance(value, dict) else super()._read_body(value, name)


@fault("string-content-accepted", "ITEM-4", needs=BAD_ITEM, why="a message's content may be text")
class _StringContentAccepted(ZooSubject):
    def _read_parts(self, value: Json, table: Table) -> list[Object]:
        if isinstance(value, str) and "input_text" in table:
            return [{"type": "input_text", "text": value}]
        return super()._read_parts(value, table)


@fault(
    "empty-array-body-becomes-text",
    "ITEM-5",
    also=("ORD-3", "PROJ-6"),
    why="an empty array is written as an empty string",
)
class _EmptyArrayBodyBecomesText(ZooSubject):
    def _read_body(self, value: Json, name: str) -> Json:
        return super()._read_body(value, name) or ""


@fault(
    "empty-array-body-becomes-null",
    "ITEM-5",
    also=("ORD-3", "PROJ-6"),
    why="a nil slice is written as null",
)
class _EmptyArrayBodyBecomesNull(ZooSubject):
    def _write_field(self, item: Object, field: Field) -> Object:
        written = super()._write_field(item, field)
        return {"output": None} if written == {"output": []} else written


@fault(
    "empty-text-body-becomes-array",
    "ITEM-5",
    also=("ORD-3", "PROJ-6"),
    why="an empty string is falsy, and the array form is taken",
)
class _EmptyTextBodyBecomesArray(ZooSubject):
    def _read_body(self, value: Json, name: str) -> Json:
        return super()._read_body(value, name) or []


@fault(
    "empty-item-id-omitted", "ITEM-5", also=("ORD-3", "PROJ-6"), why="omitempty drops an empty id"
)
class _EmptyItemIdOmitted(ZooSubject):
    def _write_field(self, item: Object, field: Field) -> Object:
        written = super()._write_field(item, field)
        return {} if written == {"id": ""} else written


@fault(
    "empty-call-id-becomes-null",
    "ITEM-5",
    also=("ORD-3", "PROJ-6", "PAIR-11", "MODE-1", "MODE-3"),
    why="an empty optional call id is read as absent",
)
class _EmptyCallIdBecomesNull(ZooSubject):
    def _read_item(self, value: Json) -> Object:
        item = super()._read_item(value)
        optional = item["type"] in {"tool_search_call", "tool_search_output", "local_shell_call"}
        if optional and item.get("call_id") == "":
            return {name: one for name, one in item.items() if name != "call_id"}
        return item


@fault("success-on-the-wire", "ITEM-6", minimum=2, why="the flag is written")
class _SuccessOnTheWire(ZooSubject):
    def _write_item_of(self, envelope: Envelope) -> Object:
        written = super()._write_item_of(envelope)
        return written if envelope.success is None else {**written, "success": envelope.success}


@fault("success-lost-in-recording", "ITEM-6", minimum=2, why="cutting makes a new output")
class _SuccessLostInRecording(ZooSubject):
    def _cut(self, envelope: Envelope, policy: Policy) -> Envelope:
        return replace(super()._cut(envelope, policy), success=None)


@fault(
    "success-lost-in-projection",
    "ITEM-6",
    also=("PROJ-5",),
    minimum=2,
    why="the prompt's outputs are made anew",
)
class _SuccessLostInProjection(ZooSubject):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        prompt = super()._project(entries, modalities)
        return [replace(one, success=None) for one in prompt]


@fault(
    "failure-is-absent",
    "ITEM-6",
    minimum=2,
    why="false is taken for no flag",
)
class _FailureIsAbsent(ZooSubject):
    def _read_envelope(self, value: Object) -> Envelope:
        read = super()._read_envelope(value)
        return replace(read, success=read.success or None)


REASONING: Final = ("ITEM-1", "ORD-3", "PROJ-6")


@fault("absent-reasoning-omitted", "ITEM-7", also=REASONING, why="absent content is omitted")
class _AbsentReasoningOmitted(ZooSubject):
    def _write_reasoning_content(self, item: Object) -> Object:
        return super()._write_reasoning_content(item) if "content" in item else {}


@fault("empty-reasoning-written", "ITEM-7", also=REASONING, why="an empty array is written")
class _EmptyReasoningWritten(ZooSubject):
    def _write_reasoning_content(self, item: Object) -> Object:
        if item.get("content") == []:
            return {"content": []}
        return super()._write_reasoning_content(item)


@fault("empty-reasoning-is-null", "ITEM-7", also=REASONING, why="an empty array is written as null")
class _EmptyReasoningIsNull(ZooSubject):
    def _write_reasoning_content(self, item: Object) -> Object:
        return super()._write_reasoning_content(item) or {"content": None}


@fault("plain-reasoning-written", "ITEM-7", also=REASONING, why="text entries alone are written")
class _PlainReasoningWritten(ZooSubject):
    def _write_reasoning_content(self, item: Object) -> Object:
        if item.get("content"):
            return {"content": item["content"]}
        return super()._write_reasoning_content(item)


@fault(
    "only-reasoning-text-written",
    "ITEM-7",
    also=REASONING,
    why="text entries are filtered out of the array",
)
class _OnlyReasoningTextWritten(ZooSubject):
    def _write_reasoning_content(self, item: Object) -> Object:
        written = super()._write_reasoning_content(item)
        if not written.get("content"):
            return written
        parts = [part for part in written["content"] if part["type"] == "reasoning_text"]
        return {"content": parts}


@fault("metadata-on-the-wire", "ITEM-8", also=("ORD-3",), why="it is written")
class _MetadataOnTheWire(ZooSubject):
    def _write_item_of(self, envelope: Envelope) -> Object:
        written = super()._write_item_of(envelope)
        return written if envelope.metadata is None else {**written, "metadata": envelope.metadata}


@fault(
    "metadata-fills-passthrough",
    "ITEM-8",
    also=("ORD-3",),
    why="envelope metadata is taken for passthrough metadata",
)
class _MetadataFillsPassthrough(ZooSubject):
    def _write_item_of(self, envelope: Envelope) -> Object:
        written = super()._write_item_of(envelope)
        turn = (envelope.metadata or {}).get("turn_id")
        return written if turn is None else {META: {"turn_id": turn}, **written}


@fault("metadata-flattened", "ITEM-8", also=("ORD-3",), why="keys are mixed in")
class _MetadataFlattened(ZooSubject):
    def _write_item_of(self, envelope: Envelope) -> Object:
        return {**(envelope.metadata or {}), **super()._write_item_of(envelope)}
