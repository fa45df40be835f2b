"""Scripts in, outcomes out: the binary started, kept, replaced when it grows or fails."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

from attrs import define, frozen

from contextcert.adapters.codex import batch
from contextcert.adapters.codex.app_server import AppServer
from contextcert.adapters.codex.failures import BinaryFailure, BinaryRefusal
from contextcert.adapters.codex.launch import Launcher
from contextcert.adapters.codex.models import model_name
from contextcert.adapters.codex.single import SingleRun
from contextcert.adapters.codex.stored_session import write_stored_session
from contextcert.protocol.json_codec import JsonError
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.subject import Answer, Fault

# A thread is never released and costs 0.44 MB.
_MOST_THREADS: Final = 1500
_REFUSED_ITEM: Final = re.compile(r"items\[(\d+)\]")


@frozen
class _Held:
    """A running binary and the folder that goes when it goes."""

    server: AppServer
    folder: Path


@define
class Engine:
    """Runs scripts on one binary at a time."""

    _launcher: Launcher
    _held: _Held | None = None

    def run(self, ops: Sequence[JsonObject]) -> Answer:
        """Run one script on the single route; a failure is tried once more on a new binary."""
        try:
            return Answer(self._single(ops))
        except BinaryFailure as failure:
            fault = self._fault(failure)
        try:
            return Answer(self._single(ops), _not_repeated(fault))
        except BinaryFailure as failure:
            return Answer(None, self._fault(failure))

    def run_batch(self, scripts: Sequence[Sequence[JsonObject]]) -> list[Answer]:
        """Run many scripts: those that can share a thread together, the others one by one."""
        answers: dict[int, Answer] = {}
        split = {n: self._parts(n, script) for n, script in enumerate(scripts)}
        shared = {n: parts for n, parts in split.items() if parts}
        outcomes = {n: _recorded(scripts[n]) for n in shared}
        alone = set(split) - set(shared)
        for group in batch.groups_of(part for parts in shared.values() for part in parts):
            alone |= self._share(group, outcomes)
        for n, script in enumerate(scripts):
            answers[n] = self.run(script) if n in alone else Answer(outcomes[n])
        return [answers[n] for n in range(len(scripts))]

    def close(self) -> None:
        """End the binary and remove its home."""
        if self._held is not None:
            self._held.server.close()
            shutil.rmtree(self._held.folder, ignore_errors=True)
            self._held = None

    def start(self) -> None:
        """Start the binary now.

        Raises:
            CannotStart: it cannot be used.
        """
        self._server()

    def _parts(self, number: int, script: Sequence[JsonObject]) -> list[batch.Part] | None:
        return batch.parts_of(number, script, self._launcher.release.modalities)

    def _single(self, ops: Sequence[JsonObject]) -> list[JsonObject]:
        held = self._server()
        return SingleRun(held.server, held.folder, self._launcher.release.modalities).run(ops)

    def _share(self, group: list[batch.Part], outcomes: dict[int, list[JsonObject]]) -> set[int]:
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
                self.close()
                return alone | {part.script for part in group}
            else:
                return alone
        return alone

    def _project(self, group: list[batch.Part], outcomes: dict[int, list[JsonObject]]) -> None:
        held = self._server()
        thread = self._open(held, group)
        for phase in range(max(len(part.phases) for part in group)):
            if not group[0].stored:
                _inject(held.server, thread, group, phase)
            prompts = {
                modalities: [
                    batch.apart(group, phase, held.server.project(thread, model_name(modalities)))
                    for _ in range(times)
                ]
                for modalities, times in batch.turns_of(group, phase).items()
            }
            for place, part in enumerate(group):
                _hand_out(place, part.phase(phase), prompts, outcomes[part.script])

    def _open(self, held: _Held, group: list[batch.Part]) -> str:
        if not group[0].stored:
            return held.server.start_thread()
        stored = write_stored_session(held.folder, batch.joined(group, 0))
        return held.server.resume_thread(*stored, model_name(self._launcher.release.modalities))

    def _server(self) -> _Held:
        if self._held is not None and self._held.server.threads >= _MOST_THREADS:
            self.close()
        if self._held is None:
            folder, server = self._launcher.start()
            self._held = _Held(server, folder)
        return self._held

    def _fault(self, failure: BinaryFailure) -> Fault:
        stderr = "" if self._held is None else self._held.server.stderr()
        self.close()
        return Fault(failure.kind, str(failure), stderr)


_Prompts: TypeAlias = dict[tuple[str, ...], list[list[list[Json]]]]


def _recorded(script: Sequence[JsonObject]) -> list[JsonObject]:
    return [{"ok": None} for _ in script]


def _hand_out(
    place: int, phase: batch.Phase, prompts: _Prompts, outcomes: list[JsonObject]
) -> None:
    """Give each projection of a phase its prompt, repeated ones the turns in order."""
    seen: dict[tuple[str, ...], int] = {}
    for index, modalities in phase.projections:
        turn = seen.get(modalities, 0)
        seen[modalities] = turn + 1
        outcomes[index] = {"ok": prompts[modalities][turn][place]}


class _PartRefused(Exception):  # noqa: N818 -- reads as what happened
    """An item of one script was refused, and with it everything that came along."""

    def __init__(self, script: int) -> None:
        super().__init__(script)
        self.script = script


def _inject(server: AppServer, thread: str, group: list[batch.Part], phase: int) -> None:
    try:
        server.inject(thread, batch.joined(group, phase))
    except BinaryRefusal as refusal:
        named = _REFUSED_ITEM.search(str(refusal))
        part = batch.owner(group, phase, int(named[1])) if named else None
        if part is None:
            raise
        raise _PartRefused(part.script) from refusal


def _not_repeated(fault: Fault) -> Fault:
    return Fault(fault.kind, fault.message, fault.stderr, repeated=False)
