"""Whatever a subject or a file supplied is harmless in a terminal, and still readable."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.report.counterexample import drawn_script, side_by_side
from contextcert.report.escape import compact, line, plain
from contextcert.report.history import outcome_lines, script_lines

HOSTILE = "\x1b[31mred\x07\r\u202e\u2066\x9b2J[bold]x[/bold]\n"


@pytest.mark.parametrize(
    "character", ["\x1b", "\x07", "\r", "\n", "\x9b", "\u202e", "\u2028", "\ufeff", "\x00"]
)
def test_control_and_invisible_characters_are_spelled_out(character: str) -> None:
    """No character that moves the cursor or reorders a line reaches the terminal."""
    assert character not in plain(f"a{character}b")
    assert plain(f"a{character}b").startswith("a\\")


def test_ordinary_text_of_any_script_stays() -> None:
    """Letters, accents and emoji are shown as they are."""
    assert plain("héllo Wörld 😀 日本") == "héllo Wörld 😀 日本"


def test_long_text_is_cut_with_an_ellipsis() -> None:
    """A limit keeps the width, and the cut shows."""
    assert plain("abcdef", 4) == "abc…"


def test_compact_json_is_one_escaped_line() -> None:
    """A value is shown on one line whatever it holds."""
    assert "\x1b" not in compact({"k": HOSTILE})
    assert "\n" not in compact({"k": HOSTILE})


def test_markup_is_shown_and_not_obeyed() -> None:
    """Square brackets in a subject's text are no markup."""
    shown = _printed(line("[bold]x[/bold] [link=http://a]b"))
    assert shown == "[bold]x[/bold] [link=http://a]b\n"


def test_a_hostile_script_prints_no_control_character() -> None:
    """Item types, keys, ids and operations are escaped as well."""
    item: Json = {"type": HOSTILE, "call_id": HOSTILE, HOSTILE: HOSTILE}
    script: list[JsonObject] = [{"op": HOSTILE, HOSTILE: HOSTILE, "items": [item, HOSTILE, None]}]
    shown = _printed(drawn_script(script, 0))
    assert not set(shown) & set("\x1b\x07\r\x9b\u202e\u2066")


def test_a_hostile_outcome_prints_no_control_character() -> None:
    """Panic messages, errors and diagnostics are escaped."""
    outcome: Json = {"panic": HOSTILE, "diagnostics": [HOSTILE], HOSTILE: {"a": HOSTILE}}
    console = _console()
    console.print(side_by_side(console, outcome, [HOSTILE]))
    assert not set(_shown(console)) & set("\x1b\x07\r\x9b\u202e\u2066")


def test_a_history_is_drawn_one_line_an_item() -> None:
    """An operation has a line, and so has each of its items."""
    items: Json = [{"type": "message", "role": "user"}, {"type": "other"}]
    script: list[JsonObject] = [
        {"op": "record_items", "items": items},
        {"op": "for_prompt", "input_modalities": []},
    ]
    drawn = [one.plain for one in script_lines(script, 1)]
    assert len(drawn) == 4
    assert drawn[1].split() == ["1", "message", "role", '"user"']
    assert drawn[3].startswith("▶ for_prompt")
    assert drawn[3].endswith("input_modalities none")


def test_an_empty_prompt_says_so() -> None:
    """An empty list is not drawn as nothing."""
    assert [one.plain for one in outcome_lines({"ok": []})] == ["(no items)"]


@pytest.mark.parametrize("width", [60, 160])
def test_expected_and_actual_are_both_shown_at_any_width(width: int) -> None:
    """A wide terminal has them side by side, a narrow one above each other; nothing is cut."""
    console = _console(width)
    console.print(side_by_side(console, {"ok": [{"type": "message", "id": "e" * 70}]}, "a" * 200))
    shown = _shown(console)
    assert shown.count("e") >= 70
    assert shown.count("a") >= 200
    assert max(map(len, shown.splitlines())) <= width
    assert "expected" in shown.splitlines()[0]
    assert "actual" in shown


def _console(width: int = 100) -> Console:
    return Console(file=io.StringIO(), width=width, markup=False, highlight=False, emoji=False)


def _shown(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def _printed(shown: object) -> str:
    console = _console()
    console.print(shown)
    return _shown(console)
