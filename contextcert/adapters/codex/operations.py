"""Which operations the wire can carry out, and how their arguments are read."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from contextcert.adapters.codex.models import POLICY
from contextcert.refmodel.claim import MODALITIES
from contextcert.refmodel.json_value import Json, JsonObject, same_json

_NO_VIEW: Final = "the binary's wire shows prompts alone"
_NO_CHANGE: Final = "this operation is not driven through the binary's wire"

UNSUPPORTED: Final = {
    "for_prompt_annotated": _NO_VIEW,
    "raw_items": _NO_VIEW,
    "raw_envelopes": _NO_VIEW,
    "history_version": _NO_VIEW,
    "hold": _NO_VIEW,
    "held": _NO_VIEW,
    "reference_context_item": _NO_VIEW,
    "world_state_baseline": _NO_VIEW,
    "token_info": _NO_VIEW,
    "read_transcript": _NO_VIEW,
    "update_world_state": _NO_CHANGE,
    "set_reference_context_item": _NO_CHANGE,
    "set_world_state_baseline": _NO_CHANGE,
    "set_token_info": _NO_CHANGE,
}
"""Operations that cannot be carried out and leave the items alone, each with its reason."""

UNSUPPORTED_CHANGES: Final = {
    "record_annotated_items": "envelope metadata never reaches the binary",
    "remove_first_item": _NO_CHANGE,
    "drop_last_n_user_turns": _NO_CHANGE,
    "replace": _NO_CHANGE,
    "clone": _NO_CHANGE,
}
"""Operations that cannot be carried out and would change items: what follows them is unknown."""


class BadArgument(Exception):  # noqa: N818 -- an outcome, not a failure
    """An operation has no effect because of its arguments; the message says which."""


class CannotDo(Exception):  # noqa: N818 -- an outcome, not a failure
    """The wire cannot carry an operation out; the message says why."""


def handle_of(op: JsonObject) -> int:
    """Read the history an operation is about."""
    handle = op.get("on", 0)
    if isinstance(handle, bool) or not isinstance(handle, int) or handle < 0:
        raise BadArgument("on is a history's number, zero or more")
    return handle


def items_of(op: JsonObject) -> list[Json]:
    """Read the items of a recording operation."""
    items = op.get("items")
    if not isinstance(items, list):
        raise BadArgument("items is a list")
    return items


def check_policy(op: JsonObject) -> None:
    """Refuse every recording policy but the catalogue's."""
    if not same_json(op.get("policy"), POLICY):
        raise CannotDo("the binary is set up to record under tokens(10000) alone")


def modalities_of(op: JsonObject, offered: Collection[str]) -> tuple[str, ...]:
    """Read a projection's modalities, each once, in SPEC's order."""
    asked = op.get("input_modalities")
    if not isinstance(asked, list):
        raise BadArgument("input_modalities is a list")
    for name in asked:
        if name not in MODALITIES:
            raise BadArgument(f"{name!r} is no modality")
        if name not in offered:
            raise CannotDo(f"this release of Codex knows no {name}")
    return tuple(name for name in MODALITIES if name in asked)
