"""Faults of step B: which outputs go, and that nothing else does (ORPH)."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

from collections import Counter

from zoo.faulty import RELEASE, fault
from zoo.projection import Entries, Keys
from zoo.subject import ZooSubject
from zoo.values import Envelope, Object


class _OrphanKept(ZooSubject):
    """Reports the orphans of one type and keeps them."""

    kept: str

    def _drop_orphans(self, entries: Entries) -> Entries:
        kept = {id(entry) for entry in super()._drop_orphans(entries)}
        return [one for one in entries if id(one) in kept or self._is_kept_orphan(one.item)]

    def _is_kept_orphan(self, item: Object) -> bool:
        return bool(item["type"] == self.kept)


@fault("function-orphan-kept", "ORPH-1", modes=RELEASE, why="logged, not removed")
class _FunctionOrphanKept(_OrphanKept):
    kept = "function_call_output"


@fault("custom-orphan-kept", "ORPH-2", modes=RELEASE, why="logged, not removed")
class _CustomOrphanKept(_OrphanKept):
    kept = "custom_tool_call_output"


@fault("search-orphan-kept", "ORPH-5", modes=RELEASE, why="logged, not removed")
class _SearchOrphanKept(_OrphanKept):
    kept = "tool_search_output"


class _KeptByOtherFamily(ZooSubject):
    """Lets a call of another family keep an output."""

    output: str
    other: tuple[str, ...]

    def _is_orphan(self, item: Object, called: Keys) -> bool:
        if item["type"] == self.output and self._other_keys(item) & called:
            return False
        return super()._is_orphan(item, called)

    def _other_keys(self, item: Object) -> Keys:
        return {(other, item.get("call_id", "\0absent")) for other in self.other}


@fault(
    "custom-call-keeps-function-output",
    "ORPH-1",
    also=("MODE-1", "MODE-3"),
    modes=RELEASE,
    minimum=2,
    why="one set of call ids for functions and custom tools",
)
class _CustomCallKeepsFunctionOutput(_KeptByOtherFamily):
    output, other = "function_call_output", ("custom_tool_call_output",)


@fault(
    "search-call-keeps-function-output",
    "ORPH-1",
    also=("MODE-1", "MODE-3"),
    minimum=2,
    why="one set of call ids for functions and tool search",
)
class _SearchCallKeepsFunctionOutput(_KeptByOtherFamily):
    output, other = "function_call_output", ("tool_search_output",)


@fault(
    "function-call-keeps-custom-output",
    "ORPH-2",
    also=("MODE-1", "MODE-3"),
    minimum=2,
    why="a function call of the id keeps a custom output",
)
class _FunctionCallKeepsCustomOutput(_KeptByOtherFamily):
    output, other = "custom_tool_call_output", ("function_call_output",)


@fault(
    "any-call-keeps-search-output",
    "ORPH-5",
    also=("MODE-1", "MODE-3"),
    minimum=2,
    why="a function or custom call of the id keeps a search output",
)
class _AnyCallKeepsSearchOutput(_KeptByOtherFamily):
    output, other = "tool_search_output", ("function_call_output", "custom_tool_call_output")


@fault(
    "shell-keeps-nothing",
    "ORPH-1",
    also=("PAIR-4", "ORPH-9", "MODE-1", "MODE-3"),
    why="shell calls are not among the calls an output may belong to",
)
class _ShellKeepsNothing(ZooSubject):
    def _called(self, entries: Entries) -> Keys:
        return super()._called([one for one in entries if one.item["type"] != "local_shell_call"])


@fault(
    "server-output-dropped",
    "ORPH-3",
    also=("MODE-1", "MODE-3"),
    why="search outputs need a call whoever ran them",
)
class _ServerOutputDropped(ZooSubject):
    def _stands_alone(self, search_output: Object) -> bool:
        return False


@fault(
    "server-output-needs-any-call",
    "ORPH-3",
    also=("MODE-1", "MODE-3"),
    why="a server output stays only beside some tool search call",
)
class _ServerOutputNeedsAnyCall(ZooSubject):
    def _drop_orphans(self, entries: Entries) -> Entries:
        self._searched = any(one.item["type"] == "tool_search_call" for one in entries)
        return super()._drop_orphans(entries)

    def _stands_alone(self, search_output: Object) -> bool:
        return self._searched and super()._stands_alone(search_output)


@fault(
    "search-output-without-id-dropped",
    "ORPH-4",
    also=("MODE-1", "MODE-3"),
    why="no call has no id, so the output is an orphan",
)
class _SearchOutputWithoutIdDropped(ZooSubject):
    def _is_orphan(self, item: Object, called: Keys) -> bool:
        if item["type"] == "tool_search_output" and "call_id" not in item:
            return not self._stands_alone(item)
        return super()._is_orphan(item, called)

    def _report_orphan(self, output: Object) -> None:
        super()._report_orphan({"call_id": "", **output})


@fault(
    "search-output-without-id-dropped-silently",
    "ORPH-4",
    why="such outputs are filtered out without a word",
)
class _SearchOutputWithoutIdDroppedSilently(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        return [
            entry
            for entry in super()._repair(entries)
            if entry.item["type"] != "tool_search_output" or "call_id" in entry.item
        ]


@fault(
    "server-in-any-case",
    "ORPH-5",
    also=("MODE-1", "MODE-3"),
    why="Server and SERVER are taken for server",
)
class _ServerInAnyCase(ZooSubject):
    def _stands_alone(self, search_output: Object) -> bool:
        return bool(search_output["execution"].lower() == "server")


@fault(
    "only-client-outputs-are-orphans",
    "ORPH-5",
    also=("MODE-1", "MODE-3"),
    why="every execution but client is left alone",
)
class _OnlyClientOutputsAreOrphans(ZooSubject):
    def _stands_alone(self, search_output: Object) -> bool:
        return bool(search_output["execution"] != "client")


@fault(
    "empty-execution-stands-alone",
    "ORPH-5",
    also=("MODE-1", "MODE-3"),
    why="an empty execution is taken for the server's",
)
class _EmptyExecutionStandsAlone(ZooSubject):
    def _stands_alone(self, search_output: Object) -> bool:
        return search_output["execution"] in {"server", ""}


@fault(
    "execution-trimmed",
    "ORPH-5",
    also=("MODE-1", "MODE-3"),
    why="white space around server is ignored",
)
class _ExecutionTrimmed(ZooSubject):
    def _stands_alone(self, search_output: Object) -> bool:
        return bool(search_output["execution"].strip() == "server")


@fault("first-output-wins", "ORPH-6", also=("ORD-1",), minimum=3, why="later outputs are dropped")
class _FirstOutputWins(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        given = {id(entry) for entry in entries}
        return self._one_output_each(super()._repair(entries), given)

    def _one_output_each(self, entries: Entries, given: set[int]) -> Entries:
        seen: Keys = set()
        kept = []
        for entry in entries:
            keys = self._answered([entry]) if id(entry) in given else set()
            if self._is_orphan(entry.item, called=set()) and keys & seen:
                continue
            kept.append(entry)
            seen |= keys
        return kept


@fault("last-output-wins", "ORPH-6", also=("ORD-1",), minimum=3, why="earlier ones are dropped")
class _LastOutputWins(_FirstOutputWins):
    def _one_output_each(self, entries: Entries, given: set[int]) -> Entries:
        return super()._one_output_each(entries[::-1], given)[::-1]


@fault(
    "outputs-count-against-calls",
    "ORPH-6",
    also=("ORPH-1", "ORPH-2", "ORPH-5", "MODE-1", "MODE-3"),
    minimum=3,
    why="a call is used up by its first output, the next is an orphan",
)
class _OutputsCountAgainstCalls(ZooSubject):
    def _drop_orphans(self, entries: Entries) -> Entries:
        self._left = Counter(self._key(one.item) for one in entries if self._wants_output(one.item))
        return super()._drop_orphans(entries)

    def _is_orphan(self, item: Object, called: Keys) -> bool:
        if super()._is_orphan(item, called) or not self._answers(item) or self._is_server(item):
            return super()._is_orphan(item, called)
        key = (item["type"], item["call_id"])
        self._left[key] -= 1
        return self._left[key] < 0

    def _is_server(self, item: Object) -> bool:
        return item["type"] == "tool_search_output" and self._stands_alone(item)


@fault(
    "unanswered-call-removed",
    "ORPH-7",
    also=("PAIR-1", "PAIR-2", "PAIR-3", "PAIR-4"),
    why="a gap is repaired by removing the call",
)
class _UnansweredCallRemoved(ZooSubject):
    def _insert(self, completed: Entries, call: Envelope, synthetic: Entries) -> None:
        """Leave the call out as well."""


class _Filtered(ZooSubject):
    """Leaves some items out of a prompt that no step may leave out."""

    def _is_sent(self, item: Object) -> bool:
        raise NotImplementedError

    def _repair(self, entries: Entries) -> Entries:
        return [entry for entry in super()._repair(entries) if self._is_sent(entry.item)]


@fault("reasoning-dropped", "ORPH-7", also=("ORD-3", "PROJ-6"), why="reasoning is not sent")
class _ReasoningDropped(_Filtered):
    def _is_sent(self, item: Object) -> bool:
        return bool(item["type"] != "reasoning")


@fault("additional-tools-dropped", "ORPH-7", also=("ORD-3", "PROJ-6"), why="tool lists go")
class _AdditionalToolsDropped(_Filtered):
    def _is_sent(self, item: Object) -> bool:
        return bool(item["type"] != "additional_tools")


@fault("compactions-dropped", "ORPH-7", also=("ORD-3", "PROJ-6"), why="compactions go")
class _CompactionsDropped(_Filtered):
    def _is_sent(self, item: Object) -> bool:
        return item["type"] not in {"compaction", "context_compaction"}


@fault("call-without-id-dropped", "ORPH-7", also=("ORD-3", "PROJ-6"), why="useless calls go")
class _CallWithoutIdDropped(_Filtered):
    def _is_sent(self, item: Object) -> bool:
        return "call_id" in item or item["type"] not in {"tool_search_call", "local_shell_call"}


@fault(
    "replaced-system-message-dropped",
    "ORPH-7",
    also=("ORD-3", "PROJ-6"),
    needs="a replace that installs a system message, a trigger or an unknown item",
    why="projection filters what recording would have filtered",
)
class _RecordingFilterInProjection(_Filtered):
    def _is_sent(self, item: Object) -> bool:
        return self._is_kept(item)


@fault(
    "output-before-its-call-is-an-orphan",
    "ORPH-8",
    also=("ORPH-9", "MODE-1", "MODE-3", "PAIR-13"),
    minimum=2,
    why="only calls seen so far are looked at",
)
class _OutputBeforeItsCallIsAnOrphan(ZooSubject):
    def _drop_orphans(self, entries: Entries) -> Entries:
        called: Keys = set()
        kept = []
        for entry in entries:
            called |= self._called([entry])
            if self._is_orphan(entry.item, called):
                self._report_orphan(entry.item)
            else:
                kept.append(entry)
        return kept


@fault(
    "early-output-dropped-silently",
    "ORPH-8",
    also=("ORPH-9", "PAIR-13"),
    minimum=2,
    why="what stands before its call is filtered out without a word",
)
class _EarlyOutputDroppedSilently(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        kept: Entries = []
        repaired = super()._repair(entries)
        for position, entry in enumerate(repaired):
            late = self._called(repaired[position:]) - self._called(repaired[:position])
            early = (entry.item["type"], entry.item.get("call_id")) in late
            if not (early and self._answers(entry.item)):
                kept.append(entry)
        return kept


@fault(
    "removal-by-stale-index",
    "ORPH-9",
    also=("ORPH-1", "ORPH-2", "ORPH-5", "ORPH-7", "PAIR-1", "PAIR-2", "PAIR-3", "PAIR-4"),
    modes=RELEASE,
    minimum=2,
    why="orphans are found by index before outputs are inserted, and removed after",
)
class _RemovalByStaleIndex(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        completed = self._complete(entries)
        kept = {id(entry) for entry in self._drop_orphans(entries)}
        stale = {place for place, entry in enumerate(entries) if id(entry) not in kept}
        return [entry for place, entry in enumerate(completed) if place not in stale]


@fault(
    "search-completion-removed-again",
    "ORPH-9",
    also=("PAIR-2", "MODE-1", "MODE-3"),
    why="only client calls keep client outputs, so a server call loses its synthetic one",
)
class _SearchCompletionRemovedAgain(ZooSubject):
    def _called(self, entries: Entries) -> Keys:
        return super()._called([one for one in entries if one.item.get("execution") != "server"])
