"""A rule machine over every operation, for whole lives of several histories.

    def test_lives(contextcert_sessions, contextcert_setting):
        trial = Trial(contextcert_sessions, contextcert_setting.judge())
        run_machine(trial, contextcert_setting.scope, max_examples=200)

Rules add operations to a script, and after each of them an invariant adds looks at all that the
rule may have changed, and may not have. A life is put to the sessions in one round trip, and every
operation of it is judged. A failing run shows its script as a file that `contextcert replay` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, cast

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from contextcert.properties.trial import Condition, Trial, require_scripts
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.strategies import (
    POLICY,
    QUIET,
    READERS,
    Scope,
    Script,
    Symbol,
    alphabet,
    drawing,
    is_restorable,
    modality_sets,
    operation_alphabet,
    reading_of,
    with_cursors,
)

STEPS: Final = 20
"""How many rules a life holds at most."""

AT_ONCE: Final = 100
"""How many lives are judged to the last before what they showed is raised."""

ANNOTATED_EVERY: Final = 3
"""Of the prompts that are looked at, every third comes with its metadata."""

_HISTORIES: Final = 3
_PARTS: Final = (
    "raw_envelopes",
    "history_version",
    "reference_context_item",
    "world_state_baseline",
    "token_info",
)
"""What shows a whole history, part by part."""

_on = st.integers(0, _HISTORIES - 1)
_number = st.integers(0, 99)
_some = st.lists(_number, min_size=1, max_size=3)
_values: st.SearchStrategy[Json] = st.sampled_from([None, {}, {"a": 1}, {"a": {"b": 1}, "c": []}])
_states = st.sampled_from([{}, {"a": 1}, {"a": {"b": 1}}, {"a": {"b": 2}, "c": [1]}])


class LifeMachine(RuleBasedStateMachine):
    """Lives of three histories, each handed on as a script when it is over."""

    def __init__(self, scope: Scope, take: Callable[[Script], None]) -> None:
        """Take what may be asked, and who wants the lives."""
        super().__init__()
        self.scope = scope
        self.take = take
        self.ops: Script = []
        self.touched: list[int] = []
        self.held: list[str] = []
        self.steps = 0

    def ask(self, on: int, operation: JsonObject) -> None:
        """Add an operation, if the subject has it."""
        if self.scope.may(str(operation["op"])):
            self.ops.append({**operation, "on": on} if on else operation)

    def do(self, on: int, operation: JsonObject) -> None:
        """Add the operation of a rule; the last history that one was about comes last."""
        self.touched = [*(one for one in self.touched if one != on), on]
        self.ask(on, operation)

    def one_of(self, symbols: tuple[Symbol, ...], numbers: list[int]) -> list[Json]:
        """Give listed items by number, counted around."""
        return [symbols[number % len(symbols)].item for number in numbers] if symbols else []

    def items(self, numbers: list[int]) -> list[Json]:
        """Give items of the alphabet by number."""
        return self.one_of(alphabet(self.scope), numbers)

    def modalities(self, number: int) -> list[Json]:
        """Give a set of modalities by number, counted around."""
        sets = modality_sets(self.scope)
        return [*sets[number % len(sets)]]

    @rule(on=_on, numbers=_some)
    def record(self, on: int, numbers: list[int]) -> None:
        """Record listed items (REC)."""
        self.do(on, {"op": "record_items", "items": self.items(numbers), "policy": POLICY})

    @rule(on=_on, numbers=_some, metadata=_values, success=st.sampled_from([None, True, False]))
    def record_annotated(
        self,
        on: int,
        numbers: list[int],
        metadata: Json,
        success: bool | None,  # noqa: FBT001 - drawn
    ) -> None:
        """Record listed items with metadata, and success where the subject has it (REC-7)."""
        noted: JsonObject = {"metadata": None if metadata is None else {"noted": metadata}}
        flagged = {**noted, "success": success} if self.scope.success_flag else noted
        envelopes: list[Json] = [
            {"item": item, **(flagged if _has_body(item) else noted)}
            for item in self.items(numbers)
        ]
        self.do(on, {"op": "record_annotated_items", "envelopes": envelopes, "policy": POLICY})

    @rule(on=_on, numbers=st.lists(_number, max_size=3))
    def replace(self, on: int, numbers: list[int]) -> None:
        """Replace the items by listed ones (REPL)."""
        self.do(on, {"op": "replace", "items": self.items(numbers)})

    @rule(on=_on, numbers=_some)
    def restore(self, on: int, numbers: list[int]) -> None:
        """Restore listed items as a stored session (E11-2)."""
        settled = tuple(one for one in alphabet(self.scope) if is_restorable(one.item))
        self.do(on, {"op": "restore_items", "items": self.one_of(settled, numbers)})

    @rule(on=_on, number=_number)
    def change(self, on: int, number: int) -> None:
        """Do one of the operations that exhaustive evidence lists: turns, pairs, truncation."""
        listed = operation_alphabet(self.scope)
        operation = listed[number % len(listed)].operation
        if operation["op"] not in {"hold", "clone"}:
            self.do(on, {name: value for name, value in operation.items() if name != "on"})

    @rule(on=_on)
    def remove_first(self, on: int) -> None:
        """Remove the oldest item (HEAD)."""
        self.do(on, {"op": "remove_first_item"})

    @rule(on=_on, count=st.integers(0, 3))
    def roll_back(self, on: int, count: int) -> None:
        """Roll back some turns (ROLL)."""
        self.do(on, {"op": "drop_last_n_user_turns", "num_turns": count})

    @rule(on=_on, number=st.integers(0, 7), annotated=st.booleans())
    def project(self, on: int, number: int, annotated: bool) -> None:  # noqa: FBT001 - drawn
        """Project under a set of modalities (PROJ to AUD)."""
        name = "for_prompt_annotated" if annotated else "for_prompt"
        self.do(on, {"op": name, "input_modalities": self.modalities(number)})

    @rule(on=_on, to=_on)
    def clone(self, on: int, to: int) -> None:
        """Clone a history, perhaps onto itself (SNAP)."""
        self.do(to, {"op": "raw_items"})
        self.do(on, {"op": "clone", "to": to})

    @rule(on=_on, name=st.sampled_from("hi"), number=st.integers(0, 8))
    def hold(self, on: int, name: str, number: int) -> None:
        """Keep the items, or a prompt, as they are handed out (SNAP-2)."""
        if not self.scope.may("hold"):
            return
        if name not in self.held:
            self.held.append(name)
        held: JsonObject = {"op": "hold", "name": name, "what": "raw_items"}
        if number:
            prompt: JsonObject = {"op": "for_prompt", "input_modalities": self.modalities(number)}
            self.ask(on, prompt)
            held = {**prompt, **held, "what": "for_prompt"}
        self.do(on, held)

    @rule(on=_on, value=_values)
    def set_reference_context(self, on: int, value: Json) -> None:
        """Set the reference context (REF)."""
        self.do(on, {"op": "set_reference_context_item", "value": value})

    @rule(on=_on, value=_values)
    def set_token_info(self, on: int, value: Json) -> None:
        """Set the token info (REPL-2)."""
        self.do(on, {"op": "set_token_info", "value": value})

    @rule(on=_on, state=_states)
    def update_world(self, on: int, state: JsonObject) -> None:
        """Report the state of the world (WORLD)."""
        self.do(on, {"op": "update_world_state", "state": state})

    @rule(on=_on, state=_values)
    def set_world_baseline(self, on: int, state: Json) -> None:
        """Set what the world is taken to be, or clear it (WORLD-1, VER-3)."""
        self.do(on, {"op": "set_world_state_baseline", "state": state})

    @rule(on=_on, reader=st.sampled_from(READERS))
    def read(self, on: int, reader: str) -> None:
        """Let a reader read on (CUR)."""
        self.do(on, reading_of(reader))

    @invariant()
    def look(self) -> None:
        """Look at all of the history that was touched, and at what must not have changed.

        Its prompt shows pairing, order and ids under one set of modalities after the other, and
        where debug must panic; the items and versions of the others, clones among them, and what
        was handed out stay as they are.
        """
        if not self.touched:
            return
        self.steps += 1
        *others, on = self.touched
        for part in _PARTS:
            self.ask(on, {"op": part})
        prompt = "for_prompt" if self.steps % ANNOTATED_EVERY else "for_prompt_annotated"
        self.ask(on, {"op": prompt, "input_modalities": self.modalities(self.steps)})
        for other in others:
            self.ask(other, {"op": "raw_items"})
            self.ask(other, {"op": "history_version"})
        for name in self.held:
            self.ask(0, {"op": "held", "name": name})

    def teardown(self) -> None:
        """Hand the life on, every reader's cursor filled in."""
        self.take(with_cursors(self.ops, self.scope.edition))


def _has_body(item: Json) -> bool:
    """Say whether an item is an output that may carry a success flag (ITEM-6)."""
    return isinstance(item, dict) and "output" in item


def lives(
    scope: Scope, *, seed: int, count: int, start: int = 0, steps: int = STEPS
) -> list[Script]:
    """Give the scripts of lives that rules lead, at most `count`, from index `start` on.

    The same seed gives the same lives everywhere.
    """
    made: list[Script] = []
    chosen = settings(
        max_examples=count, stateful_step_count=steps, phases=[Phase.generate], **QUIET
    )
    machine = cast("type[LifeMachine]", partial(LifeMachine, scope, made.append))
    with drawing(seed, start):
        run_state_machine_as_test(machine, settings=chosen)
    return made


def run_machine(  # noqa: PLR0913 - all but two by name, most with a default
    trial: Trial,
    scope: Scope,
    *,
    max_examples: int,
    steps: int = STEPS,
    seed: int = 0,
    start: int = 0,
) -> None:
    """Live so many lives of so many steps, and judge them, in debug without anomalies too.

    `start` is the index of the first life of a seed, for shards. After `AT_ONCE` lives that show
    anything no more are tried.

    Raises:
        ExceptionGroup: as `Trial.require` does, each violation with a small script that shows it.
    """
    for first in range(start, start + max_examples, AT_ONCE):
        count = min(AT_ONCE, start + max_examples - first)
        made = lives(scope, seed=seed, count=count, start=first, steps=steps)
        require_scripts(trial, made, scope, fewest)


def fewest(script: Sequence[JsonObject], condition: Condition) -> Sequence[JsonObject]:
    """Leave out operations and items, many at once first, as long as the condition is met."""
    smaller = True
    while smaller:
        smaller = False
        for fewer in _fewer(script):
            if condition(fewer):
                script, smaller = fewer, True
                break
    return script


def _fewer(script: Sequence[JsonObject]) -> Iterator[list[JsonObject]]:
    size = len(script) // 2
    while size:
        for start in reversed(range(0, len(script), size)):
            yield [*script[:start], *script[start + size :]]
        size //= 2
    for place, op in enumerate(script):
        for smaller in _fewer_items(op):
            yield [*script[:place], smaller, *script[place + 1 :]]


def _fewer_items(op: JsonObject) -> Iterator[JsonObject]:
    for name in ("items", "envelopes"):
        brought = op.get(name)
        if isinstance(brought, list):
            for index in range(len(brought)):
                yield {**op, name: [*brought[:index], *brought[index + 1 :]]}
