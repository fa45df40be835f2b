"""Many histories on one thread: how they are put together, and taken apart again. Pure.

Every rule of SPEC 2 is keyed by call_id, family and the item itself. Histories whose call_ids
differ therefore never meet, and one turn projects all of them. Each gets a prefix of fixed length
on its call_ids; a developer message with a known text stands before each. Late items of a
live recording come in a second round, again part by part; stored sessions are only read whole.
Histories with a life beyond that share no thread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import groupby, repeat
from typing import Final, TypeAlias

from attrs import define, field, frozen

from contextcert.adapters.codex.diagnostics import joined_report, parted
from contextcert.adapters.codex.models import USUAL_POLICY
from contextcert.adapters.codex.steps import (
    Modalities,
    Project,
    Reading,
    Record,
    Replace,
    Restore,
    Step,
)
from contextcert.refmodel import TruncationPolicy
from contextcert.refmodel.json_value import Json, JsonObject

MOST_PARTS: Final = 50
_MOST_ITEMS: Final = 600
_MARK: Final = "contextcert part "
_PREFIX_LENGTH: Final = 4
_CALL: Final = "call"
_OUTPUT: Final = "output"
_OTHER_SIDE: Final = {_CALL: _OUTPUT, _OUTPUT: _CALL}
_SIDES: Final = {
    "function_call": ("function", _CALL),
    "local_shell_call": ("function", _CALL),
    "function_call_output": ("function", _OUTPUT),
    "custom_tool_call": ("custom", _CALL),
    "custom_tool_call_output": ("custom", _OUTPUT),
    "tool_search_call": ("tool search", _CALL),
    "tool_search_output": ("tool search", _OUTPUT),
}
"""Who can answer whom: the kind of output, and the side of it (SPEC 1.2)."""


_REPORTS: Final = {
    "local_shell_call": "Local shell call output is missing",
    "function_call_output": "Orphan function call output",
    "custom_tool_call": "Custom tool call output is missing",
    "custom_tool_call_output": "Orphan custom tool call output",
    "tool_search_output": "Orphan tool search output",
}
"""What may be reported about each type of item (MODE-1)."""

Side: TypeAlias = "tuple[str, str]"
"""A kind of output, and whether a call or an output of it."""


class NotApart(Exception):  # noqa: N818 -- reads as what happened
    """A prompt does not fall into the histories that were put together."""


class Way(Enum):
    """How the items of a history come into the binary; a replacement starts a history anew."""

    RECORDED = Record
    RESTORED = Restore
    REPLACED = Replace


@frozen
class Phase:
    """Items that come into a history at once, and the projections asked for afterwards.

    `projections` holds (index of the operation in its script, modalities).
    """

    items: tuple[Json, ...]
    projections: tuple[tuple[int, Modalities], ...]
    policy: TruncationPolicy = USUAL_POLICY

    def turns(self) -> Counter[Modalities]:
        """Say how many projections it needs under each modality set."""
        return Counter(modalities for _, modalities in self.projections)


@frozen
class Part:
    """One history of one script, phase by phase.

    `way` says how its items come into the binary. `empty_sides` are the sides on which
    an empty call_id stands.
    """

    script: int
    way: Way
    phases: tuple[Phase, ...]
    size: int = field(init=False)
    empty_sides: frozenset[Side] = field(init=False)

    @size.default
    def _count_items(self) -> int:
        return sum(len(phase.items) for phase in self.phases)

    @empty_sides.default
    def _sides_of_empty_call_ids(self) -> frozenset[Side]:
        items = (item for phase in self.phases for item in phase.items)
        return frozenset(side for item in items for side in _empty_side(item))

    def phase(self, number: int) -> Phase:
        """Give a phase; beyond the last one nothing comes in and nothing is asked for."""
        return self.phases[number] if number < len(self.phases) else Phase((), ())

    def goes_with(self) -> object:
        """Give what the parts of a group have in common, so that few turns are for nothing."""
        modalities = frozenset(asked for phase in self.phases for _, asked in phase.projections)
        policies = tuple(phase.policy for phase in self.phases)
        usual = set(policies) == {USUAL_POLICY}
        return self.way, modalities, () if usual else policies


def _empty_side(item: Json) -> list[Side]:
    if not isinstance(item, dict) or item.get("call_id") != "":
        return []
    side = _SIDES.get(str(item.get("type")))
    return [] if side is None else [side]


def parts_of(script: int, reading: Reading) -> list[Part] | None:
    """Split a script into its histories; None if one of them must have a thread of its own.

    That is so where it holds what marks the parts of a batch, and where its life is more than
    recording alone, or reading stored sessions alone.
    """
    by_history = groupby(
        sorted(reading.steps, key=lambda step: (step.history, step.index)),
        lambda step: step.history,
    )
    parts = [_part(script, list(steps)) for _, steps in by_history]
    together = [part for part in parts if part is not None and not _holds_a_mark(part)]
    return together if len(together) == len(parts) else None


def _part(script: int, steps: Sequence[Step]) -> Part | None:
    ways = {type(step) for step in steps if not isinstance(step, Project)} or {Record}
    if len(ways) > 1 or not ways.issubset(way.value for way in Way):
        return None
    filling = _Filling()
    for step in steps:
        match step:
            case Project():
                filling.asked.append((step.index, step.modalities))
            case Record():
                filling.bring(step.items, step.policy)
            case Restore():
                filling.bring(step.items, USUAL_POLICY)
            case Replace():
                filling.begin(step.items)
    return Part(script, Way(ways.pop()), filling.phases())


@define
class _Filling:
    """The phases of a history, while its script is read."""

    asked: list[tuple[int, Modalities]] = field(factory=list)
    _done: list[Phase] = field(factory=list)
    _items: list[Json] = field(factory=list)
    _policy: TruncationPolicy = USUAL_POLICY

    def bring(self, items: Sequence[Json], policy: TruncationPolicy) -> None:
        """Bring items in; what was asked for before, or another policy, ends a phase."""
        if self.asked or (self._items and policy != self._policy):
            self._done = list(self.phases())
            self.asked, self._items = [], []
        self._items += items
        self._policy = policy

    def begin(self, items: Sequence[Json]) -> None:
        """Start over with other items, in a phase of their own."""
        if self.asked:
            self._done = list(self.phases())
        self.asked, self._items = [], [*items]

    def phases(self) -> tuple[Phase, ...]:
        """Give all phases."""
        return (*self._done, Phase(tuple(self._items), tuple(self.asked), self._policy))


def _holds_a_mark(part: Part) -> bool:
    return any(_looks_like_a_mark(item) for phase in part.phases for item in phase.items)


@define
class _Group:
    """A group that is being filled."""

    parts: list[Part] = field(factory=list)
    size: int = 0
    empty_sides: frozenset[Side] = frozenset()

    def takes(self, part: Part) -> bool:
        """Say whether there is room, and no empty call_id would meet another's output."""
        room = len(self.parts) < MOST_PARTS and self.size + part.size <= _MOST_ITEMS
        return room and not any(
            (kind, _OTHER_SIDE[side]) in self.empty_sides for kind, side in part.empty_sides
        )

    def add(self, part: Part) -> None:
        self.parts.append(part)
        self.size += part.size
        self.empty_sides |= part.empty_sides


def groups_of(parts: Iterable[Part]) -> list[list[Part]]:
    """Arrange parts in groups, one thread each, that do not disturb one another.

    An empty call_id stays empty. So that it means the same alone and in a group, no group has an
    empty call_id on a call of one part and on an output of another that could answer it.
    """
    alike: dict[object, list[_Group]] = {}
    # Those that can share with few others choose first, then those with the most turns.
    for part in sorted(parts, key=lambda part: (-len(part.empty_sides), -len(part.phases))):
        groups = alike.setdefault(part.goes_with(), [])
        group = next((group for group in groups if group.takes(part)), None)
        if group is None:
            groups.append(group := _Group())
        group.add(part)
    return [group.parts for groups in alike.values() for group in groups]


def turns_of(group: Sequence[Part], phase: int) -> Counter[Modalities]:
    """Say how many projections a group needs in a phase, under each modality set."""
    turns: Counter[Modalities] = Counter()
    for part in group:
        turns |= part.phase(phase).turns()
    return turns


def joined(group: Sequence[Part], phase: int) -> list[Json]:
    """Put the items of a phase together: a mark before each part, call_ids made its own."""
    return _together([part.phase(phase).items for part in group])


def joined_so_far(group: Sequence[Part], phase: int) -> list[Json]:
    """Put the items of all phases up to this one together, part by part."""
    return _together(
        [[item for past in part.phases[: phase + 1] for item in past.items] for part in group]
    )


def _together(histories: Sequence[Sequence[Json]]) -> list[Json]:
    items: list[Json] = []
    for place, history in enumerate(histories):
        items.append(_mark(place))
        items.extend(_renamed(item, place) for item in history)
    return items


def policy_of(group: Sequence[Part], phase: int) -> TruncationPolicy:
    """Give what the items of a phase are recorded under."""
    return next(part.phases[phase].policy for part in group if phase < len(part.phases))


def messages_apart(group: Sequence[Part], phase: int, messages: Sequence[str]) -> list[list[str]]:
    """Share out what was reported about a group in a phase, call_ids as they were.

    Reports about empty call_ids come in the order of their items, one for each. If there are more
    or fewer of them, only a history that is the only one to have such an item can be told.

    Raises:
        NotApart: it cannot be told about which history something was reported.
    """
    prefixes = {_prefix(place): place for place in range(len(group))}
    told = Counter(what for what, call_id in map(parted, messages) if not call_id)
    asked = _reports_about_empty(group, phase)
    empty = {what: _in_turn(asked.get(what, []), number) for what, number in told.items()}
    shares: list[list[str]] = [[] for _ in group]
    for what, call_id in map(parted, messages):
        place = prefixes.get(call_id[:_PREFIX_LENGTH]) if call_id else next(empty[what], None)
        if place is None:
            raise NotApart("it cannot be told about which history something was reported")
        shares[place].append(joined_report(what, call_id[_PREFIX_LENGTH:]))
    return shares


def _in_turn(places: list[int], number: int) -> Iterator[int]:
    """Give whose so many reports are: each its own, or all of them the only one's."""
    if len(set(places)) == 1:
        return repeat(places[0])
    return iter(places if len(places) == number else ())


def _reports_about_empty(group: Sequence[Part], phase: int) -> dict[str, list[int]]:
    """Give for each report about an empty call_id whose items it may be about, in order."""
    found: dict[str, list[int]] = {}
    for past in range(phase + 1):
        for place, part in enumerate(group):
            for item in part.phase(past).items:
                if isinstance(item, dict) and item.get("call_id") == "":
                    what = _REPORTS.get(str(item.get("type")))
                    if what is not None and item.get("execution") != "server":
                        found.setdefault(what, []).append(place)
    return found


def owner(group: Sequence[Part], phase: int, index: int) -> Part | None:
    """Say whose item stands at an index of the joined items; None for a mark or beyond."""
    for part in group:
        length = len(part.phase(phase).items)
        if index <= length:
            return part if index else None
        index -= length + 1
    return None


def apart(group: Sequence[Part], rounds: int, prompt: Sequence[Json]) -> list[list[Json]]:
    """Take a prompt apart again, one list a part, call_ids as they were.

    `rounds` says how often joined items came into the thread.

    Raises:
        NotApart: the marks are not all there in order, or something stands before the first.
    """
    taken: list[list[Json]] = [[] for _ in group]
    marks = 0
    for item in prompt:
        place = (marks - 1) % len(group)
        if _looks_like_a_mark(item):
            _check_mark(item, marks % len(group))
            marks += 1
        elif not marks:
            raise NotApart("an item stands before the first history")
        else:
            taken[place].append(_restored(item, place))
    if marks != len(group) * rounds:
        raise NotApart(f"{len(group) * rounds} marks went in, {marks} came out")
    return taken


def _mark(place: int) -> JsonObject:
    # Told by its text: some releases send no ids.
    text: JsonObject = {"type": "input_text", "text": f"{_MARK}{place:02}"}
    item_id = f"msg_contextcertpart{place:02}"
    return {"type": "message", "id": item_id, "role": "developer", "content": [text]}


def _text_of_mark(item: Json) -> str | None:
    """Give the text of what looks like a mark, or None."""
    match item:
        case {"type": "message", "content": [{"text": str(text)}]} if text.startswith(_MARK):
            return text
    return None


def _looks_like_a_mark(item: Json) -> bool:
    return _text_of_mark(item) is not None


def _check_mark(item: Json, place: int) -> None:
    if _text_of_mark(item) != f"{_MARK}{place:02}":
        raise NotApart(f"the mark of history {place} is missing")


def _prefix(place: int) -> str:
    return f"p{place:02}~"


def _renamed(item: Json, place: int) -> Json:
    if not isinstance(item, dict):
        return item
    call_id = item.get("call_id")
    if not isinstance(call_id, str) or not call_id:
        return item
    return {**item, "call_id": _prefix(place) + call_id}


def _restored(item: Json, place: int) -> Json:
    if not isinstance(item, dict):
        return item
    call_id = item.get("call_id")
    if not isinstance(call_id, str) or not call_id:
        return item
    if not call_id.startswith(_prefix(place)):
        raise NotApart(f"a call_id of another history came out in history {place}")
    return {**item, "call_id": call_id[_PREFIX_LENGTH:]}
