"""The model catalogue: one model for each set of input modalities, and one for each policy."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from contextcert.refmodel import TruncationPolicy
from contextcert.refmodel.claim import MODALITIES
from contextcert.refmodel.json_value import Json, JsonObject

POLICY: Final[JsonObject] = {"mode": "tokens", "limit": 10_000}
"""The recording policy of the models that are projected for (SPEC 3.2)."""

USUAL_POLICY: Final = TruncationPolicy.from_json(POLICY)

LARGEST_LIMIT: Final = 2**63 - 1
"""The largest limit that the binary reads from a catalogue."""

# Large enough that no history ever starts an automatic compaction.
_CONTEXT_WINDOW: Final = 1 << 40


def model_name(modalities: Iterable[str]) -> str:
    """Name the catalogue's model for a set of modalities; it records under the usual policy."""
    present = set(modalities)
    named = [name for name in MODALITIES if name in present]
    return "takes-" + ("-".join(named) or "nothing")


def recording_model(policy: TruncationPolicy) -> str:
    """Name the catalogue's model that records under a policy."""
    if policy == USUAL_POLICY:
        return model_name(())
    return f"records-{policy.mode.value}-{policy.limit}"


def catalogue(modalities: Iterable[str], policies: Iterable[TruncationPolicy] = ()) -> JsonObject:
    """Give the catalogue of models for every subset of the modalities, and for the policies."""
    present = set(modalities)
    known = [name for name in MODALITIES if name in present]
    subsets = [subset for size in range(len(known) + 1) for subset in combinations(known, size)]
    projecting = [_model(model_name(subset), subset, USUAL_POLICY) for subset in subsets]
    others = sorted(set(policies) - {USUAL_POLICY}, key=recording_model)
    recording = [_model(recording_model(policy), (), policy) for policy in others]
    return {"models": [*projecting, *recording]}


def _model(name: str, modalities: tuple[str, ...], policy: TruncationPolicy) -> Json:
    return {
        "slug": name,
        "display_name": name,
        "input_modalities": list(modalities),
        "truncation_policy": {"mode": policy.mode.value, "limit": policy.limit},
        "context_window": _CONTEXT_WINDOW,
        "base_instructions": "",
        "shell_type": "disabled",
        "visibility": "list",
        "supported_in_api": True,
        "priority": 1,
        "support_verbosity": False,
        "supports_parallel_tool_calls": False,
        "supports_reasoning_summaries": False,
        "supported_reasoning_levels": [],
        "experimental_supported_tools": [],
    }
