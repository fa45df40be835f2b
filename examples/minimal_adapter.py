"""A whole adapter over standard input and output, for a history that is wrong in one place.

Replace `MyHistory` by calls into your implementation. Run it with

    contextcert certify --release "python3 examples/minimal_adapter.py"

and contextcert shows the smallest history that breaks it.
"""

import json
import sys
from uuid import UUID, uuid5

CLAIM = {
    "profiles": ["projection"],
    "item_types": ["message", "function_call", "function_call_output"],
    "modalities": ["text"],
}

NAMESPACE = UUID("90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4")


class MyHistory:
    """Your implementation stands here; this one forgets to remove orphan outputs."""

    def __init__(self):
        self.items = []

    def record(self, items):
        self.items = self.items + items

    def prompt(self):
        answered = {
            item["call_id"] for item in self.items if item["type"] == "function_call_output"
        }
        prompt = []
        for item in self.items:
            prompt.append(item)
            if item["type"] == "function_call" and item["call_id"] not in answered:
                prompt.append(aborted(item))
        return prompt


def aborted(call):
    """Give the output of a call that has none (PAIR-1, SYN-1)."""
    output = {"type": "function_call_output", "call_id": call["call_id"], "output": "aborted"}
    if call.get("id"):
        output["id"] = f"fco_{uuid5(NAMESPACE, 'fco:' + call['id'])}"
    return output


def perform(history, op):
    """Do one operation of a script and say what came of it."""
    if op["op"] == "record_items":
        history.record(op["items"])
        return {"ok": None}
    if op["op"] == "for_prompt":
        return {"ok": history.prompt()}
    if op["op"] == "raw_items":
        return {"ok": history.items}
    return {"unsupported": "not written yet"}


def run(ops):
    """Run a script: every history handle starts empty."""
    handles = {}
    return [perform(handles.setdefault(op.get("on", 0), MyHistory()), op) for op in ops]


def answer(method, params):
    """Answer one request of the protocol."""
    if method == "initialize":
        return {
            "protocol": 1,
            "implementation": {"name": "minimal", "version": "1", "language": "Python"},
            "mode": params["mode"],
            "editions": ["2026-08"],
            "claim": CLAIM,
            "capabilities": {},
        }
    if method == "run":
        return {"outcomes": run(params["ops"])}
    return None


def main():
    """Serve requests, one a line, until shutdown or the end of the input."""
    for line in sys.stdin:
        request = json.loads(line)
        result = answer(request["method"], request.get("params"))
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
        if request["method"] == "shutdown":
            break


if __name__ == "__main__":
    main()
