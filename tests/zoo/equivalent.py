"""Changes of the correct subject that no script can show, each with the reason why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from zoo.changes import Envelopes
from zoo.projection import Entries
from zoo.recording import Policy
from zoo.subject import ZooSubject
from zoo.values import Json


@dataclass(frozen=True)
class Equivalent:
    """A mutant that is none, and the sentence that proves it."""

    make: type[ZooSubject]
    proof: str


class _AudioBeforeImages(ZooSubject):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        self.diagnostics = []
        entries = self._downgrade_audio(self._repair(entries), modalities)
        return self._downgrade_images(entries, modalities)


class _OrphansBeforeGaps(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        if self.mode == "debug":
            return super()._repair(entries)
        kept = self._drop_orphans(entries)
        orphans, self.diagnostics = self.diagnostics, []
        completed = self._complete(kept)
        self.diagnostics += orphans
        return completed


class _CallsOfWhatWasThere(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        self._called_before = super()._called(entries)
        return super()._repair(entries)

    def _called(self, entries: Entries) -> set[tuple[str, str]]:
        return self._called_before if self._inside else super()._called(entries)

    _inside = False

    def _drop_orphans(self, entries: Entries) -> Entries:
        self._inside = True
        try:
            return super()._drop_orphans(entries)
        finally:
            self._inside = False


class _EnlargedByAFifth(ZooSubject):
    def _enlarged(self, policy: Policy) -> int:
        return policy.limit + -(-policy.limit // 5)


class _WalkToTheFront(ZooSubject):
    def _walked(self, envelopes: Envelopes, cut: int, first: int) -> int:
        return super()._walked(envelopes, cut, 0) if cut > first else cut


class _PatchInOrder(ZooSubject):
    def _patch(self, old: Json, new: Json) -> Json:
        patch = super()._patch(old, new)
        return dict(sorted(patch.items())) if isinstance(patch, dict) else patch


EQUIVALENT: Final = {
    "audio-before-images": Equivalent(
        _AudioBeforeImages,
        "steps C and D look at different types of entries and write input_text, which neither "
        "looks at.",
    ),
    "orphans-before-gaps": Equivalent(
        _OrphansBeforeGaps,
        "no synthetic output is an orphan and no removal leaves a call unanswered (ORPH-9), so in "
        "release, with the messages put back in order, A and B commute.",
    ),
    "calls-of-what-was-there": Equivalent(
        _CallsOfWhatWasThere,
        "step A inserts outputs only, so the calls that step B looks for are those of the history.",
    ),
    "enlarged-by-a-fifth": Equivalent(
        _EnlargedByAFifth,
        "n is whole, so ceil(6n/5) = ceil(n + n/5) = n + ceil(n/5).",
    ),
    "walk-to-the-front": Equivalent(
        _WalkToTheFront,
        "a boundary is never contextual, so a walk that begins behind the first boundary stops at "
        "it without being told to.",
    ),
    "patch-in-order": Equivalent(
        _PatchInOrder,
        "the order of an object's keys is not part of its JSON value.",
    ),
}
