"""Scripts in, outcomes out: the binary started, kept, replaced when it grows or fails."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from attrs import define, evolve

from contextcert.adapters.codex import batch
from contextcert.adapters.codex.app_server import STOP_SECONDS, AppServer
from contextcert.adapters.codex.failures import BinaryFailure, BinaryRefusal
from contextcert.adapters.codex.launch import Launcher
from contextcert.adapters.codex.models import model_name
from contextcert.adapters.codex.single import SingleRun
from contextcert.adapters.codex.steps import Modalities, Reading, read_script
from contextcert.adapters.codex.stored_session import restore
from contextcert.protocol.json_codec import JsonError
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.subject import Answer, Fault, Script

# A thread is never released and costs 0.44 MB.
_MOST_THREADS: Final = 1500
_REFUSED_ITEM: Final = re.compile(r"items\[(\d+)\]")

_Prompts: TypeAlias = "dict[Modalities, list[list[list[Json]]]]"
"""By modality set: for each turn, the prompt of each part."""

_Outcomes: TypeAlias = "dict[int, dict[int, JsonObject]]"
"""By script and operation."""


@define
class Engine:
    """Runs scripts on one binary at a time."""

    _launcher: Launcher
    _running: AppServer | None = None

    def start(self) -> None:
        """Start the binary now.

        Raises:
            CannotStart: it cannot be used.
        """
        self._server()

    def run(self, ops: Script) -> Answer:
        """Run one script on the single route; a failure is tried once more on a new binary."""
        reading = self._read(ops)
        try:
            return Answer(self._alone(reading))
        except BinaryFailure as failure:
            fault = self._fault(failure)
        try:
            return Answer(self._alone(reading), evolve(fault, repeated=False))
        except BinaryFailure as failure:
            return Answer(None, self._fault(failure))

    def run_batch(self, scripts: Sequence[Script]) -> list[Answer]:
        """Run many scripts: those that can share a thread together, the others one by one."""
        readings = [self._read(script) for script in scripts]
        split = {n: batch.parts_of(n, reading) for n, reading in enumerate(readings)}
        alone = {n for n, parts in split.items() if parts is None}
        outcomes: _Outcomes = {n: {} for n in split}
        for group in batch.groups_of(part for parts in split.values() for part in parts or ()):
            alone |= self._share(group, outcomes)
        return [
            self.run(script) if n in alone else Answer(readings[n].outcomes(outcomes[n]))
            for n, script in enumerate(scripts)
        ]

    def close(self, grace: float = STOP_SECONDS) -> None:
        """End the binary, by force after some seconds, and remove its home."""
        if self._running is not None:
            self._running.close(grace)
            shutil.rmtree(self._running.home, ignore_errors=True)
            self._running = None

    def _read(self, script: Script) -> Reading:
        return read_script(script, self._launcher.release.modalities)

    def _alone(self, reading: Reading) -> list[JsonObject]:
        return SingleRun(self._server()).run(reading)

    def _share(self, group: list[batch.Part], outcomes: _Outcomes) -> set[int]:
        """Run a group on one thread; give the numbers of the scripts that must go alone."""
        alone: set[int] = set()
        while group:
            try:
                self._project(group, outcomes)
            except _PartRefused as refused:
                alone.add(refused.script)
                group = [part for part in group if part.script != refused.script]
            except (batch.NotApart, BinaryRefusal, JsonError):
                return alone | {part.script for part in group}
            except BinaryFailure:
                self.close(grace=0)
                return alone | {part.script for part in group}
            else:
                return alone
        return alone

    def _project(self, group: list[batch.Part], outcomes: _Outcomes) -> None:
        server = self._server()
        phases = range(max(len(part.phases) for part in group))
        show = _restored if group[0].stored else _recorded
        for phase, prompts in zip(phases, show(server, group, phases), strict=True):
            for place, part in enumerate(group):
                outcomes[part.script] |= _handed_out(place, part.phase(phase), prompts)

    def _server(self) -> AppServer:
        if self._running is not None and self._running.threads >= _MOST_THREADS:
            self.close()
        if self._running is None:
            self._running = self._launcher.start()
        return self._running

    def _fault(self, failure: BinaryFailure) -> Fault:
        stderr = "" if self._running is None else self._running.stderr()
        self.close(grace=0)
        return Fault(failure.kind, str(failure), stderr)


class _PartRefused(Exception):  # noqa: N818 -- reads as what happened
    """An item of one script was refused, and with it everything that came along."""

    def __init__(self, script: int) -> None:
        super().__init__(script)
        self.script = script


def _recorded(server: AppServer, group: list[batch.Part], phases: range) -> Iterator[_Prompts]:
    """Record phase after phase on one thread."""
    thread = server.start_thread()
    for phase in phases:
        _inject(server, thread, group, phase)
        yield _prompts(server, thread, group, phase, rounds=phase + 1)


def _restored(server: AppServer, group: list[batch.Part], phases: range) -> Iterator[_Prompts]:
    """Read a stored session for each phase, with what the earlier ones had."""
    for phase in phases:
        thread = restore(server, batch.joined_so_far(group, phase))
        yield _prompts(server, thread, group, phase, rounds=1)


def _inject(server: AppServer, thread: str, group: list[batch.Part], phase: int) -> None:
    try:
        server.inject(thread, batch.joined(group, phase))
    except BinaryRefusal as refusal:
        named = _REFUSED_ITEM.search(str(refusal))
        part = batch.owner(group, phase, int(named[1])) if named else None
        if part is None:
            raise
        raise _PartRefused(part.script) from refusal


def _prompts(
    server: AppServer, thread: str, group: list[batch.Part], phase: int, *, rounds: int
) -> _Prompts:
    return {
        modalities: [
            batch.apart(group, rounds, server.project(thread, model_name(modalities)))
            for _ in range(times)
        ]
        for modalities, times in batch.turns_of(group, phase).items()
    }


def _handed_out(place: int, phase: batch.Phase, prompts: _Prompts) -> dict[int, JsonObject]:
    """Give each projection of a phase its prompt, repeated ones the turns in order."""
    turns = {modalities: iter(given) for modalities, given in prompts.items()}
    return {
        index: {"ok": next(turns[modalities])[place]} for index, modalities in phase.projections
    }
