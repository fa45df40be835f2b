"""What a judge met before has no say in what it counts: one seed, one certificate."""

from __future__ import annotations

import pytest

from contextcert.properties import Judge, item_facts
from contextcert.refmodel import DEFAULT_EDITION, Claim, Mode, run_script_in_both_modes
from contextcert.refmodel.json_value import JsonObject
from contextcert.subject import Capabilities

POLICY: JsonObject = {"mode": "tokens", "limit": 10000}


def _said(text: str) -> JsonObject:
    content: JsonObject = {"type": "input_text", "text": text}
    return {"type": "message", "role": "user", "content": [content]}


def test_equal_items_are_the_same_items_however_many_are_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """REC-6 is exercised by equal items in other batches, read anew or remembered."""
    batches: list[list[JsonObject]] = [[_said("a")], [_said("b")]]
    script: list[JsonObject] = [
        {"op": "record_items", "items": [*items], "policy": POLICY} for items in batches
    ]
    script += [
        {"op": "raw_items"},
        {"op": "record_items", "items": [_said("a"), _said("b")], "policy": POLICY, "on": 1},
        {"op": "raw_items", "on": 1},
    ]
    counts = []
    for remembered in (1, 1_000):
        monkeypatch.setattr(item_facts, "_REMEMBERED", remembered)
        judge = Judge(DEFAULT_EDITION, Claim.full(), dict.fromkeys(Mode, Capabilities()))
        judged = judge.judge(script, run_script_in_both_modes(script))
        counts.append([judged.exercised.get(("REC-6", mode)) for mode in Mode])
    assert counts[0] == counts[1]
    assert all(counts[0])
