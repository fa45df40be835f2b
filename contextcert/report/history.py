"""Draws scripts, items and outcomes as a person reads them: one line an item."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.report.escape import compact, plain
from contextcert.report.excerpt import LONGEST_SCRIPT, MOST_ITEMS, around, left_out
from contextcert.subject import Script

KIND_WIDTH: Final = 24
ARGUMENT_LIMIT: Final = 400
_SHOWN_FIRST: Final = ("call_id", "id", "role", "author", "recipient", "name")


def script_lines(
    script: Script, marked: int | None = None, *, kept: str = "", near: int = 0
) -> Iterator[Text]:
    """Draw a script: a line an operation, and under it a line for each item that it brings.

    The operation with the index `marked` is the one that went wrong. Of a long script only what
    lies around it is drawn, and of many items what lies around the place `near`; `kept` says where
    the rest is.
    """
    shown = around(marked or 0, len(script), LONGEST_SCRIPT)
    if shown.start:
        yield left_out(shown.start, "operation", kept)
    for place in shown:
        op = script[place]
        style = "bold red" if place == marked else "bold"
        pointer = "▶ " if place == marked else "  "
        yield Text.assemble((pointer + plain(str(op.get("op"))), style), _arguments(op))
        yield from _brought(_items(op), near, kept)
    if shown.stop < len(script):
        yield left_out(len(script) - shown.stop, "operation", kept)


def _brought(items: list[Json], near: int, kept: str) -> Iterator[Text]:
    shown = around(near, len(items), MOST_ITEMS)
    if shown.start:
        yield left_out(shown.start, "item", kept, indent=8)
    for place in shown:
        yield Text.assemble((f"    {place + 1:>2}  ", "dim"), _item_text(items[place]))
    if shown.stop < len(items):
        yield left_out(len(items) - shown.stop, "item", kept, indent=8)


def outcome_lines(outcome: Json) -> Iterator[Text]:
    """Draw an outcome, or a part of one."""
    if isinstance(outcome, list) and _are_items(outcome):
        yield from prompt_lines(outcome)
    elif not isinstance(outcome, dict):
        yield Text(compact(outcome, ARGUMENT_LIMIT))
    elif "type" in outcome or isinstance(outcome.get("item"), dict):
        yield _item_text(outcome)
    else:
        for key, value in outcome.items():
            yield from _part_lines(key, value)


def prompt_lines(items: list[Json]) -> Iterator[Text]:
    """Draw a list of items."""
    if not items:
        yield Text("(no items)", "dim")
    yield from map(_item_text, items)


def _part_lines(key: str, value: Json) -> Iterator[Text]:
    if key == "ok" and isinstance(value, list) and _are_items(value):
        yield from prompt_lines(value)
        return
    shown = plain(value) if isinstance(value, str) else compact(value, ARGUMENT_LIMIT)
    yield Text.assemble((f"{plain(key)}: ", "red" if key == "panic" else "dim"), shown)


def _are_items(values: list[Json]) -> bool:
    return all(isinstance(value, dict) and ("type" in value or "item" in value) for value in values)


def _item_text(item: Json) -> Text:
    if not isinstance(item, dict):
        return Text(compact(item, ARGUMENT_LIMIT))
    if isinstance(item.get("item"), dict):
        rest = {key: value for key, value in item.items() if key != "item"}
        return _item_text(item["item"]).append(f"  {compact(rest, ARGUMENT_LIMIT)}", "dim")
    drawn = Text.assemble((f"{plain(str(item.get('type'))):<{KIND_WIDTH}}", "cyan"))
    for key in _ordered_keys(item):
        drawn.append(f" {plain(key)} ", "dim").append(compact(item[key], ARGUMENT_LIMIT))
    return drawn


def _ordered_keys(item: JsonObject) -> list[str]:
    first = [key for key in _SHOWN_FIRST if key in item]
    return [*first, *(key for key in item if key not in first and key != "type")]


def _arguments(op: JsonObject) -> Text:
    drawn = Text()
    for key, value in op.items():
        if key in {"op", "items", "envelopes"}:
            continue
        drawn.append(f"  {plain(key)} ", "dim").append(_argument(value))
    return drawn


def _argument(value: Json) -> str:
    match value:
        case {"mode": str(unit), "limit": limit}:
            return f"{compact(limit)} {plain(unit)}"
        case [*names] if names and all(isinstance(name, str) for name in names):
            return ", ".join(plain(str(name)) for name in names)
        case []:
            return "none"
    return compact(value, ARGUMENT_LIMIT)


def _items(op: JsonObject) -> list[Json]:
    items = op.get("items", op.get("envelopes"))
    return items if isinstance(items, list) else []
