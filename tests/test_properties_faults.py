"""Wrong implementations, each with the clause it breaks: every check must notice its own."""

# The names of the wrong implementations and of their methods say what they do.
# ruff: noqa: D101, D102, D103, D107, ANN401

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from uuid import NAMESPACE_DNS, UUID, uuid4, uuid5

import pytest

from contextcert.properties import CHECKS, Judge, edition_of, examples
from contextcert.properties.wire_form import UnreadableError, wire_form
from contextcert.refmodel import CLAUSES, DEFAULT_EDITION, Claim, Mode
from contextcert.strategies import Scope, alphabet, histories, projection_script
from contextcert.strategies import modality_sets as all_modality_sets
from contextcert.subject import Capabilities

Item = dict[str, Any]

NAMESPACE = UUID("90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4")
OUTPUT_OF = {
    "function_call": "function_call_output",
    "local_shell_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    "tool_search_call": "tool_search_output",
}
PREFIX = {
    "function_call_output": "fco",
    "custom_tool_call_output": "ctco",
    "tool_search_output": "tso",
}
MISSING = {
    "custom_tool_call": "Custom tool call output is missing for call id: ",
    "local_shell_call": "Local shell call output is missing for call id: ",
}
ORPHAN = {
    "function_call_output": "Orphan function call output for call id: ",
    "custom_tool_call_output": "Orphan custom tool call output for call id: ",
    "tool_search_output": "Orphan tool search output for call id: ",
}
LIVED = {
    clause
    for clause in CHECKS
    if CLAUSES[clause].profile
    in ("recording", "changes", "world", "cursor", "snapshots", "edition")
} | {"PROJ-1", "PROJ-3", "PROJ-7", "MODE-8", "MODE-9"}
"""The clauses that wrong lives of histories, and of another edition, show elsewhere."""
POLICY = {"mode": "tokens", "limit": 10000}


class Panic(Exception):  # noqa: N818 - it is what the miniature calls it
    """A debug build stops."""


class Miniature:
    """A small, correct implementation of recording, replacing and projecting.

    Each wrong one overrides one small method.
    """

    def __init__(self, mode: Mode) -> None:
        self.debug = mode is Mode.DEBUG
        self.history: list[Item] = []
        self.reports: list[str] = []
        self.modalities: set[str] = set()

    def run(self, ops: list[Item]) -> list[Item]:
        outcomes: list[Item] = []
        for op in ops:
            self.reports = []
            try:
                outcome: Item = {"ok": getattr(self, op["op"])(op)}
            except UnreadableError as error:
                outcome = {"error": {"message": str(error)}}
            except Panic as panic:
                return [*outcomes, {"panic": str(panic)}]
            if self.reports:
                outcome["diagnostics"] = self.reports
            outcomes.append(outcome)
        return outcomes

    # recording

    def record_items(self, op: Item) -> None:
        self.history += self.kept([{"item": item} for item in op["items"]])

    def record_annotated_items(self, op: Item) -> None:
        self.history += self.kept(op["envelopes"])

    def replace(self, op: Item) -> None:
        self.history = self.entered([{"item": item} for item in op["items"]])

    def kept(self, envelopes: list[Item]) -> list[Item]:
        return [one for one in self.entered(envelopes) if self.recordable(one["item"])]

    def entered(self, envelopes: list[Item]) -> list[Item]:
        return [{"metadata": None, **one, "item": self.read(one["item"])} for one in envelopes]

    def recordable(self, item: Item) -> bool:
        return item["type"] not in ("compaction_trigger", "other") and item.get("role") != "system"

    def read(self, item: Any) -> Item:
        return wire_form(item)

    def write(self, item: Item, envelope: Item) -> Item:  # noqa: ARG002 - for the wrong ones
        return item

    # reading

    def raw_items(self, _op: Item) -> list[Item]:
        return [self.write(one["item"], one) for one in self.history]

    def raw_envelopes(self, _op: Item) -> list[Item]:
        return [self.enveloped(one) for one in self.history]

    def enveloped(self, one: Item) -> Item:
        shown = {"item": self.write(one["item"], one), "metadata": one["metadata"]}
        if one.get("success") is not None and one["item"]["type"] in OUTPUT_OF.values():
            shown["success"] = one["success"]
        return shown

    def for_prompt(self, op: Item) -> list[Item]:
        return [self.write(one["item"], one) for one in self.project(op)]

    def for_prompt_annotated(self, op: Item) -> list[Item]:
        return [self.enveloped(one) for one in self.project(op)]

    # projecting

    def project(self, op: Item) -> list[Item]:
        self.modalities = set(op["input_modalities"])
        return self.finish(self.downgraded(self.without_orphans(self.completed(self.history))))

    def finish(self, prompt: list[Item]) -> list[Item]:
        return prompt

    def anomaly(self, message: str) -> None:
        if self.debug:
            raise Panic(message)
        self.reports.append(message)

    def completed(self, history: list[Item]) -> list[Item]:
        prompt: list[Item] = []
        for place, one in enumerate(history):
            prompt.append(one)
            if self.is_call(one["item"]) and not self.answered(place, one["item"], history):
                self.missing(one["item"])
                prompt += self.completion(one)
        return prompt

    def is_call(self, item: Item) -> bool:
        return item["type"] in OUTPUT_OF and item.get("call_id") is not None

    def answered(self, place: int, call: Item, history: list[Item]) -> bool:  # noqa: ARG002
        return any(self.answers(one["item"], call) for one in history)

    def answers(self, output: Item, call: Item) -> bool:
        same = output.get("call_id") == call["call_id"]
        return same and output["type"] == OUTPUT_OF[call["type"]]

    def missing(self, call: Item) -> None:
        if call["type"] in MISSING:
            self.anomaly(MISSING[call["type"]] + call["call_id"])

    def completion(self, call: Item) -> list[Item]:
        return [{"item": self.synthetic(call["item"]), "metadata": None}]

    def synthetic(self, call: Item) -> Item:
        kind = OUTPUT_OF[call["type"]]
        output = {"type": kind, "call_id": call["call_id"], **self.body(kind, call)}
        item_id = self.synthetic_id(PREFIX[kind], call)
        return output if item_id is None else {**output, "id": item_id}

    def body(self, kind: str, call: Item) -> Item:  # noqa: ARG002
        if kind == "tool_search_output":
            return {"status": "completed", "execution": "client", "tools": []}
        return {"output": "aborted"}

    def synthetic_id(self, prefix: str, call: Item) -> str | None:
        if not call.get("id"):
            return None
        return f"{prefix}_{uuid5(NAMESPACE, f'{prefix}:' + call['id'])}"

    def without_orphans(self, prompt: list[Item]) -> list[Item]:
        kept = []
        for place, one in enumerate(prompt):
            if one["item"]["type"] in ORPHAN and self.orphan(place, one["item"], prompt):
                self.orphaned(one["item"])
            else:
                kept.append(one)
        return kept

    def orphan(self, place: int, output: Item, prompt: list[Item]) -> bool:  # noqa: ARG002
        if output.get("call_id") is None or output.get("execution") == "server":
            return False
        return not any(self.calls(one["item"], output) for one in prompt)

    def calls(self, call: Item, output: Item) -> bool:
        same = call.get("call_id") == output["call_id"]
        return same and OUTPUT_OF.get(call["type"]) == output["type"]

    def orphaned(self, output: Item) -> None:
        self.anomaly(ORPHAN[output["type"]] + output["call_id"])

    def downgraded(self, prompt: list[Item]) -> list[Item]:
        return [{**one, "item": self.downgrade(one["item"])} for one in prompt]

    def downgrade(self, item: Item) -> Item:
        for name in ("content", "output"):
            if item["type"] in ("message", *list(ORPHAN)[:2]) and isinstance(item.get(name), list):
                return {**item, name: self.entries(item, item[name])}
        if item["type"] == "image_generation_call" and self.omits("image"):
            return self.cleared(item)
        return item

    def cleared(self, item: Item) -> Item:
        return {**item, "result": ""}

    def omits(self, kind: str) -> bool:
        return kind not in self.modalities

    def entries(self, item: Item, entries: list[Item]) -> list[Item]:  # noqa: ARG002
        return [self.entry(entry) for entry in entries]

    def entry(self, entry: Item) -> Item:
        kind = entry["type"].removeprefix("input_")
        if kind in ("image", "audio") and self.omits(kind):
            return self.placeholder(kind)
        return entry

    def placeholder(self, kind: str) -> Item:
        text = f"{kind} content omitted because you do not support {kind} input"
        return {"type": "input_text", "text": text}


Wrong = type[Miniature]
FAULTS: dict[str, tuple[str, Wrong]] = {}


def fault(clause: str) -> Callable[[Wrong], Wrong]:
    def keep(wrong: Wrong) -> Wrong:
        FAULTS[f"{clause} {wrong.__name__}"] = (clause, wrong)
        return wrong

    return keep


class RemovesUnanswered(Miniature):
    """Keeps calls and outputs in pairs by removing a call that has no output."""

    removed = ""

    def completed(self, history: list[Item]) -> list[Item]:
        return [
            one
            for place, one in enumerate(history)
            if one["item"]["type"] != self.removed
            or not self.is_call(one["item"])
            or self.answered(place, one["item"], history)
        ]


@fault("PAIR-1")
class RemovesUnansweredFunctionCalls(RemovesUnanswered):
    removed = "function_call"


@fault("PAIR-2")
class RemovesUnansweredToolSearches(RemovesUnanswered):
    removed = "tool_search_call"


@fault("PAIR-3")
class RemovesUnansweredCustomCalls(RemovesUnanswered):
    removed = "custom_tool_call"


@fault("PAIR-4")
class RemovesUnansweredShells(RemovesUnanswered):
    removed = "local_shell_call"


# wire form


@fault("ITEM-1")
class KeepsUnknownFields(Miniature):
    def read(self, item: Any) -> Item:
        return {**item, **super().read(item)} if isinstance(item, dict) else super().read(item)


@fault("ITEM-1")
class LeavesAlias(Miniature):
    def read(self, item: Any) -> Item:
        read = super().read(item)
        return {**read, "type": "compaction_summary"} if read["type"] == "compaction" else read

    def recordable(self, item: Item) -> bool:
        return super().recordable(item)


@fault("ITEM-1")
class OmitsNulls(Miniature):
    def write(self, item: Item, envelope: Item) -> Item:
        written = super().write(item, envelope)
        return {name: value for name, value in written.items() if value is not None}


@fault("ITEM-1")
class NumbersAreDoubles(Miniature):
    def write(self, item: Item, envelope: Item) -> Item:
        written = super().write(item, envelope)
        if written["type"] != "tool_search_call":
            return written
        return {**written, "arguments": _doubles(written["arguments"])}


def _doubles(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _doubles(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_doubles(one) for one in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


@fault("ITEM-2")
class KeepsUnknownTypes(Miniature):
    def read(self, item: Any) -> Item:
        read = super().read(item)
        return dict(item) if read["type"] == "other" else read


@fault("ITEM-2")
class RefusesUnknownTypes(Miniature):
    def read(self, item: Any) -> Item:
        read = super().read(item)
        if read["type"] == "other" and item["type"] != "other":
            raise UnreadableError("unknown type")
        return read


@fault("ITEM-3")
class WritesGivenNulls(Miniature):
    def read(self, item: Any) -> Item:
        read = super().read(item)
        given = {name: None for name in ("id", "phase", "namespace") if item.get(name, 0) is None}
        return {**given, **read}


@fault("ITEM-3")
class RefusesNulls(Miniature):
    def read(self, item: Any) -> Item:
        if isinstance(item, dict) and item.get("id", "") is None:
            raise UnreadableError("id is null")
        return super().read(item)


@fault("ITEM-4")
class ReadsAnything(Miniature):
    def read(self, item: Any) -> Item:
        try:
            return super().read(item)
        except UnreadableError:
            return {"type": "other"}


@fault("ITEM-4")
class ReadsHalf(Miniature):
    def record_items(self, op: Item) -> None:
        for item in op["items"]:
            self.history += self.kept([{"item": item}])


@fault("ITEM-5")
class OmitsEmptyIds(Miniature):
    def write(self, item: Item, envelope: Item) -> Item:
        written = super().write(item, envelope)
        return {name: value for name, value in written.items() if (name, value) != ("id", "")}


@fault("ITEM-5")
class EmptyArrayIsText(Miniature):
    def write(self, item: Item, envelope: Item) -> Item:
        written = super().write(item, envelope)
        return {**written, "output": ""} if written.get("output") == [] else written


@fault("ITEM-6")
class SuccessOnTheWire(Miniature):
    def write(self, item: Item, envelope: Item) -> Item:
        written = super().write(item, envelope)
        success = envelope.get("success")
        return written if success is None else {**written, "success": success}


@fault("ITEM-6")
class LosesSuccess(Miniature):
    def enveloped(self, one: Item) -> Item:
        shown = super().enveloped(one)
        shown.pop("success", None)
        return shown


@fault("ITEM-7")
class KeepsEmptyReasoning(Miniature):
    def read(self, item: Any) -> Item:
        read = super().read(item)
        if read["type"] == "reasoning" and "content" not in read:
            return {**read, "content": item["content"]}
        return read


@fault("ITEM-7")
class NullReasoning(Miniature):
    def write(self, item: Item, envelope: Item) -> Item:
        written = super().write(item, envelope)
        return {"content": None, **written} if written["type"] == "reasoning" else written


@fault("ITEM-8")
class MetadataOnTheWire(Miniature):
    def write(self, item: Item, envelope: Item) -> Item:
        written = super().write(item, envelope)
        metadata = envelope["metadata"]
        return {**written, "metadata": metadata} if metadata else written


# projection as a whole


@fault("PROJ-2")
class CountsProjections(Miniature):
    def __init__(self, mode: Mode) -> None:
        super().__init__(mode)
        self.times = 0

    def finish(self, prompt: list[Item]) -> list[Item]:
        self.times += 1
        return prompt if self.times == 1 else list(reversed(prompt))


@fault("PROJ-4")
class CutsWhatWasAborted(Miniature):
    def finish(self, prompt: list[Item]) -> list[Item]:
        recorded = [one["item"] for one in self.history]
        return [
            one
            for one in prompt
            if one["item"].get("output") != "aborted" or one["item"] not in recorded
        ]


@fault("PROJ-5")
class ShiftsMetadata(Miniature):
    def for_prompt_annotated(self, op: Item) -> list[Item]:
        shown = super().for_prompt_annotated(op)
        metadata = [one["metadata"] for one in self.history]
        for one, other in zip(shown, metadata, strict=False):
            one["metadata"] = other
        return shown


@fault("PROJ-5")
class AnnotatesRaw(Miniature):
    def for_prompt_annotated(self, _op: Item) -> list[Item]:
        return self.raw_envelopes({})


@fault("PROJ-6")
class GreetsCleanHistories(Miniature):
    def finish(self, prompt: list[Item]) -> list[Item]:
        if prompt and prompt == self.history:
            return [*prompt, {"item": {"type": "other"}, "metadata": None}]
        return prompt


# completion


def _skips(clause: str, call_type: str) -> None:
    class Skips(Miniature):
        def completion(self, call: Item) -> list[Item]:
            return [] if call["item"]["type"] == call_type else super().completion(call)

    Skips.__name__ = f"Skips_{call_type}"
    fault(clause)(Skips)


for number, skipped in enumerate(
    ("function_call", "tool_search_call", "custom_tool_call", "local_shell_call"), start=1
):
    _skips(f"PAIR-{number}", skipped)


@fault("PAIR-1")
class SaysInterrupted(Miniature):
    def body(self, kind: str, call: Item) -> Item:
        if kind == "function_call_output" and call["type"] == "function_call":
            return {"output": "interrupted"}
        return super().body(kind, call)


@fault("PAIR-2")
class CopiesExecution(Miniature):
    def body(self, kind: str, call: Item) -> Item:
        body = super().body(kind, call)
        return {**body, "execution": call["execution"]} if "execution" in body else body


@fault("PAIR-2")
class Incomplete(Miniature):
    def body(self, kind: str, call: Item) -> Item:
        body = super().body(kind, call)
        return {**body, "status": "incomplete"} if "status" in body else body


@fault("PAIR-3")
class NamesCustomOutputs(Miniature):
    def body(self, kind: str, call: Item) -> Item:
        body = super().body(kind, call)
        return {**body, "name": call["name"]} if kind == "custom_tool_call_output" else body


@fault("PAIR-3")
class FunctionOutputForCustom(Miniature):
    def synthetic(self, call: Item) -> Item:
        output = super().synthetic(call)
        return {**output, "type": "function_call_output"} if "custom" in call["type"] else output


@fault("PAIR-4")
class ArrayForShell(Miniature):
    def body(self, kind: str, call: Item) -> Item:
        if call["type"] == "local_shell_call":
            return {"output": [{"type": "input_text", "text": "aborted"}]}
        return super().body(kind, call)


@fault("PAIR-5")
class CompletesWithoutId(Miniature):
    def is_call(self, item: Item) -> bool:
        return item["type"] in OUTPUT_OF

    def missing(self, call: Item) -> None:
        if call["call_id"] is not None:
            super().missing(call)

    def orphan(self, place: int, output: Item, prompt: list[Item]) -> bool:
        return output["call_id"] is not None and super().orphan(place, output, prompt)


@fault("PAIR-6")
class Adjacent(Miniature):
    def answered(self, place: int, call: Item, history: list[Item]) -> bool:
        return any(self.answers(one["item"], call) for one in history[place + 1 : place + 2])


@fault("PAIR-6")
class OnlyLaterAnswers(Miniature):
    def answered(self, place: int, call: Item, history: list[Item]) -> bool:
        return any(self.answers(one["item"], call) for one in history[place:])


@fault("PAIR-6")
class OnlyWithinATurn(Miniature):
    def answered(self, place: int, call: Item, history: list[Item]) -> bool:
        for one in history[place:]:
            if one["item"].get("role") == "user":
                return any(self.answers(other["item"], call) for other in history[:place])
            if self.answers(one["item"], call):
                return True
        return any(self.answers(other["item"], call) for other in history[:place])


@fault("PAIR-7")
class OneSetOfIds(Miniature):
    def answers(self, output: Item, call: Item) -> bool:
        return output["type"] in ORPHAN and output.get("call_id") == call["call_id"]


@fault("PAIR-7")
class CustomAnswersFunction(Miniature):
    def answers(self, output: Item, call: Item) -> bool:
        custom = output["type"] == "custom_tool_call_output" and "search" not in call["type"]
        return super().answers(output, call) or (
            custom and output.get("call_id") == call["call_id"]
        )


@fault("PAIR-8")
class ShellApart(Miniature):
    def answers(self, output: Item, call: Item) -> bool:
        return call["type"] != "local_shell_call" and super().answers(output, call)


@fault("PAIR-8")
class ShellOnlyIfNoFunction(Miniature):
    def answered(self, place: int, call: Item, history: list[Item]) -> bool:
        if call["type"] == "local_shell_call" and any(
            one["item"]["type"] == "function_call" and one["item"]["call_id"] == call["call_id"]
            for one in history
        ):
            return False
        return super().answered(place, call, history)


@fault("PAIR-9")
class SameExecution(Miniature):
    def answers(self, output: Item, call: Item) -> bool:
        return super().answers(output, call) and (
            call["type"] != "tool_search_call" or output["execution"] == call["execution"]
        )


@fault("PAIR-9")
class ServerAnswersNothing(Miniature):
    def answers(self, output: Item, call: Item) -> bool:
        return super().answers(output, call) and output.get("execution") != "server"


@fault("PAIR-10")
class UsesUp(Miniature):
    def answered(self, place: int, call: Item, history: list[Item]) -> bool:
        before = sum(
            one["item"]["type"] == call["type"] and one["item"]["call_id"] == call["call_id"]
            for one in history[:place]
        )
        return sum(self.answers(one["item"], call) for one in history) > before


@fault("PAIR-10")
class OneForTwins(Miniature):
    def completed(self, history: list[Item]) -> list[Item]:
        self.done: set[tuple[str, str]] = set()
        return super().completed(history)

    def completion(self, call: Item) -> list[Item]:
        key = (OUTPUT_OF[call["item"]["type"]], call["item"]["call_id"])
        if key in self.done:
            return []
        self.done.add(key)
        return super().completion(call)


@fault("PAIR-11")
class EmptyIsAbsent(Miniature):
    def is_call(self, item: Item) -> bool:
        return super().is_call(item) and item["call_id"] != ""


@fault("PAIR-11")
class EmptyPairsWithNothing(Miniature):
    def answers(self, output: Item, call: Item) -> bool:
        return super().answers(output, call) and call["call_id"] != ""


@fault("PAIR-12")
class CopiesPassthrough(Miniature):
    def body(self, kind: str, call: Item) -> Item:
        name = "internal_chat_message_metadata_passthrough"
        body = super().body(kind, call)
        return {**body, name: call[name]} if name in call else body


@fault("PAIR-12")
class CopiesMetadata(Miniature):
    def completion(self, call: Item) -> list[Item]:
        return [{**one, "metadata": call["metadata"]} for one in super().completion(call)]


@fault("PAIR-13")
class RenamesCalls(Miniature):
    def downgrade(self, item: Item) -> Item:
        item = super().downgrade(item)
        if item["type"] == "function_call":
            return {**item, "call_id": item["call_id"] + "_"}
        return item


@fault("PAIR-14")
class AlwaysTwo(Miniature):
    def completion(self, call: Item) -> list[Item]:
        return super().completion(call) * 2


@fault("PAIR-14")
class AddsANote(Miniature):
    def finish(self, prompt: list[Item]) -> list[Item]:
        note = {"type": "message", "role": "user", "content": [], "id": "note"}
        return (
            [*prompt, {"item": note, "metadata": None}]
            if len(prompt) != len(self.history)
            else prompt
        )


# synthetic ids


@fault("SYN-1")
class WrongNamespace(Miniature):
    def synthetic_id(self, prefix: str, call: Item) -> str | None:
        return f"{prefix}_{uuid5(NAMESPACE_DNS, call['id'])}" if call.get("id") else None


@fault("SYN-1")
class ShellPrefix(Miniature):
    def synthetic_id(self, prefix: str, call: Item) -> str | None:
        prefix = "lso" if call["type"] == "local_shell_call" else prefix
        return super().synthetic_id(prefix, call)


@fault("SYN-1")
class RandomIds(Miniature):
    def synthetic_id(self, prefix: str, call: Item) -> str | None:
        return f"{prefix}_{uuid4()}" if call.get("id") else None


@fault("SYN-2")
class EmptyIsAnId(Miniature):
    def synthetic_id(self, prefix: str, call: Item) -> str | None:
        if call.get("id") == "":
            return f"{prefix}_{uuid5(NAMESPACE, f'{prefix}:')}"
        return super().synthetic_id(prefix, call)


@fault("SYN-2")
class CallIdInstead(Miniature):
    def synthetic_id(self, prefix: str, call: Item) -> str | None:
        return super().synthetic_id(prefix, {"id": call.get("id") or call["call_id"]})


@fault("SYN-3")
class CallIdMatters(Miniature):
    def synthetic_id(self, prefix: str, call: Item) -> str | None:
        return super().synthetic_id(prefix, call) and f"{prefix}_{call['id']}_{call['call_id']}"


@fault("SYN-3")
class SecondOneIsNumbered(Miniature):
    def completed(self, history: list[Item]) -> list[Item]:
        self.given: set[str] = set()
        return super().completed(history)

    def synthetic_id(self, prefix: str, call: Item) -> str | None:
        item_id = super().synthetic_id(prefix, call)
        if item_id in self.given:
            return f"{item_id}_2"
        self.given.add(item_id or "")
        return item_id


@fault("SYN-4")
class OnlyProperIds(Miniature):
    def synthetic_id(self, prefix: str, call: Item) -> str | None:
        return super().synthetic_id(prefix, call) if "_" in call.get("id", "") else None


# order


@fault("ORD-1")
class OutputsLast(Miniature):
    def finish(self, prompt: list[Item]) -> list[Item]:
        return sorted(prompt, key=lambda one: one["item"]["type"] == "message")


@fault("ORD-1")
class Deduplicates(Miniature):
    def finish(self, prompt: list[Item]) -> list[Item]:
        return [one for place, one in enumerate(prompt) if one not in prompt[:place]]


@fault("ORD-1")
class MergesMessages(Miniature):
    def finish(self, prompt: list[Item]) -> list[Item]:
        merged: list[Item] = []
        for one in prompt:
            item = one["item"]
            last = merged[-1]["item"] if merged else {}
            if item["type"] == last.get("type") == "message" and item["role"] == last["role"]:
                both = {**last, "content": last["content"] + item["content"]}
                merged[-1] = {**merged[-1], "item": both}
            else:
                merged.append(one)
        return merged


@fault("ORD-2")
class AppendsAtTheEnd(Miniature):
    def completed(self, history: list[Item]) -> list[Item]:
        prompt = super().completed(history)
        new = [one for one in prompt if not any(one is other for other in history)]
        return [*history, *new]


@fault("ORD-2")
class BeforeItsCall(Miniature):
    def completed(self, history: list[Item]) -> list[Item]:
        prompt = super().completed(history)
        for place, one in enumerate(prompt):
            if not any(one is other for other in history):
                prompt[place - 1 : place + 1] = [one, prompt[place - 1]]
        return prompt


@fault("ORD-3")
class CutsLongText(Miniature):
    def downgrade(self, item: Item) -> Item:
        item = super().downgrade(item)
        return {**item, "arguments": ""} if item["type"] == "function_call" else item


@fault("ORD-3")
class DropsPhase(Miniature):
    def downgrade(self, item: Item) -> Item:
        item = dict(super().downgrade(item))
        item.pop("phase", None)
        return item


# orphans


def _keeps(clause: str, output_type: str) -> None:
    class Keeps(Miniature):
        def orphan(self, place: int, output: Item, prompt: list[Item]) -> bool:
            return output["type"] != output_type and super().orphan(place, output, prompt)

    Keeps.__name__ = f"Keeps_{output_type}"
    fault(clause)(Keeps)


for removes, kept_type in (
    ("ORPH-1", "function_call_output"),
    ("ORPH-2", "custom_tool_call_output"),
    ("ORPH-5", "tool_search_output"),
):
    _keeps(removes, kept_type)


@fault("ORPH-1")
class ShellKeepsNothing(Miniature):
    def calls(self, call: Item, output: Item) -> bool:
        return call["type"] != "local_shell_call" and super().calls(call, output)


@fault("ORPH-2")
class AnyCallKeepsCustom(Miniature):
    def calls(self, call: Item, output: Item) -> bool:
        if output["type"] == "custom_tool_call_output":
            return self.is_call(call) and call["call_id"] == output["call_id"]
        return super().calls(call, output)


@fault("ORPH-3")
class ServerGoes(Miniature):
    def orphan(self, place: int, output: Item, prompt: list[Item]) -> bool:
        return super().orphan(place, {**output, "execution": "client"}, prompt)


@fault("ORPH-4")
class NoIdGoes(Miniature):
    def orphan(self, place: int, output: Item, prompt: list[Item]) -> bool:
        without = output.get("call_id") is None and output["execution"] != "server"
        return without or super().orphan(place, output, prompt)

    def orphaned(self, output: Item) -> None:
        if output.get("call_id") is not None:
            super().orphaned(output)


@fault("ORPH-5")
class ServerInAnyCase(Miniature):
    def orphan(self, place: int, output: Item, prompt: list[Item]) -> bool:
        any_case = output.get("execution", "").lower()
        return super().orphan(place, {**output, "execution": any_case}, prompt)


@fault("ORPH-6")
class OneOutputACall(Miniature):
    def orphan(self, place: int, output: Item, prompt: list[Item]) -> bool:
        key = (output["type"], output.get("call_id"))
        before = [(one["item"]["type"], one["item"].get("call_id")) for one in prompt[:place]]
        return (key[1] is not None and key in before) or super().orphan(place, output, prompt)


@fault("ORPH-7")
class CallsWithoutIdGo(Miniature):
    def finish(self, prompt: list[Item]) -> list[Item]:
        return [one for one in prompt if one["item"].get("call_id", "") is not None]


@fault("ORPH-7")
class EmptyMessagesGo(Miniature):
    def finish(self, prompt: list[Item]) -> list[Item]:
        return [one for one in prompt if one["item"].get("content", 0) != []]


@fault("ORPH-8")
class OnlyAfterItsCall(Miniature):
    def orphan(self, place: int, output: Item, prompt: list[Item]) -> bool:
        return super().orphan(place, output, prompt) or (
            output.get("call_id") is not None
            and output.get("execution") != "server"
            and not any(self.calls(one["item"], output) for one in prompt[:place])
        )


@fault("ORPH-9")
class SyntheticsAreOrphans(Miniature):
    def without_orphans(self, prompt: list[Item]) -> list[Item]:
        recorded = [one["item"] for one in self.history]
        for one in prompt:
            if one["item"] not in recorded:
                self.orphaned(one["item"])
        kept = [one for one in prompt if one["item"] in recorded]
        return super().without_orphans(kept)


# modes


@fault("MODE-1")
class OtherWording(Miniature):
    def anomaly(self, message: str) -> None:
        super().anomaly(message.replace("Orphan custom tool call", "Stray custom tool"))


@fault("MODE-1")
class QuotesIds(Miniature):
    def anomaly(self, message: str) -> None:
        start, sign, call_id = message.partition("id: ")
        super().anomaly(f"{start}{sign}{call_id!r}")


@fault("MODE-2")
class FunctionsAreAnomalies(Miniature):
    def missing(self, call: Item) -> None:
        if call["type"] == "function_call":
            self.anomaly(f"Function call output is missing for call id: {call['call_id']}")
        super().missing(call)


@fault("MODE-3")
class NeverPanics(Miniature):
    def anomaly(self, message: str) -> None:
        if not self.debug:
            super().anomaly(message)


@fault("MODE-3")
class PanicsOnEmptyPrompts(Miniature):
    def finish(self, prompt: list[Item]) -> list[Item]:
        if self.debug and len(prompt) > 1:
            raise Panic("too long")
        return prompt


@fault("MODE-4")
class ReleasePanics(Miniature):
    def orphaned(self, output: Item) -> None:
        if output["type"] == "tool_search_output":
            raise Panic(ORPHAN["tool_search_output"] + output["call_id"])
        super().orphaned(output)


@fault("MODE-5")
class DebugCompletesNothing(Miniature):
    def completion(self, call: Item) -> list[Item]:
        return [] if self.debug else super().completion(call)


@fault("MODE-6")
class OrphansFirst(Miniature):
    def project(self, op: Item) -> list[Item]:
        self.without_orphans(self.history)
        self.reports = []
        return super().project(op)


@fault("MODE-6")
class LastAnomaly(Miniature):
    def project(self, op: Item) -> list[Item]:
        if not self.debug:
            return super().project(op)
        self.debug = False
        prompt = super().project(op)
        self.debug = True
        if self.reports:
            raise Panic(self.reports[-1])
        return prompt


@fault("MODE-7")
class ReportsOnce(Miniature):
    def anomaly(self, message: str) -> None:
        if message not in self.reports:
            super().anomaly(message)


@fault("MODE-7")
class ReportsNothing(Miniature):
    def anomaly(self, message: str) -> None:
        if self.debug:
            super().anomaly(message)


# media


@fault("IMG-1")
class AlwaysWithoutImages(Miniature):
    def omits(self, kind: str) -> bool:
        return kind == "image" or super().omits(kind)


@fault("IMG-2")
class ImagesOfUsersOnly(Miniature):
    def entries(self, item: Item, entries: list[Item]) -> list[Item]:
        if item["type"] == "message" and item["role"] != "user":
            return entries
        return super().entries(item, entries)


@fault("IMG-2")
class RemovesImages(Miniature):
    def entries(self, item: Item, entries: list[Item]) -> list[Item]:
        if not self.omits("image"):
            return super().entries(item, entries)
        rest = [entry for entry in entries if entry["type"] != "input_image"]
        return super().entries(item, rest)


@fault("IMG-2")
class OtherPlaceholder(Miniature):
    def placeholder(self, kind: str) -> Item:
        if kind == "image":
            return {"type": "input_text", "text": "image omitted"}
        return super().placeholder(kind)


@fault("IMG-3")
class CustomOutputsSkipped(Miniature):
    def entries(self, item: Item, entries: list[Item]) -> list[Item]:
        if item["type"] == "custom_tool_call_output":
            return entries
        return super().entries(item, entries)


@fault("IMG-3")
class DataUrlsInText(Miniature):
    def downgrade(self, item: Item) -> Item:
        body = item.get("output")
        if isinstance(body, str) and body.startswith("data:image") and self.omits("image"):
            return {**item, "output": self.placeholder("image")["text"]}
        return super().downgrade(item)


@fault("IMG-4")
class ClearsRevisedPrompt(Miniature):
    def cleared(self, item: Item) -> Item:
        return {**super().cleared(item), "revised_prompt": ""}


@fault("IMG-4")
class KeepsResult(Miniature):
    def cleared(self, item: Item) -> Item:
        return item


@fault("IMG-5")
class OnlyPlaceholders(Miniature):
    def entries(self, item: Item, entries: list[Item]) -> list[Item]:
        changed = super().entries(item, entries)
        if self.omits("image") and any(entry["type"] == "input_image" for entry in entries):
            return [entry for entry in changed if entry == self.placeholder("image")] or changed
        return changed


@fault("IMG-5")
class OmitsEncrypted(Miniature):
    def entry(self, entry: Item) -> Item:
        if entry["type"] == "encrypted_content" and self.omits("image"):
            return self.placeholder("image")
        return super().entry(entry)


@fault("AUD-1")
class AlwaysWithoutAudio(Miniature):
    def omits(self, kind: str) -> bool:
        return kind == "audio" or super().omits(kind)


@fault("AUD-2")
class MessagesKeepAudio(Miniature):
    def entries(self, item: Item, entries: list[Item]) -> list[Item]:
        changed = super().entries(item, entries)
        if item["type"] != "message":
            return changed
        return [
            one if one["type"] == "input_audio" else other
            for one, other in zip(entries, changed, strict=True)
        ]


@fault("AUD-3")
class OutputsKeepAudio(Miniature):
    def entries(self, item: Item, entries: list[Item]) -> list[Item]:
        changed = super().entries(item, entries)
        if item["type"] == "message":
            return changed
        return [
            one if one["type"] == "input_audio" else other
            for one, other in zip(entries, changed, strict=True)
        ]


@fault("AUD-4")
class AudioClearsImages(Miniature):
    def downgrade(self, item: Item) -> Item:
        item = super().downgrade(item)
        if item["type"] == "image_generation_call" and self.omits("audio"):
            return self.cleared(item)
        return item


@fault("AUD-5")
class NeedsText(Miniature):
    def omits(self, kind: str) -> bool:
        return super().omits(kind) and "text" in self.modalities


@fault("AUD-5")
class EmptyMeansAll(Miniature):
    def omits(self, kind: str) -> bool:
        return bool(self.modalities) and super().omits(kind)


@fault("AUD-5")
class AudioNeedsNoImage(Miniature):
    def omits(self, kind: str) -> bool:
        return super().omits(kind) and (kind == "image" or super().omits("image"))


@fault("AUD-6")
class DropsEmptiedMessages(Miniature):
    def finish(self, prompt: list[Item]) -> list[Item]:
        if not self.omits("image"):
            return prompt
        return [one for one in prompt if one["item"].get("content") != [self.placeholder("image")]]


@fault("AUD-6")
class NoIdsWithoutImages(Miniature):
    def synthetic_id(self, prefix: str, call: Item) -> str | None:
        return None if self.omits("image") else super().synthetic_id(prefix, call)


CAPABILITIES = Capabilities(diagnostics=True, exact_numbers=True, success_flag=True)


def judge() -> Judge:
    """A judge of everything."""
    return Judge(DEFAULT_EDITION, Claim.full(), dict.fromkeys(Mode, CAPABILITIES))


def example_scripts() -> list[list[Item]]:
    """The scripts of the pinned examples that only record, replace, read and project."""
    return [
        example["ops"]
        for example in examples()
        if not LIVED & set(example["clauses"]) and edition_of(example) is DEFAULT_EDITION
    ]


def small_scripts() -> Iterator[list[Item]]:
    """Every history of one item, and pairs of a slice of the alphabet, under all modalities."""
    symbols = alphabet(Scope.full())
    for length in (1, 2):
        for history in histories(symbols, length, start=0, stop=400):
            items = [symbol.item for symbol in history]
            yield projection_script(items, all_modality_sets(Scope.full()), Scope.full())


def blamed(wrong: Wrong, scripts: list[list[Item]]) -> tuple[set[str], list[Any]]:
    """The clauses reported for a wrong implementation, and what no check explained."""
    judging, clauses, unexplained = judge(), set[str](), []
    for script in scripts:
        judgement = judging.judge(script, {mode: wrong(mode).run(script) for mode in Mode})
        clauses |= {violation.clause for violation in judgement.violations}
        unexplained += [(script, one) for one in judgement.unattributed]
    return clauses, unexplained


def test_the_miniature_is_right() -> None:
    """The implementation that the wrong ones vary agrees with the model and every check."""
    assert blamed(Miniature, example_scripts()) == (set(), [])


def test_every_check_has_a_fault() -> None:
    """No clause is judged without a wrong implementation that shows its check at work."""
    assert {clause for clause, _ in FAULTS.values()} == set(CHECKS) - LIVED


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_blamed_on_its_clause(name: str) -> None:
    """The examples alone make a fault's own clause red, and leave nothing unexplained."""
    clause, wrong = FAULTS[name]
    clauses, unexplained = blamed(wrong, example_scripts())
    assert clause in clauses
    assert unexplained == []
