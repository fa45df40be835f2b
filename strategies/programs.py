"""The random groups: strategies of whole scripts."""

from __future__ import annotations

from functools import cache, partial
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contextcert.strategies import (
    head_letters,
    life_letters,
    recording_letters,
    turn_letters,
    world_letters,
)
from contextcert.strategies.letters import acts, alphabet_of, performed
from contextcert.strategies.lives import Focus, Watched, lived, steps
from contextcert.strategies.projecting import POLICY, Script, script_of
from contextcert.strategies.reading import with_cursors
from contextcert.strategies.scope import Scope
from contextcert.strategies.segments import program_scripts
from contextcert.strategies.unicode_scripts import unicode_scripts
from contextcert.strategies.wire_programs import wire_scripts

GROUPS: Final = (
    "programs",
    "mixed",
    "pairs",
    "media",
    "wire",
    "unicode",
    "turns",
    "heads",
    "recording",
    "world",
    "lives",
)
"""What a random group dwells on."""

_LENGTHS: Final = (0, 8, 20, 40)
"""Smallest numbers of letters; about every second letter begins an item."""

_LIFE_LENGTHS: Final = (0, 12, 24, 40)
"""The same where letters are operations as well as items."""

_MOST_WATCHED: Final = 6

_LONGEST: Final = 60


def groups_of(scope: Scope) -> tuple[str, ...]:
    """List the groups that say something about the claim."""
    profiles = scope.claim.profiles
    return tuple(
        group for group in GROUPS if not profiles.isdisjoint(_PROFILES_OF.get(group, profiles))
    )


_PROFILES_OF: Final = {
    "media": frozenset({"media"}),
    "wire": frozenset({"wire"}),
    "turns": frozenset({"changes"}),
    "heads": frozenset({"changes"}),
    "recording": frozenset({"recording"}),
    "world": frozenset({"world"}),
    "lives": frozenset({"changes", "cursor", "snapshots"}),
}
"""The profiles of which a group needs one, to have anything to say."""


@cache
def scripts(group: str, scope: Scope) -> SearchStrategy[Script]:
    """Give the strategy of a group's scripts; it shrinks towards few and plain items.

    Raises:
        ValueError: there is no such group.
    """
    if group not in GROUPS:
        raise ValueError(f"no group {group!r}; there are {', '.join(GROUPS)}")
    if group == "programs":
        return program_scripts(scope)
    if group == "wire":
        return wire_scripts(scope, programs)
    if group == "unicode":
        return unicode_scripts(scope)
    if group in _LIVES:
        return _lives(group, scope)
    table = acts(group, scope)
    return programs(len(table)).map(lambda program: script_of(performed(program, table), scope))


_LIVES: Final = {
    "turns": (turn_letters.weighted_steps, turn_letters.WATCHED),
    "heads": (head_letters.weighted_steps, head_letters.WATCHED),
    "recording": (recording_letters.weighted_steps, recording_letters.WATCHED),
    "world": (world_letters.weighted_steps, world_letters.WATCHED),
    "lives": (life_letters.weighted_steps, life_letters.WATCHED),
}
"""The groups of changing histories: their letters, and what their scripts may watch."""

_POLICIES: Final = {"recording": recording_letters.POLICIES}
"""What the scripts of a group may record under, where that matters."""


def _lives(group: str, scope: Scope) -> SearchStrategy[Script]:
    weighted, names = _LIVES[group]
    table = steps(weighted())
    policies = st.sampled_from(_POLICIES.get(group, (POLICY,)))
    focus = st.builds(Focus, _watched(names), st.booleans(), policies)
    drawn = programs(len(table), _LIFE_LENGTHS)
    return st.builds(
        lambda chosen, program: with_cursors(lived(table, scope, chosen, program), scope.edition),
        focus,
        drawn,
    )


def _watched(names: Watched) -> SearchStrategy[Watched]:
    """Give the strategy of what to watch: some of the names, the first if there are none."""
    letters = alphabet_of(len(names))

    def chosen(drawn: str) -> Watched:
        wanted = {names[letters.index(letter)] for letter in drawn} or {names[0]}
        return tuple(name for name in dict.fromkeys(names) if name in wanted)

    return st.text(letters, max_size=_MOST_WATCHED).map(chosen)


@cache
def programs(letters: int, lengths: tuple[int, ...] = _LENGTHS) -> SearchStrategy[str]:
    """Give the strategy of strings over the first letters: a length first, then that many."""
    alphabet = alphabet_of(letters)
    of_length = {
        length: st.text(alphabet, min_size=length, max_size=_LONGEST) for length in lengths
    }
    return st.sampled_from(lengths).flatmap(partial(of_length.__getitem__))
