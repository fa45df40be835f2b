"""What the peers' adapters share: handles, recording and the operations a peer has.

A peer is a package that does a neighbouring job: it keeps a history and repairs it before a model
sees it. It has no build modes and no prompt ids of its own, so its adapter claims the profile
`projection` over the item types that the package knows, and answers everything else `unsupported`.
"""

import copy
import json
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

Item = dict[str, Any]
Repair = Callable[[list[Item]], list[Item]]


class Peer:
    """Records items as they are and projects them through `repair`."""

    def __init__(self, package: str, item_types: list[str], repair: Repair) -> None:
        self.package = package
        self.item_types = item_types
        self.repair = repair

    def initialize(self) -> Item:
        """Say what is judged: the package's policy on calls, outputs and order."""
        return {
            "protocol": 1,
            "implementation": {
                "name": self.package,
                "version": version(self.package),
                "language": "Python",
            },
            "mode": "release",
            "editions": ["2026-08"],
            "claim": {
                "profiles": ["projection"],
                "item_types": self.item_types,
                "modalities": ["text"],
            },
            "capabilities": {"exact_numbers": True},
        }

    def run(self, params: Item) -> Item:
        """Run one script on fresh histories."""
        handles: dict[int, list[Item]] = {}
        return {"outcomes": [self._perform(handles, op) for op in params["ops"]]}

    def _perform(self, handles: dict[int, list[Item]], op: Item) -> Item:
        history = handles.setdefault(op.get("on", 0), [])
        if op["op"] == "record_items":
            history.extend(copy.deepcopy(op["items"]))
            return {"ok": None}
        if op["op"] == "for_prompt":
            return {"ok": self.repair(copy.deepcopy(history))}
        if op["op"] == "raw_items":
            return {"ok": copy.deepcopy(history)}
        return {"unsupported": f"{self.package} has no such operation"}


def serve(peer: Peer) -> None:
    """Answer requests, one a line, until shutdown or the end of the input."""
    answers = sys.stdout
    sys.stdout = sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        result = None
        if request["method"] == "initialize":
            result = peer.initialize()
        elif request["method"] == "run":
            result = peer.run(request["params"])
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": result}
        print(json.dumps(answer), file=answers, flush=True)
        if request["method"] == "shutdown":
            return
