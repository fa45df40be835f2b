"""Fetching a release of the binary with npm into a cache folder, and finding it again.

npm uses whatever registry the user configured; nothing else is asked for anything.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from contextcert.adapters.codex.releases import Version, parse_version

_PACKAGE: Final = "@openai/codex"
_SYSTEMS: Final = {"linux": "linux", "darwin": "darwin", "win32": "win32"}
_MACHINES: Final = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
VERSION: Final = re.compile(r"\d+\.\d+\.\d+", re.ASCII)
"""How a release is named."""

_FETCH_SECONDS: Final = 1800
_PLACES: Final = ("vendor/*/bin/codex*", "vendor/*/codex/codex*")
_NAMES: Final = ("codex", "codex.exe")


class InstallError(Exception):
    """A release cannot be had; one sentence says why and what to do."""


def cache_folder() -> Path:
    """Give the folder that installed releases live in, one folder a version.

    CONTEXTCERT_CACHE names it; otherwise it is `contextcert` in the user's cache folder.
    """
    if own := os.environ.get("CONTEXTCERT_CACHE"):
        return Path(own).absolute() / "codex"
    if users := os.environ.get("XDG_CACHE_HOME"):
        return Path(users).absolute() / "contextcert" / "codex"
    return Path.home() / ".cache" / "contextcert" / "codex"


def newest_installed() -> Path | None:
    """Find the binary of the newest release in the cache folder."""
    found = [
        (version, binary)
        for folder in cache_folder().glob("*.*.*")
        if (version := parse_version(folder.name)) and (binary := _binary_in(folder))
    ]
    return max(found, default=(None, None))[1]


def installed(version: str) -> Path | None:
    """Find the binary of one release in the cache folder."""
    return _binary_in(cache_folder() / version)


def install(version: str | None = None) -> Path:
    """Make sure that a release is in the cache folder and give its binary's path.

    Args:
        version: such as `0.171.0`; None means the newest that npm offers.

    Raises:
        InstallError: npm is missing or fails, this system has no binary, or the package is not
            what it should be. Nothing half installed is left.
    """
    if version is not None and not VERSION.fullmatch(version):
        raise InstallError(f"{version!r} is no version of Codex; write one such as 0.171.0.")
    if version is not None and (present := installed(version)):
        return present
    npm = shutil.which("npm")
    if npm is None:
        raise InstallError(
            "npm is not on the PATH: install Node.js with npm, "
            "or name a Codex binary with --codex PATH."
        )
    return _fetched(npm, version or _newest_offered(npm), platform_alias())


def platform_alias(system: str = sys.platform, machine: str | None = None) -> str:
    """Give npm's name for a system and machine, such as `linux-x64`.

    Raises:
        InstallError: Codex is not published for it.
    """
    machine = (machine or platform.machine()).lower()
    if system not in _SYSTEMS or machine not in _MACHINES:
        raise InstallError(
            f"Codex is not published for {system} on {machine}: "
            "name a binary of your own with --codex PATH."
        )
    return f"{_SYSTEMS[system]}-{_MACHINES[machine]}"


def _newest_offered(npm: str) -> str:
    answer = _npm(npm, "view", _PACKAGE, "version", cwd=None)
    version = parse_version(answer)
    if version is None:
        raise InstallError(f"npm names no version of {_PACKAGE}; name one yourself.")
    return ".".join(map(str, version))


def _fetched(npm: str, version: str, alias: str) -> Path:
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fetching-", dir=cache) as temporary:
        folder = Path(temporary) / version
        folder.mkdir()
        (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        # The package of one platform carries its version and the platform's name.
        wanted = f"{_PACKAGE}@{version}-{alias}"
        flags = ("--no-save", "--ignore-scripts", "--no-audit", "--no-fund")
        _npm(npm, "install", *flags, wanted, cwd=folder)
        _check(folder, version, wanted)
        _put_in_place(folder, cache / version)
    binary = installed(version)
    assert binary is not None
    return binary


def _check(folder: Path, version: str, wanted: str) -> None:
    manifest = folder / "node_modules" / _PACKAGE / "package.json"
    found = _manifest_version(manifest)
    if found is None or found != parse_version(version):
        raise InstallError(f"npm brought something else than {wanted}; nothing was installed.")
    if _binary_in(folder) is None:
        raise InstallError(f"{wanted} holds no Codex binary; nothing was installed.")


def _manifest_version(manifest: Path) -> Version | None:
    try:
        text = manifest.read_text(encoding="utf-8")
    except OSError:
        return None
    stated = re.search(r'"version"\s*:\s*"([^"]*)"', text)
    return None if stated is None else parse_version(stated[1])


def _put_in_place(folder: Path, place: Path) -> None:
    """Move the whole folder at once, in the place of a broken one if there is one."""
    if place.exists():
        if _binary_in(place):
            return
        shutil.rmtree(place)
    try:
        folder.rename(place)
    except OSError as error:
        # Another process may have been faster; what it put there counts just as much.
        if _binary_in(place) is None:
            raise InstallError(f"{place} cannot be written: {error.strerror}.") from error


def _binary_in(folder: Path) -> Path | None:
    package = folder / "node_modules" / _PACKAGE
    for pattern in _PLACES:
        for path in sorted(package.glob(pattern)):
            if path.name in _NAMES and os.access(path, os.X_OK) and path.is_file():
                return path
    return None


def _npm(npm: str, *arguments: str, cwd: Path | None) -> str:
    try:
        done = subprocess.run(  # noqa: S603 -- npm as the user has it
            [npm, *arguments],
            cwd=cwd,
            capture_output=True,
            timeout=_FETCH_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"npm {arguments[0]} did not finish: {error}.") from error
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise InstallError(
            f"npm {arguments[0]} failed for {arguments[-1]}: "
            f"{said[0] if said else f'exit status {done.returncode}'}. "
            "Check the version and the connection, or name a binary with --codex PATH."
        )
    return done.stdout.decode(errors="replace")
