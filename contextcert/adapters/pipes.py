"""Lines over a child's pipes: one line out, one line back, within a time and a size.

Blocking on `poll` with raw reads and writes costs little more than the system's own round trip.
Everything that is not the plain case (a request larger than the pipe, an answer in pieces, logs
on stderr) is handled by a slower loop that reads while it writes, so that neither side can wait
for the other for ever.
"""

from __future__ import annotations

import os
import select
import time
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from contextcert.processes import Child

READ_BYTES: Final = 64 * 1024
LINE_BYTES: Final = 64 * 1024 * 1024
"""The longest answer that is read; more is a flood."""

STDERR_BYTES: Final = 16 * 1024
"""How much of a child's logs is kept, counted from the end."""

_LOOK_SECONDS: Final = 0.25
_SHOWN_BYTES: Final = 200
_LOG_READS: Final = 32


class Trouble(Enum):
    """How a line failed to come back."""

    SILENT = "nothing came in time"
    HALF_LINE = "part of a line came in time"
    ENDED = "the pipe closed"
    FLOOD = "the line is too long"
    UNASKED = "more than one line came"


class PipeError(Exception):
    """No line came back; `seen` holds the beginning of what came instead.

    Where more than one line came, `line` is the first of them.
    """

    def __init__(self, trouble: Trouble, seen: bytes = b"", line: bytes = b"") -> None:
        """Keep what happened."""
        super().__init__(trouble.value)
        self.trouble = trouble
        self.seen = seen[:_SHOWN_BYTES]
        self.line = line


class LinePipe:
    """A conversation in lines with one child."""

    def __init__(self, child: Child, line_bytes: int = LINE_BYTES) -> None:
        """Talk to a child that has just been started."""
        self._child = child
        self._line_bytes = line_bytes
        self._stdin, self._stdout, self._stderr = child.stdin, child.stdout, child.stderr
        self._logged = bytearray()
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line, its newline included, and give the one that comes back, with its own.

        Raises:
            PipeError: no line, or more than one, came back within the time.
        """
        try:
            sent = os.write(self._stdin, line)
        except (BlockingIOError, BrokenPipeError):
            return self._receive(line, seconds)
        if sent < len(line):
            return self._receive(line[sent:], seconds)
        first_wait = min(seconds, _LOOK_SECONDS)
        events = self._poll.poll(first_wait * 1000)
        if len(events) == 1 and events[0][0] == self._stdout:
            answer = os.read(self._stdout, READ_BYTES)
            if answer and answer.find(b"\n") == len(answer) - 1:
                return answer
            return self._receive(b"", seconds, answer)
        return self._receive(b"", seconds if events else seconds - first_wait)

    def send(self, line: bytes) -> bool:
        """Send a short line whose answer `receive` takes later; False if it does not fit."""
        try:
            return os.write(self._stdin, line) == len(line)
        except OSError:
            return False

    def receive(self, seconds: float) -> bytes:
        """Give the answer to a line sent before.

        Raises:
            PipeError: as `ask`.
        """
        return self._receive(b"", seconds)

    def speaks_unasked(self, seconds: float) -> bool:
        """Wait so long for a line that nobody asked for."""
        try:
            self._receive(b"", seconds)
        except PipeError as error:
            return error.trouble in (Trouble.UNASKED, Trouble.HALF_LINE, Trouble.FLOOD)
        return True

    def logs(self) -> str:
        """Give the tail of what the child logged, as far as it has come."""
        self._drain_logs()
        return self._logged.decode("utf-8", "replace")

    def _receive(self, unsent: bytes, seconds: float, first: bytes | None = None) -> bytes:
        """Write the rest of a line while reading the answer, of which `first` has come."""
        receiver = _Receiver(self._line_bytes)
        if first is not None:
            receiver.take(first)
        writer = memoryview(unsent)
        if writer:
            self._poll.register(self._stdin, select.POLLOUT)
        deadline = time.monotonic() + seconds
        try:
            while not receiver.complete or writer:
                writer = self._step(receiver, writer, deadline)
        finally:
            if writer:
                self._poll.unregister(self._stdin)
        return receiver.line()

    def _step(self, receiver: _Receiver, writer: memoryview, deadline: float) -> memoryview:
        left = deadline - time.monotonic()
        if left <= 0:
            raise receiver.silence()
        events = self._poll.poll(min(left, _LOOK_SECONDS) * 1000)
        for file, _ in events:
            if file == self._stdout:
                receiver.take(_read(self._stdout))
            elif file == self._stderr:
                self._drain_logs()
            else:
                writer = self._write(writer)
        if not events and self._child.exit_status() is not None:
            # A grandchild holds the pipe open after the child's death.
            raise PipeError(Trouble.ENDED, receiver.seen())
        return writer

    def _write(self, writer: memoryview) -> memoryview:
        try:
            writer = writer[os.write(self._stdin, writer) :]
        except BlockingIOError:
            return writer
        except BrokenPipeError:
            # Who stopped reading may still explain itself, or close its end.
            writer = memoryview(b"")
        if not writer:
            self._poll.unregister(self._stdin)
        return writer

    def _drain_logs(self) -> None:
        # A child that logs without end must not keep us here.
        for _ in range(_LOG_READS):
            piece = _read(self._stderr)
            if piece is None:
                return
            if not piece:
                self._stop_polling_logs()
                return
            self._logged += piece
            del self._logged[:-STDERR_BYTES]

    def _stop_polling_logs(self) -> None:
        try:
            self._poll.unregister(self._stderr)
        except KeyError:
            return


class _Receiver:
    """The pieces of one line."""

    def __init__(self, line_bytes: int) -> None:
        self._line_bytes = line_bytes
        self._pieces: list[bytes] = []
        self._size = 0
        self.complete = False

    def take(self, piece: bytes | None) -> None:
        if piece is None:
            return
        if not piece:
            raise PipeError(Trouble.ENDED, self.seen())
        self._size += len(piece)
        self._pieces.append(piece)
        end = piece.find(b"\n")
        if self.complete or 0 <= end < len(piece) - 1:
            raise PipeError(Trouble.UNASKED, self.seen(), self._first_line())
        if self._size > self._line_bytes:
            raise PipeError(Trouble.FLOOD, self.seen())
        self.complete = end >= 0

    def line(self) -> bytes:
        return b"".join(self._pieces)

    def seen(self) -> bytes:
        return b"".join(self._pieces[:2])

    def _first_line(self) -> bytes:
        return self.line().split(b"\n", 1)[0]

    def silence(self) -> PipeError:
        return PipeError(Trouble.HALF_LINE if self._size else Trouble.SILENT, self.seen())


def _read(file: int) -> bytes | None:
    """Read what is there: nothing yet is None, nothing ever again is empty."""
    try:
        return os.read(file, READ_BYTES)
    except BlockingIOError:
        return None
