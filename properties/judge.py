"""Judges one script: equality with the model, and every clause's own check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Protocol, TypeAlias, TypeVar

from attrs import define, field

from contextcert.properties.alignment import Alignment
from contextcert.properties.attribution import attributed
from contextcert.properties.binding import bind, bound_fresh_ids
from contextcert.properties.case import Case
from contextcert.properties.checks.snapshots import changed_prompt, held_prompts
from contextcert.properties.equality import Sight, first_difference, identical
from contextcert.properties.examination import Examination
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.item_facts import ItemReader
from contextcert.properties.judgement import Judgement
from contextcert.properties.ledger import Ledger, ledger
from contextcert.properties.observation import Survey, survey
from contextcert.properties.outcomes import Reader
from contextcert.properties.parting import TOGETHER, Parting, parting
from contextcert.properties.through_prompts import Extended, items_shown
from contextcert.properties.violations import Difference, Violation
from contextcert.refmodel import run_script_in_both_modes
from contextcert.refmodel.claim import Claim
from contextcert.refmodel.clauses import PROFILES
from contextcert.refmodel.fresh_ids import FreshIds
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition, Mode
from contextcert.subject import Capabilities, Script

Answers: TypeAlias = Mapping[Mode, Sequence[JsonObject]]
Cell: TypeAlias = tuple[str, Mode]
T = TypeVar("T")


class Model(Protocol):
    """What gives the expected outcomes of a script in both modes."""

    def __call__(
        self,
        ops: Script,
        /,
        *,
        edition: Edition,
        fresh_ids: FreshIds | None = ...,
        continue_after_panic: bool = ...,
    ) -> Mapping[Mode, list[JsonObject]]:
        """Run a script."""
        ...


@define
class Judge:
    """Holds a subject's outcomes against the model and against every clause.

    `clauses` limits what is reported to some clauses, and the claim does so as well; a difference
    that a clause left out explains is still explained. `model` can be replaced, so that a broken
    model can be shown to be noticed by the checks alone. Where `prompts_show_items`, what became of
    a history is read off its prompts, for no build shows its items in another way.
    """

    edition: Edition
    claim: Claim
    capabilities: Mapping[Mode, Capabilities]
    clauses: frozenset[str] | None = None
    model: Model = run_script_in_both_modes
    prompts_show_items: bool = False
    _sights: dict[Mode, Sight] = field(init=False)
    _readers: dict[Mode, ItemReader] = field(init=False)
    _claims_all: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Work out once what each mode's adapter can show."""
        self._sights = {mode: Sight.of(one) for mode, one in self.capabilities.items()}
        self._readers = {}
        self._claims_all = self.claim.profiles >= frozenset(PROFILES)
        for mode, sight in self._sights.items():
            alike = [one for one in self._readers.values() if one.sight == sight]
            self._readers[mode] = alike[0] if alike else ItemReader(self.edition, sight)

    def judge(
        self, script: Script, answers: Answers, *, continue_after_panic: bool = False
    ) -> Judgement:
        """Judge what a subject answered to a script, in one mode or in both.

        `continue_after_panic` says that the subject was asked to go on after a panic.
        """
        if not self.prompts_show_items:
            return self._judged(script, answers, continue_after_panic)
        extended = Extended.of(script)
        read = self._read(extended, script, answers, continue_after_panic)
        return extended.back(self._judged(extended.script, read, continue_after_panic))

    def _read(
        self,
        extended: Extended,
        script: Script,
        answers: Answers,
        continue_after_panic: bool,  # noqa: FBT001 - passed on
    ) -> Answers:
        """Put before each prompt what it shows of the items (see `through_prompts`)."""
        surveys = self._surveys(script, answers)
        # Fresh ids are bound by it.
        self._expected(script, answers, surveys, continue_after_panic)
        read: dict[Mode, Sequence[JsonObject]] = {}
        for mode, given in answers.items():
            must = self.model(
                extended.script,
                edition=self.edition,
                fresh_ids=bound_fresh_ids(surveys[mode]) if surveys[mode].mints else None,
                continue_after_panic=continue_after_panic,
            )[mode]
            read[mode] = extended.answers(given, partial(self._items_shown, mode, extended, must))
        return read

    def _items_shown(
        self,
        mode: Mode,
        extended: Extended,
        must: Sequence[JsonObject],
        place: int,
        given: JsonObject,
    ) -> JsonObject:
        if place >= len(must):
            return {"unsupported": "the model ends here"}
        taken = extended.script[place].get("input_modalities")
        whole = isinstance(taken, list) and self.claim.modalities.issubset(map(str, taken))
        whole = whole and place in extended.touched
        items = must[place - 1].get("ok")
        return items_shown(given, must[place], items, self._readers[mode], whole=whole)

    def _judged(
        self,
        script: Script,
        answers: Answers,
        continue_after_panic: bool,  # noqa: FBT001 - passed on
    ) -> Judgement:
        surveys = self._surveys(script, answers)
        expected = self._expected(script, answers, surveys, continue_after_panic)
        partings = dict.fromkeys(answers, TOGETHER)
        differences: list[Difference] = []
        for mode, outcomes in answers.items():
            if not identical(expected[mode], outcomes):
                sight = self._sights[mode]
                partings[mode] = parting(script, expected[mode], outcomes, partial(_same, sight))
                told = partings[mode].silent | _rendered(script, sight)
                differences += _differences(mode, sight, expected[mode], outcomes, told)
        examination = Examination(self.edition)
        case = self._case(script, answers, surveys, partings)
        examination.examine(case)
        attribution = attributed(examination.findings, script)
        violations = attribution.violations
        differences = [
            one for one in differences if (one.mode, one.operation) not in attribution.explained
        ]
        explained = attribution.explained
        differences = [one for one in differences if not _repeats(one, script, explained)]
        if differences:
            differences = _without_held(differences, violations, case)
        return Judgement(
            self._within(examination.exercised),
            tuple(one for one in violations if self._counts(one.clause)),
            tuple(_first_in_each_mode(differences)),
            self._within(examination.unobservable),
            tuple(one for one in violations if self._is_unasked(one.clause)),
        )

    def expected(
        self, script: Script, answers: Answers, *, continue_after_panic: bool = False
    ) -> Mapping[Mode, Sequence[JsonObject]]:
        """Give the model's outcomes, with the ids that the subject gave where recording gives them.

        Beside what the subject answered, only what is wrong then differs (E11-2).
        """
        surveys = self._surveys(script, answers)
        return self._expected(script, answers, surveys, continue_after_panic)

    def _counts(self, clause: str) -> bool:
        wanted = self.clauses is None or clause in self.clauses
        return wanted and self.claim.covers(clause)

    def _is_unasked(self, clause: str) -> bool:
        return not self._counts(clause) and self.claim.covers(clause)

    def _within(self, cells: dict[Cell, T]) -> dict[Cell, T]:
        if self.clauses is None and self._claims_all:
            return cells
        return {cell: value for cell, value in cells.items() if self._counts(cell[0])}

    def _surveys(self, script: Script, answers: Answers) -> dict[Mode, Survey]:
        """Follow the script, once for all modes whose adapters show the same.

        Where recording gives ids, every mode's build gives its own.
        """
        surveys: dict[Mode, Survey] = {}
        for mode in answers:
            reader = self._readers[mode]
            alike = [other for other in surveys if self._readers[other] is reader]
            if alike and self.edition is Edition.AUGUST_2026:
                surveys[mode] = surveys[alike[0]]
            else:
                surveys[mode] = survey(script, reader)
        return surveys

    def _expected(
        self,
        script: Script,
        answers: Answers,
        surveys: Mapping[Mode, Survey],
        continue_after_panic: bool,  # noqa: FBT001 - passed on
    ) -> Mapping[Mode, Sequence[JsonObject]]:
        """Run the model: once, or once a mode where it must give the ids the subject gave."""
        if not any(one.mints for one in surveys.values()):
            return self.model(
                script, edition=self.edition, continue_after_panic=continue_after_panic
            )
        expected = {}
        for mode, outcomes in answers.items():
            followed = surveys[mode]
            bind(followed, outcomes, self._readers[mode])
            expected[mode] = self.model(
                script,
                edition=self.edition,
                fresh_ids=bound_fresh_ids(followed),
                continue_after_panic=continue_after_panic,
            )[mode]
        return expected

    def _case(
        self,
        script: Script,
        answers: Answers,
        surveys: Mapping[Mode, Survey],
        partings: Mapping[Mode, Parting],
    ) -> Case:
        aligned: dict[int, tuple[HistoryFacts, Json, Alignment]] = {}
        readers = {
            mode: Reader(
                mode,
                self._sights[mode],
                self._readers[mode],
                surveys[mode],
                partings[mode].silent,
                aligned,
            )
            for mode in answers
        }
        for mode, reader in readers.items():
            reader.read(answers[mode])
        return Case(
            script=script,
            edition=self.edition,
            surveys=surveys,
            ledgers=_ledgers(script, surveys),
            silent={mode: one.silent for mode, one in partings.items()},
            answers=answers,
            sights=self._sights,
            outcomes={mode: reader.outcomes for mode, reader in readers.items()},
            readings={mode: reader.readings for mode, reader in readers.items()},
            unsupported={mode: one.unsupported for mode, one in partings.items()},
        )


def _ledgers(script: Script, surveys: Mapping[Mode, Survey]) -> Mapping[Mode, Ledger | None]:
    """Keep account once for all modes that share a survey."""
    kept: dict[int, Ledger | None] = {}
    for followed in surveys.values():
        if id(followed) not in kept:
            kept[id(followed)] = ledger(script, followed)
    return {mode: kept[id(followed)] for mode, followed in surveys.items()}


def _rendered(script: Script, sight: Sight) -> frozenset[int]:
    """Give the reads of which the model says nothing, its entries being items (CUR)."""
    if not sight.coarse_transcript:
        return frozenset()
    return frozenset(place for place, op in enumerate(script) if op.get("op") == "read_transcript")


def _differences(
    mode: Mode,
    sight: Sight,
    expected: Sequence[JsonObject],
    actual: Sequence[JsonObject],
    silent: AbstractSet[int],
) -> Iterator[Difference]:
    """Give every operation whose outcome is not the model's; what is unsupported is not compared.

    Nor are `silent` operations: of some the histories have parted before, of others the model says
    nothing.

    After a panic in one of the two only, what follows has no counterpart.
    """
    for operation, wanted in enumerate(expected):
        if operation >= len(actual):
            yield Difference(mode, operation, "", dict(wanted), None)
            return
        given = actual[operation]
        if operation not in silent and not _same(sight, wanted, given):
            yield _difference(mode, operation, sight.seen(wanted), sight.seen(given))
        if ("panic" in wanted) != ("panic" in given):
            return


def _same(sight: Sight, wanted: JsonObject, given: JsonObject) -> bool:
    """Compare two outcomes; nothing is held against what one side does not know."""
    return "unsupported" in given or "unsupported" in wanted or sight.same_outcome(wanted, given)


def _difference(mode: Mode, operation: int, wanted: JsonObject, given: JsonObject) -> Difference:
    path, one, other = first_difference(wanted, given)
    return Difference(mode, operation, path, one, other)


def _repeats(one: Difference, script: Script, explained: frozenset[tuple[Mode, int]]) -> bool:
    """Say whether a difference is that of a prompt that was handed out once more to be held."""
    asked = script[one.operation]
    if asked["op"] != "hold" or "input_modalities" not in asked:
        return False
    here = asked.get("on", 0)
    before = (
        place for place in reversed(range(one.operation)) if script[place].get("on", 0) == here
    )
    place = next(before, None)
    if place is None or (one.mode, place) not in explained:
        return False
    return script[place].get("input_modalities") == asked["input_modalities"]


def _without_held(
    differences: list[Difference], violations: list[Violation], case: Case
) -> list[Difference]:
    """Leave out prompts that were kept as they were; add SNAP-2 where nothing else explains one."""
    held = {(mode, operation): known for mode, operation, known in held_prompts(case)}
    elsewhere = {one.mode for one in violations}
    left = []
    for one in differences:
        known = held.get((one.mode, one.operation))
        if known is None:
            left.append(one)
        elif not known and one.mode not in elsewhere:
            violations.append(changed_prompt(one))
    return left


def _first_in_each_mode(differences: Iterable[Difference]) -> Iterator[Difference]:
    seen: set[Mode] = set()
    for one in differences:
        if one.mode not in seen:
            seen.add(one.mode)
            yield one
