"""The random group `programs`: long scripts that mix many aims, each on histories of its own.

What counts for a small fault is how many different texts, cuts, states and pairs a case looks at,
and not how long it is. A script of any other group has one aim; a program has several.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import chain
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contextcert.strategies.letters import alphabet_of
from contextcert.strategies.projecting import Script
from contextcert.strategies.scope import Scope
from contextcert.strategies.segments.cutting import cutting
from contextcert.strategies.segments.firsts import beginning, changing
from contextcert.strategies.segments.heading import heading
from contextcert.strategies.segments.prompting import breaking, prompting
from contextcert.strategies.segments.reporting import reporting
from contextcert.strategies.segments.segment import Segment, joined
from contextcert.strategies.segments.sharing import living, reading
from contextcert.strategies.segments.turning import turning
from contextcert.strategies.segments.wiring import wiring

Aim = Callable[[Scope], Segment[Any]]

_CHANGES: Final = frozenset({"changes"})
_PROFILES_OF: Final[dict[Aim, frozenset[str]]] = {
    turning: _CHANGES,
    beginning: _CHANGES,
    changing: _CHANGES,
    heading: _CHANGES,
    cutting: frozenset({"recording"}),
    reporting: frozenset({"world"}),
    reading: frozenset({"cursor"}),
    living: frozenset({"changes", "cursor", "snapshots"}),
    wiring: frozenset({"wire"}),
}
"""The profiles of which a segment needs one; prompts are everybody's."""

_MIXES: Final[tuple[tuple[Aim, ...], ...]] = (
    (prompting, beginning, changing, heading),
    (turning, cutting, reporting),
    (breaking, wiring, reporting),
    (living, breaking, reading),
)
"""The aims of one program. What a panic may end is asked for again, so they stand together."""

_FEW: Final = 2
"""So few aims stand together in every program, twice."""

_MORE: Final = 8
"""How many more letters than a full program a segment may have."""

_SHARES: Final = (0, *[1] * 11)
"""What part of a full program is the least that is drawn: nothing, or all of it."""


def program_scripts(scope: Scope) -> SearchStrategy[Script]:
    """Give the strategy of programs; they shrink towards few segments of few letters."""
    mixes = tuple(dict.fromkeys(mix for mix in map(_claimed(scope), _MIXES) if mix))
    if len(set(chain(*mixes))) <= _FEW:
        mixes = (tuple(chain(*mixes, *mixes)),)
    return st.sampled_from(mixes).flatmap(
        lambda mix: st.sampled_from(_SHARES).flatmap(lambda share: _programs(mix, scope, share))
    )


def _claimed(scope: Scope) -> Callable[[tuple[Aim, ...]], tuple[Aim, ...]]:
    profiles = scope.claim.profiles
    return lambda mix: tuple(
        aim for aim in mix if not profiles.isdisjoint(_PROFILES_OF.get(aim, profiles))
    )


@cache
def _programs(mix: tuple[Aim, ...], scope: Scope, share: int) -> SearchStrategy[Script]:
    segments = [segment for aim in mix if (segment := aim(scope)).values]
    strings = [
        st.text(
            alphabet_of(len(segment.values)),
            min_size=segment.length * share,
            max_size=segment.length + _MORE,
        )
        for segment in segments
    ]
    return st.tuples(*strings).map(lambda drawn: joined(segments, drawn, scope))
