"""Says whether the tools that the kits need are there, and of a version that will do.

usage: kit_toolchains.py [--install] LANG...     --install takes them from Debian's packages
"""

# ruff: noqa: INP001, T201 (a program, which tells what is missing)

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

KITS = json.loads((Path(__file__).parent.parent / "kits" / "kits.json").read_text("utf-8"))
PACKAGES = {
    "go": ["golang-go"],
    "python": ["python3"],
    "rust": ["cargo", "rustfmt", "rust-clippy"],
    "typescript": ["nodejs", "npm"],
}


def numbers(text: str) -> list[int]:
    """Give the numbers of the first version in a text."""
    found = re.search(r"\d+(?:\.\d+)+", text)
    return [int(part) for part in found.group().split(".")] if found else []


def version(tool: str) -> str:
    """Ask a tool for its version."""
    command = [tool, "version"] if tool == "go" else [tool, "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return said.stdout.strip() or "no version"


def missing(language: str) -> list[str]:
    """List what is missing, in words."""
    troubles = []
    for tool, wanted in KITS[language]["needs"].items():
        if shutil.which(tool) is None:
            troubles.append(f"{tool} is not installed")
        elif wanted and numbers(found := version(tool)) < numbers(wanted):
            troubles.append(f"{tool} {wanted} or later is needed, and {found} is there")
    return troubles


def install(languages: list[str]) -> None:
    """Install packages where that is possible; what is still missing is told afterwards."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    packages = [package for language in languages for package in PACKAGES[language]]
    print(f"installing {' '.join(packages)}", flush=True)
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(  # noqa: S603
            ["apt-get", "--quiet", "--quiet", *command],  # noqa: S607 (the system's own)
            env=quiet,
            check=False,
        )


def main() -> None:
    """Look, install where that was asked for, and tell."""
    languages = [word for word in sys.argv[1:] if word != "--install"] or list(KITS)
    incomplete = [language for language in languages if missing(language)]
    if incomplete and "--install" in sys.argv:
        install(incomplete)
    troubles = [f"{language}: {trouble}" for language in languages for trouble in missing(language)]
    for trouble in troubles:
        print(f"{trouble}; install it as its makers say, and see that it is on the path")
    sys.exit(1 if troubles else 0)


main()
