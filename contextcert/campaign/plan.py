"""The fixed list of units a campaign consists of, whatever number of workers runs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import count
from typing import Final

from attrs import evolve, frozen

from contextcert.campaign.budget import Evidence
from contextcert.campaign.corpus_scripts import CORPUS
from contextcert.campaign.setting import Setting
from contextcert.strategies import (
    Symbol,
    alphabet,
    groups_of,
    history_count,
    listed_lives,
    operation_script_count,
    pairing_alphabet,
    specimen_scripts,
)

HISTORIES_A_UNIT: Final = 400
SCRIPTS_A_UNIT: Final = 250
WIRE: Final = "wire"
LIVES: Final = frozenset({"recording", "changes", "world", "cursor", "snapshots"})
"""The profiles about what happens to a history between its projections."""


class Listing(Enum):
    """What exhaustive evidence goes through; the value ends the name of its groups."""

    EVERY = "every symbol"
    PAIRING = "the pairing symbols"
    SPECIMENS = "every odd and every malformed item alone"
    OPERATIONS = "the listed operations"
    LIVES = "every odd text, cut, world state and head"


@frozen
class Unit:
    """A slice of one kind of evidence, small enough to share out, large enough to batch.

    For exhaustive evidence `start` and `stop` are places in a listing, which for symbols is that of
    all histories of up to `length` of them, and for operations that of all such scripts; for random
    evidence they number the group's scripts.
    """

    evidence: Evidence
    group: str
    start: int
    stop: int
    length: int = 0
    listing: Listing = Listing.EVERY
    index: int = 0


def plan(setting: Setting) -> tuple[Unit, ...]:
    """Give every unit of the campaign, in the order in which results are merged."""
    asked = setting.campaign.evidence
    gathered = [
        unit for evidence in Evidence if evidence in asked for unit in _PLANNERS[evidence](setting)
    ]
    return tuple(evolve(unit, index=index) for index, unit in zip(count(), gathered, strict=False))


def specimen_count(setting: Setting) -> int:
    """Count the wire specimens, of which there are none where `wire` is not claimed."""
    if WIRE not in setting.claim.profiles:
        return 0
    return sum(1 for _ in specimen_scripts(setting.scope))


def operations_count(setting: Setting) -> int:
    """Count the listed scripts of operations; there are none where no life is claimed."""
    longest = setting.campaign.budget.operations_length
    if not longest or LIVES.isdisjoint(setting.claim.profiles):
        return 0
    return operation_script_count(setting.scope, longest)


def listed_lives_count(setting: Setting) -> int:
    """Count the listed lives; there are none where operations are not listed either."""
    if not operations_count(setting):
        return 0
    return sum(1 for _ in listed_lives(setting.scope))


def _exhaustive(setting: Setting) -> Iterator[Unit]:
    budget = setting.campaign.budget
    every = alphabet(setting.scope)
    yield from _enumeration(every, 0, budget.exhaustive_length, Listing.EVERY)
    if budget.pairing_length > budget.exhaustive_length:
        pairing = pairing_alphabet(setting.scope)
        done = history_count(pairing, budget.exhaustive_length)
        yield from _enumeration(pairing, done, budget.pairing_length, Listing.PAIRING)
    yield from _specimens(setting)
    yield from _operations(setting)
    yield from _lives(setting)


def _enumeration(
    symbols: Sequence[Symbol], done: int, longest: int, listing: Listing
) -> Iterator[Unit]:
    group = f"histories of up to {longest} of {listing.value}"
    for start, stop in _slices(done, history_count(symbols, longest), HISTORIES_A_UNIT):
        yield Unit(Evidence.EXHAUSTIVE, group, start, stop, longest, listing)


def _specimens(setting: Setting) -> Iterator[Unit]:
    """Plan what is to the clauses of ITEM what small histories are to the others."""
    listing = Listing.SPECIMENS
    for start, stop in _slices(0, specimen_count(setting), HISTORIES_A_UNIT):
        yield Unit(Evidence.EXHAUSTIVE, listing.value, start, stop, listing=listing)


def _operations(setting: Setting) -> Iterator[Unit]:
    longest, listing = setting.campaign.budget.operations_length, Listing.OPERATIONS
    group = f"all scripts of up to {longest} of {listing.value}"
    for start, stop in _slices(0, operations_count(setting), HISTORIES_A_UNIT):
        yield Unit(Evidence.EXHAUSTIVE, group, start, stop, longest, listing)


def _lives(setting: Setting) -> Iterator[Unit]:
    listing = Listing.LIVES
    for start, stop in _slices(0, listed_lives_count(setting), HISTORIES_A_UNIT):
        yield Unit(Evidence.EXHAUSTIVE, listing.value, start, stop, listing=listing)


def _vectors(_setting: Setting) -> Iterator[Unit]:
    yield Unit(Evidence.VECTORS, "pinned examples", 0, 0)


def random_groups(setting: Setting) -> tuple[str, ...]:
    """List the groups of random scripts; what is made of recorded sessions comes last."""
    generated = groups_of(setting.scope)
    return generated if setting.campaign.corpus is None else (*generated, CORPUS)


def _random(setting: Setting) -> Iterator[Unit]:
    for group in random_groups(setting):
        for start, stop in _slices(0, setting.campaign.budget.random_count, SCRIPTS_A_UNIT):
            yield Unit(Evidence.RANDOM, group, start, stop)


def _slices(first: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    for start in range(first, end, size):
        yield start, min(start + size, end)


_PLANNERS: Final = {
    Evidence.EXHAUSTIVE: _exhaustive,
    Evidence.VECTORS: _vectors,
    Evidence.RANDOM: _random,
}
