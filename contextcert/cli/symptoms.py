"""From what a user sees go wrong to the clauses that speak of it."""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

LEAST_SHARED_WORDS: Final = 2


@frozen
class Symptom:
    """Something a user sees, in the words of a report, and the clauses to read."""

    seen: str
    clauses: tuple[str, ...]
    words: str = ""


SYMPTOMS: Final = (
    Symptom(
        "an output disappeared from the prompt",
        ("ORPH-1", "ORPH-2", "ORPH-5", "ORPH-6", "ORPH-8"),
        "lost missing gone vanished dropped result tool removed deleted",
    ),
    Symptom(
        "a call has no output",
        ("PAIR-1", "PAIR-2", "PAIR-3", "PAIR-4", "PAIR-13"),
        "missing unanswered without result provider rejects request 400 tool",
    ),
    Symptom(
        "an output says aborted although the tool answered",
        ("PAIR-6", "PAIR-8", "PAIR-9", "PAIR-14", "PROJ-7"),
        "synthetic twice duplicate real late result",
    ),
    Symptom(
        "ids change on retry",
        ("SYN-1", "SYN-3", "PROJ-2"),
        "id differ different random cache miss hit again every time resend uuid unstable",
    ),
    Symptom(
        "the prompt differs from one request to the next",
        ("PROJ-2", "PROJ-3", "PROJ-4"),
        "cache unstable nondeterministic changes random",
    ),
    Symptom(
        "items come out in another order",
        ("ORD-1", "ORD-2"),
        "moved sorted reordered wrong position place after before",
    ),
    Symptom(
        "an item was changed on the way to the prompt",
        ("ORD-3", "PROJ-6", "IMG-5"),
        "altered modified field null empty string list lost renamed",
    ),
    Symptom(
        "it panics in debug",
        ("MODE-1", "MODE-3", "MODE-6"),
        "crash crashes abort assertion build message stops",
    ),
    Symptom(
        "it panics in release",
        ("MODE-4", "MODE-7"),
        "crash crashes abort production dies exception",
    ),
    Symptom(
        "debug and release disagree",
        ("MODE-5", "MODE-2", "MODE-10"),
        "different builds differ modes",
    ),
    Symptom(
        "an image is still in the prompt of a model without images",
        ("IMG-2", "IMG-3", "IMG-4"),
        "picture vision unsupported modality kept omitted placeholder",
    ),
    Symptom(
        "an image disappeared although the model takes images",
        ("IMG-1", "IMG-5"),
        "picture vision omitted placeholder lost gone",
    ),
    Symptom(
        "audio is still in the prompt of a model without audio",
        ("AUD-2", "AUD-3", "AUD-5"),
        "sound voice unsupported modality kept omitted placeholder",
    ),
    Symptom(
        "audio disappeared although the model takes audio",
        ("AUD-1", "AUD-4", "AUD-5"),
        "sound voice omitted placeholder lost gone",
    ),
    Symptom(
        "the history changed by being read",
        ("PROJ-1", "SNAP-2", "MODE-8"),
        "mutated modified projecting reading side effect",
    ),
    Symptom(
        "a message was not recorded",
        ("REC-1", "REC-2", "ITEM-4"),
        "dropped lost system missing refused item",
    ),
    Symptom(
        "an output was cut",
        ("TRUNC-2", "TRUNC-3", "TRUNC-7"),
        "truncated shortened long text marker chars tokens",
    ),
    Symptom(
        "rolling back drops too much or too little",
        ("ROLL-2", "ROLL-4", "ROLL-5", "ROLL-9"),
        "undo rollback turn turns rewind backtrack",
    ),
    Symptom(
        "compaction leaves a call or an output alone",
        ("HEAD-2", "HEAD-3", "HEAD-4", "HEAD-9"),
        "removing oldest first item trim head orphan",
    ),
    Symptom(
        "the environment is reported again in full",
        ("WORLD-1", "WORLD-2", "WORLD-5"),
        "world state baseline patch update whole",
    ),
    Symptom(
        "a reader of the transcript misses entries",
        ("CUR-1", "CUR-3", "CUR-4"),
        "cursor delta lost stale version",
    ),
    Symptom(
        "a copy changes with its original",
        ("SNAP-1", "SNAP-3"),
        "clone fork shared aliasing independent",
    ),
    Symptom(
        "a field was lost or an item refused on reading",
        ("ITEM-1", "ITEM-3", "ITEM-4", "ITEM-5"),
        "parse decode json unknown null absent serialise",
    ),
)


def symptoms_like(text: str) -> list[Symptom]:
    """Give the symptoms that share the most words with the text, best first."""
    asked = _stems(text)
    scored = [(_score(asked, one), one) for one in SYMPTOMS]
    best = max(score for score, _ in scored)
    if best < LEAST_SHARED_WORDS:
        return []
    return [one for score, one in scored if score == best]


def _score(asked: set[str], symptom: Symptom) -> int:
    """Count shared words; what stands in the symptom's own sentence counts twice."""
    seen = _stems(symptom.seen)
    return 2 * len(asked & seen) + len(asked & (_stems(symptom.words) - seen))


def _stems(text: str) -> set[str]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {_stem(word) for word in words if word not in _COMMON}


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


_SHORTEST_STEM: Final = 3
_COMMON: Final = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by for from has have i in is it its my of on or our says so still "
        "that the then this to was we were what when why will with",
    )
)
