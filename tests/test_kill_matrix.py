"""The kill matrix that is published: one line a fault, small enough to read, and of this zoo."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Final

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from kill_matrix.bars import Bar, bars
from kill_matrix.minimal import Size
from kill_matrix.rows import EVIDENCE, EXHAUSTIVE, RANDOM, VECTORS, Found, Row
from kill_matrix.seeds import Seeded, as_seeds
from kill_matrix.table import COLUMNS, as_table, letters
from zoo.equivalent import EQUIVALENT
from zoo.registry import FAULTS

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
MOST_BYTES: Final = 300_000
NEW_AT_MOST: Final = 20
"""So many faults may have come to the zoo since the matrix was written."""

SHORT: Final = "aborted-as-array"


@cache
def published() -> list[dict[str, str]]:
    """Read the table by its columns."""
    text = (DOCS / "kill-matrix.tsv").read_text(encoding="utf-8")
    head, *lines = (line.split("\t") for line in text.splitlines())
    assert tuple(head) == COLUMNS
    return [dict(zip(head, cells, strict=True)) for cells in lines]


def test_the_published_table_is_of_this_zoo() -> None:
    """Every line is that of a fault as it is now, and few faults are new."""
    for line in published():
        fault = FAULTS[line["fault"]]
        assert line["clause"] == fault.clause
        assert line["modes"] == letters(fault.modes)
        assert line["minimum"]
    assert len(published()) >= len(FAULTS) - NEW_AT_MOST
    assert (DOCS / "kill-matrix.tsv").stat().st_size < MOST_BYTES


@pytest.mark.parametrize("evidence", EVIDENCE)
def test_what_is_found_is_measured(evidence: str) -> None:
    """Where a kind of evidence finds a fault, alone, the case is told, and the size at random."""
    found = [line for line in published() if line[f"{evidence}: source"]]
    assert len(found) > len(FAULTS) / 2
    for line in found:
        cases = [line[f"{evidence}: in {mode}"] for mode in ("debug", "release")]
        assert any(case.isdigit() for case in cases)
        if evidence == RANDOM and line["random: named"] not in ("", "unattributed"):
            assert line[f"{evidence}: counterexample"]


def test_the_readme_and_the_summary_speak_of_the_same_faults() -> None:
    """Their number is that of the table's lines, and every equivalent mutant has its proof."""
    told = f"{len(published())} faulty subjects"
    assert told in (ROOT / "README.md").read_text(encoding="utf-8")
    summary = (DOCS / "kill-matrix.md").read_text(encoding="utf-8")
    assert told in summary
    for name, one in EQUIVALENT.items():
        assert f"* {name}: {one.proof}" in summary


def row(found: Found | None) -> Row:
    """Give the row of a fault that every kind of evidence finds alike."""
    return Row(SHORT, dict.fromkeys(EVIDENCE, found), None)


def kill(case: int, *, right: bool, minimal: bool = True) -> Found:
    """Give a kill in both modes."""
    named = {"PAIR-1" if right else "ORD-3": ("debug", "release")}
    cases = {"debug": case + 1, "release": case}
    return Found(cases, "pairs", named, right, right, False, Size(2, 1), minimal)


def test_a_line_of_the_table() -> None:
    """Modes by letters, sizes as operations and items, what was not found left empty."""
    line = as_table(
        [Row(SHORT, {EXHAUSTIVE: None, RANDOM: kill(7, right=True), VECTORS: None}, None)]
    )
    cells = dict(zip(COLUMNS, line.splitlines()[1].split("\t"), strict=True))
    assert cells["modes"] == "dr"
    assert cells["minimum"] == "/1"
    assert cells["exhaustive: source"] == cells["exhaustive: named"] == ""
    assert [cells[f"random: in {mode}"] for mode in ("debug", "release")] == ["8", "7"]
    assert cells["random: counterexample"] == "2/1"
    assert cells["random: named"] == "PAIR-1 dr"


def missed(*rows: Row) -> list[Bar]:
    """Give the bars that are not met."""
    return [bar for bar in bars(rows) if not bar.met]


def test_each_bar_can_be_missed() -> None:
    """A survivor, a wrong name, a late kill and a long counterexample are told apart."""
    assert missed(row(kill(7, right=True))) == []
    assert [bar.asked for bar in missed(row(None))] == [
        "100% killed by exhaustive or random evidence",
        "100% of at most 2 items, killed by exhaustive evidence of as few",
    ]
    (named,) = missed(row(kill(7, right=False)))
    assert named.asked.startswith("95% of these")
    assert [bar.seen for bar in missed(row(kill(151, right=True)))] == ["151", "151", "151"]
    (longer,) = missed(row(kill(7, right=True, minimal=False)))
    assert longer.asked == "95% counterexamples minimal"


def test_survivors_of_a_seed_are_listed() -> None:
    """What one seed kills and the other does not stands below the counts."""
    all_of_them = dict.fromkeys(FAULTS, 3)
    told = [Seeded(0, all_of_them, frozenset(FAULTS)), Seeded(1, {SHORT: 5}, frozenset({SHORT}))]
    text = as_seeds(told, command="again", date="2026-12-01", made_of="much")
    assert f"| 0 | {len(FAULTS)} of {len(FAULTS)} | 100.0% | 3.0 | 3 | 3 | 0 |" in text
    assert f"| 1 | 1 of {len(FAULTS)} | 100.0% | 5.0 | 5 | 5 | {len(FAULTS) - 1} |" in text
    assert "| zero-turns-are-one | ROLL-1 | 1 |" in text
    assert f"| {SHORT} |" not in text
