"""Random lives on a released Codex binary: each compared with the model, and judged.

usage: python benchmarks/codex_lives.py [--codex PATH] [--seed N] [--seconds N] [--projections N]
           [--heads N] [--rollbacks N] [--replacements N] [--listed N] [--alone N]
exit 1 where a difference is unexplained or a bar is not met

Listed and random histories share threads, as in a campaign; listed ones are projected under every
modality set, and timed by the projection. A head-removal sequence records a history and
projects it after each removal; a rollback drops turns of a recorded history, a replacement replaces
one; each is projected. `--alone` scripts of the projections are timed one by one. `--seconds` is
when to stop, with what was reached.

Explained is what is known of 0.171.0 beside the specification: its parser of hook prompts takes the
first XML element for the whole text, so that what follows it is not looked at (ROLL-2).
"""

# ruff: noqa: INP001, T201 (a program, not part of the package)

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Final

from contextcert.adapters.codex import CodexWay
from contextcert.campaign.probe import refusals
from contextcert.properties import Judge
from contextcert.refmodel import JsonObject, Mode
from contextcert.strategies import (
    Scope,
    alphabet,
    generate,
    modality_sets,
    projection_script,
)
from contextcert.strategies.projecting import for_prompt
from contextcert.subject import Opening, Script, Session

BATCHED_BAR: Final = 600.0
ALONE_BAR: Final = 25.0
GROUPS: Final = ("mixed", "pairs", "media", "unicode")
AT_ONCE: Final = 250
EVERYTHING: Final = for_prompt(("text", "image", "audio"))
HOOK: Final = "hook_run_id"


def projections(scope: Scope, seed: int) -> Iterator[Script]:
    """Give random histories of the groups about projection, in turn."""
    narrow = Scope(scope.claim, scope.edition, restore_items=True, operations=frozenset())
    for start in count(0, AT_ONCE):
        for group in GROUPS:
            yield from generate(group, narrow, seed=seed, count=AT_ONCE, start=start)


def listed(scope: Scope, seed: int) -> Iterator[Script]:
    """Give histories of up to two listed items, drawn at random, under every modality set."""
    random = Random(seed)  # noqa: S311 -- the same histories for the same seed
    symbols, sets = alphabet(scope), modality_sets(scope)
    while True:
        chosen = [random.choice(symbols).item for _ in range(random.choice((1, 2)))]
        yield projection_script(chosen, sets, scope)


def recordings(scope: Scope, seed: int, group: str) -> Iterator[JsonObject]:
    """Give the first recording of random scripts of a group, where it brings items in."""
    for start in count(0, AT_ONCE):
        for script in generate(group, scope, seed=seed, count=AT_ONCE, start=start):
            brings = [op for op in script if op["op"] == "record_items" and op.get("items")]
            if brings:
                yield {name: value for name, value in brings[0].items() if name != "on"}


def heads(scope: Scope, seed: int) -> Iterator[Script]:
    """Give histories that lose their first item until nothing is left, each looked at."""
    for recording in recordings(scope, seed, "pairs"):
        items = recording["items"]
        assert isinstance(items, list)
        removals = [{"op": "remove_first_item"}, EVERYTHING] * len(items)
        yield [recording, EVERYTHING, *removals]


def rollbacks(scope: Scope, seed: int) -> Iterator[Script]:
    """Give histories of turns of which some are dropped."""
    random = Random(seed)  # noqa: S311 -- the same histories for the same seed
    for recording in recordings(scope, seed, "turns"):
        number = random.choice((0, 1, 1, 2, 3, 50))
        yield [recording, {"op": "drop_last_n_user_turns", "num_turns": number}, EVERYTHING]


def replacements(scope: Scope, seed: int) -> Iterator[Script]:
    """Give histories that are replaced by the items of another."""
    given = recordings(scope, seed, "turns")
    for one, other in zip(given, given, strict=False):
        yield [one, {"op": "replace", "items": other["items"]}, EVERYTHING]


class Comparison:
    """Judges what a session answers, and counts."""

    def __init__(self, session: Session, scope: Scope, end: float) -> None:
        """Judge by what the session shows, until an end by the clock."""
        described = session.description
        self._session = session
        self._end = end
        self._judge = Judge(
            edition=scope.edition,
            claim=scope.claim,
            capabilities={Mode.RELEASE: described.capabilities},
            prompts_show_items=True,
        )
        self.failed = False

    def compare(self, name: str, scripts: Iterator[Script], number: int, bar: float = 0.0) -> None:
        """Compare so many scripts, and say what came of it; the bar is in prompts a second."""
        done, prompts, spent = 0, 0, 0.0
        found: Counter[str] = Counter()
        while done < number and time.monotonic() < self._end:
            some = list(islice(scripts, min(AT_ONCE, number - done)))
            started = time.monotonic()
            answers = self._session.run_batch(some)
            spent += time.monotonic() - started
            for script, answer in zip(some, answers, strict=True):
                prompts += self._judged(name, script, answer.outcomes, found)
            done += len(some)
        rate = prompts / spent if spent else 0.0
        print(f"{name}: {done} scripts, {prompts} prompts, {rate:.0f} prompts a second", end="")
        print(f"; {dict(found) or 'no difference'}", flush=True)
        self.failed |= bool(done) and rate < bar

    def _judged(
        self, name: str, script: Script, outcomes: list[JsonObject] | None, found: Counter[str]
    ) -> int:
        if outcomes is None:
            self._report(name, "no answer", script)
            return 0
        judgement = self._judge.judge(script, {Mode.RELEASE: outcomes})
        explained = HOOK in json.dumps(script)
        for violation in judgement.violations:
            known = explained and violation.clause.startswith("ROLL-")
            found[f"{violation.clause}{', explained' if known else ''}"] += 1
            if not known:
                self._report(name, str(violation), script)
        for difference in judgement.unattributed:
            found["unattributed"] += 1
            self._report(name, str(difference), script)
        return sum(isinstance(outcome.get("ok"), list) for outcome in outcomes)

    def _report(self, name: str, what: str, script: Script) -> None:
        self.failed = True
        print(f"{name}: {what}\n  {json.dumps(script)[:2000]}", file=sys.stderr)

    def time_alone(self, scripts: Sequence[Script]) -> None:
        """Time scripts that are asked for one by one."""
        started = time.monotonic()
        for script in scripts:
            self._session.run(script)
        rate = len(scripts) / (time.monotonic() - started)
        print(f"one by one: {len(scripts)} scripts, {rate:.0f} a second", flush=True)
        self.failed |= rate < ALONE_BAR


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--codex", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--projections", type=int, default=100_000)
    parser.add_argument("--heads", type=int, default=2_000)
    parser.add_argument("--rollbacks", type=int, default=1_000)
    parser.add_argument("--replacements", type=int, default=1_000)
    parser.add_argument("--listed", type=int, default=5_000)
    parser.add_argument("--alone", type=int, default=500)
    asked = parser.parse_args()
    session = CodexWay(asked.codex).open(Opening(Mode.RELEASE))
    try:
        described = session.description
        scope = Scope(described.claim, described.editions[0], restore_items=True)
        refused = refusals({Mode.RELEASE: session}, scope)[Mode.RELEASE]
        scope = Scope(
            described.claim,
            described.editions[0],
            restore_items=True,
            operations=scope.operations - frozenset(refused),
        )
        comparison = Comparison(session, scope, time.monotonic() + asked.seconds)
        seed = asked.seed
        comparison.compare("head removals", heads(scope, seed), asked.heads)
        comparison.compare("rollbacks", rollbacks(scope, seed), asked.rollbacks)
        comparison.compare("replacements", replacements(scope, seed), asked.replacements)
        comparison.time_alone(list(islice(projections(scope, seed), asked.alone)))
        comparison.compare("listed histories", listed(scope, seed), asked.listed, BATCHED_BAR)
        comparison.compare("random histories", projections(scope, seed), asked.projections)
    finally:
        session.close()
    return int(comparison.failed)


if __name__ == "__main__":
    sys.exit(main())
