"""Everything small: histories under every set of modalities, odd items, scripts of operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

import pytest

from contextcert.properties import debug_twin
from contextcert.properties.trial import SHARDS, Trial, shard_of
from contextcert.refmodel import Mode
from contextcert.strategies import (
    Scope,
    Script,
    Symbol,
    alphabet,
    histories,
    history_count,
    listed_lives,
    modality_sets,
    operation_scripts,
    pairing_alphabet,
    projection_script,
    specimen_scripts,
)
from contextcert.subject import Session

if TYPE_CHECKING:
    from contextcert.campaign.setting import Setting

PROFILES: Final = frozenset({"projection", "media", "wire"})


def _small(setting: Setting, shard: int) -> Iterator[Script]:
    """Give a shard of every listed history, shortest first."""
    scope, budget = setting.scope, setting.campaign.budget
    sets = modality_sets(scope)
    longest = budget.exhaustive_length
    yield from _listed(scope, alphabet(scope), 0, longest, shard, sets)
    if budget.pairing_length > longest:
        symbols = pairing_alphabet(scope)
        done = history_count(symbols, longest)
        yield from _listed(scope, symbols, done, budget.pairing_length, shard, sets)


def _listed(  # noqa: PLR0913, PLR0917 - what is listed, which part of it, and how it is asked
    scope: Scope,
    symbols: Sequence[Symbol],
    done: int,
    longest: int,
    shard: int,
    sets: Sequence[Sequence[str]],
) -> Iterator[Script]:
    part = shard_of(history_count(symbols, longest) - done, shard)
    for history in histories(symbols, longest, start=done + part.start, stop=done + part.stop):
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
    if PROFILES.isdisjoint(contextcert_setting.claim.profiles):
        pytest.skip(f"the subject claims none of {', '.join(sorted(PROFILES))}")
    trial = Trial(contextcert_sessions, contextcert_setting.judge())
    trial.require(_small(contextcert_setting, shard))


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_odd_item(
    shard: int,
    contextcert_sessions: Mapping[Mode, Session],
    contextcert_setting: Setting,
) -> None:
    """Every odd and every malformed item alone is read, or refused, as SPEC asks for."""
    from contextcert.campaign.plan import specimen_count  # noqa: PLC0415 - the plugin's side

    if not (count := specimen_count(contextcert_setting)):
        pytest.skip("the subject does not claim wire")
    part = shard_of(count, shard)
    specimens = specimen_scripts(contextcert_setting.scope)
    trial = Trial(contextcert_sessions, contextcert_setting.judge())
    trial.require(islice(specimens, part.start, part.stop))


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_listed_life(
    shard: int,
    contextcert_sessions: Mapping[Mode, Session],
    contextcert_setting: Setting,
) -> None:
    """Every odd text, cut, world state and head of a history in a script of its own."""
    from contextcert.campaign.plan import listed_lives_count  # noqa: PLC0415 - the plugin's side

    if not (count := listed_lives_count(contextcert_setting)):
        pytest.skip("the subject claims nothing of what happens to a history between projections")
    part = shard_of(count, shard)
    lives = listed_lives(contextcert_setting.scope)
    trial = Trial(contextcert_sessions, contextcert_setting.judge())
    trial.require(islice(lives, part.start, part.stop))


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_short_script_of_operations(
    shard: int,
    contextcert_sessions: Mapping[Mode, Session],
    contextcert_setting: Setting,
) -> None:
    """Every listed script of up to the budget's number of operations, builds side by side."""
    from contextcert.campaign.plan import operations_count  # noqa: PLC0415 - the plugin's side

    if not (count := operations_count(contextcert_setting)):
        pytest.skip("the subject claims nothing of what happens to a history between projections")
    part = shard_of(count, shard)
    scope, longest = (
        contextcert_setting.scope,
        contextcert_setting.campaign.budget.operations_length,
    )
    trial = Trial(contextcert_sessions, contextcert_setting.judge())
    trial.require(operation_scripts(scope, longest, start=part.start, stop=part.stop))
