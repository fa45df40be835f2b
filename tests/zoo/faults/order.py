"""Faults of order and of what must come out untouched (ORD, PROJ-6)."""

from __future__ import annotations

from dataclasses import replace

from zoo.faulty import fault
from zoo.projection import FAMILIES, ORPHANS, Entries
from zoo.subject import ZooSubject
from zoo.values import META, Envelope, Object


@fault("outputs-moved-to-their-call", "ORD-1", minimum=2, why="pairs are put side by side")
class _OutputsMovedToTheirCall(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        moved: Entries = []
        for entry in entries:
            if not self._answers(entry.item):
                moved.append(entry)
            if self._wants_output(entry.item):
                key = self._key(entry.item)
                moved.extend(
                    one
                    for one in entries
                    if key in self._answered([one]) and all(one is not other for other in moved)
                )
        rest = [one for one in entries if all(one is not other for other in moved)]
        return super()._repair(moved + rest)


@fault("developer-first", "ORD-1", minimum=2, why="developer messages are moved to the front")
class _DeveloperFirst(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        return sorted(super()._repair(entries), key=lambda entry: not _is_developer(entry.item))


def _is_developer(item: Object) -> bool:
    return (item["type"], item.get("role")) == ("message", "developer")


@fault("equal-items-removed", "ORD-1", also=("ORPH-7",), minimum=2, why="equal items are sent once")
class _EqualItemsRemoved(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        kept: Entries = []
        for entry in super()._repair(entries):
            if all(entry.item != one.item for one in kept):
                kept.append(entry)
        return kept


@fault(
    "equal-neighbours-removed",
    "ORD-1",
    also=("ORPH-7",),
    minimum=2,
    why="a message repeated at once is taken for a retry",
)
class _EqualNeighboursRemoved(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        kept: Entries = []
        for entry in super()._repair(entries):
            retry = kept and entry.item["type"] == "message" and entry.item == kept[-1].item
            if not retry:
                kept.append(entry)
        return kept


@fault(
    "messages-merged",
    "ORD-1",
    also=("ORPH-7", "ORD-3"),
    minimum=2,
    why="two user messages in a row become one",
)
class _MessagesMerged(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        merged: Entries = []
        for entry in super()._repair(entries):
            if merged and _is_user(entry.item) and _is_user(merged[-1].item):
                content = merged[-1].item["content"] + entry.item["content"]
                merged[-1] = replace(merged[-1], item={**merged[-1].item, "content": content})
            else:
                merged.append(entry)
        return merged


def _is_user(item: Object) -> bool:
    return (item["type"], item.get("role")) == ("message", "user")


@fault("synthetic-at-the-end", "ORD-2", minimum=2, why="outputs are appended to the prompt")
class _SyntheticAtTheEnd(ZooSubject):
    def _complete(self, entries: Entries) -> Entries:
        self._late: Entries = []
        return super()._complete(entries) + self._late

    def _insert(self, completed: Entries, call: Envelope, synthetic: Entries) -> None:
        completed.append(call)
        self._late.extend(synthetic)


@fault("synthetic-before-its-call", "ORD-2", why="inserted at the call's index, not after it")
class _SyntheticBeforeItsCall(ZooSubject):
    def _insert(self, completed: Entries, call: Envelope, synthetic: Entries) -> None:
        completed.extend(synthetic)
        completed.append(call)


@fault(
    "synthetic-after-parallel-calls",
    "ORD-2",
    minimum=2,
    why="calls in a row are taken for parallel ones, and all are answered after the last",
)
class _SyntheticAfterParallelCalls(_SyntheticAtTheEnd):
    def _complete(self, entries: Entries) -> Entries:
        completed: Entries = []
        pending: Entries = []
        given = {id(entry) for entry in entries}
        for entry in ZooSubject._complete(self, entries):
            if id(entry) not in given:
                pending.append(entry)
                continue
            if entry.item["type"] not in FAMILIES:
                completed.extend(pending)
                pending = []
            completed.append(entry)
        return completed + pending

    def _insert(self, completed: Entries, call: Envelope, synthetic: Entries) -> None:
        ZooSubject._insert(self, completed, call, synthetic)


@fault(
    "insertion-not-shifted",
    "ORD-2",
    minimum=2,
    why="positions are gathered first and not moved on as outputs are inserted",
)
class _InsertionNotShifted(ZooSubject):
    def _complete(self, entries: Entries) -> Entries:
        self._places: list[tuple[int, Envelope]] = []
        completed = super()._complete(entries)
        for place, synthetic in self._places:
            completed.insert(place, synthetic)
        return completed

    def _insert(self, completed: Entries, call: Envelope, synthetic: Entries) -> None:
        completed.append(call)
        self._places.extend((len(completed), one) for one in synthetic)


class _TouchedItem(ZooSubject):
    """Changes items on the way into a prompt."""

    def _touch(self, item: Object) -> Object:
        raise NotImplementedError

    def _repair(self, entries: Entries) -> Entries:
        repaired = super()._repair(entries)
        return [replace(entry, item=self._touch(entry.item)) for entry in repaired]


def _lacking(item: Object, *names: str) -> Object:
    return {name: value for name, value in item.items() if name not in names}


@fault("phase-not-sent", "ORD-3", also=("PROJ-6",), why="a message's phase is not sent")
class _PhaseNotSent(_TouchedItem):
    def _touch(self, item: Object) -> Object:
        return _lacking(item, "phase")


@fault("passthrough-not-sent", "ORD-3", also=("PROJ-6",), why="passthrough metadata is not sent")
class _PassthroughNotSent(_TouchedItem):
    def _touch(self, item: Object) -> Object:
        return _lacking(item, META)


@fault("item-ids-not-sent", "ORD-3", also=("PROJ-6", "SYN-1"), why="item ids are left out")
class _ItemIdsNotSent(_TouchedItem):
    def _touch(self, item: Object) -> Object:
        return item if item["type"] in ORPHANS else _lacking(item, "id")


@fault(
    "reasoning-not-sent-back",
    "ORD-3",
    also=("PROJ-6",),
    why="encrypted reasoning is left out of later prompts",
)
class _EncryptedReasoningNotSent(_TouchedItem):
    def _touch(self, item: Object) -> Object:
        return _lacking(item, "encrypted_content") if item["type"] == "reasoning" else item


@fault(
    "running-calls-settled",
    "ORD-3",
    also=("PROJ-6",),
    why="in_progress becomes incomplete when the prompt is built",
)
class _RunningCallsSettled(_TouchedItem):
    def _touch(self, item: Object) -> Object:
        return {**item, "status": "incomplete"} if item.get("status") == "in_progress" else item


@fault("namespace-not-sent", "ORD-3", also=("PROJ-6",), why="a call's namespace is left out")
class _NamespaceNotSent(_TouchedItem):
    def _touch(self, item: Object) -> Object:
        return _lacking(item, "namespace")


@fault("custom-output-name-not-sent", "ORD-3", also=("PROJ-6",), minimum=2, why="name is left out")
class _CustomOutputNameNotSent(_TouchedItem):
    def _touch(self, item: Object) -> Object:
        return _lacking(item, "name") if item["type"] == "custom_tool_call_output" else item


@fault(
    "arguments-made-valid",
    "ORD-3",
    also=("PROJ-6",),
    why="arguments that are no JSON object are replaced by an empty one",
)
class _ArgumentsMadeValid(_TouchedItem):
    def _touch(self, item: Object) -> Object:
        if item["type"] != "function_call" or item["arguments"].startswith("{"):
            return item
        return {**item, "arguments": "{}"}


@fault(
    "empty-message-not-sent",
    "PROJ-6",
    also=("ORPH-7", "ORD-3"),
    why="a message without content is left out",
)
class _EmptyMessageNotSent(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        return [entry for entry in super()._repair(entries) if entry.item.get("content") != []]


@fault(
    "text-parts-joined",
    "PROJ-6",
    also=("ORD-3",),
    why="neighbouring texts of a message become one",
)
class _TextPartsJoined(_TouchedItem):
    def _touch(self, item: Object) -> Object:
        if item["type"] != "message":
            return item
        joined: list[Object] = []
        for part in item["content"]:
            if joined and part["type"] == joined[-1]["type"] == "input_text":
                joined[-1] = {**part, "text": joined[-1]["text"] + part["text"]}
            else:
                joined.append(part)
        return {**item, "content": joined}


@fault(
    "single-text-body-flattened",
    "PROJ-6",
    also=("ORD-3", "ITEM-5"),
    minimum=2,
    why="a body of one text entry is sent as a string",
)
class _SingleTextBodyFlattened(_TouchedItem):
    def _touch(self, item: Object) -> Object:
        match item:
            case {"output": [{"type": "input_text", "text": str(text)}]}:
                return {**item, "output": text}
            case _:
                return item


@fault(
    "ends-with-a-user-message",
    "PROJ-6",
    also=("PAIR-14", "ORD-3"),
    why="a prompt that does not end with input gets an empty user message",
)
class _EndsWithAUserMessage(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        repaired = super()._repair(entries)
        if not repaired or _is_user(repaired[-1].item) or self._answers(repaired[-1].item):
            return repaired
        return [*repaired, Envelope({"type": "message", "role": "user", "content": []})]
