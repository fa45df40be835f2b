"""The mistakes that real histories have made are all in the zoo, each said in whole."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest

from contextcert.refmodel import CLAUSES, Mode

sys.path.insert(0, str(Path(__file__).parent))

from kill_matrix.witnesses import witnesses
from zoo.equivalent import EQUIVALENT
from zoo.registry import FAULTS

REQUIRED: Final = {
    "pairing by adjacency": ("pairs-by-adjacency",),
    "pairing by position": ("pairs-by-position",),
    "one id set shared by all families": ("families-share-answers",),
    "local shell left out": ("local-shell-left-out",),
    "tool search without id completed": ("search-without-id-completed",),
    "random synthetic ids": ("random-id",),
    "synthetic ids derived from the call id": ("id-from-call-id",),
    "synthetic ids derived from the position": ("id-from-position",),
    "wrong prefix": ("call-prefix-kept", "function-prefix-for-all"),
    "wrong namespace": ("well-known-namespace",),
    "empty id treated as present": ("empty-id-hashed",),
    "output appended at the end": ("synthetic-at-the-end",),
    "output before its call": ("synthetic-before-its-call",),
    "duplicates removed": ("first-output-wins", "last-output-wins", "equal-items-removed"),
    "one output used up by the first of two calls": ("output-used-up",),
    "orphans of another family kept": (
        "custom-call-keeps-function-output",
        "function-call-keeps-custom-output",
        "any-call-keeps-search-output",
    ),
    "server outputs dropped": ("server-output-dropped",),
    "Server treated as server": ("server-in-any-case",),
    "panics on function calls": ("function-gap-is-an-anomaly",),
    "no panic in debug": ("debug-never-panics",),
    "panic with another message": ("message-without-id", "shell-gap-called-function"),
    "release panics": ("release-panics",),
    "repair written back into the history": ("repair-written-back", "completion-written-back"),
    "placeholder text altered": ("image-notice-in-other-words", "audio-notice-says-image"),
    "image removed instead of replaced": ("image-removed",),
    "revised prompt cleared": ("revised-prompt-cleared",),
    "audio clearing image generation": ("audio-pass-clears-images",),
    "media pass skipped for custom outputs": (
        "images-stay-in-custom-outputs",
        "audio-stays-in-custom-outputs",
    ),
    "truncating messages": ("messages-truncated",),
    "floor instead of ceil": ("enlarged-rounding-down", "tokens-rounded-down"),
    "splitting a character": ("character-split", "suffix-splits-a-character"),
    "marker count from what was removed": ("tokens-from-what-was-removed",),
    "head removal of all matches": ("head-takes-all-matches",),
    "head removal of the last match": ("head-takes-last-match",),
    "head removal of a shell call before a function call": ("shell-call-before-function-call",),
    "version bumped by recording": ("recording-bumps-version",),
    "baseline kept by rollback": ("baseline-kept-by-rollback",),
    "reference context cleared by a pure bundle": ("pure-bundle-clears-reference",),
    "reference context kept by a mixed bundle": ("mixed-bundle-keeps-reference",),
    "trimming past the first boundary": ("trimmed-past-first-boundary",),
    "one contextual entry not enough": ("one-contextual-entry-not-enough",),
    "clone sharing state": ("clone-is-the-same-history", "clone-shares-items"),
    "delta after replace": ("delta-after-replace",),
}
AT_LEAST: Final = 120


@pytest.mark.parametrize("mistake", REQUIRED)
def test_mistake_is_in_the_zoo(mistake: str) -> None:
    """Every mistake has a fault, or several."""
    assert set(REQUIRED[mistake]) <= FAULTS.keys()


@pytest.mark.parametrize("name", FAULTS)
def test_fault_says_everything(name: str) -> None:
    """Its clause, the modes it shows in, the reason for it, and the least that shows it."""
    fault = FAULTS[name]
    assert fault.clause in CLAUSES
    assert fault.modes
    assert set(fault.modes) <= {mode.value for mode in Mode}
    assert fault.why
    assert witnesses()[name].size.operations if fault.lived else fault.minimum


def test_there_are_enough() -> None:
    """Faults are counted without the changes that are proven to change nothing."""
    assert len(FAULTS) >= AT_LEAST
    assert not FAULTS.keys() & EQUIVALENT.keys() - {"orphans-before-gaps"}
    assert all(one.proof for one in EQUIVALENT.values())
