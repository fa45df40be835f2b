"""What the checks look at: one projection, or one reading, as one mode showed it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from attrs import define, field

from contextcert.properties.accusations import Accusations
from contextcert.properties.alignment import Alignment
from contextcert.properties.equality import Sight, first_difference
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.observation import Entry, Projection
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Mode

_NOWHERE: Final[frozenset[int]] = frozenset()


@define(eq=False)
class Shown:
    """Items that an operation showed, laid beside the history they come from.

    `forms` is how each item of the history should look, `items` what was shown. `raw` is a reading
    of the same history in the same script, if there is one. `in_november` says that edition 2026-11
    applies.
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
    in_november: bool = field(default=False, kw_only=True)

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

    def differs(self, clause: str, message: str) -> Violation:
        """Report a clause at the first place where what was shown is not what the history asks."""
        wanted: list[Json] = list(self.forms)
        path, expected, actual = first_difference(wanted, list(self.items), "/ok")
        return self.violation(clause, message, path, expected, actual)

    def shown(self, place: int) -> Json:
        """Give what stands where an item of the history should stand; None if it is gone."""
        position = self.aligned.target[place]
        return self.items[position] if position >= 0 else None


@define(eq=False)
class Prompt(Shown):
    """A projection that gave a prompt.

    `lacking` are the calls that should have gained an output and did not, `surplus` those that
    should not have and did, `lost` the outputs that went and should not have, `kept` the orphans
    that should have gone and did not. `suspects` are all places at which anything is wrong.
    `siblings` are the prompts of the same history under each modality set, where anything is
    wrong in one of them.
    """

    modalities: frozenset[str]
    lacking: AbstractSet[int] = _NOWHERE
    surplus: AbstractSet[int] = _NOWHERE
    lost: AbstractSet[int] = _NOWHERE
    kept: AbstractSet[int] = _NOWHERE
    suspects: AbstractSet[int] = _NOWHERE
    siblings: Mapping[frozenset[str], Prompt] = field(factory=dict, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Gather where the prompt is not what the facts ask for."""
        facts, aligned = self.facts, self.aligned
        target = aligned.target
        wrong: set[int] = set()
        if len(aligned.complete) != len(facts.unanswered):
            wrong = self._look_at_unanswered()
        if len(aligned.gained) > len(aligned.complete):
            self.surplus = aligned.gained.keys() - facts.unanswered.keys()
        if facts.orphans:
            self.kept = {place for place in facts.orphans if target[place] >= 0}
        if target.count(-1) + len(self.kept) != len(facts.orphans):
            wrong |= self._look_at_gone()
        if wrong or self.surplus or self.kept or aligned.altered:
            self.suspects = wrong | self.surplus | self.kept | aligned.altered

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

    def _look_at_unanswered(self) -> set[int]:
        wrong = {
            place
            for place in self.facts.unanswered
            if place not in self.aligned.complete and self.present(place)
        }
        self.lacking = {place for place in wrong if not self._gained_its_own(place)}
        return wrong

    def _gained_its_own(self, place: int) -> bool:
        wanted = self.facts.unanswered[place]
        return any(
            _same_pair(wanted, self.items[position])
            for position in self.aligned.gained.get(place, ())
        )

    def _look_at_gone(self) -> set[int]:
        gone = {
            place
            for place, position in enumerate(self.aligned.target)
            if position < 0 and place not in self.facts.orphans
        }
        self.lost = {place for place in gone if self.facts.items[place].answers is not None}
        return gone


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

    @property
    def remarkable(self) -> bool:
        """Whether it panicked, did not, or reported otherwise than the anomalies ask for."""
        messages = self.facts.messages
        if self.panicked:
            return not messages or self.mode is Mode.RELEASE or self.panic != messages[0]
        if self.mode is Mode.DEBUG and messages:
            return True
        return bool(self.diagnostics is not None and self.diagnostics != messages)

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
