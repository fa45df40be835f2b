"""The groups of changing histories: how often what each clause is about comes up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from attrs import frozen

from contextcert.refmodel import (
    Edition,
    History,
    JsonObject,
    Mode,
    TruncationPolicy,
    outcomes,
    script,
)
from contextcert.refmodel.fragments import (
    is_contextual_developer_message,
    is_contextual_user_message,
    is_mixed_bundle,
)
from contextcert.refmodel.instructions import is_inter_agent_instruction
from contextcert.refmodel.items import (
    AgentMessage,
    Call,
    CustomToolCallOutput,
    FunctionCall,
    FunctionCallOutput,
    Item,
    LocalShellCall,
    Message,
    Output,
    ToolSearchOutput,
)
from contextcert.refmodel.rollback import is_boundary
from contextcert.refmodel.truncation import Budget, Unit
from contextcert.strategies import Scope, Script, generate

COUNT = 1000
SCOPE = Scope.full()


@frozen
class Moment:
    """One operation, and the history it was on before and after."""

    op: JsonObject
    before: History
    after: History
    outcome: JsonObject

    @property
    def name(self) -> str:
        """Give the operation's name."""
        return str(self.op["op"])


def moments(ops: Script, edition: Edition = Edition.AUGUST_2026) -> Iterator[Moment]:
    """Live a script through on the model, operation by operation."""
    run = script._new_run(edition, None)
    for op in ops:
        before = run.history(op)
        outcome = outcomes.outcome(script._result(run, op), Mode.RELEASE)
        yield Moment(op, before, run.history(op), outcome)


Detector = Callable[[Moment], bool]


def boundaries(history: History) -> list[int]:
    """Give the places where turns begin."""
    return [place for place, item in enumerate(history.items) if is_boundary(item)]


def cut_of(moment: Moment) -> int | None:
    """Give where a rollback cuts, before it walks left; None if it is none or has no boundary."""
    if moment.name != "drop_last_n_user_turns" or not moment.op["num_turns"]:
        return None
    found = boundaries(moment.before)
    return found[max(0, len(found) - int(str(moment.op["num_turns"])))] if found else None


def has_first_cut(moment: Moment) -> bool:
    """Say whether a rollback cuts at the first boundary."""
    return (cut := cut_of(moment)) is not None and cut == boundaries(moment.before)[0]


def above_cut(moment: Moment) -> Item | None:
    """Give the item before a cut that is not the first boundary."""
    cut = cut_of(moment)
    return None if cut is None or has_first_cut(moment) else moment.before.items[cut - 1]


def above_first_cut(moment: Moment) -> Item | None:
    """Give the item before the first boundary where that is the cut."""
    cut = cut_of(moment)
    return moment.before.items[cut - 1] if cut and has_first_cut(moment) else None


def drops(moment: Moment, turns: Callable[[int], bool]) -> bool:
    """Say whether a rollback of some number of turns meets a history that is not empty."""
    return (
        moment.name == "drop_last_n_user_turns"
        and bool(moment.before.items)
        and turns(int(str(moment.op["num_turns"])))
    )


def is_cleaned(moment: Moment) -> bool:
    """Say whether ROLL-9 removes something."""
    cut = cut_of(moment)
    return (
        cut is not None
        and has_first_cut(moment)
        and moment.after.items != moment.before.items[:cut]
    )


def walks_over_several(moment: Moment) -> bool:
    """Say whether a rollback walks over two items or more."""
    cut = cut_of(moment)
    return cut is not None and cut - len(moment.after.items) > 1 and not has_first_cut(moment)


def parts_a_pair(moment: Moment) -> bool:
    """Say whether a rollback leaves a call or an output alone (ROLL-8)."""
    kept = {getattr(item, "call_id", None) for item in moment.after.items}
    gone = moment.before.items[len(moment.after.items) :]
    ids = {item.call_id for item in gone if isinstance(item, Call | Output)} - {None}
    return cut_of(moment) is not None and not kept.isdisjoint(ids)


def contextual(item: Item | None) -> bool:
    """Say whether an item is walked over."""
    return item is not None and (
        is_contextual_user_message(item) or is_contextual_developer_message(item)
    )


TURNS: dict[str, tuple[float, Detector]] = {
    "ROLL-1": (0.05, lambda m: drops(m, lambda n: n == 0)),
    "ROLL-2 agent message": (
        0.05,
        lambda m: (cut := cut_of(m)) is not None and isinstance(m.before.items[cut], AgentMessage),
    ),
    "ROLL-2 instruction": (
        0.03,
        lambda m: (
            (cut := cut_of(m)) is not None and is_inter_agent_instruction(m.before.items[cut])
        ),
    ),
    "ROLL-3": (0.05, lambda m: drops(m, lambda n: n > 0) and not boundaries(m.before)),
    "ROLL-4 n-th": (0.2, lambda m: cut_of(m) is not None and not has_first_cut(m)),
    "ROLL-4 more than there are": (
        0.1,
        lambda m: cut_of(m) is not None and int(str(m.op["num_turns"])) > len(boundaries(m.before)),
    ),
    "ROLL-5 developer": (
        0.08,
        lambda m: (i := above_cut(m)) is not None and is_contextual_developer_message(i),
    ),
    "ROLL-5 user": (
        0.03,
        lambda m: (i := above_cut(m)) is not None and is_contextual_user_message(i),
    ),
    "ROLL-5 several": (0.03, walks_over_several),
    "ROLL-5 not walked over": (
        0.1,
        lambda m: (i := above_cut(m)) is not None and not contextual(i),
    ),
    "ROLL-6 mixed": (0.05, lambda m: (i := above_cut(m)) is not None and is_mixed_bundle(i)),
    "ROLL-6 mixed, and something to clear": (
        0.02,
        lambda m: m.before.reference_context is not None and m.after.reference_context is None,
    ),
    "ROLL-6 pure": (
        0.03,
        lambda m: (
            (i := above_cut(m)) is not None
            and is_contextual_developer_message(i)
            and not is_mixed_bundle(i)
        ),
    ),
    "ROLL-7": (0.08, lambda m: contextual(above_first_cut(m))),
    "ROLL-7 mixed, and something to keep": (
        0.02,
        lambda m: (
            (i := above_first_cut(m)) is not None
            and is_mixed_bundle(i)
            and m.before.reference_context is not None
        ),
    ),
    "ROLL-8": (0.03, parts_a_pair),
    "ROLL-9": (0.06, is_cleaned),
    "ROLL-10": (0.1, lambda m: m.name == "drop_last_n_user_turns" and bool(m.op.get("on"))),
    "WORLD-5": (
        0.1,
        lambda m: (
            m.name == "drop_last_n_user_turns"
            and m.before.baseline is not None
            and m.after.baseline is None
        ),
    ),
    "REPL-1": (0.08, lambda m: m.name == "replace"),
    "REPL-1 what is not recorded": (
        0.05,
        lambda m: m.name == "replace" and any(is_dropped(one) for one in listed(m)),
    ),
    "REPL-2": (0.02, lambda m: m.name == "replace" and m.before.reference_context is not None),
    "VER-2": (0.15, lambda m: m.name == "history_version" and m.before.version > 0),
    "MODE-9": (0.03, lambda m: drops(m, bool) and has_anomalies(m.before)),
}


def has_anomalies(history: History) -> bool:
    """Say whether projecting would panic in debug."""
    return bool(history.project(("text",)).anomalies)


def counterpart_of(moment: Moment) -> tuple[Item, Item] | None:
    """Give the removed head and what went with it."""
    before, after = moment.before.items, moment.after.items
    if moment.name != "remove_first_item" or len(before) - len(after) < 2:
        return None
    place = next((n for n, item in enumerate(after) if item != before[n + 1]), len(after))
    return before[0], before[place + 1]


def removes(moment: Moment, head: type, other: type) -> bool:
    """Say whether a head of one type takes a counterpart of another with it."""
    gone = counterpart_of(moment)
    return gone is not None and isinstance(gone[0], head) and isinstance(gone[1], other)


def removes_alone(moment: Moment, *heads: type) -> bool:
    """Say whether a head of one of the types goes alone."""
    return (
        moment.name == "remove_first_item"
        and bool(moment.before.items)
        and isinstance(moment.before.items[0], heads)
        and counterpart_of(moment) is None
    )


def same_id(moment: Moment) -> int:
    """Count what shares the head's call id."""
    items = moment.before.items
    call_id = getattr(items[0], "call_id", None) if items else None
    return sum(getattr(item, "call_id", None) == call_id for item in items) if call_id else 0


def is_well_formed(history: History) -> bool:
    """Say whether every call id stands on one call and one output of one family (HEAD-9)."""
    seen = Counter(i.call_id for i in history.items if isinstance(i, Call | Output))
    prompt = history.project(("text",))
    return (
        set(seen.values()) == {2}
        and not prompt.anomalies
        and len(prompt.items) == len(history.items)
    )


HEADS: dict[str, tuple[float, Detector]] = {
    "HEAD-1 empty": (0.05, lambda m: m.name == "remove_first_item" and not m.before.items),
    "HEAD-2 several": (0.03, lambda m: counterpart_of(m) is not None and same_id(m) > 2),
    "HEAD-3 function": (0.1, lambda m: removes(m, FunctionCall, FunctionCallOutput)),
    "HEAD-3 shell": (0.1, lambda m: removes(m, LocalShellCall, FunctionCallOutput)),
    "HEAD-4 function": (0.05, lambda m: removes(m, FunctionCallOutput, FunctionCall)),
    "HEAD-4 shell": (0.05, lambda m: removes(m, FunctionCallOutput, LocalShellCall)),
    "HEAD-4 both": (
        0.02,
        lambda m: (
            removes(m, FunctionCallOutput, FunctionCall)
            and any(
                isinstance(i, LocalShellCall) and i.call_id == m.before.items[0].call_id  # type: ignore[attr-defined]
                for i in m.before.items
            )
        ),
    ),
    "HEAD-5": (0.1, lambda m: removes(m, object, CustomToolCallOutput)),
    "HEAD-6": (0.1, lambda m: removes(m, object, ToolSearchOutput)),
    "HEAD-7 other": (0.1, lambda m: removes_alone(m, Message)),
    "HEAD-7 without call id": (
        0.03,
        lambda m: removes_alone(m, LocalShellCall) and m.before.items[0].call_id is None,  # type: ignore[attr-defined]
    ),
    "HEAD-8": (0.1, lambda m: counterpart_of(m) is not None and len(m.after.items) > 2),
    "HEAD-9": (0.1, lambda m: m.name == "remove_first_item" and is_well_formed(m.before)),
    "WORLD-5": (0.05, lambda m: m.before.baseline is not None and m.after.baseline is None),
    "WORLD-6": (
        0.02,
        lambda m: (
            m.name == "remove_first_item" and not m.before.items and m.before.baseline is not None
        ),
    ),
    "VER-3": (0.05, lambda m: m.name == "history_version"),
    "MODE-9": (0.2, lambda m: m.name == "remove_first_item" and has_anomalies(m.before)),
}


def outputs(moment: Moment) -> list[tuple[Budget, str | list[JsonObject]]]:
    """Give the bodies of the outputs that an operation records, and what they may take."""
    if not moment.name.startswith("record"):
        return []
    budget = TruncationPolicy.from_json(moment.op["policy"]).budget(Edition.AUGUST_2026)
    brought: Any = [one.get("item", one) for one in listed(moment)]
    return [(budget, one["output"]) for one in brought if isinstance(one.get("output"), str | list)]


def listed(moment: Moment) -> list[Any]:
    """Give what an operation brings in."""
    brought: Any = moment.op.get("items") or moment.op.get("envelopes") or []
    return list(brought)


def says(shown: Callable[[Budget, bytes], bool]) -> Detector:
    """Give what finds a string body, by its budget and its bytes."""
    return lambda m: any(shown(b, body.encode()) for b, body in outputs(m) if isinstance(body, str))


def lists(shown: Callable[[Budget, list[Any]], bool]) -> Detector:
    """Give what finds an array body, by its budget and its entries."""
    return lambda m: any(shown(b, body) for b, body in outputs(m) if isinstance(body, list))


def splits(budget: Budget, said: bytes, *, suffix: bool) -> bool:
    """Say whether the prefix's or the suffix's edge falls into a character."""
    limit = budget.bytes_left
    edge = len(said) - (limit - limit // 2) if suffix else limit // 2
    return 0 < limit < len(said) and said[edge] & 0xC0 == 0x80


def spent(budget: Budget, body: list[Any]) -> list[tuple[str, int, int]]:
    """Give for every entry its type, its cost, and the budget left before it."""
    walked = []
    for entry in body:
        kind, cost = str(entry["type"]), 0
        if kind == "input_text":
            cost = budget.text_cost(entry["text"])
        elif kind == "input_audio":
            cost = budget.audio_cost(entry["audio_url"])
        walked.append((kind, cost, budget.left))
        if kind == "input_text" or cost <= budget.left:
            budget = budget.spend(min(cost, budget.left))
    return walked


def walks(kind: str, shown: Callable[[int, int], bool]) -> Detector:
    """Give what finds an entry of an array body by its cost and what is left before it."""
    return lists(
        lambda b, body: any(
            k == f"input_{kind}" and shown(c, left) for k, c, left in spent(b, body)
        )
    )


def kinds(body: list[Any]) -> set[str]:
    """Give the types of the entries of a body."""
    return {str(entry["type"]) for entry in body}


def is_cut(body: object) -> bool:
    """Say whether a recorded body was truncated."""
    return " truncated\u2026" in str(body) or "[omitted" in str(body)


RECORDING: dict[str, tuple[float, Detector]] = {
    "REC-1": (0.3, lambda m: len(m.after.items) - len(m.before.items) > 2),
    "REC-2": (
        0.1,
        lambda m: m.name.startswith("record") and any(is_dropped(one) for one in listed(m)),
    ),
    "REC-3": (
        0.1,
        lambda m: any(
            len(str(one)) > 400 and "output" not in one.get("item", one) for one in listed(m)
        ),
    ),
    "REC-4": (0.2, lambda m: m.name.startswith("record") and has_anomalies(m.after)),
    "REC-5 version": (0.1, lambda m: m.name == "history_version" and bool(m.before.items)),
    "REC-5 baseline": (
        0.1,
        lambda m: m.before.baseline is not None and len(m.after.items) > len(m.before.items),
    ),
    "REC-5 reference": (
        0.1,
        lambda m: (
            m.before.reference_context is not None and len(m.after.items) > len(m.before.items)
        ),
    ),
    "REC-6": (0.15, lambda m: m.name.startswith("record") and bool(m.op.get("on"))),
    "REC-7": (
        0.05,
        lambda m: any(
            is_cut(e.item.output) and (e.metadata is not None or e.success is not None)
            for e in list(m.after.envelopes)[len(m.before.items) :]
            if isinstance(e.item, FunctionCallOutput | CustomToolCallOutput)
        ),
    ),
    "TRUNC-2 empty": (0.1, says(lambda _, said: not said)),
    "TRUNC-2 just fits": (0.05, says(lambda b, said: 0 < len(said) == b.bytes_left)),
    "TRUNC-2 one too many": (0.05, says(lambda b, said: len(said) == b.bytes_left + 1 > 1)),
    "TRUNC-3 odd": (0.02, says(lambda b, said: len(said) > b.bytes_left and b.bytes_left % 2 > 0)),
    "TRUNC-3 prefix": (0.06, says(lambda b, said: splits(b, said, suffix=False))),
    "TRUNC-3 suffix": (0.06, says(lambda b, said: splits(b, said, suffix=True))),
    "TRUNC-4": (0.025, says(lambda b, said: not b.left and bool(said))),
    "TRUNC-5": (
        0.08,
        says(lambda b, said: len(said) > b.bytes_left and b.unit is Unit.BYTES),
    ),
    "TRUNC-6": (
        0.08,
        says(lambda b, said: len(said) > b.bytes_left and b.unit is Unit.TOKENS),
    ),
    "TRUNC-7 just fits": (0.05, walks("text", lambda cost, left: 0 < cost == left)),
    "TRUNC-7 truncated": (0.1, walks("text", lambda cost, left: 0 < left < cost)),
    "TRUNC-7 omitted": (0.1, walks("text", lambda cost, left: 0 == left < cost)),
    "TRUNC-7 omitted, empty": (0.02, walks("text", lambda cost, left: cost == left == 0)),
    "TRUNC-8": (
        0.1,
        lists(
            lambda b, body: b.left < 99 and bool({"input_image", "encrypted_content"} & kinds(body))
        ),
    ),
    "TRUNC-9 just fits": (0.02, walks("audio", lambda cost, left: cost == left)),
    "TRUNC-9 omitted, text after": (
        0.02,
        lists(
            lambda b, body: (
                any(
                    kind == "input_audio" and cost > left > 0
                    for kind, cost, left in spent(b, body[:-1])
                )
                and body[-1]["type"] == "input_text"
            )
        ),
    ),
    "TRUNC-10 both": (
        0.03,
        lists(
            lambda b, body: (
                len(
                    {k for k, cost, left in spent(b, body) if cost > left or cost == left == 0}
                    & {"input_text", "input_audio"}
                )
                == 2
            )
        ),
    ),
    "TRUNC-11": (0.1, says(lambda b, said: 0 < len(said) <= b.bytes_left)),
}


def is_dropped(one: JsonObject) -> bool:
    """Say whether an item or envelope is not recorded."""
    item: Any = one.get("item", one)
    return item["type"] in {"other", "compaction_trigger"} or item.get("role") == "system"


def updates(shown: Callable[[History, Any], bool]) -> Detector:
    """Give what finds an update by the history before it and by what it reports."""
    return lambda m: m.name == "update_world_state" and shown(m.before, m.outcome["ok"])


def clears(*names: str) -> Detector:
    """Give what finds an operation that clears a baseline."""
    return lambda m: m.name in names and m.before.baseline is not None and m.after.baseline is None


def keeps(*names: str) -> Detector:
    """Give what finds an operation that leaves a baseline."""
    return lambda m: m.name in names and None is not m.before.baseline == m.after.baseline


WORLD: dict[str, tuple[float, Detector]] = {
    "WORLD-1": (0.3, updates(lambda h, _: h.baseline is None)),
    "WORLD-1 empty": (0.1, updates(lambda _, said: said == {"full": True, "state": {}})),
    "WORLD-2 patch": (0.15, updates(lambda _, said: bool(said) and not said["full"])),
    "WORLD-2 nothing": (0.15, updates(lambda _, said: said is None)),
    "WORLD-2 removed": (0.05, updates(lambda _, said: "None" in str(said and said.get("patch")))),
    "WORLD-2 nested": (
        0.05,
        updates(lambda _, said: bool(said) and ": {'" in str(said.get("patch"))),
    ),
    "WORLD-2 no object": (
        0.03,
        updates(lambda h, _: h.baseline is not None and not isinstance(h.baseline, dict)),
    ),
    "WORLD-3": (0.3, lambda m: m.name == "world_state_baseline" and m.before.baseline is not None),
    "WORLD-5 head": (0.03, clears("remove_first_item")),
    "WORLD-5 rollback": (0.05, clears("drop_last_n_user_turns")),
    "WORLD-5 replace": (0.05, clears("replace")),
    "WORLD-6 record": (0.08, keeps("record_items")),
    "WORLD-6 project": (0.05, keeps("for_prompt")),
    "WORLD-6 empty": (
        0.05,
        lambda m: not m.before.items and keeps("remove_first_item")(m),
    ),
    "WORLD-6 no turn": (
        0.05,
        lambda m: not m.op.get("num_turns") and keeps("drop_last_n_user_turns")(m),
    ),
    "WORLD-7": (
        0.02,
        updates(lambda h, said: said is not None and same_but_for_kinds(h.baseline, said)),
    ),
}


def same_but_for_kinds(baseline: object, said: JsonObject) -> bool:
    """Say whether something changes that Python takes for equal: 1, 1.0 and true."""
    patch = said.get("patch")
    return (
        isinstance(patch, dict)
        and isinstance(baseline, dict)
        and any(name in baseline and baseline[name] == value for name, value in patch.items())
    )


Life = list[Moment]
LOOKS = {
    "raw_items",
    "raw_envelopes",
    "history_version",
    "reference_context_item",
    "world_state_baseline",
    "token_info",
}
REWRITES = {"replace", "drop_last_n_user_turns"}
RECORDS = {"record_items", "record_annotated_items"}
CHANGES = {*REWRITES, *RECORDS, "remove_first_item", "update_world_state"}


def reads(shown: Callable[[Moment, Any, Any], bool]) -> Callable[[Life], bool]:
    """Give what finds a transcript read by its cursor and by what it gives."""
    return lambda life: any(
        m.name == "read_transcript" and shown(m, m.op.get("cursor"), m.outcome["ok"]) for m in life
    )


def on(moment: Moment) -> object:
    """Give the number of the history an operation is on."""
    return moment.op.get("on", 0)


def follows(
    life: Life, *wanted: Callable[[Moment], bool], same: bool = True, start: int = 0
) -> bool:
    """Say whether moments of these kinds follow each other, with others between, on one history."""
    if not wanted:
        return True
    for place in range(start, len(life)):
        if wanted[0](life[place]):
            rest = [m for m in life[place + 1 :] if not same or on(m) == on(life[place])]
            if follows(rest, *wanted[1:], same=same):
                return True
    return False


def named(*names: str) -> Detector:
    """Give what finds operations by name."""
    return lambda m: m.name in names


def rewrites(moment: Moment) -> bool:
    """Say whether an operation raises the version."""
    return moment.after.version > moment.before.version


def alters(moment: Moment) -> bool:
    """Say whether an operation alters the items."""
    return moment.name in CHANGES and len(moment.before.items) != len(moment.after.items)


def parts_from_clone(life: Life) -> bool:
    """Say whether a clone or its original is altered, and the other one is looked at (SNAP-1)."""
    for place, moment in enumerate(life):
        pair = {on(moment), moment.op.get("to")}
        if moment.name == "clone" and len(pair) == 2 and moment.before.items:
            later = life[place + 1 :]
            for altered in (n for n, m in enumerate(later) if alters(m) and on(m) in pair):
                other = pair - {on(later[altered])}
                if any(m.name in LOOKS and on(m) in other for m in later[altered:]):
                    return True
    return False


def lives_twice(life: Life) -> bool:
    """Say whether a clone undergoes what its original does (SNAP-3)."""
    pairs = pairwise(life)
    return any(
        one.name == two.name and alters(one) and on(one) != on(two) and one.before == two.before
        for one, two in pairs
    )


def projects_alike(life: Life) -> bool:
    """Say whether histories with the same items, and nothing else, are projected (PROJ-3)."""
    asked = [m for m in life if m.name == "for_prompt" and m.before.items]
    return any(
        one.before.items == two.before.items and one.before != two.before and one.op != two.op
        for one in asked
        for two in asked
    )


def is_unanswered(moment: Moment) -> bool:
    """Say whether a projection completes a call."""
    return moment.name == "for_prompt" and len(moment.outcome["ok"]) > len(moment.before.items)  # type: ignore[arg-type]


def panics(moment: Moment) -> bool:
    """Say whether a projection panics in debug."""
    return moment.name == "for_prompt" and has_anomalies(moment.before)


def records_output(moment: Moment) -> bool:
    """Say whether an operation records an output."""
    return any(isinstance(i, Output) for i in moment.after.items[len(moment.before.items) :])


def has(detector: Detector) -> Callable[[Life], bool]:
    """Give what finds a life with such a moment."""
    return lambda life: any(map(detector, life))


def is_behind(cursor: Any, given: Any) -> bool:  # noqa: ANN401 -- JSON values
    """Say whether a cursor is of an earlier version."""
    return bool(cursor) and cursor["history_version"] < given["cursor"]["history_version"]


LIVES: dict[str, tuple[float, Callable[[Life], bool]]] = {
    "CUR-1 delta": (0.1, reads(lambda _, __, r: r["kind"] == "delta" and bool(r["entries"]))),
    "CUR-1 empty delta": (0.15, reads(lambda _, __, r: r["kind"] == "delta" and not r["entries"])),
    "CUR-1 ahead": (
        0.1,
        reads(lambda _, c, r: bool(c) and r["kind"] == "full" and not is_behind(c, r)),
    ),
    "CUR-2": (0.2, reads(lambda _, c, r: c is None and bool(r["entries"]))),
    "CUR-3": (0.07, reads(lambda _, c, r: is_behind(c, r) and bool(r["entries"]))),
    "CUR-3 its own": (
        0.03,
        lambda life: follows(life, named("read_transcript"), rewrites, named("read_transcript")),
    ),
    "CUR-3 head removal": (
        0.02,
        lambda life: follows(
            life, named("read_transcript"), named("remove_first_item"), named("read_transcript")
        ),
    ),
    "CUR-4": (
        0.1,
        lambda life: follows(
            life,
            lambda m: m.name == "read_transcript" and m.outcome["ok"]["kind"] == "full",  # type: ignore[index,call-overload]
            named("record_items"),
            lambda m: m.name == "read_transcript" and m.outcome["ok"]["kind"] == "delta",  # type: ignore[index,call-overload]
        ),
    ),
    "SNAP-1": (0.2, parts_from_clone),
    "SNAP-2": (
        0.1,
        lambda life: (
            follows(life, named("hold"), alters, lambda _: True, same=False)
            and any(m.name == "held" for m in life)
        ),
    ),
    "SNAP-3": (0.1, lives_twice),
    "onto itself": (0.02, has(lambda m: m.name == "clone" and on(m) == m.op["to"])),
    "PROJ-1": (0.2, lambda life: follows(life, named(*LOOKS), named("for_prompt"), named(*LOOKS))),
    "PROJ-3": (0.05, projects_alike),
    "PROJ-7": (
        0.1,
        lambda life: follows(life, is_unanswered, records_output, named("for_prompt")),
    ),
    "PROJ-7 in debug": (
        0.05,
        lambda life: follows(
            life[: next((n for n, m in enumerate(life) if panics(m)), len(life))],
            is_unanswered,
            records_output,
            named("for_prompt"),
        ),
    ),
    "MODE-8": (0.05, lambda life: follows(life, panics, named("raw_envelopes"), panics)),
    "MODE-9": (0.1, has(lambda m: m.name in CHANGES and has_anomalies(m.before))),
    "REF-1": (0.1, has(lambda m: m.name in CHANGES and m.before.reference_context is not None)),
    "VER-1": (0.05, lambda life: bool(life) and life[0].name in LOOKS),
    "VER-3": (0.2, has(lambda m: m.name == "history_version" and bool(m.before.items))),
    "WORLD-2": (
        0.02,
        has(updates(lambda _, said: bool(said) and not said["full"])),
    ),
    "no debug panic, and long": (
        0.3,
        lambda life: len(life) > 15 and not any(map(panics, life)),
    ),
}

FLOORS: dict[str, dict[str, tuple[float, Callable[[Life], bool]]]] = {
    group: {name: (floor, has(shown)) for name, (floor, shown) in table.items()}
    for group, table in {
        "turns": TURNS,
        "heads": HEADS,
        "recording": RECORDING,
        "world": WORLD,
    }.items()
} | {"lives": LIVES}


def shares(group: str, edition: Edition = Edition.AUGUST_2026) -> dict[str, float]:
    """Give the share of a group's scripts in which each thing comes up."""
    found: Counter[str] = Counter()
    for ops in generate(group, Scope.full(edition), seed=21, count=COUNT):
        lived = list(moments(ops, edition))
        found.update(name for name, (_, shown) in FLOORS[group].items() if shown(lived))
    return {name: found[name] / COUNT for name in FLOORS[group]}


@pytest.mark.parametrize("group", FLOORS)
def test_what_the_clauses_are_about_comes_up(group: str) -> None:
    """Every clause's situation is in a share of the group's scripts."""
    measured = shares(group)
    assert not {
        name: share for name, share in measured.items() if share < FLOORS[group][name][0]
    }, measured
