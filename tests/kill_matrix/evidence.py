"""Evidence with the model's answers beside it, made once a process and gone through many times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cache
from itertools import count, groupby, pairwise
from typing import Final

from attrs import Factory, define, evolve, frozen

from contextcert.campaign.budget import Budget, Evidence
from contextcert.campaign.case import Case
from contextcert.campaign.cases import cases
from contextcert.campaign.plan import Listing, Unit, plan
from contextcert.campaign.setting import Setting
from contextcert.properties import Judge
from contextcert.refmodel import run_script_in_both_modes
from contextcert.strategies import (
    Symbol,
    alphabet,
    history_count,
    pairing_alphabet,
)
from kill_matrix.subjects import Answers, setting_of

STRIDE: Final = 4799
"""A prime: long listings are gone through in an order that visits all symbols early."""


@frozen
class Asked:
    """One case: its number among all of its kind, where it comes from, and what the model says.

    A random script, its debug twin and its going on after a panic are one case, as are a listed
    history and what it is asked about in debug.
    """

    number: int
    source: str
    case: Case
    expected: Answers


def asked(number: int, source: str, case: Case) -> Asked:
    """Put a case to the model."""
    given = run_script_in_both_modes(case.script, continue_after_panic=case.goes_on)
    return Asked(number, source, case, {mode: given[mode] for mode in case.modes})


class Kind(Enum):
    """The parts of exhaustive evidence, shortest to go through first, and the other kinds."""

    OPERATIONS = "scripts of listed operations"
    LIVES = "listed lives"
    SPECIMENS = "odd items"
    HISTORIES = "histories of listed items"
    PAIRINGS = "histories of pairing items"
    VECTORS = "pinned examples"
    RANDOM = "random scripts"


_LISTINGS: Final = {
    Kind.OPERATIONS: Listing.OPERATIONS,
    Kind.LIVES: Listing.LIVES,
    Kind.SPECIMENS: Listing.SPECIMENS,
    Kind.HISTORIES: Listing.EVERY,
    Kind.PAIRINGS: Listing.PAIRING,
}


@frozen
class Library:
    """All evidence of one budget and seed."""

    budget: Budget
    seed: int

    @property
    def setting(self) -> Setting:
        """The setting the evidence is made for."""
        return setting_of(self.budget, self.seed)

    @property
    def judge(self) -> Judge:
        """The judge of that setting."""
        return _judge(self)

    def evidence(self, kind: Kind) -> Iterator[Asked]:
        """Give the cases of a kind, always in the same order; what was made is kept."""
        return iter(_random(self) if kind is Kind.RANDOM else _listed(self, kind))


@define
class Kept:
    """What an iterator gives, kept as far as anybody has gone through it."""

    _rest: Iterator[Asked]
    _kept: list[Asked] = Factory(list)

    def __iter__(self) -> Iterator[Asked]:
        """Give what is kept, then go on."""
        for place in count():
            if place == len(self._kept):
                following = next(self._rest, None)
                if following is None:
                    return
                self._kept.append(following)
            yield self._kept[place]


@cache
def _judge(library: Library) -> Judge:
    return library.setting.judge()


@cache
def _listed(library: Library, kind: Kind) -> Kept:
    return Kept(_in_order(library.setting, kind))


def _in_order(setting: Setting, kind: Kind) -> Iterator[Asked]:
    for number, unit in enumerate(_single(_units(setting, kind), setting), start=1):
        for case in cases(unit, setting):
            yield asked(number, kind.value, case)


def _units(setting: Setting, kind: Kind) -> Iterator[Unit]:
    for unit in plan(setting):
        if kind is Kind.VECTORS:
            if unit.evidence is Evidence.VECTORS:
                yield unit
        elif unit.evidence is Evidence.EXHAUSTIVE and unit.listing is _LISTINGS[kind]:
            yield unit


def _single(units: Iterable[Unit], setting: Setting) -> Iterator[Unit]:
    """Split units into single places; histories of one length are mixed."""
    spanning = list(units)
    first, last = spanning[0], spanning[-1]
    if first.listing is Listing.EVERY and first.evidence is Evidence.EXHAUSTIVE:
        places = _mixed(alphabet(setting.scope), first, last)
    elif first.listing is Listing.PAIRING:
        places = _mixed(pairing_alphabet(setting.scope), first, last)
    else:
        places = iter(range(first.start, max(last.stop, first.start + 1)))
    return (evolve(first, start=place, stop=place + 1) for place in places)


def _mixed(symbols: Sequence[Symbol], first: Unit, last: Unit) -> Iterator[int]:
    """Give the places of histories, shortest first, in an order that mixes symbols."""
    ends = [history_count(symbols, length) for length in range(first.length + 1)]
    for start, end in pairwise([0, *ends]):
        if first.start <= start < end <= last.stop:
            for place in range(end - start):
                yield start + place * STRIDE % (end - start)


@cache
def _random(library: Library) -> Kept:
    return Kept(_as_planned(library))


def _as_planned(library: Library) -> Iterator[Asked]:
    """Give the random scripts in the order of a campaign, each with what goes with it."""
    planned = (unit for unit in plan(library.setting) if unit.evidence is Evidence.RANDOM)
    before = 0
    for group, units in groupby(planned, key=lambda unit: unit.group):
        for unit in units:
            for case in cases(unit, library.setting):
                yield asked(before + case.place + 1, group, case)
        before += library.budget.random_count
