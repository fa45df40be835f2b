"""The random group `unicode`: few items with texts, ids and arguments of every kind."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contextcert.refmodel import JsonObject
from contextcert.strategies.item_values import ID_PREFIXES
from contextcert.strategies.plain import Texts, call_ids, histories, item_ids, items, modalities
from contextcert.strategies.projecting import Script, bringing_in, for_prompt
from contextcert.strategies.scope import Scope
from contextcert.strategies.unicode_text import long_texts, texts


def unicode_scripts(scope: Scope) -> SearchStrategy[Script]:
    """Give the strategy of scripts whose items come from the plain strategies."""
    # Empty text in an output would not survive recording (E11-3).
    words = long_texts(min_size=1 if scope.mints_ids else 0)
    ids = st.one_of(call_ids(), texts(max_size=3))
    within = items(scope, call_ids=ids, item_ids=_item_ids(scope), texts=words)
    return st.builds(
        partial(_script, scope), histories(within), modalities(scope), st.sampled_from(_ways(scope))
    )


def _item_ids(scope: Scope) -> Texts:
    """Give ids of any form, or of the form that a prompt shows (E11-6)."""
    odd = texts(min_size=1).map("x_".__add__) if scope.mints_ids else texts()
    return st.one_of(item_ids(), odd)


def _ways(scope: Scope) -> tuple[frozenset[str], ...]:
    """List the ways to bring the items in, the plainest first."""
    ways = {"record": "record_items", "annotate": "record_annotated_items", "replace": "replace"}
    return tuple(frozenset({way}) for way, operation in ways.items() if scope.may(operation))


def _script(
    scope: Scope, history: list[JsonObject], chosen: tuple[str, ...], way: frozenset[str]
) -> Script:
    named = [_named(item, place, scope) for place, item in enumerate(history)]
    ops: Script = [bringing_in(named, way, scope), for_prompt(chosen), {"op": "raw_items"}]
    return [op for op in ops if scope.may(str(op["op"]))]


def _named(item: JsonObject, place: int, scope: Scope) -> JsonObject:
    """Give the item an id where recording would mint one (E11-2)."""
    if item.get("id") or not scope.mints_ids:
        return item
    return {**item, "id": f"{ID_PREFIXES[str(item['type'])]}_{place}"}
