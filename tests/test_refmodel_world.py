"""What a world state update reports (WORLD-1 to WORLD-7)."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextcert.refmodel.history import History
from contextcert.refmodel.items import Envelope, Message
from contextcert.refmodel.json_value import Json, JsonObject, same_json
from contextcert.refmodel.truncation import TruncationPolicy, Unit
from contextcert.refmodel.world import apply_merge_patch, merge_patch

LEAVES: st.SearchStrategy[Json] = st.sampled_from([0, 1, 1.0, True, "", "a"])


def values(leaves: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    """Draw values over a few keys, so that two of them often meet."""
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
        ),
        max_leaves=6,
    )


def states(leaves: st.SearchStrategy[Json]) -> st.SearchStrategy[JsonObject]:
    """Draw states: objects at the outside."""
    return st.dictionaries(st.sampled_from("abc"), values(leaves), max_size=3)


@pytest.mark.parametrize(
    ("baseline", "state", "patch"),
    [
        ({}, {}, None),
        ({"a": 1}, {"a": 1}, None),
        ({"a": {"b": {}}}, {"a": {"b": {}}}, None),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, None),
        ({}, {"a": {}}, {"a": {}}),
        ({"a": 1}, {}, {"a": None}),
        ({"a": 1}, {"a": 2, "b": 3}, {"a": 2, "b": 3}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"y": 2, "z": 3}}, {"a": {"x": None, "z": 3}}),
        ({"a": {"x": {"y": 1}}}, {"a": {"x": {}}}, {"a": {"x": {"y": None}}}),
        ({"a": {"x": 1}, "b": {"y": 1}}, {"a": {"x": 1}, "b": {"y": 2}}, {"b": {"y": 2}}),
        ({"a": [1, 2]}, {"a": [1, 3]}, {"a": [1, 3]}),
        ({"a": [{"x": 1}]}, {"a": [{"x": 1}]}, None),
        ({"a": [1]}, {"a": {"x": 1}}, {"a": {"x": 1}}),
        ({"a": {"x": 1}}, {"a": [1]}, {"a": [1]}),
        ({"a": {"x": 1}}, {"a": None}, {"a": None}),
        ({"a": None}, {"a": None}, None),
        ({}, {"a": None}, {"a": None}),
        ({"a": 1}, {"a": 1.0}, {"a": 1.0}),
        ({"a": 1}, {"a": True}, {"a": True}),
        ({"a": 2**53}, {"a": 2**53 + 1}, {"a": 2**53 + 1}),
        ({"a": 1.0}, {"a": 1.00}, None),
        ([], {"a": 1}, {"a": 1}),
        ("x", {}, {}),
        (False, {"a": {}}, {"a": {}}),
    ],
)
def test_a_patch_says_what_changed_and_no_more(
    baseline: Json, state: JsonObject, patch: JsonObject | None
) -> None:
    """WORLD-2, WORLD-7: key by key at every depth, and nothing at all for equal states."""
    assert same_json(merge_patch(baseline, state), patch)


@given(values(LEAVES), states(LEAVES))
def test_a_patch_leads_from_the_baseline_to_the_state(baseline: Json, state: JsonObject) -> None:
    """WORLD-4: what is reported, applied to the baseline, gives the state."""
    before = deepcopy([baseline, state])
    patch = merge_patch(baseline, state)
    reached = baseline if patch is None else apply_merge_patch(baseline, patch)
    assert same_json(reached, state)
    assert same_json([baseline, state], before)


@given(states(LEAVES | st.none()), states(LEAVES | st.none()))
def test_nothing_is_reported_for_equal_states_only(left: JsonObject, right: JsonObject) -> None:
    """WORLD-2: a patch is absent exactly when the two states are equal, nulls included."""
    assert (merge_patch(left, right) is None) is same_json(left, right)


@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c"], ["c"]),
        ({"a": "b"}, None, None),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"b": {"c": None}}}, {"a": {"b": {}}}),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ],
)
def test_a_patch_is_applied_as_rfc_7396_says(target: Json, patch: Json, result: Json) -> None:
    """WORLD-4 rests on the merge that RFC 7396 defines."""
    assert same_json(apply_merge_patch(target, patch), result)


def test_an_update_is_full_once_and_a_patch_from_then_on() -> None:
    """WORLD-1 to WORLD-3: the state reported last is the one to compare with."""
    history, report = History().update_world_state({})
    assert report == {"full": True, "state": {}}
    history, report = history.update_world_state({"a": 1})
    assert report == {"full": False, "patch": {"a": 1}}
    history, report = history.update_world_state({"a": 1})
    assert report is None
    assert history.baseline == {"a": 1}


GREETED = History().record(
    [Envelope(Message(role="user", content=()))], TruncationPolicy(Unit.BYTES, 0)
)


@pytest.mark.parametrize(
    ("history", "change", "full"),
    [
        (GREETED, History.remove_first, True),
        (GREETED, lambda history: history.replace(()), True),
        (GREETED, lambda history: history.roll_back(1), True),
        (History(), lambda history: history.roll_back(1), True),
        (GREETED, lambda history: history.roll_back(0), False),
        (History(), History.remove_first, False),
        (GREETED, lambda history: history.record((), TruncationPolicy(Unit.BYTES, 0)), False),
    ],
)
def test_what_rewrites_the_history_clears_the_baseline(
    history: History, change: Callable[[History], History], *, full: bool
) -> None:
    """WORLD-5, WORLD-6: the next update is full after a rewrite, and only then."""
    updated, _ = history.update_world_state({"a": 1})
    _, report = change(updated).update_world_state({"a": 1})
    assert report == ({"full": True, "state": {"a": 1}} if full else None)


def nested(depth: int, leaf: Json) -> JsonObject:
    """Make a state of objects in objects."""
    state: JsonObject = {"k": leaf}
    for _ in range(depth):
        state = {"k": state, "same": [1]}
    return state


def test_deep_states_are_walked_once() -> None:
    """WORLD-2: nesting as deep as a hundred thousand neither fails nor crawls."""
    depth = 100_000
    old, new = nested(depth, 1), nested(depth, 2)
    started = process_time()
    patch = merge_patch(old, new)
    assert patch is not None
    reached = apply_merge_patch(old, patch)
    assert process_time() - started < 5
    assert same_json(reached, new)
    assert merge_patch(new, nested(depth, 2)) is None
