"""A Codex binary as a subject: the adapter program behind a pipe, scripts sent in bulk."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

import contextcert
from contextcert.adapters.codex.features import Features
from contextcert.adapters.codex.install import newest_installed
from contextcert.adapters.codex.program import ProgramOptions
from contextcert.adapters.pipes import LinePipe, PipeError, Trouble
from contextcert.processes import CAN_DRIVE_PROGRAMS, Child
from contextcert.protocol import messages
from contextcert.protocol.json_codec import JsonError
from contextcert.refmodel.claim import Claim
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import DEFAULT_EDITION, Mode
from contextcert.subject import (
    Answer,
    Description,
    Fault,
    FaultKind,
    Opening,
    Script,
    SubjectError,
    SubjectSpec,
)

_START_SECONDS: Final = 120.0
_BINARY_SECONDS: Final = 60.0
# The program gives up on the binary long before; this ends a program that hangs itself.
_BATCH_SECONDS: Final = 900.0
_STOP_SECONDS: Final = 10.0
_BATCH: Final = 256
_PARTIAL: Final = "Codex is published as a release build alone, so debug mode is not certified."
_QUIET: Final = (
    "A session that was resumed completes calls that it held unanswered without a report, so that "
    "what is reported is judged on live histories alone (MODE-7)."
)
_TROUBLE: Final = {
    Trouble.SILENT: FaultKind.HANG,
    Trouble.HALF_LINE: FaultKind.HALF_LINE,
    Trouble.ENDED: FaultKind.CRASH,
    Trouble.FLOOD: FaultKind.FLOOD,
    Trouble.UNASKED: FaultKind.GARBAGE,
}


@frozen
class CodexWay:
    """How a Codex binary is reached; a value that can be sent to another process.

    `path` is the binary's file; None means the newest one that was installed.
    """

    path: Path | None = None
    features: Features = ()

    def open(self, opening: Opening) -> CodexSession:
        """Start the adapter program and the binary.

        Raises:
            SubjectError: this system, mode or edition is none of Codex's, or it does not start.
        """
        if not CAN_DRIVE_PROGRAMS:
            raise SubjectError("Codex cannot be driven on this system; use Linux or macOS.")
        if opening.mode is not Mode.RELEASE:
            raise SubjectError("Codex is published as a release build alone: ask for release.")
        binary = self.path or newest_installed()
        if binary is None:
            raise SubjectError(
                "No Codex binary is installed: run `contextcert codex install`, "
                "or name one with --codex PATH."
            )
        options = ProgramOptions(binary, self.features, _BINARY_SECONDS * opening.time_out_factor)
        return CodexSession(options, opening)


def codex_subject(
    path: Path | None = None, features: Features = (), claim: Claim | None = None
) -> SubjectSpec:
    """Describe a Codex binary as a subject: release mode, and the edition of its release."""
    return SubjectSpec(
        name="codex",
        ways={Mode.RELEASE: CodexWay(path, features)},
        claim=claim,
    )


class CodexSession:
    """An opened Codex binary; what fails is started anew."""

    def __init__(self, options: ProgramOptions, opening: Opening) -> None:
        """Start the program and greet it.

        Raises:
            SubjectError: it does not start; the sentence is the program's own.
        """
        # -P: whatever lies in the folder we are used in must not stand in for a module.
        module = ("-P", "-m", "contextcert.adapters.codex")
        self._command = [sys.executable, *module, *options.to_arguments()]
        self._opening = opening
        self._factor = opening.time_out_factor
        self._last_id = 0
        self._child: Child | None = None
        self._description = self._start()

    @property
    def description(self) -> Description:
        """What the program said of the binary; the notes say what a reader has to know."""
        return self._description

    @property
    def process_group(self) -> int | None:
        """The process group of the adapter program, in which the binary stays too."""
        return None if self._child is None else self._child.group

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        """Run one script on threads of its own. A release build never panics."""
        del continue_after_panic
        try:
            result = self._ask("run_batch", {"scripts": [list(ops)], "alone": True})
        except _ProgramFailed as failure:
            return Answer(None, failure.fault)
        return _answers(result, 1)[0]

    def run_batch(self, scripts: Sequence[Script]) -> list[Answer]:
        """Run many scripts, as many of them together as their form allows."""
        answers: list[Answer] = []
        for start in range(0, len(scripts), _BATCH):
            answers.extend(self._run_some(scripts[start : start + _BATCH]))
        return answers

    def close(self) -> None:
        """End the program, the binary and whatever they wrote."""
        if self._child is None:
            return
        child, self._child = self._child, None
        child.close_stdin()
        # The program removes its folder when its input ends.
        child.exit_status(_STOP_SECONDS)
        child.end()

    def _run_some(self, scripts: Sequence[Script]) -> list[Answer]:
        try:
            result = self._ask("run_batch", {"scripts": [list(ops) for ops in scripts]})
        except _ProgramFailed:
            # Only one by one can tell which script it was.
            return [self.run(ops) for ops in scripts]
        return _answers(result, len(scripts))

    def _start(self) -> Description:
        try:
            self._child = Child(self._command, _module_path(), None)
        except OSError as error:
            raise SubjectError(f"The Codex adapter cannot be started: {error}.") from error
        self._pipe = LinePipe(self._child)
        wanted = self._opening.edition
        params = messages.initialize_params(Mode.RELEASE, wanted or DEFAULT_EDITION)
        try:
            answer = self._exchange("initialize", params, _START_SECONDS)
        except _ProgramFailed as failure:
            self._end()
            raise SubjectError(failure.fault.message) from failure
        assert isinstance(answer, dict)
        description = Description.from_json(answer)
        if wanted not in (None, *description.editions):
            self._end()
            (own,) = description.editions
            raise SubjectError(
                f"Codex {description.version} is judged by edition {own.value} "
                "under these feature switches: ask for that edition."
            )
        network = _network_note(str(answer.get("network", "")))
        notes = (_PARTIAL, network, _QUIET, *_texts(answer.get("notes")))
        return self._opening.described(evolve(description, notes=notes))

    def _ask(self, method: str, params: JsonObject) -> Json:
        if self._child is None:
            self._start()
        try:
            return self._exchange(method, params, _BATCH_SECONDS)
        except _ProgramFailed:
            self._end()
            raise

    def _exchange(self, method: str, params: JsonObject, seconds: float) -> Json:
        self._last_id += 1
        try:
            line = messages.request_line(self._last_id, method, params)
            answer = self._pipe.ask(line, seconds * self._factor)
            return messages.read_result(answer, self._last_id)
        except PipeError as error:
            raise self._failed(_TROUBLE[error.trouble], f"The Codex adapter: {error}.") from error
        except messages.ErrorAnswer as error:
            raise self._failed(FaultKind.REFUSED, str(error.text)) from error
        except (JsonError, messages.NotAnAnswerError, messages.WrongIdError) as error:
            raise self._failed(FaultKind.GARBAGE, f"The Codex adapter: {error}.") from error

    def _failed(self, kind: FaultKind, message: str) -> _ProgramFailed:
        return _ProgramFailed(Fault(kind, message, self._pipe.logs()))

    def _end(self) -> None:
        if self._child is not None:
            # Time to remove its folder, then force.
            self._child.end(grace=_STOP_SECONDS)
            self._child = None


class _ProgramFailed(Exception):  # noqa: N818 -- reads as what happened
    """The program, not the binary, failed."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def _module_path() -> dict[str, str]:
    """Let the program find this very package, installed or not."""
    ours = str(Path(contextcert.__file__).parents[1])
    others = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": os.pathsep.join([ours, *([others] if others else [])])}


def _network_note(refusal: str) -> str:
    if refusal:
        return f"NOT KEPT FROM THE NETWORK: the binary ran with this system's network, {refusal}."
    return "The binary ran in a network namespace with the loopback interface alone."


def _texts(values: Json) -> tuple[str, ...]:
    return tuple(map(str, values)) if isinstance(values, list) else ()


def _answers(result: Json, count: int) -> list[Answer]:
    answers = result.get("answers") if isinstance(result, dict) else None
    assert isinstance(answers, list)
    assert len(answers) == count
    return [_answer(answer) for answer in answers]


def _answer(value: Json) -> Answer:
    assert isinstance(value, dict)
    outcomes = value["outcomes"]
    read = None
    if isinstance(outcomes, list):
        read = [outcome for outcome in outcomes if isinstance(outcome, dict)]
    return Answer(read, _fault(value["fault"]))


def _fault(value: Json) -> Fault | None:
    if not isinstance(value, dict):
        return None
    return Fault(
        FaultKind(value["kind"]),
        str(value["message"]),
        str(value["stderr"]),
        repeated=value["repeated"] is True,
    )
