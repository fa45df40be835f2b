"""Adapters that show prompts alone: what is looked at, and reports that cannot be shown."""

from __future__ import annotations

import pytest
from attrs import evolve

from contextcert.properties import Judge, Judgement
from contextcert.refmodel import Claim, Edition, JsonObject, Mode, run_script
from contextcert.strategies import Scope, generate, listed_lives
from contextcert.subject import Capabilities, Script

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


LIVES = Claim(
    frozenset({"projection", "media", "recording", "changes"}),
    Claim.full().item_types,
    Claim.full().modalities,
)
WHOLE: JsonObject = {"op": "for_prompt", "input_modalities": ["text", "image", "audio"]}
CALL: JsonObject = {
    "type": "function_call",
    "id": "fc_1",
    "name": "f",
    "arguments": "{}",
    "call_id": "c1",
}
OUTPUT: JsonObject = {
    "type": "function_call_output",
    "id": "fco_1",
    "call_id": "c1",
    "output": "abcdefghijklmnopqrstuvwxyz",
}
ORPHAN: JsonObject = {**OUTPUT, "id": "fco_9", "call_id": "c9", "output": "o"}


def said(text: str, item_id: str, role: str = "user") -> JsonObject:
    """Give a message."""
    content: list[JsonObject] = [{"type": "input_text", "text": text}]
    return {"type": "message", "id": item_id, "role": role, "content": [*content]}


def recording(*items: JsonObject, limit: int = 10_000) -> JsonObject:
    """Give the operation that records the items."""
    policy: JsonObject = {"mode": "tokens", "limit": limit}
    return {"op": "record_items", "items": [*items], "policy": policy}


def judged(script: Script, prompts: list[list[JsonObject] | None]) -> Judgement:
    """Judge what the model gives, with these prompts, where there are any, in place of its own."""
    outcomes = run_script(script, mode=Mode.RELEASE, edition=Edition.NOVEMBER_2026)
    others = iter(prompts)
    answers: list[JsonObject] = []
    for op, outcome in zip(script, outcomes, strict=True):
        prompt = next(others) if op["op"] == "for_prompt" else None
        answers.append(outcome if prompt is None else {"ok": [*prompt]})
    judge = Judge(
        edition=Edition.NOVEMBER_2026,
        claim=LIVES,
        capabilities={Mode.RELEASE: Capabilities(exact_numbers=True)},
        prompts_show_items=True,
    )
    return judge.judge(script, {Mode.RELEASE: answers})


A, B, C = said("a", "msg_a"), said("b", "msg_b"), said("c", "msg_c", "assistant")
BACK: JsonObject = {"op": "drop_last_n_user_turns", "num_turns": 1}
FIRST: JsonObject = {"op": "remove_first_item"}
CUT = "abcd\u20265 tokens truncated\u2026wxyz"
LIVED: list[tuple[str, Script, list[JsonObject]]] = [
    ("HEAD-3", [recording(CALL, A, OUTPUT), FIRST, WHOLE], [A, OUTPUT]),
    ("HEAD-7", [recording(A, B, C), FIRST, WHOLE], [C]),
    ("ROLL-4", [recording(ORPHAN, C, A, B), BACK, WHOLE], [C, A, B]),
    ("ROLL-8", [recording(A, CALL, B), BACK, WHOLE], [A]),
    ("REPL-1", [recording(A), {"op": "replace", "items": [B, C]}, WHOLE], [B]),
    (
        "TRUNC-3",
        [recording(CALL, OUTPUT, limit=1), WHOLE],
        [CALL, {**OUTPUT, "output": CUT.replace("w", "z")}],
    ),
    (
        "REC-2",
        [recording(said("s", "msg_s", "system"), A), WHOLE],
        [said("s", "msg_s", "system"), A],
    ),
    ("ORD-1", [recording(A, B, C), WHOLE], [B, A, C]),
    ("ORPH-1", [recording(ORPHAN, A, B), BACK, WHOLE], [ORPHAN, A]),
]


@pytest.mark.parametrize(("clause", "script", "prompt"), LIVED)
def test_a_wrong_change_is_seen_in_the_prompt(
    clause: str, script: Script, prompt: list[JsonObject]
) -> None:
    """Each clause is blamed for its own, at the projection that showed it, and nothing else is."""
    judgement = judged(script, [prompt])
    blamed = [one.clause for one in judgement.violations]
    assert clause in blamed
    # HEAD-9 follows from the clauses before it, and says so.
    assert set(blamed) <= {clause, "HEAD-9"}
    assert {one.operation for one in judgement.violations} == {len(script) - 1}
    assert not judgement.unattributed


@pytest.mark.parametrize(("clause", "script"), [(one[0], one[1]) for one in LIVED])
def test_a_right_change_is_counted(clause: str, script: Script) -> None:
    """What a prompt shows as it must be counts for the clause."""
    judgement = judged(script, [None])
    assert judgement.clean
    assert judgement.exercised.get((clause, Mode.RELEASE), 0) > 0


def test_a_prompt_without_media_blames_no_change() -> None:
    """What was left out of it may be the model's lack, so that the projection is judged alone."""
    script = [recording(A, B), BACK, {"op": "for_prompt", "input_modalities": ["text"]}]
    judgement = judged(script, [[]])
    assert [one.clause.partition("-")[0] for one in judgement.violations] == ["ORPH"]


def test_what_no_prompt_shows_is_not_counted() -> None:
    """An orphan that is left out, and a history after its projection, were not seen."""
    judgement = judged([recording(ORPHAN), WHOLE, WHOLE], [None, None])
    assert judgement.clean
    assert not {clause for clause, _ in judgement.exercised} & {"PROJ-1", "REC-4", "VER-1"}
