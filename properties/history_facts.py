"""What can be said of a history: who answers whom, what is an orphan, where each clause matters.

Everything here is read off SPEC as sets of call ids; no step of the model is run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from attrs import define, field

from contextcert.properties.item_facts import (
    CUSTOM_OUTPUT,
    FUNCTION_OUTPUT,
    ID_PREFIX,
    OUTPUT_OF,
    PREFIX_OF,
    SEARCH_OUTPUT,
    ItemFacts,
)
from contextcert.properties.synthetic import synthetic_output
from contextcert.refmodel.json_value import JsonObject

_COMPLETES: Final[Mapping[str, str]] = {
    "function_call": "PAIR-1",
    "tool_search_call": "PAIR-2",
    "custom_tool_call": "PAIR-3",
    "local_shell_call": "PAIR-4",
}
_REMOVES: Final[Mapping[str, str]] = {
    FUNCTION_OUTPUT: "ORPH-1",
    CUSTOM_OUTPUT: "ORPH-2",
    SEARCH_OUTPUT: "ORPH-5",
}
MISSING: Final[Mapping[str, str]] = {
    "custom_tool_call": "Custom tool call output is missing for call id: ",
    "local_shell_call": "Local shell call output is missing for call id: ",
}
"""How the anomaly of an unanswered call begins; other calls are no anomaly (MODE-1, MODE-2)."""

ORPHANED: Final[Mapping[str, str]] = {
    FUNCTION_OUTPUT: "Orphan function call output for call id: ",
    CUSTOM_OUTPUT: "Orphan custom tool call output for call id: ",
    SEARCH_OUTPUT: "Orphan tool search output for call id: ",
}
"""How the anomaly of an orphan begins (MODE-1)."""

Places = tuple[int, ...]
CallKey = tuple[str, str]


@define(frozen=True)
class Anomaly:
    """What makes debug panic: the item's place, and the message (MODE-1)."""

    place: int
    message: str


@define(eq=False, slots=False)
class HistoryFacts:
    """The facts of one history.

    `calls` and `outputs` give, per type of output and call id, the places of the calls that such
    an output answers, and of the outputs. `unanswered` gives, per unanswered call, the output it
    must gain. `places` gives, per clause, where in the history its precondition occurs. `special`
    holds the calls and outputs at which some clause about pairing in unusual circumstances
    matters; the others are plain. `images` and `audios` are the items with such entries, `results`
    the image generation calls, `data_bodies` the outputs whose body is text that holds a data URL.
    `occasions` remembers how often a prompt of the history exercises each clause.
    Made without `of`, nothing is gathered: so a raw history is looked at, where no item pairs.
    """

    items: Sequence[ItemFacts]
    calls: dict[CallKey, list[int]] = field(factory=dict)
    outputs: dict[CallKey, list[int]] = field(factory=dict)
    unanswered: dict[int, JsonObject] = field(factory=dict)
    orphans: set[int] = field(factory=set)
    special: set[int] = field(factory=set)
    places: dict[str, list[int]] = field(factory=lambda: defaultdict(list))
    images: list[int] = field(factory=list)
    audios: list[int] = field(factory=list)
    results: list[int] = field(factory=list)
    data_bodies: list[int] = field(factory=list)
    occasions: dict[tuple[bool, bool, bool], list[tuple[str, int]]] = field(factory=dict)

    @classmethod
    def of(cls, items: Sequence[ItemFacts]) -> HistoryFacts:
        """Gather the facts of a history in two walks over its items."""
        facts = cls(items)
        facts._gather()
        return facts

    def _gather(self) -> None:
        self._index()
        for place, item in enumerate(self.items):
            if item.output_type is not None:
                self._call(place, item, item.output_type)
            elif item.answers is not None:
                self._output(place, item, item.answers)
            elif item.type in OUTPUT_OF:
                self._special("PAIR-5", place)
            if item.has_media:
                self._media(place, item)
            elif item.holds_data_url:
                self.data_bodies.append(place)

    @cached_property
    def anomalies(self) -> tuple[Anomaly, ...]:
        """Every anomaly: first those of step A in item order, then those of step B (MODE-6)."""
        missing = [
            Anomaly(place, f"{MISSING[self.items[place].type]}{self.items[place].call_id}")
            for place in self.unanswered
            if self.items[place].type in MISSING
        ]
        orphaned = [
            Anomaly(place, f"{ORPHANED[self.items[place].type]}{self.items[place].call_id}")
            for place in sorted(self.orphans)
        ]
        return (*missing, *orphaned)

    @cached_property
    def wire_places(self) -> Mapping[str, Sequence[int]]:
        """Where the clauses of ITEM that an item exercises by itself occur."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, item in enumerate(self.items):
            for clause in item.wire_clauses:
                places[clause].append(place)
        return places

    @cached_property
    def loose(self) -> tuple[int, ...]:
        """Where function outputs without call_id stand, which answer nothing (E11-1)."""
        return tuple(
            place
            for place, item in enumerate(self.items)
            if item.answers == FUNCTION_OUTPUT and item.call_id is None
        )

    @property
    def has_anomaly(self) -> bool:
        """Whether a debug projection must panic (MODE-3)."""
        return bool(self.anomalies)

    @cached_property
    def messages(self) -> list[str]:
        """The messages of the anomalies, in order."""
        return [anomaly.message for anomaly in self.anomalies]

    @property
    def paired(self) -> bool:
        """Whether every call is answered and no output is an orphan."""
        return not self.unanswered and not self.orphans

    def _index(self) -> None:
        for place, item in enumerate(self.items):
            if item.call_id is None:
                continue
            if item.output_type is not None:
                self.calls.setdefault((item.output_type, item.call_id), []).append(place)
            elif item.answers is not None:
                self.outputs.setdefault((item.answers, item.call_id), []).append(place)

    def _call(self, place: int, call: ItemFacts, output_type: str) -> None:
        assert call.call_id is not None
        key = (output_type, call.call_id)
        answers = self.outputs.get(key)
        if answers is None:
            self._unanswered(place, call, output_type)
        else:
            self._answered(place, call, key, answers)
        if call.call_id == "":
            self._special("PAIR-11", place)

    def _unanswered(self, place: int, call: ItemFacts, output_type: str) -> None:
        assert call.call_id is not None
        self.unanswered[place] = synthetic_output(call)
        places = self.places
        places[_COMPLETES[call.type]].append(place)
        places["PAIR-12"].append(place)
        places["ORD-2"].append(place)
        if call.type not in MISSING:
            places["MODE-2"].append(place)
        if not call.id:
            places["SYN-2"].append(place)
        else:
            places["SYN-1"].append(place)
            if not _looks_usual(call):
                places["SYN-4"].append(place)
        if any((other, call.call_id) in self.outputs for other in PREFIX_OF):
            self._special("PAIR-7", place)
        if self.loose and output_type == FUNCTION_OUTPUT and call.call_id == "":
            self._special("E11-1", place)
        if len(self.calls[output_type, call.call_id]) > 1:
            self._special("PAIR-10", place)

    def _answered(self, place: int, call: ItemFacts, key: CallKey, answers: list[int]) -> None:
        if place + 1 not in answers:
            self._special("PAIR-6", place)
        if call.type == "local_shell_call" or (
            call.type == "function_call" and self._callers(key, "local_shell_call")
        ):
            self._special("PAIR-8", place)
        if call.type == "tool_search_call" and any(
            self.items[one].form["execution"] != "client" for one in (place, *answers)
        ):
            self._special("PAIR-9", place)
        callers = self.calls[key]
        if len(callers) > 1 and sum(self.items[one].type == call.type for one in callers) > 1:
            self._special("PAIR-10", place)

    def _callers(self, key: CallKey, call_type: str) -> bool:
        return any(self.items[one].type == call_type for one in self.calls[key])

    def _output(self, place: int, output: ItemFacts, output_type: str) -> None:
        if output.call_id is None:
            self._special("ORPH-4" if output_type == SEARCH_OUTPUT else "E11-1", place)
            return
        key = (output_type, output.call_id)
        callers = self.calls.get(key)
        if callers is not None:
            if len(self.outputs[key]) > 1:
                self._special("ORPH-6", place)
            if callers[0] > place:
                self._special("ORPH-8", place)
            if self._callers(key, "local_shell_call"):
                self.places["PAIR-8"].append(place)
        elif output_type == SEARCH_OUTPUT and output.form["execution"] == "server":
            self._special("ORPH-3", place)
        else:
            self._orphan(place, output, output_type)
        if output.call_id == "":
            self._special("PAIR-11", place)

    def _orphan(self, place: int, output: ItemFacts, output_type: str) -> None:
        self.orphans.add(place)
        self.places[_REMOVES[output_type]].append(place)
        if any((other, output.call_id) in self.calls for other in PREFIX_OF):
            self._special("PAIR-7", place)

    def _media(self, place: int, item: ItemFacts) -> None:
        if item.images:
            self.images.append(place)
        if item.audios:
            self.audios.append(place)
        if item.type == "image_generation_call":
            self.results.append(place)

    def _special(self, clause: str, place: int) -> None:
        self.places[clause].append(place)
        self.special.add(place)


def _looks_usual(call: ItemFacts) -> bool:
    prefix = f"{ID_PREFIX[call.type]}_"
    return call.id is not None and call.id.startswith(prefix) and len(call.id) > len(prefix)
