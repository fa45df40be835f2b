"""Lives of several histories at once, driven by rules (REC to SNAP)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import pytest

from contextcert.properties.machine import run_machine
from contextcert.properties.trial import Trial
from contextcert.refmodel import Mode
from contextcert.subject import Session

if TYPE_CHECKING:
    from contextcert.campaign.setting import Setting

PROFILES: Final = frozenset({"changes", "cursor", "snapshots"})
SCRIPTS_A_LIFE: Final = 50
"""How many random scripts cost about as much as one life."""


def test_lives_of_several_histories(
    contextcert_sessions: Mapping[Mode, Session], contextcert_setting: Setting
) -> None:
    """Whatever rules follow each other on three histories, every operation gives what it must."""
    if PROFILES.isdisjoint(contextcert_setting.claim.profiles):
        pytest.skip(f"the subject claims none of {', '.join(sorted(PROFILES))}")
    trial = Trial(contextcert_sessions, contextcert_setting.judge())
    lives = contextcert_setting.campaign.budget.random_count // SCRIPTS_A_LIFE
    run_machine(trial, contextcert_setting.scope, max_examples=lives)
