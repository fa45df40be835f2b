"""Faults of clauses that stand beside the projection: recording and what projecting leaves."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from zoo.faulty import RELEASE, fault
from zoo.projection import Entries
from zoo.recording import Policy
from zoo.subject import ZooSubject
from zoo.values import Envelope, Object


class _WrittenBack(ZooSubject):
    """Stores something of what a projection made."""

    def _stored(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        raise NotImplementedError

    def _prompt(self, op: Object, write: Callable[[Envelope], Object]) -> Object:
        outcome = super()._prompt(op, write)
        history = self._history(op)
        stored = self._stored(list(history.envelopes), self._modalities(op))
        self._store(op, replace(history, envelopes=tuple(stored)))
        return outcome


@fault(
    "repair-written-back",
    "PROJ-1",
    also=("PROJ-2", "PROJ-3", "MODE-7"),
    modes=RELEASE,
    why="the history is repaired in place, so anomalies are reported once",
)
class _RepairWrittenBack(_WrittenBack):
    def _stored(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        before, repaired = self.diagnostics, self._repair(entries)
        self.diagnostics = before
        return repaired


@fault(
    "downgrade-written-back",
    "PROJ-1",
    also=("PROJ-2", "PROJ-3", "IMG-1", "AUD-1"),
    why="a projection for a model that cannot see blinds the history",
)
class _DowngradeWrittenBack(_WrittenBack):
    def _stored(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        return self._downgrade_audio(self._downgrade_images(entries, modalities), modalities)


@fault("unknown-items-recorded", "REC-2", also=("ITEM-2",), needs="an unknown item", why="kept")
class _UnknownItemsRecorded(ZooSubject):
    def _is_kept(self, item: Object) -> bool:
        return item["type"] == "other" or super()._is_kept(item)


@fault("system-messages-recorded", "REC-2", needs="a system message", why="kept")
class _SystemMessagesRecorded(ZooSubject):
    def _is_kept(self, item: Object) -> bool:
        return item["type"] == "message" or super()._is_kept(item)


@fault(
    "recording-normalises",
    "REC-4",
    also=("ORPH-8", "ORPH-1", "ORPH-2", "ORPH-5", "ORPH-7", "MODE-1", "MODE-3", "PROJ-7"),
    why="orphans are dropped on the way in, where later calls are not known",
)
class _RecordingNormalises(ZooSubject):
    def _record(self, given: Iterable[Envelope], policy: Policy) -> tuple[Envelope, ...]:
        recorded = list(super()._record(given, policy))
        called = self._called(recorded)
        return tuple(one for one in recorded if not self._is_orphan(one.item, called))


@fault(
    "metadata-dropped-when-recorded",
    "REC-7",
    also=("PROJ-5",),
    why="envelopes are unpacked",
)
class _MetadataDroppedWhenRecorded(ZooSubject):
    def _record(self, given: Iterable[Envelope], policy: Policy) -> tuple[Envelope, ...]:
        return super()._record((replace(one, metadata=None) for one in given), policy)
