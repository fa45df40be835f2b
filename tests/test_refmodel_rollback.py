"""Rollback: drop the last n instruction turns (ROLL-1 to ROLL-10)."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextcert.refmodel.items import (
    AgentMessage,
    Compaction,
    Envelope,
    FunctionCall,
    FunctionCallOutput,
    InputImage,
    InputText,
    Item,
    Message,
    MessageEntry,
    Meta,
    OutputText,
)
from contextcert.refmodel.rollback import RolledBack, is_boundary, roll_back

TOOLS = InputText("<tools>")
PLAIN = InputText("please")
SWITCH = InputText("<model_switch>m</model_switch>")
IMAGE = InputImage("data:image/png;base64,AA==")
INSTRUCTION = OutputText(
    '{"author":"/root","recipient":"/root/a","content":"c","trigger_turn":false}'
)


def message(role: str, *content: MessageEntry, turn: str | None = None) -> Message:
    """Make a message, of a turn if one is named."""
    return Message(role=role, content=content, meta=None if turn is None else Meta(turn_id=turn))


def user(text: str = "go", turn: str | None = None) -> Message:
    """Make a user message, which is a boundary."""
    return message("user", InputText(text), turn=turn)


CONTEXT = message("user", InputText("<skill>x</skill>"))
BUNDLE = message("developer", TOOLS)
MIXED = message("developer", TOOLS, PLAIN)
DEVELOPER = message("developer", PLAIN)
REPLY = message("assistant", OutputText("ok"))
AGENT = AgentMessage(author="/root", recipient="/root/a", content=())
CALL = FunctionCall(name="f", arguments="{}", call_id="x")
OUTPUT = FunctionCallOutput(call_id="x", output="o")


def rolled_back(items: Sequence[Item], num_turns: int) -> RolledBack:
    """Roll back a history of these items."""
    return roll_back([Envelope(item) for item in items], num_turns)


def left(items: Sequence[Item], num_turns: int) -> list[Item]:
    """Give the items that a rollback leaves."""
    return [envelope.item for envelope in rolled_back(items, num_turns).envelopes]


@pytest.mark.parametrize(
    ("item", "boundary"),
    [
        (user(), True),
        (user(""), True),
        (message("user"), True),
        (message("user", IMAGE), True),
        (message("user", OutputText("<skill>x</skill>")), True),
        (CONTEXT, False),
        (message("user", PLAIN, InputText("<skill>x</skill>")), False),
        (message("User", PLAIN), False),
        (message("", PLAIN), False),
        (DEVELOPER, False),
        (BUNDLE, False),
        (REPLY, False),
        (message("assistant", INSTRUCTION), True),
        (message("assistant", InputText(INSTRUCTION.text)), True),
        (message("assistant", INSTRUCTION, INSTRUCTION), False),
        (message("Assistant", INSTRUCTION), False),
        (message("developer", INSTRUCTION), False),
        (AGENT, True),
        (CALL, False),
        (OUTPUT, False),
        (Compaction(encrypted_content="e"), False),
    ],
)
def test_boundaries_are_three_kinds_of_items(item: Item, *, boundary: bool) -> None:
    """ROLL-2: agent messages, user messages that people wrote, and inter-agent instructions."""
    assert is_boundary(item) is boundary


@pytest.mark.parametrize("num_turns", [1, 2, 2**32 - 1])
def test_without_a_boundary_the_items_stay(num_turns: int) -> None:
    """ROLL-3: the session prefix is never dropped."""
    items = [BUNDLE, CONTEXT, REPLY, MIXED]
    assert left(items, num_turns) == items
    assert left([], num_turns) == []
    assert not rolled_back(items, num_turns).clears_reference_context


@pytest.mark.parametrize(("num_turns", "kept"), [(1, 5), (2, 3), (3, 1), (4, 1), (2**32 - 1, 1)])
def test_the_cut_is_the_nth_boundary_from_the_end(num_turns: int, kept: int) -> None:
    """ROLL-4: or the first one, if there are no more."""
    items = [REPLY, user("1"), REPLY, AGENT, REPLY, message("assistant", INSTRUCTION), REPLY]
    assert left(items, num_turns) == items[:kept]


@pytest.mark.parametrize(
    ("above", "kept", "clears"),
    [
        ([], 0, False),
        ([BUNDLE], 0, False),
        ([BUNDLE, CONTEXT, BUNDLE], 0, False),
        ([MIXED], 0, True),
        ([MIXED, CONTEXT], 0, True),
        ([message("developer", TOOLS, IMAGE)], 0, True),
        ([message("developer", OutputText("x"), TOOLS)], 0, True),
        ([message("user", InputText("<skill>x</skill>"), PLAIN)], 0, False),
        ([DEVELOPER], 1, False),
        ([DEVELOPER, BUNDLE], 1, False),
        ([BUNDLE, DEVELOPER, CONTEXT], 2, False),
        ([MIXED, REPLY], 2, False),
        ([MIXED, CALL], 2, False),
        ([MIXED, message("developer")], 2, False),
        ([MIXED, message("developer", OutputText("<tools>"))], 2, False),
        ([MIXED, REPLY, BUNDLE], 2, False),
        ([REPLY, MIXED, BUNDLE], 1, True),
    ],
)
def test_context_directly_above_the_cut_goes_too(
    above: list[Item], kept: int, *, clears: bool
) -> None:
    """ROLL-5, ROLL-6: the walk stops at anything else, and only what it trims can be mixed."""
    result = rolled_back([MIXED, user("1"), *above, user("2"), REPLY], 1)
    assert [envelope.item for envelope in result.envelopes] == [MIXED, user("1"), *above[:kept]]
    assert result.clears_reference_context is clears


def test_nothing_above_the_first_boundary_is_walked_over() -> None:
    """ROLL-7: the whole prefix stays, and so does the reference context."""
    prefix = [MIXED, BUNDLE, CONTEXT]
    for num_turns in (1, 2):
        result = rolled_back([*prefix, user()], num_turns)
        assert [envelope.item for envelope in result.envelopes] == prefix
        assert not result.clears_reference_context


def test_pairs_are_not_looked_at_and_metadata_stays() -> None:
    """ROLL-8: a call may lose its output, and what is kept is the very same."""
    kept = [Envelope(user("1"), {"a": 1}), Envelope(CALL, {"b": 2}), Envelope(OUTPUT, None, True)]
    assert list(roll_back([*kept, Envelope(user("2")), Envelope(OUTPUT)], 1).envelopes) == kept
    assert left([user("1"), CALL, user("2"), OUTPUT], 1) == [user("1"), CALL]


@pytest.mark.parametrize(
    ("first", "prefix", "kept"),
    [
        (user(turn="t"), [message("developer", SWITCH, turn="t")], []),
        (user(turn="t"), [message("developer", turn="t")], []),
        (
            user(turn="t"),
            [message("developer", SWITCH, PLAIN, SWITCH, IMAGE, turn="t")],
            [message("developer", PLAIN, IMAGE, turn="t")],
        ),
        (
            AgentMessage(author="a", recipient="b", content=(), meta=Meta(turn_id="t")),
            [message("developer", SWITCH, turn="t"), REPLY],
            [REPLY],
        ),
        (
            message("assistant", INSTRUCTION, turn="t"),
            [REPLY, message("developer", SWITCH, turn="t")],
            [REPLY],
        ),
    ],
)
def test_model_switches_of_the_dropped_first_turn_go(
    first: Item, prefix: list[Item], kept: list[Item]
) -> None:
    """ROLL-9: anywhere in the prefix, and a message left empty goes as a whole."""
    assert left([*prefix, first, REPLY], 1) == kept
    assert left([*prefix, first, user(turn="t")], 2) == kept


@pytest.mark.parametrize(
    ("first", "above"),
    [
        (user(turn="t"), message("developer", SWITCH, turn="u")),
        (user(turn="t"), message("developer", SWITCH)),
        (user(turn="t"), message("developer", turn="u")),
        (user(turn="t"), message("developer", InputText("<model_switch>m"), turn="t")),
        (user(turn="t"), message("developer", OutputText(SWITCH.text), turn="t")),
        (user(turn="t"), message("Developer", SWITCH, turn="t")),
        (user(turn="t"), message("assistant", InputText(SWITCH.text), turn="t")),
        (user(turn="t"), message("user", SWITCH, InputText("<skill>x</skill>"), turn="t")),
        (user(turn=""), message("developer", SWITCH, turn="")),
        (user(), message("developer", SWITCH)),
        (user(), message("developer", SWITCH, turn="t")),
    ],
)
def test_other_messages_are_not_cleaned(first: Item, above: Item) -> None:
    """ROLL-9: the turn id, the role and the kind of entry must all fit."""
    assert left([above, first], 1) == [above]


def test_nothing_is_cleaned_while_the_first_turn_stays() -> None:
    """ROLL-9: the cleanup belongs to the first boundary alone."""
    items = [message("developer", SWITCH, turn="t"), user("1", turn="t"), REPLY]
    assert left([*items, user("2", turn="t")], 1) == items


def test_cleaning_keeps_envelope_metadata() -> None:
    """ROLL-8, ROLL-9: what is cleaned keeps everything but the notice."""
    cleaned = roll_back(
        [
            Envelope(message("developer", SWITCH, PLAIN, turn="t"), {"a": 1}),
            Envelope(user(turn="t")),
        ],
        1,
    ).envelopes
    assert list(cleaned) == [Envelope(message("developer", PLAIN, turn="t"), {"a": 1})]


ITEMS: st.SearchStrategy[Item] = st.sampled_from(
    [user(), user(turn="t"), AGENT, CONTEXT, BUNDLE, MIXED, DEVELOPER, REPLY, CALL, OUTPUT]
)


@given(st.lists(ITEMS, max_size=20), st.integers(1, 6), st.integers(1, 6))
def test_two_rollbacks_leave_what_one_leaves(items: list[Item], once: int, again: int) -> None:
    """ROLL-10: a and then b turns are a+b turns, while there are that many."""
    if once + again <= sum(map(is_boundary, items)):
        assert left(left(items, once), again) == left(items, once + again)


@given(st.lists(ITEMS, max_size=20), st.integers(1, 6))
def test_a_rollback_leaves_a_prefix_of_fewer_turns(items: list[Item], num_turns: int) -> None:
    """SPEC 4.1: a prefix stays, with exactly the asked number of boundaries gone."""
    kept = left(items, num_turns)
    assert kept == items[: len(kept)]
    before, after = sum(map(is_boundary, items)), sum(map(is_boundary, kept))
    assert after == max(before - num_turns, 0)


def seconds(size: int) -> float:
    """Time one rollback of a history full of context, the best of three."""
    envelopes = [Envelope(item) for item in (user(), REPLY, BUNDLE, CONTEXT)] * (size // 4)
    times = []
    for _ in range(3):
        started = process_time()
        roll_back(envelopes, size // 8)
        times.append(process_time() - started)
    return min(times)


def test_rollback_is_linear_in_the_items() -> None:
    """Ten times the items take far less than a hundred times as long."""
    assert seconds(100_000) < 40 * seconds(10_000)  # quadratic would be 100
