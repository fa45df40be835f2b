"""Wrong lives of histories, each with the clause it breaks: every check must notice its own."""

# The names of the wrong implementations and of their methods say what they do.
# ruff: noqa: D101, D102, D103, D107, ANN401, ARG002

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from contextcert.properties import CHECKS, Judge, edition_of, examples
from contextcert.properties.checks import CHANGE_CHECKS, LIFE_CHECKS
from contextcert.properties.equality import Sight, identical
from contextcert.properties.item_facts import ItemFacts, ItemReader
from contextcert.properties.merging import report
from contextcert.properties.removal import counterparts
from contextcert.properties.truncating import Allowance, cut_body
from contextcert.properties.turns import (
    is_boundary,
    is_cleaned,
    is_context,
    is_contextual_developer,
    is_mixed,
    turn_id,
    without_switch,
)
from contextcert.refmodel import DEFAULT_EDITION, Claim, Mode, run_script_in_both_modes
from contextcert.subject import Capabilities

Item = dict[str, Any]
READER = ItemReader(DEFAULT_EDITION, Sight())
LIVED = {"REC", "TRUNC", "HEAD", "ROLL", "REPL", "VER", "REF", "WORLD", "CUR", "SNAP"}
OWED = {clause for clause in CHECKS if clause.partition("-")[0] in LIVED} | {
    "PROJ-1",
    "PROJ-3",
    "PROJ-7",
    "MODE-9",
}


class Panic(Exception):  # noqa: N818 - it is what the miniature calls it
    """A build stops."""


def facts(item: Item) -> ItemFacts:
    read = READER.read(item)
    assert read is not None
    return read


class Outcome(dict[str, Any]):
    """A whole outcome, where it is more than a value."""


class Life:
    """One history."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.version = 0
        self.baseline: Any = None
        self.reference: Any = None
        self.tokens: Any = None
        self.projected = 0


class Miniature:
    """A small, correct implementation; each wrong one overrides one small method."""

    def __init__(self, mode: Mode) -> None:
        self.debug = mode is Mode.DEBUG
        self.lives: dict[int, Life] = {}
        self.handed_out: dict[str, Callable[[], Any]] = {}

    def run(self, ops: list[Item]) -> list[Item]:
        outcomes: list[Item] = []
        for op in ops:
            life = self.lives.setdefault(op.get("on", 0), Life())
            try:
                outcome = getattr(self, op["op"])(life, op)
            except Panic as panic:
                return [*outcomes, {"panic": str(panic)}]
            outcomes.append(outcome if isinstance(outcome, Outcome) else {"ok": outcome})
        return outcomes

    # recording

    def record_items(self, life: Life, op: Item) -> None:
        self.record(life, [{"item": one, "metadata": None} for one in op["items"]], op["policy"])

    def record_annotated_items(self, life: Life, op: Item) -> None:
        self.record(life, op["envelopes"], op["policy"])

    def record(self, life: Life, envelopes: list[Item], policy: Item) -> None:
        read = [{**one, "item": facts(one["item"]).form} for one in envelopes]
        kept = [self.cut(one, policy) for one in read if self.recordable(one["item"])]
        life.items = life.items + self.arranged(kept)

    def arranged(self, kept: list[Item]) -> list[Item]:
        return kept

    def recordable(self, item: Item) -> bool:
        return item["type"] not in ("compaction_trigger", "other") and item.get("role") != "system"

    def cut(self, one: Item, policy: Item) -> Item:
        item = one["item"]
        if item["type"] not in ("function_call_output", "custom_tool_call_output"):
            return one
        body = self.body(item["output"], self.allowance(policy))
        return {**one, "item": {**item, "output": body}}

    def allowance(self, policy: Item) -> Allowance:
        return Allowance(policy["mode"], -(-6 * policy["limit"] // 5))

    def body(self, body: Any, allowance: Allowance) -> Any:
        return cut_body(body, allowance).body

    # looking

    def raw_items(self, life: Life, op: Item) -> Any:
        return [one["item"] for one in life.items]

    def raw_envelopes(self, life: Life, op: Item) -> Any:
        return [dict(one) for one in life.items]

    def history_version(self, life: Life, op: Item) -> Any:
        return life.version

    def world_state_baseline(self, life: Life, op: Item) -> Any:
        return life.baseline

    def reference_context_item(self, life: Life, op: Item) -> Any:
        return life.reference

    def token_info(self, life: Life, op: Item) -> Any:
        return life.tokens

    # setting

    def set_world_state_baseline(self, life: Life, op: Item) -> None:
        life.baseline = op["state"]

    def set_reference_context_item(self, life: Life, op: Item) -> None:
        life.reference = op["value"]

    def set_token_info(self, life: Life, op: Item) -> None:
        life.tokens = op["value"]

    def update_world_state(self, life: Life, op: Item) -> Any:
        said = self.said(life.baseline, op["state"])
        life.baseline = op["state"]
        return said

    def said(self, baseline: Any, state: Item) -> Any:
        return report(baseline, state)

    # changing

    def replace(self, life: Life, op: Item) -> None:
        life.items = [{"item": facts(one).form, "metadata": None} for one in op["items"]]
        self.rewrite(life)

    def rewrite(self, life: Life) -> None:
        life.version += 1
        life.baseline = None

    def remove_first_item(self, life: Life, op: Item) -> None:
        if life.items:
            gone = {0, *self.partners([facts(one["item"]) for one in life.items])}
            life.items = [one for place, one in enumerate(life.items) if place not in gone]
            life.baseline = None

    def partners(self, items: list[ItemFacts]) -> list[int]:
        return counterparts(items)[:1]

    def drop_last_n_user_turns(self, life: Life, op: Item) -> None:
        if op["num_turns"]:
            self.drop(life, op["num_turns"])
            self.rewrite(life)

    def drop(self, life: Life, number: int) -> None:
        items = [facts(one["item"]) for one in life.items]
        starts = [place for place, one in enumerate(items) if self.begins(one)]
        if not starts:
            return
        if number >= len(starts):
            self.drop_first(life, items, starts[0])
            return
        end = cut = starts[-number]
        while self.walks(items, end, starts[0]):
            end -= 1
        if any(map(self.clears, items[end:cut])):
            life.reference = None
        life.items = life.items[:end]

    def begins(self, item: ItemFacts) -> bool:
        return is_boundary(item)

    def walks(self, items: list[ItemFacts], end: int, first: int) -> bool:
        return end - 1 > first and is_context(items[end - 1])

    def clears(self, item: ItemFacts) -> bool:
        return is_mixed(item)

    def drop_first(self, life: Life, items: list[ItemFacts], first: int) -> None:
        turn = turn_id(items[first])
        kept = []
        for one, item in zip(life.items[:first], items, strict=False):
            if is_cleaned(item, turn):
                left = without_switch(item)
                one = {**one, "item": {**one["item"], "content": left}}  # noqa: PLW2901
                if not left:
                    continue
            kept.append(one)
        life.items = kept

    # projecting

    def for_prompt(self, life: Life, op: Item) -> Any:
        script = [
            {"op": "replace", "items": [one["item"] for one in life.items]},
            {"op": "for_prompt", "input_modalities": op["input_modalities"]},
        ]
        mode = Mode.DEBUG if self.debug else Mode.RELEASE
        outcome = Outcome(run_script_in_both_modes(script)[mode][-1])
        if "panic" in outcome:
            raise Panic(outcome["panic"])
        life.projected += 1
        if "ok" in outcome:
            outcome["ok"] = self.prompted(life, outcome["ok"])
        return outcome

    def prompted(self, life: Life, prompt: list[Item]) -> list[Item]:
        return prompt

    def for_prompt_annotated(self, life: Life, op: Item) -> Any:
        return Outcome(unsupported="annotated prompts are for others to break")

    # consumers

    def clone(self, life: Life, op: Item) -> None:
        self.lives[op["to"]] = self.copied(life)

    def copied(self, life: Life) -> Life:
        return deepcopy(life)

    def hold(self, life: Life, op: Item) -> None:
        self.handed_out[op["name"]] = self.handed(life, op)

    def handed(self, life: Life, op: Item) -> Callable[[], Any]:
        shown = getattr(self, op["what"])(life, op)
        shown = shown["ok"] if isinstance(shown, Outcome) else shown
        return lambda: shown

    def held(self, life: Life, op: Item) -> Any:
        return self.handed_out[op["name"]]()

    def read_transcript(self, life: Life, op: Item) -> Any:
        cursor, items = op["cursor"], [one["item"] for one in life.items]
        current = {"history_version": life.version, "entry_count": len(items)}
        if cursor is not None and self.fits(life, cursor):
            return {"kind": "delta", "entries": self.later(items, cursor), "cursor": current}
        return {"kind": "full", "entries": items, "cursor": current}

    def fits(self, life: Life, cursor: Item) -> bool:
        return bool(cursor["history_version"] == life.version) and cursor["entry_count"] <= len(
            life.items
        )

    def later(self, items: list[Item], cursor: Item) -> list[Item]:
        return items[cursor["entry_count"] :]


Wrong = type[Miniature]
FAULTS: dict[str, tuple[str, Wrong]] = {}


def fault(clause: str) -> Callable[[Wrong], Wrong]:
    """Keep a wrong implementation under its clause and its name."""

    def keep(wrong: Wrong) -> Wrong:
        FAULTS[f"{clause} {wrong.__name__}"] = clause, wrong
        return wrong

    return keep


# recording


@fault("REC-1")
class NewestFirst(Miniature):
    def arranged(self, kept: list[Item]) -> list[Item]:
        return kept[::-1]


@fault("REC-2")
class SystemMessagesKept(Miniature):
    def recordable(self, item: Item) -> bool:
        return item["type"] not in ("compaction_trigger", "other")


@fault("REC-2")
class AnyCaseOfSystemDropped(Miniature):
    def recordable(self, item: Item) -> bool:
        return super().recordable(item) and item.get("role", "").lower() != "system"


@fault("REC-3")
class MessagesCut(Miniature):
    def cut(self, one: Item, policy: Item) -> Item:
        item = one["item"]
        if item["type"] == "message" and policy["limit"] == 0:
            return {**one, "item": {**item, "content": self.body(item["content"], ZERO)}}
        return super().cut(one, policy)


ZERO = Allowance("bytes", 0)


@fault("REC-4")
class OrphansNotRecorded(Miniature):
    def arranged(self, kept: list[Item]) -> list[Item]:
        called = {one["item"].get("call_id") for one in kept if "call" in one["item"]["type"][-4:]}
        return [
            one
            for one in kept
            if not one["item"]["type"].endswith("custom_tool_call_output")
            or one["item"]["call_id"] in called
            or len(kept) < 4
        ]


@fault("REC-5")
class RecordingIsNews(Miniature):
    def record(self, life: Life, envelopes: list[Item], policy: Item) -> None:
        super().record(life, envelopes, policy)
        life.tokens = None


@fault("REC-6")
class BudgetSharedByBatch(Miniature):
    def record(self, life: Life, envelopes: list[Item], policy: Item) -> None:
        share = max(1, sum("output" in one["item"] for one in envelopes))
        super().record(life, envelopes, {**policy, "limit": policy["limit"] // share})


@fault("REC-7")
class MetadataLost(Miniature):
    def cut(self, one: Item, policy: Item) -> Item:
        return {**super().cut(one, policy), "metadata": None}


@fault("REC-7")
class CutOutputsAnonymous(Miniature):
    def cut(self, one: Item, policy: Item) -> Item:
        cut = super().cut(one, policy)
        if cut["item"] == one["item"]:
            return cut
        return {**cut, "item": {key: cut["item"][key] for key in cut["item"] if key != "id"}}


# truncation


@fault("TRUNC-1")
class NotEnlarged(Miniature):
    def allowance(self, policy: Item) -> Allowance:
        return Allowance(policy["mode"], policy["limit"])


class OwnTexts(Miniature):
    """Cuts every text its own way; arrays as they should be."""

    def body(self, body: Any, allowance: Allowance) -> Any:
        right = super().body(body, allowance)
        if isinstance(body, str) and body != right:
            return self.text(body, right, allowance)
        return self.whole(body, right, allowance)

    def text(self, body: str, right: str, allowance: Allowance) -> str:
        return right

    def whole(self, body: Any, right: Any, allowance: Allowance) -> Any:
        return right


@fault("TRUNC-2")
class EmptyTextMarked(OwnTexts):
    def whole(self, body: Any, right: Any, allowance: Allowance) -> Any:
        return "…0 chars truncated…" if body == "" and not allowance.limit else right


@fault("TRUNC-3")
class CharactersSplit(OwnTexts):
    def text(self, body: str, right: str, allowance: Allowance) -> str:
        left = allowance.bytes // 2
        kept = body.encode()[:left].decode(errors="replace")
        return kept + right[right.index("…") :] if allowance.bytes else right


@fault("TRUNC-4")
class NothingLeft(OwnTexts):
    def text(self, body: str, right: str, allowance: Allowance) -> str:
        return right if allowance.bytes else ""


@fault("TRUNC-5")
class BytesCounted(OwnTexts):
    def text(self, body: str, right: str, allowance: Allowance) -> str:
        if allowance.unit != "bytes":
            return right
        gone = len(body.encode()) - allowance.bytes
        return f"{right.partition('…')[0]}…{gone} chars truncated…{right.rpartition('…')[2]}"


@fault("TRUNC-6")
class RemovedTokensCounted(OwnTexts):
    def text(self, body: str, right: str, allowance: Allowance) -> str:
        if allowance.unit == "bytes":
            return right
        gone = (len(body.encode()) - allowance.bytes) // 4
        return f"{right.partition('…')[0]}…{gone} tokens truncated…{right.rpartition('…')[2]}"


@fault("TRUNC-7")
class BudgetOfEachText(OwnTexts):
    def whole(self, body: Any, right: Any, allowance: Allowance) -> Any:
        if isinstance(body, str):
            return body
        alone: list[Any] = [cut_body([one], allowance).body for one in body]
        return [one for each in alone for one in each]


@fault("TRUNC-8")
class ImagesDropped(OwnTexts):
    def whole(self, body: Any, right: Any, allowance: Allowance) -> Any:
        if isinstance(right, str):
            return right
        return [one for one in right if one["type"] != "input_image"]


@fault("TRUNC-9")
class AudioIsFree(OwnTexts):
    def whole(self, body: Any, right: Any, allowance: Allowance) -> Any:
        if isinstance(right, str) or allowance.limit < 2:
            return right
        silent = [one for one in body if one["type"] != "input_audio"]
        cut = cut_body(silent, allowance).body
        assert isinstance(cut, list)
        return [*(one for one in body if one["type"] == "input_audio"), *cut]


@fault("TRUNC-10")
class Plurals(OwnTexts):
    def whole(self, body: Any, right: Any, allowance: Allowance) -> Any:
        if isinstance(right, str):
            return right
        return [
            {**one, "text": one["text"].replace("1 audio items", "1 audio item")}
            if "text" in one
            else one
            for one in right
        ]


@fault("TRUNC-11")
class FittingArraysJoined(OwnTexts):
    def whole(self, body: Any, right: Any, allowance: Allowance) -> Any:
        if isinstance(body, str) or body != right or len(body) < 2:
            return right
        return [{"type": "input_text", "text": "".join(one.get("text", "") for one in body)}]


# head removal


@fault("HEAD-1")
class NewestGoes(Miniature):
    def remove_first_item(self, life: Life, op: Item) -> None:
        life.items = life.items[:-1]
        life.baseline = None


@fault("HEAD-2")
class EveryMatchGoes(Miniature):
    def partners(self, items: list[ItemFacts]) -> list[int]:
        return counterparts(items)


@fault("HEAD-2")
class LastMatchGoes(Miniature):
    def partners(self, items: list[ItemFacts]) -> list[int]:
        return counterparts(items)[-1:]


class Alone(Miniature):
    types: tuple[str, ...] = ()

    def partners(self, items: list[ItemFacts]) -> list[int]:
        return [] if items[0].type in self.types else super().partners(items)


@fault("HEAD-3")
class ShellsGoAlone(Alone):
    types = ("local_shell_call",)


@fault("HEAD-4")
class FirstCallOfAnyKind(Miniature):
    def partners(self, items: list[ItemFacts]) -> list[int]:
        if items[0].answers != "function_call_output":
            return super().partners(items)
        calls = [place for place, one in enumerate(items) if one.output_type == items[0].answers]
        return [place for place in calls if items[place].call_id == items[0].call_id][:1]


@fault("HEAD-5")
class CustomGoesAlone(Alone):
    types = ("custom_tool_call",)


@fault("HEAD-6")
class SearchGoesAlone(Alone):
    types = ("tool_search_call",)


@fault("HEAD-7")
class NullsMatch(Miniature):
    def partners(self, items: list[ItemFacts]) -> list[int]:
        if items[0].type == "tool_search_call" and items[0].call_id is None:
            return [1]
        return super().partners(items)


@fault("HEAD-8")
class RemovalReverses(Miniature):
    def remove_first_item(self, life: Life, op: Item) -> None:
        super().remove_first_item(life, op)
        life.items = life.items[::-1]


@fault("HEAD-9")
class OutputsGoAlone(Alone):
    types = ("function_call", "custom_tool_call")


# rollback


@fault("ROLL-1")
class NoTurnsIsARewrite(Miniature):
    def drop_last_n_user_turns(self, life: Life, op: Item) -> None:
        if op["num_turns"]:
            super().drop_last_n_user_turns(life, op)
        else:
            self.rewrite(life)


@fault("ROLL-2")
class OnlyUsersBegin(Miniature):
    def begins(self, item: ItemFacts) -> bool:
        return is_boundary(item) and item.type == "message" and item.form["role"] == "user"


@fault("ROLL-3")
class EverythingGoes(Miniature):
    def drop(self, life: Life, number: int) -> None:
        if any(is_boundary(facts(one["item"])) for one in life.items):
            super().drop(life, number)
        else:
            life.items = []


@fault("ROLL-4")
class OneTooFew(Miniature):
    def drop(self, life: Life, number: int) -> None:
        super().drop(life, max(1, number - 1))


@fault("ROLL-5")
class NothingWalkedOver(Miniature):
    def walks(self, items: list[ItemFacts], end: int, first: int) -> bool:
        return False


@fault("ROLL-5")
class AnyDeveloperWalkedOver(Miniature):
    def walks(self, items: list[ItemFacts], end: int, first: int) -> bool:
        return end - 1 > first and is_contextual_developer(items[end - 1])


@fault("ROLL-6")
class PureBundlesClear(Miniature):
    def clears(self, item: ItemFacts) -> bool:
        return is_contextual_developer(item)


@fault("ROLL-6")
class MixedBundlesKeep(Miniature):
    def clears(self, item: ItemFacts) -> bool:
        return False


@fault("ROLL-7")
class PrefixWalkedOver(Miniature):
    def drop_first(self, life: Life, items: list[ItemFacts], first: int) -> None:
        while first and is_context(items[first - 1]):
            first -= 1
        super().drop_first(life, items, first)


@fault("ROLL-8")
class KeptEnvelopesStripped(Miniature):
    def drop(self, life: Life, number: int) -> None:
        super().drop(life, number)
        life.items = [{**one, "metadata": None} for one in life.items]


@fault("ROLL-8")
class LoneCallsDropped(Miniature):
    def drop(self, life: Life, number: int) -> None:
        super().drop(life, number)
        life.items = [one for one in life.items if one["item"]["type"] != "function_call"]


@fault("ROLL-9")
class SwitchesStay(Miniature):
    def drop_first(self, life: Life, items: list[ItemFacts], first: int) -> None:
        life.items = life.items[:first]


@fault("ROLL-9")
class EmptyMessagesStay(Miniature):
    def drop_first(self, life: Life, items: list[ItemFacts], first: int) -> None:
        before = life.items[:first]
        super().drop_first(life, items, first)
        life.items += [one for one in before if one["item"].get("content") == []]


@fault("ROLL-10")
class TwoAtMost(Miniature):
    def drop(self, life: Life, number: int) -> None:
        super().drop(life, min(number, 2) if number < 5 else number)


# replacing, versions, reference context


@fault("REPL-1")
class ReplacementFiltered(Miniature):
    def replace(self, life: Life, op: Item) -> None:
        super().replace(life, op)
        life.items = [one for one in life.items if self.recordable(one["item"])]


@fault("REPL-2")
class ReplacementForgetsTokens(Miniature):
    def replace(self, life: Life, op: Item) -> None:
        super().replace(life, op)
        life.tokens = None


@fault("VER-1")
class VersionsFromOne(Miniature):
    def history_version(self, life: Life, op: Item) -> Any:
        return life.version + 1


@fault("VER-2")
class RollbackKeepsTheVersion(Miniature):
    def drop_last_n_user_turns(self, life: Life, op: Item) -> None:
        version = life.version
        super().drop_last_n_user_turns(life, op)
        life.version = version


@fault("VER-3")
class RemovalRaisesTheVersion(Miniature):
    def remove_first_item(self, life: Life, op: Item) -> None:
        super().remove_first_item(life, op)
        life.version += 1


@fault("VER-4")
class VersionStartsAgain(Miniature):
    def drop_last_n_user_turns(self, life: Life, op: Item) -> None:
        super().drop_last_n_user_turns(life, op)
        life.version = 0


@fault("REF-1")
class RemovalClearsTheReference(Miniature):
    def remove_first_item(self, life: Life, op: Item) -> None:
        super().remove_first_item(life, op)
        life.reference = None


# world


@fault("WORLD-1")
class EmptyStateUnsaid(Miniature):
    def said(self, baseline: Any, state: Item) -> Any:
        return super().said(baseline, state) if state else None


@fault("WORLD-2")
class ShallowPatch(Miniature):
    def said(self, baseline: Any, state: Item) -> Any:
        said = super().said(baseline, state)
        if said and "patch" in said:
            said["patch"] = {key: state.get(key) for key in said["patch"]}
        return said


@fault("WORLD-3")
class UpdateForgotten(Miniature):
    def update_world_state(self, life: Life, op: Item) -> Any:
        before = life.baseline
        said = super().update_world_state(life, op)
        life.baseline = op["state"] if before is None else before
        return said


@fault("WORLD-4")
class RemovedKeysUnsaid(Miniature):
    def said(self, baseline: Any, state: Item) -> Any:
        said = super().said(baseline, state)
        if said and isinstance(inner := said.get("patch", {}).get("a"), dict):
            said["patch"]["a"] = {key: one for key, one in inner.items() if one is not None}
        return said


@fault("WORLD-5")
class BaselineOutlivesRewrites(Miniature):
    def rewrite(self, life: Life) -> None:
        life.version += 1


@fault("WORLD-6")
class ProjectionClearsTheBaseline(Miniature):
    def for_prompt(self, life: Life, op: Item) -> Any:
        life.baseline = None
        return super().for_prompt(life, op)


@fault("WORLD-7")
class NumbersCompareLoosely(Miniature):
    def said(self, baseline: Any, state: Item) -> Any:
        if baseline is not None and baseline == state and not identical(baseline, state):
            return None
        said = super().said(baseline, state)
        if said and isinstance(baseline, dict) and "patch" in said:
            same = {key for key in said["patch"] if baseline.get(key, ()) == state.get(key)}
            said["patch"] = {key: one for key, one in said["patch"].items() if key not in same}
        return said


# consumers


@fault("CUR-1")
class CountUnchecked(Miniature):
    def fits(self, life: Life, cursor: Item) -> bool:
        return bool(cursor["history_version"] == life.version)


@fault("CUR-2")
class CursorOfNothing(Miniature):
    def read_transcript(self, life: Life, op: Item) -> Any:
        read = super().read_transcript(life, op)
        return {**read, "cursor": {**read["cursor"], "entry_count": 0}}


@fault("CUR-3")
class VersionUnchecked(Miniature):
    def fits(self, life: Life, cursor: Item) -> bool:
        return bool(cursor["entry_count"] <= len(life.items))


@fault("CUR-4")
class LastEntrySeenTwice(Miniature):
    def later(self, items: list[Item], cursor: Item) -> list[Item]:
        return items[max(cursor["entry_count"] - 1, 0) :]


@fault("SNAP-1")
class ClonesShareAll(Miniature):
    def copied(self, life: Life) -> Life:
        return life


@fault("SNAP-2")
class HandedOutAlive(Miniature):
    def handed(self, life: Life, op: Item) -> Callable[[], Any]:
        return lambda: self.raw_items(life, op)


@fault("SNAP-3")
class ClonesStartAtZero(Miniature):
    def copied(self, life: Life) -> Life:
        copied = super().copied(life)
        copied.version = 5
        return copied


@fault("SNAP-3")
class ClonesLoseTheBaseline(Miniature):
    def remove_first_item(self, life: Life, op: Item) -> None:
        if op.get("on") == 1:
            life.items = life.items[1:]
        else:
            super().remove_first_item(life, op)


# projection and modes


@fault("PROJ-1")
class RepairsWrittenBack(Miniature):
    def prompted(self, life: Life, prompt: list[Item]) -> list[Item]:
        if len(prompt) > len(life.items):
            life.items = [{"item": one, "metadata": None} for one in prompt]
        return prompt


@fault("PROJ-3")
class VersionInThePrompt(Miniature):
    def prompted(self, life: Life, prompt: list[Item]) -> list[Item]:
        return prompt[: -life.version or None]


@fault("PROJ-7")
class FirstPromptRemembered(Miniature):
    def prompted(self, life: Life, prompt: list[Item]) -> list[Item]:
        if life.projected > 1 and life.version == 0 and life.tokens is None:
            return [one for one in prompt if one.get("output") != "ok"]
        return prompt


@fault("MODE-9")
class BrokenHistoriesPanic(Miniature):
    def remove_first_item(self, life: Life, op: Item) -> None:
        if any(one["item"].get("call_id") == "z" for one in life.items):
            raise Panic("there is an orphan")
        super().remove_first_item(life, op)


SEEING = Capabilities(diagnostics=True, exact_numbers=True, success_flag=True)


def lived() -> list[list[Item]]:
    """The examples about lives of histories."""
    return [
        example["ops"]
        for example in examples()
        if OWED & set(example["clauses"]) and edition_of(example) is DEFAULT_EDITION
    ]


def blamed(wrong: Wrong) -> tuple[set[str], list[Any]]:
    """The clauses reported for a wrong implementation, and what no check explained."""
    judging = Judge(DEFAULT_EDITION, Claim.full(), dict.fromkeys(Mode, SEEING))
    clauses, unexplained = set[str](), []
    for script in lived():
        judgement = judging.judge(script, {mode: wrong(mode).run(script) for mode in Mode})
        clauses |= {violation.clause for violation in judgement.violations}
        unexplained += [(script, one) for one in judgement.unattributed]
    return clauses, unexplained


def test_the_miniature_lives_rightly() -> None:
    """The implementation that the wrong ones vary agrees with the model and every check."""
    assert blamed(Miniature) == (set(), [])


def test_every_check_of_lives_has_a_fault() -> None:
    """No clause about lives has a check without a wrong implementation that shows it at work."""
    assert {clause for clause, _ in FAULTS.values()} == OWED
    assert LIFE_CHECKS
    assert CHANGE_CHECKS


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_life_is_blamed_on_its_clause(name: str) -> None:
    """The examples alone make a fault's own clause red, and leave nothing unexplained."""
    clause, wrong = FAULTS[name]
    clauses, unexplained = blamed(wrong)
    assert clause in clauses
    assert unexplained == []


@pytest.mark.parametrize("wrong", [False, True])
def test_panic_leaves_the_history_alone(wrong: bool) -> None:  # noqa: FBT001
    """A build that goes on after a panic shows the same history and panics the same (MODE-8)."""
    orphan = {"type": "function_call_output", "call_id": "z", "output": "ok"}
    policy = {"mode": "tokens", "limit": 100}
    project = {"op": "for_prompt", "input_modalities": []}
    script: list[Item] = [
        {"op": "record_items", "items": [orphan], "policy": policy},
        project,
        {"op": "raw_items"},
        project,
    ]
    outcomes = run_script_in_both_modes(script, continue_after_panic=True)[Mode.DEBUG]
    if wrong:
        outcomes[2] = {"ok": []}
    judging = Judge(DEFAULT_EDITION, Claim.full(), dict.fromkeys(Mode, SEEING))
    judgement = judging.judge(script, {Mode.DEBUG: outcomes}, continue_after_panic=True)
    assert [one.clause for one in judgement.violations] == ["MODE-8"] * wrong
    assert judgement.unattributed == ()
    assert wrong or judgement.exercised["MODE-8", Mode.DEBUG] >= 1
