"""Wrong implementations of edition 2026-11, each with the change of SPEC 7 that it breaks."""

# The names of the wrong implementations and of their methods say what they do.
# ruff: noqa: D101, D102, D103, D107, ANN401, ARG002

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from attrs import evolve

from contextcert.properties import Judge, edition_of, examples, is_settled
from contextcert.properties.item_facts import ID_PREFIX
from contextcert.properties.truncating import BYTES, Allowance, Policy, cut_body
from contextcert.properties.wire_form import UnreadableError, wire_form
from contextcert.refmodel import Claim, Edition, Mode, run_script, seeded_fresh_ids
from contextcert.strategies import Scope, alphabet, histories, modality_sets, projection_script
from contextcert.subject import Capabilities

Item = dict[str, Any]
NOVEMBER = Edition.NOVEMBER_2026
SCOPE = Scope.full(NOVEMBER)
SEEING = Capabilities(
    diagnostics=True,
    exact_numbers=True,
    success_flag=True,
    restore_items=True,
    continue_after_panic=True,
)
CUT = ("function_call_output", "custom_tool_call_output")


class Panic(Exception):  # noqa: N818 - it is what the miniature calls it
    """A debug build stops."""


class Miniature:
    """A small, correct implementation; each wrong one overrides one small method.

    Like a real one it gives other ids in the other build, and whenever it runs again. What the
    edition leaves as it was is the model's.
    """

    runs = 0

    def __init__(self, mode: Mode) -> None:
        self.mode = mode
        self.histories: dict[int, list[Item]] = {}
        Miniature.runs += 1
        self.ids = seeded_fresh_ids(Miniature.runs)

    def run(self, ops: list[Item]) -> list[Item]:
        outcomes: list[Item] = []
        for op in ops:
            try:
                outcomes.append(getattr(self, op["op"])(op))
            except UnreadableError as error:
                outcomes.append({"error": {"message": str(error)}})
            if "panic" in outcomes[-1]:
                break
        return outcomes

    def on(self, op: Item) -> list[Item]:
        return self.histories.setdefault(op.get("on", 0), [])

    def becomes(self, op: Item, items: list[Item]) -> Item:
        self.histories[op.get("on", 0)] = items
        return {"ok": None}

    def asked_of_the_model(self, op: Item, items: list[Item]) -> Item:
        """Do to a history of these items what an operation does, and show it or the outcome."""
        ops = [{"op": "replace", "items": items}, {**op, "on": 0}, {"op": "raw_items"}]
        return run_script(ops, mode=self.mode, edition=NOVEMBER)[1 if "for" in op["op"] else -1]

    # items

    def read(self, item: Any) -> Item:
        return wire_form(item, NOVEMBER)

    # recording

    def record_items(self, op: Item) -> Item:
        read = [self.read(item) for item in op["items"]]
        policy = Policy(op["policy"]["mode"], op["policy"]["limit"])
        kept = [item for item in read if self.recordable(item)]
        return self.becomes(op, [*self.on(op), *(self.recorded(item, policy) for item in kept)])

    def recordable(self, item: Item) -> bool:
        return item["type"] not in ("compaction_trigger", "other") and item.get("role") != "system"

    def recorded(self, item: Item, policy: Policy) -> Item:
        item = self.kept(self.processed(item))
        if item["type"] in CUT:
            item = {**item, "output": self.cut(item["output"], policy)}
        return self.named(item)

    def processed(self, item: Item) -> Item:
        """Process the media of an item; what is generated can be kept."""
        name = "output" if item["type"] in CUT else "content"
        entries = item.get(name)
        if item["type"] not in (*CUT, "message") or not isinstance(entries, list):
            return item
        return {**item, name: [self.medium(entry) for entry in entries]}

    def medium(self, entry: Item) -> Item:
        return entry

    def kept(self, item: Item) -> Item:
        if item["type"] in CUT and isinstance(item["output"], list):
            return {**item, "output": [one for one in item["output"] if not self.empty(one)]}
        return item

    def empty(self, entry: Item) -> bool:
        return entry.get("text") == ""

    def cut(self, body: Any, policy: Policy) -> Any:
        return cut_body(body, policy.allowance(NOVEMBER)).body

    def named(self, item: Item) -> Item:
        if item.get("id"):
            return item
        return {"type": item["type"], **item, "id": self.fresh(ID_PREFIX[item["type"]])}

    def fresh(self, prefix: str) -> str:
        return self.ids(prefix)

    def restore_items(self, op: Item) -> Item:
        return self.becomes(op, [*self.on(op), *map(self.restored, map(self.read, op["items"]))])

    def restored(self, item: Item) -> Item:
        return item

    # changing and looking

    def replace(self, op: Item) -> Item:
        return self.becomes(op, [self.read(item) for item in op["items"]])

    def clone(self, op: Item) -> Item:
        self.histories[op["to"]] = self.cloned(self.on(op))
        return {"ok": None}

    def cloned(self, items: list[Item]) -> list[Item]:
        return items

    def raw_items(self, op: Item) -> Item:
        return {"ok": self.on(op)}

    def remove_first_item(self, op: Item) -> Item:
        return self.becomes(op, self.asked_of_the_model(op, self.on(op))["ok"])

    drop_last_n_user_turns = remove_first_item

    # projecting

    def for_prompt(self, op: Item) -> Item:
        items = self.paired(self.on(op))
        outcome = self.asked_of_the_model(op, items)
        return {**outcome, "ok": self.shown(outcome["ok"], items)} if "ok" in outcome else outcome

    def paired(self, items: list[Item]) -> list[Item]:
        return items

    def shown(self, prompt: list[Item], items: list[Item]) -> list[Item]:
        return prompt


Wrong = type[Miniature]
FAULTS: dict[str, tuple[str, Wrong]] = {}


def fault(clause: str) -> Callable[[Wrong], Wrong]:
    """Keep a wrong implementation under its clause and its name."""

    def keep(wrong: Wrong) -> Wrong:
        FAULTS[f"{clause} {wrong.__name__}"] = clause, wrong
        return wrong

    return keep


def without(item: Item, *names: str) -> Item:
    return {name: value for name, value in item.items() if name not in names}


def is_loose(item: Item) -> bool:
    return item["type"] == "function_call_output" and "call_id" not in item


# E11-1


@fault("E11-1")
class CallIdDemanded(Miniature):
    def read(self, item: Any) -> Item:
        if is_loose(super().read(item)):
            raise UnreadableError("call_id is missing")
        return super().read(item)


@fault("E11-1")
class NamesForgotten(Miniature):
    def read(self, item: Any) -> Item:
        read = super().read(item)
        return without(read, "name", "namespace") if "output" in read else read


@fault("E11-1")
class LooseOutputsAreOrphans(Miniature):
    def paired(self, items: list[Item]) -> list[Item]:
        return [{**one, "call_id": "none"} if is_loose(one) else one for one in items]


@fault("E11-1")
class LooseOutputsDropped(Miniature):
    def paired(self, items: list[Item]) -> list[Item]:
        return [one for one in items if not is_loose(one)]


@fault("E11-1")
class LooseOutputsNotRecorded(Miniature):
    def recordable(self, item: Item) -> bool:
        return super().recordable(item) and not is_loose(item)


@fault("E11-1")
class LooseOutputsAnswerTheEmptyId(Miniature):
    def paired(self, items: list[Item]) -> list[Item]:
        return [{**one, "call_id": ""} if is_loose(one) else one for one in items]

    def shown(self, prompt: list[Item], items: list[Item]) -> list[Item]:
        loose = [one for one in prompt if one.get("output") == "done" and one.get("call_id") == ""]
        return [without(one, "call_id") if one in loose else one for one in prompt]


# E11-2


@fault("E11-2")
class NoIdsGiven(Miniature):
    def named(self, item: Item) -> Item:
        return item


@fault("E11-2")
class EmptyIdsLeft(Miniature):
    def named(self, item: Item) -> Item:
        return item if item.get("id") == "" else super().named(item)


@fault("E11-2")
class RandomVersion(Miniature):
    def fresh(self, prefix: str) -> str:
        return f"{prefix}_{uuid4()}"


@fault("E11-2")
class OtherVariant(Miniature):
    def fresh(self, prefix: str) -> str:
        given = UUID(super().fresh(prefix).partition("_")[2])
        return f"{prefix}_{UUID(int=given.int & ~(1 << 63))}"


@fault("E11-2")
class CapitalLetters(Miniature):
    def fresh(self, prefix: str) -> str:
        return f"{prefix}_{super().fresh('').upper()[1:]}"


@fault("E11-2")
class NoHyphens(Miniature):
    def fresh(self, prefix: str) -> str:
        return super().fresh(prefix).replace("-", "")


@fault("E11-2")
class OnePrefixForAll(Miniature):
    def fresh(self, prefix: str) -> str:
        return super().fresh("item" if prefix == "tsc" else prefix)


@fault("E11-2")
class NoPrefix(Miniature):
    def fresh(self, prefix: str) -> str:
        return super().fresh(prefix).partition("_")[2]


@fault("E11-2")
class OneIdForAll(Miniature):
    def fresh(self, prefix: str) -> str:
        return seeded_fresh_ids(0)(prefix)


@fault("E11-2")
class IdsGivenAnew(Miniature):
    def named(self, item: Item) -> Item:
        return super().named(without(item, "id"))


@fault("E11-2")
class IdsGivenWhenAsked(Miniature):
    def named(self, item: Item) -> Item:
        return item

    def paired(self, items: list[Item]) -> list[Item]:
        return [super(IdsGivenWhenAsked, self).named(one) for one in items]

    def raw_items(self, op: Item) -> Item:
        return {"ok": self.paired(self.on(op))}


@fault("E11-2")
class IdsGivenAgainToClones(Miniature):
    def cloned(self, items: list[Item]) -> list[Item]:
        return [self.named(without(one, "id")) for one in items]


@fault("E11-2")
class IdsGivenAgainAfterRemoval(Miniature):
    def remove_first_item(self, op: Item) -> Item:
        super().remove_first_item(op)
        return self.becomes(op, [self.named(without(one, "id")) for one in self.on(op)])


@fault("E11-2")
class IdsGivenToTheRestored(Miniature):
    def restored(self, item: Item) -> Item:
        return self.named(item)


@fault("SYN-1")
class GivenIdsNotUsed(Miniature):
    def paired(self, items: list[Item]) -> list[Item]:
        return [without(one, "id") if len(one.get("id", "")) > 30 else one for one in items]

    def shown(self, prompt: list[Item], items: list[Item]) -> list[Item]:
        ids = {one.get("call_id"): one["id"] for one in items if one.get("id")}
        return [
            {"id": self.fresh("x"), **one} if "arguments" in one and ids else one for one in prompt
        ]


# E11-3


@fault("E11-3")
class EmptyTextsKept(Miniature):
    def empty(self, entry: Item) -> bool:
        return False


@fault("E11-3")
class WhiteSpaceDropped(Miniature):
    def empty(self, entry: Item) -> bool:
        return not entry.get("text", "s").strip()


@fault("E11-3")
class EmptyTextsOfMessagesDropped(Miniature):
    def kept(self, item: Item) -> Item:
        if item["type"] == "message":
            return {**item, "content": [one for one in item["content"] if not self.empty(one)]}
        return super().kept(item)


@fault("E11-3")
class EmptyTextsDroppedFromFunctionsAlone(Miniature):
    def kept(self, item: Item) -> Item:
        return item if item["type"].startswith("custom") else super().kept(item)


# E11-4


class OwnBytes(Miniature):
    """Has its own idea of a policy in bytes."""

    def cut(self, body: Any, policy: Policy) -> Any:
        if policy.unit != BYTES:
            return super().cut(body, policy)
        return cut_body(body, self.allowance(policy)).body

    def allowance(self, policy: Policy) -> Allowance:
        return policy.allowance(Edition.AUGUST_2026)


@fault("E11-4")
class BytesStayBytes(OwnBytes):
    """Cuts as the older edition does."""


@fault("E11-4")
class TokensRoundedDown(OwnBytes):
    def allowance(self, policy: Policy) -> Allowance:
        return Allowance("tokens", -(-6 * policy.limit // 5) // 4)


@fault("E11-4")
class BytesTakenForTokens(OwnBytes):
    def allowance(self, policy: Policy) -> Allowance:
        return Allowance("tokens", -(-6 * policy.limit // 5))


@fault("E11-4")
class CharactersMarked(Miniature):
    def cut(self, body: Any, policy: Policy) -> Any:
        cut = super().cut(body, policy)
        if policy.unit != BYTES or not isinstance(cut, str):
            return cut
        return cut.replace("tokens truncated", "chars truncated")


# E11-5


@fault("E11-5")
class NoImageProcessed(Miniature):
    def medium(self, entry: Item) -> Item:
        return UNPROCESSED["image"] if entry["type"] == "input_image" else entry


@fault("E11-5")
class NoAudioProcessed(Miniature):
    def medium(self, entry: Item) -> Item:
        return UNPROCESSED["audio"] if entry["type"] == "input_audio" else entry


@fault("E11-5")
class DetailForgotten(Miniature):
    def medium(self, entry: Item) -> Item:
        return without(entry, "detail")


@fault("E11-5")
class ImagesEncodedAgain(Miniature):
    def medium(self, entry: Item) -> Item:
        if entry["type"] != "input_image":
            return entry
        return {**entry, "image_url": entry["image_url"] + "AAAA"}


UNPROCESSED = {
    medium: {
        "type": "input_text",
        "text": f"{medium} content omitted because it could not be processed",
    }
    for medium in ("image", "audio")
}


# E11-6


@fault("E11-6")
class OddIdsShown(Miniature):
    def shown(self, prompt: list[Item], items: list[Item]) -> list[Item]:
        calls = [one for one in items if one["type"] == "function_call" and one.get("id")]
        ids = {one["call_id"]: one["id"] for one in calls}
        return [named_after(one, ids) for one in prompt]


def named_after(item: Item, ids: Item) -> Item:
    """Show a function call with an id by its call id."""
    if item["type"] != "function_call" or item["call_id"] not in ids:
        return item
    return {**item, "id": ids[item["call_id"]]}


@fault("E11-6")
class OddIdsNotKept(Miniature):
    def raw_items(self, op: Item) -> Item:
        shown = [all(one.get("id", "").partition("_")) for one in self.on(op)]
        pairs = zip(self.on(op), shown, strict=True)
        return {"ok": [one if usual else without(one, "id") for one, usual in pairs]}


@fault("E11-6")
class OddIdsNotUsed(Miniature):
    def shown(self, prompt: list[Item], items: list[Item]) -> list[Item]:
        named = {one.get("call_id") for one in prompt if one.get("name") and "id" in one}
        return [
            without(one, "id") if one["type"] in CUT and one.get("call_id") not in named else one
            for one in prompt
        ]


@fault("E11-6")
class OnlyOwnPrefixesShown(Miniature):
    def shown(self, prompt: list[Item], items: list[Item]) -> list[Item]:
        return [without(one, "id") if one.get("id", "")[:2] == "x_" else one for one in prompt]


@fault("E11-6")
class IdsWithoutSuffixShown(Miniature):
    def shown(self, prompt: list[Item], items: list[Item]) -> list[Item]:
        calls = [one for one in items if one["type"] == "function_call" and one.get("id")]
        ends = {one["call_id"]: one["id"] for one in calls if one["id"].endswith("_")}
        return [named_after(one, ends) for one in prompt]


def changes() -> list[list[Item]]:
    """The examples of the edition, and some small histories with a look at what was recorded."""
    pinned = [example["ops"] for example in examples() if edition_of(example) is NOVEMBER]
    everything = modality_sets(SCOPE)
    symbols = [symbol for symbol in alphabet(SCOPE) if symbol.item["type"] != "reasoning"]
    listed = histories(symbols, 1)
    small = [
        projection_script([symbol.item for symbol in history], everything, SCOPE)
        for history in listed
    ]
    return [*pinned, *small, *([*script, {"op": "raw_items"}] for script in small)]


def blamed(wrong: Wrong, scripts: list[list[Item]]) -> tuple[set[str], list[Any]]:
    """The clauses reported for a wrong implementation, and what no check explained."""
    judging = Judge(NOVEMBER, Claim.full(), dict.fromkeys(Mode, SEEING))
    clauses, unexplained = set[str](), []
    for script in scripts:
        judgement = judging.judge(script, {mode: wrong(mode).run(script) for mode in Mode})
        clauses |= {violation.clause for violation in judgement.violations}
        unexplained += [(script, one) for one in judgement.unattributed]
    return clauses, unexplained


def test_the_miniature_is_right() -> None:
    """Two builds that give other ids than each other, and than the model, are both right."""
    assert blamed(Miniature, changes()) == (set(), [])


def test_every_change_has_two_faults_or_more() -> None:
    """No change of SPEC 7 is judged without wrong implementations that show its check at work."""
    counted = [clause for clause, _ in FAULTS.values()]
    assert all(counted.count(f"E11-{number}") > 1 for number in range(1, 7))


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_blamed_on_its_clause(name: str) -> None:
    """A fault's own clause is red, and nothing is left unexplained."""
    clause, wrong = FAULTS[name]
    clauses, unexplained = blamed(wrong, changes())
    assert clause in clauses
    assert unexplained == []


META = "internal_chat_message_metadata_passthrough"
POLICY = {"mode": "tokens", "limit": 100}
MESSAGE = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]}
CALL = {"type": "function_call", "call_id": "c", "name": "f", "arguments": ""}
SWITCH = {"type": "input_text", "text": "<model_switch>m</model_switch>"}
PROJECT = {"op": "for_prompt", "input_modalities": ["text"]}


def record(*items: Item, on: int = 0) -> Item:
    return {"op": "record_items", "items": list(items), "policy": POLICY, "on": on}


DEVELOPER = {**MESSAGE, "role": "developer", "content": [SWITCH, *MESSAGE["content"]]}
TURN = {META: {"turn_id": "t"}}
RAW = {"op": "raw_items"}
FIRST_SEEN: dict[str, tuple[str, list[Item]]] = {
    "in a prompt": ("E11-2", [record(MESSAGE, CALL), PROJECT, RAW]),
    "in what was handed out": (
        "SNAP-2",
        [
            record(MESSAGE),
            {"op": "hold", "name": "h", "what": "raw_items"},
            {"op": "remove_first_item"},
            {"op": "held", "name": "h"},
        ],
    ),
    "in a transcript": (
        "CUR-2",
        [record(MESSAGE, MESSAGE), {"op": "read_transcript", "cursor": None}],
    ),
    "once a rollback cleaned it": (
        "ROLL-9",
        [
            record({**DEVELOPER, **TURN}, {**MESSAGE, **TURN}),
            {"op": "drop_last_n_user_turns", "num_turns": 1},
            RAW,
        ],
    ),
    "in one batch or in two": (
        "REC-6",
        [record(MESSAGE, CALL), record(MESSAGE, on=1), record(CALL, on=1), RAW, {**RAW, "on": 1}],
    ),
    "in two lives alike": (
        "SNAP-3",
        [{"op": "clone", "to": 1}, record(CALL), record(CALL, on=1), RAW, {**RAW, "on": 1}],
    ),
}
"""Where an id that recording gave can be seen first, and what is judged there."""


@pytest.mark.parametrize("where", FIRST_SEEN)
def test_an_id_is_read_off_wherever_it_is_first_shown(where: str) -> None:
    """The model's builds may give any ids: nothing is wrong with what follows."""
    clause, script = FIRST_SEEN[where]
    answers = {
        mode: run_script(script, mode=mode, edition=NOVEMBER, fresh_ids=seeded_fresh_ids(seed))
        for seed, mode in enumerate(Mode, start=7)
    }
    judgement = Judge(NOVEMBER, Claim.full(), dict.fromkeys(Mode, SEEING)).judge(script, answers)
    assert judgement.clean
    assert judgement.exercised[clause, Mode.DEBUG]


def test_an_id_is_read_off_an_item_with_hidden_fields() -> None:
    """What an adapter does not show of an item does not matter."""
    item = {**CALL, META: {"turn_id": "t"}}
    hidden = {"function_call": (f"/{META}",)}
    script = [record(item), PROJECT]
    answers = {
        mode: run_script([record(CALL), PROJECT], mode=mode, edition=NOVEMBER) for mode in Mode
    }
    judging = Judge(
        NOVEMBER, Claim.full(), dict.fromkeys(Mode, evolve(SEEING, hidden_fields=hidden))
    )
    judgement = judging.judge(script, answers)
    assert judgement.clean
    assert judgement.exercised["SYN-1", Mode.DEBUG] == 1


def test_hidden_ids_show_nothing() -> None:
    """An adapter that hides all ids is neither blamed for them nor counted (E11-2, E11-6)."""
    hidden = dict.fromkeys(ID_PREFIX, ("/id",))
    script = [record(MESSAGE, CALL, {**MESSAGE, "id": "abc"}), RAW, PROJECT]
    answers = {mode: run_script(script, mode=mode, edition=NOVEMBER) for mode in Mode}
    for outcomes in answers.values():
        for outcome in outcomes[1:]:
            outcome["ok"] = [without(one, "id") for one in outcome["ok"]]  # type: ignore[union-attr]
    capabilities = evolve(SEEING, hidden_fields=hidden)
    judging = Judge(NOVEMBER, Claim.full(), dict.fromkeys(Mode, capabilities))
    judgement = judging.judge(script, answers)
    assert judgement.clean
    assert {"E11-2", "E11-6"}.isdisjoint(clause for clause, _ in judgement.exercised)
    assert ("E11-2", Mode.DEBUG) in judgement.unobservable


OPEN: dict[str, list[Item]] = {
    "dropped or omitted": [
        {
            **record({**CALL, "type": CUT[0], "output": [SWITCH, {**SWITCH, "text": ""}]}),
            "policy": {"mode": "bytes", "limit": 1},
        }
    ],
    "restored empty text": [
        {
            "op": "restore_items",
            "items": [{**CALL, "type": CUT[0], "output": [{**SWITCH, "text": ""}]}],
        }
    ],
    "restored system message": [{"op": "restore_items", "items": [{**MESSAGE, "role": "system"}]}],
    "a link": [record({**MESSAGE, "content": [{"type": "input_image", "image_url": "https://x"}]})],
}
"""What SPEC 7 does not settle."""


@pytest.mark.parametrize("name", OPEN)
def test_what_is_left_open_is_not_settled(name: str) -> None:
    """In edition 2026-11 alone, since all but restoring has its outcome in the older one."""
    assert not is_settled(OPEN[name], NOVEMBER)
    assert is_settled(OPEN[name], Edition.AUGUST_2026)
