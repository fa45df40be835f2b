"""Blind mutation of the reference model: which small changes would the suite not notice?

usage: python benchmarks/mutation [--workers N] [--seed N] [--out FOLDER] [--keep FILE] [MODULE ...]

Exits 1 where fewer than 97% of the mutants that are not listed as equivalent are noticed, or where
an entry of equivalent.toml names nothing or is noticed. Needs the extra `mutation`, and a system
that forks processes.
"""

# ruff: noqa: INP001, T201 (a program, not part of the package)

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from equivalents import read_equivalents, stale
from kept import Kept
from mutant import Mutant
from mutants import mutants_of, mutated
from oracle import HANG, Cost, Trial, Verdict, start, truth_of, verdict_of
from report import Report
from sources import Sources

SECONDS: Final = 2
"""Processor time for a mutant."""
MARGIN: Final = 1.5
"""How many times what the true model takes a mutant is to be given at least."""
FAR: Final = 20
"""How many times longer than any script takes on the true model one is to take to be a hang."""


def main() -> None:
    """Try every mutant, and hold the share of noticed ones to the bar."""
    options = _options()
    sources = Sources.of()
    listed = [one for one in read_equivalents() if _wanted(one.module, options.module)]
    mutants = [one for one in mutants_of(sources.texts) if _wanted(one.module, options.module)]
    cases = _corpus(options.seed)
    gc.freeze()  # what is there is shared with every process, and no collection may touch it
    truth, cost = truth_of(sources, cases)
    _check(cost, options.seconds)
    _check_oracle(sources, cases, truth, options.seconds)
    print(
        f"{len(mutants)} mutants, {len(cases)} scripts, {len(truth) - len(cases)} other questions:"
        f" {cost.whole:.2f} s on the true model, {cost.longest:.3f} s at most for one",
        flush=True,
    )
    kept = Kept(options.keep, sources, truth)
    trials = {one: trial for one in mutants if (trial := kept.trial(one)) is not None}
    left = [one for one in mutants if one not in trials]
    for mutant, trial in _tried(sources, left, cases, truth, options):
        trials[mutant] = trial
        kept.keep(mutant, trial)
    noticed = {one for one, trial in trials.items() if trial.verdict.noticed}
    report = Report(
        trials={one: trials[one] for one in mutants},
        equivalents={one: e for one in mutants for e in listed if e.names(one)},
        stale=stale(listed, mutants, noticed),
        scripts=len(cases),
        questions=len(truth),
        cost=cost,
        seed=options.seed,
    )
    print(report.text())
    if options.out:
        report.write(options.out)
    sys.exit(0 if report.passes else 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("mutation", description=__doc__)
    parser.add_argument("--workers", type=int, default=2, help="processes at a time")
    parser.add_argument("--seed", type=int, default=0, help="of the random scripts")
    parser.add_argument(
        "--seconds", type=int, default=SECONDS, help="processor time for one mutant"
    )
    parser.add_argument("--out", type=Path, help="a folder for mutation.json and mutation.md")
    parser.add_argument(
        "--keep", type=Path, help="a file of what is known already, for a run that was broken off"
    )
    parser.add_argument("module", nargs="*", help="file names such as world.py; all if left out")
    return parser.parse_args()


def _wanted(module: str, wanted: Sequence[str]) -> bool:
    return not wanted or module in wanted


def _corpus(seed: int) -> list[Any]:
    """Have the scripts made by another process: here no model may have been imported."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "corpus.jsonl"
        program = Path(__file__).with_name("corpus.py")
        subprocess.run([sys.executable, program, file, str(seed)], check=True)  # noqa: S603
        return [json.loads(line) for line in file.read_bytes().splitlines()]


def _check(cost: Cost, seconds: int) -> None:
    if cost.longest * FAR > HANG:
        sys.exit(f"one script takes {cost.longest:.3f} s: too long to tell {HANG} s from a hang")
    if cost.whole * MARGIN > seconds:
        sys.exit(
            f"the true model takes {cost.whole:.2f} s; give --seconds more than {MARGIN} times that"
        )


def _check_oracle(
    sources: Sources, cases: Sequence[Any], truth: Sequence[bytes], seconds: int
) -> None:
    start(sources, lambda _: {}, cases, truth, seconds)
    verdict = verdict_of(os.wait()[1])
    if verdict is not Verdict.SURVIVED:
        sys.exit(f"the true model itself is told from the true model: {verdict.value}")


def _tried(
    sources: Sources,
    mutants: Sequence[Mutant],
    cases: Sequence[Any],
    truth: Sequence[bytes],
    options: argparse.Namespace,
) -> Iterator[tuple[Mutant, Trial]]:
    """Try mutants, so many at a time, each in a process of its own."""
    running: dict[int, Mutant] = {}
    waiting = iter(mutants)
    while True:
        while len(running) < options.workers and (mutant := next(waiting, None)) is not None:
            change = partial(_changed, mutant)
            running[start(sources, change, cases, truth, options.seconds)] = mutant
        if not running:
            return
        process, status, used = os.wait4(-1, 0)
        trial = Trial(verdict_of(status), used.ru_utime + used.ru_stime)
        yield running.pop(process), trial


def _changed(mutant: Mutant, texts: Mapping[str, str]) -> Mapping[str, str]:
    return {mutant.module: mutated(mutant, texts[mutant.module])}


if __name__ == "__main__":
    main()
