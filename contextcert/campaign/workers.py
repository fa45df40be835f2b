"""Spreads units over worker processes, and gives the tallies back in unit order."""

from __future__ import annotations

import multiprocessing
import signal
import threading
import traceback
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Final

from attrs import frozen

from contextcert.campaign import cores
from contextcert.campaign.plan import Unit
from contextcert.campaign.runner import Progress, UnitRunner
from contextcert.campaign.setting import Setting
from contextcert.campaign.tally import Tally
from contextcert.refmodel import Mode
from contextcert.subject import Session, SubjectError, SubjectSpec

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

FAREWELL_SECONDS: Final = 5.0


class WorkerLostError(SubjectError):
    """A worker process ended without saying why."""


@frozen
class _Worker:
    process: SpawnProcess
    pipe: Connection


def in_this_process(
    units: Sequence[Unit], setting: Setting, sessions: Mapping[Mode, Session], progress: Progress
) -> Generator[Tally, None, None]:
    """Run the units one after the other with sessions that are already open."""
    runner = UnitRunner(setting, sessions)
    for unit in units:
        yield runner.run(unit, progress)


def in_workers(
    units: Sequence[Unit], setting: Setting, spec: SubjectSpec, count: int, progress: Progress
) -> Generator[Tally, None, None]:
    """Run the units in `count` spawned processes, each with its own sessions.

    Closing the iterator early ends the workers.

    Raises:
        SubjectError: a worker could not open the subject.
        WorkerLostError: a worker died.
    """
    with ExitStack() as owned:
        workers = [owned.enter_context(_started(setting, spec, core)) for core in _cores(count)]
        yield from _in_order(_results(units, workers, progress))


def _cores(count: int) -> list[int | None]:
    """Give every worker a core of its own, or none at all where there are not enough."""
    available = cores.available()
    return list(available[:count]) if count <= len(available) else [None] * count


@contextmanager
def _started(setting: Setting, spec: SubjectSpec, core: int | None) -> Iterator[_Worker]:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(there, setting, spec, core), daemon=True)
    with _uninterrupted():
        process.start()
    there.close()
    try:
        yield _Worker(process, here)
    finally:
        here.close()
        process.join(0.2)
        if process.is_alive():
            process.terminate()
            process.join(FAREWELL_SECONDS)
        if process.is_alive():
            process.kill()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let a process be born deaf to Ctrl-C, which is for its parent to hear."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _results(
    units: Sequence[Unit], workers: Sequence[_Worker], progress: Progress
) -> Iterator[tuple[int, Tally]]:
    """Hand out units as workers come free, and give each result as it arrives."""
    waiting = iter(enumerate(units))
    busy: dict[Connection, int] = {}
    for worker in workers:
        _hand_out(worker.pipe, waiting, busy)
    while busy:
        for pipe in wait(list(busy)):
            assert isinstance(pipe, Connection)
            match _received(pipe):
                case int(done):
                    progress(done)
                case Tally() as tally:
                    yield busy.pop(pipe), tally
                    _hand_out(pipe, waiting, busy)
                case BaseException() as error:
                    raise error


def _received(pipe: Connection) -> object:
    try:
        return pipe.recv()
    except EOFError:
        raise WorkerLostError(
            "A worker process ended without a word: give it more memory, or look whether the "
            "subject ends the process that it runs in."
        ) from None


def _hand_out(
    pipe: Connection, waiting: Iterator[tuple[int, Unit]], busy: dict[Connection, int]
) -> None:
    place, unit = next(waiting, (0, None))
    if unit is not None:
        pipe.send(unit)
        busy[pipe] = place


def _in_order(results: Iterator[tuple[int, Tally]]) -> Iterator[Tally]:
    early: dict[int, Tally] = {}
    expected = 0
    for place, tally in results:
        early[place] = tally
        while expected in early:
            yield early.pop(expected)
            expected += 1


def _work(pipe: Connection, setting: Setting, spec: SubjectSpec, core: int | None) -> None:
    """Be a worker: open the subject, run what comes, close when the pipe does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    if core is not None:
        cores.stay_on(core)
    try:
        _serve(pipe, setting, spec)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception as error:  # noqa: BLE001  whatever it is, the parent is told
        with suppress(OSError):
            pipe.send(_portable(error))


def _serve(pipe: Connection, setting: Setting, spec: SubjectSpec) -> None:
    with opened(spec, setting) as sessions:
        runner = UnitRunner(setting, sessions)
        while True:
            pipe.send(runner.run(pipe.recv(), pipe.send))


@contextmanager
def opened(spec: SubjectSpec, setting: Setting) -> Iterator[dict[Mode, Session]]:
    """Open a session a mode, and close them all at the end."""
    with ExitStack() as owned:
        sessions = {}
        for mode in setting.modes:
            sessions[mode] = spec.open(mode, edition=setting.edition)
            owned.callback(sessions[mode].close)
        yield sessions


def _portable(error: Exception) -> Exception:
    """Keep what a pipe can carry: our own refusal as it is, all else as text with its traceback."""
    if isinstance(error, SubjectError):
        return error
    return RuntimeError("".join(traceback.format_exception(error)))


def _leave(_signal: int, _frame: object) -> None:
    raise SystemExit(0)
