"""A transcript of rendered entries (`coarse_transcript`) is judged by what its reads report."""

# The names of the wrong implementations and of their methods say what they do.
# ruff: noqa: D101, D102, D103

from __future__ import annotations

import io
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from rich.console import Console

from contextcert.adapters.specs import object_spec
from contextcert.campaign import Budget, Campaign, Evidence, Result, open_subject, run_campaign
from contextcert.certificate import certificate_of
from contextcert.certificate.conclusion import exit_code
from contextcert.certificate.replay import Again, replays
from contextcert.properties import Judge, Judgement, Violation
from contextcert.properties.trial import Trial
from contextcert.refmodel import DEFAULT_EDITION, Claim, Mode, run_script
from contextcert.refmodel.json_value import JsonObject
from contextcert.report.certificate_report import print_certificate
from contextcert.strategies import POLICY, Script

sys.path.insert(0, str(Path(__file__).parent / "rendering_model"))

from rendering_model import (
    AlwaysFull,
    CountsItems,
    DeltaAfterReplace,
    FullAtTheEnd,
    LosesInDelta,
    LosesInFull,
    Reads,
    RenderedMessages,
    StaleCount,
)

RENDERING = Path(__file__).parent / "rendering_model"
CURSORS = ("CUR-1", "CUR-2", "CUR-3", "CUR-4")
MESSAGE: JsonObject = {
    "type": "message",
    "role": "user",
    "content": [{"type": "input_text", "text": "Hello."}],
}
REPLY: JsonObject = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "Hello back."}],
}
CALL: JsonObject = {"type": "function_call", "name": "f", "arguments": "{}", "call_id": "c1"}
OUTPUT: JsonObject = {"type": "function_call_output", "call_id": "c1", "output": "x"}


def record(*items: JsonObject) -> JsonObject:
    return {"op": "record_items", "items": list(items), "policy": POLICY}


def read(cursor: tuple[int, int] | None = None) -> JsonObject:
    pair = None if cursor is None else {"history_version": cursor[0], "entry_count": cursor[1]}
    return {"op": "read_transcript", "cursor": pair}


def judged(subject: type[RenderedMessages], script: Script) -> Judgement:
    """Put a script to both builds, and judge the answers."""
    answers = {}
    capabilities = {}
    for mode in Mode:
        one = subject()
        described = one.described(mode)
        capabilities[mode] = described.capabilities
        answers[mode] = one.outcomes(list(script))
    judge = Judge(DEFAULT_EDITION, Claim.full(), capabilities)
    return judge.judge(script, answers)


def named(judgement: Judgement) -> set[str]:
    return {violation.clause for violation in judgement.violations}


LIFE: Script = [
    record(MESSAGE),
    read(),
    record(CALL, OUTPUT),
    read((0, 1)),
    record(REPLY),
    read((0, 1)),
    read((0, 2)),
    read(),
    {"op": "replace", "items": [MESSAGE, CALL, REPLY]},
    read((0, 2)),
    read((1, 2)),
    read((1, 3)),
]
"""Items that no entry shows grow between reads; every cursor is one that the renderer gave."""


def test_entries_that_stay_flat_while_items_grow_break_nothing() -> None:
    """Every cursor clause is exercised in both modes, and none is violated."""
    judgement = judged(RenderedMessages, LIFE)
    assert judgement.clean
    assert {(clause, mode) for clause in CURSORS for mode in Mode} <= judgement.exercised.keys()


def test_the_same_transcript_without_the_capability_breaks_cursor_clauses() -> None:
    """Whoever does not declare it is judged by the items."""
    assert named(judged(Undeclared, LIFE)) >= {"CUR-1", "CUR-2"}


class Undeclared(RenderedMessages):
    coarse = False


WRONG: dict[type[RenderedMessages], set[str]] = {
    DeltaAfterReplace: {"CUR-1", "CUR-3"},
    AlwaysFull: {"CUR-1", "CUR-3"},
    StaleCount: {"CUR-2"},
    LosesInDelta: {"CUR-1", "CUR-4"},
    LosesInFull: {"CUR-2"},
    FullAtTheEnd: {"CUR-1", "CUR-3"},
    CountsItems: {"CUR-2"},
}


@pytest.mark.parametrize("subject", WRONG, ids=lambda one: str(one.__name__))
def test_a_wrong_renderer_is_named_by_its_clauses(subject: type[RenderedMessages]) -> None:
    """Each fault of a reader breaks the cursor clauses that speak of it, and nothing else."""
    judgement = judged(subject, LIFE)
    assert named(judgement) == WRONG[subject]
    assert not judgement.unattributed


class DropsQuietly(RenderedMessages):
    """Loses an entry between deltas, and counts as if it had never been there."""

    def reads(self, reads: Reads) -> dict[str, Any]:
        if reads.kind == "delta" and reads.entries:
            reads = evolve(reads, entries=reads.entries[1:], count=reads.count - 1)
        return super().reads(reads)


def test_an_entry_that_only_the_next_full_read_shows_breaks_cur_4() -> None:
    """Full and deltas add up to less than the next full read, whatever was counted."""
    script = [record(MESSAGE), read(), record(REPLY), read((0, 1)), read()]
    judgement = judged(DropsQuietly, script)
    assert "CUR-4" in named(judgement)
    assert {one.operation for one in judgement.violations} == {4}


def test_a_delta_must_hold_what_a_full_read_showed() -> None:
    """A reader who starts over and one who reads on see the same later entries (CUR-1)."""
    script = [record(MESSAGE, REPLY), read(), read((0, 1))]
    assert judged(RenderedMessages, script).clean
    assert named(judged(RewordsDelta, script)) == {"CUR-1"}


class RewordsDelta(RenderedMessages):
    def reads(self, reads: Reads) -> dict[str, Any]:
        if reads.kind == "delta":
            reads = evolve(reads, entries=[f"{one}!" for one in reads.entries])
        return super().reads(reads)


def test_a_removed_head_leaves_no_word_on_what_deltas_add_up_to() -> None:
    """Entries shift under an unchanged version (HAZ-11), which is allowed."""
    script = [record(MESSAGE, REPLY), read(), {"op": "remove_first_item"}, read((0, 2)), read()]
    assert judged(RenderedMessages, script).clean


def test_a_version_in_the_cursor_is_compared_all_the_same() -> None:
    """The entries are the renderer's, the version is the history's (CUR-2)."""
    judgement = judged(ForgetsVersion, LIFE)
    assert "CUR-2" in named(judgement)
    assert not judgement.unattributed


class ForgetsVersion(RenderedMessages):
    def reads(self, reads: Reads) -> dict[str, Any]:
        return super().reads(evolve(reads, version=0))


SMALL = Budget("small", 1, 0, 60, floor=1, operations_length=2)
ASKED = Campaign(SMALL, profiles=frozenset({"cursor", "changes", "recording"}))


VECTORS = Campaign(SMALL, evidence=(Evidence.VECTORS,))


def certified(name: str, asked: Campaign = ASKED) -> Result:
    with open_subject(object_spec(f"rendering_model:{name}", folder=str(RENDERING))) as opened:
        return run_campaign(opened, asked, workers=1)


def test_a_campaign_lets_readers_go_on_from_the_cursors_they_were_given() -> None:
    """Scripts know the model's cursors; the subject's own ones take their place."""
    result = certified("RenderedMessages")
    assert not result.tally.findings
    assert not result.tally.differences
    assert exit_code(certificate_of(result)) in (0, 3)
    for clause in CURSORS:
        for mode in Mode:
            assert result.tally.exercised[clause, mode] >= 20, (clause, mode)


@pytest.mark.parametrize(
    ("name", "clause", "evidence"),
    [
        ("DeltaAfterReplace", "CUR-3", Evidence.RANDOM),
        ("StaleCount", "CUR-2", Evidence.RANDOM),
        ("LosesInDelta", "CUR-4", Evidence.RANDOM),
        ("AlwaysFull", "CUR-1", Evidence.EXHAUSTIVE),
    ],
)
def test_a_campaign_names_a_wrong_renderer(name: str, clause: str, evidence: Evidence) -> None:
    """The finding is minimal, and its replay file holds the cursors that show it."""
    result = certified(name, evolve(ASKED, evidence=(evidence,), clauses=frozenset({clause})))
    assert (clause, Mode.RELEASE) in result.tally.findings
    finding = result.tally.findings[clause, Mode.RELEASE]
    assert len(finding.script) <= 4
    assert any(one.clause == clause for one in replays(certificate_of(result)))


def test_the_report_says_that_entries_are_rendered() -> None:
    """Whoever reads the verdict on cursors learns what it rests on."""
    certificate = certificate_of(certified("RenderedMessages", VECTORS))
    console = Console(width=120, record=True, file=io.StringIO())
    print_certificate(console, certificate, Again(certificate, {}, ()))
    assert "transcripts in release hold rendered entries" in console.export_text()


def test_pytest_asks_readers_to_go_on_from_their_own_cursors_too() -> None:
    """A trial fills in the cursors of the first session before it judges."""
    with open_subject(object_spec("rendering_model:LosesInDelta", folder=str(RENDERING))) as opened:
        capabilities = {mode: one.capabilities for mode, one in opened.descriptions.items()}
        judge = Judge(DEFAULT_EDITION, Claim.full(), capabilities)
        script = [record(MESSAGE, CALL), read(), record(REPLY), read((0, 2))]
        judgement = Trial(opened.sessions, judge).judgement(script)
    assert named(judgement) == {"CUR-1", "CUR-4"}


def test_a_model_run_gives_every_read_its_outcome() -> None:
    """The wrapper changes nothing but the reads."""
    script = [record(MESSAGE), {"op": "history_version"}, read(), {"op": "raw_items"}]
    subject = RenderedMessages()
    subject.described(Mode.RELEASE)
    given = subject.outcomes(list(script))
    wanted = run_script(script, mode=Mode.RELEASE)
    assert [given[place] for place in (0, 1, 3)] == [wanted[place] for place in (0, 1, 3)]


def by_mode(violations: tuple[Violation, ...]) -> Mapping[Mode, set[str]]:
    found: dict[Mode, set[str]] = defaultdict(set)
    for violation in violations:
        found[violation.mode].add(violation.clause)
    return found


@pytest.mark.parametrize("subject", WRONG, ids=lambda one: str(one.__name__))
def test_both_modes_say_the_same(subject: type[RenderedMessages]) -> None:
    """No read depends on the build."""
    found = by_mode(judged(subject, LIFE).violations)
    assert found[Mode.DEBUG] == found[Mode.RELEASE]
