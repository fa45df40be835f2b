"""A script in the making: what the letters of a program act upon."""

from __future__ import annotations

from typing import Final

from attrs import Factory, define

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.item_values import item

Item = JsonObject


@define
class Draft:
    """Items so far, and the wishes for the operations around them.

    Attributes:
        items: the history in order; only the last may be changed, through `edit`.
        pauses: for every place where recording stops for a while, the number of items before it,
            and whether the history is projected there.
        wishes: names of what else the script does.
        without: modalities that the model does not take.
    """

    items: list[Item] = Factory(list)
    pauses: list[tuple[int, bool]] = Factory(list)
    wishes: set[str] = Factory(set)
    without: set[str] = Factory(set)
    _own: bool = False
    _first_body: bool = False

    def start(self, value: Item) -> None:
        """Append an item, which may be shared with other drafts."""
        self.items.append(value)
        self._own = False
        self._first_body = True

    def edit(self) -> Item:
        """Give the last item for changing its fields; an item of no use when there is none."""
        if not self.items:
            return {"type": ""}
        if not self._own:
            self.items[-1] = dict(self.items[-1])
            self._own = True
        return self.items[-1]

    def add_entry(self, entry: Item) -> None:
        """Append a content entry; the first one takes the place of the body the item began with."""
        value = self.edit()
        body = "content" if "content" in value else "output"
        old = value[body]
        keep = isinstance(old, list) and not self._first_body
        value[body] = [*old, entry] if keep and isinstance(old, list) else [entry]
        self._first_body = False

    def set_body(self, body: str | list[Json]) -> None:
        """Give the last item another body; a message takes arrays only."""
        value = self.edit()
        if "output" in value:
            value["output"] = body
        elif "content" in value and isinstance(body, list):
            value["content"] = body
        self._first_body = False


def settled(items: list[Item]) -> list[Item]:
    """Give the history without its anomalies (MODE-1).

    Orphans are left out, and every custom and local shell call that lacks an output gets one at
    the end. Function and tool search calls may stay unanswered (MODE-2).
    """
    calls = {(_FAMILY[str(one["type"])], one["call_id"]) for one in items if _is_call(one)}
    kept = [one for one in items if not _is_orphan(one, calls)]
    answered = {(_FAMILY[str(one["type"])], one.get("call_id")) for one in kept if _is_output(one)}
    late: dict[tuple[str, Json], Item] = {}
    for one in kept:
        output_type = _ANSWER_NEEDED.get(str(one["type"]))
        if output_type is None or one["call_id"] is None:
            continue
        key = (_FAMILY[output_type], one["call_id"])
        if key not in answered:
            late[key] = _answer(output_type, one)
    return [*kept, *late.values()]


_FAMILY: Final = {
    "function_call": "function",
    "local_shell_call": "function",
    "function_call_output": "function",
    "custom_tool_call": "custom",
    "custom_tool_call_output": "custom",
    "tool_search_call": "search",
    "tool_search_output": "search",
}

_ANSWER_NEEDED: Final = {
    "custom_tool_call": "custom_tool_call_output",
    "local_shell_call": "function_call_output",
}


def _is_output(value: Item) -> bool:
    return str(value["type"]) in _FAMILY and not _is_call(value)


def _is_call(value: Item) -> bool:
    return str(value["type"]) in _FAMILY and str(value["type"]).endswith("call")


def _is_orphan(value: Item, calls: set[tuple[str, Json]]) -> bool:
    if not _is_output(value) or value.get("call_id") is None:
        return False
    if value.get("execution") == "server":
        return False
    return (_FAMILY[str(value["type"])], value["call_id"]) not in calls


def _answer(output_type: str, call: Item) -> Item:
    named: JsonObject = {"id": "late_1"} if call.get("id") else {}
    return item(output_type, call_id=call["call_id"], output="late", **named)
