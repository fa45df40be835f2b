"""Faults of the world state: what is reported, and what is remembered (WORLD)."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from zoo.faulty import life
from zoo.subject import ZooSubject
from zoo.values import Envelope, History, Json, Object


@life("first-empty-state-not-reported", "WORLD-1", why="nothing to say about nothing")
class _FirstEmptyStateNotReported(ZooSubject):
    def _report_of(self, baseline: Json, state: Object) -> Json:
        return super()._report_of(baseline, state) if baseline is not None or state else None


@life("first-state-is-a-patch", "WORLD-1", why="nothing is taken for an empty baseline")
class _FirstStateIsAPatch(ZooSubject):
    def _is_unknown(self, baseline: Json) -> bool:
        return False


@life("empty-baseline-is-none", "WORLD-2", also=("WORLD-1",), why="truth, not presence")
class _EmptyBaselineIsNone(ZooSubject):
    def _is_unknown(self, baseline: Json) -> bool:
        return not baseline


@life("equal-state-reported", "WORLD-2", why="an empty patch in place of nothing")
class _EqualStateReported(ZooSubject):
    def _report_of(self, baseline: Json, state: Object) -> Json:
        report = super()._report_of(baseline, state)
        return {"full": False, "patch": {}} if report is None else report


@life("patch-is-shallow", "WORLD-2", why="a changed key is written whole")
class _PatchIsShallow(ZooSubject):
    def _patch(self, old: Json, new: Json) -> Json:
        if not isinstance(old, dict):
            return new
        gone: Object = dict.fromkeys(key for key in old if key not in new)
        return gone | {k: v for k, v in new.items() if k not in old or not self._same(old[k], v)}


@life("patch-is-the-whole-state", "WORLD-2", also=("WORLD-4",), why="applying it gives the same")
class _PatchIsTheWholeState(ZooSubject):
    def _patch(self, old: Json, new: Json) -> Json:
        return new


@life("equal-keys-in-the-patch", "WORLD-2", why="equal keys are written again")
class _EqualKeysInThePatch(ZooSubject):
    def _patch(self, old: Json, new: Json) -> Json:
        patch = super()._patch(old, new)
        if not isinstance(old, dict) or not isinstance(new, dict):
            return patch
        return {
            **{key: new[key] for key in old if key in new and self._same(old[key], new[key])},
            **patch,
        }


@life("removed-keys-not-reported", "WORLD-2", also=("WORLD-4",), why="the old state is not read")
class _RemovedKeysNotReported(ZooSubject):
    def _removed_key(self, key: str) -> Object:
        return {}


@life("nested-removals-not-reported", "WORLD-2", also=("WORLD-4",), why="only the top level is")
class _NestedRemovalsNotReported(ZooSubject):
    _depth = 0

    def _patch(self, old: Json, new: Json) -> Json:
        self._depth += 1
        patch = super()._patch(old, new)
        self._depth -= 1
        return patch

    def _removed_key(self, key: str) -> Object:
        return super()._removed_key(key) if self._depth == 1 else {}


@life("empty-patch-of-a-key-left-out", "WORLD-2", also=("WORLD-4",), why="{} says nothing")
class _EmptyPatchOfAKeyLeftOut(ZooSubject):
    def _patch(self, old: Json, new: Json) -> Json:
        patch = super()._patch(old, new)
        if not isinstance(old, dict) or not isinstance(patch, dict):
            return patch
        return {key: value for key, value in patch.items() if value != {}}


@life("arrays-patched-by-index", "WORLD-2", also=("WORLD-4",), why="arrays are objects")
class _ArraysPatchedByIndex(ZooSubject):
    def _patch(self, old: Json, new: Json) -> Json:
        if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            return {
                str(place): self._patch(one, other)
                for place, (one, other) in enumerate(zip(old, new, strict=True))
                if not self._same(one, other)
            }
        return super()._patch(old, new)


@life("arrays-report-what-was-added", "WORLD-2", also=("WORLD-4",), why="only the new end")
class _ArraysReportWhatWasAdded(ZooSubject):
    def _patch(self, old: Json, new: Json) -> Json:
        if isinstance(old, list) and isinstance(new, list) and old and new[: len(old)] == old:
            return new[len(old) :]
        return super()._patch(old, new)


@life("odd-baseline-is-empty", "WORLD-2", why="what is no object is taken for {}")
class _OddBaselineIsEmpty(ZooSubject):
    def _report_of(self, baseline: Json, state: Object) -> Json:
        odd = baseline is not None and not isinstance(baseline, dict)
        return super()._report_of({} if odd else baseline, state)


@life("odd-baseline-is-none", "WORLD-2", also=("WORLD-1",), why="what is no object is no state")
class _OddBaselineIsNone(ZooSubject):
    def _is_unknown(self, baseline: Json) -> bool:
        return not isinstance(baseline, dict)


@life("null-means-absent", "WORLD-2", also=("WORLD-7",), why="a null key is no key")
class _NullMeansAbsent(ZooSubject):
    def _same(self, one: Json, other: Json) -> bool:
        if isinstance(one, dict) and isinstance(other, dict):
            present = [{k: v for k, v in each.items() if v is not None} for each in (one, other)]
            return super()._same(*present)
        return super()._same(one, other)


@life("baseline-is-merged", "WORLD-3", also=("WORLD-2",), why="removed keys stay in it")
class _BaselineIsMerged(ZooSubject):
    def _with_baseline(self, history: History, state: Object) -> History:
        old = history.baseline if isinstance(history.baseline, dict) else {}
        return replace(history, baseline={**old, **state})


@life("baseline-stays-the-first", "WORLD-3", also=("WORLD-2",), why="only a full state sets it")
class _BaselineStaysTheFirst(ZooSubject):
    def _with_baseline(self, history: History, state: Object) -> History:
        return history if history.baseline is not None else super()._with_baseline(history, state)


@life("baseline-not-remembered", "WORLD-3", also=("WORLD-2",), why="the caller sets it")
class _BaselineNotRemembered(ZooSubject):
    def _with_baseline(self, history: History, state: Object) -> History:
        return history


@life(
    "baseline-of-all-histories",
    "WORLD-3",
    also=("SNAP-1", "WORLD-1", "WORLD-5"),
    why="a field of the session",
)
class _BaselineOfAllHistories(ZooSubject):
    def _do_update_world_state(self, op: Object) -> Object:
        return super()._do_update_world_state({**op, "on": 0})


@life("long-patches-are-full", "WORLD-2", also=("WORLD-4",), why="whichever is shorter")
class _LongPatchesAreFull(ZooSubject):
    def _report_of(self, baseline: Json, state: Object) -> Json:
        report = super()._report_of(baseline, state)
        if (
            report is None
            or report["full"]
            or len(json.dumps(report["patch"])) < len(json.dumps(state))
        ):
            return report
        return {"full": True, "state": state}


@life(
    "removed-keys-hide-the-rest", "WORLD-4", also=("WORLD-2",), why="returned after the first loop"
)
class _RemovedKeysHideTheRest(ZooSubject):
    def _patch(self, old: Json, new: Json) -> Json:
        patch = super()._patch(old, new)
        if isinstance(old, dict) and isinstance(new, dict) and old.keys() - new.keys():
            return {key: None for key in old if key not in new}
        return patch


@life("new-keys-not-reported", "WORLD-4", also=("WORLD-2",), why="only known keys are compared")
class _NewKeysNotReported(ZooSubject):
    def _patch(self, old: Json, new: Json) -> Json:
        patch = super()._patch(old, new)
        if isinstance(old, dict) and isinstance(patch, dict):
            return {key: value for key, value in patch.items() if key in old}
        return patch


class _Forgetting(ZooSubject):
    """Forgets the baseline where it must not."""

    def _forgets(self, op: Object) -> None:
        self._store(op, replace(self._history(op), baseline=None))


@life("empty-head-clears-baseline", "WORLD-6", also=("HEAD-1",), why="cleared before looking")
class _EmptyHeadClearsBaseline(ZooSubject):
    def _without_first(self, history: History) -> History:
        return super()._without_first(replace(history, baseline=None))


@life("projection-clears-baseline", "WORLD-6", also=("PROJ-1",), why="each prompt is a new start")
class _ProjectionClearsBaseline(_Forgetting):
    def _prompt(self, op: Object, write: Callable[[Envelope], Object]) -> Object:
        outcome = super()._prompt(op, write)
        self._forgets(op)
        return outcome


@life("user-message-clears-baseline", "WORLD-6", also=("REC-5",), why="each turn is a new start")
class _UserMessageClearsBaseline(_Forgetting):
    def _do_record_items(self, op: Object) -> Object:
        outcome = super()._do_record_items(op)
        if any(self._is_message_of("user", one.item) for one in self._history(op).envelopes[-1:]):
            self._forgets(op)
        return outcome


@life("one-equals-true", "WORLD-7", also=("WORLD-2",), why="Python's equality of numbers")
class _OneEqualsTrue(ZooSubject):
    def _same_scalar(self, one: Json, other: Json) -> bool:
        return bool(one == other)


@life("one-equals-one-point-zero", "WORLD-7", also=("WORLD-2",), why="numbers are numbers")
class _OneEqualsOnePointZero(ZooSubject):
    def _same_scalar(self, one: Json, other: Json) -> bool:
        flags = isinstance(one, bool) or isinstance(other, bool)
        return super()._same_scalar(one, other) if flags else bool(one == other)


@life("numbers-are-doubles", "WORLD-7", also=("WORLD-2",), why="great integers lose digits")
class _NumbersAreDoubles(ZooSubject):
    def _same_scalar(self, one: Json, other: Json) -> bool:
        if type(one) is type(other) is int:
            return float(one) == float(other)
        return super()._same_scalar(one, other)


@life("numbers-compare-as-written", "WORLD-7", also=("WORLD-2",), why="texts are compared")
class _NumbersCompareAsWritten(ZooSubject):
    def _same_scalar(self, one: Json, other: Json) -> bool:
        return json.dumps(one) == json.dumps(other)


@life("order-of-keys-counts", "WORLD-7", also=("WORLD-2",), why="serialised texts are compared")
class _OrderOfKeysCounts(ZooSubject):
    def _same(self, one: Json, other: Json) -> bool:
        return super()._same(one, other) and json.dumps(one) == json.dumps(other)


@life("order-of-entries-does-not-count", "WORLD-7", also=("WORLD-2",), why="arrays are sets")
class _OrderOfEntriesDoesNotCount(ZooSubject):
    def _same(self, one: Json, other: Json) -> bool:
        if isinstance(one, list) and isinstance(other, list):
            one, other = sorted(one, key=json.dumps), sorted(other, key=json.dumps)
        return super()._same(one, other)


@life("texts-fold-case", "WORLD-7", also=("WORLD-2",), why="paths on some systems do")
class _TextsFoldCase(ZooSubject):
    def _same_scalar(self, one: Json, other: Json) -> bool:
        if isinstance(one, str) and isinstance(other, str):
            return one.lower() == other.lower()
        return super()._same_scalar(one, other)
