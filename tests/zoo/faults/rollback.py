"""Faults of rollback: where the cut is, what is walked over, what is cleaned (ROLL)."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

from dataclasses import replace

from zoo.changes import Envelopes
from zoo.faulty import life
from zoo.subject import ZooSubject
from zoo.values import Envelope, History, Object


@life("zero-turns-clear-baseline", "ROLL-1", also=("WORLD-6",), why="cleared before looking")
class _ZeroTurnsClearBaseline(ZooSubject):
    def _rolled_back(self, history: History, count: int) -> History:
        return super()._rolled_back(replace(history, baseline=None), count)


@life("zero-turns-bump-version", "ROLL-1", also=("VER-3", "CUR-3", "CUR-1"), why="counted anyway")
class _ZeroTurnsBumpVersion(ZooSubject):
    def _rolled_back(self, history: History, count: int) -> History:
        if count == 0:
            return replace(history, version=history.version + 1)
        return super()._rolled_back(history, count)


@life("zero-turns-are-one", "ROLL-1", also=("VER-3", "WORLD-6"), why="at least one is dropped")
class _ZeroTurnsAreOne(ZooSubject):
    def _rolled_back(self, history: History, count: int) -> History:
        return super()._rolled_back(history, max(count, 1))


@life("zero-turns-are-all", "ROLL-1", also=("VER-3", "WORLD-6"), why="the slice [-0:] is all")
class _ZeroTurnsAreAll(ZooSubject):
    def _rolled_back(self, history: History, count: int) -> History:
        return super()._rolled_back(history, count or len(history.envelopes))


class _OtherBoundaries(ZooSubject):
    """Takes other messages for boundaries, or leaves some out."""

    def _begins(self, item: Object, *, begins: bool) -> bool:
        raise NotImplementedError

    def _is_boundary(self, item: Object) -> bool:
        return self._begins(item, begins=super()._is_boundary(item))


@life("agent-messages-no-boundary", "ROLL-2", also=("ROLL-3", "ROLL-4"), why="nobody typed them")
class _AgentMessagesNoBoundary(_OtherBoundaries):
    def _begins(self, item: Object, *, begins: bool) -> bool:
        return begins and item["type"] != "agent_message"


@life("instructions-no-boundary", "ROLL-2", also=("ROLL-3", "ROLL-4"), why="only users instruct")
class _InstructionsNoBoundary(_OtherBoundaries):
    def _begins(self, item: Object, *, begins: bool) -> bool:
        return begins and item.get("role") != "assistant"


@life("answers-are-boundaries", "ROLL-2", also=("ROLL-3", "ROLL-4"), why="every assistant message")
class _AnswersAreBoundaries(_OtherBoundaries):
    def _begins(self, item: Object, *, begins: bool) -> bool:
        return begins or self._is_message_of("assistant", item)


@life("user-in-any-case", "ROLL-2", also=("ROLL-3", "ROLL-4"), why="roles fold letter case")
class _UserInAnyCase(_OtherBoundaries):
    def _begins(self, item: Object, *, begins: bool) -> bool:
        if item["type"] != "message" or item["role"] == "user":
            return begins
        return begins or (
            item["role"].lower() == "user" and not self._is_contextual(item["content"])
        )


@life("context-is-a-boundary", "ROLL-2", also=("ROLL-3", "ROLL-4", "ROLL-5"), why="role is all")
class _ContextIsABoundary(_OtherBoundaries):
    def _begins(self, item: Object, *, begins: bool) -> bool:
        return begins or self._is_message_of("user", item)


@life("silent-user-is-context", "ROLL-2", also=("ROLL-3", "ROLL-4", "ROLL-5"), why="all of nothing")
class _SilentUserIsContext(ZooSubject):
    def _is_contextual(self, content: list[Object]) -> bool:
        return not content or super()._is_contextual(content)


@life(
    "pictures-are-context", "ROLL-2", also=("ROLL-3", "ROLL-4", "ROLL-5"), why="no text was typed"
)
class _PicturesAreContext(ZooSubject):
    def _is_contextual(self, content: list[Object]) -> bool:
        silent = bool(content) and all("text" not in part for part in content)
        return silent or super()._is_contextual(content)


@life(
    "one-contextual-entry-not-enough",
    "ROLL-2",
    also=("ROLL-3", "ROLL-4", "ROLL-5"),
    why="all entries must be fragments",
)
class _OneContextualEntryNotEnough(ZooSubject):
    def _is_contextual(self, content: list[Object]) -> bool:
        return bool(content) and all(self._is_contextual_part(part) for part in content)


@life(
    "first-entry-decides",
    "ROLL-2",
    also=("ROLL-3", "ROLL-4", "ROLL-5"),
    why="only the first entry is looked at",
)
class _FirstEntryDecides(ZooSubject):
    def _is_contextual(self, content: list[Object]) -> bool:
        return super()._is_contextual(content[:1])


@life("output-text-is-context", "ROLL-2", also=("ROLL-3", "ROLL-4", "ROLL-5"), why="text is text")
class _OutputTextIsContext(ZooSubject):
    def _is_contextual_part(self, part: Object) -> bool:
        return "text" in part and self._is_fragment(part["text"])


@life("no-boundary-drops-all", "ROLL-3", also=("ROLL-8",), why="all turns are dropped")
class _NoBoundaryDropsAll(ZooSubject):
    def _rolled_back(self, history: History, count: int) -> History:
        if count and not self._boundaries(history.envelopes):
            history = replace(history, envelopes=())
        return super()._rolled_back(history, count)


@life("no-boundary-drops-outputs", "ROLL-3", also=("ROLL-8", "ROLL-4"), why="only context is kept")
class _NoBoundaryDropsOutputs(ZooSubject):
    def _rolled_back(self, history: History, count: int) -> History:
        if count and not self._boundaries(history.envelopes):
            kept = tuple(one for one in history.envelopes if one.item["type"] == "message")
            history = replace(history, envelopes=kept)
        return super()._rolled_back(history, count)


@life("too-many-turns-change-nothing", "ROLL-4", also=("VER-2", "WORLD-5"), why="out of range")
class _TooManyTurnsChangeNothing(ZooSubject):
    def _rolled_back(self, history: History, count: int) -> History:
        boundaries = self._boundaries(history.envelopes)
        if boundaries and count > len(boundaries):
            return history
        return super()._rolled_back(history, count)


@life("too-many-turns-drop-the-prefix", "ROLL-4", also=("ROLL-7",), why="everything is dropped")
class _TooManyTurnsDropThePrefix(ZooSubject):
    def _cut_at(self, boundaries: list[int], count: int) -> int:
        return 0 if count > len(boundaries) else boundaries[-count]


@life("all-turns-drop-the-prefix", "ROLL-4", also=("ROLL-7",), why="nothing is left to prefix")
class _AllTurnsDropThePrefix(ZooSubject):
    def _cut_at(self, boundaries: list[int], count: int) -> int:
        return 0 if count >= len(boundaries) else boundaries[-count]


@life("boundary-kept", "ROLL-4", also=("ROLL-10", "ROLL-7"), why="the cut is after the boundary")
class _BoundaryKept(ZooSubject):
    def _cut_back(self, history: History, boundaries: list[int], count: int) -> History:
        cut = super()._cut_back(history, boundaries, count)
        boundary = history.envelopes[self._cut_at(boundaries, count)]
        return replace(cut, envelopes=(*cut.envelopes, boundary))


@life("one-turn-too-many", "ROLL-4", also=("ROLL-10",), why="an index that is off by one")
class _OneTurnTooMany(ZooSubject):
    def _cut_at(self, boundaries: list[int], count: int) -> int:
        return super()._cut_at(boundaries, count + 1)


@life("turns-counted-from-the-front", "ROLL-4", also=("ROLL-10",), why="the n-th, not n-th last")
class _TurnsCountedFromTheFront(ZooSubject):
    def _cut_at(self, boundaries: list[int], count: int) -> int:
        return boundaries[max(0, min(count, len(boundaries)) - 1)]


@life("one-turn-at-a-time", "ROLL-10", also=("ROLL-4",), why="n is taken for yes or no")
class _OneTurnAtATime(ZooSubject):
    def _cut_at(self, boundaries: list[int], count: int) -> int:
        return super()._cut_at(boundaries, 1)


@life("several-turns-one-more", "ROLL-10", also=("ROLL-4",), why="the loop runs once too often")
class _SeveralTurnsOneMore(ZooSubject):
    def _cut_at(self, boundaries: list[int], count: int) -> int:
        return super()._cut_at(boundaries, count if count == 1 else count + 1)


@life("nothing-walked-over", "ROLL-5", also=("ROLL-6",), why="context updates are left behind")
class _NothingWalkedOver(ZooSubject):
    def _walked(self, envelopes: Envelopes, cut: int, first: int) -> int:
        return cut


@life("one-item-walked-over", "ROLL-5", also=("ROLL-6",), why="if in place of while")
class _OneItemWalkedOver(ZooSubject):
    def _walked(self, envelopes: Envelopes, cut: int, first: int) -> int:
        return max(super()._walked(envelopes, cut, first), cut - 1)


@life("only-developers-walked-over", "ROLL-5", why="user context stays")
class _OnlyDevelopersWalkedOver(ZooSubject):
    def _is_context(self, item: Object) -> bool:
        return self._is_contextual_developer(item)


@life("only-users-walked-over", "ROLL-5", also=("ROLL-6",), why="developer bundles stay")
class _OnlyUsersWalkedOver(ZooSubject):
    def _is_context(self, item: Object) -> bool:
        return self._is_contextual_user(item)


@life("all-developers-walked-over", "ROLL-5", also=("ROLL-6",), why="the role is enough")
class _AllDevelopersWalkedOver(ZooSubject):
    def _is_context(self, item: Object) -> bool:
        return self._is_message_of("developer", item) or self._is_contextual_user(item)


@life(
    "only-pure-bundles-walked-over", "ROLL-5", also=("ROLL-6",), why="all entries must be context"
)
class _OnlyPureBundlesWalkedOver(ZooSubject):
    def _is_context(self, item: Object) -> bool:
        return super()._is_context(item) and not self._is_mixed(item)


@life("reasoning-walked-over", "ROLL-5", also=("ROLL-8",), why="it is thought for the next turn")
class _ReasoningWalkedOver(ZooSubject):
    def _is_context(self, item: Object) -> bool:
        return item["type"] == "reasoning" or super()._is_context(item)


@life("pure-bundle-clears-reference", "ROLL-6", also=("REF-1",), why="any trimmed bundle does")
class _PureBundleClearsReference(ZooSubject):
    def _clears_reference(self, trimmed: list[Object]) -> bool:
        return any(self._is_contextual_developer(item) for item in trimmed)


@life("mixed-bundle-keeps-reference", "ROLL-6", also=("REF-1",), why="it is never cleared")
class _MixedBundleKeepsReference(ZooSubject):
    def _clears_reference(self, trimmed: list[Object]) -> bool:
        return False


@life("any-context-clears-reference", "ROLL-6", also=("REF-1",), why="whatever was trimmed")
class _AnyContextClearsReference(ZooSubject):
    def _clears_reference(self, trimmed: list[Object]) -> bool:
        return bool(trimmed)


@life("every-rollback-clears-reference", "ROLL-6", also=("REF-1",), why="settings may differ")
class _EveryRollbackClearsReference(ZooSubject):
    def _after_rollback(self, history: History, *, found: bool) -> History:
        return replace(super()._after_rollback(history, found=found), reference=None)


@life("pictures-do-not-mix", "ROLL-6", also=("REF-1",), why="only text makes a bundle mixed")
class _PicturesDoNotMix(ZooSubject):
    def _is_mixed(self, item: Object) -> bool:
        return self._is_contextual_developer(item) and any(
            part["type"] == "input_text" and not self._is_developer_fragment(part)
            for part in item["content"]
        )


@life("output-text-does-not-mix", "ROLL-6", also=("REF-1",), why="it reads as a fragment too")
class _OutputTextDoesNotMix(ZooSubject):
    def _is_mixed(self, item: Object) -> bool:
        return super()._is_mixed(item) and any(
            "text" not in part or not self._starts_developer_context(part["text"])
            for part in item["content"]
        )


@life("nearest-bundle-decides", "ROLL-6", also=("REF-1",), why="only the last one is looked at")
class _NearestBundleDecides(ZooSubject):
    def _clears_reference(self, trimmed: list[Object]) -> bool:
        return super()._clears_reference(trimmed[-1:])


@life(
    "dropped-bundles-clear-reference", "ROLL-6", also=("REF-1",), why="looked for in all that goes"
)
class _DroppedBundlesClearReference(ZooSubject):
    def _cut_back(self, history: History, boundaries: list[int], count: int) -> History:
        cut = super()._cut_back(history, boundaries, count)
        gone = [one.item for one in history.envelopes[len(cut.envelopes) :]]
        return replace(cut, reference=None) if self._clears_reference(gone) else cut


@life("trimmed-past-first-boundary", "ROLL-7", also=("ROLL-5", "ROLL-6"), why="the walk has no end")
class _TrimmedPastFirstBoundary(ZooSubject):
    def _walked(self, envelopes: Envelopes, cut: int, first: int) -> int:
        return super()._walked(envelopes, cut, 0)


@life("prefix-clears-reference", "ROLL-7", also=("ROLL-6", "REF-1"), why="looked at, then kept")
class _PrefixClearsReference(ZooSubject):
    def _cut_back(self, history: History, boundaries: list[int], count: int) -> History:
        cut = super()._cut_back(history, boundaries, count)
        at = self._cut_at(boundaries, count)
        before = history.envelopes[self._walked(history.envelopes, at, 0) : at]
        mixed = self._clears_reference([one.item for one in before])
        return replace(cut, reference=None) if mixed else cut


class _Repairing(ZooSubject):
    """Repairs what a rollback leaves."""

    def _repaired(self, entries: list[Envelope]) -> list[Envelope]:
        raise NotImplementedError

    def _cut_back(self, history: History, boundaries: list[int], count: int) -> History:
        cut = super()._cut_back(history, boundaries, count)
        return replace(cut, envelopes=tuple(self._repaired(list(cut.envelopes))))


@life("rollback-drops-orphans", "ROLL-8", also=("ROLL-4",), why="pairs are kept whole")
class _RollbackDropsOrphans(_Repairing):
    def _repaired(self, entries: list[Envelope]) -> list[Envelope]:
        called = self._called(entries)
        return [one for one in entries if not self._is_orphan(one.item, called)]


@life("rollback-drops-open-calls", "ROLL-8", also=("ROLL-4",), why="pairs are kept whole")
class _RollbackDropsOpenCalls(_Repairing):
    def _repaired(self, entries: list[Envelope]) -> list[Envelope]:
        answered = self._answered(entries)
        return [
            one
            for one in entries
            if not self._wants_output(one.item) or self._key(one.item) in answered
        ]


@life("rollback-drops-metadata", "ROLL-8", also=("PROJ-5",), why="what stays is recorded again")
class _RollbackDropsMetadata(_Repairing):
    def _repaired(self, entries: list[Envelope]) -> list[Envelope]:
        return [replace(one, metadata=None) for one in entries]


@life("rollback-drops-trailing-reasoning", "ROLL-8", also=("ROLL-5",), why="it needs its answer")
class _RollbackDropsTrailingReasoning(_Repairing):
    def _repaired(self, entries: list[Envelope]) -> list[Envelope]:
        while entries and entries[-1].item["type"] == "reasoning":
            entries.pop()
        return entries


@life("first-turn-not-cleaned", "ROLL-9", why="the model switch of the first turn stays")
class _FirstTurnNotCleaned(ZooSubject):
    def _cleaned(self, kept: Envelopes, boundary: Object) -> Envelopes:
        return kept


@life("cleaned-message-goes-whole", "ROLL-9", why="a switch takes its message along")
class _CleanedMessageGoesWhole(ZooSubject):
    def _cleaned_one(self, one: Envelope, turn: str) -> Envelope | None:
        cleaned = super()._cleaned_one(one, turn)
        return cleaned if cleaned is not None and cleaned.item == one.item else None


@life("emptied-message-stays", "ROLL-9", why="content is filtered, messages are not")
class _EmptiedMessageStays(ZooSubject):
    def _cleaned_one(self, one: Envelope, turn: str) -> Envelope | None:
        cleaned = super()._cleaned_one(one, turn)
        if cleaned is None:
            return replace(one, item={**one.item, "content": []})
        return cleaned


@life("empty-message-of-the-turn-stays", "ROLL-9", why="only what was emptied goes")
class _EmptyMessageOfTheTurnStays(ZooSubject):
    def _cleaned_one(self, one: Envelope, turn: str) -> Envelope | None:
        if self._is_of_turn(one.item, turn) and not one.item["content"]:
            return one
        return super()._cleaned_one(one, turn)


@life("every-turn-cleaned", "ROLL-9", why="turn ids are not compared")
class _EveryTurnCleaned(ZooSubject):
    def _is_of_turn(self, item: Object, turn: str) -> bool:
        return self._is_message_of("developer", item)


@life("later-turns-cleaned-too", "ROLL-9", also=("ROLL-8",), why="after any rollback")
class _LaterTurnsCleanedToo(ZooSubject):
    def _cut_back(self, history: History, boundaries: list[int], count: int) -> History:
        cut = super()._cut_back(history, boundaries, count)
        boundary = history.envelopes[self._cut_at(boundaries, count)].item
        return replace(cut, envelopes=self._cleaned(cut.envelopes, boundary))


@life("user-messages-cleaned-too", "ROLL-9", why="roles are not looked at")
class _UserMessagesCleanedToo(ZooSubject):
    def _is_of_turn(self, item: Object, turn: str) -> bool:
        return item["type"] == "message" and self._turn_of(item) == turn


@life("open-switch-cleaned", "ROLL-9", why="the end tag is not asked for")
class _OpenSwitchCleaned(ZooSubject):
    def _is_model_switch(self, part: Object) -> bool:
        return part["type"] == "input_text" and self._trimmed(part["text"]).startswith(
            "<model_switch>"
        )


@life("output-switch-cleaned", "ROLL-9", why="types of entries are not looked at")
class _OutputSwitchCleaned(ZooSubject):
    def _is_model_switch(self, part: Object) -> bool:
        return "text" in part and super()._is_model_switch({**part, "type": "input_text"})


@life("switch-in-exact-case", "ROLL-9", why="letter case counts")
class _SwitchInExactCase(ZooSubject):
    def _is_model_switch(self, part: Object) -> bool:
        inner = self._trimmed(part.get("text", ""))
        exact = inner.startswith("<model_switch>") and inner.endswith("</model_switch>")
        return exact and super()._is_model_switch(part)


@life("all-context-cleaned", "ROLL-9", why="every fragment of the turn goes")
class _AllContextCleaned(ZooSubject):
    def _is_model_switch(self, part: Object) -> bool:
        return self._is_developer_fragment(part)


@life("empty-turn-id-cleans", "ROLL-9", why='"" is compared like any id')
class _EmptyTurnIdCleans(ZooSubject):
    def _cleaned(self, kept: Envelopes, boundary: Object) -> Envelopes:
        turn = self._turn_of(boundary)
        if turn is None:
            return kept
        cleaned = (self._cleaned_one(one, turn) for one in kept)
        return tuple(one for one in cleaned if one is not None)


@life("absent-turn-id-cleans", "ROLL-9", why="None equals None")
class _AbsentTurnIdCleans(ZooSubject):
    def _turn_of(self, item: Object) -> str | None:
        return super()._turn_of(item) or "none"


@life("one-message-cleaned", "ROLL-9", why="the loop ends at the first")
class _OneMessageCleaned(ZooSubject):
    def _cleaned(self, kept: Envelopes, boundary: Object) -> Envelopes:
        for place, one in enumerate(kept):
            (*cleaned,) = super()._cleaned((one,), boundary)
            if cleaned != [one]:
                return (*kept[:place], *cleaned, *kept[place + 1 :])
        return kept


@life("cleaned-loses-metadata", "ROLL-9", also=("ROLL-8", "PROJ-5"), why="a new message is made")
class _CleanedLosesMetadata(ZooSubject):
    def _cleaned_one(self, one: Envelope, turn: str) -> Envelope | None:
        cleaned = super()._cleaned_one(one, turn)
        if cleaned is None or cleaned.item == one.item:
            return cleaned
        return replace(cleaned, metadata=None)


@life("baseline-kept-by-rollback", "WORLD-5", also=("WORLD-1",), why="items are not the state")
class _BaselineKeptByRollback(ZooSubject):
    def _after_rollback(self, history: History, *, found: bool) -> History:
        return replace(history, version=history.version + 1)


@life("baseline-kept-without-boundary", "WORLD-5", also=("WORLD-1",), why="nothing was dropped")
class _BaselineKeptWithoutBoundary(ZooSubject):
    def _after_rollback(self, history: History, *, found: bool) -> History:
        after = super()._after_rollback(history, found=found)
        return after if found else replace(after, baseline=history.baseline)


@life("rollback-keeps-version", "VER-2", also=("CUR-3", "CUR-1"), why="it only takes away")
class _RollbackKeepsVersion(ZooSubject):
    def _after_rollback(self, history: History, *, found: bool) -> History:
        return replace(history, baseline=None)


@life("version-kept-without-boundary", "VER-2", also=("CUR-3", "CUR-1"), why="nothing was dropped")
class _VersionKeptWithoutBoundary(ZooSubject):
    def _after_rollback(self, history: History, *, found: bool) -> History:
        after = super()._after_rollback(history, found=found)
        return after if found else replace(after, version=history.version)


@life("version-counts-turns", "VER-2", also=("CUR-1",), why="each dropped turn counts")
class _VersionCountsTurns(ZooSubject):
    def _rolled_back(self, history: History, count: int) -> History:
        return replace(super()._rolled_back(history, count), version=history.version + count)


@life("rollback-takes-version-back", "VER-4", also=("VER-2", "CUR-3"), why="as it was before")
class _RollbackTakesVersionBack(ZooSubject):
    def _after_rollback(self, history: History, *, found: bool) -> History:
        return replace(history, version=max(history.version - 1, 0), baseline=None)
