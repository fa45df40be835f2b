"""The pinned examples, one test each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from contextcert.properties import Example, examples
from contextcert.properties.trial import Trial
from contextcert.refmodel import Mode
from contextcert.subject import Session

if TYPE_CHECKING:
    from contextcert.campaign.setting import Setting


@pytest.mark.parametrize("example", examples(), ids=lambda one: one["name"])
def test_example(
    example: Example,
    contextcert_sessions: Mapping[Mode, Session],
    contextcert_setting: Setting,
) -> None:
    """A pinned example comes out as SPEC asks for, in every build there is."""
    from contextcert.campaign.scope import script_for  # noqa: PLC0415 - the plugin's side

    script = script_for(example, contextcert_setting.scope)
    if script is None:
        pytest.skip("the subject does not claim what this example shows or needs")
    Trial(contextcert_sessions, contextcert_setting.judge()).require_example(example, script)
