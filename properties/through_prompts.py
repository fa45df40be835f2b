"""What a prompt shows of the items of a history, where an adapter shows them in no other way.

Before each projection a reading of the items is put into the script, with the outcome that follows
from the prompt: calls and outputs that were not there are left out, orphans stand where they must
while what stood before them is there. A prompt as it must be shows the items as they must be.
What no prompt can show is not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from attrs import evolve, frozen

from contextcert.properties.checks.recording import is_repair
from contextcert.properties.equality import Sight, written
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.item_facts import ID_PREFIX, ItemReader
from contextcert.properties.judgement import Judgement
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.subject import Script

_CHANGING: Final = frozenset({"HEAD", "ROLL", "REPL", "TRUNC"})
_NOT_BY_PROMPTS: Final = frozenset({"PROJ-1", "MODE-8", "REC-4", "VER-1", "SNAP-1"})
"""What speaks of more than a prompt shows, such as orphans that it leaves out."""

_WIDE: Final = 10_000
"""A limit that leaves outputs of usual length alone."""

_NOT_SHOWN: Final[JsonObject] = {"unsupported": "the prompt does not show it"}


@frozen
class Extended:
    """A script with a reading before every projection.

    `places` says which operations are the script's own, `touched` which projections are of a
    history that more happened to than recording what stays as it is.
    """

    script: list[JsonObject]
    places: tuple[int, ...]
    touched: frozenset[int]

    @classmethod
    def of(cls, script: Script) -> Extended:
        """Put the readings in."""
        ops: list[JsonObject] = []
        places: list[int] = []
        changed: set[Json] = set()
        touched: set[int] = set()
        for op in script:
            on = op.get("on", 0)
            if _changes(op) and isinstance(on, int):
                changed.add(on)
            if op.get("op") == "for_prompt":
                ops.append({"op": "raw_items", **({"on": op["on"]} if "on" in op else {})})
                if on in changed:
                    touched.add(len(ops))
            places.append(len(ops))
            ops.append(op)
        return cls(ops, tuple(places), frozenset(touched))

    def answers(
        self, given: Sequence[JsonObject], read: Callable[[int, JsonObject], JsonObject]
    ) -> list[JsonObject]:
        """Put in what each projection shows; `read` is given its place here and its outcome."""
        outcomes: list[JsonObject] = []
        for place, outcome in zip(self.places, given, strict=False):
            if self.script[place].get("op") == "for_prompt":
                outcomes.append(read(place, outcome))
            outcomes.append(outcome)
        return outcomes

    def back(self, judgement: Judgement) -> Judgement:
        """Have a judgement speak of the script as it was."""
        own = dict(self._own())
        return evolve(
            judgement,
            exercised={
                cell: times
                for cell, times in judgement.exercised.items()
                if cell[0] not in _NOT_BY_PROMPTS
            },
            violations=tuple(_moved(one, own) for one in self._sure(judgement.violations)),
            unattributed=tuple(
                evolve(one, operation=own[one.operation]) for one in judgement.unattributed
            ),
            unasked=tuple(_moved(one, own) for one in judgement.unasked),
        )

    def _sure(self, violations: Sequence[Violation]) -> Iterator[Violation]:
        """Leave out what the same prompt was blamed for twice.

        If a change, or the cutting of an output, explains it, the projection is right. Else it is
        the projection that was asked for.
        """
        projections = set(self.places)
        changed = {
            (one.mode, one.operation + 1)
            for one in violations
            if one.operation not in projections and one.clause.partition("-")[0] in _CHANGING
        }
        wrong = {(one.mode, one.operation) for one in violations if one.operation in projections}
        for one in violations:
            group = one.clause.partition("-")[0]
            if one.operation in projections:
                if group == "MODE" or (one.mode, one.operation) not in changed:
                    yield one
            elif group in _CHANGING or (one.mode, one.operation + 1) not in wrong:
                yield one

    def _own(self) -> Iterator[tuple[int, int]]:
        """Give the script's own place for each here; a reading has that of its projection."""
        for number, place in enumerate(self.places):
            yield place, number
            if self.script[place].get("op") == "for_prompt":
                yield place - 1, number


def _changes(op: JsonObject) -> bool:
    """Say whether an operation may leave another history than the items it is given."""
    name = op.get("op")
    if name in {"remove_first_item", "drop_last_n_user_turns", "replace", "clone"}:
        return True
    policy, brought = op.get("policy"), op.get("items", op.get("envelopes"))
    if not isinstance(policy, dict) or not isinstance(brought, list):
        return False
    limit = policy.get("limit")
    narrow = isinstance(limit, int) and limit < _WIDE
    return narrow or any(map(_is_dropped, brought))


def _is_dropped(brought: Json) -> bool:
    item = brought.get("item", brought) if isinstance(brought, dict) else None
    if not isinstance(item, dict):
        return False
    return item.get("role") == "system" or item.get("type") not in ID_PREFIX


def _moved(violation: Violation, own: dict[int, int]) -> Violation:
    return evolve(violation, operation=own[violation.operation])


def items_shown(
    given: JsonObject,
    wanted: JsonObject,
    items: Json,
    reader: ItemReader,
    *,
    whole: bool,
) -> JsonObject:
    """Give what reading the items would have shown.

    Args:
        given: the outcome of the projection.
        wanted: the outcome that it must have.
        items: the items that the history must hold.
        reader: reads the items, as far as the adapter shows them.
        whole: whether a wrong prompt can tell of them: where more happened than recording them, and
            it takes every medium in, so that none is missing from it.
    """
    sight = reader.sight
    if isinstance(given.get("ok"), list) and isinstance(items, list):
        prompt, must = given["ok"], wanted.get("ok")
        assert isinstance(prompt, list)
        if sight.same_outcome({"ok": must}, {"ok": prompt}):
            return {"ok": items}
        if whole and isinstance(must, list):
            return {"ok": _merged(sight, prompt, must, items, reader)}
    return _NOT_SHOWN


def _merged(
    sight: Sight, prompt: list[Json], must: list[Json], items: list[Json], reader: ItemReader
) -> list[Json]:
    """Lay what was shown over what had to be, and take the items that are there."""
    facts = HistoryFacts.of([one for one in map(reader.read, items) if one is not None])
    sources = list(_sources(facts))
    if len(sources) != len(must) or len(facts.items) != len(items):
        return prompt
    steps = SequenceMatcher(
        None, [_text(sight, one) for one in must], [_text(sight, one) for one in prompt], False
    ).get_opcodes()
    kept: set[int] = set()
    extra: dict[int, list[Json]] = {}
    last = -1
    for tag, start, stop, first, end in steps:
        if tag == "equal":
            kept.update(place for place in sources[start:stop] if place is not None)
        else:
            shown = [one for one in prompt[first:end] if not is_repair(one) and one not in items]
            extra.setdefault(last, []).extend(shown)
        last = max([last, *(place for place in sources[start:stop] if place is not None)])
    return list(_with_orphans(items, facts.orphans, kept, extra))


def _sources(facts: HistoryFacts) -> Iterator[int | None]:
    """Give the place that each item of the right prompt comes from; None if it is synthetic."""
    for place in range(len(facts.items)):
        if place not in facts.orphans:
            yield place
        if place in facts.unanswered:
            yield None


def _with_orphans(
    items: Sequence[Json], orphans: set[int], kept: set[int], extra: dict[int, list[Json]]
) -> Iterator[Json]:
    there = True
    yield from extra.get(-1, ())
    for place, item in enumerate(items):
        there = there if place in orphans else place in kept
        if there:
            yield item
        yield from extra.get(place, ())


def _text(sight: Sight, item: Json) -> bytes:
    return written(sight.item(item), any_key_order=True)
