"""Clones, what was handed out, and transcript readers, under changes on either side (SNAP, CUR)."""

from __future__ import annotations

from functools import cache, partial

from contextcert.refmodel import JsonObject
from contextcert.strategies import life_letters
from contextcert.strategies.admission import admitted
from contextcert.strategies.item_values import item
from contextcert.strategies.lives import Focus, Step, lived, steps
from contextcert.strategies.projecting import POLICY, Script
from contextcert.strategies.reading import READERS, reading_of, with_cursors
from contextcert.strategies.scope import Scope
from contextcert.strategies.segments.segment import Segment, weighted

_WATCHED = ("items", "envelopes", "version", "reference", "baseline", "tokens")


def living(scope: Scope) -> Segment[Step]:
    """Give the segment of whole lives; its letters are those of the group `lives`."""
    return Segment(_steps(), 20, partial(_lived, scope), broken=True)


@cache
def _steps() -> tuple[Step, ...]:
    return steps(life_letters.weighted_steps())


def _lived(scope: Scope, told: list[Step]) -> Script:
    if not told:
        return []
    program = "".join(chr(0xE000 + place) for place in range(len(told)))
    made = lived(told, scope, Focus(_WATCHED), program)
    return with_cursors(made, scope.edition)


def reading(scope: Scope) -> Segment[JsonObject]:
    """Give the segment of readers with every small cursor; its letters are reads and changes."""
    return Segment(_reads(scope), 14, partial(_read, scope))


@cache
def _reads(scope: Scope) -> tuple[JsonObject, ...]:
    kinds = ("message", "reasoning", "function_call_output", "compaction")
    items = [item(kind) for kind in kinds] + [item("message", role="developer")]
    changes: list[JsonObject] = [
        {"op": "record_items", "items": [*admitted([one], scope)], "policy": POLICY}
        for one in items
    ]
    reads: list[JsonObject] = [
        {"op": "read_transcript", "cursor": {"history_version": version, "entry_count": entries}}
        for version in (0, 1, 2)
        for entries in (0, 1, 2, 3, 4)
    ]
    rewrites: list[JsonObject] = [
        {"op": "replace", "items": [*admitted(items[:3], scope)]},
        {"op": "drop_last_n_user_turns", "num_turns": 1},
        {"op": "remove_first_item"},
    ]
    known = [reading_of(reader) for reader in READERS]
    return weighted((changes, 4), (reads, 2), (rewrites, 2), (known, 4))


def _read(scope: Scope, told: list[JsonObject]) -> Script:
    asked = [op for op in told if scope.may(str(op["op"]))]
    return with_cursors([*asked, reading_of("nobody")], scope.edition) if told else []
