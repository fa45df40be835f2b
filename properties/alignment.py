"""Lays a prompt beside its history: what survived, what is new, what is gone.

A right prompt is matched in one walk. Any other is matched as far as it can be: first what is
equal and in order, then what is equal elsewhere, then what is alike; the rest is new or gone. A
prompt may hold anything at all.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import define, field

from contextcert.properties.equality import Sight, written
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.item_facts import OUTPUT_OF, OUTPUT_TYPES
from contextcert.properties.synthetic import synthetic_body
from contextcert.properties.wire_form import ITEMS
from contextcert.refmodel.json_value import Json, JsonObject

_LONGEST_TABLE = 250_000


@define(eq=False)
class Alignment:
    """A prompt laid beside its history.

    `target` gives, per item of the history, its position in the prompt, or -1. `altered` are the
    items that are there but not equal to what they should be. `gained` gives, per call, the
    positions of the outputs that are new and its own. `stray` are the new positions that belong
    to no call. `moved` are the items that stand before one they stood after. `complete` are the
    calls whose one gained output is right in every field and stands in its place.
    """

    target: list[int]
    altered: set[int] = field(factory=set)
    gained: dict[int, list[int]] = field(factory=dict)
    stray: list[int] = field(factory=list)
    moved: tuple[int, ...] = ()
    complete: set[int] = field(factory=set)

    @property
    def misplaced(self) -> bool:
        """Whether anything is wrong beyond how items look: one gone, moved or too many."""
        return bool(self.stray or self.moved or self.gained or -1 in self.target)


def align(
    facts: HistoryFacts, forms: Sequence[JsonObject], prompt: Sequence[Json], sight: Sight
) -> Alignment:
    """Lay a prompt beside its history; `forms` is how each item should look in it."""
    aligned = _walk(facts, forms, prompt, sight) or _search(facts, forms, prompt, sight)
    _complete(facts, aligned, prompt, sight)
    return aligned


def _walk(
    facts: HistoryFacts, forms: Sequence[JsonObject], prompt: Sequence[Json], sight: Sight
) -> Alignment | None:
    """Match in one walk, or give up where the prompt holds what is not expected there."""
    aligned = Alignment(target=[-1] * len(forms))
    target = aligned.target
    items, unanswered, orphans = facts.items, facts.unanswered, facts.orphans
    position, length = 0, len(prompt)
    for place, form in enumerate(forms):
        if position == length or prompt[position] != form:
            if place in orphans:
                continue
            return None
        if items[place].exact and not sight.same(form, prompt[position]):
            return None
        target[place] = position
        position += 1
        if place in unanswered and position < length:
            wanted, given = unanswered[place], prompt[position]
            if _same_kind(wanted, given):
                aligned.gained[place] = [position]
                position += 1
    return aligned if position == length else None


def _search(
    facts: HistoryFacts, forms: Sequence[JsonObject], prompt: Sequence[Json], sight: Sight
) -> Alignment:
    """Match item by item where kinds and call ids agree, unless the order tells more."""
    same = list(_equal_in_order(forms, prompt))
    aligned = _walk_loosely(facts, forms, prompt, sight)
    if aligned is not None and len(forms) - aligned.target.count(-1) - len(aligned.altered) >= len(
        same
    ):
        return aligned
    return _Matching(facts, forms, prompt, sight, same).align()


def _walk_loosely(
    facts: HistoryFacts, forms: Sequence[JsonObject], prompt: Sequence[Json], sight: Sight
) -> Alignment | None:
    """Match in one walk by type and call id alone."""
    aligned = Alignment(target=[-1] * len(forms))
    position, length = 0, len(prompt)
    for place, form in enumerate(forms):
        given = prompt[position] if position < length else None
        if not _same_kind(form, given):
            if place in facts.orphans:
                continue
            return None
        if not sight.same(form, given):
            aligned.altered.add(place)
        aligned.target[place] = position
        position += 1
        wanted = facts.unanswered.get(place)
        if wanted is not None and position < length and _same_kind(wanted, prompt[position]):
            aligned.gained[place] = [position]
            position += 1
    return aligned if position == length else None


def _same_kind(form: JsonObject, given: Json) -> bool:
    return (
        isinstance(given, dict)
        and given.get("type") == form["type"]
        and given.get("call_id") == form.get("call_id")
    )


def _complete(
    facts: HistoryFacts, aligned: Alignment, prompt: Sequence[Json], sight: Sight
) -> None:
    for place, positions in aligned.gained.items():
        wanted = facts.unanswered.get(place)
        if wanted is None or len(positions) != 1:
            continue
        if positions[0] != aligned.target[place] + 1:
            continue
        given = prompt[positions[0]]
        if given == (sight.item_object(wanted) if sight.hidden_fields else wanted):
            aligned.complete.add(place)


class _Matching:
    """The patient way, for a prompt that is wrong somewhere."""

    def __init__(
        self,
        facts: HistoryFacts,
        forms: Sequence[JsonObject],
        prompt: Sequence[Json],
        sight: Sight,
        same: Iterable[tuple[int, int]],
    ) -> None:
        self.facts = facts
        self.forms = forms
        self.prompt = prompt
        self.sight = sight
        self.target = [-1] * len(forms)
        self.source = [-1] * len(prompt)
        self.aligned = Alignment(target=self.target)
        for place, position in same:
            self._match(place, position)

    def align(self) -> Alignment:
        self._equal_by_key(self.forms)
        for image, audio in ((True, True), (True, False), (False, True), (False, False)):
            self._equal_by_key(
                [item.prompt_form(image=image, audio=audio) for item in self.facts.items]
            )
        self._equal_by_key([item.form for item in self.facts.items])
        self._alike(_same_id)
        self._alike(_same_call_id)
        self._alike_between_neighbours()
        self.aligned.altered = {
            place
            for place, position in enumerate(self.target)
            if position >= 0 and not self.sight.same(self.forms[place], self.prompt[position])
        }
        self._give_owners()
        self.aligned.moved = tuple(_moved(self.target))
        return self.aligned

    def _equal_by_key(self, forms: Sequence[JsonObject]) -> None:
        waiting: dict[bytes, deque[int]] = defaultdict(deque)
        for position in self._new():
            waiting[_key(self.prompt[position])].append(position)
        if not waiting:
            return
        for place in self._missing():
            if positions := waiting.get(_key(forms[place])):
                self._match(place, positions.popleft())

    def _alike(self, alike: Callable[[JsonObject, JsonObject], bool]) -> None:
        """Match what was altered; an orphan is rather gone than altered."""
        for place in self._missing():
            if place in self.facts.orphans:
                continue
            for position in self._new():
                entry = self.prompt[position]
                if isinstance(entry, dict) and alike(self.forms[place], entry):
                    self._match(place, position)
                    break

    def _alike_between_neighbours(self) -> None:
        for place in self._missing():
            item = self.facts.items[place]
            if item.answers is not None and self.facts.outputs:
                # What pairs may have gone as an orphan; in a raw history nothing pairs.
                continue
            after, before = self._gap(place)
            for position in range(after + 1, before):
                entry = self.prompt[position]
                if (
                    self.source[position] < 0
                    and isinstance(entry, dict)
                    and (entry.get("type") == item.type or not _is_known(entry))
                    and not (item.type in OUTPUT_TYPES and _looks_synthetic(item.type, entry))
                ):
                    self._match(place, position)
                    break

    def _gap(self, place: int) -> tuple[int, int]:
        after = next((one for one in reversed(self.target[:place]) if one >= 0), -1)
        before = next((one for one in self.target[place + 1 :] if one >= 0), len(self.prompt))
        return after, before

    def _give_owners(self) -> None:
        for position in self._new():
            owner = self._owner(position)
            if owner is None:
                self.aligned.stray.append(position)
            else:
                self.aligned.gained.setdefault(owner, []).append(position)

    def _owner(self, position: int) -> int | None:
        """Give the call that a new output belongs to: of its id if there is one, else before it."""
        entry = self.prompt[position]
        if not isinstance(entry, dict) or not _is_output(entry):
            return None
        neighbour = self._call_before(position)
        callers = self._callers(entry)
        hungry = [
            one
            for one in callers
            if one in self.facts.unanswered and one not in self.aligned.gained
        ]
        if neighbour in hungry:
            return neighbour
        if hungry:
            return hungry[0]
        if neighbour in callers or not callers:
            return neighbour
        before = [one for one in callers if self.target[one] < position]
        return before[-1] if before else callers[0]

    def _callers(self, output: JsonObject) -> list[int]:
        output_type, call_id = output["type"], output.get("call_id")
        if not isinstance(output_type, str) or not isinstance(call_id, str):
            return []
        callers = self.facts.calls.get((output_type, call_id), ())
        return [call for call in callers if self.target[call] >= 0]

    def _call_before(self, position: int) -> int | None:
        """Give the call that stands before a position, new outputs between them left aside."""
        for earlier in range(position - 1, -1, -1):
            place = self.source[earlier]
            if place >= 0:
                return place if self.facts.items[place].type in OUTPUT_OF else None
        return None

    def _match(self, place: int, position: int) -> None:
        self.target[place] = position
        self.source[position] = place

    def _missing(self) -> list[int]:
        return [place for place, position in enumerate(self.target) if position < 0]

    def _new(self) -> list[int]:
        return [position for position, place in enumerate(self.source) if place < 0]


def _equal_in_order(
    forms: Sequence[JsonObject], prompt: Sequence[Json]
) -> Iterable[tuple[int, int]]:
    if len(forms) * len(prompt) > _LONGEST_TABLE:
        return ()
    return _common([_key(form) for form in forms], [_key(entry) for entry in prompt])


def _moved(target: Sequence[int]) -> Iterator[int]:
    furthest = -1
    for place, position in enumerate(target):
        if 0 <= position < furthest:
            yield place
        furthest = max(furthest, position)


def _same_id(form: JsonObject, entry: JsonObject) -> bool:
    return (
        "id" in form
        and entry.get("id") == form["id"]
        and entry.get("type") == form["type"]
        and entry.get("call_id") == form.get("call_id")
    )


def _same_call_id(form: JsonObject, entry: JsonObject) -> bool:
    """Take an output for an altered one, unless it looks like a synthetic one."""
    tag = form["type"]
    return (
        (form.get("call_id") is not None or tag in OUTPUT_TYPES)
        and entry.get("call_id") == form.get("call_id")
        and entry.get("type") == tag
        and not (tag in OUTPUT_TYPES and _looks_synthetic(str(tag), entry))
    )


def _looks_synthetic(tag: str, entry: JsonObject) -> bool:
    return all(entry.get(name) == value for name, value in synthetic_body(tag).items())


def _is_known(entry: JsonObject) -> bool:
    tag = entry.get("type")
    return isinstance(tag, str) and tag in ITEMS


def _is_output(entry: JsonObject) -> bool:
    tag = entry.get("type")
    return isinstance(tag, str) and tag in OUTPUT_TYPES


def _key(value: Json) -> bytes:
    return written(value, any_key_order=True)


def _common(ours: Sequence[bytes], theirs: Sequence[bytes]) -> Iterable[tuple[int, int]]:
    """Give a longest common subsequence as pairs of indices."""
    rows, columns = len(ours), len(theirs)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            best[row][column] = (
                best[row + 1][column + 1] + 1
                if ours[row] == theirs[column]
                else max(best[row + 1][column], best[row][column + 1])
            )
    row = column = 0
    while row < rows and column < columns:
        if ours[row] == theirs[column]:
            yield row, column
            row, column = row + 1, column + 1
        elif best[row + 1][column] >= best[row][column + 1]:
            row += 1
        else:
            column += 1
