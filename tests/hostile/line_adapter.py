"""An adapter whose loop is wrong in one way, named on its command line; `none` is right.

usage: line_adapter.py FAULT
"""

# ruff: noqa: ANN001, ANN003, ANN201, D103, T201 (an adapter such as users write, in few lines)

import json
import sys
import time

FAULT = sys.argv[1]
KNOWN = {"jsonrpc", "id", "method", "params", "protocol", "mode", "edition", "suite", "ops"}
REFUSAL = {"code": -32601, "message": "not known"}
CLAIM = {"profiles": ["projection"], "item_types": ["agent_message"], "modalities": ["text"]}


def handshake(params):
    return {
        "protocol": 1,
        "implementation": {"name": "lines", "version": "1", "language": "Python"},
        "mode": params["mode"],
        "editions": ["2026-08"],
        "claim": CLAIM,
    }


def refuses(line, request):
    members = request.keys() | (request.get("params") or {}).keys()
    return (
        (FAULT == "needs_lf" and line.endswith(b"\r\n"))
        or (FAULT == "knows_all_members" and not members <= KNOWN)
        or (FAULT == "looks_at_text" and b'"method":"' not in line)
    )


def result(request):
    method, params = request["method"], request.get("params")
    if method == "initialize":
        return handshake(params)
    if method == "run":
        return {"outcomes": [outcome(op["op"]) for op in params["ops"]]}
    return None


def outcome(name):
    values = {"raw_items": [], "for_prompt": [], "record_items": None}
    return {"ok": values[name]} if name in values else {"unsupported": "no history is here"}


def written_id(request):
    return request["id"] % 2**31 if FAULT == "keeps_ids_in_31_bits" else request["id"]


def write(request, **answer):
    print(json.dumps({"jsonrpc": "2.0", "id": written_id(request), **answer}), flush=True)


def main():
    for line in sys.stdin.buffer:
        request = json.loads(line)
        known = request["method"] in {"initialize", "run", "shutdown"}
        if refuses(line, request) or (not known and FAULT != "knows_all_methods"):
            write(request, error={**REFUSAL, "code": None} if FAULT == "no_code" else REFUSAL)
            continue
        if FAULT == "talks" and b"agent_message" in line:
            print("projecting", flush=True)
        write(request, result=result(request))
        if request["method"] == "shutdown" and FAULT != "stays_after_shutdown":
            return
    if FAULT == "stays_after_the_end":
        time.sleep(60)
    if FAULT == "says_goodbye":
        print("goodbye")


main()
