"""Scripts in, outcomes out: the binary started, kept, replaced when it grows or fails."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from attrs import define, evolve, field

from contextcert.adapters.codex import batch
from contextcert.adapters.codex.app_server import STOP_SECONDS, AppServer, Shown
from contextcert.adapters.codex.failures import BinaryFailure, BinaryRefusal
from contextcert.adapters.codex.launch import Launcher
from contextcert.adapters.codex.lives import Life
from contextcert.adapters.codex.models import USUAL_POLICY
from contextcert.adapters.codex.single import SingleRun, prompt_outcome
from contextcert.adapters.codex.steps import Modalities, Reading, read_script
from contextcert.protocol.json_codec import JsonError
from contextcert.refmodel import TruncationPolicy
from contextcert.refmodel.json_value import JsonObject
from contextcert.subject import Answer, Fault, Script

# A thread is never released and costs 0.44 MB.
_MOST_THREADS: Final = 1500
_REFUSED_ITEM: Final = re.compile(r"items\[(\d+)\]")

_Prompts: TypeAlias = "dict[Modalities, list[list[JsonObject]]]"
"""By modality set: for each turn, the outcome of each part."""

_Outcomes: TypeAlias = "dict[int, dict[int, JsonObject]]"
"""By script and operation."""


@define
class Engine:
    """Runs scripts on one binary at a time."""

    _launcher: Launcher
    _running: AppServer | None = None
    _policies: set[TruncationPolicy] = field(factory=lambda: {USUAL_POLICY})

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
        self._server(policy for reading in readings for policy in reading.policies)
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
        release = self._launcher.release
        return read_script(script, release.modalities, changes=release.shows_changes)

    def _alone(self, reading: Reading) -> list[JsonObject]:
        return SingleRun(self._server(reading.policies), reading).run()

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
        phases = range(max(len(part.phases) for part in group))
        server = self._server(batch.policy_of(group, phase) for phase in phases)
        for phase, prompts in zip(phases, _SHOWN[group[0].way](server, group, phases), strict=True):
            for place, part in enumerate(group):
                outcomes[part.script] |= _handed_out(place, part.phase(phase), prompts)

    def _server(self, policies: Iterable[TruncationPolicy] = ()) -> AppServer:
        """Give a binary that knows the policies; it reads them when it starts."""
        unknown = set(policies) - self._policies
        self._policies |= unknown
        if self._running is not None and (unknown or self._running.threads >= _MOST_THREADS):
            self.close()
        if self._running is None:
            self._running = self._launcher.start(self._policies)
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
    life = Life(server, is_stored=False)
    for phase in phases:
        _record(life, group, phase)
        yield _prompts(life, group, phase, rounds=phase + 1)


def _restored(server: AppServer, group: list[batch.Part], phases: range) -> Iterator[_Prompts]:
    """Read a stored session for each phase, with what the earlier ones had."""
    for phase in phases:
        life = Life(server, is_stored=True)
        life.restore(batch.joined_so_far(group, phase))
        yield _prompts(life, group, phase, rounds=1)


def _replaced(server: AppServer, group: list[batch.Part], phases: range) -> Iterator[_Prompts]:
    """Replace a history by what each phase has."""
    life = Life(server, is_stored=True)
    for phase in phases:
        life.replace(batch.joined(group, phase))
        yield _prompts(life, group, phase, rounds=1)


_SHOWN: Final = {
    batch.Way.RECORDED: _recorded,
    batch.Way.RESTORED: _restored,
    batch.Way.REPLACED: _replaced,
}


def _record(life: Life, group: list[batch.Part], phase: int) -> None:
    try:
        life.record(batch.joined(group, phase), batch.policy_of(group, phase))
    except BinaryRefusal as refusal:
        named = _REFUSED_ITEM.search(str(refusal))
        part = batch.owner(group, phase, int(named[1])) if named else None
        if part is None:
            raise
        raise _PartRefused(part.script) from refusal


def _prompts(life: Life, group: list[batch.Part], phase: int, *, rounds: int) -> _Prompts:
    return {
        modalities: [_apart(group, phase, rounds, life.project(modalities)) for _ in range(times)]
        for modalities, times in batch.turns_of(group, phase).items()
    }


def _apart(group: list[batch.Part], phase: int, rounds: int, shown: Shown) -> list[JsonObject]:
    prompts = batch.apart(group, rounds, shown.prompt)
    if shown.messages is None:
        return [prompt_outcome(Shown(prompt, None)) for prompt in prompts]
    messages = batch.messages_apart(group, phase, shown.messages)
    return [prompt_outcome(Shown(*one)) for one in zip(prompts, messages, strict=True)]


def _handed_out(place: int, phase: batch.Phase, prompts: _Prompts) -> dict[int, JsonObject]:
    """Give each projection of a phase its prompt, repeated ones the turns in order."""
    turns = {modalities: iter(given) for modalities, given in prompts.items()}
    return {index: next(turns[modalities])[place] for index, modalities in phase.projections}
