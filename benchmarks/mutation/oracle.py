"""One process, one model: does it answer as the unmutated one does?

A process is forked for each mutant from one that has imported everything but the model. It stops
at the first script that shows a difference. It is killed by the system when a single script takes
more seconds of processor time than a hang, which the true model is far from: that is a difference
too. When all scripts together take more than a mutant is given, nothing is known, and the mutant
counts as a survivor.
"""

# ruff: noqa: INP001, PLC0415 (a program; the model is imported late, since it may be a mutant)

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from hashlib import blake2b
from itertools import count
from math import ceil
from typing import Any, Final, NoReturn

import orjson
from attrs import frozen
from probes import Probe, probes, without_words
from sources import Sources

HANG: Final = 1.0
"""Seconds of processor time for one script; more where the true model is not `FAR` from it."""
FAR: Final = 20
"""How many times longer than any script takes on the true model one is to take to be a hang."""
WHOLE: Final = 2
"""Seconds of processor time for a mutant, or more where that is not beyond the true model."""
MARGIN: Final = 1.5
"""How many times what the true model takes a mutant is given at least."""
STUCK: Final = 60.0
"""Seconds by the clock for a whole mutant; one that waits for something uses no processor."""
MEMORY: Final = 4 << 30
ONE_MODE_EVERY: Final = 5
"""One in so many scripts runs in each mode by itself, as a served model does."""

Truth = Sequence[bytes]
"""A digest for each question."""
Change = Callable[[Mapping[str, str]], Mapping[str, str]]
"""Gives new texts for some of the model's modules."""


class Verdict(Enum):
    """What is known of a mutant."""

    KILLED = "killed"
    """The evidence notices it."""
    QUESTIONED = "noticed by another question alone"
    HANGS = "hangs"
    SURVIVED = "survived"
    UNFINISHED = "unfinished"

    @property
    def noticed(self) -> bool:
        """Say whether the mutant was told from the true model."""
        return self in (Verdict.KILLED, Verdict.QUESTIONED, Verdict.HANGS)


@frozen
class Trial:
    """What came of asking a mutant, and the seconds of processor time it took."""

    verdict: Verdict
    seconds: float


@frozen
class Cost:
    """What the true model takes, in seconds of processor time."""

    whole: float
    longest: float


@frozen
class Bounds:
    """The seconds of processor time for all scripts together, and for one."""

    whole: int
    hang: float

    @classmethod
    def beyond(cls, cost: Cost) -> Bounds:
        """Give bounds that the true model keeps by far, on a slow or busy machine too."""
        return cls(max(WHOLE, ceil(cost.whole * MARGIN)), max(HANG, cost.longest * FAR))


@frozen
class Oracle:
    """What is asked, and what the true model answers."""

    sources: Sources
    cases: Sequence[Any]
    truth: Truth
    cost: Cost

    @classmethod
    def of(cls, sources: Sources, cases: Sequence[Any]) -> Oracle:
        """Ask the unmutated model, in a process of its own.

        Raises:
            RuntimeError: it could not be asked, or does not answer alike a second time.
        """
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _tell_truth(sources, cases, writing)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            told = pipe.read()
        os.waitpid(child, 0)
        if not told:
            raise RuntimeError("the true model could not be asked; see above")
        whole, longest, *digests = told.decode().split()
        truth = [bytes.fromhex(one) for one in digests]
        oracle = cls(sources, cases, truth, Cost(float(whole), float(longest)))
        _, status = os.waitpid(oracle.start(lambda _: {}), 0)
        if verdict_of(status) is not Verdict.SURVIVED:
            raise RuntimeError(f"the true model is told from itself: {verdict_of(status)}")
        return oracle

    @property
    def others(self) -> int:
        """How many questions there are besides the scripts; they come first."""
        return len(self.truth) - len(self.cases)

    @property
    def bounds(self) -> Bounds:
        """What a mutant is given."""
        return Bounds.beyond(self.cost)

    def start(self, change: Change) -> int:
        """Fork a process that changes its copy of the model and tries it; give its id."""
        child = os.fork()
        if child == 0:
            try:
                _bound(self.bounds.whole)
                verdict = _verdict(self, change(self.sources.texts))
            except BaseException:  # noqa: BLE001 (whatever a mutant raises is a difference)
                verdict = Verdict.KILLED
            os._exit(_CODES[verdict])
        return child


def _tell_truth(sources: Sources, cases: Sequence[Any], pipe: int) -> NoReturn:
    try:
        sources.install({})
        digests, costs = [], []
        begun = time.process_time()
        for answer in _answers(cases):
            digests.append(answer.hex())
            costs.append(time.process_time() - begun)
            begun = time.process_time()
        words = [str(sum(costs)), str(max(costs)), *digests]
        with os.fdopen(pipe, "wb") as file:
            file.write(" ".join(words).encode())
    except BaseException:  # noqa: BLE001 (nothing may leave a forked process)
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(0)


_CODES: Final = {Verdict.SURVIVED: 0, Verdict.KILLED: 1, Verdict.QUESTIONED: 2}
_VERDICTS: Final = {code: verdict for verdict, code in _CODES.items()}


def verdict_of(status: int) -> Verdict:
    """Read how the process of a mutant ended."""
    if os.WIFEXITED(status):
        return _VERDICTS.get(os.WEXITSTATUS(status), Verdict.KILLED)
    match os.WTERMSIG(status):
        case signal.SIGVTALRM:
            return Verdict.HANGS
        case signal.SIGXCPU | signal.SIGALRM:
            return Verdict.UNFINISHED
        case _:
            return Verdict.KILLED


def _bound(seconds: int) -> None:
    """Bound processor time, the clock and memory; the system ends who goes beyond."""
    for each in (signal.SIGVTALRM, signal.SIGXCPU, signal.SIGALRM):
        signal.signal(each, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, STUCK)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    with contextlib.suppress(ValueError, OSError):  # not every system has it
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _verdict(oracle: Oracle, changed: Mapping[str, str]) -> Verdict:
    """Ask the other questions, then run scripts up to the first difference.

    The evidence comes last, so that it is known whether it would have noticed by itself.
    """
    hang, cases, truth = oracle.bounds.hang, oracle.cases, oracle.truth
    signal.setitimer(signal.ITIMER_VIRTUAL, hang)
    oracle.sources.install(changed)
    verdict = Verdict.SURVIVED
    for probe, true in zip(probes(), truth[: oracle.others], strict=True):
        if _answer_or_none(probe) != true:
            verdict = Verdict.QUESTIONED
        signal.setitimer(signal.ITIMER_VIRTUAL, hang)
    for answer, true in zip(_outcomes(cases), truth[oracle.others :], strict=True):
        if answer != true:
            return Verdict.KILLED
        signal.setitimer(signal.ITIMER_VIRTUAL, hang)
    return verdict


def _answer_or_none(probe: Probe) -> bytes | None:
    try:
        return _digest(probe())
    except Exception:  # noqa: BLE001 (whatever a mutant raises is a difference)
        return None


def _answers(cases: Sequence[Any]) -> Iterator[bytes]:
    """Ask the model of this process everything, and give a digest for each answer."""
    for probe in probes():
        yield _digest(probe())
    yield from _outcomes(cases)


def _outcomes(cases: Sequence[Any]) -> Iterator[bytes]:
    for number, case in enumerate(cases):
        yield _digest(_run(case, by_itself=number % ONE_MODE_EVERY == 0))


def _run(case: Any, *, by_itself: bool) -> list[Any]:  # noqa: ANN401 (JSON)
    from contextcert.refmodel import Edition, Mode, run_script, run_script_in_both_modes

    edition, ops = Edition(case["edition"]), case["ops"]
    asked: Any = {"edition": edition}
    if case["continue_after_panic"]:
        asked["continue_after_panic"] = True
    if by_itself:
        outcomes = {
            mode: run_script(ops, mode=mode, fresh_ids=_fresh_ids(), **asked) for mode in Mode
        }
    else:
        outcomes = run_script_in_both_modes(ops, fresh_ids=_fresh_ids(), **asked)
    return [[without_words(one) for one in outcomes[mode]] for mode in Mode]


def _fresh_ids() -> Any:  # noqa: ANN401 (a function)
    """Give a source of ids that is not the model's: those compare by form only (E11-2)."""
    numbers = count()
    return lambda prefix: f"{prefix}_{next(numbers):08x}-0000-7000-8000-000000000000"


def _digest(answer: Any) -> bytes:  # noqa: ANN401 (JSON)
    try:
        text = orjson.dumps(answer, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer beyond 64 bits, or very deep nesting
        text = json.dumps(answer, sort_keys=True).encode()
    return blake2b(text, digest_size=12).digest()
