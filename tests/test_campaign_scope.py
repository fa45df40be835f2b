"""What keeps a pinned script from a subject that could not take it."""

from __future__ import annotations

import pytest

from contextcert.campaign.scope import lies_within
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
