"""The message that a turn must bring where an empty one sends nothing."""

from __future__ import annotations

import pytest

from contextcert.adapters.codex.failures import BinaryIncoherent
from contextcert.adapters.codex.sentinel import Sentinel
from contextcert.refmodel import JsonObject


def message(text: str) -> JsonObject:
    """Give a user's message as a prompt shows it."""
    content: JsonObject = {"type": "input_text", "text": text}
    return {"type": "message", "role": "user", "content": [content]}


def test_every_turn_of_a_thread_leaves_one() -> None:
    """They are counted a thread, wherever they stand."""
    sentinel = Sentinel()
    mark, said = message(sentinel.text), message("a")
    sentinel.turn_input("one")
    assert sentinel.cut("one", [said, mark]) == [said]
    sentinel.turn_input("one")
    assert sentinel.cut("one", [said, mark, said, mark]) == [said, said]
    sentinel.turn_input("two")
    assert sentinel.cut("two", [mark]) == []


@pytest.mark.parametrize("times", [0, 2])
def test_one_too_many_or_too_few_is_noticed(times: int) -> None:
    """The turn recorded something else, or nothing: the prompt is not the history's."""
    sentinel = Sentinel()
    sentinel.turn_input("one")
    with pytest.raises(BinaryIncoherent, match="1 turns brought"):
        sentinel.cut("one", [message(sentinel.text)] * times)


def test_no_two_have_one_text() -> None:
    """What a history holds is never taken for it."""
    assert Sentinel().text != Sentinel().text
