"""What keeps a pinned script from a subject that could not take it."""

from __future__ import annotations

import pytest

from contextcert.campaign.scope import lies_within, script_for
from contextcert.properties import examples, upstream_tests
from contextcert.refmodel import DEFAULT_EDITION, Claim
from contextcert.refmodel.json_value import Json
from contextcert.strategies import Scope

INEXACT = Scope(claim=Claim.full(), edition=DEFAULT_EDITION, exact_numbers=False)


@pytest.mark.parametrize("number", [1.0, -0.0, 2**53, -(2**53) - 1])
def test_numbers_that_a_decoder_loses_are_not_asked(number: Json) -> None:
    """An adapter without exact_numbers is never shown 1.0 or 2^53, however deep they stand."""
    script = [{"op": "update_world_state", "state": {"a": [{"b": number}]}}]
    assert not lies_within(script, INEXACT)
    assert lies_within(script, Scope.full())


@pytest.mark.parametrize("number", [0, 0.5, True, 2**53 - 1])
def test_numbers_that_every_decoder_keeps_are_asked(number: Json) -> None:
    """The other numbers stay."""
    assert lies_within([{"op": "set_token_info", "value": {"n": number}}], INEXACT)


NARROW = Scope(
    Claim.from_json(
        {
            "profiles": ["projection", "recording", "changes"],
            "item_types": ["message", "function_call", "function_call_output"],
            "modalities": ["text"],
        }
    )
)


def test_a_port_without_media_is_judged_on_what_its_claim_leaves_of_an_example() -> None:
    """Projecting for images says nothing to it, so it is asked for the rest."""
    (example,) = (
        one for one in upstream_tests() if one["clauses"] == ["PAIR-1", "ORD-2", "MODE-2"]
    )
    script = script_for(example, NARROW)
    assert script is not None
    assert script[0] == example["ops"][0]
    assert [op["input_modalities"] for op in script[1:]] == [["text"]]
    assert script_for(example, Scope.full()) == example["ops"]


def test_what_the_claim_leaves_is_half_of_the_examples_and_no_item_outside_of_it() -> None:
    """Narrow ports were skipped nearly everywhere; items that are not claimed still are."""
    scripts = [script_for(example, NARROW) for example in examples()]
    assert sum(script is not None for script in scripts) > 30
    for script in scripts:
        assert script is None or lies_within(script, NARROW)


def test_an_example_of_media_alone_is_not_asked_of_a_port_without_them() -> None:
    """Neither its items nor its clauses are claimed."""
    (picture,) = (one for one in examples() if one["name"] == "image_is_taken")
    assert script_for(picture, NARROW) is None
