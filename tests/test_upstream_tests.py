"""The named upstream tests: complete, right by hand and by the model, and really about a clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextcert.cli.main import run
from contextcert.properties import (
    CHECKS,
    DEBUG_SUFFIX,
    Judge,
    UpstreamTest,
    examples,
    upstream_tests,
)
from contextcert.refmodel import CLAUSES, DEFAULT_EDITION, Claim, Mode, run_script_in_both_modes
from contextcert.refmodel.json_value import same_json
from contextcert.report.upstream_table import upstream_table
from contextcert.subject import Capabilities

SEEING = Capabilities(diagnostics=True, exact_numbers=True, success_flag=True)
TABLE = Path(__file__).parents[1] / "docs" / "upstream-tests.md"

ALIKE = [
    "normalize_adds_missing_output_for_function_call_inserts_output",
    "for_prompt_assigns_stable_id_to_synthetic_output_without_reordering_history",
    "normalize_keeps_server_tool_search_output_without_matching_call",
    "for_prompt_strips_media_when_model_does_not_support_it",
    "for_prompt_preserves_image_generation_calls_when_images_are_supported",
    "for_prompt_clears_image_generation_result_when_images_are_unsupported",
    "remove_first_item_removes_matching_output_for_function_call",
    "remove_first_item_removes_matching_call_for_output",
    "remove_first_item_handles_local_shell_pair",
    "remove_first_item_handles_custom_tool_pair",
    "drop_last_n_user_turns_preserves_prefix",
    "drop_last_n_user_turns_ignores_session_prefix_user_messages",
    "drop_last_n_user_turns_trims_context_updates_above_rolled_back_turn",
    "drop_last_n_user_turns_clears_reference_context_for_mixed_developer_context_bundles",
]
"""The tests that upstream has in any build."""

PAIRS = [
    "normalize_adds_missing_output_for_custom_tool_call",
    "normalize_adds_missing_output_for_local_shell_call_with_id",
    "normalize_removes_orphan_function_call_output",
    "normalize_removes_orphan_custom_tool_call_output",
    "normalize_removes_orphan_client_tool_search_output",
    "normalize_mixed_inserts_and_removals",
]
"""The tests that upstream has once for release and once for debug."""

by_name = pytest.mark.parametrize("test", upstream_tests(), ids=lambda one: one["name"])


def test_every_named_test_is_there_once() -> None:
    """The list is complete, and no name is that of another example."""
    names = [test["name"] for test in upstream_tests()]
    assert sorted(names) == sorted(ALIKE + PAIRS)
    assert not set(names) & {example["name"] for example in examples()}


@by_name
def test_the_builds_differ_where_upstream_has_a_pair(test: UpstreamTest) -> None:
    """A pair's debug panics and its release says why; all others come out alike."""
    if test["name"] in PAIRS:
        assert "panic" in test["debug"][-1]
        assert test["release"][-1]["diagnostics"]
    else:
        assert same_json(test["debug"], test["release"])


@by_name
def test_outcomes_stated_by_hand_are_those_of_the_model(test: UpstreamTest) -> None:
    """What SPEC was read to ask for is what the model gives, in both modes."""
    given = run_script_in_both_modes(test["ops"])
    assert same_json(given[Mode.DEBUG], test["debug"])
    assert same_json(given[Mode.RELEASE], test["release"])


@by_name
def test_every_covered_clause_is_at_work(test: UpstreamTest) -> None:
    """The judge finds nothing wrong, and counts each clause that the test is said to cover."""
    judge = Judge(DEFAULT_EDITION, Claim.full(), dict.fromkeys(Mode, SEEING))
    outcomes = {Mode.DEBUG: test["debug"], Mode.RELEASE: test["release"]}
    judgement = judge.judge(test["ops"], outcomes)
    assert judgement.clean
    assert set(test["clauses"]) <= {clause for clause, _ in judgement.exercised}


@by_name
def test_every_clause_named_is_one_of_spec(test: UpstreamTest) -> None:
    """What covers and what closes is judged; what is left open is said."""
    named = [*test["clauses"], *test["closed_by"]]
    assert set(named) <= CLAUSES.keys() & CHECKS.keys()
    assert test["clauses"]
    assert test["why"].endswith(".")
    assert test["open"]


def test_the_table_in_the_documentation_is_current() -> None:
    """It is made from the data; the message says how to make it again."""
    made = (
        'python -c "from contextcert.report.upstream_table import upstream_table as table; '
        "print(table(), end='')\" > docs/upstream-tests.md"
    )
    assert TABLE.read_text(encoding="utf-8") == upstream_table(), f"stale; make it with: {made}"


@by_name
def test_explain_shows_a_test_by_its_name(
    test: UpstreamTest, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it covers, what it leaves open and what closes that, and how both modes end."""
    assert run(["explain", test["name"]]) == 0
    shown = capsys.readouterr().out
    for phrase in ("covers", "leaves open", "closed by", "debug", "release"):
        assert phrase in shown
    assert all(clause in shown for clause in (*test["clauses"], *test["closed_by"]))


def test_explain_knows_the_debug_twin_of_a_pair(capsys: pytest.CaptureFixture[str]) -> None:
    """Both names of a pair lead to the same test."""
    assert run(["explain", PAIRS[0] + DEBUG_SUFFIX]) == 0
    assert "PAIR-3" in capsys.readouterr().out


def test_explain_names_the_tests_of_a_clause(capsys: pytest.CaptureFixture[str]) -> None:
    """A clause tells which upstream tests cover it, and of which it settles the open question."""
    assert run(["explain", "HEAD-2"]) == 0
    assert "remove_first_item_removes_matching_call_for_output" in capsys.readouterr().out
    assert run(["explain", "ROLL-6"]) == 0
    assert "drop_last_n_user_turns_trims_context_updates" in capsys.readouterr().out


def test_a_name_nearly_right_is_suggested(capsys: pytest.CaptureFixture[str]) -> None:
    """A slip in a long name costs one more try, not a search."""
    assert run(["explain", "drop_last_n_user_turn_preserve_prefix"]) == 2
    assert "drop_last_n_user_turns_preserves_prefix" in capsys.readouterr().err
