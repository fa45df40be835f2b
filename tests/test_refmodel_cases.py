"""The worked cases that lie beside the project, where they are at hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contextcert.refmodel import Json, Mode, run_script, run_script_in_both_modes, same_json

CASES = Path(__file__).parents[2] / "shared" / "cases"


def without_messages(outcomes: Json) -> Json:
    """Leave of every error only that there is one: the text is the implementation's own."""
    assert isinstance(outcomes, list)
    return [
        {"error": None} if isinstance(each, dict) and "error" in each else each for each in outcomes
    ]


@pytest.mark.parametrize("name", ["curated", "vectors"])
def test_every_worked_case_is_reproduced(name: str) -> None:
    """Every outcome in both modes, panics and diagnostics included, as upstream gave it."""
    file = CASES / f"{name}.jsonl"
    if not file.exists():
        pytest.skip(f"the worked cases are not beside this checkout ({file.name} is missing)")
    for case in map(json.loads, file.read_bytes().splitlines()):
        together = run_script_in_both_modes(case["ops"])
        for mode in Mode:
            expected = without_messages(case[mode.value])
            alone = run_script(case["ops"], mode=mode)
            assert same_json(without_messages(alone), expected), (case["name"], mode)  # type: ignore[arg-type]
            assert same_json(together[mode], alone), (case["name"], mode)
