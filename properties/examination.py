"""Runs every check on one case and counts how often each was exercised."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import define, field

from contextcert.properties.case import Case
from contextcert.properties.checks import (
    CHANGE_CHECKS,
    CHECKS,
    LIFE_CHECKS,
    PROMPT_CHECKS,
    RELATION_CHECKS,
    Finding,
    PromptCheck,
)
from contextcert.properties.checks.cross_mode import no_anomaly_in_either
from contextcert.properties.checks.edition import changed
from contextcert.properties.checks.looking import Looks
from contextcert.properties.checks.modes import MODES
from contextcert.properties.checks.orphans import synthetic_orphans
from contextcert.properties.checks.pairing import accused
from contextcert.properties.checks.wire import ENVELOPES, WIRE
from contextcert.properties.equality import Sight
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.item_facts import PREFIX_OF
from contextcert.properties.view import Outcome, Prompt, Shown
from contextcert.refmodel.clauses import CLAUSES
from contextcert.refmodel.modes import Edition, Mode


def _of(*groups: str) -> list[str]:
    """Name the clauses of some groups."""
    return [one.id for one in CLAUSES.values() if one.group in groups]


_SHOWN_BY: Final[Mapping[str, Sequence[str]]] = {
    "for_prompt": _of("PAIR", "SYN", "ORD", "ORPH", "MODE", "IMG", "AUD"),
    "for_prompt_annotated": ["PROJ-5"],
    "record_annotated_items": ["ITEM-6", "ITEM-8", "REC-7"],
    "raw_items": _of("REC", "TRUNC", "HEAD", "ROLL", "REPL"),
    "raw_envelopes": ["REC-7"],
    "replace": ["ITEM-2", "REPL-1", "REPL-2"],
    "remove_first_item": _of("HEAD"),
    "drop_last_n_user_turns": _of("ROLL"),
    "history_version": _of("VER"),
    "set_reference_context_item": ["REF-1", "REPL-2", "ROLL-6", "ROLL-7"],
    "reference_context_item": ["REF-1", "REPL-2", "ROLL-6", "ROLL-7"],
    "update_world_state": _of("WORLD"),
    "world_state_baseline": ["WORLD-3", "WORLD-5", "WORLD-6"],
    "set_token_info": ["REPL-2"],
    "token_info": ["REPL-2"],
    "clone": ["SNAP-1", "SNAP-3", "ROLL-10"],
    "hold": ["SNAP-2"],
    "held": ["SNAP-2"],
    "read_transcript": _of("CUR"),
}
"""What cannot be seen, or is too rarely seen, where an adapter does not know an operation."""
_ON_THE_PROMPT_ALONE: Final = frozenset({"PAIR-13", "PROJ-6"})

_BY_MODE: Final[Mapping[Mode, Sequence[PromptCheck]]] = {
    mode: [check for check in PROMPT_CHECKS if mode in check.modes] for mode in Mode
}
_MODES: Final = {
    mode: [(clause, check) for clause, check in MODES.items() if mode in check.modes]
    for mode in Mode
}
_PLACED: Final[Mapping[Mode, frozenset[str]]] = {
    mode: frozenset(check.clause for check in checks if check.count is None)
    for mode, checks in _BY_MODE.items()
}
_COUNTED: Final = {
    mode: [(check.clause, check.count) for check in checks if check.count is not None]
    for mode, checks in _BY_MODE.items()
}
_ELSEWHERE: Final[Mapping[Mode, Mapping[tuple[str, Mode], str]]] = {
    mode: {
        (clause, mode): f"only the other build shows it, not {mode.value}"
        for clause, check in CHECKS.items()
        if mode not in check.modes
    }
    for mode in Mode
}
"""What is seen in the other build only, for instance a repair that debug panics before."""

_ALWAYS: Final[Mapping[Mode, Sequence[PromptCheck]]] = {
    mode: [check for check in checks if check.clause in _ON_THE_PROMPT_ALONE]
    for mode, checks in _BY_MODE.items()
}
"""What does not rest on how a prompt was matched, and so is asked even of a perfect match."""


@define(eq=False)
class Examination:
    """The findings, counts and blind spots of one case."""

    edition: Edition
    findings: list[Finding] = field(factory=list)
    exercised: dict[tuple[str, Mode], int] = field(factory=dict)
    unobservable: dict[tuple[str, Mode], str] = field(factory=dict)

    def examine(self, case: Case) -> None:
        """Look at every projection and reading by itself, then at all of them together."""
        for mode, outcomes in case.outcomes.items():
            counts: dict[str, int] = defaultdict(int)
            for outcome in outcomes:
                self._outcome(outcome, counts)
            for reading in case.readings[mode]:
                self._items(reading, counts)
            unseen = _ABOUT_IDS if _hides_ids(case.sights[mode]) else frozenset[str]()
            for clause, times in counts.items():
                if clause not in unseen:
                    self.exercised[clause, mode] = times
            self._blind_spots(mode, case.sights[mode], case.unsupported[mode])
        for check in RELATION_CHECKS:
            self.findings.extend(check.judge(case, self.exercised))
        self.findings.extend(no_anomaly_in_either(case))
        for judge in CHANGE_CHECKS:
            self.findings.extend(judge(case, self.exercised))
        if any(case.ledgers.values()):
            looks = Looks.of(case)
            for judge_looks in LIFE_CHECKS:
                self.findings.extend(judge_looks(looks, self.exercised))

    def _outcome(self, outcome: Outcome, counts: dict[str, int]) -> None:
        for clause, check in _MODES[outcome.mode]:
            times = check.count(outcome)
            if times:
                counts[clause] += times
            if outcome.remarkable:
                self.findings.extend(check.judge(outcome))
        if outcome.accusations:
            self.findings.extend(accused(outcome))
            self.findings.extend(synthetic_orphans(outcome))
        if outcome.prompt is not None:
            self._prompt(outcome.prompt, counts)

    def _prompt(self, prompt: Prompt, counts: dict[str, int]) -> None:
        mode = prompt.mode
        for clause, times in _occasions(prompt.facts, prompt):
            counts[clause] += times
        checks = _BY_MODE[mode] if prompt.suspicious else _ALWAYS[mode]
        for check in checks:
            self.findings.extend(check.judge(prompt))
        self._items(prompt, counts)

    def _items(self, shown: Shown, counts: dict[str, int]) -> None:
        for clause, places in shown.facts.wire_places.items():
            counts[clause] += len(places)
        if shown.aligned.altered:
            for clause, check in WIRE.items():
                for place in shown.facts.wire_places.get(clause, ()):
                    if place in shown.aligned.altered:
                        self.findings.extend(check.judge(shown, place))
        if shown.in_november:
            self._changed(shown, counts)
        self._envelopes(shown, counts)

    def _envelopes(self, shown: Shown, counts: dict[str, int]) -> None:
        for place, entry in enumerate(shown.entries):
            if entry.metadata is not None and shown.present(place):
                counts["ITEM-8"] += 1
                self.findings.extend(ENVELOPES["ITEM-8"].judge(shown, place))
            if (entry.success is not None or place in shown.aligned.altered) and (
                shown.present(place)
            ):
                if shown.sight.success_flag and shown.envelopes is not None:
                    counts["ITEM-6"] += 1
                self.findings.extend(ENVELOPES["ITEM-6"].judge(shown, place))

    def _changed(self, shown: Shown, counts: dict[str, int]) -> None:
        """Look at what edition 2026-11 changes (SPEC 7)."""
        for place, entry in enumerate(shown.entries):
            if entry.clauses and shown.present(place):
                for clause in entry.clauses:
                    if clause != "E11-2" or not shown.sight.hides(entry.item.type, "id"):
                        counts[clause] += 1
        self.findings.extend(changed(shown))

    def _blind_spots(self, mode: Mode, sight: Sight, unsupported: Mapping[str, str]) -> None:
        self.unobservable.update(_ELSEWHERE[mode])
        if not sight.diagnostics and mode is Mode.RELEASE:
            for clause in ("MODE-1", "MODE-7"):
                self.unobservable[clause, mode] = "the adapter does not show diagnostics"
        if not sight.success_flag:
            self.unobservable["ITEM-6", mode] = "the adapter does not carry the success flag"
        if _hides_ids(sight):
            for clause in _ABOUT_IDS:
                self.unobservable[clause, mode] = "the adapter hides the ids of outputs"
        if self.edition is Edition.NOVEMBER_2026:
            self.unobservable["SYN-2", mode] = (
                "every recorded item has an id (E11-2), and nothing was restored"
            )
        for name, reason in unsupported.items():
            for clause in _SHOWN_BY.get(name, ()):
                self.unobservable[clause, mode] = reason


_ABOUT_IDS: Final = frozenset({"SYN-1", "SYN-2", "SYN-3", "SYN-4", "E11-2", "E11-6"})


def _hides_ids(sight: Sight) -> bool:
    return bool(sight.hidden_fields) and all(sight.hides(one, "id") for one in PREFIX_OF)


def _occasions(facts: HistoryFacts, prompt: Prompt) -> Sequence[tuple[str, int]]:
    """Say how often a prompt of a history exercises each clause; worked out once a history."""
    image, audio, mode = prompt.image, prompt.audio, prompt.mode
    key = (mode is Mode.DEBUG, image, audio)
    known = facts.occasions.get(key)
    if known is None:
        known = [
            (clause, len(places))
            for clause, places in facts.places.items()
            if places and clause in _PLACED[mode]
        ]
        known += [
            (clause, times)
            for clause, count in _COUNTED[mode]
            if (times := count(facts, image, audio))
        ]
        facts.occasions[key] = known
    return known
