"""The random group `unicode`: few items with texts, ids and arguments of every kind."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contextcert.refmodel import JsonObject
from contextcert.strategies.plain import Texts, call_ids, histories, item_ids, items, modalities
from contextcert.strategies.projecting import Script, bringing_in, for_prompt
from contextcert.strategies.scope import Scope
from contextcert.strategies.unicode_text import long_texts, texts


def unicode_scripts(scope: Scope) -> SearchStrategy[Script]:
    """Give the strategy of scripts whose items come from the plain strategies."""
    ids = st.one_of(call_ids(), texts(max_size=3))
    within = items(scope, call_ids=ids, item_ids=_item_ids(scope), texts=long_texts())
    return st.builds(
        partial(_script, scope), histories(within), modalities(scope), st.sampled_from(_ways(scope))
    )


def _item_ids(scope: Scope) -> Texts:
    """Give ids of any form; in edition 2026-11 of one with a prefix or none (E11-6)."""
    odd = texts()
    if scope.mints_ids:
        odd = st.one_of(odd, odd.map("x_".__add__)).map(_with_one_prefix)
    return st.one_of(item_ids(), odd)


def _with_one_prefix(item_id: str) -> str:
    """Keep no underscore but the first: where a prefix ends is not always settled (E11-6)."""
    prefix, underscore, suffix = item_id.partition("_")
    return prefix + underscore + suffix.replace("_", "-")


def _ways(scope: Scope) -> tuple[frozenset[str], ...]:
    """List the ways to bring the items in, the plainest first."""
    ways = {"record": "record_items", "annotate": "record_annotated_items", "replace": "replace"}
    return tuple(frozenset({way}) for way, operation in ways.items() if scope.may(operation))


def _script(
    scope: Scope, history: list[JsonObject], chosen: tuple[str, ...], way: frozenset[str]
) -> Script:
    ops: Script = [bringing_in(history, way, scope), for_prompt(chosen), {"op": "raw_items"}]
    return [op for op in ops if scope.may(str(op["op"]))]
