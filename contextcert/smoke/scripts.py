"""Probes of how scripts run: fresh histories, handles, refusals, panics, capabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from contextcert.protocol.messages import shown
from contextcert.refmodel import run_script_in_both_modes
from contextcert.refmodel.modes import Mode
from contextcert.smoke.probe import Asked, Probe, as_the_model
from contextcert.smoke.samples import (
    ANSWER,
    CALL,
    ONE_OF_EACH,
    ORPHANS,
    PROMPT,
    RAW,
    RAW_ENVELOPES,
    TOKEN_INFO,
    message,
    record,
    record_envelopes,
)
from contextcert.smoke.steps import Culprit

if TYPE_CHECKING:
    from contextcert.refmodel.json_value import Json, JsonObject
    from contextcert.subject import Outcomes


def _diagnosed(outcomes: Outcomes, asked: Asked) -> str | None:
    """Expect the diagnostics that the capability promises, and none without it."""
    declared = asked.description.capabilities.diagnostics
    expected = run_script_in_both_modes(asked.ops, edition=asked.edition)[Mode.RELEASE]
    for op, wanted, got in zip(asked.ops, expected, outcomes, strict=False):
        promised = wanted.get("diagnostics") if declared else None
        if got.get("diagnostics") != promised:
            name = "declared" if declared else "not declared"
            told = "none" if promised is None else shown(promised)
            return f"{op['op']}, diagnostics being {name}: expected {told}, got {shown(got)}"
    return None


def _bad_turns(num_turns: Json) -> JsonObject:
    return {"op": "drop_last_n_user_turns", "num_turns": num_turns}


def _unreadable() -> list[JsonObject]:
    """Give a script that records a good item and a bad one, each way of being bad once."""
    user: JsonObject = {"type": "message", "role": "user", "content": []}
    bad: tuple[JsonObject, ...] = (
        {"type": "message", "role": "user"},
        user | {"content": "text"},
        user | {"content": [{"type": "input_text"}]},
        user | {"id": 7},
        {"type": "function_call_output", "call_id": "c1", "output": 7},
        {"type": "function_call_output", "call_id": "c1", "output": None},
        {"type": "custom_tool_call", "call_id": "c1", "name": "a"},
        {"type": "local_shell_call", "status": "broken", "action": {}},
    )
    return [record(message("good"), one) for one in bad]


def _with_success(flag: bool | None) -> JsonObject:  # noqa: FBT001  a flag is what it is about
    answered: JsonObject = {"item": ANSWER, "metadata": None}
    return answered if flag is None else answered | {"success": flag}


def _on_two_handles(*ops: JsonObject) -> tuple[JsonObject, ...]:
    return tuple(op | {"on": on} for on in (0, 1) for op in ops)


_SET_EVERYTHING: Final = _on_two_handles(
    record(message("of the run before")),
    {"op": "set_token_info", "value": 1},
    {"op": "set_reference_context_item", "value": 1},
    {"op": "replace", "items": [message("of the run before")]},
    {"op": "set_world_state_baseline", "state": {"a": 1}},
    {"op": "hold", "name": "held", "what": "raw_items"},
)
_READ_EVERYTHING: Final = _on_two_handles(
    RAW,
    TOKEN_INFO,
    {"op": "reference_context_item"},
    {"op": "history_version"},
    {"op": "world_state_baseline"},
    {"op": "held", "name": "held"},
)

SCRIPTS: Final = (
    Probe(
        "Each run starts from nothing, in every field of every handle",
        _READ_EVERYTHING,
        as_the_model,
        Culprit.ADAPTER,
        "Keep handles, and what was held, in a value made anew for each run.",
        before=_SET_EVERYTHING,
        lenient=True,
    ),
    Probe(
        "Handles are histories of their own",
        (
            record(message("zero")),
            record(message("one"), on=1),
            RAW,
            RAW | {"on": 1},
            RAW | {"on": 2},
        ),
        as_the_model,
        Culprit.ADAPTER,
        "Look the history up by `on`, 0 where it is absent, and make it where it is new.",
        item_types=("message",),
    ),
    Probe(
        "A clone goes its own way",
        (
            record(message("both")),
            {"op": "clone", "to": 1},
            record(message("clone"), on=1),
            record(message("original")),
            {"op": "clone", "to": 0},
            RAW,
            RAW | {"on": 1},
        ),
        as_the_model,
        Culprit.IMPLEMENTATION,
        "Copy the history, not a reference to it; cloned onto itself it stays (SNAP-1).",
        item_types=("message",),
        profiles=("snapshots",),
    ),
    Probe(
        "An item of every claimed type is recorded and projected",
        (record(*ONE_OF_EACH), RAW, PROMPT),
        as_the_model,
        Culprit.IMPLEMENTATION,
        "Read and write the type as in SPEC 1.1, or do not claim it.",
        profiles=("projection",),
    ),
    Probe(
        "An unreadable item of any kind is refused, and its operation has no effect",
        (*_unreadable(), RAW),
        as_the_model,
        Culprit.IMPLEMENTATION,
        "Read all items of an operation before any is recorded, and refuse what ITEM-4 names.",
        item_types=("message",),
        profiles=("wire",),
    ),
    Probe(
        "A bad count is an error, and the script goes on",
        (record(message("stays")), *map(_bad_turns, (-1, 1.5, 2**32, 2**70)), RAW),
        as_the_model,
        Culprit.ADAPTER,
        'Answer a count that is negative, has a fraction or is beyond 2^32 - 1 with {"error": ...} '
        "before the implementation sees it.",
        item_types=("message",),
        profiles=("changes",),
    ),
    Probe(
        "An unknown modality is an error, and the script goes on",
        ({"op": "for_prompt", "input_modalities": ["text", "smell"]}, RAW),
        as_the_model,
        Culprit.ADAPTER,
        'Answer a modality other than text, image and audio with {"error": ...}.',
    ),
    Probe(
        "A panic ends the script",
        (record(*ORPHANS), PROMPT, RAW),
        as_the_model,
        Culprit.ADAPTER,
        'Catch the panic, give {"panic": its message} for the operation, and run no further one.',
        profiles=("projection",),
        modes=(Mode.DEBUG,),
    ),
    Probe(
        "After a panic a script goes on where it is asked to",
        (record(*ORPHANS), PROMPT, RAW, PROMPT),
        as_the_model,
        Culprit.IMPLEMENTATION,
        "Read `continue_after_panic` of run; a panic leaves the history as it was (MODE-8).",
        profiles=("projection",),
        needs=("continue_after_panic",),
        modes=(Mode.DEBUG,),
        goes_on=True,
    ),
    Probe(
        "Diagnostics are given as declared",
        (record(*ORPHANS), PROMPT, RAW),
        _diagnosed,
        Culprit.ADAPTER,
        "Give error-level messages in order, leave the key out where there are none, and declare "
        "the capability diagnostics if and only if you do.",
        profiles=("projection",),
        modes=(Mode.RELEASE,),
    ),
    Probe(
        "A success flag comes back as it was given",
        (
            record_envelopes(
                {"item": CALL, "metadata": None},
                *map(_with_success, (True, False, None)),
            ),
            RAW_ENVELOPES,
            {**PROMPT, "op": "for_prompt_annotated"},
            RAW,
        ),
        as_the_model,
        Culprit.ADAPTER,
        "Read `success` of an envelope and write it back beside the item, never within; leave it "
        "out where there was none (ITEM-6).",
        item_types=("function_call", "function_call_output"),
        needs=("success_flag",),
    ),
)
