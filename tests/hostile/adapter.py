"""An adapter that misbehaves in one way, named on its command line.

usage: adapter.py BEHAVIOUR [FOLDER]     FOLDER keeps what must outlive a process.
"""

# ruff: noqa: ANN001, ANN201, D103, T201, S607 (an adapter such as users write, in few lines)

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

BEHAVIOUR = sys.argv[1]
FOLDER = Path(sys.argv[2]) if len(sys.argv) > 2 else Path()
CAPABILITIES = {"exact_numbers": True, "continue_after_panic": BEHAVIOUR == "goes_on"}


def write(text):
    sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode())
    sys.stdout.buffer.flush()


def answer(request_id, result):
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": result}) + "\n"


def handshake(request):
    result = {
        "protocol": 1,
        "implementation": {"name": "hostile", "version": "1", "language": "Python"},
        "mode": request["params"]["mode"],
        "editions": ["2026-08"],
        "claim": {"profiles": ["projection"], "item_types": ["message"], "modalities": ["text"]},
        "capabilities": CAPABILITIES,
    }
    return result | HANDSHAKES.get(BEHAVIOUR, {})


HANDSHAKES = {
    "other_mode": {"mode": "release"},
    "no_mode": {"mode": None},
    "other_protocol": {"protocol": 2},
    "no_implementation": {"implementation": None},
    "no_editions": {"editions": None},
    "other_edition": {"editions": ["2026-11"]},
    "unknown_edition": {"editions": ["2031-01"]},
    "unknown_claim": {"claim": {"profiles": ["teleportation"]}},
    "panics_end_process": {"capabilities": {"panic_ends_process": True}},
}


def outcomes(ops):
    return {"outcomes": [{"ok": [] if op["op"].startswith("for_prompt") else None} for op in ops]}


def first_time(name):
    """Whether this is the first process to come here."""
    try:
        (FOLDER / name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def run(request):
    ops = request["params"]["ops"]
    bad = any(op["op"] == "bad" for op in ops)
    good = answer(request["id"], outcomes(ops))
    if BEHAVIOUR in RUNS and bad:
        RUNS[BEHAVIOUR](request, good)
    else:
        write(good)


def die():
    print("about to die", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)


def die_once(_request, good):
    if first_time("died"):
        die()
    write(good)


def flood(_request, _good):
    piece = b'"' + b"x" * 1_000_000
    for _ in range(200):
        write(piece)


def long_line(request, _good):
    text = b"x" * 1_000_000
    write(b'{"jsonrpc":"2.0","id":%d,"result":{"outcomes":[{"ok":"' % request["id"])
    for _ in range(200):
        write(text)
    write(b'"}]}}\n')


def late(_request, good):
    time.sleep(0.6)
    write(good)


def close_stdout(_request, _good):
    sys.stdout.close()
    os.close(1)
    time.sleep(60)


def ignore_termination(_request, _good):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)


def leave_grandchildren(_request, _good):
    subprocess.Popen(["sleep", "60"])
    os._exit(3)


def result(value):
    return lambda request, _good: write(answer(request["id"], value))


def each(outcome):
    return lambda request, _good: write(
        answer(request["id"], {"outcomes": [outcome for _ in request["params"]["ops"]]})
    )


def text(line):
    return lambda _request, _good: write(line)


def refuse(request, _good):
    error = {"code": -32603, "message": "not\x1b[31m today"}
    write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}) + "\n")


def anomaly(request, _good):
    if request["params"]["ops"][-1]["op"] == "bad" or len(request["params"]["ops"]) > 3:
        print("thread 'main' panicked at src/lib.rs:1:2:", file=sys.stderr)
        print("Orphan custom tool call output for call id: a\nb", file=sys.stderr)
        print("note: run with `RUST_BACKTRACE=1`", file=sys.stderr, flush=True)
        os.abort()


def slow_log(_request, good):
    sys.stderr.write("log " * 200_000)
    write(good)


def half_then_rest(_request, good):
    write(good[:20])
    time.sleep(0.05)
    write(good[20:])


RUNS = {
    "dies": lambda _request, _good: die(),
    "dies_once": die_once,
    "exits": lambda _request, _good: os._exit(0),
    "hangs": lambda _request, _good: time.sleep(60),
    "floods": flood,
    "long_line": long_line,
    "garbage": text("Traceback (most recent call last): \x1b[2J\n"),
    "garbage_and_answer": lambda _request, good: write("projecting\n" + good),
    "no_object": text("[1]\n"),
    "invalid_utf8": text(b'{"jsonrpc":"2.0","id":2,"result":"\xff"}\n'),
    "half_line": text('{"jsonrpc":"2.0",'),
    "half_line_then_dies": lambda _request, _good: (write('{"json'), die()),
    "wrong_id": lambda _request, good: write(good.replace('"id": ', '"id": 7')),
    "text_id": lambda request, good: write(
        good.replace(f'"id": {request["id"]}', f'"id": "{request["id"]}"')
    ),
    "late": late,
    "closes_stdout": close_stdout,
    "ignores_termination": ignore_termination,
    "grandchildren": leave_grandchildren,
    "refuses": refuse,
    "unsupported": each({"unsupported": "no such operation"}),
    "no_outcomes": result({}),
    "too_few": result({"outcomes": []}),
    "too_many": result({"outcomes": [{"ok": None}] * 9}),
    "bad_outcome": each({"okay": None}),
    "bad_value": each({"ok": {}}),
    "bad_later": result({"outcomes": [{"ok": None}, {"okay": None}]}),
    "goes_on_unasked": each({"panic": "no"}),
    "logs_much": slow_log,
    "half_then_rest": half_then_rest,
    "panics_end_process": anomaly,
}


def answer_twice(request):
    good = answer(request["id"], outcomes(request["params"]["ops"]))
    write(good + good if BEHAVIOUR == "twice_at_once" else good)
    of_two = len(request["params"]["ops"]) > 1
    if BEHAVIOUR == "twice_later" or (BEHAVIOUR == "twice_of_two_later" and of_two):
        time.sleep(0.1 if of_two else 0.01)
        write(good)


def shake_hands(request, _null):
    write(answer(request["id"], handshake(request)))


HANDSHAKERS = {
    "null_handshake": lambda _request, null: write(null),
    "refuses_handshake": refuse,
    "exits_without_newline": lambda _request, null: (write(null.strip()), sys.exit()),
}


def start():
    if BEHAVIOUR == "hangs_at_start":
        time.sleep(60)
    if BEHAVIOUR == "dies_at_start" or (BEHAVIOUR == "starts_once" and not first_time("started")):
        print("no configuration found", file=sys.stderr)
        sys.exit(4)
    if BEHAVIOUR == "banner":
        write("Welcome to hostile 1.0\n")


def main():
    start()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["method"] == "initialize":
            HANDSHAKERS.get(BEHAVIOUR, shake_hands)(request, answer(request["id"], None))
        elif request["method"] == "shutdown":
            write(answer(request["id"], None))
            if BEHAVIOUR != "never_exits":
                return
        elif BEHAVIOUR.startswith("twice"):
            answer_twice(request)
        elif BEHAVIOUR == "starts_once":
            die()
        else:
            run(request)
    if BEHAVIOUR == "never_exits":
        time.sleep(60)


main()
