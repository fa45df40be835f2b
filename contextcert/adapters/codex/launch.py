"""Starting the binary: ask its version, fill a home, and find the configuration it accepts."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from contextcert.adapters.codex.app_server import AppServer
from contextcert.adapters.codex.failures import BinaryFailure, BinaryRefusal, CannotStart
from contextcert.adapters.codex.features import Features
from contextcert.adapters.codex.home import Settings, settings, write_home
from contextcert.adapters.codex.mock_server import MockServer
from contextcert.adapters.codex.models import model_name
from contextcert.adapters.codex.releases import Release, release_of
from contextcert.adapters.codex.sentinel import Sentinel
from contextcert.refmodel import TruncationPolicy
from contextcert.refmodel.json_value import Json

_VERSION_SECONDS: Final = 20.0
_UNKNOWN_FIELD: Final = re.compile(r"unknown configuration field `([^`]+)`")
_UNKNOWN_FLAG: Final = "unexpected argument '--strict-config'"


class Launcher:
    """Starts app-servers of one binary, each in a home folder of its own."""

    def __init__(
        self, binary: Path, features: Features, folder: Path, mock: MockServer, time_out: float
    ) -> None:
        """Ask the binary for its version.

        Raises:
            CannotStart: the file is missing, cannot be run, or is no Codex binary.
        """
        self.release: Release = release_of(_version(binary), features)
        self._binary = binary
        self._features = features
        self._folder = folder
        self._mock = mock
        self._time_out = time_out
        self._strict = True
        self._unknown: set[str] = set()

    def start(self, policies: Collection[TruncationPolicy] = ()) -> AppServer:
        """Start an app-server whose prompts hold the history and nothing else.

        Beside the usual policy it knows these.

        Raises:
            CannotStart: the release cannot be driven this way.
        """
        while True:
            home = Path(tempfile.mkdtemp(prefix="home-", dir=self._folder))
            write_home(home, self._configuration(home), self.release.modalities, policies)
            try:
                server = AppServer(
                    self._command(), home, self._mock, self._time_out, self._sentinel()
                )
            except OSError as error:
                raise CannotStart(f"{self._binary} cannot be run: {error.strerror}") from error
            except BinaryFailure as failure:
                self._learn_from(home, failure)
                shutil.rmtree(home, ignore_errors=True)
            else:
                self.release = _checked(server, self.release)
                return server

    def _configuration(self, home: Path) -> Settings:
        wanted = settings(home, self._mock.port, self._features)
        return {key: value for key, value in wanted.items() if key not in self._unknown}

    def _command(self) -> list[str]:
        return [str(self._binary), "app-server", *(["--strict-config"] if self._strict else [])]

    def _sentinel(self) -> Sentinel | None:
        return None if self.release.sends_empty_turns else Sentinel()

    def _learn_from(self, home: Path, failure: BinaryFailure) -> None:
        """Leave out what this release does not know; a wrong setting must not go unnoticed."""
        log = (home / "stderr.log").read_text(encoding="utf-8", errors="replace")
        unknown = _UNKNOWN_FIELD.search(log)
        if unknown and unknown[1] in {f"features.{name}" for name, _ in self._features}:
            raise CannotStart(f"Codex {self.release.version} does not know {unknown[1]}.")
        if unknown and unknown[1] not in self._unknown:
            self._unknown.add(unknown[1])
        elif self._strict and _UNKNOWN_FLAG in log:
            self._strict = False
        else:
            raise CannotStart(f"Codex does not start: {failure}. {log[-500:].strip()}")


def _version(binary: Path) -> str:
    try:
        asked = subprocess.run(  # noqa: S603 -- the program the user named
            [str(binary), "--version"],
            capture_output=True,
            timeout=_VERSION_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise CannotStart(
            f"there is no Codex binary at {binary}: name one with --codex, "
            "or run `contextcert codex install`."
        ) from None
    except OSError as error:
        raise CannotStart(f"{binary} cannot be run: {error.strerror}") from error
    except subprocess.TimeoutExpired:
        raise CannotStart(f"{binary} does not tell its version; is it Codex?") from None
    answer = asked.stdout.decode(errors="replace").strip()
    if asked.returncode != 0 or not answer.startswith("codex"):
        raise CannotStart(f"{binary} does not tell a version as Codex does; is it Codex?")
    return answer


def _checked(server: AppServer, release: Release) -> Release:
    """Make sure that an empty history projects to an empty prompt; note what items are refused."""
    try:
        shown = server.project(server.start_thread(), model_name(release.modalities))
    except (BinaryFailure, BinaryRefusal) as failure:
        server.close()
        raise CannotStart(
            f"Codex {release.version} cannot be asked for a projection: {failure}"
        ) from failure
    if shown.prompt:
        server.close()
        raise CannotStart(
            f"Codex {release.version} adds {len(shown.prompt)} items of its own to every prompt; "
            "releases that do are not supported."
        )
    return release.refusing(_refusals(server, release))


def _refusals(server: AppServer, release: Release) -> Iterator[str]:
    """Ask for what is not claimed, so that a certificate says so from the binary's own mouth."""
    for modality, entry in _ENTRIES.items():
        if modality in release.modalities:
            continue
        message: Json = {"type": "message", "role": "user", "content": [entry]}
        try:
            server.inject(server.start_thread(), [message])
        except BinaryRefusal as refusal:
            yield f"It refuses a message that holds {modality}: {refusal}."
        else:
            yield f"It takes a message that holds {modality}, of which nothing is claimed."


_ENTRIES: Final[dict[str, Json]] = {
    "audio": {"type": "input_audio", "audio_url": "data:audio/wav;base64,AAAA"},
}
"""An entry of each modality that some release does not know."""
