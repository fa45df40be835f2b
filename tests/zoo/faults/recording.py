"""Faults of recording: what is kept, and that nothing else changes (REC)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from zoo.faulty import life
from zoo.recording import Policy
from zoo.subject import ZooSubject
from zoo.values import META, Envelope, History, Json, Object, RefusalError


class _Dropping(ZooSubject):
    """Does not record items of some kind."""

    def _drops(self, item: Object) -> bool:
        raise NotImplementedError

    def _is_kept(self, item: Object) -> bool:
        return super()._is_kept(item) and not self._drops(item)


@life("developer-messages-dropped", "REC-1", also=("REC-2",), why="taken for system messages")
class _DeveloperMessagesDropped(_Dropping):
    def _drops(self, item: Object) -> bool:
        return bool(item["type"] == "message" and item["role"] == "developer")


@life("system-in-any-case-dropped", "REC-1", also=("REC-2",), why="roles fold letter case")
class _SystemInAnyCaseDropped(_Dropping):
    def _drops(self, item: Object) -> bool:
        return bool(item["type"] == "message" and item["role"].lower() == "system")


@life("system-tools-dropped", "REC-1", also=("REC-2",), why="any item of role system goes")
class _SystemToolsDropped(_Dropping):
    def _drops(self, item: Object) -> bool:
        return item.get("role") == "system"


@life("compaction-dropped", "REC-1", also=("REC-2",), why="types are matched by their beginning")
class _CompactionDropped(_Dropping):
    def _drops(self, item: Object) -> bool:
        return bool(item["type"].startswith("compaction"))


@life("empty-messages-dropped", "REC-1", also=("REC-2",), why="a message says something")
class _EmptyMessagesDropped(_Dropping):
    def _drops(self, item: Object) -> bool:
        return item["type"] == "message" and not item["content"]


@life("batch-reversed", "REC-1", also=("REC-6", "ORD-1"), why="a deque is extended on the left")
class _BatchReversed(ZooSubject):
    def _record(self, given: Iterable[Envelope], policy: Policy) -> tuple[Envelope, ...]:
        return super()._record(given, policy)[::-1]


@life("repeated-item-not-recorded", "REC-1", also=("REC-6",), why="a retry is taken for an echo")
class _RepeatedItemNotRecorded(ZooSubject):
    def _record(self, given: Iterable[Envelope], policy: Policy) -> tuple[Envelope, ...]:
        recorded: list[Envelope] = []
        for one in super()._record(given, policy):
            if not recorded or one.item != recorded[-1].item:
                recorded.append(one)
        return tuple(recorded)


@life("newest-in-front", "REC-1", also=("REC-6", "CUR-4"), why="the history is kept newest first")
class _NewestInFront(ZooSubject):
    def _append(self, op: Object, given: Iterable[Envelope]) -> Object:
        recorded = self._record(self._read_all(given), self._policy(op.get("policy")))
        history = self._history(op)
        return self._store(op, replace(history, envelopes=recorded + history.envelopes))


@life("triggers-recorded", "REC-2", why="a compaction trigger is kept")
class _TriggersRecorded(ZooSubject):
    def _is_kept(self, item: Object) -> bool:
        return item["type"] == "compaction_trigger" or super()._is_kept(item)


class _CutsMore(ZooSubject):
    """Cuts a text field of another type."""

    type: str
    field: str

    def _is_cut(self, item: Object) -> bool:
        return item["type"] == self.type or super()._is_cut(item)

    def _cut_item(self, item: Object, policy: Policy) -> Object:
        if item["type"] != self.type:
            return super()._cut_item(item, policy)
        return {**item, self.field: self._cut_body(item[self.field], policy)}


@life("messages-truncated", "REC-3", why="every long text is cut")
class _MessagesTruncated(_CutsMore):
    type, field = "message", "content"

    def _cut_body(self, body: Json, policy: Policy) -> Json:
        if isinstance(body, str) or not any(part["type"] == "output_text" for part in body):
            return super()._cut_body(body, policy)
        return body


@life("arguments-truncated", "REC-3", why="long arguments are cut")
class _ArgumentsTruncated(_CutsMore):
    type, field = "function_call", "arguments"


@life("custom-input-truncated", "REC-3", why="long inputs are cut")
class _CustomInputTruncated(_CutsMore):
    type, field = "custom_tool_call", "input"


@life("agent-messages-truncated", "REC-3", why="what other agents say is cut")
class _AgentMessagesTruncated(_CutsMore):
    type, field = "agent_message", "content"


@life("results-truncated", "REC-3", why="a generated image is a long text")
class _ResultsTruncated(_CutsMore):
    type, field = "image_generation_call", "result"


@life(
    "recording-completes-gaps",
    "REC-4",
    also=("REC-1", "REC-6"),
    why="a gap is closed as soon as the next message comes",
)
class _RecordingCompletesGaps(ZooSubject):
    def _append(self, op: Object, given: Iterable[Envelope]) -> Object:
        envelopes = self._read_all(given)
        if any(one.item["type"] == "message" for one in envelopes):
            self._close_gaps(op)
        return super()._append(op, envelopes)

    def _close_gaps(self, op: Object) -> None:
        history = self._history(op)
        answered = self._answered(list(history.envelopes))
        closed: list[Envelope] = []
        for one in history.envelopes:
            closed.append(one)
            if self._wants_output(one.item) and self._key(one.item) not in answered:
                closed += self._synthetic(one)
        self._store(op, replace(history, envelopes=tuple(closed)))


@life(
    "second-output-not-recorded",
    "REC-4",
    also=("REC-1", "ORPH-6"),
    why="a call is taken to have one output",
)
class _SecondOutputNotRecorded(ZooSubject):
    def _record(self, given: Iterable[Envelope], policy: Policy) -> tuple[Envelope, ...]:
        recorded: list[Envelope] = []
        for one in super()._record(given, policy):
            if not self._answers(one.item) or one.item["call_id"] not in {
                other.item["call_id"]
                for other in recorded
                if other.item["type"] == one.item["type"] and "call_id" in other.item
            }:
                recorded.append(one)
        return tuple(recorded)


class _Touching(ZooSubject):
    """Changes something beside the items when it records."""

    def _touched(self, history: History) -> History:
        raise NotImplementedError

    def _append(self, op: Object, given: Iterable[Envelope]) -> Object:
        outcome = super()._append(op, given)
        self._store(op, self._touched(self._history(op)))
        return outcome


@life(
    "recording-bumps-version",
    "REC-5",
    also=("VER-3", "CUR-3", "CUR-1"),
    why="every change is a new version",
)
class _RecordingBumpsVersion(_Touching):
    def _touched(self, history: History) -> History:
        return replace(history, version=history.version + 1)


@life(
    "recording-clears-baseline",
    "REC-5",
    also=("WORLD-6", "WORLD-2"),
    why="new items are taken to make the state unknown",
)
class _RecordingClearsBaseline(_Touching):
    def _touched(self, history: History) -> History:
        return replace(history, baseline=None)


@life(
    "user-message-clears-reference",
    "REC-5",
    also=("REF-1",),
    why="a turn begins with settings of its own",
)
class _UserMessageClearsReference(_Touching):
    def _touched(self, history: History) -> History:
        if any(self._is_message_of("user", one.item) for one in history.envelopes):
            return replace(history, reference=None)
        return history


@life("recording-clears-token-info", "REC-5", why="a count is stale once something was added")
class _RecordingClearsTokenInfo(_Touching):
    def _touched(self, history: History) -> History:
        return replace(history, token_info=None)


@life(
    "limit-shared-by-a-batch",
    "REC-6",
    also=("TRUNC-2", "TRUNC-11", "TRUNC-3"),
    why="outputs of parallel calls share one budget",
)
class _LimitSharedByABatch(ZooSubject):
    def _record(self, given: Iterable[Envelope], policy: Policy) -> tuple[Envelope, ...]:
        envelopes = list(given)
        outputs = sum(self._is_cut(one.item) for one in envelopes)
        shared = replace(policy, limit=policy.limit // max(outputs, 1))
        return super()._record(envelopes, shared)


@life(
    "whole-history-cut-again",
    "REC-6",
    also=("REC-1", "TRUNC-3"),
    why="the policy is applied to everything that is kept, each time",
)
class _WholeHistoryCutAgain(ZooSubject):
    def _append(self, op: Object, given: Iterable[Envelope]) -> Object:
        policy = self._policy(op.get("policy"))
        added = self._read_all(given)
        history = self._history(op)
        recorded = self._record([*history.envelopes, *added], policy)
        return self._store(op, replace(history, envelopes=recorded))


class _LosesWhenCut(ZooSubject):
    """Makes an output anew when it cuts it."""

    lost: tuple[str, ...]

    def _cut_item(self, item: Object, policy: Policy) -> Object:
        cut = super()._cut_item(item, policy)
        if cut == item:
            return cut
        return {key: value for key, value in cut.items() if key not in self.lost}


@life("cut-output-loses-its-id", "REC-7", also=("ITEM-1",), why="made anew from its call id")
class _CutOutputLosesItsId(_LosesWhenCut):
    lost = ("id",)


@life("cut-output-loses-its-name", "REC-7", also=("ITEM-1",), why="made anew from its call id")
class _CutOutputLosesItsName(_LosesWhenCut):
    lost = ("name",)


@life("cut-output-loses-passthrough", "REC-7", also=("ITEM-1",), why="made anew from its call id")
class _CutOutputLosesPassthrough(_LosesWhenCut):
    lost = (META,)


@life("cut-output-loses-metadata", "REC-7", also=("PROJ-5",), why="a new envelope is made")
class _CutOutputLosesMetadata(ZooSubject):
    def _cut(self, envelope: Envelope, policy: Policy) -> Envelope:
        cut = super()._cut(envelope, policy)
        return cut if cut.item == envelope.item else replace(cut, metadata=None)


@life("cut-output-is-a-failure", "REC-7", also=("ITEM-6",), why="what was cut did not succeed")
class _CutOutputIsAFailure(ZooSubject):
    def _cut(self, envelope: Envelope, policy: Policy) -> Envelope:
        cut = super()._cut(envelope, policy)
        if cut.item == envelope.item or cut.success is None:
            return cut
        return replace(cut, success=False)


@life("first-metadata-for-all", "REC-7", also=("PROJ-5",), why="a batch has one origin")
class _FirstMetadataForAll(ZooSubject):
    def _record(self, given: Iterable[Envelope], policy: Policy) -> tuple[Envelope, ...]:
        recorded = super()._record(given, policy)
        return tuple(replace(one, metadata=recorded[0].metadata) for one in recorded)


@life("metadata-must-be-filled", "REC-7", also=("PROJ-5",), why="{} is taken for no metadata")
class _MetadataMustBeFilled(ZooSubject):
    def _read_envelope(self, value: Object) -> Envelope:
        read = super()._read_envelope(value)
        return replace(read, metadata=read.metadata or None)


@life("empty-batch-refused", "REC-1", also=("ITEM-4",), why="a batch is taken to hold something")
class _EmptyBatchRefused(ZooSubject):
    def _read_all(self, given: Iterable[Envelope]) -> list[Envelope]:
        read = list(given)
        if not read:
            raise RefusalError("nothing to record")
        return read
