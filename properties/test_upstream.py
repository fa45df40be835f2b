"""The tests that upstream has by name, one test each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from contextcert.properties import UpstreamTest, upstream_tests
from contextcert.properties.trial import Trial
from contextcert.refmodel import Mode
from contextcert.subject import Session

if TYPE_CHECKING:
    from contextcert.campaign.setting import Setting


@pytest.mark.parametrize("test", upstream_tests(), ids=lambda one: one["name"])
def test_upstream(
    test: UpstreamTest,
    contextcert_sessions: Mapping[Mode, Session],
    contextcert_setting: Setting,
) -> None:
    """What upstream's test is about comes out as SPEC asks for, in every build there is."""
    from contextcert.campaign.scope import script_for  # noqa: PLC0415 - the plugin's side

    script = script_for(test, contextcert_setting.scope)
    if script is None:
        pytest.skip("the subject does not claim what this test shows or needs")
    Trial(contextcert_sessions, contextcert_setting.judge()).require_example(test, script)
