"""Listed lives: each odd text, cut, world state and head there is, in a script of its own.

They are to recording, changes and the world what the wire specimens are to ITEM: drawn at random,
one of a hundred alike would come up once in thousands of scripts.
"""

from __future__ import annotations

from collections.abc import Iterator

from contextcert.strategies.listings.cuts import cut_scripts
from contextcert.strategies.listings.first_turns import first_turn_scripts
from contextcert.strategies.listings.heads import head_scripts
from contextcert.strategies.listings.keeping import keeping_scripts
from contextcert.strategies.listings.keepsakes import keepsake_scripts
from contextcert.strategies.listings.lengths import (
    long_cut_scripts,
    long_state_scripts,
    long_turn_scripts,
    rewrite_scripts,
)
from contextcert.strategies.listings.states import state_scripts
from contextcert.strategies.listings.turns import turn_scripts
from contextcert.strategies.projecting import Script, look
from contextcert.strategies.scope import Scope


def listed_lives(scope: Scope) -> Iterator[Script]:
    """List them within a scope: an operation that may not be asked for leaves its script out.

    A script that needs what the claim or the adapter lacks would show nothing.
    """
    if {"changes"} & scope.claim.profiles:
        yield from _possible(turn_scripts(scope), scope)
        yield from _possible(first_turn_scripts(scope), scope)
        yield from _possible(head_scripts(scope), scope)
        yield from _possible(long_turn_scripts(scope), scope)
        yield from _possible(rewrite_scripts(scope), scope)
    if {"recording"} & scope.claim.profiles:
        yield from _possible(cut_scripts(scope), scope)
        yield from _possible(long_cut_scripts(scope), scope)
    if {"world"} & scope.claim.profiles:
        yield from _possible(state_scripts(scope), scope)
        yield from _possible(long_state_scripts(scope), scope)
    yield from _possible(keepsake_scripts(scope), scope)
    yield from _possible(keeping_scripts(scope), scope)


def _possible(scripts: Iterator[Script], scope: Scope) -> Iterator[Script]:
    for script in scripts:
        looking = [look(op, scope) for op in script]
        asked = [op for op in looking if scope.may(str(op["op"]))]
        lacked = {op["op"] for op in looking} - {op["op"] for op in asked}
        if asked and lacked <= _CAN_BE_LACKED:
            yield asked


_CAN_BE_LACKED = frozenset(
    {
        "raw_envelopes",
        "reference_context_item",
        "set_reference_context_item",
        "update_world_state",
    }
)
"""What a script of another profile still shows its point without."""
