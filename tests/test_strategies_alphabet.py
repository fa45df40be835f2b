"""The listed alphabet: enough symbols, each recorded as it is, and only what is claimed."""

from __future__ import annotations

import json

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
@pytest.mark.parametrize("restore", [True, False])
def test_every_symbol_is_stored_as_it_is(edition: Edition, restore: bool) -> None:  # noqa: FBT001
    """Recording, or restoring where an id would be minted, keeps each symbol (but for ITEM-7)."""
    scope = evolve(Scope.full(edition), restore_items=restore)
    for symbol in alphabet(scope):
        stored: JsonObject = {"op": "record_items", "items": [symbol.item], "policy": POLICY}
        if scope.may("restore_items") and not symbol.item.get("id"):
            stored = {"op": "restore_items", "items": [symbol.item]}
        raw = run_script([stored, {"op": "raw_items"}], mode=Mode.RELEASE, edition=edition)[1]
        assert raw["ok"] == [_as_written(symbol.item)], symbol.name


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


def test_ids_of_november_have_a_form_that_a_prompt_shows() -> None:
    """Without restoring, every item of edition 2026-11 has an id like `prefix_suffix`."""
    scope = evolve(Scope.full(Edition.NOVEMBER_2026), restore_items=False)
    ids = [str(symbol.item["id"]) for symbol in alphabet(scope)]
    assert all(all(item_id.partition("_")) for item_id in ids)


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
