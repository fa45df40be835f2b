"""Steps A and B of the projection: every call gets an output, orphan outputs go (SPEC 2.2, 2.5)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from faults import fault

from history.ids import synthetic_id
from history.items import Envelope, Item

Report: TypeAlias = Callable[[str], None]
"""Takes the message of an anomaly; in a debug build it does not return (MODE-3)."""


class Family(NamedTuple):
    """What answers a call: the type and the id prefix of its output, and what a gap is called."""

    output: str
    prefix: str
    anomaly: str | None = None


CALLS: Mapping[str, Family] = {
    "function_call": Family("function_call_output", "fco"),
    "local_shell_call": Family("function_call_output", "fco", "Local shell call"),
    "custom_tool_call": Family("custom_tool_call_output", "ctco", "Custom tool call"),
    "tool_search_call": Family("tool_search_output", "tso"),
}
"""The four families, by the type of the call (SPEC 1.2)."""

ORPHANS: Mapping[str, str] = {
    "function_call_output": "Orphan function call output",
    "custom_tool_call_output": "Orphan custom tool call output",
    "tool_search_output": "Orphan tool search output",
}
"""What an orphan is called, by the type of the output (MODE-1)."""

CallIds: TypeAlias = Mapping[str, set[str]]
"""Call ids, by the type of the output that carries or would carry them."""


def complete(envelopes: Sequence[Envelope], report: Report) -> list[Envelope]:
    """Step A: put a synthetic output directly after each unanswered call (PAIR, ORD-2)."""
    answered = _answered(envelopes)
    completed = []
    for index, envelope in enumerate(envelopes):
        completed.append(envelope)
        family = CALLS.get(envelope.item["type"])
        if family is None or not _is_call(envelope.item):
            continue
        call_id = envelope.item["call_id"]
        if fault("adjacent-pairing"):
            is_answered = call_id in _answered(envelopes[index + 1 : index + 2])[family.output]
        else:
            is_answered = call_id in answered[family.output]
        if not is_answered:
            if family.anomaly is not None:
                report(f"{family.anomaly} output is missing for call id: {call_id}")
            completed.append(Envelope(_synthetic_output(envelope.item, family)))
    return completed


def remove_orphans(envelopes: Sequence[Envelope], report: Report) -> list[Envelope]:
    """Step B: leave out the outputs of no call (ORPH)."""
    called = _called(envelopes)
    kept = []
    for envelope in envelopes:
        if not _is_orphan(envelope.item, called):
            kept.append(envelope)
            continue
        item_type = envelope.item["type"]
        report(f"{ORPHANS[item_type]} for call id: {envelope.item['call_id']}")
        if fault("orphan-kept") and item_type == "function_call_output":
            kept.append(envelope)
    return kept


def _answered(envelopes: Iterable[Envelope]) -> CallIds:
    """Gather the call ids of the outputs; families never mix (PAIR-6 to PAIR-8)."""
    answered: CallIds = {output: set() for output in ORPHANS}
    if fault("families-share-ids"):
        answered = dict.fromkeys(ORPHANS, answered["function_call_output"])
    for item, *_ in envelopes:
        call_id = item.get("call_id")
        if item["type"] in answered and call_id is not None:
            answered[item["type"]].add(call_id)
    return answered


def _called(envelopes: Iterable[Envelope]) -> CallIds:
    """Gather the call ids of the calls, by the type of the output that belongs to them."""
    called: CallIds = {output: set() for output in ORPHANS}
    for item, *_ in envelopes:
        if item["type"] in CALLS and item["call_id"] is not None:
            called[CALLS[item["type"]].output].add(item["call_id"])
    return called


def _is_call(item: Item) -> bool:
    """Say whether a call is of its family: without call_id it is of none (PAIR-5, PAIR-11)."""
    if fault("empty-call-id-is-absent") and item["call_id"] == "":
        return False
    return item["call_id"] is not None


def _is_orphan(item: Item, called: CallIds) -> bool:
    if item["type"] not in called or item.get("call_id") is None:
        return False  # ORPH-4, ORPH-7, E11-1
    if item["type"] == "tool_search_output" and item["execution"] == "server":
        return False  # ORPH-3
    return item["call_id"] not in called[item["type"]]


def _synthetic_output(call: Item, family: Family) -> Item:
    """Make the output of a call that has none; it carries nothing else (PAIR-12)."""
    output: Item = {"type": family.output}
    item_id = call.get("id")
    if item_id:  # SYN-2
        output["id"] = synthetic_id(family.prefix, item_id)
        if fault("call-id-in-synthetic-id"):
            output["id"] = synthetic_id(family.prefix, call["call_id"])
    output["call_id"] = call["call_id"]
    if family.output == "tool_search_output":
        return {**output, "status": "completed", "execution": "client", "tools": []}  # PAIR-2
    return {**output, "output": "aborted"}
