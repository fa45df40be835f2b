"""Media: random scripts and the pinned examples (IMG, AUD)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from contextcert.properties import Example, examples
from contextcert.properties.trial import SHARDS, Trial, require_random, shard_of
from contextcert.refmodel import CLAUSES, Mode
from contextcert.subject import Session

if TYPE_CHECKING:
    from contextcert.campaign.setting import Setting

PROFILE = "media"


def _pinned() -> list[Example]:
    return [one for one in examples() if CLAUSES[one["clauses"][0]].profile == PROFILE]


@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("group", ["media"])
def test_random_scripts(
    group: str,
    shard: int,
    contextcert_mode: Mode,
    contextcert_sessions: Mapping[Mode, Session],
    contextcert_setting: Setting,
) -> None:
    """Random scripts full of images and audio; in debug their twins as well."""
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
