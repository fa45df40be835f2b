"""The adapter program: the protocol's loop around the binary, kept to loopback.

Beside the protocol's own methods it answers `run_batch` with `{"scripts": [[op, ...], ...]}`: one
answer a script, `{"outcomes": [...] | null, "fault": {...} | null}`. With `"alone": true` no two
scripts share a thread.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import IO, Final, NoReturn

from attrs import define, frozen

from contextcert.adapters.codex.engine import Engine
from contextcert.adapters.codex.failures import CannotStart
from contextcert.adapters.codex.features import Features, features_from_text
from contextcert.adapters.codex.launch import Launcher
from contextcert.adapters.codex.mock_server import MockServer
from contextcert.adapters.codex.network import NotIsolatedError, keep_to_loopback
from contextcert.adapters.codex.releases import Release
from contextcert.adapters.codex.temporary import temporary_folder
from contextcert.protocol import messages
from contextcert.protocol.json_codec import JsonError, decode
from contextcert.refmodel.claim import Claim
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition, Mode
from contextcert.subject import Answer, Capabilities, Description, Fault

PROFILES: Final = frozenset({"projection", "media"})
LIVES: Final = frozenset({"recording", "changes"})
"""What becomes of a history; claimed where a turn shows it and brings nothing of its own."""
_TIME_OUT: Final = 60.0
_HOMEPAGE: Final = "https://github.com/openai/codex"


@frozen
class ProgramOptions:
    """The program's command line: the binary, its feature switches, seconds for one answer."""

    binary: Path
    features: Features = ()
    time_out: float = _TIME_OUT

    def to_arguments(self) -> list[str]:
        """Write the command line that `options_from_arguments` reads."""
        features = [f"--feature={name}={str(value).lower()}" for name, value in self.features]
        return [f"--codex={self.binary}", f"--time-out={self.time_out:g}", *features]


def options_from_arguments(arguments: Sequence[str]) -> ProgramOptions:
    """Read the command line; a wrong one ends the process with a usage message."""
    parser = argparse.ArgumentParser(
        prog="python -m contextcert.adapters.codex",
        description="A contextcert adapter for a released Codex binary.",
    )
    parser.add_argument("--codex", type=Path, required=True, help="the binary's path")
    parser.add_argument("--feature", action="append", default=[], help="name=true or name=false")
    parser.add_argument("--time-out", type=float, default=_TIME_OUT, help="seconds an answer")
    read = parser.parse_args(arguments)
    try:
        features = features_from_text(read.feature)
    except ValueError as error:
        parser.error(str(error))
    return ProgramOptions(read.codex.absolute(), features, read.time_out)


def description_of(release: Release) -> Description:
    """Say what a release claims and what its wire cannot show."""
    profiles = PROFILES | LIVES if release.sends_empty_turns else PROFILES
    return Description(
        name="codex",
        version=release.version,
        language="Rust",
        homepage=_HOMEPAGE,
        mode=Mode.RELEASE,
        editions=(release.edition,),
        claim=Claim(profiles, release.item_types, release.modalities),
        capabilities=Capabilities(
            diagnostics=True,
            exact_numbers=True,
            restore_items=release.edition is Edition.NOVEMBER_2026,
            hidden_fields=release.hidden_fields,
        ),
    )


class _Refused(Exception):  # noqa: N818 -- an answer
    """A request gets an error answer."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@define
class _Program:
    """The state of the loop: the binary is started by the handshake."""

    options: ProgramOptions
    network: str
    resources: ExitStack
    engine: Engine | None = None

    def initialize(self, params: JsonObject) -> JsonObject:
        if params.get("mode") != Mode.RELEASE.value:
            raise _Refused(messages.INVALID_PARAMS, "Codex is published as a release build alone")
        try:
            launcher = self._launcher()
            self.engine = Engine(launcher)
            self.resources.callback(self.engine.close)
            self.engine.start()
        except CannotStart as reason:
            raise _Refused(messages.INTERNAL_ERROR, str(reason)) from reason
        release = launcher.release
        return {
            **description_of(release).to_json(),
            "network": self.network,
            "notes": list[Json](release.notes),
        }

    def run(self, params: JsonObject) -> JsonObject:
        answer = self._started().run(_script(params.get("ops")))
        if answer.outcomes is None:
            assert answer.fault is not None
            raise _Refused(messages.INTERNAL_ERROR, answer.fault.message)
        return {"outcomes": list[Json](answer.outcomes)}

    def run_batch(self, params: JsonObject) -> JsonObject:
        scripts = params.get("scripts")
        if not isinstance(scripts, list):
            raise _Refused(messages.INVALID_PARAMS, "scripts is a list of lists of operations")
        engine = self._started()
        read = [_script(script) for script in scripts]
        alone = params.get("alone") is True
        answers = [engine.run(ops) for ops in read] if alone else engine.run_batch(read)
        return {"answers": [answer_to_json(answer) for answer in answers]}

    def _started(self) -> Engine:
        if self.engine is None:
            raise _Refused(messages.INVALID_REQUEST, "initialize comes first")
        return self.engine

    def _launcher(self) -> Launcher:
        folder = self.resources.enter_context(temporary_folder())
        mock = self.resources.enter_context(closing(MockServer()))
        options = self.options
        return Launcher(options.binary, options.features, folder, mock, options.time_out)


def answer_to_json(answer: Answer) -> JsonObject:
    """Write an answer for the pipe; the session reads it back."""
    outcomes = None if answer.outcomes is None else list[Json](answer.outcomes)
    return {"outcomes": outcomes, "fault": _fault_to_json(answer.fault)}


def _fault_to_json(fault: Fault | None) -> Json:
    if fault is None:
        return None
    return {
        "kind": fault.kind.value,
        "message": fault.message,
        "stderr": fault.stderr,
        "repeated": fault.repeated,
    }


def _script(value: Json) -> list[JsonObject]:
    if not isinstance(value, list) or not all(isinstance(op, dict) for op in value):
        raise _Refused(messages.INVALID_PARAMS, "a script is a list of operations")
    return [op for op in value if isinstance(op, dict)]


def _methods(program: _Program) -> dict[str, Callable[[JsonObject], JsonObject]]:
    return {
        "initialize": program.initialize,
        "run": program.run,
        "run_batch": program.run_batch,
    }


def _answer_line(program: _Program, request: JsonObject) -> bytes:
    method, request_id, params = request.get("method"), request.get("id"), request.get("params")
    carry_out = _methods(program).get(str(method))
    if carry_out is None:
        return messages.error_line(request_id, messages.METHOD_NOT_FOUND, f"no method {method!r}")
    try:
        result = carry_out(params if isinstance(params, dict) else {})
    except _Refused as refusal:
        return messages.error_line(request_id, refusal.code, str(refusal))
    return messages.result_line(request_id, result)


def serve(program: _Program, lines: Iterable[bytes], output: IO[bytes]) -> None:
    """Answer requests, one a line, until a shutdown or the end of input."""
    for line in lines:
        try:
            request = decode(line)
        except JsonError as error:
            _write(output, messages.error_line(None, messages.PARSE_ERROR, str(error)))
            continue
        if not isinstance(request, dict):
            _write(output, messages.error_line(None, messages.INVALID_REQUEST, "no request"))
        elif request.get("method") == "shutdown":
            _write(output, messages.result_line(request.get("id"), None))
            return
        else:
            _write(output, _answer_line(program, request))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program."""
    options = options_from_arguments(sys.argv[1:] if arguments is None else arguments)
    # Before any thread starts: a namespace is a thread's own.
    network = _kept_to_loopback()
    signal.signal(signal.SIGTERM, _leave)
    with ExitStack() as resources:
        program = _Program(options, network, resources)
        serve(program, sys.stdin.buffer, sys.stdout.buffer)


def _kept_to_loopback() -> str:
    try:
        keep_to_loopback()
    except NotIsolatedError as reason:
        return f"not isolated: {reason}"
    return ""


def _leave(_signal: int, _frame: object) -> NoReturn:
    sys.exit(0)


def _write(output: IO[bytes], line: bytes) -> None:
    output.write(line)
    output.flush()
