"""Random scripts of every group, and whole lives driven by rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import pytest

from contextcert.properties.machine import run_machine
from contextcert.properties.trial import SHARDS, Trial, require_random, shard_of
from contextcert.refmodel import Mode
from contextcert.strategies import GROUPS, groups_of
from contextcert.subject import Session

if TYPE_CHECKING:
    from contextcert.campaign.setting import Setting

LIVES: Final = "lives"
SCRIPTS_A_LIFE: Final = 10
"""How many random scripts cost about as much as one life driven by rules."""


def _require_claimed(group: str, setting: Setting) -> None:
    if group not in groups_of(setting.scope):
        pytest.skip(f"the subject claims nothing that {group} scripts are about")


@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("group", GROUPS)
def test_random_scripts(
    group: str,
    shard: int,
    contextcert_mode: Mode,
    contextcert_sessions: Mapping[Mode, Session],
    contextcert_setting: Setting,
) -> None:
    """Random scripts of a group; in debug their twins as well."""
    _require_claimed(group, contextcert_setting)
    session = contextcert_sessions[contextcert_mode]
    trial = Trial({contextcert_mode: session}, contextcert_setting.judge())
    campaign = contextcert_setting.campaign
    indices = shard_of(campaign.budget.random_count, shard)
    require_random(trial, group, contextcert_setting.scope, campaign.seed, indices)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_lives_of_several_histories(
    shard: int, contextcert_sessions: Mapping[Mode, Session], contextcert_setting: Setting
) -> None:
    """Whatever rules follow each other on three histories, every operation gives what it must."""
    _require_claimed(LIVES, contextcert_setting)
    trial = Trial(contextcert_sessions, contextcert_setting.judge())
    campaign = contextcert_setting.campaign
    indices = shard_of(campaign.budget.random_count // SCRIPTS_A_LIFE, shard)
    run_machine(
        trial,
        contextcert_setting.scope,
        max_examples=len(indices),
        seed=campaign.seed,
        start=indices.start,
    )
