"""Head removal: the oldest item and its counterpart (HEAD-1 to HEAD-9)."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextcert.refmodel.head_removal import remove_first
from contextcert.refmodel.items import (
    CustomToolCall,
    CustomToolCallOutput,
    Envelope,
    ExecAction,
    FunctionCall,
    FunctionCallOutput,
    InputText,
    Item,
    LocalShellCall,
    Message,
    Reasoning,
    ToolSearchCall,
    ToolSearchOutput,
)
from contextcert.refmodel.modes import Edition
from contextcert.refmodel.wire import read_item

HELLO = Message(role="user", content=(InputText("hello"),))


def function_call(call_id: str = "x") -> FunctionCall:
    """Make a function call."""
    return FunctionCall(name="f", arguments="{}", call_id=call_id)


def function_output(call_id: str | None = "x", text: str = "o") -> FunctionCallOutput:
    """Make the output of a function or a local shell call."""
    return FunctionCallOutput(call_id=call_id, output=text)


def shell_call(call_id: str | None = "x") -> LocalShellCall:
    """Make a local shell call."""
    return LocalShellCall(call_id=call_id, status="completed", action=ExecAction(command=("a",)))


def custom_call(call_id: str = "x") -> CustomToolCall:
    """Make a custom call."""
    return CustomToolCall(call_id=call_id, name="f", input="")


def custom_output(call_id: str = "x") -> CustomToolCallOutput:
    """Make a custom output."""
    return CustomToolCallOutput(call_id=call_id, output="o")


def search_call(call_id: str | None = "x", execution: str = "client") -> ToolSearchCall:
    """Make a tool search call."""
    return ToolSearchCall(call_id=call_id, execution=execution, arguments={})


def search_output(call_id: str | None = "x", execution: str = "client") -> ToolSearchOutput:
    """Make a tool search output."""
    return ToolSearchOutput(call_id=call_id, status="completed", execution=execution, tools=[])


def left(items: Sequence[Item]) -> list[Item]:
    """Give the items that one head removal leaves."""
    return [envelope.item for envelope in remove_first([Envelope(item) for item in items])]


def test_an_empty_history_stays_empty() -> None:
    """HEAD-1: there is nothing to remove."""
    assert left([]) == []


@pytest.mark.parametrize(
    ("oldest", "counterpart"),
    [
        (function_call(), function_output()),
        (function_output(), function_call()),
        (shell_call(), function_output()),
        (function_output(), shell_call()),
        (custom_call(), custom_output()),
        (custom_output(), custom_call()),
        (search_call(), search_output()),
        (search_output(), search_call()),
        (search_call(), search_output(execution="server")),
        (search_output(execution="server"), search_call(execution="other")),
        (function_call(""), function_output("")),
        (search_call(""), search_output("")),
    ],
)
def test_a_counterpart_goes_wherever_it_stands(oldest: Item, counterpart: Item) -> None:
    """HEAD-2 to HEAD-6, HEAD-8: it alone goes, the rest keeps its order."""
    rest = [HELLO, function_call("y"), search_output(None), custom_call("y")]
    assert left([oldest, counterpart, *rest]) == rest
    assert left([oldest, *rest, counterpart]) == rest


def test_at_most_one_counterpart_goes() -> None:
    """HEAD-2: the first match from the front of what is left."""
    first, second = function_output(text="1"), function_output(text="2")
    assert left([function_call(), HELLO, first, second]) == [HELLO, second]
    assert left([function_output(), function_call(), function_call()]) == [function_call()]


def test_a_function_call_is_preferred_to_a_shell_call() -> None:
    """HEAD-4: a shell call goes only if there is no function call of that id anywhere."""
    items = [function_output(), shell_call(), HELLO, function_call()]
    assert left(items) == [shell_call(), HELLO]
    assert left(items[:3]) == [HELLO]


@pytest.mark.parametrize(
    ("oldest", "other"),
    [
        (HELLO, function_output()),
        (Reasoning(summary=()), function_output()),
        (function_call(), function_output("y")),
        (function_call(), function_call()),
        (function_call(), custom_output()),
        (function_call(), search_output()),
        (function_output(), custom_call()),
        (function_output(), search_call()),
        (function_output(), function_output()),
        (shell_call(), function_call()),
        (shell_call(), custom_output()),
        (custom_call(), function_output()),
        (custom_output(), function_call()),
        (custom_output(), shell_call()),
        (search_call(), function_output()),
        (search_output(), function_call()),
        (shell_call(None), function_output(None)),
        (function_output(None), shell_call(None)),
        (search_call(None), search_output(None)),
        (search_output(None), search_call(None)),
        (function_call(""), function_output(None)),
        (search_call(""), search_output(None)),
    ],
)
def test_nothing_else_is_a_counterpart(oldest: Item, other: Item) -> None:
    """HEAD-7: families do not mix, ids must be present and equal, other items stand alone."""
    assert left([oldest, other]) == [other]


def test_an_output_read_without_call_id_goes_alone() -> None:
    """E11-1, HEAD-7: edition 2026-11 reads such an output, and it has no counterpart."""
    lone = read_item({"type": "function_call_output", "output": "o"}, Edition.NOVEMBER_2026)
    assert left([lone, shell_call(None)]) == [shell_call(None)]


def test_envelopes_stay_as_they_are() -> None:
    """HEAD-8: what is left keeps its metadata and its success flag."""
    kept = [Envelope(HELLO, {"a": 1}), Envelope(custom_output(), None, False)]
    assert list(remove_first([Envelope(HELLO), *kept])) == kept


PAIRS = [
    (function_call, function_output),
    (shell_call, function_output),
    (custom_call, custom_output),
    (search_call, search_output),
]


@st.composite
def clean_histories(draw: st.DrawFn) -> list[Item]:
    """Draw pairs of one family each under ids of their own, and messages, in any order."""
    items: list[Item] = [HELLO] * draw(st.integers(0, 3))
    for number, (call, output) in enumerate(draw(st.lists(st.sampled_from(PAIRS), max_size=5))):
        items += [call(f"c{number}"), output(f"c{number}")]  # type: ignore[operator]
    return draw(st.permutations(items))


@given(clean_histories())
def test_a_clean_history_stays_clean(items: list[Item]) -> None:
    """HEAD-9: while every call has one output, removal leaves no half of a pair."""
    while items:
        items = left(items)
        call_ids = [item.call_id for item in items if not isinstance(item, Message)]  # type: ignore[attr-defined]
        assert all(call_ids.count(call_id) == 2 for call_id in call_ids)


def seconds(size: int) -> float:
    """Time one removal whose counterpart stands last, the best of three."""
    envelopes = [Envelope(function_output()), *[Envelope(HELLO)] * size, Envelope(shell_call())]
    times = []
    for _ in range(3):
        started = process_time()
        assert len(remove_first(envelopes)) == size
        times.append(process_time() - started)
    return min(times)


def test_head_removal_is_linear_in_the_items() -> None:
    """Ten times the items take far less than a hundred times as long."""
    assert seconds(100_000) < 40 * seconds(10_000)  # quadratic would be 100
