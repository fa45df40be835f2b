"""The group `wire`: what can be read is read, and every malformed item is refused."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from contextcert.refmodel import (
    ITEM_TYPES,
    Edition,
    ItemError,
    Json,
    Mode,
    read_item,
    run_script,
    same_json,
    write_item,
)
from contextcert.strategies import Scope, generate, specimen_scripts
from contextcert.strategies.fields import fields_of
from contextcert.strategies.specimens import malformed_items, odd_items, plainest

EDITIONS = pytest.mark.parametrize("edition", list(Edition), ids=lambda edition: edition.value)


@EDITIONS
def test_every_listed_fault_is_refused(edition: Edition) -> None:
    """The model reads none of the malformed items (ITEM-4)."""
    for item in malformed_items(Scope.full(edition)):
        with pytest.raises(ItemError):
            read_item(item, edition)


@EDITIONS
@pytest.mark.parametrize("item_type", ITEM_TYPES)
def test_every_listed_value_is_readable(item_type: str, edition: Edition) -> None:
    """The model reads each good value of each field, and null for optional ones."""
    scope = Scope.full(edition)
    plain = plainest(item_type, scope)
    for field in fields_of(item_type, scope):
        values: tuple[Json, ...] = field.good if field.required else (*field.good, None)
        for value in values:
            read_item({**plain, field.name: value}, edition)


@EDITIONS
def test_no_field_of_the_table_is_forgotten(edition: Edition) -> None:
    """An item with every field set is written with every field of SPEC 1.1."""
    scope = Scope.full(edition)
    for item_type in ITEM_TYPES:
        full = plainest(item_type, scope)
        full |= {field.name: field.good[0] for field in fields_of(item_type, scope)}
        assert set(write_item(read_item(full, edition))) == set(full)


@EDITIONS
def test_every_specimen_has_a_script(edition: Edition) -> None:
    """Each odd item is installed alone; each malformed one is refused with the item beside it."""
    scope = Scope.full(edition)
    odd = malformed = 0
    for script in specimen_scripts(scope):
        filled, raw, _ = run_script(script, mode=Mode.RELEASE, edition=edition)
        odd += "ok" in filled and len(raw["ok"]) == 1
        malformed += "error" in filled and raw["ok"] == []
    assert (odd, malformed) == (len(odd_items(scope)), len(malformed_items(scope)))


def test_letters_reach_every_value() -> None:
    """No type has more readable values, or fields, than there are letters for them."""
    for item_type in ITEM_TYPES:
        fields = fields_of(item_type, Scope.full())
        assert len(fields) <= 7
        assert sum(len(field.good) for field in fields) <= 30


def test_many_operations_are_refused_by_every_route() -> None:
    """A script holds some malformed items on average, each in an operation of its own."""
    refused = Counter[str]()
    for script in generate("wire", Scope.full(), seed=3, count=200):
        outcomes = run_script(script, mode=Mode.RELEASE)
        asked = zip(script, outcomes, strict=True)
        refused.update(str(op["op"]) for op, outcome in asked if "error" in outcome)
    assert refused.total() >= 800
    assert min(refused[op] for op in ("record_items", "record_annotated_items", "replace")) >= 100


def test_every_clause_of_items_meets_its_case() -> None:
    """Unknown types, nulls, empty values, traps and fallbacks are in 2% of the scripts."""
    texts = [json.dumps(s) for s in generate("wire", Scope.full(), seed=3, count=400)]
    signs = (
        '"brand_new"',  # ITEM-2
        "null",  # ITEM-3
        '"output": []',  # ITEM-5
        '"output": ""',
        '"call_id": ""',
        '"id": ""',
        '"success"',  # ITEM-6
        '"reasoning_text"',  # ITEM-7
        '"metadata": {',  # ITEM-8
        '"compaction_summary"',
        '"open_page"',
        '"trap"',
        '"CALL_ID"',
        "\\u017f",
        "__proto__",
        "9007199254740993",
    )
    rare = {sign for sign in signs if sum(sign in text for text in texts) < 8}
    assert not rare


def test_reading_changes_some_items_and_keeps_most() -> None:
    """In the group, items that are written as they came and items that are not both abound."""
    same = changed = 0
    for script in generate("wire", Scope.full(), seed=3, count=200):
        items = script[0].get("items") or [e["item"] for e in script[0].get("envelopes") or ()]
        for item in items:
            unchanged = same_json(write_item(read_item(item)), item)
            same, changed = same + unchanged, changed + (not unchanged)
    assert min(same, changed) >= 300
