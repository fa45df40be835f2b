"""What a script costs on the way to an adapter and back, and what a restart costs.

usage: python benchmarks/round_trip.py [--json FILE]     exit 1 where a bar is not met

A line of 1.5 kB through our pipe, sent back by a child, is held against one byte written and read
with nothing around it, the child being of the same kind (compiled with compiled, Python with
Python): at most 2 and 2.5 times that. Both go on one core, in rounds that take turns, and the
medians of the rounds are compared. A restart from the warm spare is held against a cold start:
at most a tenth. A restart ends when the new process has shaken hands and can be asked.
"""

# ruff: noqa: INP001, T201 (a program, not part of the package)

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Final

from contextcert.adapters.connection import Connection, Launch
from contextcert.adapters.faults import AdapterError
from contextcert.adapters.pipes import LinePipe
from contextcert.adapters.stdio import StdioSession
from contextcert.processes import Child, pin_to_core, usable_cores
from contextcert.refmodel.modes import DEFAULT_EDITION, Mode
from contextcert.subject import FaultKind

HERE: Final = Path(__file__).parent
LINE: Final = b"x" * 1499 + b"\n"
ROUNDS: Final = 25
TRIPS: Final = 400
RESTARTS: Final = 25
BARS: Final = {"compiled": 2.0, "python": 2.5, "restart": 0.1}

Measure = Callable[[], float]


def compiled(folder: Path) -> str:
    """Compile the C child."""
    program = folder / "echo"
    subprocess.run(["cc", "-O2", "-o", str(program), str(HERE / "echo.c")], check=True)  # noqa: S603, S607
    return str(program)


@contextmanager
def one_byte(command: list[str]) -> Iterator[Measure]:
    """Measure a byte there and back with nothing around it, in microseconds."""
    child = subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    assert child.stdin is not None
    assert child.stdout is not None
    there, back = child.stdin.fileno(), child.stdout.fileno()

    def measure() -> float:
        begun = time.perf_counter()
        for _ in range(TRIPS):
            os.write(there, b"x")
            os.read(back, 1)
        return (time.perf_counter() - begun) / TRIPS * 1e6

    yield measure
    child.kill()
    child.communicate()


@contextmanager
def one_line(command: list[str]) -> Iterator[Measure]:
    """Measure a line there and back through our pipe, in microseconds."""
    child = Child(command, {}, None)
    pipe = LinePipe(child)

    def measure() -> float:
        begun = time.perf_counter()
        for _ in range(TRIPS):
            pipe.ask(LINE, 5.0)
        return (time.perf_counter() - begun) / TRIPS * 1e6

    yield measure
    child.end()


def round_trips(folder: Path) -> dict[str, tuple[float, float]]:
    """Give, per kind of child, the median of a byte and of a line."""
    program, python = compiled(folder), [sys.executable, str(HERE / "echo.py")]
    with ExitStack() as stack:
        measures = {
            name: stack.enter_context(measure)
            for name, measure in {
                "compiled byte": one_byte([program, "1"]),
                "compiled line": one_line([program]),
                "python byte": one_byte([*python, "1"]),
                "python line": one_line(python),
            }.items()
        }
        rounds = [{name: measure() for name, measure in measures.items()} for _ in range(ROUNDS)]
    middle = {name: median(one[name] for one in rounds[2:]) for name in measures}
    return {
        kind: (middle[f"{kind} byte"], middle[f"{kind} line"]) for kind in ("compiled", "python")
    }


def adapter() -> Launch:
    """Describe the smallest adapter there is, so that a cold start is as short as can be."""
    command = (sys.executable, "-S", "-E", str(HERE / "smallest_adapter.py"))
    return Launch(command, {}, None, Mode.RELEASE, DEFAULT_EDITION)


def cold_start(launch: Launch) -> float:
    """Give the milliseconds until a new process has shaken hands."""
    begun = time.perf_counter()
    connection = Connection(launch)
    connection.handshake()
    seconds = time.perf_counter() - begun
    connection.kill()
    return seconds * 1e3


def warm_restart(session: StdioSession) -> float:
    """Give the milliseconds from a crash until the spare has shaken hands, the dead one reaped."""
    assert session._connection is not None  # noqa: SLF001
    os.killpg(session._connection.group, signal.SIGKILL)  # noqa: SLF001
    time.sleep(0.05)  # by now the spare is up, as it is long after the start of a campaign
    died = AdapterError(FaultKind.CRASH, "", died=True)
    begun = time.perf_counter()
    session._disconnect(died)  # noqa: SLF001
    session._connected()  # noqa: SLF001
    seconds = time.perf_counter() - begun
    session._make_spare()  # noqa: SLF001
    return seconds * 1e3


def restarts() -> tuple[float, float]:
    """Give the medians of a cold start and of a restart, in milliseconds, taking turns."""
    launch = adapter()
    session = StdioSession(launch)
    pairs = [(cold_start(launch), warm_restart(session)) for _ in range(RESTARTS)]
    session.close()
    return median(cold for cold, _ in pairs), median(warm for _, warm in pairs)


def main() -> int:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    pinned = pin_to_core(usable_cores()[-1])
    with tempfile.TemporaryDirectory() as folder:
        measured = round_trips(Path(folder)) | {"restart": restarts()}
    units = {"restart": "ms"}
    figures = {}
    for name, (base, ours) in measured.items():
        ratio = ours / base
        met = ratio <= BARS[name]
        unit = units.get(name, "µs")
        figures[name] = {"base": base, "ours": ours, "ratio": ratio, "bar": BARS[name], "met": met}
        print(
            f"{name:10} base {base:8.2f} {unit}  ours {ours:8.2f} {unit}  "
            f"ratio {ratio:5.2f}  bar {BARS[name]}  {'met' if met else 'MISSED'}"
        )
    if options.json:
        options.json.write_text(json.dumps({"pinned": pinned, "figures": figures}, indent=2))
    return 0 if all(figure["met"] for figure in figures.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
