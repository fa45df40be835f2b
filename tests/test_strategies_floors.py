"""How often each fragment and each trap of Unicode comes up; no group is without floors."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final

import pytest

from contextcert.refmodel.json_value import Json
from contextcert.strategies import GROUPS, Scope, generate
from contextcert.strategies.fragments import (
    DEVELOPER_FRAGMENTS,
    INSTRUCTIONS,
    NEAR_DEVELOPER_FRAGMENTS,
    NEAR_INSTRUCTIONS,
    NEAR_USER_FRAGMENTS,
    NO_WHITE_SPACE,
    USER_FRAGMENTS,
    WHITE_SPACE,
)

COUNT: Final = 600
FLOORS_IN: Final = {
    "test_strategies_programs.py": {"programs"},
    "test_strategies_groups.py": {"mixed", "pairs", "media"},
    "test_strategies_lives.py": {"turns", "heads", "recording", "world", "lives"},
    "test_strategies_wire.py": {"wire"},
    "here": {"unicode"},
}
"""Where the floors of each group stand."""

FRAGMENTS: Final = (
    ("user", USER_FRAGMENTS, 0.05),
    ("developer", DEVELOPER_FRAGMENTS, 0.05),
    ("instruction", INSTRUCTIONS, 0.04),
    ("nearly user", NEAR_USER_FRAGMENTS, 0.01),
    ("nearly developer", NEAR_DEVELOPER_FRAGMENTS, 0.01),
    ("nearly instruction", NEAR_INSTRUCTIONS, 0.01),
)
"""Each fragment, and what nearly is one, in a share of the scripts of `turns`."""

TRAPS: Final[dict[str, tuple[float, Callable[[str], bool]]]] = {
    "two bytes": (0.2, lambda one: 0x7F < ord(one) < 0x800),
    "three bytes": (0.3, lambda one: 0x7FF < ord(one) < 0x10000),
    "four bytes": (0.4, lambda one: ord(one) > 0xFFFF),
    "white space beyond ASCII": (0.1, lambda one: one in WHITE_SPACE and ord(one) > 0x7F),
    "what some take for white space": (0.1, lambda one: one in NO_WHITE_SPACE),
    "what folds into ASCII": (0.05, lambda one: one in "\u212a\u017f"),
    "combining": (0.03, lambda one: bool(unicodedata.combining(one))),
    "NUL": (0.03, lambda one: one == "\0"),
    "carriage return": (0.03, lambda one: one == "\r"),
    "private or unassigned": (0.2, lambda one: unicodedata.category(one) in ("Co", "Cn")),
}
"""Characters in a share of the scripts of `unicode`."""


def strings(value: Json) -> Iterator[str]:
    """Give all texts within a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)


def test_every_group_has_floors() -> None:
    """A new group has to say where its own are."""
    assert set().union(*FLOORS_IN.values()) == set(GROUPS)


@pytest.mark.parametrize(("kind", "fragments", "floor"), FRAGMENTS)
def test_every_fragment_comes_up(kind: str, fragments: tuple[str, ...], floor: float) -> None:
    """None is left to luck, and none is drowned by the others."""
    scripts = generate("turns", Scope.full(), seed=11, count=COUNT)
    texts = [json.dumps(script, ensure_ascii=False) for script in scripts]
    shares = {
        fragment: sum(json.dumps(fragment, ensure_ascii=False)[1:-1] in text for text in texts)
        for fragment in fragments
    }
    assert min(shares.values()) >= floor * COUNT, (kind, shares)


@pytest.mark.parametrize("trap", TRAPS)
def test_every_trap_of_unicode_comes_up(trap: str) -> None:
    """Each kind of character that decoders and languages lose or confuse."""
    floor, is_it = TRAPS[trap]
    scripts = generate("unicode", Scope.full(), seed=11, count=COUNT)
    met = sum(any(map(is_it, "".join(strings([*script])))) for script in scripts)
    assert met >= floor * COUNT
