"""How large a counterexample is: what makes one script smaller than another."""

from __future__ import annotations

import json
from typing import Final

from attrs import frozen

from contextcert.refmodel import MODALITIES
from contextcert.refmodel.json_value import JsonObject
from contextcert.strategies import POLICY
from contextcert.subject import Script

LISTS: Final = ("items", "envelopes")
"""The arguments that hold what an operation brings in."""

PLAIN: Final[JsonObject] = {"policy": POLICY, "input_modalities": [*MODALITIES]}
"""Arguments that a reader passes over: nothing is cut off, nothing is left out."""

EMPTY_CALL_ID: Final = json.dumps({"call_id": ""})[1:-1]
ODD: Final = 8
"""What an empty call_id counts for beside its letters: a history that needs none reads easier."""


@frozen(order=True)
class Weight:
    """Operations count first, then the items in all of them, then what else there is to read.

    The text itself comes last, so that of two scripts that differ one is always the smaller.
    """

    operations: int
    items: int
    length: int
    text: str

    @classmethod
    def of(cls, script: Script) -> Weight:
        """Weigh a script; what is plain in it is not read."""
        text = json.dumps([*map(_read, script)])
        length = len(text) + ODD * text.count(EMPTY_CALL_ID)
        return cls(len(script), sum(map(item_count, script)), length, text)


def item_count(op: JsonObject) -> int:
    """Count the items that an operation brings in."""
    return sum(len(listed) for key in LISTS if isinstance(listed := op.get(key), list))


def _read(op: JsonObject) -> JsonObject:
    return {key: value for key, value in op.items() if key not in PLAIN or PLAIN[key] != value}
