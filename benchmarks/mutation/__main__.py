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
from typing import Any

from equivalents import read_equivalents, stale
from kept import Kept
from mutant import Mutant
from mutants import mutants_of, mutated
from oracle import Oracle, Trial, verdict_of
from report import Report
from sources import Sources


def main() -> None:
    """Try every mutant, and hold the share of noticed ones to the bar."""
    options = _options()
    sources = Sources.of()
    listed = [one for one in read_equivalents() if _wanted(one.module, options.module)]
    mutants = [one for one in mutants_of(sources.texts) if _wanted(one.module, options.module)]
    cases = _corpus(options.seed)
    gc.freeze()  # what is there is shared with every process, and no collection may touch it
    oracle = Oracle.of(sources, cases)
    print(
        f"{len(mutants)} mutants, {len(cases)} scripts, {oracle.others} other questions: "
        f"{oracle.cost.whole:.2f} s on the true model, {oracle.cost.longest:.3f} s at most for one",
        flush=True,
    )
    kept = Kept(options.keep, oracle)
    trials = {one: trial for one in mutants if (trial := kept.trial(one)) is not None}
    left = [one for one in mutants if one not in trials]
    for mutant, trial in _tried(oracle, left, options.workers):
        trials[mutant] = trial
        kept.keep(mutant, trial)
    noticed = {one for one, trial in trials.items() if trial.verdict.noticed}
    report = Report(
        trials={one: trials[one] for one in mutants},
        equivalents={one: e for one in mutants for e in listed if e.names(one)},
        stale=stale(listed, mutants, noticed),
        oracle=oracle,
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


def _tried(
    oracle: Oracle, mutants: Sequence[Mutant], workers: int
) -> Iterator[tuple[Mutant, Trial]]:
    """Try mutants, so many at a time, each in a process of its own."""
    running: dict[int, Mutant] = {}
    waiting = iter(mutants)
    while True:
        while len(running) < workers and (mutant := next(waiting, None)) is not None:
            running[oracle.start(partial(_changed, mutant))] = mutant
        if not running:
            return
        process, status, used = os.wait4(-1, 0)
        trial = Trial(verdict_of(status), used.ru_utime + used.ru_stime)
        yield running.pop(process), trial


def _changed(mutant: Mutant, texts: Mapping[str, str]) -> Mapping[str, str]:
    return {mutant.module: mutated(mutant, texts[mutant.module])}


if __name__ == "__main__":
    main()
