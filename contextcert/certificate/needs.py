"""What a clause speaks of: item types and modalities of the claim, operations of the adapter."""

from __future__ import annotations

from typing import Final

from contextcert.refmodel import Claim, Clause, Edition
from contextcert.subject import Capabilities

_FUNCTION: Final = "function_call"
_SHELL: Final = "local_shell_call"
_CUSTOM: Final = "custom_tool_call"
_SEARCH: Final = "tool_search_call"
_CALLS: Final = (_FUNCTION, _SHELL, _CUSTOM, _SEARCH)
_OUTPUTS: Final = ("function_call_output", "custom_tool_call_output", "tool_search_output")

_BODIES: Final = ("function_call_output", "custom_tool_call_output")
_ANOMALOUS: Final = (_SHELL, _CUSTOM, *_OUTPUTS)
"""What a history can be anomalous by (MODE-1)."""

_COMPLETED_IN_DEBUG: Final = (_FUNCTION, _SEARCH)
"""The calls that debug completes and does not panic about (MODE-2)."""

_SHOWN_BY_COMPLETION: Final = frozenset(
    {"PROJ-7", "PAIR-12", "PAIR-14", "SYN-1", "SYN-2", "SYN-3", "SYN-4", "ORD-2", "ORPH-9"}
)

_FAMILIES: Final = (
    (_FUNCTION, _SHELL, "function_call_output"),
    (_CUSTOM, "custom_tool_call_output"),
    (_SEARCH, "tool_search_output"),
)
"""What shares an output type; PAIR-7 is about two of them."""

Need = tuple[tuple[str, ...], ...]
"""Of every group at least one must be claimed."""

_NEEDS: Final[dict[str, Need]] = {
    "PAIR-1": ((_FUNCTION,),),
    "PAIR-2": ((_SEARCH,),),
    "PAIR-3": ((_CUSTOM,),),
    "PAIR-4": ((_SHELL,),),
    "PAIR-5": ((_SEARCH, _SHELL),),
    **{f"PAIR-{number}": (_CALLS,) for number in (6, 7, 10, 11, 12, 13, 14)},
    "PAIR-8": ((_FUNCTION,), (_SHELL,), ("function_call_output",)),
    "PAIR-9": ((_SEARCH,), ("tool_search_output",)),
    "SYN-1": (_CALLS,),
    "SYN-2": (_CALLS,),
    "SYN-3": (_CALLS,),
    "SYN-4": (_CALLS,),
    "ORD-2": (_CALLS,),
    "ORPH-1": (("function_call_output",),),
    "ORPH-2": (("custom_tool_call_output",),),
    "ORPH-3": (("tool_search_output",),),
    "ORPH-4": (("tool_search_output",),),
    "ORPH-5": (("tool_search_output",),),
    "ORPH-6": (_CALLS, _OUTPUTS),
    "ORPH-7": (_OUTPUTS,),
    "ORPH-8": (_CALLS, _OUTPUTS),
    "ORPH-9": (_CALLS,),
    "MODE-1": (_ANOMALOUS,),
    "PROJ-7": (_CALLS, _OUTPUTS),
    "MODE-6": (_ANOMALOUS,),
    "MODE-7": (_ANOMALOUS,),
    "MODE-8": (_ANOMALOUS,),
    "MODE-9": (_ANOMALOUS,),
    "MODE-2": ((_FUNCTION, _SEARCH),),
    "IMG-3": (_BODIES,),
    "AUD-3": (_BODIES,),
    "E11-1": (("function_call_output",),),
    "E11-3": (_BODIES,),
    "E11-4": (_BODIES,),
    "E11-5": (("message", *_BODIES),),
    "IMG-4": (("image_generation_call",),),
    "AUD-4": (("image_generation_call",),),
}


def unmet_need(clause_id: str, claim: Claim) -> str | None:
    """Say which part of the claim a clause would need, or None when it has all that it needs."""
    for group in _NEEDS.get(clause_id, ()):
        if claim.item_types.isdisjoint(group):
            return f"{' or '.join(group)} is not claimed"
    if clause_id == "PAIR-7" and sum(map(claim.item_types.isdisjoint, _FAMILIES)) > 1:
        return "no second family is claimed"
    if clause_id == "REC-5" and claim.profiles.isdisjoint(_SHOW_WHAT_STAYS):
        return f"no profile of {', '.join(_SHOW_WHAT_STAYS)} is claimed"
    if clause_id == "E11-5" and claim.modalities.isdisjoint(_MEDIA.values()):
        return f"{' or '.join(_MEDIA.values())} is not claimed"
    medium = _MEDIA.get(clause_id.partition("-")[0])
    if medium is not None and medium not in claim.modalities:
        return f"{medium} is not claimed"
    return None


def unmet_in_debug(clause_id: str, claim: Claim) -> str | None:
    """Say why debug shows nothing of a clause about completion, or None where it does (MODE-2)."""
    if clause_id in _SHOWN_BY_COMPLETION and claim.item_types.isdisjoint(_COMPLETED_IN_DEBUG):
        return "debug panics before it completes any of the claimed calls"
    return None


_SHOW_WHAT_STAYS: Final = ("changes", "world", "cursor")
"""The profiles whose operations show a version, a baseline or a reference context (REC-5)."""

_MEDIA: Final = {"IMG": "image", "AUD": "audio"}


_SEEN_BY: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "ITEM-2": (("replace",),),
    "ITEM-6": (("record_annotated_items",), ("for_prompt_annotated", "raw_envelopes")),
    "ITEM-8": (("record_annotated_items",), ("for_prompt_annotated", "raw_envelopes")),
    "PROJ-1": (("raw_items", "raw_envelopes"),),
    "PROJ-3": (("raw_items", "raw_envelopes", "for_prompt_annotated"),),
    "PROJ-5": (("record_annotated_items",), ("for_prompt_annotated",)),
    "REC-4": (("raw_items", "raw_envelopes"),),
    "REC-5": (("history_version", "reference_context_item", "token_info"),),
    "REC-7": (("record_annotated_items",), ("for_prompt_annotated", "raw_envelopes")),
    "ROLL-6": (("reference_context_item",), ("set_reference_context_item",)),
    "REPL-2": (("reference_context_item", "token_info"),),
    "HEAD": (("remove_first_item",),),
    "ROLL": (("drop_last_n_user_turns",),),
    "REPL": (("replace",),),
    "VER": (("history_version",),),
    "REF": (("reference_context_item",), ("set_reference_context_item",)),
    "WORLD": (("update_world_state",),),
    "CUR": (("read_transcript",),),
    "SNAP-1": (("clone",),),
    "SNAP-3": (("clone",),),
    "SNAP-2": (("hold",), ("held",)),
}
"""The operations that show a clause, or a whole group; of each tuple one is enough."""


def missing_capability(clause: Clause, capabilities: Capabilities) -> str | None:
    """Say which capability a clause cannot be seen without, or None where the adapter has it."""
    name = _SHOWN_BY.get(clause.id)
    if name is None or getattr(capabilities, name):
        return None
    return f"the adapter does not declare the capability {name}"


_SHOWN_BY: Final = {"MODE-8": "continue_after_panic"}


def replacement(clause: Clause, edition: Edition) -> str | None:
    """Say which change of an edition stands in a clause's place, or None where it holds."""
    change = _REPLACED.get(clause.id) if edition is Edition.NOVEMBER_2026 else None
    return None if change is None else f"edition {edition.value} has {change} in its place"


_REPLACED: Final = {"TRUNC-5": "E11-4"}


def missing_operations(clause: Clause, refused: frozenset[str]) -> tuple[str, ...]:
    """Give what a clause cannot be seen without, where an adapter refuses all of it."""
    for enough in _SEEN_BY.get(clause.id, _SEEN_BY.get(clause.group, ())):
        if refused.issuperset(enough):
            return enough
    return ()
