"""A rule machine over every operation, for people's own tests of a subject.

    def test_lives(contextcert_sessions, contextcert_setting):
        trial = Trial(contextcert_sessions, contextcert_setting.judge())
        run_machine(trial, contextcert_setting.scope, max_examples=200)

Rules add operations to a script; when a life ends, the script is put to the sessions in one round
trip and every operation is judged. A failing run shows its script, which `contextcert replay`
takes as a file.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from contextcert.properties.trial import Trial
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.strategies import (
    POLICY,
    READERS,
    Scope,
    Script,
    Symbol,
    alphabet,
    is_restorable,
    modality_sets,
    operation_alphabet,
    reading_of,
    with_cursors,
)

_HISTORIES = 3
_LOOKS = ("raw_envelopes", "history_version", "reference_context_item", "world_state_baseline")
_on = st.integers(0, _HISTORIES - 1)
_values: st.SearchStrategy[Json] = st.sampled_from([None, {}, {"a": 1}, {"a": {"b": 1}, "c": []}])
_states = st.sampled_from([{}, {"a": 1}, {"a": {"b": 1}}, {"a": {"b": 2}, "c": [1]}])


class LifeMachine(RuleBasedStateMachine):
    """Lives of three histories: what any rule asks is judged when the life is over."""

    def __init__(self, trial: Trial, scope: Scope) -> None:
        """Take the sessions with their judge, and what may be asked."""
        super().__init__()
        self.trial = trial
        self.scope = scope
        self.ops: Script = []
        self.touched = 0
        self.held: list[str] = []

    def ask(self, on: int, operation: JsonObject) -> None:
        """Add an operation, if the subject has it."""
        if self.scope.may(str(operation["op"])):
            self.touched = on
            self.ops.append({**operation, "on": on} if on else operation)

    def one_of(self, symbols: tuple[Symbol, ...], numbers: list[int]) -> list[Json]:
        """Give listed items by number, counted around."""
        return [symbols[number % len(symbols)].item for number in numbers] if symbols else []

    @rule(on=_on, numbers=st.lists(st.integers(0, 99), min_size=1, max_size=3))
    def record(self, on: int, numbers: list[int]) -> None:
        """Record listed items (REC)."""
        items = self.one_of(alphabet(self.scope), numbers)
        self.ask(on, {"op": "record_items", "items": items, "policy": POLICY})

    @rule(on=_on, numbers=st.lists(st.integers(0, 99), min_size=1, max_size=3), metadata=_values)
    def record_annotated(self, on: int, numbers: list[int], metadata: Json) -> None:
        """Record listed items with metadata (REC-7, PROJ-5)."""
        noted: Json = None if metadata is None else {"noted": metadata}
        envelopes: list[Json] = [
            {"item": item, "metadata": noted} for item in self.one_of(alphabet(self.scope), numbers)
        ]
        self.ask(on, {"op": "record_annotated_items", "envelopes": envelopes, "policy": POLICY})

    @rule(on=_on, numbers=st.lists(st.integers(0, 99), max_size=3))
    def replace(self, on: int, numbers: list[int]) -> None:
        """Replace the items by listed ones (REPL)."""
        self.ask(on, {"op": "replace", "items": self.one_of(alphabet(self.scope), numbers)})

    @rule(on=_on, numbers=st.lists(st.integers(0, 99), min_size=1, max_size=3))
    def restore(self, on: int, numbers: list[int]) -> None:
        """Restore listed items as a stored session (E11-2)."""
        settled = tuple(one for one in alphabet(self.scope) if is_restorable(one.item))
        self.ask(on, {"op": "restore_items", "items": self.one_of(settled, numbers)})

    @rule(on=_on, number=st.integers(0, 99))
    def change(self, on: int, number: int) -> None:
        """Do one of the operations that exhaustive evidence lists: turns, pairs, truncation."""
        listed = operation_alphabet(self.scope)
        operation = listed[number % len(listed)].operation
        if operation["op"] not in {"hold", "clone"}:
            self.ask(on, {name: value for name, value in operation.items() if name != "on"})

    @rule(on=_on)
    def remove_first(self, on: int) -> None:
        """Remove the oldest item (HEAD)."""
        self.ask(on, {"op": "remove_first_item"})

    @rule(on=_on, count=st.integers(0, 3))
    def roll_back(self, on: int, count: int) -> None:
        """Roll back some turns (ROLL)."""
        self.ask(on, {"op": "drop_last_n_user_turns", "num_turns": count})

    @rule(on=_on, number=st.integers(0, 7))
    def project(self, on: int, number: int) -> None:
        """Project under a set of modalities (PROJ to AUD)."""
        self.ask(on, {"op": "for_prompt", "input_modalities": [*self.modalities(number)]})

    def modalities(self, number: int) -> tuple[str, ...]:
        """Give a set of modalities by number, counted around."""
        sets = modality_sets(self.scope)
        return sets[number % len(sets)]

    @rule(on=_on, to=_on)
    def clone(self, on: int, to: int) -> None:
        """Clone a history, perhaps onto itself (SNAP)."""
        self.ask(on, {"op": "clone", "to": to})

    @rule(on=_on, name=st.sampled_from("hi"))
    def hold(self, on: int, name: str) -> None:
        """Keep what is handed out (SNAP-2)."""
        if self.scope.may("hold"):
            self.held.append(name)
        self.ask(on, {"op": "hold", "name": name, "what": "raw_items"})

    @rule(on=_on, value=_values)
    def set_reference_context(self, on: int, value: Json) -> None:
        """Set the reference context (REF)."""
        self.ask(on, {"op": "set_reference_context_item", "value": value})

    @rule(on=_on, value=_values)
    def set_token_info(self, on: int, value: Json) -> None:
        """Set the token info (REPL-2)."""
        self.ask(on, {"op": "set_token_info", "value": value})

    @rule(on=_on, state=_states)
    def update_world(self, on: int, state: JsonObject) -> None:
        """Report the state of the world (WORLD)."""
        self.ask(on, {"op": "update_world_state", "state": state})

    @rule(on=_on, reader=st.sampled_from(READERS))
    def read(self, on: int, reader: str) -> None:
        """Let a reader read on (CUR)."""
        self.ask(on, reading_of(reader))

    @invariant()
    def look(self) -> None:
        """Look at the history that was touched last: whatever changed there is judged."""
        for name in _LOOKS if self.ops else ():
            self.ask(self.touched, {"op": name})

    def teardown(self) -> None:
        """Put the whole life to the sessions, and raise what is wrong with it.

        Raises:
            ExceptionGroup: violations, one exception a clause, each with the script in a note.
        """
        for name in dict.fromkeys(self.held):
            self.ask(0, {"op": "held", "name": name})
        ops = with_cursors(self.ops, self.scope.edition)
        self.trial.require([ops], partial(_fewest, ops))


def _fewest(ops: Script, condition: Callable[[Script], bool]) -> Script:
    """Leave out operations, the last ones first, as long as the script meets the condition."""
    before: Script = []
    while before != ops:
        before = ops
        for place in reversed(range(len(before))):
            fewer = [*ops[:place], *ops[place + 1 :]]
            if condition(fewer):
                ops = fewer
    return ops


def run_machine(trial: Trial, scope: Scope, *, max_examples: int, steps: int = 20) -> None:
    """Live so many lives of so many steps.

    Raises:
        ExceptionGroup: as `Trial.require` does, for the smallest life that shows it.
    """
    chosen = settings(
        max_examples=max_examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],  # a script is cut down faster without living it again
        suppress_health_check=list(HealthCheck),
    )
    machine = cast("type[LifeMachine]", partial(LifeMachine, trial, scope))
    run_state_machine_as_test(machine, settings=chosen)
