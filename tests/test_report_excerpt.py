"""What is long is shown around the place that matters, and the rest is said to be elsewhere."""

from __future__ import annotations

import io

import pytest
from rich.console import Console, RenderableType

from contextcert.refmodel import JsonObject
from contextcert.report.counterexample import drawn_script, side_by_side
from contextcert.report.excerpt import LONGEST_SCRIPT, MOST_ITEMS, around
from contextcert.subject import Script


def shown(what: RenderableType, width: int = 100) -> str:
    """Draw without colours."""
    console = _console(width)
    console.print(what)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def records(count: int, items: int = 1) -> Script:
    """Give a script of so many operations, which bring so many numbered items each."""
    return [{"op": "record_items", "items": [*_items(items)], "number": n} for n in range(count)]


@pytest.mark.parametrize("place", [0, 5, 11, 19])
def test_what_is_shown_holds_the_place_and_has_its_size(place: int) -> None:
    """Whatever the place, it is among so many neighbours."""
    window = around(place, 20, LONGEST_SCRIPT)
    assert place in window
    assert len(window) == LONGEST_SCRIPT


def test_a_short_script_is_shown_whole() -> None:
    """Nothing is left out where nothing is long."""
    assert "…" not in shown(drawn_script(records(LONGEST_SCRIPT, MOST_ITEMS), 2, kept="in F"))


def test_a_long_script_is_shown_around_the_operation_that_went_wrong() -> None:
    """What lies before and after is counted, with the place where all of it is."""
    drawn = shown(drawn_script(records(40), 20, kept="all of them are in F"))
    assert "… 14 more operations (all of them are in F)" in drawn
    assert "… 18 more operations (all of them are in F)" in drawn
    assert drawn.count("record_items") == LONGEST_SCRIPT
    assert "▶ record_items  number 20" in drawn


def test_many_items_are_shown_around_the_place_that_differs() -> None:
    """The path into the outcome says where in the history to look."""
    drawn = shown(drawn_script(records(1, 300), 0, kept="--out DIR keeps them", path="/ok/150/id"))
    assert "… 135 more items (--out DIR keeps them)" in drawn
    assert '"n150"' in drawn
    assert drawn.count("message") == MOST_ITEMS


@pytest.mark.parametrize("width", [60, 160])
def test_long_outcomes_are_shown_around_the_first_difference(width: int) -> None:
    """Equal lines far away are counted, on both sides alike."""
    expected, actual = _items(100), _items(100)
    del actual[70]
    compared = side_by_side(_console(width), {"ok": [*expected]}, {"ok": [*actual]})
    drawn = shown(compared, width)
    assert drawn.count("… 65 more lines") == 2
    assert drawn.count('"n70"') == 1
    assert '"n3"' not in drawn


def _console(width: int) -> Console:
    return Console(file=io.StringIO(), width=width, highlight=False, markup=False)


def _items(count: int) -> list[JsonObject]:
    return [{"type": "message", "role": "user", "name": f"n{n}"} for n in range(count)]
