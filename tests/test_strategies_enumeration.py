"""The enumeration of small histories and of sets of modalities."""

from __future__ import annotations

from itertools import chain, combinations, product

import pytest
from attrs import evolve

from contextcert.refmodel import Claim, Edition, JsonObject, Mode, run_script_in_both_modes
from contextcert.strategies import (
    Scope,
    alphabet,
    histories,
    history_count,
    modality_sets,
    operation_alphabet,
    operation_script_count,
    operation_scripts,
    projection_script,
)
from contextcert.strategies.item_values import item, text


def test_histories_come_shortest_first_and_none_is_missing() -> None:
    """Every history of up to three symbols comes exactly once, in the order of a dictionary."""
    expected = chain.from_iterable(product("abc", repeat=length) for length in range(4))
    assert list(histories("abc", 3)) == list(expected)
    assert history_count("abc", 3) == 1 + 3 + 9 + 27


def test_slices_make_up_the_whole() -> None:
    """Shards that touch give all histories, and a slice past the end gives none."""
    whole = list(histories("abc", 3))
    shards = [histories("abc", 3, start=start, stop=start + 7) for start in range(0, 40, 7)]
    assert list(chain.from_iterable(shards)) == whole
    assert list(histories("abc", 3, start=40)) == []


def test_nothing_but_the_empty_history_without_symbols() -> None:
    """An empty alphabet has one history."""
    assert list(histories("", 3)) == [()]
    assert history_count("", 3) == 1


def test_every_pair_of_symbols_occurs() -> None:
    """Histories of two symbols count as many as there are pairs."""
    symbols = alphabet(Scope.full())
    assert history_count(symbols, 2) == 1 + len(symbols) + len(symbols) ** 2


def test_modality_sets_are_all_subsets_and_the_full_one_comes_first() -> None:
    """The full claim has eight sets."""
    sets = modality_sets(Scope.full())
    subsets = chain.from_iterable(combinations(("text", "image", "audio"), n) for n in range(4))
    assert sets[0] == ("text", "image", "audio")
    assert sets[-1] == ()
    assert set(sets) == set(subsets)


def test_modality_sets_keep_to_the_claim() -> None:
    """Without audio four sets are left, without the profile `media` only the full one."""
    silent = evolve(Claim.full(), modalities=frozenset({"text", "image"}))
    blind = evolve(Claim.full(), profiles=frozenset({"projection"}))
    assert set(modality_sets(Scope(silent))) == {("text", "image"), ("text",), ("image",), ()}
    assert modality_sets(Scope(blind)) == (("text", "image", "audio"),)


def test_projection_script_records_once_and_projects_under_each_set() -> None:
    """One recording, then one projection a set."""
    item = alphabet(Scope.full())[0].item
    script = projection_script([item], [("text",), ()], Scope.full())
    assert [op["op"] for op in script] == ["record_items", "for_prompt", "for_prompt"]
    assert [op.get("input_modalities") for op in script[1:]] == [["text"], []]


def test_projection_script_restores_what_recording_would_change() -> None:
    """In edition 2026-11 an item with an empty id is restored, if SPEC settles what that gives."""
    scope = Scope.full(Edition.NOVEMBER_2026)
    without: JsonObject = {"type": "context_compaction"}
    with_empty: JsonObject = {**without, "id": ""}
    open_: JsonObject = {**item("function_call_output"), "output": [text("")]}
    assert projection_script([without], [()], scope)[0]["op"] == "record_items"
    assert projection_script([without, with_empty], [()], scope)[0]["op"] == "restore_items"
    assert projection_script([open_, with_empty], [()], scope)[0]["op"] == "record_items"


def test_operation_scripts_of_three_are_few_enough() -> None:
    """Three operations fit into what a `ci` budget runs in a minute or so."""
    assert len(operation_alphabet(Scope.full())) == 24
    assert operation_script_count(Scope.full(), 3) == 1 + 24 + 24**2 + 24**3 <= 15_000


@pytest.mark.parametrize("edition", list(Edition))
def test_operation_scripts_ask_for_nothing_odd(edition: Edition) -> None:
    """The model refuses nothing, whatever the edition, and slices make up the whole."""
    scope = Scope.full(edition)
    whole = list(operation_scripts(scope, 2))
    assert len(whole) == operation_script_count(scope, 2)
    assert list(operation_scripts(scope, 2, start=40, stop=90)) == whole[40:90]
    for script in whole:
        outcomes = run_script_in_both_modes(script, edition=edition)[Mode.RELEASE]
        assert {*chain.from_iterable(outcomes)} <= {"ok", "diagnostics"}


def test_operation_scripts_keep_to_the_claim() -> None:
    """Without `snapshots` there are no clones, and without `changes` no rollbacks."""
    claim = Claim.from_json({"profiles": ["recording", "cursor"], "item_types": ["message"]})
    scripts = list(operation_scripts(Scope(claim), 1))
    asked = {op["op"] for script in scripts for op in script}
    assert asked == {
        "record_items",
        "replace",
        "for_prompt",
        "raw_envelopes",
        "raw_items",
        "history_version",
        "read_transcript",
    }
    brought = [op["items"] for script in scripts for op in script if "items" in op]
    items = list(chain.from_iterable(one for one in brought if isinstance(one, list)))
    assert {item["type"] for item in items if isinstance(item, dict)} == {"message", "other"}
