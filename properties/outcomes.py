"""Turns one mode's raw outcomes into what the checks look at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from attrs import define, field

from contextcert.properties.accusations import NONE, accusations
from contextcert.properties.alignment import Alignment, align
from contextcert.properties.equality import Sight, identical
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.item_facts import ItemReader
from contextcert.properties.observation import (
    Entry,
    History,
    Knowledge,
    Projection,
    Reading,
    Survey,
)
from contextcert.properties.view import Outcome, Prompt, Shown
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition, Mode


@define(eq=False)
class Reader:
    """Reads the outcomes of one script in one mode.

    `silent` are the operations whose outcome says nothing. `aligned` remembers prompts across
    modes, so that a prompt both builds gave is matched once.
    """

    mode: Mode
    sight: Sight
    items: ItemReader
    survey: Survey
    silent: AbstractSet[int]
    aligned: dict[int, tuple[HistoryFacts, Json, Alignment]]
    outcomes: list[Outcome] = field(factory=list)
    readings: list[Shown] = field(factory=list)

    def read(self, answers: Sequence[JsonObject]) -> None:
        """Read every projection and reading of a known history, in the order of the script."""
        knowledge = Knowledge(self.items)
        for moment in self._moments(len(answers)):
            answer = answers[moment.operation]
            if moment.operation in self.silent or "unsupported" in answer:
                continue
            if isinstance(moment, Reading):
                self._read_raw(moment, knowledge, answer)
            else:
                self._read_projection(moment, knowledge, answer)
        self._join()

    @property
    def _in_november(self) -> bool:
        return self.items.edition is Edition.NOVEMBER_2026

    def _join(self) -> None:
        """Tell every wrong prompt what else the script shows of its history."""
        prompts = [one.prompt for one in self.outcomes if one.prompt is not None]
        if not any(prompt.suspicious for prompt in prompts):
            return
        raw = {reading.facts: reading for reading in reversed(self.readings)}
        siblings: dict[HistoryFacts, dict[frozenset[str], Prompt]] = defaultdict(dict)
        for prompt in prompts:
            siblings[prompt.facts].setdefault(prompt.modalities, prompt)
            prompt.siblings = siblings[prompt.facts]
            prompt.raw = raw.get(prompt.facts)

    def _moments(self, length: int) -> Iterator[Projection | Reading]:
        moments: list[Projection | Reading] = [*self.survey.projections, *self.survey.readings]
        if self.survey.readings:
            moments.sort(key=lambda moment: moment.operation)
        return (moment for moment in moments if moment.operation < length)

    def _read_raw(self, reading: Reading, knowledge: Knowledge, answer: JsonObject) -> None:
        value = answer.get("ok")
        known = knowledge.known(reading.history)
        if known is None:
            knowledge.tell(reading, value)
            return
        if not isinstance(value, list):
            return
        assert known.entries is not None
        items, envelopes = _items(value, annotated=reading.annotated)
        forms = [entry.item.form for entry in known.entries]
        if self.sight.hidden_fields:
            items = [self.sight.item(item) for item in items]
            forms = [self.sight.item_object(form) for form in forms]
        self.readings.append(
            Shown(
                self.mode,
                reading.operation,
                known.entries,
                known.facts,
                forms,
                items,
                envelopes,
                self._aligned_raw(reading, known, forms, items),
                self.sight,
                in_november=self._in_november,
            )
        )

    def _aligned_raw(
        self, reading: Reading, known: History, forms: list[JsonObject], items: list[Json]
    ) -> Alignment:
        """Lay a reading beside the history, once for both modes where both show the same."""
        before = self.aligned.get(reading.operation)
        if before is not None and before[0] is known.facts and identical(before[1], items):
            return before[2]
        aligned = align(
            HistoryFacts([one.item for one in known.entries or ()]), forms, items, self.sight
        )
        self.aligned[reading.operation] = (known.facts, items, aligned)
        return aligned

    def _read_projection(
        self, projection: Projection, knowledge: Knowledge, answer: JsonObject
    ) -> None:
        known = knowledge.known(projection.history)
        if known is None:
            return
        assert known.entries is not None
        value = answer.get("ok")
        panicked = "panic" in answer
        panic = answer.get("panic")
        diagnostics = self._diagnostics(answer)
        prompt = None
        if isinstance(value, list):
            prompt = self._prompt(projection, known.entries, known.facts, value)
        elif not panicked:
            return
        messages = [panic] if isinstance(panic, str) else diagnostics
        self.outcomes.append(
            Outcome(
                self.mode,
                projection.operation,
                projection,
                known.entries,
                known.facts,
                prompt,
                panicked,
                panic if isinstance(panic, str) else None,
                diagnostics,
                accusations(known.facts, messages) if messages else NONE,
            )
        )

    def _diagnostics(self, answer: JsonObject) -> list[str] | None:
        given = answer.get("diagnostics", [])
        if not self.sight.diagnostics or given is None:
            return None
        if not isinstance(given, list):
            return []
        return [one if isinstance(one, str) else repr(one) for one in given]

    def _prompt(
        self,
        projection: Projection,
        entries: Sequence[Entry],
        facts: HistoryFacts,
        value: list[Json],
    ) -> Prompt:
        image, audio = "image" in projection.modalities, "audio" in projection.modalities
        items, envelopes = _items(value, annotated=projection.annotated)
        if self.sight.hidden_fields:
            items = [self.sight.item(item) for item in items]
        forms = [item.prompt_form(image=image, audio=audio) for item in facts.items]
        known = self.aligned.get(projection.operation)
        if known is not None and known[0] is facts and identical(known[1], value):
            aligned = known[2]
        else:
            aligned = align(facts, forms, items, self.sight)
            self.aligned[projection.operation] = (facts, value, aligned)
        return Prompt(
            self.mode,
            projection.operation,
            entries,
            facts,
            forms,
            items,
            envelopes,
            aligned,
            self.sight,
            projection.modalities,
            in_november=self._in_november,
        )


def _items(value: list[Json], *, annotated: bool) -> tuple[list[Json], list[Json] | None]:
    if not annotated:
        return value, None
    items: list[Json] = [one.get("item") if isinstance(one, dict) else None for one in value]
    return items, value
