"""Faults in words: one sentence that names the culprit, and the next step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from contextcert.adapters.pipes import LINE_BYTES, PipeError, Trouble
from contextcert.processes import name_of_signal
from contextcert.protocol.messages import shown, shown_bytes
from contextcert.subject import Fault, FaultKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contextcert.processes import Child
    from contextcert.subject import Outcomes


class AdapterError(Exception):
    """An adapter failed once; `logs` is the tail of its stderr.

    `died` is set where its process had ended, `of_request` is the id of an earlier request that is
    to blame. `before` are the outcomes in front of a malformed one.
    """

    def __init__(  # noqa: PLR0913 (all but two by name, and optional)
        self,
        kind: FaultKind,
        message: str,
        *,
        logs: str = "",
        died: bool = False,
        of_request: int | None = None,
        before: Outcomes | None = None,
    ) -> None:
        """Keep what happened."""
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.logs = logs
        self.died = died
        self.of_request = of_request
        self.before = before or []

    def fault(self, *, repeated: bool) -> Fault:
        """Give the fault that a session answers with."""
        ending = "" if repeated else _NOT_AGAIN
        return Fault(self.kind, self.message + ending, self.logs, repeated, self.before)


_NOT_AGAIN = (
    " A second try of the same script in a new process was answered: the subject is not "
    "deterministic."
)


def pipe_fault(error: PipeError, child: Child, logs: str, seconds: float) -> AdapterError:
    """Say what a line that did not come back means, given the state of its process."""
    # Whoever closed a pipe is usually on its way out.
    ended = error.trouble is Trouble.ENDED
    status = child.exit_status(_LAST_SECONDS if ended else 0.0)
    if status is not None and error.trouble is not Trouble.FLOOD:
        return AdapterError(FaultKind.CRASH, _death(status, error.seen), logs=logs, died=True)
    kind, message = _LIVING[error.trouble]
    text = message.format(
        seconds=f"{seconds:g}", seen=shown_bytes(error.seen), mebibytes=LINE_BYTES // 2**20
    )
    return AdapterError(kind, text, logs=logs)


_LAST_SECONDS = 0.25

_LIVING = {
    Trouble.SILENT: (
        FaultKind.HANG,
        (
            "The adapter did not answer within {seconds} s: look for an endless loop, for an "
            "answer left in a buffer (flush after every line), or raise time_out_factor in the "
            "subject's table of contextcert.toml."
        ),
    ),
    Trouble.HALF_LINE: (
        FaultKind.HALF_LINE,
        (
            "The adapter began a line, {seen}, and did not end it within {seconds} s: end every "
            "answer with a newline and flush."
        ),
    ),
    Trouble.ENDED: (
        FaultKind.CLOSED,
        "The adapter closed its stdout but goes on running: keep stdout open until stdin ends.",
    ),
    Trouble.FLOOD: (
        FaultKind.FLOOD,
        (
            "The adapter's answer is longer than {mebibytes} MiB: it begins {seen}; look for an "
            "endless loop in what it writes."
        ),
    ),
    Trouble.UNASKED: (
        FaultKind.WRONG_ID,
        (
            "The adapter wrote more than one line for one request, {seen}: answer each request "
            "once, and log to stderr."
        ),
    ),
}


def _death(status: int, seen: bytes) -> str:
    how = f"was ended by {name_of_signal(-status)}" if status < 0 else f"exited with code {status}"
    written = f", having written {shown_bytes(seen)}" if seen else ""
    return f"The adapter's process {how} instead of answering{written}: {_remedy(status, seen)}."


def _remedy(status: int, seen: bytes) -> str:
    if status != 0:
        return "its last words are on stderr; replay the script under a debugger"
    newline = "it must end each answer with a newline, and " if seen else "it must "
    return f"{newline}read the next line until stdin ends"


def garbage(reason: str, logs: str) -> AdapterError:
    """Say that a line is no answer."""
    return AdapterError(
        FaultKind.GARBAGE,
        f"The adapter wrote a line that is no answer, {reason}: write nothing but JSON-RPC "
        "responses to stdout, in UTF-8, and log to stderr.",
        logs=logs,
    )


def wrong_id(reason: str, asked: int, logs: str) -> AdapterError:
    """Say that an answer carries an id that was not asked for."""
    return AdapterError(
        FaultKind.WRONG_ID,
        f"The adapter answered request {asked} with another id ({reason}): copy the id of the "
        "request into the answer, as the number it is.",
        logs=logs,
    )


def stale_id(found: int, asked: int, logs: str) -> AdapterError:
    """Say that an earlier request was answered again, or only now."""
    return AdapterError(
        FaultKind.WRONG_ID,
        f"The adapter answered request {found} twice, or late: the second answer came when request "
        f"{asked} was waiting; answer each request once, in order. The script to look at is that "
        "of the earlier one.",
        logs=logs,
        of_request=found,
    )


def answered_twice(logs: str) -> AdapterError:
    """Say that more lines came than requests went."""
    return AdapterError(
        FaultKind.WRONG_ID,
        "The adapter answers one request twice: write one line for each request, and log to "
        "stderr.",
        logs=logs,
    )


def described_otherwise(logs: str) -> AdapterError:
    """Say that a second process of the adapter is not like the first."""
    return AdapterError(
        FaultKind.MALFORMED,
        "The adapter, started again, described itself otherwise than before: answer initialize "
        "with the same values in every process.",
        logs=logs,
    )


def refused(method: str, reason: str, logs: str) -> AdapterError:
    """Say that a request was refused by an error answer."""
    step = (
        "an operation that fails is an outcome (error, panic or unsupported), not an error of the "
        "protocol"
        if method == "run"
        else "the protocol needs a result there"
    )
    return AdapterError(
        FaultKind.REFUSED,
        f"The adapter refused {method} with a JSON-RPC {reason}: {step}.",
        logs=logs,
    )


def malformed(reason: str, logs: str, before: Outcomes | None = None) -> AdapterError:
    """Say that an answer has the wrong shape."""
    return AdapterError(
        FaultKind.MALFORMED,
        f"The adapter's answer has the wrong shape at {reason}: give one outcome an operation, as "
        "the protocol says.",
        logs=logs,
        before=before,
    )


def not_started(error: OSError, command: Sequence[str], cwd: str | None) -> AdapterError:
    """Say that a program cannot be started."""
    program = ascii(command[0])
    if cwd is not None and error.filename == cwd:
        text = f"The folder {cwd!a} cannot be entered ({error.strerror}): correct `cwd`."
    elif isinstance(error, FileNotFoundError):
        text = (
            f"The program {program} is not there: build it first, or give its path as seen from "
            f"{ascii(cwd) if cwd else 'the current folder'}."
        )
    elif isinstance(error, PermissionError) and Path(cwd or "", command[0]).is_dir():
        text = f"The program {program} is a folder: give the path of the program in it."
    elif isinstance(error, PermissionError):
        text = f"The program {program} may not be run: make it executable (chmod +x)."
    else:
        text = (
            f"The program {program} cannot be started ({error.strerror}): is it a program, or a "
            "script without its `#!` line?"
        )
    return AdapterError(FaultKind.CRASH, text)


def at_start(error: AdapterError) -> str:
    """Give the sentence for an adapter that cannot be used from the start."""
    last = next((line for line in reversed(error.logs.splitlines()) if line.strip()), None)
    said = "" if last is None else f" Its stderr ends: {shown(last.strip())}"
    return f"{error.message}{said}"
