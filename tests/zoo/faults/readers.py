"""Faults of readers: cursors, clones and what was handed out (CUR, SNAP)."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

from dataclasses import replace

from zoo.faulty import life
from zoo.subject import ZooSubject
from zoo.values import History, Json, Object


@life("delta-after-replace", "CUR-1", also=("CUR-3", "CUR-2"), why="only counts are compared")
class _DeltaAfterReplace(ZooSubject):
    def _is_current(self, version: int, history: History) -> bool:
        return True


@life("older-cursors-get-deltas", "CUR-1", also=("CUR-3", "CUR-2"), why="<= in place of ==")
class _OlderCursorsGetDeltas(ZooSubject):
    def _is_current(self, version: int, history: History) -> bool:
        return version <= history.version


@life("newer-cursors-get-deltas", "CUR-1", also=("CUR-2",), why=">= in place of ==")
class _NewerCursorsGetDeltas(ZooSubject):
    def _is_current(self, version: int, history: History) -> bool:
        return version >= history.version


@life("count-beyond-is-an-empty-delta", "CUR-1", also=("CUR-2",), why="a slice past the end")
class _CountBeyondIsAnEmptyDelta(ZooSubject):
    def _is_within(self, seen: int, count: int) -> bool:
        return True


@life("nothing-new-is-full", "CUR-1", also=("CUR-3",), why="< in place of <=")
class _NothingNewIsFull(ZooSubject):
    def _is_within(self, seen: int, count: int) -> bool:
        return seen < count


@life("always-full", "CUR-1", also=("CUR-3",), why="cursors are not read")
class _AlwaysFull(ZooSubject):
    def _seen(self, history: History, cursor: tuple[int, int] | None, count: int) -> int | None:
        return None


@life("last-entry-again", "CUR-1", also=("CUR-4",), why="an index, not a count")
class _LastEntryAgain(ZooSubject):
    def _shown(self, history: History, seen: int | None) -> Object:
        return super()._shown(history, max(seen - 1, 0) if seen else seen)


@life("one-entry-missed", "CUR-1", also=("CUR-4",), why="an index that is off by one")
class _OneEntryMissed(ZooSubject):
    def _shown(self, history: History, seen: int | None) -> Object:
        shown = super()._shown(history, seen)
        return {**shown, "entries": shown["entries"][1:]} if seen else shown


@life("zero-entries-seen-is-full", "CUR-1", also=("CUR-3",), why="0 is taken for no cursor")
class _ZeroEntriesSeenIsFull(ZooSubject):
    def _shown(self, history: History, seen: int | None) -> Object:
        return super()._shown(history, seen or None)


@life("no-cursor-is-a-delta", "CUR-2", also=("CUR-1",), why="everything is new to who saw nothing")
class _NoCursorIsADelta(ZooSubject):
    def _shown(self, history: History, seen: int | None) -> Object:
        return super()._shown(history, seen or 0)


@life("full-shows-what-is-later", "CUR-2", also=("CUR-3",), why="the count is used all the same")
class _FullShowsWhatIsLater(ZooSubject):
    def _transcript(self, history: History, cursor: Json) -> Object:
        transcript = super()._transcript(history, cursor)
        if transcript["kind"] == "delta" or cursor is None:
            return transcript
        return {**transcript, "entries": transcript["entries"][cursor["entry_count"] :]}


class _OtherCursor(ZooSubject):
    """Gives a reader another cursor."""

    def _next(self, cursor: Object, given: Json, transcript: Object) -> Object:
        raise NotImplementedError

    def _transcript(self, history: History, cursor: Json) -> Object:
        transcript = super()._transcript(history, cursor)
        return {**transcript, "cursor": self._next(transcript["cursor"], cursor, transcript)}


@life("cursor-not-moved", "CUR-2", also=("CUR-4", "CUR-1"), why="the reader moves it")
class _CursorNotMoved(_OtherCursor):
    def _next(self, cursor: Object, given: Json, transcript: Object) -> Object:
        moved: Object = given or cursor
        return moved


@life("cursor-counts-what-was-given", "CUR-2", also=("CUR-4",), why="entries of this read alone")
class _CursorCountsWhatWasGiven(_OtherCursor):
    def _next(self, cursor: Object, given: Json, transcript: Object) -> Object:
        return {**cursor, "entry_count": len(transcript["entries"])}


@life("cursor-keeps-its-version", "CUR-2", also=("CUR-1",), why="only the count is moved")
class _CursorKeepsItsVersion(_OtherCursor):
    def _next(self, cursor: Object, given: Json, transcript: Object) -> Object:
        return {**cursor, "history_version": given["history_version"] if given else 0}


@life("cursor-at-the-last-entry", "CUR-2", also=("CUR-4",), why="an index, not a count")
class _CursorAtTheLastEntry(_OtherCursor):
    def _next(self, cursor: Object, given: Json, transcript: Object) -> Object:
        return {**cursor, "entry_count": max(cursor["entry_count"] - 1, 0)}


@life("full-only-after-fewer", "CUR-3", also=("CUR-1", "CUR-2"), why="growth looks like appending")
class _FullOnlyAfterFewer(ZooSubject):
    def _seen(self, history: History, cursor: tuple[int, int] | None, count: int) -> int | None:
        if cursor is not None and cursor[1] < count:
            return cursor[1]
        return super()._seen(history, cursor, count)


@life("empty-delta-is-full", "CUR-3", also=("CUR-1",), why="an empty answer looks broken")
class _EmptyDeltaIsFull(ZooSubject):
    def _shown(self, history: History, seen: int | None) -> Object:
        shown = super()._shown(history, seen)
        return shown if shown["entries"] else super()._shown(history, None)


class _DeltaEntries(ZooSubject):
    """Shows other entries in a delta than in a full transcript."""

    def _is_shown(self, entry: Object) -> bool:
        raise NotImplementedError

    def _shown(self, history: History, seen: int | None) -> Object:
        shown = super()._shown(history, seen)
        if seen is None:
            return shown
        return {**shown, "entries": [one for one in shown["entries"] if self._is_shown(one)]}


@life("deltas-without-reasoning", "CUR-4", also=("CUR-1",), why="readers see what was said")
class _DeltasWithoutReasoning(_DeltaEntries):
    def _is_shown(self, entry: Object) -> bool:
        return bool(entry["type"] != "reasoning")


@life("deltas-without-developers", "CUR-4", also=("CUR-1",), why="readers see what was said")
class _DeltasWithoutDevelopers(_DeltaEntries):
    def _is_shown(self, entry: Object) -> bool:
        return entry.get("role") != "developer"


@life("newest-entry-first", "CUR-4", also=("CUR-1", "CUR-2"), why="as a screen shows it")
class _NewestEntryFirst(ZooSubject):
    def _shown(self, history: History, seen: int | None) -> Object:
        shown = super()._shown(history, seen)
        return {**shown, "entries": shown["entries"][::-1]}


@life("transcript-is-the-prompt", "CUR-2", also=("CUR-4", "CUR-1"), why="readers see the prompt")
class _TranscriptIsThePrompt(ZooSubject):
    def _read_entries(self, history: History) -> list[Object]:
        called = self._called(list(history.envelopes))
        return [
            self._write_item_of(one)
            for one in history.envelopes
            if not self._is_orphan(one.item, called)
        ]


class _Sharing(ZooSubject):
    """Lets a clone and its original share some fields."""

    shared: tuple[str, ...]

    def _start(self) -> None:
        super()._start()
        self._kin: dict[int, int] = {}

    def _do_clone(self, op: Object) -> Object:
        outcome = super()._do_clone(op)
        origin: int = op.get("on", 0)
        self._kin[op["to"]] = self._kin.get(origin, origin)
        return outcome

    def _store(self, op: Object, history: History) -> Object:
        here: int = op.get("on", 0)
        root = self._kin.get(here, here)
        for other in [root, *(one for one, origin in self._kin.items() if origin == root)]:
            theirs = self._histories.get(other, History())
            changed = {name: getattr(history, name) for name in self.shared}
            self._histories[other] = replace(theirs, **changed)
        return super()._store(op, history)


@life("clone-is-the-same-history", "SNAP-1", why="a second name, not a copy")
class _CloneIsTheSameHistory(_Sharing):
    shared = ("envelopes", "version", "baseline", "reference", "token_info")


@life("clone-shares-items", "SNAP-1", why="a shallow copy")
class _CloneSharesItems(_Sharing):
    shared = ("envelopes",)


@life("clone-shares-baseline", "SNAP-1", why="the state is behind a shared pointer")
class _CloneSharesBaseline(_Sharing):
    shared = ("baseline",)


@life("clone-shares-reference", "SNAP-1", also=("REF-1",), why="behind a shared pointer")
class _CloneSharesReference(_Sharing):
    shared = ("reference",)


@life("clone-shares-token-info", "SNAP-1", why="behind a shared pointer")
class _CloneSharesTokenInfo(_Sharing):
    shared = ("token_info",)


@life("clone-shares-version", "SNAP-1", also=("VER-3",), why="one counter for all")
class _CloneSharesVersion(_Sharing):
    shared = ("version",)


class _CopyingLess(ZooSubject):
    """Forgets something when it clones."""

    def _copy(self, history: History) -> History:
        raise NotImplementedError

    def _cloned(self, history: History) -> History:
        return self._copy(super()._cloned(history))


@life("clone-begins-at-version-zero", "SNAP-3", also=("VER-4",), why="made like a new history")
class _CloneBeginsAtVersionZero(_CopyingLess):
    def _copy(self, history: History) -> History:
        return replace(history, version=0)


@life("clone-without-baseline", "SNAP-3", also=("WORLD-2",), why="made like a new history")
class _CloneWithoutBaseline(_CopyingLess):
    def _copy(self, history: History) -> History:
        return replace(history, baseline=None)


@life("clone-without-reference", "SNAP-3", also=("REF-1",), why="made like a new history")
class _CloneWithoutReference(_CopyingLess):
    def _copy(self, history: History) -> History:
        return replace(history, reference=None)


@life("clone-without-token-info", "SNAP-3", why="made like a new history")
class _CloneWithoutTokenInfo(_CopyingLess):
    def _copy(self, history: History) -> History:
        return replace(history, token_info=None)


@life("clone-without-metadata", "SNAP-3", also=("PROJ-5",), why="items are copied, not envelopes")
class _CloneWithoutMetadata(_CopyingLess):
    def _copy(self, history: History) -> History:
        plain = tuple(replace(one, metadata=None) for one in history.envelopes)
        return replace(history, envelopes=plain)


@life("clone-without-success", "SNAP-3", also=("ITEM-6",), why="items are copied through the wire")
class _CloneWithoutSuccess(_CopyingLess):
    def _copy(self, history: History) -> History:
        plain = tuple(replace(one, success=None) for one in history.envelopes)
        return replace(history, envelopes=plain)


@life("clone-filters", "SNAP-3", why="the copy is recorded, not copied")
class _CloneFilters(_CopyingLess):
    def _copy(self, history: History) -> History:
        kept = tuple(one for one in history.envelopes if self._is_kept(one.item))
        return replace(history, envelopes=kept)


@life("clone-repairs", "SNAP-3", why="the copy is cleaned of orphans")
class _CloneRepairs(_CopyingLess):
    def _copy(self, history: History) -> History:
        called = self._called(list(history.envelopes))
        kept = tuple(one for one in history.envelopes if not self._is_orphan(one.item, called))
        return replace(history, envelopes=kept)


@life("clone-onto-itself-empties", "SNAP-3", also=("SNAP-1",), why="the target is cleared first")
class _CloneOntoItselfEmpties(ZooSubject):
    def _do_clone(self, op: Object) -> Object:
        self._histories.pop(op["to"], None)
        return super()._do_clone(op)


@life("clone-keeps-what-was-there", "SNAP-3", also=("SNAP-1",), why="copied into, not over")
class _CloneKeepsWhatWasThere(ZooSubject):
    def _do_clone(self, op: Object) -> Object:
        if self._histories.get(op["to"], History()).envelopes:
            return {"ok": None}
        return super()._do_clone(op)


@life("held-items-are-a-view", "SNAP-2", also=("SNAP-1",), why="the list itself is handed out")
class _HeldItemsAreAView(ZooSubject):
    def _start(self) -> None:
        super()._start()
        self._viewed: dict[str, Object] = {}

    def _do_hold(self, op: Object) -> Object:
        outcome = super()._do_hold(op)
        if "ok" in outcome and op["what"] == "raw_items":
            self._viewed[op["name"]] = op
        return outcome

    def _do_held(self, op: Object) -> Object:
        viewed = self._viewed.get(op["name"])
        return super()._do_held(op) if viewed is None else self._do_raw_items(viewed)


@life("held-prompt-is-projected-again", "SNAP-2", why="a prompt is made when it is read")
class _HeldPromptIsProjectedAgain(ZooSubject):
    def _start(self) -> None:
        super()._start()
        self._asked: dict[str, Object] = {}

    def _do_hold(self, op: Object) -> Object:
        outcome = super()._do_hold(op)
        if "ok" in outcome and op["what"] == "for_prompt":
            self._asked[op["name"]] = op
        return outcome

    def _do_held(self, op: Object) -> Object:
        asked = self._asked.get(op["name"])
        if asked is None:
            return super()._do_held(op)
        prompt = self._outcome({**asked, "op": "for_prompt"})
        return {"ok": prompt["ok"]} if "ok" in prompt else super()._do_held(op)


@life("held-items-grow", "SNAP-2", also=("SNAP-1",), why="appends go to the list handed out")
class _HeldItemsGrow(ZooSubject):
    def _start(self) -> None:
        super()._start()
        self._grown: dict[str, tuple[int, int]] = {}

    def _do_hold(self, op: Object) -> Object:
        outcome = super()._do_hold(op)
        if "ok" in outcome and op["what"] == "raw_items":
            history = self._history(op)
            self._grown[op["name"]] = (op.get("on", 0), history.version)
        return outcome

    def _do_held(self, op: Object) -> Object:
        outcome = super()._do_held(op)
        on, version = self._grown.get(op["name"], (0, -1))
        now = self._history({"on": on})
        if "ok" not in outcome or now.version != version:
            return outcome
        items = [self._write_item_of(one) for one in now.envelopes]
        return {"ok": items} if len(items) > len(outcome["ok"]) else outcome


@life("held-images-fade", "SNAP-2", why="a later projection downgrades in place")
class _HeldImagesFade(ZooSubject):
    def _start(self) -> None:
        super()._start()
        self._blind = False

    def _modalities(self, op: Object) -> frozenset[str]:
        modalities = super()._modalities(op)
        self._blind = self._blind or "image" not in modalities
        return modalities

    def _held(self, handed_out: Json) -> Json:
        return [self._without_images(item) for item in handed_out] if self._blind else handed_out


@life("one-hold-a-history", "SNAP-2", why="a second hold replaces the first")
class _OneHoldAHistory(ZooSubject):
    def _do_hold(self, op: Object) -> Object:
        outcome = super()._do_hold(op)
        if "ok" in outcome:
            self._holds = dict.fromkeys(self._holds, self._holds[op["name"]])
        return outcome
