"""Adapters that show prompts alone: what is looked at, and reports that cannot be shown."""

from __future__ import annotations

import pytest
from attrs import evolve

from contextcert.properties import Judge
from contextcert.refmodel import Claim, Edition, JsonObject, Mode, run_script
from contextcert.strategies import Scope, generate, listed_lives
from contextcert.subject import Capabilities

ASKED: JsonObject = {"op": "for_prompt", "input_modalities": ["text"]}
SCOPE = evolve(
    Scope.full(Edition.NOVEMBER_2026),
    operations=frozenset({"remove_first_item", "drop_last_n_user_turns", "replace"}),
)


@pytest.mark.parametrize("group", ["turns", "heads", "recording", "lives"])
def test_a_life_is_looked_at_through_prompts(group: str) -> None:
    """Where neither items nor envelopes can be read, a prompt shows what became of them."""
    scripts = generate(group, SCOPE, seed=0, count=20)
    looked_at = [any(op["op"] == "for_prompt" for op in script) for script in scripts]
    assert all(looked_at)


def test_listed_lives_are_looked_at_through_prompts() -> None:
    """None is left without a look, and none reads what cannot be read."""
    for script in listed_lives(SCOPE):
        names = {op["op"] for op in script}
        assert "for_prompt" in names
        assert not names & {"raw_items", "raw_envelopes"}


@pytest.mark.parametrize(("shown", "clauses"), [(None, set()), ([], {"MODE-7"})])
def test_reports_that_cannot_be_shown_are_not_judged(
    shown: list[str] | None, clauses: set[str]
) -> None:
    """Null says nothing, where an empty list says that nothing was reported (MODE-7)."""
    call: JsonObject = {"type": "custom_tool_call", "id": "ctc_1", "name": "n", "input": ""}
    script = [{"op": "replace", "items": [{**call, "call_id": "c1"}]}, ASKED]
    outcomes = run_script(script, mode=Mode.RELEASE)
    answers = [outcomes[0], {**outcomes[1], "diagnostics": shown}]
    judge = Judge(
        edition=Edition.AUGUST_2026,
        claim=Claim.full(),
        capabilities={Mode.RELEASE: Capabilities(diagnostics=True, exact_numbers=True)},
    )
    judgement = judge.judge(script, {Mode.RELEASE: answers})
    assert {one.clause for one in judgement.violations} == clauses
    assert not judgement.unattributed
