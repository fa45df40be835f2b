"""Probes of what decoders and encoders lose: emptiness, numbers, text, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from contextcert.refmodel.modes import Edition
from contextcert.smoke.probe import Probe, as_the_model
from contextcert.smoke.samples import (
    RAW,
    RAW_ENVELOPES,
    message,
    record,
    record_envelopes,
    value_everywhere,
)
from contextcert.smoke.steps import Culprit

if TYPE_CHECKING:
    from contextcert.refmodel.json_value import Json, JsonObject

_EMPTY: Final[JsonObject] = {
    "null": None,
    "text": "",
    "list": [],
    "object": {},
    "nested": [None, "", [], {}, [[]], {"null": None}],
}

_SMALL_NUMBERS: Final[list[Json]] = [
    0,
    -1,
    2**31,
    2**32,
    -(2**31) - 1,
    2**53 - 1,
    1 - 2**53,
    0.1,
    -1.5,
    5e-324,
    1.7976931348623157e308,
]
_LARGE_NUMBERS: Final[list[Json]] = [
    2**53 + 1,
    -(2**53) - 1,
    2**63,
    -(2**63) - 1,
    2**64 - 1,
    2**64,
    10**40 + 1,
]
_KINDS_OF_ONE: Final[list[Json]] = [1, 1.0, -1, -1.0, 0, 0.0, True, False, "1", 1e15, 10**15]

TEXTS: Final = (
    "\u0000 in the middle \u0000",
    "".join(map(chr, range(0x20))) + "\u007f\u0080\u0085\u009f",
    "e\u0301 is not \u00e9, \u212b is not \u00c5, \u1112\u1161\u11ab is not \ud55c",
    "\u2028\u2029\u00a0\u3000",
    "\ufeffmarks at both ends\ufeff",
    "ends in\r\nCR LF, in\n\rLF CR, in\rCR and in\nLF, twice\r\n\r\n",
    "\u001c\u001d \t\n\r white space at both ends \u0085\u001f",
    "\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0010ffff \ufdd0\uffff\ufffd",
    '\\u0041 \\n \\\\ " / </script> \\ud83d',
    "\u202eright to left",
    "\u0130\u0131 \u017f\u212a \u1e9e\u00df",
)

_KEYS: Final[JsonObject] = {
    key: place
    for place, key in enumerate(
        (
            "__proto__",
            "constructor",
            "toString",
            "hasOwnProperty",
            "",
            "name",
            "Name",
            "NAME",
            "k",
            "K",
            "\u212a",
            "s",
            "S",
            "\u017f",
            "\u00e9",
            "e\u0301",
            "\ufeff",
            "\u0000",
            "\u2028",
            "\U0001f600",
            "10",
            "9",
            " name",
            "a.b",
            "a/b~c",
            "$ref",
            "type",
        )
    )
}

_MANY_KEYS: Final[JsonObject] = _KEYS | {
    "__proto__": {"__proto__": 1, "polluted": "yes"},
    "nested": [_KEYS],
}


def _outputs(*bodies: Json) -> list[JsonObject]:
    return [
        {"type": "function_call_output", "id": f"fco_{place}", "call_id": "c1", "output": body}
        for place, body in enumerate(bodies)
    ]


def _shell(**call_id: Json) -> JsonObject:
    action: JsonObject = {
        "type": "exec",
        "command": [],
        "timeout_ms": None,
        "working_directory": None,
        "env": {},
        "user": "",
    }
    shell: JsonObject = {"type": "local_shell_call", "id": "lsh_1", "status": "completed"}
    return shell | call_id | {"action": action}


def _search(**call_id: Json) -> JsonObject:
    call: JsonObject = {"type": "tool_search_call", "id": "tsc_1", "execution": "client"}
    return call | call_id | {"arguments": _EMPTY}


def _assistant(**more: Json) -> JsonObject:
    plain: JsonObject = {"type": "message", "role": "assistant", "content": []}
    return plain | more


def _envelope(metadata: Json) -> JsonObject:
    return {"item": message("hi"), "metadata": metadata}


_OTHER_CASE: Final[JsonObject] = {
    "ID": "m",
    "Role": "user",
    "CONTENT": [7],
    "pha\u017fe": "commentary",
}

_LOSSLESS: Final = (
    "Decode into values that tell null from absent and write back exactly what was read: no "
    "omitempty, no nil slice for [], no default in place of null."
)
_ITEMS_KEEP: Final = (
    "Other values survive, so look where items are read and written: {} (ITEM-3, ITEM-5)."
)

TEXT_IN_VALUES: Final = "Text of any characters survives in values"
TEXT_IN_ITEMS: Final = "Text of any characters survives in items"
TEXT_REMEDY: Final = (
    "Read and write UTF-8 as it is: no normalising, no trimming, no replacement, and escapes once."
)

ENCODING: Final = (
    Probe(
        'Null, "", [] and {} stay four values',
        value_everywhere(_EMPTY),
        as_the_model,
        Culprit.ADAPTER,
        _LOSSLESS,
        lenient=True,
    ),
    Probe(
        'An output\'s body keeps "", [] and [""] apart',
        (record(*_outputs("", [], [{"type": "input_text", "text": ""}])), RAW),
        as_the_model,
        Culprit.IMPLEMENTATION,
        _ITEMS_KEEP.format("a body is a string or a list, and either may be empty"),
        item_types=("function_call_output",),
        profiles=("wire",),
        editions=(Edition.AUGUST_2026,),
    ),
    Probe(
        'An item\'s id keeps absent and "" apart, and reads null as absent',
        (record(_assistant(), _assistant(id=None), _assistant(id=""), _assistant(id="msg_1")), RAW),
        as_the_model,
        Culprit.IMPLEMENTATION,
        _ITEMS_KEEP.format("an empty id is an id, an absent or null one is left out"),
        item_types=("message",),
        profiles=("wire",),
        editions=(Edition.AUGUST_2026,),
    ),
    Probe(
        'A call id keeps absent and "" apart, and writes null where it is absent',
        (
            record(
                _shell(),
                _shell(call_id=None),
                _shell(call_id=""),
                _search(),
                _search(call_id=None),
                _search(call_id=""),
            ),
            RAW,
        ),
        as_the_model,
        Culprit.IMPLEMENTATION,
        _ITEMS_KEEP.format("an empty call id is one, an absent one is written as null"),
        profiles=("wire",),
    ),
    Probe(
        "Metadata keeps null, {} and what is in it apart",
        (
            record_envelopes(_envelope(None), _envelope({}), _envelope(_EMPTY)),
            RAW_ENVELOPES,
        ),
        as_the_model,
        Culprit.ADAPTER,
        'An envelope without metadata says "metadata": null; any other metadata is opaque.',
        item_types=("message",),
    ),
    Probe(
        "Integers up to 2^53 - 1 and fractions survive",
        value_everywhere(_SMALL_NUMBERS),
        as_the_model,
        Culprit.ADAPTER,
        "Read numbers into 64-bit integers or doubles, and print doubles so that they read back.",
        lenient=True,
    ),
    Probe(
        "Integers beyond 2^53 survive",
        value_everywhere(_LARGE_NUMBERS),
        as_the_model,
        Culprit.ADAPTER,
        "Keep integers of any size (or the text of a number), or do not declare exact_numbers.",
        needs=("exact_numbers",),
        lenient=True,
    ),
    Probe(
        "1, 1.0 and true are three values",
        value_everywhere(_KINDS_OF_ONE),
        as_the_model,
        Culprit.ADAPTER,
        "Keep whether a number was written with a fraction, or do not declare exact_numbers.",
        needs=("exact_numbers",),
        lenient=True,
    ),
    Probe(
        TEXT_IN_VALUES,
        # Some encoders treat the members of an object otherwise than the entries of a list.
        value_everywhere([message(*TEXTS), *TEXTS]),
        as_the_model,
        Culprit.ADAPTER,
        TEXT_REMEDY,
        lenient=True,
    ),
    Probe(
        TEXT_IN_ITEMS,
        (record(message(*TEXTS)), RAW),
        as_the_model,
        Culprit.IMPLEMENTATION,
        "Other values survive, so look where items are read, kept and written: text is opaque.",
        item_types=("message",),
    ),
    Probe(
        "Keys of any characters survive",
        value_everywhere(_MANY_KEYS),
        as_the_model,
        Culprit.ADAPTER,
        "Keep keys as they are: __proto__ is an ordinary one (assigning it loses it in "
        "JavaScript), and letter case counts.",
        lenient=True,
    ),
    Probe(
        "The fields of an item match in their own letter case alone",
        (record(_assistant(**_OTHER_CASE)), RAW),
        as_the_model,
        Culprit.IMPLEMENTATION,
        "Match keys exactly (ITEM-1): Go's decoder takes any letter case, so look fields up in a "
        "map; unknown ones are dropped.",
        item_types=("message",),
        profiles=("wire",),
        editions=(Edition.AUGUST_2026,),
    ),
    Probe(
        "The fields of an item may come in any order",
        (record(dict(reversed(message("hi").items()))), RAW),
        as_the_model,
        Culprit.IMPLEMENTATION,
        "Look at `type` before the other fields, wherever it stands.",
        item_types=("message",),
    ),
)
