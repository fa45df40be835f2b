"""The fixed list of units a campaign consists of, whatever number of workers runs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from attrs import evolve, frozen

from contextcert.campaign.budget import Evidence
from contextcert.campaign.setting import Setting
from contextcert.strategies import Symbol, alphabet, groups_of, history_count, pairing_alphabet

HISTORIES_A_UNIT: Final = 400
SCRIPTS_A_UNIT: Final = 250
EVERY: Final = "every symbol"
PAIRING: Final = "the pairing symbols"


@frozen
class Unit:
    """A slice of one kind of evidence, small enough to share out, large enough to batch.

    For exhaustive evidence `start` and `stop` are places in the enumeration of all histories of up
    to `length` symbols; for random evidence they number the group's scripts.
    """

    evidence: Evidence
    group: str
    start: int
    stop: int
    length: int = 0
    pairing: bool = False
    index: int = 0


def plan(setting: Setting) -> tuple[Unit, ...]:
    """Give every unit of the campaign, in the order in which results are merged."""
    asked = setting.campaign.evidence
    gathered = [
        unit for evidence in Evidence if evidence in asked for unit in _PLANNERS[evidence](setting)
    ]
    return tuple(evolve(unit, index=index) for index, unit in zip(count(), gathered, strict=False))


def _exhaustive(setting: Setting) -> Iterator[Unit]:
    budget = setting.campaign.budget
    every = alphabet(setting.scope)
    yield from _enumeration(every, 0, budget.exhaustive_length, EVERY)
    if budget.pairing_length > budget.exhaustive_length:
        pairing = pairing_alphabet(setting.scope)
        done = history_count(pairing, budget.exhaustive_length)
        yield from _enumeration(pairing, done, budget.pairing_length, PAIRING)


def _enumeration(
    symbols: Sequence[Symbol], done: int, longest: int, letters: str
) -> Iterator[Unit]:
    group = f"histories of up to {longest} of {letters}"
    for start, stop in _slices(done, history_count(symbols, longest), HISTORIES_A_UNIT):
        yield Unit(Evidence.EXHAUSTIVE, group, start, stop, longest, letters == PAIRING)


def _vectors(_setting: Setting) -> Iterator[Unit]:
    yield Unit(Evidence.VECTORS, "pinned examples", 0, 0)


def _random(setting: Setting) -> Iterator[Unit]:
    for group in groups_of(setting.scope):
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
