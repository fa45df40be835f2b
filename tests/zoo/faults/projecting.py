"""Faults that show across projections: repeated, annotated, of a prompt (PROJ)."""

from __future__ import annotations

import itertools
from dataclasses import replace

from zoo.faulty import RELEASE, fault
from zoo.projection import IMAGE_OMITTED, Entries
from zoo.subject import ZooSubject
from zoo.values import Envelope, Object

AGAIN = "a projection of a prompt"


@fault(
    "id-counts-projections",
    "PROJ-2",
    also=("SYN-1", "SYN-3"),
    why="a counter of the process is part of the id",
)
class _IdCountsProjections(ZooSubject):
    def __init__(self, mode: str | None = None) -> None:
        super().__init__(mode)
        self._counter = itertools.count()

    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        return super()._derived_id(prefix, f"{item_id}{next(self._counter)}", call)


@fault(
    "gaps-filled-once",
    "PROJ-2",
    also=("PAIR-1", "PAIR-2", "PAIR-3", "PAIR-4", "PAIR-13"),
    why="a call that was completed once is taken to be answered from then on",
)
class _GapsFilledOnce(ZooSubject):
    def run(self, params: Object) -> Object:
        """Start each script with nothing filled."""
        self._filled: set[tuple[str, str]] = set()
        return super().run(params)

    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        prompt = super()._project(entries, modalities)
        self._filled |= self._called(entries)
        return prompt

    def _answered(self, entries: Entries) -> set[tuple[str, str]]:
        return super()._answered(entries) | self._filled


@fault(
    "prompt-kept-for-any-modalities",
    "PROJ-2",
    also=("IMG-1", "IMG-2", "IMG-3", "IMG-4", "AUD-1", "AUD-2", "AUD-3", "AUD-5"),
    why="the last prompt is given again without a look at the modalities",
)
class _PromptKeptForAnyModalities(ZooSubject):
    def run(self, params: Object) -> Object:
        """Start each script with no prompt."""
        self._last: tuple[Entries, Entries] | None = None
        return super().run(params)

    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        if self._last is not None and self._last[0] == entries and not self.diagnostics:
            return self._last[1]
        prompt = super()._project(entries, modalities)
        self._last = entries, prompt
        return prompt


@fault(
    "notice-marked-again",
    "PROJ-4",
    also=("IMG-5", "ORD-3"),
    needs=AGAIN,
    why="a notice is taken for text about an image and quoted",
)
class _NoticeMarkedAgain(ZooSubject):
    def _replace_parts(self, parts: list[Object], kind: str, notice: str) -> list[Object]:
        replaced = super()._replace_parts(parts, kind, notice)
        if notice != IMAGE_OMITTED:
            return replaced
        return [
            {**new, "text": f"[{notice}]"} if old == self._notice({}, notice) else new
            for old, new in zip(parts, replaced, strict=True)
        ]


@fault(
    "aborted-outputs-do-not-count",
    "PROJ-4",
    also=("PAIR-6", "PAIR-14", "MODE-3"),
    minimum=2,
    why="an output that says aborted is taken for a gap that was filled, and filled again",
)
class _AbortedOutputsDoNotCount(ZooSubject):
    def _answers(self, item: Object) -> bool:
        return super()._answers(item) and item.get("output") != "aborted"


@fault(
    "aborted-outputs-taken-out",
    "PROJ-4",
    also=("ORPH-1", "ORPH-2", "ORPH-9", "PAIR-13"),
    minimum=2,
    why="earlier repairs are taken out of the history and made anew, at another place",
)
class _AbortedOutputsTakenOut(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        repaired = super()._repair(entries)
        given = {id(one) for one in entries}
        return [
            one for one in repaired if id(one) not in given or one.item.get("output") != "aborted"
        ]


@fault("annotated-loses-metadata", "PROJ-5", why="envelopes are made anew")
class _AnnotatedLosesMetadata(ZooSubject):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        prompt = super()._project(entries, modalities)
        return [replace(one, metadata=None) for one in prompt]


@fault(
    "downgraded-loses-metadata",
    "PROJ-5",
    why="an item whose media was replaced is put into a new envelope",
)
class _DowngradedLosesMetadata(ZooSubject):
    def _downgrade_images(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        downgraded = super()._downgrade_images(entries, modalities)
        return [
            new if new.item == old.item else replace(new, metadata=None)
            for old, new in zip(entries, downgraded, strict=True)
        ]


@fault(
    "metadata-by-position",
    "PROJ-5",
    also=("PAIR-12",),
    minimum=2,
    why="the plain prompt is zipped with the history's metadata",
)
class _MetadataByPosition(ZooSubject):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        prompt = super()._project(entries, modalities)
        given = [one.metadata for one in entries] + [None] * len(prompt)
        return [replace(one, metadata=given[place]) for place, one in enumerate(prompt)]


class _AnnotatedProjection(ZooSubject):
    """Gives annotated projections in another way than plain ones."""

    annotated = False

    def _do_for_prompt_annotated(self, op: Object) -> Object:
        self.annotated = True
        outcome = super()._do_for_prompt_annotated(op)
        self.annotated = False
        return outcome


@fault("annotated-keeps-media", "PROJ-5", why="the media steps are left out")
class _AnnotatedKeepsMedia(_AnnotatedProjection):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        seen = frozenset({"image", "audio"}) if self.annotated else modalities
        return super()._project(entries, seen)


@fault(
    "annotated-leaves-synthetic-out",
    "PROJ-5",
    also=("PAIR-1", "PAIR-2", "PAIR-3", "PAIR-4", "PAIR-13"),
    why="what has no envelope in the history is left out",
)
class _AnnotatedLeavesSyntheticOut(_AnnotatedProjection):
    def _insert(self, completed: Entries, call: Envelope, synthetic: Entries) -> None:
        super()._insert(completed, call, [] if self.annotated else synthetic)


@fault(
    "annotated-is-raw",
    "PROJ-5",
    also=("MODE-3",),
    modes=RELEASE,
    why="annotated projections show the history as it is",
)
class _AnnotatedIsRaw(_AnnotatedProjection):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        if self.annotated and self.mode == "release":
            return entries
        return super()._project(entries, modalities)
