"""Runs the sh blocks of a page, one after the other, and looks for the text that it shows.

usage: run_tutorial.py PAGE FOLDER     FOLDER is where the reader stands at the beginning

A block is to exit with 0, or with N where <!-- exits N --> stands before it. The lines of a
text block are to be found, in this order and apart from white space, in what the block before it
printed. Folders and exported variables last from one block to the next.
"""

# ruff: noqa: INP001, T201 (a program, which tells how far it came)

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BLOCK = re.compile(
    r"(?:<!-- exits (?P<code>\d+) -->\n)?```(?P<kind>sh|text)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
KEPT = 'cd "$(cat "$0/folder")"; [ ! -e "$0/exports" ] || . "$0/exports"; unset OLDPWD\n'
KEEPS = 'trap \'pwd >"$0/folder"; export -p >"$0/exports"\' EXIT\n'


def run(commands: str, state: Path) -> tuple[int, str]:
    """Run a block where the one before it ended."""
    done = subprocess.run(  # noqa: S603 (the page's own commands)
        ["/bin/bash", "-euo", "pipefail", "-c", KEPT + KEEPS + commands, str(state)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def unseen(shown: str, printed: str) -> str | None:
    """Give the first line that is shown and was not printed, wrapped as it may be."""
    rest = " ".join(printed.split())
    for line in shown.splitlines():
        wanted = " ".join(line.split())
        place = rest.find(wanted)
        if place < 0:
            return wanted
        rest = rest[place + len(wanted) :]
    return None


def main() -> None:
    """Run the page."""
    page, folder = Path(sys.argv[1]), Path(sys.argv[2]).resolve()
    printed = ""
    with tempfile.TemporaryDirectory() as directory:
        state = Path(directory)
        (state / "folder").write_text(f"{folder}\n")
        for block in BLOCK.finditer(page.read_text("utf-8")):
            text = block["text"]
            if block["kind"] == "text":
                missing = unseen(text, printed)
                if missing is not None:
                    sys.exit(f"{printed}\n{page} shows this, which was not printed: {missing}")
                continue
            begun = time.monotonic()
            code, printed = run(text, state)
            first = text.splitlines()[0][:68]
            print(f"  {time.monotonic() - begun:5.1f} s  {first}", flush=True)
            if code != int(block["code"] or 0):
                sys.exit(f"{printed}\n{page}: this exited with {code}:\n{text}")


main()
