"""Tries one mutant made by hand, on scripts given as JSON, and prints the verdict on it.

usage: python try_mutant.py FOLDER MODULE OLD NEW SCRIPTS     FOLDER holds the oracle

With OLD empty the model stays as it is. A process of its own, since a forked test runner is none.
"""

import json
import os
import sys

sys.path.insert(0, sys.argv[1])

from oracle import Oracle, verdict_of  # type: ignore[import-not-found]
from sources import Sources  # type: ignore[import-not-found]

_, _, module, old, new, scripts = sys.argv
sources = Sources.of()
cases = [
    {"edition": "2026-08", "continue_after_panic": False, "ops": ops} for ops in json.loads(scripts)
]
oracle = Oracle.of(sources, cases)


def change(texts: dict[str, str]) -> dict[str, str]:
    """Change the first occurrence, which must be there."""
    if not old:
        return {}
    before, found, after = texts[module].partition(old)
    assert found, f"{module} has no {old}"
    return {module: before + new + after}


oracle.start(change)
sys.stdout.write(verdict_of(os.wait()[1]).value)
