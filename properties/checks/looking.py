"""The looks of a case that an adapter answered, mode by mode."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import define, field, frozen

from contextcert.properties.case import Case
from contextcert.properties.equality import Sight, first_difference
from contextcert.properties.kinship import kin
from contextcert.properties.ledger import ITEMS, Look, State
from contextcert.properties.merging import Unsure
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Mode

_NONE: Final[frozenset[int]] = frozenset()


@frozen(eq=False)
class Seen:
    """A look and what it showed in one mode."""

    mode: Mode
    look: Look
    shown: Json
    sight: Sight
    panics: frozenset[int]
    """The projections of the history that panicked since it was last looked at (MODE-8)."""
    after_panic: bool
    """Whether the projection of any history panicked before."""

    @property
    def panicked(self) -> bool:
        """Whether a projection of the history panicked since it was last looked at (MODE-8)."""
        return bool(self.panics)

    @property
    def is_right(self) -> bool:
        """Whether the look showed what it must, as far as that is known."""
        if self.look.aspect != ITEMS:
            expected = self.look.expected
            return not isinstance(expected, Unsure) and self.sight.same(expected, self.shown)
        history = self.look.state.history
        if history.entries is None or history.base is not None:
            return False
        wanted: list[Json] = [self.sight.item(entry.item.form) for entry in history.entries]
        shown = self.shown if isinstance(self.shown, list) else []
        items = [one.get("item", one) if isinstance(one, dict) else one for one in shown]
        return self.sight.same(wanted, [self.sight.item(one) for one in items])

    def broke(self, clause: str, message: str, wanted: Json) -> Violation:
        """Report that the look broke a clause."""
        path, expected, actual = first_difference(wanted, self.shown, "/ok")
        return Violation(clause, self.mode, message, self.look.operation, path, expected, actual)


@define(eq=False)
class Looks:
    """The looks of a case by what they look at, gathered once for all checks."""

    case: Case
    by_aspect: dict[str, list[Seen]] = field(factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, case: Case) -> Looks:
        """Gather every look whose outcome says something."""
        gathered = cls(case)
        for mode, ledger in case.ledgers.items():
            if ledger is None:
                continue
            answers, silent, sight = case.answers[mode], case.silent[mode], case.sights[mode]
            panics = [place for place, one in enumerate(answers) if "panic" in one]
            for look in ledger.looks:
                if look.operation >= len(answers):
                    break
                answer = answers[look.operation]
                if "ok" in answer and look.operation not in silent:
                    after = bool(panics) and panics[0] < look.operation
                    panicked = _panicked(look, answers) if after else _NONE
                    seen = Seen(mode, look, answer["ok"], sight, panicked, after)
                    gathered.by_aspect[look.aspect].append(seen)
        return gathered

    def at(self, *aspects: str) -> Iterator[Seen]:
        """Give every look at some parts of histories, with what it showed."""
        for aspect in aspects:
            yield from self.by_aspect.get(aspect, ())

    def right_elsewhere(self, seen: Seen) -> bool:
        """Say whether a part of a clone was shown as it must be by its original, or another clone.

        Both must have been the same at that moment: nothing happened to either but the cloning.
        """
        own = [event for event in seen.look.events if event.kind != "foreign"]
        if not own or own[-1].kind != "clone":
            return False
        part, related = _part(seen.look), kin(self.case.script, seen.look.operation)
        return any(
            one.mode is seen.mode
            and one.look.handle != seen.look.handle
            and one.look.handle in related
            and _part(one.look) is part
            and one.is_right
            for one in self.at(seen.look.aspect)
        )

    def strangers(self, seen: Seen) -> Iterator[State]:
        """Give what the other histories were at the moment of a look, each that ever changed."""
        ledger = self.case.ledgers[seen.mode]
        assert ledger is not None
        last = {
            handle: event.after
            for handle, event in ledger.changed
            if event.operation < seen.look.operation and handle != seen.look.handle
        }
        yield from last.values()


def _part(look: Look) -> object:
    return look.state.history if look.aspect == ITEMS else look.state.of(look.aspect)


def _panicked(look: Look, answers: Sequence[JsonObject]) -> frozenset[int]:
    return frozenset(
        event.operation
        for event in look.events
        if event.kind == "project" and "panic" in answers[event.operation]
    )
