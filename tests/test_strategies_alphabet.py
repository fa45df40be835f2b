"""The listed alphabet: enough symbols, each recorded as it is, and only what is claimed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attrs import evolve

from contextcert.refmodel import (
    ITEM_TYPES,
    MODALITIES,
    Claim,
    Edition,
    JsonObject,
    Mode,
    run_script,
)
from contextcert.strategies import (
    POLICY,
    Scope,
    Symbol,
    alphabet,
    alphabet_digest,
    pairing_alphabet,
)

EDITIONS = pytest.mark.parametrize("edition", list(Edition), ids=lambda edition: edition.value)


def named(item_type: str) -> Scope:
    """Give the scope of one item type."""
    claim = evolve(Claim.full(), item_types=frozenset({item_type}))
    return evolve(Scope.full(), claim=claim)


@EDITIONS
def test_full_alphabet_is_large_and_every_symbol_differs(edition: Edition) -> None:
    """There are 76 symbols or more, and no name and no item occurs twice."""
    symbols = alphabet(Scope.full(edition))
    items = {json.dumps(symbol.item, sort_keys=True) for symbol in symbols}
    assert len(symbols) >= 76
    assert len({symbol.name for symbol in symbols}) == len(items) == len(symbols)


@EDITIONS
def test_every_symbol_is_stored_as_it_is(edition: Edition) -> None:
    """Recording keeps each symbol, but for ITEM-7, a fresh id (E11-2) and empty text (E11-3)."""
    for symbol in alphabet(Scope.full(edition)):
        stored: JsonObject = {"op": "record_items", "items": [symbol.item], "policy": POLICY}
        raw = run_script([stored, {"op": "raw_items"}], mode=Mode.RELEASE, edition=edition)[1]
        wanted = _as_written(symbol.item)
        if edition is Edition.NOVEMBER_2026:
            wanted = without_empty_text(with_id_of(raw["ok"], wanted))
        assert raw["ok"] == [wanted], symbol.name


def with_id_of(shown: Any, item: JsonObject) -> JsonObject:  # noqa: ANN401
    """Give an item without an id the one it is shown with."""
    return item if item.get("id") else {**item, "id": shown[0]["id"]}


def without_empty_text(item: JsonObject) -> JsonObject:
    """Leave out what recording drops of an output's array (E11-3)."""
    output = item.get("output")
    if not isinstance(output, list):
        return item
    empty = {"type": "input_text", "text": ""}
    return {**item, "output": [entry for entry in output if entry != empty]}


def _as_written(item: JsonObject) -> JsonObject:
    """Leave out a reasoning's content that is not written."""
    match item:
        case {"type": "reasoning", "content": [] | [{"type": "text"}]}:
            return {name: value for name, value in item.items() if name != "content"}
        case _:
            return item


def test_every_recordable_type_is_listed() -> None:
    """Only the compaction trigger, which recording drops, is missing."""
    listed = {symbol.item["type"] for symbol in alphabet(Scope.full())}
    assert listed == set(ITEM_TYPES) - {"compaction_trigger"}


@pytest.mark.parametrize("item_type", ITEM_TYPES)
def test_alphabet_keeps_to_claimed_types(item_type: str) -> None:
    """A claim of one item type has no symbol of another."""
    assert {symbol.item["type"] for symbol in alphabet(named(item_type))} <= {item_type}


@pytest.mark.parametrize("modality", ["image", "audio"])
def test_alphabet_keeps_to_claimed_modalities(modality: str) -> None:
    """A claim without a modality has no content of it."""
    claim = evolve(Claim.full(), modalities=frozenset(MODALITIES) - {modality})
    listed = json.dumps([symbol.item for symbol in alphabet(Scope(claim))])
    assert f'"input_{modality}"' not in listed
    assert ("image_generation_call" in listed) is (modality != "image")


def test_the_alphabet_of_november_holds_what_it_changes() -> None:
    """Items without id and with odd ids, loose outputs and empty texts are listed (SPEC 7)."""
    items = [symbol.item for symbol in alphabet(Scope.full(Edition.NOVEMBER_2026))]
    ids = {item.get("id") for item in items}
    assert ids >= {None, "", "abc", " Abc", "fc_", "_1", "_", "fc_1"}
    assert any(item["type"] == "function_call_output" and "call_id" not in item for item in items)
    assert any(without_empty_text(item) != item for item in items)


def test_pairing_alphabet_is_a_small_part() -> None:
    """Histories of three items stay below twenty thousand."""
    scope = Scope.full()
    pairing = pairing_alphabet(scope)
    assert set(pairing) < set(alphabet(scope))
    assert 20 <= len(pairing) <= 27


def test_digest_tells_symbols_apart() -> None:
    """The digest is one of SHA-256, and changes with any item and with the order."""
    symbols = alphabet(Scope.full())
    other = Symbol(symbols[0].name, {**symbols[0].item, "role": "User"})
    digests = {
        alphabet_digest(symbols),
        alphabet_digest(symbols[::-1]),
        alphabet_digest([other, *symbols[1:]]),
    }
    assert {len(digest) for digest in digests} == {64}
    assert len(digests) == 3
