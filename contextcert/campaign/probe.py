"""Which operations a subject cannot do, found out before anything is generated for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from contextcert.refmodel import OPERATIONS, Mode
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.strategies import POLICY, Scope
from contextcert.subject import FaultKind, Outcomes, Script, Session

ALWAYS: Final = frozenset({"record_items", "for_prompt"})
"""Every adapter has these, or there is nothing to certify."""

Refusals = Mapping[str, str]
"""The operations that a build answered as unsupported, each with the adapter's reason."""

_FIELDS: Final[Mapping[str, JsonObject]] = {
    "record_annotated_items": {"envelopes": [], "policy": POLICY},
    "restore_items": {"items": []},
    "for_prompt_annotated": {"input_modalities": []},
    "drop_last_n_user_turns": {"num_turns": 0},
    "replace": {"items": []},
    "clone": {"to": 0},
    "hold": {"name": "probe", "what": "for_prompt", "input_modalities": []},
    "held": {"name": "probe"},
    "set_reference_context_item": {"value": None},
    "update_world_state": {"state": {}},
    "set_world_state_baseline": {"state": None},
    "set_token_info": {"value": None},
    "read_transcript": {"cursor": None},
}
"""What an operation needs besides its name, so that it means next to nothing."""


def refusals(sessions: Mapping[Mode, Session], scope: Scope) -> dict[Mode, Refusals]:
    """Ask every build for each operation that a generated script may hold, once."""
    script = [_asked(name, place) for place, name in enumerate(_names(scope), start=1)]
    return {mode: _refused(script, session) for mode, session in sessions.items()}


def _names(scope: Scope) -> Iterator[str]:
    return (name for name in OPERATIONS if name not in ALWAYS and scope.may(name))


def _asked(name: str, place: int) -> JsonObject:
    """Ask on a history of its own: some adapters lose a history that they could not change."""
    return {"op": name, "on": place, **_FIELDS.get(name, {})}


def _refused(script: Script, session: Session) -> Refusals:
    """Read what was refused.

    What a script cut short did not reach is asked for alone. What is not answered at all counts as
    there: the campaign will meet the fault and name it.
    """
    if not script:
        return {}
    answer = session.run(script)
    outcomes = answer.outcomes or []
    refused = dict(_reasons(script, outcomes))
    if answer.fault is not None and answer.fault.kind is FaultKind.HANG:
        return refused
    for op in script[len(outcomes) :] if len(script) > 1 else ():
        refused |= _refused([op], session)
    return refused


def _reasons(script: Sequence[JsonObject], outcomes: Outcomes) -> Iterator[tuple[str, str]]:
    for op, outcome in zip(script, outcomes, strict=False):
        reason: Json = outcome.get("unsupported")
        if reason is not None:
            yield str(op["op"]), str(reason)
