"""Faults of head removal: what goes with the oldest item, and what must not (HEAD)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from zoo.faulty import life
from zoo.subject import ZooSubject
from zoo.values import Envelope, History, Object


@life("last-item-goes", "HEAD-1", also=("HEAD-2", "HEAD-3", "HEAD-8"), why="pop takes the newest")
class _LastItemGoes(ZooSubject):
    def _without_first(self, history: History) -> History:
        if not history.envelopes:
            return history
        *rest, last = history.envelopes
        left = self._without_counterpart(last.item, rest)
        return self._after_head(replace(history, envelopes=tuple(left)))


@life("head-skips-instructions", "HEAD-1", also=("HEAD-8",), why="the session prefix is kept")
class _HeadSkipsInstructions(ZooSubject):
    def _without_first(self, history: History) -> History:
        prefix = 0
        for one in history.envelopes:
            if not self._is_message_of("developer", one.item):
                break
            prefix += 1
        kept, rest = history.envelopes[:prefix], history.envelopes[prefix:]
        if not rest:
            return super()._without_first(history)
        left = super()._without_first(replace(history, envelopes=rest))
        return replace(left, envelopes=kept + left.envelopes)


@life("empty-head-bumps-version", "HEAD-1", also=("VER-3", "CUR-3"), why="counted before looking")
class _EmptyHeadBumpsVersion(ZooSubject):
    def _without_first(self, history: History) -> History:
        if history.envelopes:
            return super()._without_first(history)
        return replace(history, version=history.version + 1)


@life("last-item-stays", "HEAD-1", why="a history is never emptied")
class _LastItemStays(ZooSubject):
    def _without_first(self, history: History) -> History:
        return history if len(history.envelopes) == 1 else super()._without_first(history)


@life("head-takes-all-matches", "HEAD-2", also=("HEAD-3", "HEAD-5"), why="retain by call id")
class _HeadTakesAllMatches(ZooSubject):
    def _without_counterpart(self, gone: Object, rest: list[Envelope]) -> list[Envelope]:
        if "call_id" not in gone:
            return rest
        wanted = self._counterparts(gone)
        return [
            one
            for one in rest
            if one.item["type"] not in wanted or not self._same_call(gone, one.item)
        ]


@life("head-takes-last-match", "HEAD-2", also=("HEAD-3", "HEAD-5"), why="searched from the end")
class _HeadTakesLastMatch(ZooSubject):
    def _first_match(self, places: Iterator[int]) -> int | None:
        return max(places, default=None)


class _Lonely(ZooSubject):
    """Leaves the counterpart of some type alone."""

    types: tuple[str, ...]

    def _counterparts(self, gone: Object) -> tuple[str, ...]:
        return () if gone["type"] in self.types else super()._counterparts(gone)


@life("function-output-left-alone", "HEAD-3", also=("HEAD-9",), why="only outputs find calls")
class _FunctionOutputLeftAlone(_Lonely):
    types = ("function_call",)


@life("shell-output-left-alone", "HEAD-3", also=("HEAD-9",), why="shell calls are forgotten")
class _ShellOutputLeftAlone(_Lonely):
    types = ("local_shell_call",)


@life(
    "counterpart-must-be-next",
    "HEAD-3",
    also=("HEAD-2", "HEAD-4", "HEAD-5", "HEAD-6", "HEAD-9"),
    why="adjacency",
)
class _CounterpartMustBeNext(ZooSubject):
    def _counterpart(self, gone: Object, rest: Sequence[Envelope]) -> int | None:
        return super()._counterpart(gone, rest[:1])


@life("function-call-left-alone", "HEAD-4", also=("HEAD-9",), why="only calls find outputs")
class _FunctionCallLeftAlone(_Lonely):
    types = ("function_call_output",)


@life("shell-call-before-function-call", "HEAD-4", why="shell calls are looked at first")
class _ShellCallBeforeFunctionCall(ZooSubject):
    def _counterparts(self, gone: Object) -> tuple[str, ...]:
        return super()._counterparts(gone)[::-1]


@life("output-takes-first-call-of-either", "HEAD-4", why="one search for both families")
class _OutputTakesFirstCallOfEither(ZooSubject):
    def _counterpart(self, gone: Object, rest: Sequence[Envelope]) -> int | None:
        if gone["type"] != "function_call_output":
            return super()._counterpart(gone, rest)
        found = [list(self._matches(gone, wanted, rest)) for wanted in self._counterparts(gone)]
        return min((place for places in found for place in places), default=None)


@life("output-takes-both-calls", "HEAD-4", also=("HEAD-2",), why="two searches, both done")
class _OutputTakesBothCalls(ZooSubject):
    def _without_counterpart(self, gone: Object, rest: list[Envelope]) -> list[Envelope]:
        left = super()._without_counterpart(gone, rest)
        if gone["type"] != "function_call_output" or len(left) == len(rest):
            return left
        return super()._without_counterpart(gone, left)


@life("shell-call-of-output-stays", "HEAD-4", also=("HEAD-9",), why="only function calls count")
class _ShellCallOfOutputStays(ZooSubject):
    def _counterparts(self, gone: Object) -> tuple[str, ...]:
        return super()._counterparts(gone)[:1]


@life("custom-output-left-alone", "HEAD-5", also=("HEAD-9",), why="custom calls are forgotten")
class _CustomOutputLeftAlone(_Lonely):
    types = ("custom_tool_call",)


@life("custom-call-left-alone", "HEAD-5", also=("HEAD-9",), why="custom outputs are forgotten")
class _CustomCallLeftAlone(_Lonely):
    types = ("custom_tool_call_output",)


@life("search-output-left-alone", "HEAD-6", also=("HEAD-9",), why="tool search is forgotten")
class _SearchOutputLeftAlone(_Lonely):
    types = ("tool_search_call",)


@life("search-call-left-alone", "HEAD-6", also=("HEAD-9",), why="tool search is forgotten")
class _SearchCallLeftAlone(_Lonely):
    types = ("tool_search_output",)


@life("search-executions-must-agree", "HEAD-6", also=("HEAD-9",), why="executions are compared")
class _SearchExecutionsMustAgree(ZooSubject):
    def _same_call(self, gone: Object, other: Object) -> bool:
        agree = gone.get("execution") == other.get("execution")
        return agree and super()._same_call(gone, other)


@life("server-outputs-stay-at-the-head", "HEAD-6", also=("HEAD-9",), why="they need no call")
class _ServerOutputsStayAtTheHead(ZooSubject):
    def _same_call(self, gone: Object, other: Object) -> bool:
        return other.get("execution") != "server" and super()._same_call(gone, other)


@life("nothing-equals-nothing", "HEAD-7", also=("HEAD-6", "HEAD-2"), why="absent ids compare equal")
class _NothingEqualsNothing(ZooSubject):
    def _counterpart(self, gone: Object, rest: Sequence[Envelope]) -> int | None:
        return super()._counterpart({"call_id": None, **gone}, rest)


@life("empty-call-id-has-no-pair", "HEAD-3", also=("HEAD-5", "HEAD-4", "HEAD-6"), why='"" is none')
class _EmptyCallIdHasNoPair(ZooSubject):
    def _counterpart(self, gone: Object, rest: Sequence[Envelope]) -> int | None:
        return super()._counterpart(gone, rest) if gone.get("call_id") else None


@life(
    "any-family-goes-along",
    "HEAD-7",
    also=("HEAD-2", "HEAD-3", "HEAD-4", "HEAD-5", "HEAD-6"),
    why="whatever has the call id goes too",
)
class _AnyFamilyGoesAlong(ZooSubject):
    def _counterpart(self, gone: Object, rest: Sequence[Envelope]) -> int | None:
        if "call_id" not in gone:
            return None
        places = (place for place, one in enumerate(rest) if self._same_call(gone, one.item))
        return next(places, None)


@life("reasoning-takes-its-call-along", "HEAD-7", also=("HEAD-1", "HEAD-8"), why="they go together")
class _ReasoningTakesItsCallAlong(ZooSubject):
    def _counterpart(self, gone: Object, rest: Sequence[Envelope]) -> int | None:
        if gone["type"] == "reasoning" and rest and rest[0].item["type"] == "function_call":
            return 0
        return super()._counterpart(gone, rest)


@life("outputs-move-on", "HEAD-8", also=("HEAD-2",), why="swap_remove fills the hole with the last")
class _OutputsMoveOn(ZooSubject):
    def _without_counterpart(self, gone: Object, rest: list[Envelope]) -> list[Envelope]:
        place = self._counterpart(gone, rest)
        if place is None:
            return rest
        *left, last = rest
        if place < len(left):
            left[place] = last
        return left


@life("head-bumps-version", "HEAD-8", also=("VER-3", "CUR-1"), why="items went, so it is new")
class _HeadBumpsVersion(ZooSubject):
    def _after_head(self, history: History) -> History:
        return replace(super()._after_head(history), version=history.version + 1)


@life("head-clears-reference", "HEAD-8", also=("REF-1",), why="all that was known is forgotten")
class _HeadClearsReference(ZooSubject):
    def _after_head(self, history: History) -> History:
        return replace(super()._after_head(history), reference=None)


@life("head-clears-token-info", "HEAD-8", why="fewer items, other usage")
class _HeadClearsTokenInfo(ZooSubject):
    def _after_head(self, history: History) -> History:
        return replace(super()._after_head(history), token_info=None)


@life("head-drops-metadata", "HEAD-8", also=("PROJ-5",), why="what is left is built anew")
class _HeadDropsMetadata(ZooSubject):
    def _after_head(self, history: History) -> History:
        left = tuple(replace(one, metadata=None) for one in history.envelopes)
        return replace(super()._after_head(history), envelopes=left)


@life(
    "head-takes-orphans-along",
    "HEAD-8",
    also=("HEAD-2", "HEAD-1", "ORPH-6", "HEAD-7"),
    why="the history is repaired while it is cut",
)
class _HeadTakesOrphansAlong(ZooSubject):
    def _after_head(self, history: History) -> History:
        called = self._called(list(history.envelopes))
        kept = tuple(one for one in history.envelopes if not self._is_orphan(one.item, called))
        return replace(super()._after_head(history), envelopes=kept)


@life(
    "neighbour-goes-along",
    "HEAD-9",
    also=("HEAD-2", "HEAD-7", "HEAD-8", "HEAD-3", "HEAD-4", "HEAD-5", "HEAD-6"),
    why="a pair is taken to be two items in a row",
)
class _NeighbourGoesAlong(ZooSubject):
    def _counterpart(self, gone: Object, rest: Sequence[Envelope]) -> int | None:
        return 0 if "call_id" in gone and rest else super()._counterpart(gone, rest)


@life(
    "pairs-looked-for-nearby",
    "HEAD-9",
    also=("HEAD-3", "HEAD-4", "HEAD-5", "HEAD-6", "HEAD-2"),
    why="the search gives up after two items",
)
class _PairsLookedForNearby(ZooSubject):
    def _counterpart(self, gone: Object, rest: Sequence[Envelope]) -> int | None:
        return super()._counterpart(gone, rest[:2])


@life("head-keeps-baseline", "WORLD-5", also=("HEAD-8", "WORLD-1"), why="items are not the state")
class _HeadKeepsBaseline(ZooSubject):
    def _after_head(self, history: History) -> History:
        return history
