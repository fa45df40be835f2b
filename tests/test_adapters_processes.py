"""Process groups, the guardian, cores, and lines over pipes."""

import os
import pickle
import signal
import subprocess
import sys
import time

import pytest

from contextcert.adapters.panics import panic_message
from contextcert.adapters.pipes import LinePipe, PipeError, Trouble
from contextcert.adapters.specs import command_spec
from contextcert.processes import Child, name_of_signal, pin_to_core, usable_cores
from contextcert.refmodel.json_value import JsonObject
from contextcert.refmodel.modes import Mode

PYTHON = (sys.executable, "-S", "-E", "-c")

ABANDONED = """
import sys, time
from contextcert.processes import Child
child = Child(["sh", "-c", "sleep 60 & sleep 60"], {}, None)
print(child.group, flush=True)
time.sleep(60)
"""


def gone(group: int, seconds: float) -> bool:
    """Wait for a group to have no process but such as wait to be collected."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        table = subprocess.run(
            ["ps", "-A", "-o", "pgid=,stat="],  # noqa: S607
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        states = [line.split()[1] for line in table.splitlines() if int(line.split()[0]) == group]
        if all(state.startswith("Z") for state in states):
            return True
        time.sleep(0.02)
    return False


def test_the_guardian_ends_what_a_killed_worker_leaves() -> None:
    """When a worker is killed outright, its adapters and their children end too."""
    worker = subprocess.Popen([sys.executable, "-c", ABANDONED], stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    group = int(worker.stdout.readline())
    os.killpg(group, 0)
    worker.kill()
    worker.communicate()
    assert gone(group, 3)


def test_a_fork_does_not_keep_its_parents_guardian_waiting() -> None:
    """A worker that was forked lets go of the guardian's pipe."""
    source = (
        "import os, time\n"
        "from contextcert.processes import Child\n"
        "child = Child(['sleep', '60'], {}, None)\n"
        "if os.fork() == 0: time.sleep(1); os._exit(0)\n"
    )
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", source], check=True, timeout=10)
    assert time.monotonic() - begun < 0.9


def test_ending_a_child_ends_its_whole_group() -> None:
    """Grandchildren go with the child, even where they ignore the polite signal."""
    child = Child(["sh", "-c", "trap '' TERM; echo ready; sleep 60 & sleep 60"], {}, None)
    LinePipe(child).receive(5)
    child.end(0.05)
    assert gone(child.group, 1)
    assert child.exit_status() == -signal.SIGKILL


def test_a_child_gets_our_environment_and_what_is_added() -> None:
    """`env` is added, `cwd` is entered."""
    child = Child([*PYTHON, "import os; print(os.getcwd(), os.environ['A'])"], {"A": "b"}, "/")
    line = LinePipe(child).receive(5)
    child.end()
    assert line == b"/ b\n"


def test_a_worker_can_be_kept_on_one_core() -> None:
    """Where the system can pin, a child inherits its worker's core."""
    before = usable_cores()
    if not pin_to_core(before[-1]):
        pytest.skip("this system cannot pin a process to a core")
    try:
        child = Child([*PYTHON, "import os; print(os.sched_getaffinity(0))"], {}, None)
        line = LinePipe(child).receive(5)
        child.end()
    finally:
        os.sched_setaffinity(0, before)
    assert line == f"{{{before[-1]}}}\n".encode()


def test_a_signal_has_a_name() -> None:
    """Known signals are named, others numbered."""
    assert name_of_signal(signal.SIGSEGV) == "SIGSEGV"
    assert name_of_signal(63_000) == "signal 63000"


def test_a_line_longer_than_allowed_is_a_flood() -> None:
    """Reading stops at the limit, whatever is still to come."""
    child = Child([*PYTHON, "print('x' * 1_000_000)"], {}, None)
    with pytest.raises(PipeError) as caught:
        LinePipe(child, line_bytes=100_000).receive(5)
    child.end()
    assert caught.value.trouble is Trouble.FLOOD


def test_a_child_that_logs_without_end_is_still_timed_out() -> None:
    """Reading logs never keeps us from the time-out, and only their tail is kept."""
    child = Child([*PYTHON, "import sys\nwhile 1: sys.stderr.write('log ' * 999)"], {}, None)
    pipe = LinePipe(child)
    begun = time.monotonic()
    with pytest.raises(PipeError) as caught:
        pipe.ask(b"x\n", 0.2)
    assert time.monotonic() - begun < 1
    assert caught.value.trouble is Trouble.SILENT
    assert 0 < len(pipe.logs()) <= 16 * 1024
    child.end()


def test_a_spec_can_be_sent_to_another_process() -> None:
    """A spec survives pickling, as workers need."""
    spec = command_spec({Mode.DEBUG: ("a", "b")}, name="x")
    assert pickle.loads(pickle.dumps(spec)) == spec  # noqa: S301


OPS: list[JsonObject] = [
    {"op": "record_items", "items": [{"call_id": one} for one in ("a", "a\n1", "", "\n", "z\nz")]}
]


@pytest.mark.parametrize(
    ("logs", "message"),
    [
        ("Orphan function call output for call id: a\n1\nnote: x", "… for call id: a\n1"),
        ("Orphan function call output for call id: a\nnote: x", "… for call id: a"),
        ("Orphan function call output for call id: \nnote: x", "… for call id: "),
        ("Orphan function call output for call id: \n\nnote: x", "… for call id: \n"),
        ("Orphan function call output for call id: \n", "… for call id: "),
        ("at 'Orphan function call output for call id: a', x.rs:1:2", "… for call id: a"),
        ("Orphan function call output for call id: a\n\t1\n\ngoroutine 1", "… for call id: a\n1"),
        ("Orphan function call output for call id: a\n1\n\ngoroutine 1", "… for call id: a"),
        ("Orphan function call output for call id: z\nz\n\ngoroutine 1", "… for call id: z\nz"),
        ("Orphan function call output for call id: \n\ngoroutine 1", "… for call id: "),
        ("Orphan function call output for call id: \n\t\n\ngoroutine 1", "… for call id: \n"),
        ("E: Orphan function call output for call id: other", "… for call id: other"),
        ("E: Orphan function call output for call id: zz", "… for call id: zz"),
        (
            "thread 'main' panicked at x.rs:1:2:\nindex out of bounds\nnote: run",
            "index out of bounds",
        ),
        ("", ""),
    ],
)
def test_the_message_of_a_panic_is_found_in_the_logs(logs: str, message: str) -> None:
    """A message of MODE-1 ends with a call id of the script; else the last line is taken."""
    assert panic_message(logs, OPS) == message.replace("…", "Orphan function call output")
