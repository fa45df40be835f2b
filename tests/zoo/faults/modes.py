"""Faults of anomalies: what they are, how they are said, and in which build (MODE)."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

import json

from zoo.faulty import DEBUG, RELEASE, fault
from zoo.projection import Entries
from zoo.subject import ZooSubject
from zoo.values import Envelope, Object, PanicError


@fault("message-quotes-the-id", "MODE-1", also=("MODE-6", "MODE-7"), why="the id is in quotes")
class _MessageQuotesTheId(ZooSubject):
    def _report(self, message: str) -> None:
        words, _, call_id = message.partition("call id: ")
        super()._report(f"{words}call id: {json.dumps(call_id, ensure_ascii=False)}")


@fault("message-without-id", "MODE-1", also=("MODE-6", "MODE-7"), why="the id is left out")
class _MessageWithoutId(ZooSubject):
    def _report(self, message: str) -> None:
        super()._report(message.partition(" for call id")[0])


@fault("shell-gap-called-function", "MODE-1", also=("MODE-6", "MODE-7"), why="the wrong family")
class _ShellGapCalledFunction(ZooSubject):
    def _report(self, message: str) -> None:
        super()._report(message.replace("Local shell call output", "Function call output"))


@fault(
    "custom-orphan-called-custom-call",
    "MODE-1",
    also=("MODE-6", "MODE-7"),
    why="the word tool is left out",
)
class _CustomOrphanCalledCustomCall(ZooSubject):
    def _report(self, message: str) -> None:
        super()._report(message.replace("Orphan custom tool call", "Orphan custom call"))


@fault(
    "search-orphan-no-anomaly",
    "MODE-1",
    also=("MODE-3", "MODE-6", "MODE-7"),
    why="a search orphan is removed without a word",
)
class _SearchOrphanNoAnomaly(ZooSubject):
    def _report_orphan(self, output: Object) -> None:
        if output["type"] != "tool_search_output":
            super()._report_orphan(output)


@fault(
    "custom-gap-no-anomaly",
    "MODE-1",
    also=("MODE-3", "MODE-6", "MODE-7"),
    why="custom calls are completed like function calls, in silence",
)
class _CustomGapNoAnomaly(ZooSubject):
    def _report_gap(self, call: Object) -> None:
        if call["type"] != "custom_tool_call":
            super()._report_gap(call)


class _LoudGap(ZooSubject):
    """Reports a gap that is no anomaly."""

    call: str
    words: str

    def _report_gap(self, call: Object) -> None:
        super()._report_gap(call)
        if call["type"] == self.call:
            self._report(f"{self.words} output is missing for call id: {call['call_id']}")


@fault("function-gap-is-an-anomaly", "MODE-2", also=("MODE-1", "MODE-3"), why="all gaps are alike")
class _FunctionGapIsAnAnomaly(_LoudGap):
    call, words = "function_call", "Function call"


@fault("search-gap-is-an-anomaly", "MODE-2", also=("MODE-1", "MODE-3"), why="all gaps are alike")
class _SearchGapIsAnAnomaly(_LoudGap):
    call, words = "tool_search_call", "Tool search call"


class _DebugOnly(ZooSubject):
    """Adds a check of its own to debug builds."""

    def _must_hold(self, entries: Entries) -> bool:
        raise NotImplementedError

    def _repair(self, entries: Entries) -> Entries:
        if self.mode == "debug" and not self._must_hold(entries):
            raise PanicError("assertion failed")
        return super()._repair(entries)


@fault("debug-never-panics", "MODE-3", also=("MODE-1",), modes=DEBUG, why="both builds repair")
class _DebugNeverPanics(ZooSubject):
    def _report(self, message: str) -> None:
        self.diagnostics.append(message)

    def _do_for_prompt(self, op: Object) -> Object:
        return self._quiet(super()._do_for_prompt(op))

    def _do_for_prompt_annotated(self, op: Object) -> Object:
        return self._quiet(super()._do_for_prompt_annotated(op))

    def _quiet(self, outcome: Object) -> Object:
        return {"ok": outcome["ok"]} if self.mode == "debug" and "ok" in outcome else outcome


@fault(
    "debug-ignores-orphans",
    "MODE-3",
    also=("MODE-1", "MODE-5"),
    modes=DEBUG,
    why="only gaps are fatal in debug, orphans are removed",
)
class _DebugIgnoresOrphans(ZooSubject):
    def _report_orphan(self, output: Object) -> None:
        if self.mode == "release":
            super()._report_orphan(output)


@fault(
    "debug-wants-outputs-after-calls",
    "MODE-3",
    modes=DEBUG,
    minimum=2,
    why="a debug assertion on the order of a pair",
)
class _DebugWantsOutputsAfterCalls(_DebugOnly):
    def _must_hold(self, entries: Entries) -> bool:
        called, everywhere = set[tuple[str, str]](), self._called(entries)
        for entry in entries:
            called |= self._called([entry])
            if self._answered([entry]) & (everywhere - called):
                return False
        return True


@fault(
    "debug-wants-unique-call-ids",
    "MODE-3",
    also=("MODE-1",),
    modes=DEBUG,
    minimum=2,
    why="a debug assertion that no call id is used twice",
)
class _DebugWantsUniqueCallIds(_DebugOnly):
    def _must_hold(self, entries: Entries) -> bool:
        calls = [one.item["call_id"] for one in entries if self._wants_output(one.item)]
        return len(set(calls)) == len(calls)


@fault(
    "debug-wants-ids",
    "MODE-3",
    also=("MODE-1",),
    modes=DEBUG,
    why="a debug assertion that every call has an item id",
)
class _DebugWantsIds(_DebugOnly):
    def _must_hold(self, entries: Entries) -> bool:
        return all(one.item.get("id") for one in entries if self._wants_output(one.item))


@fault("release-panics", "MODE-4", modes=RELEASE, why="the debug assertion was left in")
class _ReleasePanics(ZooSubject):
    def _report(self, message: str) -> None:
        raise PanicError(message)


@fault("release-panics-on-orphans", "MODE-4", modes=RELEASE, why="an orphan is unreachable")
class _ReleasePanicsOnOrphans(ZooSubject):
    def _report_orphan(self, output: Object) -> None:
        if self.mode == "release":
            raise PanicError("internal error: entered unreachable code")
        super()._report_orphan(output)


@fault(
    "release-panics-on-empty-call-id", "MODE-4", modes=RELEASE, why="an empty id breaks a lookup"
)
class _ReleasePanicsOnEmptyCallId(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        if self.mode == "release" and any(one.item.get("call_id") == "" for one in entries):
            raise PanicError("index out of range")
        return super()._repair(entries)


@fault(
    "release-panics-on-second-anomaly",
    "MODE-4",
    modes=RELEASE,
    minimum=2,
    why="two repairs in one projection trip over each other",
)
class _ReleasePanicsOnSecondAnomaly(ZooSubject):
    def _report(self, message: str) -> None:
        super()._report(message)
        if len(self.diagnostics) > 1:
            raise PanicError("removal index (is 2) should be < len (is 2)")


@fault(
    "debug-marks-what-it-made",
    "MODE-5",
    also=("PAIR-1",),
    modes=DEBUG,
    why="debug builds say where the output comes from",
)
class _DebugMarksWhatItMade(ZooSubject):
    def _synthetic_body(self, call: Object) -> Object:
        body = super()._synthetic_body(call)
        if self.mode == "debug" and "output" in body:
            return {"output": "aborted (synthetic)"}
        return body


@fault(
    "debug-keeps-media",
    "MODE-5",
    also=("IMG-2", "IMG-3", "IMG-4", "AUD-2", "AUD-3"),
    modes=DEBUG,
    why="the media steps are compiled out of debug builds",
)
class _DebugKeepsMedia(ZooSubject):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        seen = modalities if self.mode == "release" else frozenset({"image", "audio"})
        return super()._project(entries, seen)


@fault(
    "release-leaves-functions-open",
    "MODE-5",
    also=("PAIR-1",),
    modes=RELEASE,
    why="function gaps are filled by a debug helper only",
)
class _ReleaseLeavesFunctionsOpen(ZooSubject):
    def _synthetic(self, call: Envelope) -> Entries:
        if self.mode == "release" and call.item["type"] == "function_call":
            return []
        return super()._synthetic(call)


class _AnomaliesGathered(ZooSubject):
    """Gathers the anomalies of both steps before it says anything."""

    def _chosen(self, messages: list[str]) -> list[str]:
        raise NotImplementedError

    def _report(self, message: str) -> None:
        self.diagnostics.append(message)

    def _repair(self, entries: Entries) -> Entries:
        repaired = super()._repair(entries)
        chosen = self._chosen(self.diagnostics)
        if self.mode == "debug" and chosen:
            raise PanicError(chosen[0])
        self.diagnostics = chosen
        return repaired


@fault("last-anomaly-panics", "MODE-6", modes=DEBUG, minimum=2, why="each overwrites the last")
class _LastAnomalyPanics(_AnomaliesGathered):
    def _chosen(self, messages: list[str]) -> list[str]:
        return messages[-1:] if self.mode == "debug" else messages


@fault("anomalies-joined", "MODE-6", also=("MODE-1",), modes=DEBUG, minimum=2, why="one message")
class _AnomaliesJoined(_AnomaliesGathered):
    def _chosen(self, messages: list[str]) -> list[str]:
        if self.mode == "release" or not messages:
            return messages
        return ["; ".join(messages)]


@fault(
    "orphans-before-gaps",
    "MODE-6",
    also=("MODE-7",),
    minimum=2,
    why="step B runs before step A, which only the messages show",
)
class _OrphansBeforeGaps(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        return self._complete(self._drop_orphans(entries))


@fault(
    "anomalies-in-item-order",
    "MODE-6",
    also=("MODE-7",),
    minimum=2,
    why="one pass over the items looks for gaps and orphans alike",
)
class _AnomaliesInItemOrder(_AnomaliesGathered):
    def _repair(self, entries: Entries) -> Entries:
        self._entries = entries
        return super()._repair(entries)

    def _chosen(self, messages: list[str]) -> list[str]:
        answered, called = self._answered(self._entries), self._called(self._entries)
        ordered = _Collected(self.mode)
        for place, entry in enumerate(self._entries):
            if self._lacks_output(self._entries, place, answered):
                ordered._report_gap(entry.item)
            if self._is_orphan(entry.item, called):
                ordered._report_orphan(entry.item)
        return ordered.diagnostics


class _Collected(ZooSubject):
    def _report(self, message: str) -> None:
        self.diagnostics.append(message)


@fault("first-anomaly-only", "MODE-7", modes=RELEASE, minimum=2, why="one is reported, no more")
class _FirstAnomalyOnly(ZooSubject):
    def _report(self, message: str) -> None:
        if not self.diagnostics:
            super()._report(message)


@fault("each-message-once", "MODE-7", modes=RELEASE, minimum=2, why="equal messages are folded")
class _EachMessageOnce(ZooSubject):
    def _report(self, message: str) -> None:
        if message not in self.diagnostics:
            super()._report(message)


@fault("anomalies-sorted", "MODE-7", modes=RELEASE, minimum=2, why="messages are sorted")
class _AnomaliesSorted(ZooSubject):
    def _report(self, message: str) -> None:
        super()._report(message)
        self.diagnostics.sort()


@fault("release-says-nothing", "MODE-7", modes=RELEASE, why="nothing is logged")
class _ReleaseSaysNothing(ZooSubject):
    def _report(self, message: str) -> None:
        if self.mode == "debug":
            super()._report(message)


@fault("anomalies-never-forgotten", "MODE-7", also=("PROJ-2",), modes=RELEASE, why="never cleared")
class _AnomaliesNeverForgotten(ZooSubject):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        before = self.diagnostics
        projected = super()._project(entries, modalities)
        self.diagnostics = before + self.diagnostics
        return projected

    def run(self, params: Object) -> Object:
        """Start each script with nothing reported."""
        self.diagnostics = []
        return super().run(params)
