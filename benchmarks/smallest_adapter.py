"""An adapter that knows no operation: the least that can be started and asked."""

# ruff: noqa: INP001, T201 (a program, not part of the package)

import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    result = None
    if request["method"] == "initialize":
        result = {
            "protocol": 1,
            "implementation": {"name": "smallest", "version": "1", "language": "Python"},
            "mode": request["params"]["mode"],
            "editions": [request["params"]["edition"]],
            "claim": {
                "profiles": ["projection"],
                "item_types": ["message"],
                "modalities": ["text"],
            },
        }
    elif request["method"] == "run":
        unknown = {"unsupported": "this adapter knows no operation"}
        result = {"outcomes": [unknown for _ in request["params"]["ops"]]}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
    if request["method"] == "shutdown":
        break
