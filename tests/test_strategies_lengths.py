"""The long listings: a subject that counts in bytes, or looks at the beginning only, is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from contextcert.properties import Judge
from contextcert.refmodel import (
    Claim,
    Edition,
    Item,
    Mode,
    run_script_in_both_modes,
    same_json,
    write_item,
)
from contextcert.refmodel.instructions import is_inter_agent_instruction
from contextcert.refmodel.truncation import Budget, truncate_text
from contextcert.strategies import Scope, Script
from contextcert.strategies.listings.lengths import (
    long_cut_scripts,
    long_state_scripts,
    long_turn_scripts,
    rewrite_scripts,
)
from contextcert.subject import Capabilities

CAPABILITIES = Capabilities(
    diagnostics=True, continue_after_panic=True, exact_numbers=True, success_flag=True
)


def only_short_instructions(item: Item) -> bool:
    """Take no instruction of more than 255 characters."""
    return is_inter_agent_instruction(item) and len(str(write_item(item))) < 400


def only_plain_instructions(item: Item) -> bool:
    """Take no instruction in which a list holds a list."""
    return is_inter_agent_instruction(item) and "[1, [" not in str(write_item(item))


def long_texts_stay(text: str, budget: Budget) -> str:
    """Cut nothing of more than 255 characters."""
    return text if len(text) > 255 else truncate_text(text, budget)


def long_arrays_differ(left: object, right: object) -> bool:
    """Take arrays of more than 255 values for changed."""
    return same_json(left, right) and not (isinstance(left, list) and len(left) > 255)


def beginnings_count(left: object, right: object) -> bool:
    """Look at the first 255 values of an array only."""
    if isinstance(left, list) and isinstance(right, list):
        return left[:255] == right[:255]
    return same_json(left, right)


@pytest.mark.parametrize(
    ("place", "fault", "listing", "clause"),
    [
        ("history.VERSION_MAX", 255, rewrite_scripts, "VER-2"),
        (
            "rollback.is_inter_agent_instruction",
            only_short_instructions,
            long_turn_scripts,
            "ROLL-2",
        ),
        (
            "rollback.is_inter_agent_instruction",
            only_plain_instructions,
            long_turn_scripts,
            "ROLL-2",
        ),
        ("truncation.truncate_text", long_texts_stay, long_cut_scripts, "TRUNC-3"),
        ("world.same_json", long_arrays_differ, long_state_scripts, "WORLD-2"),
        ("world.same_json", beginnings_count, long_state_scripts, "WORLD-7"),
    ],
)
def test_a_limit_is_told_by_its_clause(
    place: str,
    fault: object,
    listing: Callable[[Scope], Iterator[Script]],
    clause: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The clause is violated, and nothing is left unexplained."""
    scripts = list(listing(Scope.full()))
    monkeypatch.setattr(f"contextcert.refmodel.{place}", fault)
    answers = [run_script_in_both_modes(script) for script in scripts]
    monkeypatch.undo()
    judge = Judge(Edition.AUGUST_2026, Claim.full(), dict.fromkeys(Mode, CAPABILITIES))
    judgements = [judge.judge(*one) for one in zip(scripts, answers, strict=True)]
    assert clause in {violation.clause for one in judgements for violation in one.violations}
    assert not any(one.unattributed for one in judgements)
