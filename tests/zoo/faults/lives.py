"""Faults of projections that only a longer life shows (PROJ-1, 3 and 7, MODE-8 and 9)."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from zoo.faulty import BOTH, DEBUG, RELEASE, life
from zoo.projection import Entries
from zoo.subject import ZooSubject
from zoo.values import Envelope, History, Json, Object, PanicError


class _Leaving(ZooSubject):
    """Leaves a history changed by a projection."""

    def _left(self, history: History) -> History:
        raise NotImplementedError

    def _prompt(self, op: Object, write: Callable[[Envelope], Object]) -> Object:
        outcome = super()._prompt(op, write)
        self._store(op, self._left(self._history(op)))
        return outcome


@life(
    "projection-drops-metadata", "PROJ-1", also=("PROJ-5",), why="envelopes are unpacked for good"
)
class _ProjectionDropsMetadata(_Leaving):
    def _left(self, history: History) -> History:
        plain = tuple(replace(one, metadata=None) for one in history.envelopes)
        return replace(history, envelopes=plain)


@life("projection-clears-token-info", "PROJ-1", why="the next request counts anew")
class _ProjectionClearsTokenInfo(_Leaving):
    def _left(self, history: History) -> History:
        return replace(history, token_info=None)


@life(
    "completion-written-back",
    "PROJ-1",
    also=("PROJ-2", "PROJ-3", "PROJ-7", "PAIR-14", "PAIR-10", "ORPH-6"),
    modes=BOTH,
    why="synthetic outputs are recorded, so that they need not be made again",
)
class _CompletionWrittenBack(_Leaving):
    def _left(self, history: History) -> History:
        before, mode = self.diagnostics, self.mode
        self.mode = "release"
        completed = self._complete(list(history.envelopes))
        self.diagnostics, self.mode = before, mode
        return replace(history, envelopes=tuple(completed))


class _Remembering(ZooSubject):
    """Gives an earlier prompt where something is as it was."""

    def _key_of(self, history: History) -> Json:
        raise NotImplementedError

    def _start(self) -> None:
        super()._start()
        self._prompts: dict[str, Object] = {}

    def _prompt(self, op: Object, write: Callable[[Envelope], Object]) -> Object:
        asked = op["op"], op.get("on", 0), op["input_modalities"]
        key = repr((asked, self._key_of(self._history(op))))
        if key not in self._prompts:
            self._prompts[key] = super()._prompt(op, write)
        return self._prompts[key]


@life(
    "prompt-cached-by-version",
    "PROJ-3",
    also=("PROJ-7", "SNAP-1", "SNAP-3", "PROJ-6"),
    why="recording does not bump the version",
)
class _PromptCachedByVersion(_Remembering):
    def _key_of(self, history: History) -> Json:
        return history.version


@life(
    "prompt-cached-by-count",
    "PROJ-3",
    also=("PROJ-7", "SNAP-1", "SNAP-3", "PROJ-6"),
    why="as many items are taken for the same items",
)
class _PromptCachedByCount(_Remembering):
    def _key_of(self, history: History) -> Json:
        return len(history.envelopes)


@life(
    "prompt-cached-by-ids",
    "PROJ-3",
    also=("PROJ-7", "SNAP-1", "SNAP-3", "PROJ-6"),
    why="item ids are taken to say everything",
)
class _PromptCachedByIds(_Remembering):
    def _key_of(self, history: History) -> Json:
        return [one.item.get("id") for one in history.envelopes]


class _Prefixed(ZooSubject):
    """Puts what stands beside the items into the prompt."""

    def _beside(self, history: History) -> str:
        raise NotImplementedError

    def _prompt(self, op: Object, write: Callable[[Envelope], Object]) -> Object:
        outcome = super()._prompt(op, write)
        said = self._beside(self._history(op))
        if not said or op["op"] != "for_prompt":
            return outcome
        content = [{"type": "input_text", "text": said}]
        told = {"type": "message", "role": "developer", "content": content}
        return {**outcome, "ok": [told, *outcome["ok"]]}


@life("baseline-in-the-prompt", "PROJ-3", also=("PROJ-6", "PAIR-14"), why="the state is told first")
class _BaselineInThePrompt(_Prefixed):
    def _beside(self, history: History) -> str:
        return "state" if history.baseline is not None else ""


@life(
    "reference-in-the-prompt", "PROJ-3", also=("PROJ-6", "PAIR-14"), why="settings are told first"
)
class _ReferenceInThePrompt(_Prefixed):
    def _beside(self, history: History) -> str:
        return "settings" if history.reference is not None else ""


@life("rewrites-in-the-prompt", "PROJ-3", also=("PROJ-6", "PAIR-14"), why="a rewrite is told first")
class _RewritesInThePrompt(_Prefixed):
    def _beside(self, history: History) -> str:
        return "compacted" if history.version else ""


@life("metadata-hides-an-item", "PROJ-3", also=("ORPH-7", "PROJ-6"), why="hidden: true is obeyed")
class _MetadataHidesAnItem(ZooSubject):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        shown = super()._project(entries, modalities)
        return [one for one in shown if not one.metadata or one.item["type"] != "message"]


@life("synthetic-output-stays", "PROJ-7", also=("PROJ-3",), why="a call once aborted stays aborted")
class _SyntheticOutputStays(ZooSubject):
    def _start(self) -> None:
        super()._start()
        self._aborted: list[Object] = []

    def _synthetic_item(self, call: Object) -> Object:
        synthetic = super()._synthetic_item(call)
        self._aborted.append(synthetic)
        return synthetic

    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        before = list(self._aborted)
        prompt = super()._project(entries, modalities)
        return [replace(one, item=self._remembered(one.item, before)) for one in prompt]

    def _remembered(self, item: Object, aborted: list[Object]) -> Object:
        for synthetic in aborted:
            if (item["type"], item.get("call_id")) == (synthetic["type"], synthetic["call_id"]):
                return synthetic
        return item


@life(
    "late-output-comes-second",
    "PROJ-7",
    also=("PROJ-3", "PAIR-14", "PAIR-6"),
    why="the synthetic one is kept beside it",
)
class _LateOutputComesSecond(ZooSubject):
    def _start(self) -> None:
        super()._start()
        self._completed: set[tuple[str, str]] = set()

    def _lacks_output(
        self, entries: Entries, position: int, answered: set[tuple[str, str]]
    ) -> bool:
        item = entries[position].item
        if super()._lacks_output(entries, position, answered):
            if item["type"] == "function_call":
                self._completed.add(self._key(item))
            return True
        return item["type"] == "function_call" and self._key(item) in self._completed


@life(
    "output-of-an-older-turn-ignored",
    "PROJ-7",
    also=("PAIR-6", "ORPH-8", "PAIR-14", "ORPH-1", "ORPH-6"),
    why="an output counts in its own turn only",
)
class _OutputOfAnOlderTurnIgnored(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        kept: Entries = []
        for place, one in enumerate(entries):
            if one.item["type"] != "function_call_output" or self._in_turn(entries, place):
                kept.append(one)
        return super()._repair(kept)

    def _in_turn(self, entries: Entries, place: int) -> bool:
        call_id, crossed = entries[place].item["call_id"], False
        for one in reversed(entries[:place]):
            if one.item["type"] == "function_call" and one.item["call_id"] == call_id:
                return not crossed
            crossed = crossed or self._is_message_of("user", one.item)
        return True


class _AfterPanic(ZooSubject):
    """Does something with a history when a projection of it panics."""

    def _panicked(self, op: Object, panic: PanicError) -> None:
        raise NotImplementedError

    def _prompt(self, op: Object, write: Callable[[Envelope], Object]) -> Object:
        try:
            return super()._prompt(op, write)
        except PanicError as panic:
            self._panicked(op, panic)
            raise


@life("panic-loses-the-history", "MODE-8", modes=DEBUG, why="it was taken and not put back")
class _PanicLosesTheHistory(_AfterPanic):
    def _panicked(self, op: Object, panic: PanicError) -> None:
        self._store(op, replace(self._history(op), envelopes=()))


@life("panic-leaves-half-repaired", "MODE-8", modes=DEBUG, why="repaired in place up to there")
class _PanicLeavesHalfRepaired(_AfterPanic):
    def _panicked(self, op: Object, panic: PanicError) -> None:
        history, self.mode = self._history(op), "release"
        completed = self._complete(list(history.envelopes))
        self.mode = "debug"
        self._store(op, replace(history, envelopes=tuple(completed)))


@life("panic-clears-baseline", "MODE-8", modes=DEBUG, why="a guard resets the state")
class _PanicClearsBaseline(_AfterPanic):
    def _panicked(self, op: Object, panic: PanicError) -> None:
        self._store(op, replace(self._history(op), baseline=None))


@life("panic-bumps-version", "MODE-8", modes=DEBUG, why="a guard marks the history as rewritten")
class _PanicBumpsVersion(_AfterPanic):
    def _panicked(self, op: Object, panic: PanicError) -> None:
        history = self._history(op)
        self._store(op, replace(history, version=history.version + 1))


@life("panics-once", "MODE-8", modes=DEBUG, why="each message is reported once")
class _PanicsOnce(_AfterPanic):
    def _start(self) -> None:
        super()._start()
        self._told: set[str] = set()

    def _panicked(self, op: Object, panic: PanicError) -> None:
        self._told.add(str(panic))

    def _report(self, message: str) -> None:
        if self.mode == "release" or message not in self._told:
            super()._report(message)


@life("panic-poisons", "MODE-8", modes=DEBUG, why="a mutex is poisoned by the first panic")
class _PanicPoisons(_AfterPanic):
    def _start(self) -> None:
        super()._start()
        self._poisoned: set[int] = set()

    def _panicked(self, op: Object, panic: PanicError) -> None:
        self._poisoned.add(op.get("on", 0))

    def _outcome(self, op: Object) -> Object:
        if op.get("on", 0) in self._poisoned:
            return {"panic": "PoisonError"}
        return super()._outcome(op)


class _Asserting(ZooSubject):
    """Panics in a change of the history, where nothing may."""

    builds: tuple[str, ...] = DEBUG

    def _assert(self, holds: bool) -> None:  # noqa: FBT001 - a condition is all it takes
        if not holds and self.mode in self.builds:
            raise PanicError("assertion failed")


@life("head-asserts-a-counterpart", "MODE-9", modes=DEBUG, why="a pair is expected to be whole")
class _HeadAssertsACounterpart(_Asserting):
    def _counterpart(self, gone: Object, rest: Sequence[Envelope]) -> int | None:
        place = super()._counterpart(gone, rest)
        self._assert(place is not None or not self._counterparts(gone) or "call_id" not in gone)
        return place


@life("empty-head-panics", "MODE-9", also=("HEAD-1",), why="remove(0) of an empty list")
class _EmptyHeadPanics(_Asserting):
    builds = BOTH

    def _without_first(self, history: History) -> History:
        self._assert(bool(history.envelopes))
        return super()._without_first(history)


@life(
    "rollback-asserts-enough-turns",
    "MODE-9",
    also=("ROLL-4", "ROLL-3"),
    why="an index out of range",
)
class _RollbackAssertsEnoughTurns(_Asserting):
    builds = BOTH

    def _rolled_back(self, history: History, count: int) -> History:
        self._assert(count <= len(self._boundaries(history.envelopes)))
        return super()._rolled_back(history, count)


@life("rollback-asserts-whole-pairs", "MODE-9", modes=DEBUG, why="checked where it cuts")
class _RollbackAssertsWholePairs(_Asserting):
    def _cut_back(self, history: History, boundaries: list[int], count: int) -> History:
        cut = super()._cut_back(history, boundaries, count)
        answered = self._answered(list(cut.envelopes))
        for one in cut.envelopes:
            self._assert(not self._wants_output(one.item) or self._key(one.item) in answered)
        return cut


@life(
    "recording-asserts-a-call",
    "MODE-9",
    also=("REC-4",),
    modes=DEBUG,
    why="no output before its call",
)
class _RecordingAssertsACall(_Asserting):
    def _append(self, op: Object, given: Iterable[Envelope]) -> Object:
        envelopes = self._read_all(given)
        together = [*self._history(op).envelopes, *envelopes]
        called = self._called(together)
        for one in envelopes:
            self._assert(not self._is_orphan(one.item, called))
        return super()._append(op, envelopes)


@life(
    "replace-asserts-repaired-items",
    "MODE-9",
    also=("REPL-1",),
    modes=DEBUG,
    why="a prompt is expected",
)
class _ReplaceAssertsRepairedItems(_Asserting):
    def _installed(self, items: list[Object]) -> tuple[Envelope, ...]:
        installed = super()._installed(items)
        called = self._called(list(installed))
        for one in installed:
            self._assert(not self._is_orphan(one.item, called))
        return installed


@life("cutting-panics-inside-a-character", "MODE-9", also=("TRUNC-3",), why="a slice of bytes")
class _CuttingPanicsInsideACharacter(_Asserting):
    builds = BOTH

    def _head(self, text: str, size: int) -> str:
        head = super()._head(text, size)
        self._assert(len(head.encode()) == min(size, len(text.encode())))
        return head


@life(
    "replaced-history-panics-in-release",
    "MODE-4",
    also=("PROJ-3", "MODE-5"),
    modes=RELEASE,
    why="what came from outside is not trusted",
)
class _ReplacedHistoryPanicsInRelease(ZooSubject):
    def _prompt(self, op: Object, write: Callable[[Envelope], Object]) -> Object:
        shown = super()._prompt(op, write)
        if self.mode == "release" and self.diagnostics and self._history(op).version:
            raise PanicError("inconsistent history")
        return shown


@life(
    "outputs-after-a-projection-ignored",
    "PROJ-7",
    also=(
        "PROJ-3",
        "PAIR-6",
        "PAIR-2",
        "PAIR-13",
        "ORPH-5",
        "ORPH-1",
        "ORPH-2",
        "MODE-1",
        "MODE-3",
    ),
    why="what is answered is worked out at the first projection",
)
class _OutputsAfterAProjectionIgnored(ZooSubject):
    def _start(self) -> None:
        super()._start()
        self._frozen: dict[int, set[tuple[str, str]]] = {}

    def _prompt(self, op: Object, write: Callable[[Envelope], Object]) -> Object:
        on = op.get("on", 0)
        answered = super()._answered(list(self._history(op).envelopes))
        self._current = self._frozen.setdefault(on, answered)
        return super()._prompt(op, write)

    def _answered(self, entries: Entries) -> set[tuple[str, str]]:
        return self._current
