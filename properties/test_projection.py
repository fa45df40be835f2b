"""Projection: every small history, random scripts, and the pinned examples (PROJ to MODE)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import pytest

from contextcert.properties import Example, debug_twin, examples
from contextcert.properties.trial import SHARDS, Trial, require_random, shard_of
from contextcert.refmodel import CLAUSES, Mode
from contextcert.strategies import (
    Scope,
    Script,
    Symbol,
    alphabet,
    histories,
    history_count,
    modality_sets,
    pairing_alphabet,
    projection_script,
)
from contextcert.subject import Session

if TYPE_CHECKING:
    from contextcert.campaign.setting import Setting

PROFILE = "projection"


def _pinned() -> list[Example]:
    return [one for one in examples() if CLAUSES[one["clauses"][0]].profile == PROFILE]


def _small(setting: Setting, shard: int) -> Iterator[Script]:
    """Give a shard of every listed history, shortest first."""
    scope, budget = setting.scope, setting.campaign.budget
    sets = modality_sets(scope)
    for length in range(budget.exhaustive_length + 1):
        yield from _listed(scope, alphabet(scope), length, shard, sets)
    if budget.pairing_length > budget.exhaustive_length:
        symbols = pairing_alphabet(scope)
        yield from _listed(scope, symbols, budget.pairing_length, shard, sets[:1])


def _listed(
    scope: Scope,
    symbols: Sequence[Symbol],
    length: int,
    shard: int,
    sets: Sequence[Sequence[str]],
) -> Iterator[Script]:
    indices = shard_of(history_count(symbols, length), shard)
    for history in histories(symbols, length, start=indices.start, stop=indices.stop):
        items = [symbol.item for symbol in history]
        script = projection_script(items, sets, scope)
        yield script
        if debug_twin(script, edition=scope.edition) is not None:
            # Debug ends at the first panic, so the other modality sets are asked one by one.
            yield from (projection_script(items, [one], scope) for one in sets[1:])


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_small_history(
    shard: int,
    contextcert_sessions: Mapping[Mode, Session],
    contextcert_setting: Setting,
) -> None:
    """Every listed history up to the budget's length, all modality sets, builds side by side."""
    trial = Trial(contextcert_sessions, contextcert_setting.judge())
    trial.require(_small(contextcert_setting, shard))


@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("group", ["mixed", "pairs"])
def test_random_scripts(
    group: str,
    shard: int,
    contextcert_mode: Mode,
    contextcert_sessions: Mapping[Mode, Session],
    contextcert_setting: Setting,
) -> None:
    """Random scripts of pairs and of everything; in debug their twins as well."""
    if PROFILE not in contextcert_setting.claim.profiles:
        pytest.skip(f"the subject does not claim {PROFILE}")
    session = contextcert_sessions[contextcert_mode]
    trial = Trial({contextcert_mode: session}, contextcert_setting.judge())
    campaign = contextcert_setting.campaign
    indices = shard_of(campaign.budget.random_count, shard)
    require_random(trial, group, contextcert_setting.scope, campaign.seed, indices)


@pytest.mark.parametrize("example", _pinned(), ids=lambda one: one["name"])
def test_example(
    example: Example,
    contextcert_sessions: Mapping[Mode, Session],
    contextcert_setting: Setting,
) -> None:
    """A pinned example comes out as SPEC asks for."""
    from contextcert.campaign.scope import lies_within  # noqa: PLC0415 - the plugin's side

    if not lies_within(example["ops"], contextcert_setting.scope):
        pytest.skip("the subject does not claim what this example needs")
    Trial(contextcert_sessions, contextcert_setting.judge()).require([example["ops"]])
