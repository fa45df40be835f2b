"""The shortest scripts that show the faults of longer lives, kept in `zoo/witnesses.jsonl`.

Their lengths are the known minimums against which counterexamples are measured. They were cut
down from what the evidence found, or written by hand, and hold whatever the generators do.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from attrs import frozen
from zoo.faulty import Fault

from contextcert.campaign.case import BOTH, DEBUG_ALONE, Case
from contextcert.refmodel import Mode, run_script_in_both_modes
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.subject import Script
from kill_matrix.hunting import same_outcomes
from kill_matrix.minimal import Size
from kill_matrix.subjects import Answers, Pair

FILE: Final = Path(__file__).parent.parent / "zoo" / "witnesses.jsonl"
LISTS: Final = ("items", "envelopes", "content", "output", "summary", "tools")


@frozen
class Witness:
    """A script that shows a fault; `goes_on` asks debug to go on after a panic.

    `listed` is how many of the listed operations show the fault too, None where two do not;
    `lives` says that one of the listed lives does.
    """

    script: Script
    goes_on: bool = False
    listed: int | None = None
    lives: bool = False

    @property
    def size(self) -> Size:
        """The known minimum."""
        return Size.of(self.script)

    @property
    def case(self) -> Case:
        """The script as a campaign asks it."""
        return Case(self.script, DEBUG_ALONE if self.goes_on else BOTH, goes_on=self.goes_on)


@cache
def witnesses() -> dict[str, Witness]:
    """Read all witnesses by the names of their faults."""
    told = map(json.loads, FILE.read_text(encoding="utf-8").strip().split("\n"))
    return {
        one["fault"]: Witness(
            one["ops"], one.get("goes_on", False), one.get("listed"), one.get("lives", False)
        )
        for one in told
    }


def write(told: dict[str, Witness]) -> None:
    """Write witnesses, one a line, by the names of their faults."""
    lines = []
    for name, one in sorted(told.items()):
        line: JsonObject = {"fault": name, "ops": [*one.script]}
        if one.listed is not None:
            line["listed"] = one.listed
        if one.lives:
            line["lives"] = True
        if one.goes_on:
            line["goes_on"] = True
        lines.append(json.dumps(line, ensure_ascii=False))
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


@frozen
class Showing:
    """Whether a script shows a fault at all."""

    fault: Fault
    pair: Pair
    goes_on: bool = False

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes the fault shows in; only debug can go on after a panic."""
        return (Mode.DEBUG,) if self.goes_on else tuple(map(Mode, self.fault.modes))

    def answers(self, script: Script) -> Answers:
        """Run the faulty subject."""
        return self.pair.answers(script, self.modes, goes_on=self.goes_on)

    def shown_by(self, script: Script) -> bool:
        """Say whether the outcomes differ from the model's in every mode they should."""
        expected = run_script_in_both_modes(script, continue_after_panic=self.goes_on)
        given = self.answers(script)
        return not any(same_outcomes(given[mode], expected[mode]) for mode in self.modes)


def least(showing: Showing, scripts: Iterable[Script], tries: int = 3000) -> Script | None:
    """Cut each script down, and give the smallest that shows the fault."""
    found = [_cut_down(showing, script, tries) for script in scripts if showing.shown_by(script)]
    return min(found, key=_weight, default=None)


def _weight(script: Script) -> tuple[int, int, int]:
    size = Size.of(script)
    return size.operations, size.items, len(json.dumps(script))


def _cut_down(showing: Showing, script: Script, tries: int) -> Script:
    smaller = True
    while smaller:
        smaller = False
        for shorter in cuts(script):
            tries -= 1
            if tries < 0:
                return script
            if showing.shown_by(shorter):
                script, smaller = shorter, True
                break
    return script


def cuts(script: Script) -> Iterator[Script]:
    """Give every script that lacks some operations, or one entry of one list in one of them."""
    size = len(script)
    while size > 0:
        for start in reversed(range(0, len(script), size)):
            yield [*script[:start], *script[start + size :]]
        size //= 2
    for place, op in enumerate(script):
        for shorter in _shorter(op):
            yield [*script[:place], shorter, *script[place + 1 :]]


def _shorter(value: JsonObject) -> Iterator[JsonObject]:
    for key, listed in value.items():
        if key == "item" and isinstance(listed, dict):
            yield from ({**value, key: one} for one in _shorter(listed))
        if key not in LISTS or not isinstance(listed, list):
            continue
        for place in range(len(listed)):
            yield {**value, key: [*listed[:place], *listed[place + 1 :]]}
        yield from ({**value, key: one} for one in _one_shorter(listed))


def _one_shorter(listed: list[Json]) -> Iterator[list[Json]]:
    for place, one in enumerate(listed):
        if isinstance(one, dict):
            for shorter in _shorter(one):
                yield [*listed[:place], shorter, *listed[place + 1 :]]
