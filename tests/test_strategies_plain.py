"""The plain strategies: readable values, pinned one dimension at a time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contextcert.refmodel import JsonObject, read_item, same_json, write_item
from contextcert.strategies import Scope, plain
from contextcert.strategies.unicode_text import texts

QUICK = settings(
    max_examples=60,
    database=None,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)

KINDS: tuple[Callable[[], SearchStrategy[JsonObject]], ...] = (
    plain.messages,
    plain.function_calls,
    plain.function_call_outputs,
    plain.custom_tool_calls,
    plain.custom_tool_call_outputs,
    plain.tool_search_calls,
    plain.tool_search_outputs,
    plain.local_shell_calls,
    plain.image_generation_calls,
    plain.compactions,
    plain.items,
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_items_are_in_their_final_form(kind: Callable[[], SearchStrategy[JsonObject]]) -> None:
    """Reading and writing gives every item back."""

    @QUICK
    @given(kind())
    def check(item: JsonObject) -> None:
        assert same_json(write_item(read_item(item)), item)

    check()


def test_one_dimension_can_be_pinned() -> None:
    """A call id given as a strategy is the only one drawn."""

    @QUICK
    @given(plain.histories(plain.function_calls(call_ids=st.just("x")), lengths=(3,)))
    def check(history: list[JsonObject]) -> None:
        assert [item["call_id"] for item in history] == ["x", "x", "x"]

    check()


def test_modalities_are_those_of_the_scope() -> None:
    """The simplest set is the full one."""
    assert find(plain.modalities(Scope.full()), lambda _: True) == ("text", "image", "audio")


def test_texts_hold_no_surrogates_and_reach_every_plane() -> None:
    """Texts can be encoded; NUL, a line separator and the last code point come up."""
    seen = set[str]()

    @settings(QUICK, max_examples=300)
    @given(texts(max_size=200).filter(lambda text: len(text) > 2))
    def check(text: str) -> None:
        text.encode()
        seen.update(text)

    check()
    planes = {ord(character) >> 16 for character in seen}
    assert {"\x00", '"', "\\", "\u2028", "\ufeff"} <= seen
    assert len(planes) >= 12


def test_text_shrinks_to_plain_letters() -> None:
    """The simplest text of three characters is `aaa`."""
    assert find(texts(), lambda text: len(text) == 3) == "aaa"
