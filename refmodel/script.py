"""The script interpreter: the operations of DESIGN 3 on histories that start empty.

A script runs once, whatever the mode: the modes differ only in how a result is reported
(`contextcert.refmodel.outcomes`) and in where a script ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from reprlib import repr as short_repr
from typing import Final, TypeAlias, cast

from attrs import define, evolve, field

from contextcert.refmodel import arguments
from contextcert.refmodel.arguments import ArgumentError
from contextcert.refmodel.collection import CollectionPaused
from contextcert.refmodel.fresh_ids import FreshIds, seeded_fresh_ids
from contextcert.refmodel.history import History
from contextcert.refmodel.items import Envelope, Item
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import DEFAULT_EDITION, Edition, Mode
from contextcert.refmodel.opaque import copy_json
from contextcert.refmodel.outcomes import ByMode, Done, Failed, Result, Unsupported, outcome
from contextcert.refmodel.projection import Projection
from contextcert.refmodel.shapes import ItemError
from contextcert.refmodel.wire import write_items

_NEW: Final = History()


@define
class _Run:
    """What one script has built up so far."""

    edition: Edition
    fresh_ids: FreshIds
    histories: dict[int, History] = field(factory=dict)
    held: dict[str, dict[Mode, list[Item]]] = field(factory=dict)

    def history(self, operation: JsonObject) -> History:
        """Give the history an operation is on."""
        return self.histories.get(arguments.handle(operation), _NEW)

    def becomes(self, operation: JsonObject, history: History) -> Done:
        """Put another history in the place of the one an operation is on."""
        self.histories[arguments.handle(operation)] = history
        return Done()

    def projection(self, operation: JsonObject) -> Projection:
        """Project the history an operation is on."""
        history = self.history(operation)
        return history.project(arguments.input_modalities(operation), self.edition)


def _record_items(run: _Run, op: JsonObject) -> Result:
    envelopes = map(Envelope, arguments.items(op, run.edition))
    return _record(run, op, envelopes)


def _record_annotated_items(run: _Run, op: JsonObject) -> Result:
    return _record(run, op, arguments.envelopes(op, run.edition))


def _record(run: _Run, op: JsonObject, envelopes: Iterable[Envelope]) -> Result:
    policy = arguments.policy(op)
    history = run.history(op)
    return run.becomes(op, history.record(envelopes, policy, run.edition, run.fresh_ids))


def _restore_items(run: _Run, op: JsonObject) -> Result:
    if run.edition is not Edition.NOVEMBER_2026:
        return Unsupported("restore_items belongs to edition 2026-11")
    return run.becomes(op, run.history(op).restore(arguments.items(op, run.edition), run.edition))


def _for_prompt(run: _Run, op: JsonObject) -> Result:
    projection = run.projection(op)
    return Done(_list(write_items(projection.items)), projection.anomalies)


def _for_prompt_annotated(run: _Run, op: JsonObject) -> Result:
    projection = run.projection(op)
    return Done(_written_envelopes(projection.envelopes), projection.anomalies)


def _raw_items(run: _Run, op: JsonObject) -> Result:
    return Done(_list(write_items(run.history(op).items)))


def _raw_envelopes(run: _Run, op: JsonObject) -> Result:
    return Done(_written_envelopes(run.history(op).envelopes))


def _remove_first_item(run: _Run, op: JsonObject) -> Result:
    return run.becomes(op, run.history(op).remove_first())


def _drop_last_n_user_turns(run: _Run, op: JsonObject) -> Result:
    return run.becomes(op, run.history(op).roll_back(arguments.num_turns(op)))


def _replace(run: _Run, op: JsonObject) -> Result:
    return run.becomes(op, run.history(op).replace(arguments.items(op, run.edition)))


def _history_version(run: _Run, op: JsonObject) -> Result:
    return Done(run.history(op).version)


def _clone(run: _Run, op: JsonObject) -> Result:
    run.histories[arguments.target(op)] = run.history(op)
    return Done()


def _hold(run: _Run, op: JsonObject) -> Result:
    name, what = arguments.text(op, "name"), arguments.text(op, "what")
    match what:
        case "raw_items":
            handed_out = Projection(tuple(run.history(op).envelopes), ())
        case "for_prompt":
            handed_out = run.projection(op)
        case _:
            raise ArgumentError(f"what: expected raw_items or for_prompt, not {short_repr(what)}")
    held = run.held.setdefault(name, {})
    held[Mode.RELEASE] = handed_out.items
    if not handed_out.anomalies:  # with anomalies debug hands nothing out
        held[Mode.DEBUG] = handed_out.items
    return Done(anomalies=handed_out.anomalies)


def _held(run: _Run, op: JsonObject) -> Result:
    name = arguments.text(op, "name")
    held = run.held.get(name, {})
    missing = Failed(f"nothing is held under the name {short_repr(name)}")
    return ByMode(
        {mode: Done(_list(write_items(held[mode]))) if mode in held else missing for mode in Mode}
    )


def _set_reference_context_item(run: _Run, op: JsonObject) -> Result:
    return run.becomes(op, run.history(op).set_reference_context(arguments.value(op, "value")))


def _reference_context_item(run: _Run, op: JsonObject) -> Result:
    return Done(copy_json(run.history(op).reference_context))


def _update_world_state(run: _Run, op: JsonObject) -> Result:
    history, report = run.history(op).update_world_state(arguments.state(op))
    return evolve(run.becomes(op, history), value=copy_json(report))


def _set_world_state_baseline(run: _Run, op: JsonObject) -> Result:
    return run.becomes(op, run.history(op).set_baseline(arguments.value(op, "state")))


def _world_state_baseline(run: _Run, op: JsonObject) -> Result:
    return Done(copy_json(run.history(op).baseline))


def _set_token_info(run: _Run, op: JsonObject) -> Result:
    return run.becomes(op, run.history(op).set_token_info(arguments.value(op, "value")))


def _token_info(run: _Run, op: JsonObject) -> Result:
    return Done(copy_json(run.history(op).token_info))


def _read_transcript(run: _Run, op: JsonObject) -> Result:
    return Done(run.history(op).read_transcript(arguments.cursor(op)).to_json())


def _list(values: list[JsonObject]) -> Json:
    return cast("Json", values)


def _written_envelopes(envelopes: Iterable[Envelope]) -> Json:
    """Write envelopes; only those that have a success flag show one."""
    envelopes = list(envelopes)
    written: list[Json] = []
    for envelope, item in zip(
        envelopes, write_items([each.item for each in envelopes]), strict=True
    ):
        one: JsonObject = {"item": item, "metadata": copy_json(envelope.metadata)}
        if envelope.success is not None:
            one["success"] = envelope.success
        written.append(one)
    return written


_Operation: TypeAlias = Callable[[_Run, JsonObject], Result]

OPERATIONS: Final[Mapping[str, _Operation]] = {
    "record_items": _record_items,
    "record_annotated_items": _record_annotated_items,
    "restore_items": _restore_items,
    "for_prompt": _for_prompt,
    "for_prompt_annotated": _for_prompt_annotated,
    "raw_items": _raw_items,
    "raw_envelopes": _raw_envelopes,
    "remove_first_item": _remove_first_item,
    "drop_last_n_user_turns": _drop_last_n_user_turns,
    "replace": _replace,
    "history_version": _history_version,
    "clone": _clone,
    "hold": _hold,
    "held": _held,
    "set_reference_context_item": _set_reference_context_item,
    "reference_context_item": _reference_context_item,
    "update_world_state": _update_world_state,
    "set_world_state_baseline": _set_world_state_baseline,
    "world_state_baseline": _world_state_baseline,
    "set_token_info": _set_token_info,
    "token_info": _token_info,
    "read_transcript": _read_transcript,
}
"""Every operation of the protocol, by its name."""


def run_script(
    ops: Sequence[Json],
    *,
    mode: Mode,
    edition: Edition = DEFAULT_EDITION,
    fresh_ids: FreshIds | None = None,
    continue_after_panic: bool = False,
) -> list[JsonObject]:
    """Run a script on fresh histories and give the outcome of each operation in one mode.

    Args:
        ops: the operations, JSON objects as in DESIGN 3; they are not changed or kept.
        mode: how a build reports anomalies.
        edition: which clauses apply.
        fresh_ids: where edition 2026-11 takes ids from (E11-2); a fixed seed if not given.
        continue_after_panic: go on after a panic, which leaves the history as it was (MODE-8);
            otherwise the panic is the last outcome.
    """
    run = _new_run(edition, fresh_ids)
    outcomes: list[JsonObject] = []
    with CollectionPaused():
        for op in ops:
            reported = outcome(_result(run, op), mode)
            outcomes.append(reported)
            if "panic" in reported and not continue_after_panic:
                break
    return outcomes


def run_script_in_both_modes(
    ops: Sequence[Json],
    *,
    edition: Edition = DEFAULT_EDITION,
    fresh_ids: FreshIds | None = None,
    continue_after_panic: bool = False,
) -> dict[Mode, list[JsonObject]]:
    """Run a script once and give what `run_script` gives in each mode.

    The two lists of outcomes may share values.
    """
    run = _new_run(edition, fresh_ids)
    outcomes: dict[Mode, list[JsonObject]] = {mode: [] for mode in Mode}
    running = list(Mode)
    with CollectionPaused():
        for op in ops:
            result = _result(run, op)
            for mode in tuple(running):
                reported = outcome(result, mode)
                outcomes[mode].append(reported)
                if "panic" in reported and not continue_after_panic:
                    running.remove(mode)
    return outcomes


def _new_run(edition: Edition, fresh_ids: FreshIds | None) -> _Run:
    return _Run(edition, fresh_ids or seeded_fresh_ids(0))


def _result(run: _Run, op: Json) -> Result:
    """Carry out one operation; one that cannot be read has no effect."""
    if not isinstance(op, dict):
        return Failed("an operation must be an object")
    name = op.get("op")
    if not isinstance(name, str):
        return Failed("an operation must name itself by a string under `op`")
    operation = OPERATIONS.get(name)
    if operation is None:
        return Unsupported(f"unknown operation {short_repr(name)}")
    try:
        return operation(run, op)
    except (ArgumentError, ItemError) as error:
        return Failed(str(error))
