"""Whether outcomes have the shape that DESIGN 3 gives them: a check cheap enough for every run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from contextcert.refmodel.json_value import Json
    from contextcert.subject import Outcomes, Script

_KINDS: Final = ("ok", "panic", "error", "unsupported")


class ShapeError(ValueError):
    """Outcomes have the wrong shape; the message says where, as a JSON pointer, and what.

    `before` are the outcomes in front of the first that is wrong.
    """

    def __init__(self, message: str, before: Outcomes | None = None) -> None:
        """Keep what was right so far."""
        super().__init__(message)
        self.before = before or []


def read_outcomes(
    result: Json, ops: Script, *, continue_after_panic: bool, pointer: str = ""
) -> Outcomes:
    """Give the outcomes in the result of a run.

    One outcome an operation; after a panic nothing, unless the script was to go on.

    Raises:
        ShapeError: they have the wrong shape or number. `pointer` leads to the result.
    """
    outcomes = result.get("outcomes") if isinstance(result, dict) else None
    if not isinstance(outcomes, list):
        raise ShapeError(f"{pointer}/outcomes: a list is expected")
    if len(outcomes) > len(ops):
        raise ShapeError(f"{pointer}/outcomes: {len(outcomes)} outcomes for {len(ops)} operations")
    checked: Outcomes = []
    for outcome, op in zip(outcomes, ops, strict=False):
        if not isinstance(outcome, dict):
            raise ShapeError(f"{pointer}/outcomes/{len(checked)}: an object is expected", checked)
        trouble = _trouble(outcome, op)
        if trouble is not None:
            raise ShapeError(f"{pointer}/outcomes/{len(checked)}{trouble}", checked)
        checked.append(outcome)
    _check_end(checked, len(ops), continue_after_panic=continue_after_panic, pointer=pointer)
    return checked


def _check_end(
    outcomes: Outcomes, expected: int, *, continue_after_panic: bool, pointer: str
) -> None:
    if not continue_after_panic:
        for index, outcome in enumerate(outcomes):
            if "panic" in outcome:
                if index + 1 < len(outcomes):
                    raise ShapeError(
                        f"{pointer}/outcomes/{index + 1}: the script went on after a panic unasked"
                    )
                return
    if len(outcomes) < expected:
        raise ShapeError(
            f"{pointer}/outcomes: {len(outcomes)} outcomes for {expected} operations and no panic"
        )


def _trouble(outcome: Mapping[str, Json], op: Mapping[str, Json]) -> str | None:
    if "ok" in outcome and (len(outcome) == 1 or _only_diagnostics(outcome)):
        check = _VALUES.get(str(op.get("op")))
        wrong = None if check is None else check(outcome["ok"])
        return None if wrong is None else f"/ok: {wrong}"
    return _trouble_of_kind(outcome)


def _only_diagnostics(outcome: Mapping[str, Json]) -> bool:
    diagnostics = outcome.get("diagnostics")
    if len(outcome) != 2 or "diagnostics" not in outcome:  # noqa: PLR2004 (ok and diagnostics)
        return False
    return diagnostics is None or (
        isinstance(diagnostics, list) and all(isinstance(message, str) for message in diagnostics)
    )


def _trouble_of_kind(outcome: Mapping[str, Json]) -> str | None:
    match dict(outcome):
        case {"panic": str(), **rest} if not rest:
            return None
        case {"unsupported": str(), **rest} if not rest:
            return None
        case {"error": {"message": str()}, **rest} if not rest:
            return None
    kinds = [kind for kind in _KINDS if kind in outcome]
    if len(kinds) != 1:
        return ": one of ok, panic, error and unsupported is expected"
    if kinds == ["ok"]:
        return ": beside ok only diagnostics, a list of strings or null, may stand"
    return (
        f'/{kinds[0]}: {{"panic": text}}, {{"unsupported": text}} '
        'or {"error": {"message": text}} is expected, and nothing beside it'
    )


def _null(value: Json) -> str | None:
    return None if value is None else "null is expected"


def _objects(value: Json) -> str | None:
    if isinstance(value, list) and all(isinstance(entry, dict) for entry in value):
        return None
    return "a list of objects is expected"


def _envelopes(value: Json) -> str | None:
    if isinstance(value, list) and all(
        isinstance(entry, dict) and isinstance(entry.get("item"), dict) for entry in value
    ):
        return None
    return 'a list of {"item": ..., "metadata": ...} is expected'


def _count(value: Json) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return None
    return "a count is expected"


def _world_state_record(value: Json) -> str | None:
    if value is None:
        return None
    if isinstance(value, dict) and (
        (value.get("full") is True and value.keys() == {"full", "state"})
        or (value.get("full") is False and value.keys() == {"full", "patch"})
    ):
        return None
    return 'null, {"full": true, "state": ...} or {"full": false, "patch": ...} is expected'


def _transcript(value: Json) -> str | None:
    if isinstance(value, dict):
        match value:
            case {
                "kind": "full" | "delta",
                "entries": list(),
                "cursor": {"history_version": int(), "entry_count": int()},
            }:
                return None
    return '{"kind": "full" or "delta", "entries": [...], "cursor": {...}} is expected'


_VALUES: Final[Mapping[str, Callable[[Json], str | None]]] = {
    "record_items": _null,
    "record_annotated_items": _null,
    "restore_items": _null,
    "for_prompt": _objects,
    "for_prompt_annotated": _envelopes,
    "raw_items": _objects,
    "raw_envelopes": _envelopes,
    "remove_first_item": _null,
    "drop_last_n_user_turns": _null,
    "replace": _null,
    "history_version": _count,
    "clone": _null,
    "hold": _null,
    "held": _objects,
    "set_reference_context_item": _null,
    "update_world_state": _world_state_record,
    "set_world_state_baseline": _null,
    "set_token_info": _null,
    "read_transcript": _transcript,
}
