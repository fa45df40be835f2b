"""Fetching the binary, with an npm of our own on the PATH."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from contextcert.adapters.codex.install import (
    InstallError,
    cache_folder,
    install,
    newest_installed,
    platform_alias,
)

NPM = """#!{python}
import os, pathlib, sys
arguments = sys.argv[1:]
pathlib.Path({log!r}).open("a").write(" ".join(arguments) + "\\n")
mode = {mode!r}
if mode == "fails":
    sys.exit("npm error code E404\\nnpm error more")
if arguments[0] == "view":
    print("9.9.9")
    sys.exit(0)
wanted = arguments[-1].rpartition("@")[2]
package = pathlib.Path("node_modules/@openai/codex")
package.mkdir(parents=True)
version = "1.1.1" if mode == "another version" else wanted
package.joinpath("package.json").write_text('{{"version": "' + version + '"}}')
if mode != "no binary":
    binary = package / "vendor/a-triple/bin/codex"
    binary.parent.mkdir(parents=True)
    binary.write_text("#!/bin/sh\\n")
    binary.chmod(0o755)
"""


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an npm that works, a cache of its own, and the place of its log."""
    monkeypatch.setenv("CONTEXTCERT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    write_npm(tmp_path, "works")
    return tmp_path / "log"


def write_npm(tmp_path: Path, mode: str) -> None:
    """Put an npm on the PATH that behaves in one way."""
    program = tmp_path / "bin" / "npm"
    program.write_text(
        NPM.format(python=sys.executable, log=str(tmp_path / "log"), mode=mode), encoding="utf-8"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def test_a_release_is_fetched_for_this_platform(npm: Path) -> None:
    """The package asked for carries the version and npm's name of the platform."""
    binary = install("1.2.3")
    assert binary.is_relative_to(cache_folder() / "1.2.3")
    assert npm.read_text(encoding="utf-8").strip().endswith(f"@1.2.3-{platform_alias()}")
    assert "--ignore-scripts" in npm.read_text(encoding="utf-8")


def test_a_release_is_fetched_once(npm: Path) -> None:
    """What is there is not asked for again."""
    assert install("1.2.3") == install("1.2.3")
    assert len(npm.read_text(encoding="utf-8").splitlines()) == 1


@pytest.mark.usefixtures("npm")
def test_without_a_version_the_newest_is_fetched() -> None:
    """The registry that the user configured says which that is."""
    assert install().is_relative_to(cache_folder() / "9.9.9")


@pytest.mark.usefixtures("npm")
def test_the_newest_installed_is_found_by_number() -> None:
    """0.10.0 is newer than 0.9.0."""
    install("0.9.0")
    newest = install("0.10.0")
    assert newest_installed() == newest


@pytest.mark.usefixtures("npm")
def test_nothing_installed_is_nothing_found() -> None:
    """An empty cache, or none, has no binary."""
    assert newest_installed() is None


@pytest.mark.parametrize("mode", ["fails", "no binary", "another version"])
def test_nothing_half_installed_is_left(npm: Path, tmp_path: Path, mode: str) -> None:
    """Whatever npm does wrong, the cache holds nothing afterwards."""
    write_npm(tmp_path, mode)
    with pytest.raises(InstallError):
        install("1.2.3")
    assert npm.exists()
    assert list(cache_folder().iterdir()) == []


@pytest.mark.usefixtures("npm")
def test_the_message_of_npm_is_passed_on(tmp_path: Path) -> None:
    """The first line of what npm said, and what to do."""
    write_npm(tmp_path, "fails")
    with pytest.raises(InstallError, match=r"E404.*--codex PATH"):
        install("1.2.3")


@pytest.mark.usefixtures("npm")
def test_a_broken_folder_is_replaced() -> None:
    """A folder without a binary, as an interrupted copy leaves it, does not count as installed."""
    (cache_folder() / "1.2.3" / "rubbish").mkdir(parents=True)
    assert install("1.2.3").exists()


def test_a_missing_npm_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says what is missing and what else there is."""
    monkeypatch.setenv("CONTEXTCERT_CACHE", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InstallError, match="npm is not on the PATH"):
        install("1.2.3")


@pytest.mark.parametrize("version", ["latest", "1.2", "1.2.3; rm", "../1.2.3", "--help"])
def test_only_plain_versions_are_taken(version: str) -> None:
    """A version becomes a folder's name and an argument of npm."""
    with pytest.raises(InstallError, match="is no version"):
        install(version)


def test_platforms_have_npm_names() -> None:
    """Systems and machines are spelled in many ways."""
    assert platform_alias("linux", "x86_64") == "linux-x64"
    assert platform_alias("linux", "aarch64") == "linux-arm64"
    assert platform_alias("darwin", "arm64") == "darwin-arm64"
    with pytest.raises(InstallError, match="not published"):
        platform_alias("sunos5", "sparc")
