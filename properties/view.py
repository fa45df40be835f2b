"""What the checks look at: one projection, or one reading, as one mode showed it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from contextcert.properties.accusations import Accusations
from contextcert.properties.alignment import Alignment
from contextcert.properties.equality import Sight
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.observation import Entry, Projection
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Mode


@define(eq=False)
class Shown:
    """Items that an operation showed, laid beside the history they come from.

    `forms` is how each item of the history should look, `items` what was shown. `raw` is a reading
    of the same history in the same script, if there is one.
    """

    mode: Mode
    operation: int
    entries: Sequence[Entry]
    facts: HistoryFacts
    forms: Sequence[JsonObject]
    items: Sequence[Json]
    envelopes: Sequence[Json] | None
    aligned: Alignment
    sight: Sight
    raw: Shown | None = field(default=None, kw_only=True)

    @property
    def annotated(self) -> bool:
        """Whether envelopes were shown."""
        return self.envelopes is not None

    def present(self, place: int) -> bool:
        """Whether an item of the history is there."""
        return self.aligned.target[place] >= 0

    def path(self, position: int, *names: str | int) -> str:
        """Give the JSON pointer of a place in what was shown."""
        inner = "/item" if self.annotated else ""
        return f"/ok/{position}{inner}" + "".join(f"/{name}" for name in names)

    def violation(
        self, clause: str, message: str, path: str, expected: Json, actual: Json
    ) -> Violation:
        """Report that a clause does not hold here."""
        return Violation(clause, self.mode, message, self.operation, path, expected, actual)

    def shown(self, place: int) -> Json:
        """Give what stands where an item of the history should stand."""
        return self.items[self.aligned.target[place]]


@define(eq=False)
class Prompt(Shown):
    """A projection that gave a prompt.

    `lacking` are the calls that should have gained an output and did not, `surplus` those that
    should not have and did, `lost` the outputs that went and should not have, `kept` the orphans
    that should have gone and did not. `suspects` are all places at which anything is wrong.
    """

    modalities: frozenset[str]
    lacking: set[int] = field(factory=set)
    surplus: set[int] = field(factory=set)
    lost: set[int] = field(factory=set)
    kept: set[int] = field(factory=set)
    suspects: set[int] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        """Gather where the prompt is not what the facts ask for."""
        facts, aligned = self.facts, self.aligned
        target = aligned.target
        if len(aligned.complete) != len(facts.unanswered):
            self._look_at_unanswered()
        for place in aligned.gained:
            if place not in facts.unanswered:
                self.surplus.add(place)
        for place in facts.orphans:
            if target[place] >= 0:
                self.kept.add(place)
        if target.count(-1) + len(self.kept) != len(facts.orphans):
            self._look_at_gone()
        self.suspects |= self.surplus | self.kept | aligned.altered

    @property
    def image(self) -> bool:
        """Whether the model takes images."""
        return "image" in self.modalities

    @property
    def audio(self) -> bool:
        """Whether the model takes audio."""
        return "audio" in self.modalities

    @property
    def suspicious(self) -> bool:
        """Whether anything at all is not as the facts ask for."""
        return bool(self.suspects or self.aligned.stray or self.aligned.moved)

    def _look_at_unanswered(self) -> None:
        for place, wanted in self.facts.unanswered.items():
            if place in self.aligned.complete or self.aligned.target[place] < 0:
                continue
            self.suspects.add(place)
            if not any(
                _same_pair(wanted, self.items[position])
                for position in self.aligned.gained.get(place, ())
            ):
                self.lacking.add(place)

    def _look_at_gone(self) -> None:
        for place, position in enumerate(self.aligned.target):
            if position < 0 and place not in self.facts.orphans:
                self.suspects.add(place)
                if self.facts.items[place].answers is not None:
                    self.lost.add(place)


@define(eq=False)
class Outcome:
    """What a projection of a known history gave in one mode: a prompt, a panic, or neither.

    `accusations` is what the panic or the diagnostics say that the facts do not.
    """

    mode: Mode
    operation: int
    projection: Projection
    entries: Sequence[Entry]
    facts: HistoryFacts
    prompt: Prompt | None
    panicked: bool
    panic: str | None
    diagnostics: list[str] | None
    accusations: Accusations

    def violation(
        self, clause: str, message: str, path: str, expected: Json, actual: Json
    ) -> Violation:
        """Report that a clause does not hold here."""
        return Violation(clause, self.mode, message, self.operation, path, expected, actual)


def _same_pair(wanted: JsonObject, given: Json) -> bool:
    return (
        isinstance(given, dict)
        and given.get("type") == wanted["type"]
        and given.get("call_id") == wanted["call_id"]
    )
