"""The version stops at 2^64 - 1, where no subject can be brought: judged on the model (VER-2)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contextcert.refmodel import History
from contextcert.refmodel.history import VERSION_MAX
from contextcert.refmodel.items import Message
from contextcert.refmodel.json_value import JsonObject
from contextcert.refmodel.wire import read_item

MESSAGE: JsonObject = {"type": "message", "role": "user", "content": []}
REWRITES: dict[str, Callable[[History], History]] = {
    "replace": lambda history: history.replace([]),
    "roll back": lambda history: history.roll_back(1),
    "roll back far": lambda history: history.roll_back(2**32 - 1),
}
by_rewrite = pytest.mark.parametrize("rewrite", REWRITES.values(), ids=REWRITES)


def history(version: int) -> History:
    """Give a history that was rewritten so often, and that knows a world state."""
    message = read_item(MESSAGE)
    assert isinstance(message, Message)
    return History(version=version).replace([message]).set_baseline({"a": 1})


@by_rewrite
def test_the_last_step_reaches_the_end(rewrite: Callable[[History], History]) -> None:
    """One below the end, a rewrite still counts."""
    before = history(VERSION_MAX - 2)
    assert before.version == VERSION_MAX - 1
    assert rewrite(before).version == VERSION_MAX == 18446744073709551615


@by_rewrite
def test_at_the_end_the_version_stays(rewrite: Callable[[History], History]) -> None:
    """It neither grows nor falls (VER-4), and the rewrite does all else that it does."""
    before = history(VERSION_MAX)
    assert before.version == VERSION_MAX
    after = rewrite(before)
    assert after.version == VERSION_MAX
    assert after.baseline is None
    assert rewrite(after).version == VERSION_MAX


def test_what_leaves_the_version_leaves_it_there_too() -> None:
    """Rolling back nothing and removing the head are no rewrites (VER-3)."""
    before = history(VERSION_MAX)
    assert before.roll_back(0) == before
    assert before.remove_first().version == VERSION_MAX
    assert before.set_token_info(1).version == VERSION_MAX
