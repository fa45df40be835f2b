"""Replay files: one script, the clause and mode that it broke, and the edition to judge by."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from attrs import frozen

from contextcert.certificate.file import write_json
from contextcert.certificate.json_form import replay_name
from contextcert.certificate.values import Certificate, Counterexample, Verdict
from contextcert.refmodel import Mode
from contextcert.refmodel.json_value import JsonObject


def replay_object(
    certificate: Certificate, clause: str, mode: Mode, shown: Counterexample
) -> JsonObject:
    """Give what a replay file holds."""
    return {
        "clause": clause,
        "mode": mode.value,
        "edition": certificate.edition.value,
        "why": shown.message,
        "ops": list(shown.script),
    }


def write_replays(certificate: Certificate, folder: Path) -> None:
    """Write one file a violation."""
    for clause, mode, said in certificate.cells(Verdict.VIOLATES):
        if said.violation is not None:
            replay = replay_object(certificate, clause.id, mode, said.violation)
            write_json(replay, folder / replay_name(clause.id, mode.value))


@frozen
class Again:
    """Knows what to type to see a violation again.

    `folder` is where replay files were written, or None where none were; `subject` holds the words
    that name the subject.
    """

    certificate: Certificate
    folder: Path | None
    subject: tuple[str, ...]

    def line(self, clause: str, mode: Mode, shown: Counterexample) -> str:
        """Give a line that replays from the file, or that holds the script itself."""
        if self.folder is not None:
            file = str(self.folder / replay_name(clause, mode.value))
            return shlex.join(["contextcert", "replay", file, *self.subject])
        replay = replay_object(self.certificate, clause, mode, shown)
        del replay["why"]
        text = shlex.quote(json.dumps(replay, separators=(",", ":")))
        return f"echo {text} | {shlex.join(['contextcert', 'replay', '-', *self.subject])}"
