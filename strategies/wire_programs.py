"""The random group `wire`: odd but readable items, and operations that must be refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contextcert.refmodel import ITEM_TYPES, MODALITIES, Json, JsonObject
from contextcert.strategies.drafts import Draft
from contextcert.strategies.faults import malformed_items, plainest
from contextcert.strategies.fields import fields_of
from contextcert.strategies.item_values import ID_PREFIXES
from contextcert.strategies.letters import Act, performed
from contextcert.strategies.projecting import Script, bringing_in, for_prompt
from contextcert.strategies.scope import Scope

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

_UNKNOWN_TYPES: Final = ("brand_new", "Message", "function_call ", "other", "")


@cache
def wire_scripts(
    scope: Scope, programs: Callable[[int], SearchStrategy[str]]
) -> SearchStrategy[Script]:
    """Give the strategy of scripts for ITEM-1 to ITEM-8; about half of them hold a malformed item.

    Args:
        scope: what may be generated.
        programs: makes the strategy of programs over a number of letters.
    """
    table = tuple(_acts(scope))
    faults = malformed_items(scope)
    return st.builds(
        partial(_script, table, scope),
        programs(len(table)),
        st.sampled_from(((),) * len(faults) + tuple((fault,) for fault in faults)),
    )


def _script(table: tuple[Act, ...], scope: Scope, program: str, faults: tuple[Json, ...]) -> Script:
    draft = performed(program, table)
    modalities = tuple(name for name in MODALITIES if scope.takes_modality(name))
    ops = [bringing_in(draft.items, draft.wishes, scope)]
    ops += [bringing_in([*draft.items[:2], fault], draft.wishes, scope) for fault in faults]
    ops += [{"op": "raw_items"}, for_prompt(modalities)]
    if "annotate" in draft.wishes:
        ops += [{"op": "raw_envelopes"}]
        ops += [{"op": "for_prompt_annotated", "input_modalities": [*modalities]}]
    return [op for op in ops if scope.may(str(op["op"]))]


def _acts(scope: Scope) -> Iterator[Act]:
    """List the acts of the letters: begin an item, set its fields to odd values, pick a route."""
    for item_type in ITEM_TYPES:
        if scope.takes_type(item_type):
            weight = 2 if item_type in _RICH_TYPES else 1
            yield from [partial(_start, plainest(item_type, scope), scope.mints_ids)] * weight
    if scope.takes_type("compaction"):
        summary = {**plainest("compaction", scope), "type": "compaction_summary"}
        yield partial(_start, summary, scope.mints_ids)
    if scope.takes_type("message"):
        yield partial(_start, {"type": "message", "role": "system", "content": []}, False)
    for unknown in _UNKNOWN_TYPES:
        yield partial(_start, {"type": unknown, "id": "x_1", "call_id": 7, "role": []}, False)
    for place in range(_MOST_VALUES):
        yield from [partial(_set_field, scope, place)] * 2
    for place in range(_MOST_FIELDS):
        yield partial(_null_field, scope, place)
    for trap in (str.upper, str.title, _with_long_s, _with_kelvin):
        yield partial(_add_trap, trap)
    for key in ("__proto__", "more", "Type"):
        yield partial(_add_unknown, key)
    yield from _routes(scope)


def _start(value: JsonObject, with_id: bool, draft: Draft) -> None:  # noqa: FBT001 -- bound by partial
    prefix = ID_PREFIXES.get(str(value["type"]), "cmp")
    draft.start({**value, "id": f"{prefix}_{len(draft.items)}"} if with_id else value)


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
    """Write null for an optional field (ITEM-3), for an id only where none is minted then."""
    value = draft.edit()
    fields = fields_of(str(value["type"]), scope) if value["type"] in ITEM_TYPES else ()
    optional = [field for field in fields if not field.required]
    if optional and not (scope.mints_ids and optional[place % len(optional)].name == "id"):
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
