"""The model catalogue: one model for each set of input modalities."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from contextcert.refmodel.claim import MODALITIES
from contextcert.refmodel.json_value import Json, JsonObject

POLICY: Final[JsonObject] = {"mode": "tokens", "limit": 10_000}
"""The one recording policy of the catalogue's models (SPEC 3.2)."""

# Large enough that no history ever starts an automatic compaction.
_CONTEXT_WINDOW: Final = 1 << 40


def model_name(modalities: Iterable[str]) -> str:
    """Name the catalogue's model for a set of modalities."""
    present = set(modalities)
    named = [name for name in MODALITIES if name in present]
    return "takes-" + ("-".join(named) or "nothing")


def catalogue(modalities: Iterable[str]) -> JsonObject:
    """Give the catalogue of models for every subset of the modalities."""
    present = set(modalities)
    known = [name for name in MODALITIES if name in present]
    subsets = [subset for size in range(len(known) + 1) for subset in combinations(known, size)]
    return {"models": [_model(subset) for subset in subsets]}


def _model(modalities: tuple[str, ...]) -> Json:
    name = model_name(modalities)
    return {
        "slug": name,
        "display_name": name,
        "input_modalities": list(modalities),
        "truncation_policy": POLICY,
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
