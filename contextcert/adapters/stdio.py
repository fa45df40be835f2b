"""A subject behind a program's stdin and stdout (DESIGN 3)."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from attrs import evolve, field, frozen

from contextcert.adapters import faults
from contextcert.adapters.connection import Connection, Launch
from contextcert.adapters.faults import AdapterError
from contextcert.adapters.panics import panic_message
from contextcert.processes import CAN_DRIVE_PROGRAMS
from contextcert.protocol.handshake import EditionError, HandshakeError, read_handshake
from contextcert.refmodel.modes import DEFAULT_EDITION, Mode
from contextcert.subject import Answer, FaultKind, SubjectError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from contextcert.refmodel.json_value import Json
    from contextcert.subject import Description, Opening, Outcomes, Script, Session

_REMEMBERED: Final = 256
_SETTLE_SECONDS: Final = 0.25


@frozen
class CommandWay:
    """A program that speaks the protocol; never given to a shell.

    `env` is added to the environment, `cwd` None is the current folder. `spare` keeps a second
    process ready, so that a crash costs no start.
    """

    command: tuple[str, ...]
    env: Mapping[str, str] = field(factory=dict)
    cwd: str | None = None
    spare: bool = True

    def open(self, opening: Opening) -> Session:
        """Start the program and shake hands.

        Raises:
            SubjectError: it cannot be started, or its answer cannot be worked with.
        """
        if not CAN_DRIVE_PROGRAMS:
            raise SubjectError(
                "Programs cannot be driven on this system: use --adapter module:attribute, or run "
                "contextcert under Linux or macOS."
            )
        launch = Launch(
            command=self.command,
            env=self.env,
            cwd=self.cwd,
            mode=opening.mode,
            edition=opening.edition or DEFAULT_EDITION,
            time_out_factor=opening.time_out_factor,
            validating=opening.validating,
            run_share=opening.run_share,
        )
        try:
            session = self._session(launch, any_edition=opening.edition is None)
        except AdapterError as error:
            raise SubjectError(faults.at_start(error)) from error
        session.description = opening.described(session.description)
        return session

    def _session(self, launch: Launch, *, any_edition: bool) -> StdioSession:
        """Start the program; where any edition will do, again in one that it offers."""
        try:
            return StdioSession(launch, spare=self.spare)
        except AdapterError as error:
            other = error.__cause__
            if not (any_edition and isinstance(other, EditionError) and other.offered):
                raise
            return StdioSession(evolve(launch, edition=other.offered[0]), spare=self.spare)


class StdioSession:
    """A running adapter in one mode, started again whenever it fails."""

    def __init__(self, launch: Launch, *, spare: bool = True) -> None:
        """Start the adapter and shake hands.

        Raises:
            AdapterError: it cannot be started, or its answer cannot be worked with.
        """
        self._launch = launch
        self._wants_spare = spare
        self._spare: Connection | None = None
        self._handshake: Json = None
        self._recent: dict[int, Script] = {}
        connection = self._start()
        self.description: Description = self._shake_hands(connection)
        self._connection: Connection | None = connection
        self._make_spare()

    @property
    def process_group(self) -> int | None:
        """The process group of the adapter that is asked, the spare one left out."""
        return None if self._connection is None else self._connection.group

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        """Run one script; on a fault a new process is asked once more.

        The script goes on after a panic only where the adapter can.

        Raises:
            JsonError: the script has no JSON text.
        """
        goes_on = continue_after_panic and self.description.capabilities.continue_after_panic
        try:
            connection = self._connected()
            outcomes = connection.run(ops, continue_after_panic=goes_on)
        except AdapterError as error:
            return self._answer_after(error, ops, continue_after_panic=goes_on)
        self._remember(connection.last_id, ops)
        return Answer(outcomes)

    def run_batch(self, scripts: Sequence[Script]) -> list[Answer]:
        """Run many scripts, one request each."""
        return [self.run(script) for script in scripts]

    def close(self) -> None:
        """Ask the adapter to exit, and end whatever does not."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(AdapterError):
                connection.shut_down()
        self._drop_spare()

    def _remember(self, request: int, ops: Script) -> None:
        """Keep the latest scripts, in case one of them is answered once more."""
        self._recent[request] = ops
        self._recent.pop(request - _REMEMBERED, None)

    def _answer_after(
        self, error: AdapterError, ops: Script, *, continue_after_panic: bool
    ) -> Answer:
        earlier = self._recent.get(error.of_request or 0)
        self._disconnect(error)
        try:
            if self._is_panic(error) and ops:
                return Answer(self._outcomes_before_death(error, ops))
            if earlier is not None and (shown := self._answered_twice(earlier)) is not None:
                return Answer(None, evolve(shown.fault(repeated=True), script=earlier))
            outcomes = self._try_again(error, ops, continue_after_panic=continue_after_panic)
        except AdapterError as again:
            self._disconnect(again)
            return Answer(None, again.fault(repeated=True))
        finally:
            self._make_spare()
        return Answer(outcomes, error.fault(repeated=False))

    def _try_again(
        self, error: AdapterError, ops: Script, *, continue_after_panic: bool
    ) -> Outcomes:
        try:
            connection = self._connected()
        except AdapterError as start:
            message = f"{error.message} Then no new process could be used: {start.message}"
            raise AdapterError(error.kind, message, logs=start.logs or error.logs) from start
        outcomes = connection.run(ops, continue_after_panic=continue_after_panic)
        if error.kind is FaultKind.WRONG_ID:
            self._settle(connection)
        return outcomes

    def _answered_twice(self, earlier: Script) -> AdapterError | None:
        """Run an earlier script alone, and give what is wrong with that."""
        try:
            connection = self._connected()
            connection.run(earlier, continue_after_panic=False)
            self._settle(connection)
        except AdapterError as error:
            self._disconnect(error)
            return error
        return None

    def _settle(self, connection: Connection) -> None:
        """See whether a second answer comes where one was asked for."""
        if connection.speaks_unasked(_SETTLE_SECONDS):
            raise faults.answered_twice(connection.logs())

    def _is_panic(self, error: AdapterError) -> bool:
        return (
            error.died
            and self._launch.mode is Mode.DEBUG
            and self.description.capabilities.panic_ends_process
        )

    def _outcomes_before_death(self, death: AdapterError, ops: Script) -> Outcomes:
        """Give what came before the operation that ended the process, and its panic.

        The outcomes before it died with the process: the longest beginning of the script that
        survives is run for them. The last operation is the likely one, so it is tried first.
        """
        survived: Outcomes = []
        longest, shortest_fatal = 0, len(ops)
        length = len(ops) - 1
        while shortest_fatal - longest > 1:
            try:
                survived = self._connected().run(ops[:length], continue_after_panic=False)
                longest = length
            except AdapterError as error:
                if not error.died:
                    raise
                death, shortest_fatal = error, length
                self._disconnect(error)
                self._make_spare()
            length = (longest + shortest_fatal) // 2
        return [*survived, {"panic": panic_message(death.logs, ops[:shortest_fatal])}]

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._take_spare() or self._start_again()
        return self._connection

    def _take_spare(self) -> Connection | None:
        spare, self._spare = self._spare, None
        if spare is None:
            return None
        try:
            self._shake_hands_again(spare)
        except AdapterError:
            return None
        return spare

    def _start_again(self) -> Connection:
        connection = self._start()
        self._shake_hands_again(connection)
        return connection

    def _start(self) -> Connection:
        try:
            return Connection(self._launch)
        except OSError as error:
            raise faults.not_started(error, self._launch.command, self._launch.cwd) from error

    def _shake_hands(self, connection: Connection) -> Description:
        try:
            self._handshake = connection.handshake()
            return read_handshake(self._handshake, self._launch.mode, self._launch.edition)
        except HandshakeError as error:
            logs = connection.logs()
            connection.end()
            raise AdapterError(FaultKind.MALFORMED, str(error), logs=logs) from error
        except AdapterError:
            connection.end()
            raise

    def _shake_hands_again(self, connection: Connection) -> None:
        try:
            handshake = connection.handshake()
        except AdapterError:
            connection.end()
            raise
        if handshake != self._handshake:
            logs = connection.logs()
            connection.end()
            raise faults.described_otherwise(logs)

    def _disconnect(self, error: AdapterError) -> None:
        connection, self._connection = self._connection, None
        self._recent.clear()
        if connection is None:
            return
        if error.died:
            connection.kill()
        else:
            connection.end()

    def _make_spare(self) -> None:
        if self._wants_spare and self._spare is None:
            with contextlib.suppress(OSError):
                self._spare = Connection(self._launch)

    def _drop_spare(self) -> None:
        self._wants_spare = False
        spare, self._spare = self._spare, None
        if spare is not None:
            spare.kill()
