"""The listed lives: what no random group reaches often enough."""

from __future__ import annotations

import pytest
from attrs import evolve

from contextcert.refmodel import Claim, Edition, Mode, run_script, seeded_fresh_ids
from contextcert.strategies import Scope, Script, listed_lives
from contextcert.strategies.fragments import (
    DEVELOPER_FRAGMENTS,
    INSTRUCTIONS,
    NEAR_DEVELOPER_FRAGMENTS,
    NEAR_INSTRUCTIONS,
    NEAR_USER_FRAGMENTS,
    USER_FRAGMENTS,
)

EVERY_TEXT = (
    *USER_FRAGMENTS,
    *NEAR_USER_FRAGMENTS,
    *DEVELOPER_FRAGMENTS,
    *NEAR_DEVELOPER_FRAGMENTS,
    *INSTRUCTIONS,
    *NEAR_INSTRUCTIONS,
)


@pytest.mark.parametrize("edition", Edition)
def test_nothing_listed_is_refused(edition: Edition) -> None:
    """The model does every listed operation, in either edition."""
    scripts = list(listed_lives(Scope.full(edition)))
    assert len(scripts) > 2_000
    for script in scripts:
        outcomes = run_script(
            script, mode=Mode.RELEASE, edition=edition, fresh_ids=seeded_fresh_ids(0)
        )
        assert all("ok" in outcome for outcome in outcomes), script


@pytest.mark.parametrize("edition", Edition)
def test_every_text_of_the_rollback_rules_is_listed(edition: Edition) -> None:
    """Each fragment, instruction and near miss stands in a history whose last turn goes."""
    told = {
        entry.get("text")
        for script in listed_lives(Scope.full(edition))
        if any(op["op"] == "drop_last_n_user_turns" for op in script)
        for item in _items(script)
        for entry in item.get("content") or ()
    }
    assert told >= set(EVERY_TEXT)


@pytest.mark.parametrize("profile", ["recording", "changes", "world"])
def test_listed_lives_keep_to_the_claim(profile: str) -> None:
    """A claim without pictures, tool searches and other profiles is asked for none of them."""
    claim = Claim(
        frozenset({profile}),
        Claim.full().item_types - {"tool_search_call", "tool_search_output"},
        frozenset({"text"}),
    )
    scope = evolve(Scope.full(), claim=claim, exact_numbers=False)
    scripts = list(listed_lives(scope))
    assert scripts
    assert all(scope.takes(item) for script in scripts for item in _items(script))
    asked = {str(op["op"]) for script in scripts for op in script}
    assert ("update_world_state" in asked) == (profile == "world")
    assert ("remove_first_item" in asked) == (profile == "changes")


def _items(script: Script) -> list[dict[str, list[dict[str, str]]]]:
    listed = [item for op in script for item in op.get("items") or ()]
    return [*listed, *(one["item"] for op in script for one in op.get("envelopes") or ())]
