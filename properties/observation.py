"""Follows a script and says which history every projection and reading was made of.

What every operation makes of a history is restated here from SPEC; no step of the model is run.
Where SPEC leaves open what edition 2026-11 makes of what is recorded (E11-3, E11-5) a history is
unknown until a reading of it tells what it holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from types import NoneType
from typing import Final, TypeGuard

from attrs import define, evolve, field

from contextcert.properties.equality import Sight
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.item_facts import ItemFacts, ItemReader
from contextcert.properties.removal import counterpart
from contextcert.properties.truncating import (
    BYTES,
    TOKENS,
    Allowance,
    Cut,
    Policy,
    cut_body,
    without_blanks,
)
from contextcert.properties.turns import Turns, is_cleaned, turns, with_content, without_switch
from contextcert.refmodel import OPERATIONS
from contextcert.refmodel.claim import MODALITIES
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition
from contextcert.subject import Script


@define(eq=False)
class Mint:
    """The id that recording gives an item without one (E11-2).

    `id` is what the subject first showed, None until it shows the item. `nameless` is the item as
    it was brought, `entries` are all that bear the id: the item's own, and cleaned ones. `shared`
    is an id that it was shown with and that another item bears.
    """

    nameless: ItemFacts
    entries: list[Entry] = field(factory=list)
    id: str | None = None
    shared: str | None = None

    @classmethod
    def of(cls, entry: Entry) -> Mint:
        """Let an entry bear an id that is not known yet."""
        return cls(entry.source or entry.item, [entry])


@define(eq=False)
class Entry:
    """An item of a history as a script handed it in.

    `metadata` is the envelope's, `metadata_known` false where only the items were read back.
    `operation` and `index` are where the script brought it. `source` is the item before recording
    changed it, or a rollback cleaned it, and `cut` what truncation did, where it may have done
    anything. In edition 2026-11 `policy` is what it was recorded under, and `clauses` are the
    changes of the edition that this exercised.
    """

    item: ItemFacts
    metadata: Json
    success: Json
    operation: int
    index: int
    metadata_known: bool = True
    mint: Mint | None = None
    source: ItemFacts | None = None
    cut: Cut | None = None
    policy: Policy | None = None
    clauses: tuple[str, ...] = ()

    @property
    def brought(self) -> ItemFacts:
        """The item as the script brought it."""
        return self.source or (self.mint.nameless if self.mint else self.item)

    @property
    def uncut(self) -> Json:
        """The body of an output as truncation meets it, without its empty texts (E11-3)."""
        source = self.source or self.item
        body = source.form["output"]
        return without_blanks(body) if source.blank else body


@define(eq=False, slots=False)
class History:
    """What a history holds at one moment, or how it follows from one that is not known yet."""

    base: History | None
    entries: tuple[Entry, ...] | None
    _facts: HistoryFacts | None = field(default=None)

    @property
    def facts(self) -> HistoryFacts:
        """The facts of a known history, worked out once."""
        if self._facts is None:
            assert self.entries is not None
            self._facts = HistoryFacts.of([entry.item for entry in self.entries])
        return self._facts

    @property
    def known_facts(self) -> HistoryFacts | None:
        """The facts, if they were worked out."""
        return self._facts


@define(eq=False, slots=False)
class Step:
    """One change of the items of a known history, as SPEC has it.

    `kind` is record, restore, replace, remove or rollback. `brought` are the items an operation
    brings, those that recording drops included; `number` is how many turns a rollback drops.
    """

    kind: str
    operation: int
    handle: int
    before: History
    after: History
    brought: tuple[Entry, ...] = ()
    allowance: Allowance | None = None
    number: int = 0

    @cached_property
    def turns(self) -> Turns:
        """What a rollback of at least one turn cuts."""
        return turns([entry.item for entry in self.before.entries or ()], self.number)


@define(eq=False)
class Projection:
    """One projection in a script."""

    operation: int
    handle: int
    history: History
    modalities: frozenset[str]
    annotated: bool


@define(eq=False)
class Reading:
    """One reading of the raw history in a script."""

    operation: int
    handle: int
    history: History
    annotated: bool


@define(eq=False)
class Bringing:
    """An operation that brings items; `readable` says whether it must be accepted (ITEM-4)."""

    operation: int
    history: History
    items: list[ItemFacts | None]

    @property
    def readable(self) -> bool:
        """Whether every item can be read."""
        return None not in self.items


@define(eq=False)
class Survey:
    """What a script does to the items of its histories.

    `transcripts` are the reads that show items, `handed_out` the operations that show again what
    was handed out. `steps` are the changes, by operation; `unclear` are those after which a history
    is not known, and `open` those of them that SPEC leaves open. `mints` are the ids that edition
    2026-11 gives, in the order in which it meets the items.
    """

    projections: list[Projection] = field(factory=list)
    readings: list[Reading] = field(factory=list)
    transcripts: list[Reading] = field(factory=list)
    handed_out: list[Reading] = field(factory=list)
    bringings: list[Bringing] = field(factory=list)
    mints: list[Mint] = field(factory=list)
    steps: dict[int, Step] = field(factory=dict)
    unclear: set[int] = field(factory=set)
    open: set[int] = field(factory=set)


def survey(script: Script, reader: ItemReader) -> Survey:
    """Follow every history of a script."""
    follower = _Follower(reader)
    for operation, op in enumerate(script):
        follower.follow(operation, op)
    return follower.survey


def is_settled(script: Script, edition: Edition) -> bool:
    """Say whether SPEC settles what becomes of the items of a script in an edition.

    In edition 2026-11 it leaves some things open about what is recorded and restored (E11-3,
    E11-5, REC-2).
    """
    return not survey(script, ItemReader(edition, Sight())).open


class Knowledge:
    """What one mode's readings told about histories that the script leaves open."""

    def __init__(self, reader: ItemReader) -> None:
        """Know nothing yet."""
        self._reader = reader
        self._told: dict[History, History] = {}

    def known(self, history: History) -> History | None:
        """Give a history whose entries are known, or None."""
        if history.entries is not None and history.base is None:
            return history
        told = self._told.get(history)
        if told is not None:
            return told
        if history.base is None or history.entries is None:
            return None
        base = self.known(history.base)
        if base is None:
            return None
        assert base.entries is not None
        whole = History(None, base.entries + history.entries)
        self._told[history] = whole
        return whole

    def tell(self, reading: Reading, value: Json) -> None:
        """Take what a reading of an unknown history gave for its content."""
        if self.known(reading.history) is not None or not isinstance(value, list):
            return
        entries = []
        for entry in value:
            read = self._entry(entry, reading)
            if read is None:
                return
            entries.append(read)
        self._told[reading.history] = History(None, tuple(entries))

    def _entry(self, entry: Json, reading: Reading) -> Entry | None:
        metadata: Json = None
        success: Json = None
        if reading.annotated:
            if not isinstance(entry, dict):
                return None
            metadata, success = entry.get("metadata"), entry.get("success")
            entry = entry.get("item")
        item = self._reader.read(entry)
        if item is None:
            return None
        return Entry(item, metadata, success, -1, -1, metadata_known=reading.annotated)


_EMPTY: Final = History(None, ())
_TOO_MANY: Final = 2**32
_TOO_LARGE: Final = 2**64


class _Follower:
    def __init__(self, reader: ItemReader) -> None:
        self.survey = Survey()
        self._reader = reader
        self._handles: dict[int, History] = {}
        self._by_name: dict[str, History] = {}
        self._operation = 0
        self._in_november = reader.edition is Edition.NOVEMBER_2026

    def follow(self, operation: int, op: JsonObject) -> None:
        self._operation = operation
        name = op.get("op")
        handle = op.get("on", 0)
        if name not in OPERATIONS or not isinstance(handle, int):
            return
        follow = getattr(self, f"_{name}", None)
        if follow is not None:
            follow(operation, op, handle)

    def _now(self, handle: int) -> History:
        return self._handles.get(handle, _EMPTY)

    def _forget(self, handle: int) -> None:
        self._handles[handle] = History(None, None)
        self.survey.unclear.add(self._operation)

    def _leave_open(self, handle: int) -> None:
        self.survey.open.add(self._operation)
        self._forget(handle)

    def _append(self, handle: int, entries: tuple[Entry, ...]) -> None:
        now = self._now(handle)
        if now.entries is not None and now.base is None:
            self._handles[handle] = History(None, now.entries + entries)
        else:
            self._handles[handle] = History(now, entries)

    def _record_items(self, operation: int, op: JsonObject, handle: int) -> None:
        self._record(operation, op, handle, _bare(op.get("items")))

    def _record_annotated_items(self, operation: int, op: JsonObject, handle: int) -> None:
        self._record(operation, op, handle, _enveloped(op.get("envelopes")))

    def _record(
        self, operation: int, op: JsonObject, handle: int, brought: list[JsonObject] | None
    ) -> None:
        policy = _policy(op.get("policy"))
        if brought is None or policy is None:
            return
        entries = self._bring(operation, handle, brought)
        if entries is None:
            return
        allowance = policy.allowance(self._reader.edition)
        kept = tuple(entry for entry in entries if entry.item.recordable)
        settled = not any(self._is_open(entry.item, allowance) for entry in kept)
        for entry in kept:
            self._take(entry, policy, allowance)
        if not settled:
            self._leave_open(handle)
            return
        step = Step("record", operation, handle, self._now(handle), _EMPTY, entries, allowance)
        self._append(handle, kept)
        self._took(step)

    def _is_open(self, item: ItemFacts, allowance: Allowance) -> bool:
        """Say whether SPEC leaves open what is recorded: media, or what comes first (E11-3)."""
        if item.unsettled:
            return True
        if not item.blank or item.weight < allowance.limit:
            return False
        body = item.form["output"]
        dropped_first = cut_body(without_blanks(body), allowance).body
        return dropped_first != without_blanks(cut_body(body, allowance).body)

    def _take(self, entry: Entry, policy: Policy, allowance: Allowance) -> None:
        """Record an item: what changes of it changes in place."""
        if entry.item.blank:
            self._rewrite(entry, without_blanks(entry.item.form["output"]))
        if entry.item.body == "output" and entry.item.weight >= allowance.limit:
            self._truncate(entry, allowance)
        if not self._in_november:
            return
        entry.policy = policy
        if not entry.item.id:
            entry.mint = Mint.of(entry)
            self.survey.mints.append(entry.mint)
        entry.clauses = tuple(_changes(entry, policy))

    def _truncate(self, entry: Entry, allowance: Allowance) -> None:
        """Truncate an output that may not fit (TRUNC)."""
        body = entry.item.form["output"]
        entry.cut = cut_body(body, allowance)
        if entry.cut.body != body:
            self._rewrite(entry, entry.cut.body)

    def _rewrite(self, entry: Entry, body: Json) -> None:
        """Give an output another body, and remember what it was."""
        item = self._reader.read({**entry.item.form, "output": body})
        assert item is not None
        entry.source = entry.source or entry.item
        entry.item = item

    def _restore_items(self, operation: int, op: JsonObject, handle: int) -> None:
        if self._reader.edition is not Edition.NOVEMBER_2026:
            return
        brought = _bare(op.get("items"))
        entries = None if brought is None else self._bring(operation, handle, brought)
        if entries is None:
            return
        if any(not one.item.recordable or one.item.unsettled or one.item.blank for one in entries):
            self._leave_open(handle)
            return
        for entry in entries:
            if not entry.item.id:
                entry.clauses = ("E11-2",)
        step = Step("restore", operation, handle, self._now(handle), _EMPTY, entries)
        self._append(handle, entries)
        self._took(step)

    def _replace(self, operation: int, op: JsonObject, handle: int) -> None:
        brought = _bare(op.get("items"))
        entries = None if brought is None else self._bring(operation, handle, brought)
        if entries is None:
            return
        step = Step("replace", operation, handle, self._now(handle), _EMPTY, entries)
        self._handles[handle] = History(None, entries)
        self._took(step)

    def _took(self, step: Step) -> None:
        step.after = self._now(step.handle)
        self.survey.steps[step.operation] = step

    def _bring(
        self, operation: int, handle: int, brought: list[JsonObject]
    ) -> tuple[Entry, ...] | None:
        """Read what is brought; None where the operation must be refused (ITEM-4)."""
        items = [self._reader.read(one.get("item")) for one in brought]
        self.survey.bringings.append(Bringing(operation, self._now(handle), items))
        entries = []
        for index, (item, one) in enumerate(zip(items, brought, strict=True)):
            if item is None:
                return None
            entries.append(Entry(item, one.get("metadata"), one.get("success"), operation, index))
        return tuple(entries)

    def _clone(self, _operation: int, op: JsonObject, handle: int) -> None:
        to = op.get("to")
        if isinstance(to, int):
            self._handles[to] = self._now(handle)

    def _remove_first_item(self, operation: int, _op: JsonObject, handle: int) -> None:
        now = self._now(handle)
        if now.entries is None or now.base is not None:
            self._forget(handle)
            return
        step = Step("remove", operation, handle, now, now)
        if now.entries:
            gone = {0, counterpart([entry.item for entry in now.entries])}
            left = (one for place, one in enumerate(now.entries) if place not in gone)
            self._handles[handle] = History(None, tuple(left))
        self._took(step)

    def _drop_last_n_user_turns(self, operation: int, op: JsonObject, handle: int) -> None:
        number = op.get("num_turns")
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < _TOO_MANY:
            return
        now = self._now(handle)
        if number and (now.entries is None or now.base is not None):
            self._forget(handle)
            return
        step = Step("rollback", operation, handle, now, now, number=number)
        if number:
            self._handles[handle] = self._rolled_back(step)
        self._took(step)

    def _rolled_back(self, step: Step) -> History:
        cut = step.turns
        entries = step.before.entries or ()
        if cut.end == len(entries):
            return step.before
        kept = entries[: cut.end]
        if cut.turn is None:
            return History(None, kept)
        cleaned = (self._cleaned(entry, cut.turn) for entry in kept)
        return History(None, tuple(one for one in cleaned if one is not None))

    def _cleaned(self, entry: Entry, turn: str) -> Entry | None:
        """Take the model switches of the first turn out of a message (ROLL-9)."""
        if not is_cleaned(entry.item, turn):
            return entry
        content = without_switch(entry.item)
        if not content:
            return None
        if content == entry.item.form["content"]:
            return entry
        item = self._reader.read(with_content(entry.item, content))
        assert item is not None
        cleaned = evolve(entry, item=item, source=entry.item)
        if entry.mint is not None:
            entry.mint.entries.append(cleaned)
        return cleaned

    def _for_prompt(self, operation: int, op: JsonObject, handle: int) -> None:
        self._project(operation, op, handle, annotated=False)

    def _for_prompt_annotated(self, operation: int, op: JsonObject, handle: int) -> None:
        self._project(operation, op, handle, annotated=True)

    def _project(self, operation: int, op: JsonObject, handle: int, *, annotated: bool) -> None:
        modalities = op.get("input_modalities")
        if not isinstance(modalities, list):
            return
        if any(one not in MODALITIES for one in modalities):
            return
        named = frozenset(str(one) for one in modalities)
        self.survey.projections.append(
            Projection(operation, handle, self._now(handle), named, annotated)
        )

    def _raw_items(self, operation: int, _op: JsonObject, handle: int) -> None:
        self.survey.readings.append(Reading(operation, handle, self._now(handle), annotated=False))

    def _read_transcript(self, operation: int, _op: JsonObject, handle: int) -> None:
        if not self._reader.sight.coarse_transcript:
            reading = Reading(operation, handle, self._now(handle), annotated=False)
            self.survey.transcripts.append(reading)

    def _hold(self, _operation: int, op: JsonObject, handle: int) -> None:
        self._by_name[str(op.get("name"))] = self._now(handle)

    def _held(self, operation: int, op: JsonObject, handle: int) -> None:
        history = self._by_name.get(str(op.get("name")))
        if history is not None:
            reading = Reading(operation, handle, history, annotated=False)
            self.survey.handed_out.append(reading)

    def _raw_envelopes(self, operation: int, _op: JsonObject, handle: int) -> None:
        self.survey.readings.append(Reading(operation, handle, self._now(handle), annotated=True))


def _changes(entry: Entry, policy: Policy) -> Iterator[str]:
    """Name the changes of edition 2026-11 that recording an item exercised."""
    if entry.mint is not None:
        yield "E11-2"
    if entry.source is not None and entry.source.blank:
        yield "E11-3"
    if entry.cut is not None and policy.unit == BYTES and _cut_in_bytes(entry, policy):
        yield "E11-4"
    if entry.item.images or entry.item.audios:
        yield "E11-5"


def _cut_in_bytes(entry: Entry, policy: Policy) -> bool:
    """Say whether the older edition would have left another body (E11-4)."""
    assert entry.cut is not None
    return cut_body(entry.uncut, policy.allowance(Edition.AUGUST_2026)).body != entry.cut.body


def _bare(items: Json) -> list[JsonObject] | None:
    if not isinstance(items, list):
        return None
    return [{"item": item} for item in items]


def _enveloped(envelopes: Json) -> list[JsonObject] | None:
    if not isinstance(envelopes, list):
        return None
    read = [envelope for envelope in envelopes if _is_envelope(envelope)]
    return read if len(read) == len(envelopes) else None


def _is_envelope(envelope: Json) -> TypeGuard[JsonObject]:
    return (
        isinstance(envelope, dict)
        and isinstance(envelope.get("metadata"), dict | NoneType)
        and isinstance(envelope.get("success"), bool | NoneType)
    )


def _policy(policy: Json) -> Policy | None:
    """Read a policy; None if it must be refused."""
    if not isinstance(policy, dict):
        return None
    unit, limit = policy.get("mode"), policy.get("limit")
    if isinstance(limit, bool) or not isinstance(limit, int) or not 0 <= limit < _TOO_LARGE:
        return None
    return Policy(unit, limit) if unit in (BYTES, TOKENS) else None
