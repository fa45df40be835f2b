"""Replay files: one script, what it showed in which mode, and the edition to judge by."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from attrs import frozen

from contextcert.certificate.file import CERTIFICATE_NAME, write_json
from contextcert.certificate.json_form import replay_name
from contextcert.certificate.values import (
    Certificate,
    CertifiedFault,
    Counterexample,
    Unattributed,
    Verdict,
)
from contextcert.refmodel import DEFAULT_EDITION, Edition, Mode
from contextcert.refmodel.json_value import JsonObject
from contextcert.subject import Script

GOES_ON: Final = "continue_after_panic"
"""The name in a replay file of what the protocol's `run` calls the same."""

LONGEST_SCRIPT: Final = 300
"""Characters of a script that a line may hold: it is for copying, and nobody copies a page."""


@frozen
class Replay:
    """One script to run again, and the name of the file that holds it."""

    name: str
    mode: Mode
    script: Script
    why: str
    clause: str | None = None
    continue_after_panic: bool = False

    def to_json(self, edition: Edition) -> JsonObject:
        """Give what the file holds."""
        clause: JsonObject = {} if self.clause is None else {"clause": self.clause}
        goes_on: JsonObject = {GOES_ON: True} if self.continue_after_panic else {}
        return {
            **clause,
            "mode": self.mode.value,
            "edition": edition.value,
            "why": self.why,
            **goes_on,
            "ops": list(self.script),
        }


def of_violation(clause: str, mode: Mode, shown: Counterexample) -> Replay:
    """Replay a violation."""
    name = replay_name(clause, mode.value)
    return Replay(name, mode, shown.script, shown.message, clause, shown.continue_after_panic)


def of_fault(fault: CertifiedFault) -> Replay:
    """Replay a fault."""
    name = replay_name(fault.kind.replace(" ", "-"), fault.mode.value)
    return Replay(
        name,
        fault.mode,
        fault.script,
        fault.message,
        continue_after_panic=fault.continue_after_panic,
    )


def of_difference(one: Unattributed) -> Replay:
    """Replay a difference that no check explains."""
    name = replay_name("unexplained", one.mode.value)
    return Replay(
        name,
        one.mode,
        one.script,
        "no check explains the difference",
        continue_after_panic=one.continue_after_panic,
    )


def replays(certificate: Certificate) -> Iterator[Replay]:
    """Give what can be run again; of faults and differences the first of each kind and mode."""
    for clause, mode, said in certificate.cells(Verdict.VIOLATES):
        if said.violation is not None:
            yield of_violation(clause.id, mode, said.violation)
    first: dict[str, Replay] = {}
    for replay in (
        *map(of_fault, certificate.faults),
        *map(of_difference, certificate.unattributed),
    ):
        first.setdefault(replay.name, replay)
    yield from first.values()


def write_replays(certificate: Certificate, folder: Path) -> None:
    """Write one file for everything that can be run again."""
    for replay in replays(certificate):
        write_json(replay.to_json(certificate.edition), folder / replay.name)


@frozen
class Again:
    """Knows what to type to see something again, and where all of it is kept.

    `folders` holds where the replay files of each mode were written, or nothing; `subject` the
    words that name the subject, or None where they are not known.
    """

    certificate: Certificate
    folders: Mapping[Mode, Path]
    subject: tuple[str, ...] | None

    def line(self, replay: Replay) -> str:
        """Give a line that replays from the file, or that holds the script if it is short."""
        folder = self.folders.get(replay.mode)
        if folder is not None:
            return self._from_file(folder, replay)
        held = self._held(replay)
        if len(held) > LONGEST_SCRIPT:
            return f"{self._from_file(Path('DIR'), replay)} (--out DIR keeps that file)"
        typed = shlex.join(["contextcert", "replay", "-", *self._subject(replay)])
        return f"echo {shlex.quote(held)} | {typed}"

    def kept(self, replay: Replay) -> str:
        """Say where the whole script is to be found."""
        folder = self.folders.get(replay.mode)
        if folder is None:
            return "--out DIR keeps them"
        return f"all of them are in {self._file(folder, replay)}"

    def _from_file(self, folder: Path, replay: Replay) -> str:
        file = str(self._file(folder, replay))
        return shlex.join(["contextcert", "replay", file, *self._subject(replay)])

    def _file(self, folder: Path, replay: Replay) -> Path:
        """Give the file; of several like faults only the first has one of its own."""
        same = next((one for one in replays(self.certificate) if one.name == replay.name), replay)
        return folder / (replay.name if same.script == replay.script else CERTIFICATE_NAME)

    def _held(self, replay: Replay) -> str:
        """Give the replay as JSON, without what goes without saying."""
        held = replay.to_json(self.certificate.edition)
        del held["why"]
        if self.certificate.edition is DEFAULT_EDITION:
            del held["edition"]
        return json.dumps(held, separators=(",", ":"))

    def _subject(self, replay: Replay) -> tuple[str, ...]:
        return (f"--{replay.mode.value}", "...") if self.subject is None else self.subject
