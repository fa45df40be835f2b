"""What one random example costs, from generation to judgement, against an empty one.

usage: python benchmarks/example_cost.py [--json FILE]     exit 1 where the bar is not met

An example is a random history of about 15 items under one modality set, asked of the embedded
model in both modes, and judged by the model and all checks. It may cost at most 6 times an empty
`@given(integers())` example; the two take turns in one run, and the medians are compared.
"""

# ruff: noqa: INP001, T201 (a program, not part of the package)

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median
from typing import Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from contextcert.adapters.model import ModelSubject
from contextcert.properties import Judge
from contextcert.refmodel import Claim, Edition, Mode
from contextcert.strategies import Scope, projection_script
from contextcert.strategies.letters import acts, alphabet_of, performed
from contextcert.strategies.source import BACKEND, seeded

EXAMPLES: Final = 1_000
ROUNDS: Final = 7
BAR: Final = 6.0
QUIET: Final = {
    "max_examples": EXAMPLES,
    "database": None,
    "deadline": None,
    "phases": [Phase.generate],
    "suppress_health_check": list(HealthCheck),
}
SCOPE: Final = Scope.full()
LETTERS: Final = acts("mixed", SCOPE)
SESSIONS: Final = {mode: ModelSubject(mode) for mode in Mode}
JUDGE: Final = Judge(
    Edition.AUGUST_2026,
    Claim.full(),
    {mode: subject.description().capabilities for mode, subject in SESSIONS.items()},
)
sizes: list[int] = []


@settings(**QUIET, derandomize=True)
@given(st.integers())
def empty(_number: int) -> None:
    """Do nothing."""


@settings(**QUIET, backend=BACKEND)
@given(
    st.text(alphabet_of(len(LETTERS)), min_size=36, max_size=60),
    st.sampled_from([["text"], ["text", "image"], ["text", "audio"], ["text", "image", "audio"]]),
)
def example(program: str, modalities: list[str]) -> None:
    """Project a history in both modes and judge what came."""
    items = performed(program, LETTERS).items
    sizes.append(len(items))
    script = projection_script(items, [modalities], SCOPE)
    answers = {mode: one.run({"ops": script})["outcomes"] for mode, one in SESSIONS.items()}
    judgement = JUDGE.judge(script, answers)
    assert not judgement.violations
    assert not judgement.unattributed


def microseconds(test: Callable[[], None]) -> float:
    """Give what an example of a test costs."""
    begun = time.perf_counter()
    test()
    return (time.perf_counter() - begun) / EXAMPLES * 1e6


def main() -> int:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    rounds = []
    for start in range(ROUNDS):
        with seeded(start, 0):
            rounds.append((microseconds(empty), microseconds(example)))
    nothing, ours = (median(one[place] for one in rounds) for place in (0, 1))
    ratio = ours / nothing
    print(
        f"empty {nothing:.0f} µs  example of {mean(sizes):.1f} items {ours:.0f} µs  "
        f"ratio {ratio:.2f}  bar {BAR:g}  {'met' if ratio <= BAR else 'MISSED'}"
    )
    if options.json:
        figures = {"empty_us": nothing, "example_us": ours, "ratio": ratio, "items": mean(sizes)}
        options.json.write_text(json.dumps(figures, indent=2) + "\n")
    return 0 if ratio <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
