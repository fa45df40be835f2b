"""From history to prompt in four steps (SPEC 2): complete, drop orphans, images, audio."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from zoo.values import Envelope, Object, PanicError

NAMESPACE: Final = uuid.UUID("90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4")
IMAGE_OMITTED: Final = "image content omitted because you do not support image input"
AUDIO_OMITTED: Final = "audio content omitted because you do not support audio input"


@dataclass(frozen=True)
class Family:
    """What answers one type of call, and what a gap is called where it is an anomaly."""

    output: str
    prefix: str
    gap: str | None = None


FAMILIES: Final[Mapping[str, Family]] = {
    "function_call": Family("function_call_output", "fco"),
    "local_shell_call": Family(
        "function_call_output", "fco", "Local shell call output is missing for call id: "
    ),
    "custom_tool_call": Family(
        "custom_tool_call_output", "ctco", "Custom tool call output is missing for call id: "
    ),
    "tool_search_call": Family("tool_search_output", "tso"),
}

ORPHANS: Final[Mapping[str, str]] = {
    "function_call_output": "Orphan function call output for call id: ",
    "custom_tool_call_output": "Orphan custom tool call output for call id: ",
    "tool_search_output": "Orphan tool search output for call id: ",
}

MEDIA_FIELDS: Final[Mapping[str, str]] = {
    "message": "content",
    "function_call_output": "output",
    "custom_tool_call_output": "output",
}

Entries: TypeAlias = list[Envelope]
Keys: TypeAlias = set[tuple[str, str]]
"""Pairs of an output's type and a call id: what is answered, or what has a call."""


class Projection:
    """Projects in one mode; every underscored method is a place where a fault may sit."""

    mode = "release"

    def __init__(self) -> None:
        """Start with nothing reported."""
        self.diagnostics: list[str] = []

    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        self.diagnostics = []
        entries = self._repair(entries)
        entries = self._downgrade_images(entries, modalities)
        return self._downgrade_audio(entries, modalities)

    def _repair(self, entries: Entries) -> Entries:
        return self._drop_orphans(self._complete(entries))

    def _report(self, message: str) -> None:
        if self.mode == "debug":
            raise PanicError(message)
        self.diagnostics.append(message)

    # Step A

    def _complete(self, entries: Entries) -> Entries:
        answered = self._answered(entries)
        completed: Entries = []
        for position, entry in enumerate(entries):
            if self._lacks_output(entries, position, answered):
                self._report_gap(entry.item)
                self._insert(completed, entry, self._synthetic(entry))
            else:
                completed.append(entry)
        return completed

    def _answered(self, entries: Entries) -> Keys:
        return {
            (entry.item["type"], entry.item["call_id"])
            for entry in entries
            if self._answers(entry.item)
        }

    def _answers(self, item: Object) -> bool:
        return item["type"] in ORPHANS and "call_id" in item

    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        item = entries[position].item
        return self._wants_output(item) and self._key(item) not in answered

    def _wants_output(self, item: Object) -> bool:
        return item["type"] in FAMILIES and "call_id" in item

    def _key(self, call: Object) -> tuple[str, str]:
        return FAMILIES[call["type"]].output, call["call_id"]

    def _report_gap(self, call: Object) -> None:
        gap = FAMILIES[call["type"]].gap
        if gap is not None:
            self._report(gap + call["call_id"])

    def _insert(self, completed: Entries, call: Envelope, synthetic: Entries) -> None:
        completed.append(call)
        completed.extend(synthetic)

    def _synthetic(self, call: Envelope) -> Entries:
        return [Envelope(self._synthetic_item(call.item))]

    def _synthetic_item(self, call: Object) -> Object:
        return {
            "type": FAMILIES[call["type"]].output,
            **self._synthetic_id(call),
            "call_id": call["call_id"],
            **self._synthetic_body(call),
        }

    def _synthetic_body(self, call: Object) -> Object:
        if call["type"] == "tool_search_call":
            return {"status": "completed", "execution": "client", "tools": []}
        return {"output": "aborted"}

    def _synthetic_id(self, call: Object) -> Object:
        item_id = call.get("id")
        if not item_id:
            return {}
        return {"id": self._derived_id(FAMILIES[call["type"]].prefix, item_id, call)}

    def _derived_id(self, prefix: str, item_id: str, _call: Object) -> str:
        return f"{prefix}_{uuid.uuid5(NAMESPACE, f'{prefix}:{item_id}')}"

    # Step B

    def _drop_orphans(self, entries: Entries) -> Entries:
        called = self._called(entries)
        kept = []
        for entry in entries:
            if self._is_orphan(entry.item, called):
                self._report_orphan(entry.item)
            else:
                kept.append(entry)
        return kept

    def _called(self, entries: Entries) -> Keys:
        return {self._key(entry.item) for entry in entries if self._wants_output(entry.item)}

    def _is_orphan(self, item: Object, called: Keys) -> bool:
        if item["type"] not in ORPHANS or "call_id" not in item:
            return False
        if item["type"] == "tool_search_output" and self._stands_alone(item):
            return False
        return (item["type"], item["call_id"]) not in called

    def _stands_alone(self, search_output: Object) -> bool:
        return bool(search_output["execution"] == "server")

    def _report_orphan(self, output: Object) -> None:
        self._report(ORPHANS[output["type"]] + output["call_id"])

    # Steps C and D

    def _downgrade_images(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        if "image" in modalities:
            return entries
        return [replace(entry, item=self._without_images(entry.item)) for entry in entries]

    def _without_images(self, item: Object) -> Object:
        if item["type"] == "image_generation_call":
            return self._without_result(item)
        return self._without_media(item, "input_image", IMAGE_OMITTED)

    def _without_result(self, item: Object) -> Object:
        return {**item, "result": ""}

    def _downgrade_audio(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        if "audio" in modalities:
            return entries
        return [replace(entry, item=self._without_audio(entry.item)) for entry in entries]

    def _without_audio(self, item: Object) -> Object:
        return self._without_media(item, "input_audio", AUDIO_OMITTED)

    def _without_media(self, item: Object, kind: str, notice: str) -> Object:
        field = self._media_field(item, kind)
        if field is None or not isinstance(item[field], list):
            return item
        return {**item, field: self._replace_parts(item[field], kind, notice)}

    def _media_field(self, item: Object, _kind: str) -> str | None:
        return MEDIA_FIELDS.get(item["type"])

    def _replace_parts(self, parts: list[Object], kind: str, notice: str) -> list[Object]:
        return [self._notice(part, notice) if part["type"] == kind else part for part in parts]

    def _notice(self, _part: Object, notice: str) -> Object:
        return {"type": "input_text", "text": notice}
