"""An adapter with a history behind it that misbehaves in one way, named on its command line.

It does so on every script that projects a web search, or from the start. Its history words one
notice otherwise (IMG-2), so that there is a result that must not be lost.

usage: history_adapter.py BEHAVIOUR FOLDER     FOLDER keeps what must outlive a process.
"""

# ruff: noqa: ANN001, ANN201, D103 (an adapter such as users write, in few lines)

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from zoo.faults import media  # noqa: F401 - it declares the fault
from zoo.faulty import FAULTS

BEHAVIOUR, FOLDER = sys.argv[1], Path(sys.argv[2])
MEBIBYTE = 2**20


def write(text):
    sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode())
    sys.stdout.buffer.flush()


def answer(request, result):
    message = {"jsonrpc": "2.0", "id": request["id"], "result": result}
    return json.dumps(message, ensure_ascii=False) + "\n"


def first_time(name):
    try:
        (FOLDER / name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def die():
    sys.stderr.write("about to die\n")
    sys.stderr.flush()
    os.kill(os.getpid(), signal.SIGSEGV)


def die_once(_request, good):
    if first_time("died"):
        die()
    write(good)


def flood(_request, _good):
    while True:
        write(b'{"' + b"x" * MEBIBYTE)


def flood_of_lines(_request, _good):
    while True:
        write(b'{"x": 1}\n' * 10_000)


def flood_of_logs(_request, _good):
    while True:
        sys.stderr.write("log " * MEBIBYTE)


def long_line(request, _good):
    write(answer(request, {"outcomes": []})[:-4])
    for _ in range(200):
        write(b" " * MEBIBYTE)
    write("]}}\n")


def late(_request, good):
    time.sleep(0.9)
    write(good)


def half_a_line(_request, good):
    write(good[:20])
    time.sleep(60)


def close_stdout(_request, _good):
    sys.stdout.close()
    os.close(1)
    time.sleep(60)


def hang(_request, _good):
    time.sleep(60)


def ignore_termination(_request, _good):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)


def leave_grandchildren(_request, _good):
    for _ in range(2):
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", str(FOLDER)])
    os._exit(3)


def twice(_request, good):
    write(good + good)


def not_utf_8(request, _good):
    write(answer(request, {"outcomes": "?"}).encode().replace(b"?", b"\xff"))


MISBEHAVIOUR = {
    "dies": lambda _request, _good: die(),
    "dies-once": die_once,
    "hangs": hang,
    "ignores-sigterm": ignore_termination,
    "floods": flood,
    "floods-lines": flood_of_lines,
    "floods-logs": flood_of_logs,
    "long-line": long_line,
    "garbage": lambda _request, _good: write("Traceback (most recent call last): \x1b[2J\n"),
    "wrong-id": lambda request, good: write(good.replace(f'"id": {request["id"]}', '"id": 7')),
    "twice": twice,
    "late": late,
    "half-a-line": half_a_line,
    "invalid-utf-8": not_utf_8,
    "closes-stdout": close_stdout,
    "leaves-grandchildren": leave_grandchildren,
}


def start():
    if BEHAVIOUR == "dies-at-start":
        sys.stderr.write("no configuration found\n")
        sys.exit(4)
    if BEHAVIOUR == "hangs-at-start":
        time.sleep(60)
    if BEHAVIOUR == "prints-a-banner":
        write("Welcome to hostile 1.0\n")


def described(subject, params):
    told = subject.initialize(params)
    return {**told, "mode": "release"} if BEHAVIOUR == "claims-the-wrong-mode" else told


def projects_a_web_search(ops):
    items = [item for op in ops for item in op.get("items", [])]
    return any(item.get("type") == "web_search_call" for item in items) and any(
        op["op"] == "for_prompt" for op in ops
    )


def outcomes(subject, params):
    told = subject.run(params)
    if BEHAVIOUR == "knows-no-clone":
        for place, op in enumerate(params["ops"][: len(told["outcomes"])]):
            if op["op"] == "clone":
                told["outcomes"][place] = {"unsupported": "clone is not known"}
    return told


def main():
    start()
    subject = None
    for line in sys.stdin.buffer:
        request = json.loads(line)
        params = request.get("params") or {}
        if request["method"] == "initialize":
            subject = FAULTS["image-notice-in-other-words"].make(params["mode"])
            write(answer(request, described(subject, params)))
        elif request["method"] == "shutdown":
            write(answer(request, None))
            return
        else:
            good = answer(request, outcomes(subject, params))
            bad = BEHAVIOUR in MISBEHAVIOUR and projects_a_web_search(params["ops"])
            if bad:
                MISBEHAVIOUR[BEHAVIOUR](request, good)
            else:
                write(good)


main()
