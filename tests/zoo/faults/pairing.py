"""Faults of step A: which call is answered, and what it gains (PAIR)."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

from dataclasses import replace

from zoo.faulty import RELEASE, fault
from zoo.projection import FAMILIES, Entries, Keys
from zoo.subject import ZooSubject
from zoo.values import META, Envelope, Object


class _Unanswered(ZooSubject):
    """Reports a gap and leaves it open for one type of call."""

    left_open: str

    def _synthetic(self, call: Envelope) -> Entries:
        if call.item["type"] == self.left_open:
            return []
        return super()._synthetic(call)


@fault("function-call-left-open", "PAIR-1", why="only custom tools are completed")
class _FunctionCallLeftOpen(_Unanswered):
    left_open = "function_call"


@fault("tool-search-left-open", "PAIR-2", why="tool search came later and was forgotten")
class _ToolSearchLeftOpen(_Unanswered):
    left_open = "tool_search_call"


@fault("custom-call-left-open", "PAIR-3", modes=RELEASE, why="the gap is logged, not filled")
class _CustomCallLeftOpen(_Unanswered):
    left_open = "custom_tool_call"


@fault("local-shell-left-open", "PAIR-4", modes=RELEASE, why="the gap is logged, not filled")
class _LocalShellLeftOpen(_Unanswered):
    left_open = "local_shell_call"


@fault(
    "local-shell-left-out",
    "PAIR-4",
    also=("MODE-1", "MODE-3", "PAIR-13"),
    why="the legacy shell tool is not known to the completion step at all",
)
class _LocalShellLeftOut(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        if entries[position].item["type"] == "local_shell_call":
            return False
        return super()._lacks_output(entries, position, answered)


@fault("aborted-in-other-words", "PAIR-1", also=("PAIR-3", "PAIR-4"), why="another text body")
class _AbortedInOtherWords(ZooSubject):
    def _synthetic_body(self, call: Object) -> Object:
        body = super()._synthetic_body(call)
        return {"output": "cancelled"} if "output" in body else body


@fault("aborted-as-array", "PAIR-1", also=("PAIR-3", "PAIR-4"), why="the body is one text entry")
class _AbortedAsArray(ZooSubject):
    def _synthetic_body(self, call: Object) -> Object:
        body = super()._synthetic_body(call)
        if "output" not in body:
            return body
        return {"output": [{"type": "input_text", "text": body["output"]}]}


@fault("custom-body-empty", "PAIR-3", modes=RELEASE, why="custom calls get an empty text")
class _CustomBodyEmpty(ZooSubject):
    def _synthetic_body(self, call: Object) -> Object:
        if call["type"] == "custom_tool_call":
            return {"output": ""}
        return super()._synthetic_body(call)


class _SearchBody(ZooSubject):
    """Completes a tool search with other fields than the specified ones."""

    def _search_body(self, call: Object) -> Object:
        raise NotImplementedError

    def _synthetic_body(self, call: Object) -> Object:
        body = super()._synthetic_body(call)
        if call["type"] != "tool_search_call":
            return body
        return {**body, **self._search_body(call)}


@fault("search-execution-copied", "PAIR-2", why="the call's execution is copied to its output")
class _SearchExecutionCopied(_SearchBody):
    def _search_body(self, call: Object) -> Object:
        return {"execution": call["execution"]}


@fault("search-status-aborted", "PAIR-2", why="an aborted search is given the status aborted")
class _SearchStatusAborted(_SearchBody):
    def _search_body(self, call: Object) -> Object:
        return {"status": "aborted"}


@fault("search-status-copied", "PAIR-2", why="the call's status is copied where it has one")
class _SearchStatusCopied(_SearchBody):
    def _search_body(self, call: Object) -> Object:
        return {"status": call["status"]} if "status" in call else {}


@fault(
    "custom-name-copied",
    "PAIR-3",
    also=("PAIR-12",),
    modes=RELEASE,
    why="the call's name is copied to its output",
)
class _CustomNameCopied(ZooSubject):
    def _synthetic_body(self, call: Object) -> Object:
        body = super()._synthetic_body(call)
        if call["type"] == "custom_tool_call":
            return {**body, "name": call["name"]}
        return body


@fault(
    "shell-answered-by-own-type",
    "PAIR-4",
    also=("PAIR-13",),
    modes=RELEASE,
    why="a local_shell_call_output, as older APIs had it",
)
class _ShellAnsweredByOwnType(ZooSubject):
    own_type = "local_shell_call_output"

    def _synthetic_item(self, call: Object) -> Object:
        made = super()._synthetic_item(call)
        return {**made, "type": self.own_type} if call["type"] == "local_shell_call" else made

    def _write_item(self, item: Object) -> Object:
        return item if item["type"] == self.own_type else super()._write_item(item)


class _AbsentIdIsEmpty(ZooSubject):
    """Reads the absent call id of one type of call as the empty one."""

    call: str

    def _wants_output(self, item: Object) -> bool:
        return super()._wants_output(item) or item["type"] == self.call

    def _key(self, call: Object) -> tuple[str, str]:
        return super()._key({"call_id": "", **call})

    def _report_gap(self, call: Object) -> None:
        super()._report_gap({"call_id": "", **call})

    def _synthetic_item(self, call: Object) -> Object:
        return super()._synthetic_item({"call_id": "", **call})


@fault("search-without-id-completed", "PAIR-5", also=("PAIR-14",), why="no id is the empty id")
class _SearchWithoutIdCompleted(_AbsentIdIsEmpty):
    call = "tool_search_call"


@fault(
    "shell-without-id-completed",
    "PAIR-5",
    also=("PAIR-14", "MODE-1", "MODE-3"),
    why="no id is the empty id",
)
class _ShellWithoutIdCompleted(_AbsentIdIsEmpty):
    call = "local_shell_call"


@fault("search-without-id-gets-null", "PAIR-5", also=("PAIR-14",), why="an output without call id")
class _SearchWithoutIdGetsNull(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        item = entries[position].item
        if item["type"] == "tool_search_call" and "call_id" not in item:
            return True
        return super()._lacks_output(entries, position, answered)

    def _synthetic_item(self, call: Object) -> Object:
        made = super()._synthetic_item({"call_id": None, **call})
        return {name: value for name, value in made.items() if value is not None}


@fault("pairs-by-adjacency", "PAIR-6", also=("PAIR-14",), minimum=2, why="looks one item ahead")
class _PairsByAdjacency(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        item = entries[position].item
        following = entries[position + 1 : position + 2]
        return self._wants_output(item) and self._key(item) not in self._answered(following)


@fault(
    "output-before-call-does-not-count", "PAIR-6", also=("PAIR-14",), minimum=2, why="looks ahead"
)
class _OutputBeforeCallDoesNotCount(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        item = entries[position].item
        later = self._answered(entries[position + 1 :])
        return self._wants_output(item) and self._key(item) not in later


@fault(
    "answered-within-the-turn",
    "PAIR-6",
    also=("PAIR-14",),
    minimum=3,
    why="a user message closes the search for outputs",
)
class _AnsweredWithinTheTurn(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        if not self._wants_output(entries[position].item):
            return False
        first, last = position, position + 1
        while first > 0 and not _is_user(entries[first - 1]):
            first -= 1
        while last < len(entries) and not _is_user(entries[last]):
            last += 1
        return super()._lacks_output(entries, position, self._answered(entries[first:last]))


def _is_user(entry: Envelope) -> bool:
    return (entry.item["type"], entry.item.get("role")) == ("message", "user")


@fault(
    "answered-within-eight-items",
    "PAIR-6",
    also=("PAIR-14",),
    minimum=10,
    why="outputs are looked for in a window",
)
class _AnsweredWithinEightItems(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        near = self._answered(entries[max(0, position - 8) : position + 9])
        return super()._lacks_output(entries, position, near)


@fault(
    "pairs-by-position",
    "PAIR-6",
    also=("PAIR-1", "PAIR-2", "PAIR-3", "PAIR-4", "PAIR-13"),
    minimum=2,
    why="the n-th output of a family answers its n-th call, whatever the ids",
)
class _PairsByPosition(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        if not self._wants_output(entries[position].item):
            return False
        output = FAMILIES[entries[position].item["type"]].output
        place = sum(self._is_call_for(output, entry.item) for entry in entries[:position])
        return place >= sum(1 for entry in entries if entry.item["type"] == output)

    def _is_call_for(self, output: str, item: Object) -> bool:
        if not self._wants_output(item):
            return False
        wanted, _ = self._key(item)
        return wanted == output


@fault("families-share-answers", "PAIR-7", minimum=2, why="one set of answered ids for all")
class _FamiliesShareAnswers(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        item = entries[position].item
        ids = {call_id for _, call_id in answered}
        return self._wants_output(item) and item["call_id"] not in ids


class _AlsoAnsweredBy(ZooSubject):
    """Lets the output of one family answer one call of another."""

    call: str
    output: str

    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        item = entries[position].item
        if item["type"] == self.call and (self.output, item.get("call_id")) in answered:
            return False
        return super()._lacks_output(entries, position, answered)


@fault(
    "function-output-answers-custom",
    "PAIR-7",
    also=("MODE-1", "MODE-3"),
    minimum=2,
    why="custom tools are taken for functions",
)
class _FunctionOutputAnswersCustom(_AlsoAnsweredBy):
    call, output = "custom_tool_call", "function_call_output"


@fault(
    "function-output-answers-search",
    "PAIR-7",
    modes=RELEASE,
    minimum=2,
    why="tool search is taken for a function",
)
class _FunctionOutputAnswersSearch(_AlsoAnsweredBy):
    call, output = "tool_search_call", "function_call_output"


@fault(
    "custom-output-answers-function",
    "PAIR-7",
    modes=RELEASE,
    minimum=2,
    why="the reverse",
)
class _CustomOutputAnswersFunction(_AlsoAnsweredBy):
    call, output = "function_call", "custom_tool_call_output"


@fault(
    "custom-output-answers-shell",
    "PAIR-7",
    also=("MODE-1", "MODE-3"),
    minimum=2,
    why="shell runs are taken for custom tools",
)
class _CustomOutputAnswersShell(_AlsoAnsweredBy):
    call, output = "local_shell_call", "custom_tool_call_output"


@fault(
    "function-output-not-for-shell",
    "PAIR-8",
    also=("PAIR-4", "PAIR-14", "MODE-1", "MODE-3"),
    minimum=2,
    why="a shell call always gets an output of its own",
)
class _FunctionOutputNotForShell(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        item = entries[position].item
        if item["type"] == "local_shell_call":
            return self._wants_output(item)
        return super()._lacks_output(entries, position, answered)


@fault(
    "shared-output-goes-to-the-function",
    "PAIR-8",
    also=("PAIR-10", "PAIR-14", "MODE-1", "MODE-3"),
    minimum=3,
    why="where a function call has the id, its output is not the shell's",
)
class _SharedOutputGoesToTheFunction(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        item = entries[position].item
        functions = {one.item["call_id"] for one in entries if one.item["type"] == "function_call"}
        if item["type"] == "local_shell_call" and item.get("call_id") in functions:
            return True
        return super()._lacks_output(entries, position, answered)


class _AnsweredByExecution(ZooSubject):
    """Looks at executions when it decides whether a search is answered."""

    def _may_answer(self, call: Object, output: Object) -> bool:
        raise NotImplementedError

    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        item = entries[position].item
        if item["type"] != "tool_search_call" or not self._wants_output(item):
            return super()._lacks_output(entries, position, answered)
        return not any(
            self._may_answer(item, one.item)
            for one in entries
            if one.item["type"] == "tool_search_output"
            and one.item.get("call_id") == item["call_id"]
        )


@fault(
    "server-output-answers-nothing",
    "PAIR-9",
    also=("PAIR-14",),
    minimum=2,
    why="server outputs are skipped when the answered ids are gathered",
)
class _ServerOutputAnswersNothing(_AnsweredByExecution):
    def _may_answer(self, call: Object, output: Object) -> bool:
        return bool(output["execution"] != "server")


@fault(
    "executions-must-match",
    "PAIR-9",
    also=("PAIR-14",),
    minimum=2,
    why="a search is answered only by an output of its own execution",
)
class _ExecutionsMustMatch(_AnsweredByExecution):
    def _may_answer(self, call: Object, output: Object) -> bool:
        return bool(output["execution"] == call["execution"])


@fault(
    "output-used-up",
    "PAIR-10",
    also=("PAIR-8", "PAIR-14"),
    minimum=3,
    why="one output answers only the first of two calls",
)
class _OutputUsedUp(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        item = entries[position].item
        if not self._wants_output(item):
            return False
        key = self._key(item)
        outputs = sum((one.item["type"], one.item.get("call_id")) == key for one in entries)
        earlier = sum(
            self._wants_output(one.item) and self._key(one.item) == key
            for one in entries[:position]
        )
        return earlier >= outputs


@fault(
    "one-synthetic-per-call-id",
    "PAIR-10",
    also=("PAIR-14", "MODE-7"),
    minimum=2,
    why="answered is decided on the list as it grows",
)
class _OneSyntheticPerCallId(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        if not super()._lacks_output(entries, position, answered):
            return False
        answered.add(self._key(entries[position].item))
        return True


@fault(
    "empty-call-id-left-open",
    "PAIR-11",
    also=("PAIR-1", "PAIR-2", "PAIR-3", "PAIR-4"),
    why="an empty call id is taken for none",
)
class _EmptyCallIdLeftOpen(ZooSubject):
    def _wants_output(self, item: Object) -> bool:
        return super()._wants_output(item) and item["call_id"] != ""


@fault(
    "empty-call-id-never-answered",
    "PAIR-11",
    also=("PAIR-14",),
    minimum=2,
    why="outputs with an empty call id answer nothing",
)
class _EmptyCallIdNeverAnswered(ZooSubject):
    def _answers(self, item: Object) -> bool:
        return super()._answers(item) and item["call_id"] != ""


@fault("synthetic-copies-passthrough", "PAIR-12", why="the call's metadata is copied")
class _SyntheticCopiesPassthrough(ZooSubject):
    def _synthetic_item(self, call: Object) -> Object:
        passed = {META: call[META]} if META in call else {}
        return {**super()._synthetic_item(call), **passed}


@fault(
    "synthetic-inherits-metadata",
    "PAIR-12",
    also=("PROJ-5",),
    why="the synthetic envelope is a copy of the call's",
)
class _SyntheticInheritsMetadata(ZooSubject):
    def _synthetic(self, call: Envelope) -> Entries:
        return [Envelope(self._synthetic_item(call.item), metadata=call.metadata)]


@fault(
    "synthetic-marked-failed",
    "PAIR-12",
    why="an aborted output says success: false",
)
class _SyntheticMarkedFailed(ZooSubject):
    def _synthetic(self, call: Envelope) -> Entries:
        return [Envelope(self._synthetic_item(call.item), success=False)]


@fault("synthetic-says-status", "PAIR-12", also=("PAIR-1", "PAIR-4"), why="adds a status")
class _SyntheticSaysStatus(ZooSubject):
    def _synthetic_body(self, call: Object) -> Object:
        return {"status": "incomplete", **super()._synthetic_body(call)}

    def _write_item(self, item: Object) -> Object:
        written = super()._write_item(item)
        if item["type"] == "function_call_output" and "status" in item:
            return {**written, "status": item["status"]}
        return written


@fault(
    "last-call-still-runs",
    "PAIR-13",
    also=("PAIR-1", "PAIR-2", "PAIR-3", "PAIR-4"),
    why="a call at the very end is left alone: its output may still come",
)
class _LastCallStillRuns(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        if position == len(entries) - 1:
            return False
        return super()._lacks_output(entries, position, answered)


@fault(
    "completion-stops-after-sixteen",
    "PAIR-13",
    also=("PAIR-1", "PAIR-2", "PAIR-3", "PAIR-4"),
    minimum=17,
    why="completion stops after a fixed number of items",
)
class _CompletionStopsAfterSixteen(ZooSubject):
    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        return position < 16 and super()._lacks_output(entries, position, answered)


@fault(
    "call-id-replaced-by-item-id",
    "PAIR-13",
    also=("ORD-3", "PROJ-6"),
    why="a call is sent under its item id, its output under the call id",
)
class _CallIdReplacedByItemId(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        return [self._renamed(entry) for entry in super()._repair(entries)]

    def _renamed(self, entry: Envelope) -> Envelope:
        item = entry.item
        if not self._wants_output(item) or not item.get("id"):
            return entry
        return replace(entry, item={**item, "call_id": item["id"]})


@fault("two-outputs-for-a-gap", "PAIR-14", why="the completion step runs twice on a call")
class _TwoOutputsForAGap(ZooSubject):
    def _synthetic(self, call: Envelope) -> Entries:
        return super()._synthetic(call) * 2


@fault("web-search-completed", "PAIR-14", also=("ORD-3",), why="every *_call gets an output")
class _WebSearchCompleted(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        repaired = []
        for entry in super()._repair(entries):
            repaired.append(entry)
            if entry.item["type"] == "web_search_call":
                filler = {"type": "function_call_output", "call_id": "", "output": "aborted"}
                repaired.append(Envelope(filler))
        return repaired


@fault(
    "interruption-explained",
    "PAIR-14",
    also=("ORD-3",),
    why="a user message says that the turn was aborted",
)
class _InterruptionExplained(ZooSubject):
    def _repair(self, entries: Entries) -> Entries:
        repaired = super()._repair(entries)
        given = {id(entry) for entry in entries}
        if all(id(entry) in given for entry in repaired):
            return repaired
        text = "<turn_aborted>The user interrupted.</turn_aborted>"
        content = [{"type": "input_text", "text": text}]
        note = {"type": "message", "role": "user", "content": content}
        return [*repaired, Envelope(note)]
