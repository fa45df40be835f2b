"""Reads panic messages and diagnostics that the facts do not bear out.

`Custom tool call output is missing for call id: X` where X is answered says which call the
subject takes for unanswered, even in debug, where there is no prompt to look at.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import define, field

from contextcert.properties.history_facts import MISSING, ORPHANED, HistoryFacts
from contextcert.properties.item_facts import FUNCTION_OUTPUT

_CALL_ID: Final = "call id: "


@define(eq=False)
class Accusations:
    """What messages name wrongly.

    `calls` are answered calls called unanswered, `outputs` outputs called orphans that are none,
    `synthetic` unanswered calls whose synthetic output is called an orphan, `unknown` messages
    that name nothing of the kind.
    """

    calls: set[int] = field(factory=set)
    outputs: set[int] = field(factory=set)
    synthetic: set[int] = field(factory=set)
    unknown: list[str] = field(factory=list)

    def __bool__(self) -> bool:
        """Whether anything is named."""
        return bool(self.calls or self.outputs or self.synthetic or self.unknown)


NONE: Final = Accusations()
"""No accusation; never added to."""


def accusations(facts: HistoryFacts, messages: Iterable[str]) -> Accusations:
    """Find what each message that is no anomaly's refers to."""
    wrong = [message for message in messages if message not in facts.messages]
    if not wrong:
        return NONE
    found = Accusations()
    for message in wrong:
        if not (_missing(facts, message, found) or _orphaned(facts, message, found)):
            found.unknown.append(message)
    return found


def named_call_id(message: str) -> str | None:
    """Give the call id that a message ends with, if it names one."""
    _, found, call_id = message.partition(_CALL_ID)
    return call_id if found else None


def _missing(facts: HistoryFacts, message: str, found: Accusations) -> bool:
    for call_type, start in MISSING.items():
        if message.startswith(start):
            call_id = message.removeprefix(start)
            places = [
                place
                for place, item in enumerate(facts.items)
                if item.type == call_type and (item.call_id or "") == call_id
            ]
            found.calls.update(places)
            return bool(places)
    return False


def _orphaned(facts: HistoryFacts, message: str, found: Accusations) -> bool:
    for output_type, start in ORPHANED.items():
        if message.startswith(start):
            key = (output_type, message.removeprefix(start))
            outputs = facts.outputs.get(key, [])
            if not outputs and output_type == FUNCTION_OUTPUT:
                outputs = list(facts.loose)  # whatever the message calls a call id that is absent
            found.outputs.update(outputs)
            calls = [] if outputs else facts.calls.get(key, [])
            found.synthetic.update(calls)
            return bool(outputs or calls)
    return False
