"""Faults of replacing, of the version and of what stands beside the items (REPL, VER, REF)."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from zoo.faulty import life
from zoo.recording import Policy
from zoo.subject import ZooSubject
from zoo.values import Envelope, History, Json, Object


class _Installing(ZooSubject):
    """Installs something else than what was given."""

    def _changed(self, given: list[Envelope]) -> list[Envelope]:
        raise NotImplementedError

    def _installed(self, items: list[Object]) -> tuple[Envelope, ...]:
        return tuple(self._changed(list(super()._installed(items))))


@life("replace-filters", "REPL-1", also=("ITEM-2",), why="installed as if recorded")
class _ReplaceFilters(_Installing):
    def _changed(self, given: list[Envelope]) -> list[Envelope]:
        return [one for one in given if self._is_kept(one.item)]


@life("replace-drops-system-messages", "REPL-1", why="they belong to the request")
class _ReplaceDropsSystemMessages(_Installing):
    def _changed(self, given: list[Envelope]) -> list[Envelope]:
        return [one for one in given if not self._is_message_of("system", one.item)]


@life("replace-truncates", "REPL-1", also=("ITEM-1",), why="installed as if recorded")
class _ReplaceTruncates(_Installing):
    def _changed(self, given: list[Envelope]) -> list[Envelope]:
        return [self._cut(one, Policy(tokens=True, limit=1)) for one in given]


@life("replace-repairs", "REPL-1", also=("ORPH-7",), why="installed as it would be projected")
class _ReplaceRepairs(_Installing):
    def _changed(self, given: list[Envelope]) -> list[Envelope]:
        called = self._called(given)
        return [one for one in given if not self._is_orphan(one.item, called)]


@life("replace-completes", "REPL-1", also=("ORPH-7", "PAIR-14"), why="gaps are closed at once")
class _ReplaceCompletes(_Installing):
    def _changed(self, given: list[Envelope]) -> list[Envelope]:
        answered, closed = self._answered(given), list[Envelope]()
        for one in given:
            open_call = self._wants_output(one.item) and self._key(one.item) not in answered
            closed += [one, *(self._synthetic(one) if open_call else ())]
        return closed


@life("replace-drops-repeats", "REPL-1", also=("ORD-1",), why="items are kept once")
class _ReplaceDropsRepeats(_Installing):
    def _changed(self, given: list[Envelope]) -> list[Envelope]:
        return [one for place, one in enumerate(given) if one not in given[:place]]


@life("replace-appends", "REPL-1", also=("CUR-4",), why="what was there stays")
class _ReplaceAppends(ZooSubject):
    def _after_replace(self, history: History, installed: tuple[Envelope, ...]) -> History:
        return super()._after_replace(history, history.envelopes + installed)


@life("replace-with-nothing-ignored", "REPL-1", also=("VER-2", "WORLD-5"), why="[] is no list")
class _ReplaceWithNothingIgnored(ZooSubject):
    def _after_replace(self, history: History, installed: tuple[Envelope, ...]) -> History:
        return super()._after_replace(history, installed) if installed else history


@life("replace-keeps-metadata", "REPL-1", also=("PROJ-5", "REC-7"), why="zipped with the old list")
class _ReplaceKeepsMetadata(ZooSubject):
    def _after_replace(self, history: History, installed: tuple[Envelope, ...]) -> History:
        old = [one.metadata for one in history.envelopes]
        old += [None] * len(installed)
        kept = tuple(replace(one, metadata=old[place]) for place, one in enumerate(installed))
        return super()._after_replace(history, kept)


class _Installed(ZooSubject):
    """Leaves something else than it should when it replaces."""

    def _left(self, history: History, before: History) -> History:
        raise NotImplementedError

    def _after_replace(self, history: History, installed: tuple[Envelope, ...]) -> History:
        return self._left(super()._after_replace(history, installed), history)


@life("replace-clears-token-info", "REPL-2", why="a new history has no usage")
class _ReplaceClearsTokenInfo(_Installed):
    def _left(self, history: History, before: History) -> History:
        return replace(history, token_info=None)


@life("replace-clears-reference", "REPL-2", also=("REF-1",), why="a new history is unknown")
class _ReplaceClearsReference(_Installed):
    def _left(self, history: History, before: History) -> History:
        return replace(history, reference=None)


@life("replace-keeps-baseline", "WORLD-5", also=("WORLD-1",), why="items are not the state")
class _ReplaceKeepsBaseline(_Installed):
    def _left(self, history: History, before: History) -> History:
        return replace(history, baseline=before.baseline)


@life("replace-keeps-version", "VER-2", also=("CUR-3", "CUR-1"), why="never counted")
class _ReplaceKeepsVersion(_Installed):
    def _left(self, history: History, before: History) -> History:
        return replace(history, version=before.version)


@life("equal-replace-keeps-version", "VER-2", also=("CUR-3", "CUR-1"), why="nothing changed")
class _EqualReplaceKeepsVersion(_Installed):
    def _left(self, history: History, before: History) -> History:
        same = history.envelopes == before.envelopes
        return replace(history, version=before.version) if same else history


@life("replace-adds-two", "VER-2", why="counted by caller and callee")
class _ReplaceAddsTwo(_Installed):
    def _left(self, history: History, before: History) -> History:
        return replace(history, version=before.version + 2)


@life("replace-begins-anew", "VER-4", also=("VER-2", "CUR-3", "CUR-1"), why="a new history has 0")
class _ReplaceBeginsAnew(_Installed):
    def _left(self, history: History, before: History) -> History:
        return replace(history, version=0)


class _Beginning(ZooSubject):
    """Begins with something else than nothing."""

    beginning: History

    def _history(self, op: Object) -> History:
        return self._histories.get(op.get("on", 0), self.beginning)


@life("version-begins-at-one", "VER-1", also=("VER-2", "CUR-2"), why="counted from one")
class _VersionBeginsAtOne(_Beginning):
    beginning = History(version=1)


@life("baseline-begins-empty", "VER-1", also=("WORLD-1",), why="{} in place of nothing")
class _BaselineBeginsEmpty(_Beginning):
    beginning = History(baseline={})


@life("reference-begins-empty", "VER-1", also=("REF-1",), why="{} in place of nothing")
class _ReferenceBeginsEmpty(_Beginning):
    beginning = History(reference={})


@life("token-info-begins-empty", "VER-1", why="{} in place of nothing")
class _TokenInfoBeginsEmpty(_Beginning):
    beginning = History(token_info={})


@life("token-info-of-all-histories", "VER-1", also=("SNAP-1",), why="a field of the session")
class _TokenInfoOfAllHistories(ZooSubject):
    def _start(self) -> None:
        super()._start()
        self._global: Json = None

    def _do_set_token_info(self, op: Object) -> Object:
        self._global = op["value"]
        return super()._do_set_token_info(op)

    def _do_token_info(self, op: Object) -> Object:
        own = super()._do_token_info(op)
        return {"ok": self._global} if own["ok"] is None else own


class _Counting(ZooSubject):
    """Counts a version where there is none to count."""

    def _counted(self, op: Object) -> None:
        history = self._history(op)
        self._store(op, replace(history, version=history.version + 1))


@life("projection-bumps-version", "VER-3", also=("PROJ-1", "CUR-1", "CUR-3"), why="it is an access")
class _ProjectionBumpsVersion(_Counting):
    def _prompt(self, op: Object, write: Callable[[Envelope], Object]) -> Object:
        outcome = super()._prompt(op, write)
        self._counted(op)
        return outcome


@life("repair-bumps-version", "VER-3", also=("PROJ-1", "CUR-1", "CUR-3"), why="it is a rewrite")
class _RepairBumpsVersion(_Counting):
    def _prompt(self, op: Object, write: Callable[[Envelope], Object]) -> Object:
        outcome = super()._prompt(op, write)
        envelopes = list(self._history(op).envelopes)
        if self._complete(envelopes) != envelopes:
            self._counted(op)
        return outcome


@life("baseline-bumps-version", "VER-3", also=("CUR-1", "CUR-3"), why="every setter counts")
class _BaselineBumpsVersion(_Counting):
    def _do_set_world_state_baseline(self, op: Object) -> Object:
        outcome = super()._do_set_world_state_baseline(op)
        self._counted(op)
        return outcome


@life("update-bumps-version", "VER-3", also=("CUR-1", "CUR-3"), why="a new state, a new version")
class _UpdateBumpsVersion(_Counting):
    def _do_update_world_state(self, op: Object) -> Object:
        outcome = super()._do_update_world_state(op)
        self._counted(op)
        return outcome


@life("token-info-bumps-version", "VER-3", also=("CUR-1", "CUR-3"), why="every setter counts")
class _TokenInfoBumpsVersion(_Counting):
    def _do_set_token_info(self, op: Object) -> Object:
        outcome = super()._do_set_token_info(op)
        self._counted(op)
        return outcome


@life("reference-merged", "REF-1", why="settings are updated, not set")
class _ReferenceMerged(ZooSubject):
    def _do_set_reference_context_item(self, op: Object) -> Object:
        old, new = self._history(op).reference, op["value"]
        both = isinstance(old, dict) and isinstance(new, dict)
        return super()._do_set_reference_context_item(
            {**op, "value": {**old, **new} if both else new}
        )


@life("reference-never-unset", "REF-1", why="null is taken for not given")
class _ReferenceNeverUnset(ZooSubject):
    def _do_set_reference_context_item(self, op: Object) -> Object:
        if op["value"] is None:
            return {"ok": None}
        return super()._do_set_reference_context_item(op)


@life("reference-set-once", "REF-1", why="the first settings are the session's")
class _ReferenceSetOnce(ZooSubject):
    def _do_set_reference_context_item(self, op: Object) -> Object:
        if self._history(op).reference is not None:
            return {"ok": None}
        return super()._do_set_reference_context_item(op)


@life("reference-of-all-histories", "REF-1", also=("SNAP-1",), why="a field of the session")
class _ReferenceOfAllHistories(ZooSubject):
    def _do_set_reference_context_item(self, op: Object) -> Object:
        return super()._do_set_reference_context_item({**op, "on": 0})

    def _do_reference_context_item(self, op: Object) -> Object:
        return super()._do_reference_context_item({**op, "on": 0})


@life("update-clears-reference", "REF-1", why="a new state needs new settings")
class _UpdateClearsReference(ZooSubject):
    def _do_update_world_state(self, op: Object) -> Object:
        outcome = super()._do_update_world_state(op)
        self._store(op, replace(self._history(op), reference=None))
        return outcome


@life("projection-clears-reference", "PROJ-1", also=("REF-1",), why="taken, not read")
class _ProjectionClearsReference(ZooSubject):
    def _prompt(self, op: Object, write: Callable[[Envelope], Object]) -> Object:
        outcome = super()._prompt(op, write)
        self._store(op, replace(self._history(op), reference=None))
        return outcome
