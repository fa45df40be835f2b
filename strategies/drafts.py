"""A script in the making: what the letters of a program act upon."""

from __future__ import annotations

from typing import Final

from attrs import Factory, define

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.item_values import ID_PREFIXES, item

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
        """Give the last item another body, if it is an output, or a message and the body a list."""
        value = self.edit()
        if "output" in value:
            value["output"] = body
        elif value["type"] == "message" and isinstance(body, list):
            value["content"] = body
        self._first_body = False


def settled(items: list[Item]) -> list[Item]:
    """Give the history without its anomalies (MODE-1), which are left out.

    Function and tool search calls may stay unanswered: that is no anomaly (MODE-2).
    """
    calls = {_pair(one) for one in items if _is_call(one)}
    outputs = {_pair(one) for one in items if _is_output(one)}
    return [one for one in items if not _is_orphan(one, calls) and not _is_missing(one, outputs)]


def answer_to(call: Item) -> Item | None:
    """Give the plainest output that answers the call; None if the item asks for no answer."""
    output_type = _OUTPUT_OF.get(str(call["type"]))
    if output_type is None or call.get("call_id") is None:
        return None
    named: JsonObject = {"id": f"{ID_PREFIXES[output_type]}_0"} if call.get("id") else {}
    return item(output_type, call_id=call["call_id"], **named)


_OUTPUT_OF: Final = {
    "function_call": "function_call_output",
    "local_shell_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    "tool_search_call": "tool_search_output",
}

_MUST_BE_ANSWERED: Final = frozenset({"custom_tool_call", "local_shell_call"})


def _pair(value: Item) -> tuple[str, Json]:
    """Give what a call and its output have in common: the output's type, and the call id."""
    item_type = str(value["type"])
    return _OUTPUT_OF.get(item_type, item_type), value.get("call_id")


def _is_call(value: Item) -> bool:
    return value["type"] in _OUTPUT_OF


def _is_output(value: Item) -> bool:
    return value["type"] in _OUTPUT_OF.values()


def _is_orphan(value: Item, calls: set[tuple[str, Json]]) -> bool:
    if not _is_output(value) or value.get("call_id") is None:
        return False
    return value.get("execution") != "server" and _pair(value) not in calls


def _is_missing(value: Item, outputs: set[tuple[str, Json]]) -> bool:
    if value["type"] not in _MUST_BE_ANSWERED or value.get("call_id") is None:
        return False
    return _pair(value) not in outputs
