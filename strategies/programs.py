"""The random groups: strategies of whole scripts."""

from __future__ import annotations

from functools import cache, partial
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contextcert.strategies.letters import acts, alphabet_of, performed
from contextcert.strategies.projecting import Script, script_of
from contextcert.strategies.scope import Scope
from contextcert.strategies.unicode_scripts import unicode_scripts
from contextcert.strategies.wire_programs import wire_scripts

GROUPS: Final = ("mixed", "pairs", "media", "wire", "unicode")
"""What a random group dwells on."""

_LENGTHS: Final = (0, 8, 20, 40)
"""Smallest numbers of letters; about every second letter begins an item."""

_LONGEST: Final = 60


def groups_of(scope: Scope) -> tuple[str, ...]:
    """List the groups that say something about the claim."""
    profile_of = {"media": "media", "wire": "wire"}
    return tuple(
        group for group in GROUPS if profile_of.get(group) in {None, *scope.claim.profiles}
    )


@cache
def scripts(group: str, scope: Scope) -> SearchStrategy[Script]:
    """Give the strategy of a group's scripts; it shrinks towards few and plain items.

    Raises:
        ValueError: there is no such group.
    """
    if group not in GROUPS:
        raise ValueError(f"no group {group!r}; there are {', '.join(GROUPS)}")
    if group == "wire":
        return wire_scripts(scope, programs)
    if group == "unicode":
        return unicode_scripts(scope)
    table = acts(group, scope)
    return programs(len(table)).map(lambda program: script_of(performed(program, table), scope))


@cache
def programs(letters: int) -> SearchStrategy[str]:
    """Give the strategy of strings over the first letters: a length first, then that many."""
    alphabet = alphabet_of(letters)
    of_length = {
        length: st.text(alphabet, min_size=length, max_size=_LONGEST) for length in _LENGTHS
    }
    return st.sampled_from(_LENGTHS).flatmap(partial(of_length.__getitem__))
