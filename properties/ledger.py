"""Keeps account of whole lives of histories: what every look must show, and what lies before it.

A look is an operation that shows a part of a history as it is. For each one the ledger holds what
it must show and the events since the same part of the same history was last looked at, so that a
wrong look can be blamed on what came between, and a right one counts for all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from attrs import define, evolve, field, frozen

from contextcert.properties.equality import written
from contextcert.properties.merging import UNSURE, Unsure, report
from contextcert.properties.observation import Entry, History, Step, Survey
from contextcert.properties.truncating import Allowance
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.subject import Script

ITEMS: Final = "items"
VERSION: Final = "version"
BASELINE: Final = "baseline"
REFERENCE: Final = "reference"
TOKENS: Final = "tokens"
TRANSCRIPT: Final = "transcript"
HELD: Final = "held"
ITSELF: Final = "itself"
ASPECTS: Final = (ITEMS, VERSION, BASELINE, REFERENCE, TOKENS, TRANSCRIPT)

_SHOWN_BY: Final[Mapping[str, str]] = {
    "raw_items": ITEMS,
    "raw_envelopes": ITEMS,
    "history_version": VERSION,
    "world_state_baseline": BASELINE,
    "reference_context_item": REFERENCE,
    "token_info": TOKENS,
}
_SETS: Final[Mapping[str, tuple[str, str]]] = {
    "set_world_state_baseline": (BASELINE, "state"),
    "set_reference_context_item": (REFERENCE, "value"),
    "set_token_info": (TOKENS, "value"),
}
_CHANGING_ITEMS: Final = frozenset({"record", "restore", "replace", "remove", "rollback"})
_WATCHED: Final = frozenset(
    {*_SHOWN_BY, *_SETS, "read_transcript", "update_world_state", "held", "clone"}
)
_NOTHING: Final[Json] = None


@frozen(eq=False)
class State:
    """One history at one moment; `baseline` is unsure where the items are not known."""

    history: History
    version: int = 0
    baseline: Json | Unsure = None
    reference: Json | Unsure = None
    tokens: Json = None

    def become(
        self, history: History, version: int, baseline: Json | Unsure, reference: Json | Unsure
    ) -> State:
        """Give the state with everything but the token info replaced."""
        return State(history, version, baseline, reference, self.tokens)

    def of(self, aspect: str) -> Json | Unsure:
        """Give the value of a part that is not the items."""
        match aspect:
            case "version":
                return self.version
            case "baseline":
                return self.baseline
            case "reference":
                return self.reference
            case _:
                return self.tokens


@define(eq=False)
class Event:
    """What happened between two looks.

    `kind` is that of a step, or project, set, update, clone, foreign: a change of a history that
    this one was cloned from or to. `before` and `after` are the state on both sides of it; before
    a clone that is what its handle had, or nothing where it is cloned onto itself.
    """

    kind: str
    operation: int
    before: State
    after: State
    step: Step | None = None
    aspect: str = ""

    def changes(self, aspect: str) -> bool:
        """Whether the event must or may give a part another value; cloning is taken for none."""
        if self.kind in ("set", "update"):
            return self.aspect == aspect
        if self.kind == "clone":
            return False
        return self.before.of(aspect) is not self.after.of(aspect)


@define(eq=False, slots=False)
class Look:
    """One look: what it must show, and what happened since the last one.

    `state` is the history looked at, `start` what it was at the last look, `kin` what the
    histories are that it was cloned from or to. `expected` is the value, for other parts than the
    items. `new` says that nobody looked before and that it is no clone. `last_read` is the
    operation that read the transcript before, `last_cursor` the pair it had to give.
    """

    operation: int
    aspect: str
    handle: int
    state: State
    start: State
    events: tuple[Event, ...]
    kin: tuple[State, ...]
    new: bool
    expected: Json | Unsure = None
    cursor: Json = None
    last_cursor: Json = None
    last_read: int | None = None
    batches: tuple[tuple[Allowance, tuple[Entry, ...]], ...] | None = None
    rolled: tuple[History, tuple[int, ...]] | None = None
    held: Held | None = None
    life: int = 0


@define(eq=False)
class Held:
    """What was handed out to be looked at again later."""

    operation: int
    handle: int
    what: str
    history: History
    modalities: frozenset[str]
    changed: bool = False


@define(eq=False)
class _Life:
    state: State
    events: list[Event]
    since: dict[str, int]
    seen: dict[str, State]
    looked: set[str]
    kin: set[int]
    life: int
    cloned: bool = False
    last_cursor: Json = None
    last_read: int | None = None
    batches: tuple[tuple[Allowance, tuple[Entry, ...]], ...] | None = ()
    rolled: tuple[History, tuple[int, ...]] | None = None


@define(eq=False)
class Ledger:
    """Every look of a script, the changes, and the projections by the state they were made in.

    `changed` are the changes, each with its handle.
    """

    looks: list[Look] = field(factory=list)
    changed: list[tuple[int, Event]] = field(factory=list)
    states: dict[int, State] = field(factory=dict)
    lives: dict[tuple[int, bytes], list[tuple[int, int]]] = field(factory=dict)
    held_prompts: list[Held] = field(factory=list)


def ledger(script: Script, survey: Survey) -> Ledger | None:
    """Keep account of a script; None where it holds no look and changes nothing."""
    for op in script:
        if op.get("op") in _WATCHED:
            return _Keeper(survey).keep(script)
    return None


class _Keeper:
    def __init__(self, survey: Survey) -> None:
        self._steps = survey.steps
        self._unclear = survey.unclear
        self._readings = {one.operation: one.history for one in survey.readings}
        self._empty = State(History(None, ()))
        self._handles: dict[int, _Life] = {}
        self._held: dict[str, Held] = {}
        self._lives: dict[tuple[int, bytes], int] = {}
        self._clones = False
        self._ledger = Ledger()
        self._does: dict[str, Callable[[int, int, JsonObject], None]] = {
            **dict.fromkeys(_SHOWN_BY, self._look),
            **dict.fromkeys(_SETS, self._set),
            **dict.fromkeys(("for_prompt", "for_prompt_annotated"), self._project),
            "update_world_state": self._update,
            "read_transcript": self._read,
            "clone": self._clone,
            "hold": self._hold,
            "held": self._again,
        }

    def keep(self, script: Script) -> Ledger:
        self._clones = any(op.get("op") == "clone" for op in script)
        for operation, op in enumerate(script):
            handle = op.get("on", 0)
            if not isinstance(handle, int) or isinstance(handle, bool) or handle < 0:
                continue
            step = self._steps.get(operation)
            if step is not None:
                self._took(operation, handle, op, step)
                continue
            if operation in self._unclear:
                self._lost(operation, handle, op)
                continue
            does = self._does.get(str(op.get("op")))
            if does is not None:
                does(operation, handle, op)
        return self._ledger

    def _at(self, handle: int) -> _Life:
        life = self._handles.get(handle)
        if life is None:
            life = self._handles[handle] = _Life(
                self._empty,
                [],
                dict.fromkeys(ASPECTS, 0),
                dict.fromkeys(ASPECTS, self._empty),
                set(),
                {handle},
                0,
            )
        return life

    def _took(self, operation: int, handle: int, op: JsonObject, step: Step) -> None:
        life = self._at(handle)
        before = life.state
        after = _after(step, before)
        self._note_batches(life, step)
        self._changed(operation, handle, op, Event(step.kind, operation, before, after, step))

    def _lost(self, operation: int, handle: int, op: JsonObject) -> None:
        """Take in a change whose outcome for the items cannot be told."""
        life = self._at(handle)
        before = life.state
        after = evolve(before, history=History(None, None))
        if op["op"] == "remove_first_item":
            after = evolve(after, baseline=UNSURE)
        elif op["op"] == "drop_last_n_user_turns":
            after = evolve(after, version=before.version + 1, baseline=None, reference=UNSURE)
        life.batches = life.rolled = None
        self._changed(operation, handle, op, Event("unclear", operation, before, after))

    def _note_batches(self, life: _Life, step: Step) -> None:
        batches = life.batches
        life.batches = None
        if step.kind == "record" and batches is not None and step.allowance is not None:
            life.batches = (*batches, (step.allowance, step.brought))
        if step.kind == "rollback" and step.number:
            base, numbers = life.rolled or (step.before, ())
            life.rolled = (base, (*numbers, step.number))
        else:
            life.rolled = None

    def _changed(self, operation: int, handle: int, op: JsonObject, event: Event) -> None:
        life = self._at(handle)
        life.state = event.after
        life.events.append(event)
        self._ledger.changed.append((handle, event))
        self._lived(life, op)
        for other in life.kin:
            if other != handle:
                foreign = Event("foreign", operation, event.before, event.after)
                self._handles[other].events.append(foreign)
        for held in self._held.values():
            held.changed = True

    def _lived(self, life: _Life, op: JsonObject) -> None:
        if not self._clones:
            return
        key = (life.life, _call(op))
        life.life = self._lives.setdefault(key, len(self._lives) + 1)

    def _project(self, operation: int, handle: int, _op: JsonObject) -> None:
        life = self._at(handle)
        self._ledger.states[operation] = life.state
        life.events.append(Event("project", operation, life.state, life.state))

    def _set(self, operation: int, handle: int, op: JsonObject) -> None:
        aspect, name = _SETS[str(op["op"])]
        if name not in op:
            return
        before = self._at(handle).state
        after = _set_to(before, aspect, op[name])
        self._changed(operation, handle, op, Event("set", operation, before, after, None, aspect))

    def _update(self, operation: int, handle: int, op: JsonObject) -> None:
        state = op.get("state")
        if not isinstance(state, dict):
            return
        life = self._at(handle)
        self._show(
            Look(
                operation,
                "report",
                handle,
                life.state,
                life.seen[BASELINE],
                tuple(life.events[life.since[BASELINE] :]),
                self._kin(handle),
                new=not (life.cloned or life.looked),
                expected=report(life.state.baseline, state),
                cursor=state,
            ),
            life,
            op,
        )
        before = life.state
        after = evolve(before, baseline=state)
        event = Event("update", operation, before, after, None, BASELINE)
        self._changed(operation, handle, op, event)

    def _look(self, operation: int, handle: int, op: JsonObject) -> None:
        life = self._at(handle)
        aspect = _SHOWN_BY[str(op["op"])]
        if aspect == ITEMS and life.state.history is not self._readings[operation]:
            life.state = evolve(life.state, history=self._readings[operation])
        look = Look(
            operation,
            aspect,
            handle,
            life.state,
            life.seen[aspect],
            tuple(life.events[life.since[aspect] :]),
            self._kin(handle),
            new=not life.cloned and aspect not in life.looked,
            expected=_NOTHING if aspect == ITEMS else life.state.of(aspect),
            batches=life.batches,
            rolled=life.rolled,
        )
        self._show(look, life, op)
        self._looked(life, aspect)

    def _looked(self, life: _Life, aspect: str) -> None:
        life.since[aspect] = len(life.events)
        life.seen[aspect] = life.state
        life.looked.add(aspect)

    def _show(self, look: Look, life: _Life, op: JsonObject) -> None:
        look.life = life.life
        self._ledger.looks.append(look)
        if life.cloned or len(life.kin) > 1:
            key = (life.life, _call(op))
            self._ledger.lives.setdefault(key, []).append((look.operation, look.handle))

    def _read(self, operation: int, handle: int, op: JsonObject) -> None:
        cursor = op.get("cursor")
        if not (cursor is None or _is_cursor(cursor)):
            return
        life = self._at(handle)
        look = Look(
            operation,
            TRANSCRIPT,
            handle,
            life.state,
            life.seen[TRANSCRIPT],
            tuple(life.events[life.since[TRANSCRIPT] :]),
            self._kin(handle),
            new=not life.cloned and TRANSCRIPT not in life.looked,
            cursor=cursor,
            last_cursor=life.last_cursor,
            last_read=life.last_read,
        )
        self._show(look, life, op)
        entries = life.state.history.entries
        if entries is not None and life.state.history.base is None:
            life.last_cursor = {
                "history_version": life.state.version,
                "entry_count": len(entries),
            }
        life.last_read = operation
        self._looked(life, TRANSCRIPT)

    def _clone(self, operation: int, handle: int, op: JsonObject) -> None:
        to = op.get("to")
        if not isinstance(to, int) or isinstance(to, bool) or to < 0:
            return
        life = self._at(handle)
        if to == handle:
            event = Event("clone", operation, self._empty, life.state, aspect=ITSELF)
            life.events.append(event)
            return
        former = self._handles.get(to)
        if former is not None:
            former.kin.discard(to)
        was = self._empty if former is None else former.state
        life.kin.add(to)
        self._handles[to] = evolve(
            life,
            events=[*life.events, Event("clone", operation, was, life.state)],
            since=dict(life.since),
            seen=dict(life.seen),
            looked=set(life.looked),
            cloned=True,
        )

    def _kin(self, handle: int) -> tuple[State, ...]:
        life = self._at(handle)
        if len(life.kin) == 1:
            return ()
        return tuple(self._handles[one].state for one in life.kin if one != handle)

    def _hold(self, operation: int, handle: int, op: JsonObject) -> None:
        what, name = op.get("what"), op.get("name")
        if not isinstance(name, str) or what not in ("raw_items", "for_prompt"):
            return
        life = self._at(handle)
        modalities = op.get("input_modalities")
        named = frozenset(map(str, modalities)) if isinstance(modalities, list) else frozenset()
        self._held[name] = Held(operation, handle, str(what), life.state.history, named)
        if what == "for_prompt":
            self._ledger.held_prompts.append(self._held[name])
            life.events.append(Event("project", operation, life.state, life.state))

    def _again(self, operation: int, handle: int, op: JsonObject) -> None:
        held = self._held.get(str(op.get("name")))
        if held is None:
            return
        state = self._at(handle).state
        self._ledger.looks.append(
            Look(operation, HELD, handle, state, state, (), (), new=False, held=evolve(held))
        )


def _after(step: Step, before: State) -> State:
    """Give the state after a change of the items (SPEC 4.1)."""
    history, version = step.after, before.version
    baseline, reference = before.baseline, before.reference
    if step.kind == "replace" or (step.kind == "rollback" and step.number):
        version, baseline = version + 1, None
    elif step.kind == "remove" and step.before.entries:
        baseline = None
    if step.kind == "rollback" and step.number and step.turns.mixed:
        reference = None
    return before.become(history, version, baseline, reference)


def _set_to(before: State, aspect: str, value: Json) -> State:
    match aspect:
        case "baseline":
            return evolve(before, baseline=value)
        case "reference":
            return evolve(before, reference=value)
        case _:
            return evolve(before, tokens=value)


def _is_cursor(cursor: Json) -> bool:
    return isinstance(cursor, dict) and all(
        isinstance(count := cursor.get(name), int) and not isinstance(count, bool) and count >= 0
        for name in ("history_version", "entry_count")
    )


def _call(op: JsonObject) -> bytes:
    """Write an operation without the handle it is on."""
    return written({key: value for key, value in op.items() if key != "on"})


def own(events: Sequence[Event]) -> list[Event]:
    """Give the events of a history itself that may change it."""
    return [one for one in events if one.kind not in ("foreign", "project")]


def steps(events: Sequence[Event]) -> list[Step]:
    """Give the changes of the items among events of the history itself."""
    return [one.step for one in events if one.step is not None and one.kind in _CHANGING_ITEMS]
