"""The groups of changing histories: how often what each clause is about comes up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from attrs import frozen

from contextcert.refmodel import Edition, History, JsonObject, Mode, script
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
        outcome = script.outcome(script._result(run, op), Mode.RELEASE)
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
        0.05,
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
    "ROLL-9": (0.03, is_cleaned),
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
    "REPL-2": (0.02, lambda m: m.name == "replace" and m.before.reference_context is not None),
    "VER-2": (0.2, lambda m: m.name == "history_version" and m.before.version > 0),
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
        0.01,
        lambda m: (
            removes(m, FunctionCallOutput, FunctionCall)
            and any(
                isinstance(i, LocalShellCall) and i.call_id == m.before.items[0].call_id  # type: ignore[union-attr]
                for i in m.before.items
            )
        ),
    ),
    "HEAD-5": (0.1, lambda m: removes(m, object, CustomToolCallOutput)),
    "HEAD-6": (0.1, lambda m: removes(m, object, ToolSearchOutput)),
    "HEAD-7 other": (0.1, lambda m: removes_alone(m, Message)),
    "HEAD-7 without call id": (
        0.03,
        lambda m: removes_alone(m, LocalShellCall) and m.before.items[0].call_id is None,  # type: ignore[union-attr]
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

FLOORS = {"turns": TURNS, "heads": HEADS}


def shares(group: str, edition: Edition = Edition.AUGUST_2026) -> dict[str, float]:
    """Give the share of a group's scripts in which each thing comes up."""
    found: Counter[str] = Counter()
    for ops in generate(group, Scope.full(edition), seed=21, count=COUNT):
        lived = list(moments(ops, edition))
        found.update(name for name, (_, shown) in FLOORS[group].items() if any(map(shown, lived)))
    return {name: found[name] / COUNT for name in FLOORS[group]}


@pytest.mark.parametrize("group", FLOORS)
def test_what_the_clauses_are_about_comes_up(group: str) -> None:
    """Every clause's situation is in a share of the group's scripts."""
    measured = shares(group)
    assert not {
        name: share for name, share in measured.items() if share < FLOORS[group][name][0]
    }, measured
