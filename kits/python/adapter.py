"""The implementer's part: what your implementation is, and how each operation calls it.

Run it with `python3 adapter.py` (debug) or `python3 -O adapter.py` (release).
"""  # noqa: INP001 (a kit is a folder of modules)

import sys
from collections.abc import Callable, Mapping
from typing import Any

import faults
from history import (
    MODALITIES,
    Cursor,
    Edition,
    Envelope,
    History,
    Policy,
    RefusedError,
    read_envelopes,
    read_items,
    wire,
    write_envelopes,
    write_items,
)
from protocol import Adapter, JsonObject, UnsupportedError, serve

# YOUR CALLS START HERE

NAME, VERSION = "kit-python", "1"
MODE = "debug" if __debug__ else "release"
EDITIONS = [edition.value for edition in Edition]
CLAIM = {
    "profiles": [
        *("projection", "media", "recording", "changes"),
        *("world", "cursor", "snapshots", "wire"),
    ],
    "item_types": [
        *("message", "agent_message", "reasoning"),
        *("function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"),
        *("tool_search_call", "tool_search_output", "local_shell_call"),
        *("web_search_call", "image_generation_call", "additional_tools"),
        *("compaction", "context_compaction", "compaction_trigger"),
    ],
    "modalities": [*MODALITIES],
}
CAPABILITIES = {
    "diagnostics": True,
    "continue_after_panic": True,
    "exact_numbers": True,
    "success_flag": True,
}


class Script:
    """The histories of one script by their handles, and what was held of them."""

    def __init__(self, edition: Edition, *, debug: bool) -> None:
        """Begin with nothing."""
        self.edition = edition
        self.held: dict[str, list[Any]] = {}
        self._debug = debug
        self._histories: dict[int, History] = {}

    def perform(self, op: JsonObject) -> object:
        """Do one operation and give its value.

        Raises:
            RefusedError: an argument cannot be read; nothing happened.
            UnsupportedError: there is no such operation.
            AssertionError: a debug build stopped at an anomaly.
        """
        operation = _OPERATIONS.get(str(op.get("op")))
        if operation is None:
            if faults.fault("unknown-operation-crashes"):
                faults.crash("An operation is unknown")
            raise UnsupportedError(f"there is no operation {op.get('op')}")
        handle = _argument(op, "on", wire.whole_number) if "on" in op else 0
        return operation(self, self.history(handle), op)

    def history(self, handle: int) -> History:
        """Give the history of a handle; it starts empty."""
        if handle not in self._histories:
            self._histories[handle] = History(self.edition, debug=self._debug)
        return self._histories[handle]

    def keep(self, handle: int, history: History) -> None:
        """Put a history under a handle."""
        self._histories[handle] = history


def _record_items(script: Script, history: History, op: JsonObject) -> None:
    envelopes = _argument(op, "items", lambda value: read_items(value, script.edition))
    history.record(envelopes, _argument(op, "policy", _policy))


def _record_annotated_items(script: Script, history: History, op: JsonObject) -> None:
    envelopes = _argument(op, "envelopes", lambda value: read_envelopes(value, script.edition))
    history.record(envelopes, _argument(op, "policy", _policy))


def _restore_items(script: Script, history: History, op: JsonObject) -> None:
    if script.edition is Edition.AUGUST_2026:
        raise UnsupportedError("restore_items is an operation of edition 2026-11")
    history.restore(_argument(op, "items", lambda value: read_items(value, script.edition)))


def _replace(script: Script, history: History, op: JsonObject) -> None:
    history.replace(_argument(op, "items", lambda value: read_items(value, script.edition)))


def _drop_last_n_user_turns(_script: Script, history: History, op: JsonObject) -> None:
    history.drop_last_turns(_argument(op, "num_turns", _TURNS))


def _prompt(history: History, op: JsonObject) -> list[Envelope]:
    return history.prompt(set(_argument(op, "input_modalities", _MODALITIES)))


def _hold(script: Script, history: History, op: JsonObject) -> None:
    name = _argument(op, "name", wire.text)
    if _argument(op, "what", wire.choice("raw_items", "for_prompt")) == "for_prompt":
        script.held[name] = write_items(_prompt(history, op))
    else:
        script.held[name] = write_items(history.envelopes())


def _held(script: Script, _history: History, op: JsonObject) -> list[Any]:
    return script.held[_argument(op, "name", wire.choice(*script.held))]


def _clone(script: Script, history: History, op: JsonObject) -> None:
    script.keep(_argument(op, "to", wire.whole_number), history.clone())


def _set_reference_context(_script: Script, history: History, op: JsonObject) -> None:
    history.reference_context = _argument(op, "value", wire.anything)


def _set_world_baseline(_script: Script, history: History, op: JsonObject) -> None:
    history.world_baseline = _argument(op, "state", wire.anything)


def _set_token_info(_script: Script, history: History, op: JsonObject) -> None:
    history.token_info = _argument(op, "value", wire.anything)


def _read_transcript(_script: Script, history: History, op: JsonObject) -> JsonObject:
    is_new = op.get("cursor") is None
    return history.read_transcript(None if is_new else _argument(op, "cursor", _cursor))


_OPERATIONS: Mapping[str, Callable[[Script, History, JsonObject], object]] = {
    "record_items": _record_items,
    "record_annotated_items": _record_annotated_items,
    "restore_items": _restore_items,
    "for_prompt": lambda _, history, op: write_items(_prompt(history, op)),
    "for_prompt_annotated": lambda _, history, op: write_envelopes(_prompt(history, op)),
    "raw_items": lambda _, history, _op: write_items(history.envelopes()),
    "raw_envelopes": lambda _, history, _op: write_envelopes(history.envelopes()),
    "remove_first_item": lambda _, history, _op: history.remove_first(),
    "drop_last_n_user_turns": _drop_last_n_user_turns,
    "replace": _replace,
    "history_version": lambda _, history, _op: history.version,
    "clone": _clone,
    "hold": _hold,
    "held": _held,
    "set_reference_context_item": _set_reference_context,
    "reference_context_item": lambda _, history, _op: history.reference_context,
    "update_world_state": lambda _, history, op: history.update_world(
        _argument(op, "state", wire.an_object)
    ),
    "set_world_state_baseline": _set_world_baseline,
    "world_state_baseline": lambda _, history, _op: history.world_baseline,
    "set_token_info": _set_token_info,
    "token_info": lambda _, history, _op: history.token_info,
    "read_transcript": _read_transcript,
}

_TURNS = wire.count(2**32 - 1)
_MODALITIES = wire.array(wire.choice(*MODALITIES))
_POLICY = wire.record(
    (
        wire.required("mode", wire.choice("bytes", "tokens")),
        wire.required("limit", wire.count(2**64 - 1)),
    )
)
_CURSOR = wire.record(
    (
        wire.required("history_version", wire.whole_number),
        wire.required("entry_count", wire.whole_number),
    )
)


def _policy(value: object) -> Policy:
    given = _POLICY(value)
    return Policy(given["mode"], given["limit"])


def _cursor(value: object) -> Cursor:
    return Cursor(**_CURSOR(value))


def _argument(op: JsonObject, name: str, read: wire.Reader) -> Any:  # noqa: ANN401 (what it reads)
    if name not in op:
        raise RefusedError("it is missing", name)
    try:
        return read(op[name])
    except RefusedError as refusal:
        raise refusal.inside(name) from None


# YOUR CALLS END HERE


class Subject(Adapter):
    """This implementation in one mode; `--adapter adapter:Subject` makes one of each."""

    refusals = (RefusedError,)

    def __init__(self, mode: str | None = None) -> None:
        """Be the build of a mode, or in process of whichever is asked for."""
        self._mode = mode
        self._edition = Edition.AUGUST_2026

    def initialize(self, params: JsonObject) -> JsonObject:
        """Say what this is; scripts are run in the edition that is asked for."""
        self._mode = self._mode or params["mode"]
        if params.get("edition") in EDITIONS:
            self._edition = Edition(params["edition"])
        restores = self._edition is Edition.NOVEMBER_2026
        other = "release" if self._mode == "debug" else "debug"
        return {
            "protocol": 1,
            "implementation": {"name": NAME, "version": VERSION, "language": "Python"},
            "mode": other if faults.fault("wrong-mode") else self._mode,
            "editions": EDITIONS,
            "claim": CLAIM,
            "capabilities": {**CAPABILITIES, "restore_items": restores},
        }

    def new_script(self) -> Callable[[JsonObject], object]:
        """Give what performs the operations of one script."""
        return Script(self._edition, debug=self._mode == "debug").perform


if __name__ == "__main__":
    serve(Subject(MODE), faults.spoiled(sys.stdout.buffer.write))
