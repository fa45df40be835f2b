"""The random group `wire`: odd but readable items, and operations that must be refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contextcert.refmodel import ITEM_TYPES, MODALITIES, Json, JsonObject
from contextcert.strategies.drafts import Draft
from contextcert.strategies.fields import fields_of
from contextcert.strategies.letters import FIRST_LETTER, Act, alphabet_of, performed
from contextcert.strategies.projecting import Script, bringing_in, for_prompt
from contextcert.strategies.scope import Scope
from contextcert.strategies.specimens import (
    items_not_recorded,
    malformed_items,
    odd_items,
    plainest,
)

_MOST_FIELDS: Final = 7
"""No item type has more fields than that, `type` left out."""

_MOST_VALUES: Final = 30
"""No item type has more readable values than that, all its fields together."""

_RICH_TYPES: Final = frozenset(
    {
        "message",
        "reasoning",
        "function_call_output",
        "custom_tool_call_output",
        "tool_search_call",
        "local_shell_call",
        "web_search_call",
    },
)
"""Types whose fields take values of many forms."""


@cache
def wire_scripts(
    scope: Scope, programs: Callable[[int], SearchStrategy[str]]
) -> SearchStrategy[Script]:
    """Give the strategy of scripts for ITEM-1 to ITEM-8.

    A script holds the items of a program, readable specimens, and malformed items, each of these in
    an operation of its own.

    Args:
        scope: what may be generated.
        programs: makes the strategy of programs over a number of letters.
    """
    table = tuple(_acts(scope))
    specimens, faults = odd_items(scope), malformed_items(scope)
    return st.builds(
        partial(_script, table, scope),
        programs(len(table)),
        choices(specimens, _SPECIMENS),
        choices(faults, _FAULTS),
    )


_SPECIMENS: Final = (0, 4, 12)
_FAULTS: Final = (0, 0, 16)
"""How many specimens and faults a script holds at least."""


def choices(values: tuple[Json, ...], counts: tuple[int, ...]) -> SearchStrategy[list[Json]]:
    """Give the strategy of lists of the values, each drawn as one letter of a single string."""
    letters = alphabet_of(len(values))
    of_count = {
        count: st.text(letters, min_size=count, max_size=2 * max(counts)) for count in counts
    }
    drawn = st.sampled_from(counts).flatmap(of_count.__getitem__)
    return drawn.map(lambda string: [values[ord(letter) - FIRST_LETTER] for letter in string])


def _script(
    table: tuple[Act, ...], scope: Scope, program: str, specimens: list[Json], faults: list[Json]
) -> Script:
    draft = performed(program, table)
    modalities = tuple(filter(scope.takes_modality, MODALITIES))
    items = [*draft.items, *specimens]
    ops = [bringing_in(items, draft.wishes, scope)]
    ops += [bringing_in([*items[:1], fault], draft.wishes, scope) for fault in faults]
    ops += [{"op": "raw_items"}, for_prompt(modalities)]
    if "annotate" in draft.wishes:
        ops += [{"op": "raw_envelopes"}]
        ops += [{"op": "for_prompt_annotated", "input_modalities": [*modalities]}]
    return [op for op in ops if scope.may(str(op["op"]))]


def specimen_scripts(scope: Scope) -> Iterator[Script]:
    """Give one script for every listed odd item, and one for every listed malformed item.

    They are to the clauses of ITEM what small histories are to the others: each case there is.
    """
    odd = odd_items(scope)
    for item in odd:
        yield _looked_at(bringing_in([item], _ways(scope), scope), scope)
    for fault in malformed_items(scope):
        yield _looked_at(bringing_in([odd[0], fault], (), scope), scope)


def _looked_at(filling: JsonObject, scope: Scope) -> Script:
    modalities = tuple(filter(scope.takes_modality, MODALITIES))
    ops: Script = [filling, {"op": "raw_items"}, for_prompt(modalities)]
    return [op for op in ops if scope.may(str(op["op"]))]


def _ways(scope: Scope) -> tuple[str, ...]:
    """Replace, which keeps what recording drops, where the adapter can."""
    return ("replace",) if scope.may("replace") else ()


def _acts(scope: Scope) -> Iterator[Act]:
    """List the acts of the letters: begin an item, set its fields to odd values, pick a route."""
    for item_type in ITEM_TYPES:
        if scope.takes_type(item_type):
            weight = 2 if item_type in _RICH_TYPES else 1
            yield from [partial(_start, plainest(item_type, scope))] * weight
    if scope.takes_type("compaction"):
        summary = {**plainest("compaction", scope), "type": "compaction_summary"}
        yield partial(_start, summary)
    for dropped in items_not_recorded(scope):
        yield partial(_start, dropped)
    for place in range(_MOST_VALUES):
        yield from [partial(_set_field, scope, place)] * 2
    for place in range(_MOST_FIELDS):
        yield partial(_null_field, scope, place)
    for trap in (str.upper, str.title, _with_long_s, _with_kelvin):
        yield partial(_add_trap, trap)
    for key in ("__proto__", "more", "Type"):
        yield partial(_add_unknown, key)
    yield from _routes(scope)


def _start(value: JsonObject, draft: Draft) -> None:
    draft.start(value)


def _set_field(scope: Scope, place: int, draft: Draft) -> None:
    """Set a field of the last item to a readable value, counted over all that its type has."""
    value = draft.edit()
    choices = _choices(str(value["type"]), scope)
    if choices:
        name, chosen = choices[place % len(choices)]
        value[name] = chosen


@cache
def _choices(item_type: str, scope: Scope) -> tuple[tuple[str, Json], ...]:
    fields = fields_of(item_type, scope) if item_type in ITEM_TYPES else ()
    return tuple((field.name, value) for field in fields for value in field.good)


def _null_field(scope: Scope, place: int, draft: Draft) -> None:
    """Write null for an optional field (ITEM-3)."""
    value = draft.edit()
    fields = fields_of(str(value["type"]), scope) if value["type"] in ITEM_TYPES else ()
    optional = [field for field in fields if not field.required]
    if optional:
        value[optional[place % len(optional)].name] = None


def _add_trap(trap: Callable[[str], str], draft: Draft) -> None:
    """Add look-alikes of every key, which a decoder that folds letter case takes for the key."""
    value = draft.edit()
    for key in list(value):
        value.setdefault(trap(key), "trap")


def _with_long_s(key: str) -> str:
    return key.replace("s", "\u017f")


def _with_kelvin(key: str) -> str:
    return key.replace("k", "\u212a")


def _add_unknown(key: str, draft: Draft) -> None:
    draft.edit()[key] = {"role": "trap", "content": [None]}


def _routes(scope: Scope) -> Iterator[Act]:
    if scope.may("replace"):
        yield from [partial(_wish, "replace")] * 3
    if scope.may("record_annotated_items") and scope.may("for_prompt_annotated"):
        yield from [partial(_wish, "annotate")] * 2


def _wish(name: str, draft: Draft) -> None:
    draft.wishes.add(name)
