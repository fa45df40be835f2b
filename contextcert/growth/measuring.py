"""Times projections of longer and longer histories, the constant part taken off."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from statistics import median
from time import perf_counter
from typing import Final, Protocol, runtime_checkable

from attrs import evolve, frozen

from contextcert.growth.bounds import STEP, Bounds
from contextcert.growth.fit import exponent
from contextcert.growth.shapes import SHAPES, Make, NoShapeError
from contextcert.growth.values import Curve, Growth, Point
from contextcert.processes import peak_memory
from contextcert.refmodel import MODALITIES, Edition, Json, JsonObject, Mode
from contextcert.strategies import POLICY, Scope
from contextcert.subject import Script, Session, SubjectSpec

LONG_SECONDS: Final = 0.5
FEW_REPETITIONS: Final = 3
AT_ONCE_SECONDS: Final = 0.25
AT_ONCE_ITEMS: Final = 10_000
PROJECTIONS: Final = 5
"""So many at once, as far as they fit into these seconds and items, stand out from what recording
wavers by. A longer answer would measure how we read it: memory that is new costs more."""

WORTH_PREDICTING: Final = 0.05
"""Below this share of the seconds allowed nothing is concluded about what the next size takes."""

LEAST_SECONDS: Final = 0.000_1
LEAST_BYTES: Final = 2**21

Clock = Callable[[], float]
Peak = Callable[[int], int | None]


@runtime_checkable
class InOwnProcess(Protocol):
    """A session whose subject runs in processes of its own."""

    @property
    def process_group(self) -> int | None:
        """The group they are in, or None while there is none."""
        ...


class _NotMeasuredError(Exception):
    """A projection cannot be timed; the message says why."""


@frozen
class _Pair:
    """Two scripts that differ in one thing: which history is projected so many times."""

    projecting: Script
    besides: Script

    @classmethod
    def of(cls, make: Make, size: int, scope: Scope, times: int = 1) -> _Pair:
        """Record so many items as history 0, and project that one or the empty history 1.

        No two pairs hold the same items: what a subject remembers of one is no help with another.
        """
        modalities: list[Json] = [name for name in MODALITIES if scope.takes_modality(name)]
        items = make(size, next(_TURNS))
        record: JsonObject = {"op": "record_items", "items": items, "policy": POLICY}
        whole: JsonObject = {"op": "for_prompt", "input_modalities": modalities}
        empty: JsonObject = {**whole, "on": 1}
        start = [record, empty]
        return cls([*start, *[whole] * times], [*start, *[empty] * times])


_TURNS: Final = count()


@frozen
class _Scouted:
    """A size that was tried once: how long all took, what projecting added, the memory held."""

    items: int
    seconds: float
    added: float
    peak: int | None

    @property
    def at_once(self) -> int:
        """How many projections one script is to hold."""
        fitting = AT_ONCE_SECONDS / self.added if self.added > 0 else PROJECTIONS
        return max(1, min(PROJECTIONS, int(fitting), AT_ONCE_ITEMS // self.items))


@frozen
class _Timed:
    """The costs at one size: what projecting adds, how far that wavers, and all the rest."""

    items: int
    seconds: float
    spread: float
    constant: float

    @property
    def beyond_noise(self) -> float:
        """The seconds, or nothing where they drown in how far they waver."""
        floor = max(self.spread, LEAST_SECONDS)
        return self.seconds if self.seconds > floor else 0.0


def measured(  # noqa: PLR0913 -- the last three have defaults
    spec: SubjectSpec,
    mode: Mode,
    edition: Edition,
    scope: Scope,
    bounds: Bounds | None = None,
    *,
    clock: Clock = perf_counter,
    peak: Peak = peak_memory,
) -> Growth:
    """Measure every shape, each on a session of its own.

    Raises:
        SubjectError: the subject cannot be opened.
    """
    within = bounds or Bounds()
    curves, constants, unseen = [], [0.0], False
    for shape, maker in SHAPES.items():
        try:
            make = maker(scope)
        except NoShapeError as reason:
            curves.append(Curve(shape, (), remarks=(f"not measured: {reason}",)))
            continue
        with closing(spec.open(mode, edition=edition)) as session:
            series = _Series(session, scope, make, within, clock, peak)
            curve, constant = series.curve(shape)
        curves.append(curve)
        constants.append(constant)
        unseen |= bool(curve.points) and curve.points[-1].peak_bytes is None
    return Growth(mode, tuple(curves), max(constants), (UNSEEN_MEMORY,) if unseen else ())


UNSEEN_MEMORY: Final = (
    "memory: not measured, for the subject shares our process or this system does not tell"
)


@frozen
class _Series:
    """One shape on one session."""

    session: Session
    scope: Scope
    make: Make
    bounds: Bounds
    clock: Clock
    peak: Peak

    def curve(self, shape: str) -> tuple[Curve, float]:
        """Give the curve, and the largest constant part that was taken off."""
        try:
            before = self._warm()
            reached, ended = self._scout()
        except _NotMeasuredError as reason:
            return Curve(shape, (), remarks=(f"not measured: {reason}",)), 0.0
        try:
            curve, constant = self._timed_surely(shape, reached)
        except _NotMeasuredError as reason:
            return Curve(shape, (), remarks=(f"not measured twice alike: {reason}",)), 0.0
        remarks = curve.remarks if ended is None else (ended, *curve.remarks)
        return _with_memory(evolve(curve, remarks=remarks), before), constant

    def _warm(self) -> int | None:
        """Project a short history, so that starting up is nobody's growth."""
        self._run(_Pair.of(self.make, 2, self.scope).projecting)
        return self._held()

    def _scout(self) -> tuple[list[_Scouted], str | None]:
        """Project each size once; say why larger ones are not tried."""
        reached: list[_Scouted] = []
        last = 0.0
        for size in self.bounds.sizes():
            try:
                pair = _Pair.of(self.make, size, self.scope)
                took = self._run(pair.projecting)
                held = self._held()
                added = took - self._run(pair.besides)
            except _NotMeasuredError as reason:
                if not reached:
                    raise
                return reached, f"ended before {size:,} items: {reason}"
            reached.append(_Scouted(size, took, added, held))
            ahead = took * max(STEP, took / last if last else 0.0)
            if took > self.bounds.seconds:
                return reached, f"ended at {size:,} items, which took {took:.1f} s"
            if took > WORTH_PREDICTING * self.bounds.seconds and ahead > 2 * self.bounds.seconds:
                return reached, f"ended at {size:,} items: twice as many would take {ahead:.1f} s"
            last = took
        return reached, None

    def _timed_surely(self, shape: str, sizes: list[_Scouted]) -> tuple[Curve, float]:
        """Time the sizes; what looks worse than linear has to look so twice."""
        first = _curve(shape, sizes, self._timed(sizes))
        if not first[0].is_worse_than_linear:
            return first
        second = _curve(shape, sizes, self._timed(sizes))
        return first if second[0].is_worse_than_linear else second

    def _timed(self, sizes: list[_Scouted]) -> list[_Timed]:
        taken: list[list[tuple[float, float]]] = [[] for _ in sizes]
        for turn in range(self.bounds.repetitions):
            for scouted, took in zip(sizes, taken, strict=True):
                if turn < FEW_REPETITIONS or scouted.seconds < LONG_SECONDS:
                    took.append(self._compared(scouted, turn))
        return [_summed_up(one.items, took) for one, took in zip(sizes, taken, strict=True)]

    def _compared(self, scouted: _Scouted, turn: int) -> tuple[float, float]:
        """Give the seconds of one projection, and of all besides; which comes first takes turns."""
        times = scouted.at_once
        first = _Pair.of(self.make, scouted.items, self.scope, times)
        second = _Pair.of(self.make, scouted.items, self.scope, times)
        if turn % 2:
            projecting = self._run(first.projecting)
            besides = self._run(second.besides)
        else:
            besides = self._run(first.besides)
            projecting = self._run(second.projecting)
        return (projecting - besides) / times, besides

    def _run(self, script: Script) -> float:
        with _without_collection():
            started = self.clock()
            answer = self.session.run(script)
            took = self.clock() - started
        if answer.fault is not None:
            raise _NotMeasuredError(answer.fault.message)
        for outcome in answer.outcomes or []:
            if "ok" not in outcome:
                what, said = next(iter(outcome.items()))
                raise _NotMeasuredError(f"the subject gave a {what}: {said}")
        return took

    def _held(self) -> int | None:
        if not isinstance(self.session, InOwnProcess):
            return None
        group = self.session.process_group
        return None if group is None else self.peak(group)


def _summed_up(size: int, took: list[tuple[float, float]]) -> _Timed:
    middle = median(seconds for seconds, _ in took)
    spread = median(abs(seconds - middle) for seconds, _ in took)
    return _Timed(size, middle, spread, median(besides for _, besides in took))


@contextmanager
def _without_collection() -> Iterator[None]:
    """Keep the looking for our own garbage out of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _curve(shape: str, sizes: list[_Scouted], timed: list[_Timed]) -> tuple[Curve, float]:
    points = tuple(
        Point(one.items, max(0.0, one.seconds), scouted.peak)
        for one, scouted in zip(timed, sizes, strict=True)
    )
    power = exponent([(one.items, one.beyond_noise) for one in timed])
    constant = max(one.constant for one in timed)
    if power is not None:
        return Curve(shape, points, power), constant
    most = max(one.seconds for one in points) * 1000
    return Curve(shape, points, remarks=(f"no exponent: {most:.1f} ms at most is noise",)), constant


def _with_memory(curve: Curve, before: int | None) -> Curve:
    held = [(one.items, one.peak_bytes) for one in curve.points if one.peak_bytes is not None]
    if before is None or len(held) < len(curve.points):
        return curve
    grown = [(items, peak - before) for items, peak in held]
    items, most = grown[-1]
    if most < LEAST_BYTES:
        return evolve(curve, bytes_per_item=most / items)
    noticeable = [(size, float(one) if one >= LEAST_BYTES else 0.0) for size, one in grown]
    return evolve(curve, bytes_per_item=most / items, memory_exponent=exponent(noticeable))
