"""A certificate as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from attrs import field, frozen

from contextcert.growth import Growth
from contextcert.refmodel import Claim, Edition, Mode
from contextcert.refmodel.json_value import Json
from contextcert.subject import Capabilities, Script

FORMAT: Final = 1
"""Rises when a reader of the last format could misread a certificate."""


class Verdict(Enum):
    """What is said of a clause in a mode (DESIGN 1)."""

    CONFORMS = "conforms"
    VIOLATES = "violates"
    EXPECTED_FAILURE = "expected failure"
    NOT_EXERCISED = "not exercised"
    NOT_OBSERVABLE = "not observable"
    NOT_CLAIMED = "not claimed"
    NOT_YET_JUDGED = "not yet judged"


RED: Final = frozenset({Verdict.VIOLATES, Verdict.NOT_EXERCISED})


@frozen
class Counterexample:
    """The least script found that violates a clause in a mode, and how.

    `operation` is its place in the script, `expected` and `actual` are that operation's whole
    outcomes, and `path` is a JSON pointer into them. `continue_after_panic`, here and below, says
    that the subject was asked to go on after a panic (MODE-8).
    """

    message: str
    operation: int
    path: str
    expected: Json
    actual: Json
    script: Script
    evidence: str
    group: str
    count: int
    continue_after_panic: bool = False


@frozen
class ModeVerdict:
    """What is said of one clause in one mode, on how many occasions, and why."""

    verdict: Verdict
    exercised: int = 0
    reason: str | None = None
    violation: Counterexample | None = None


@frozen
class ClauseVerdicts:
    """One clause and what is said of it in every mode that was asked."""

    id: str
    profile: str
    text: str
    source: str
    modes: Mapping[Mode, ModeVerdict]


@frozen
class Suite:
    """What judged; other versions may generate other cases for one seed."""

    version: str
    hypothesis: str
    python: str


@frozen
class Judged:
    """The implementation that was judged."""

    name: str
    version: str
    language: str
    homepage: str | None


@frozen
class Build:
    """What one build declared of itself, and which operations it refused, with its reasons."""

    claim: Claim
    capabilities: Capabilities
    notes: tuple[str, ...] = ()
    unsupported: Mapping[str, str] = field(factory=dict)


@frozen
class Alphabet:
    """The symbols or operations that were enumerated, by number and digest."""

    symbols: int
    sha256: str


@frozen
class RecordedSessions:
    """The corpus that was mixed in, by digest and counts, never by its text.

    `shows_text` says that texts stood in scripts as they were recorded (--show-corpus-text).
    """

    sha256: str
    sessions: int
    items: int
    shows_text: bool


@frozen
class Evidenced:
    """Everything that decides which cases were run."""

    budget: str
    exhaustive_length: int
    pairing_length: int
    operations_length: int
    random_count: int
    floor: int
    seed: int
    evidence: tuple[str, ...]
    groups: tuple[str, ...]
    clauses: tuple[str, ...] | None
    fail_fast: bool
    alphabet: Alphabet
    pairing_alphabet: Alphabet
    operation_alphabet: Alphabet
    specimens: int
    operation_scripts: int
    listed_lives: int
    cases: int
    corpus: RecordedSessions | None = None


@frozen
class CertifiedFault:
    """A script that the adapter did not answer, or did not answer twice alike."""

    mode: Mode
    kind: str
    message: str
    repeated: bool
    script: Script
    continue_after_panic: bool = False


@frozen
class Unattributed:
    """A difference from the model that no check explains."""

    mode: Mode
    operation: int
    path: str
    expected: Json
    actual: Json
    script: Script
    continue_after_panic: bool = False


@frozen
class Run:
    """What differs from one run to the next; it stands outside the digest.

    `growth` is there where it was asked for (--growth).
    """

    started: str
    seconds: float
    workers: int
    command: tuple[str, ...]
    logs: tuple[str, ...] = ()
    growth: Growth | None = None


@frozen
class Certificate:
    """A verdict per clause and mode, and everything needed to reach it again.

    `unasked` counts the violations of claimed clauses that `--clause` left out.
    """

    suite: Suite
    subject: Judged
    edition: Edition
    claim: Claim
    builds: Mapping[Mode, Build]
    evidence: Evidenced
    clauses: tuple[ClauseVerdicts, ...]
    faults: tuple[CertifiedFault, ...]
    fault_count: int
    unattributed: tuple[Unattributed, ...]
    unattributed_count: int
    stopped: str | None
    unasked: Mapping[str, int] = field(factory=dict)
    run: Run | None = None

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes that were judged, debug first."""
        return tuple(mode for mode in Mode if mode in self.builds)

    def cells(self, verdict: Verdict) -> list[tuple[ClauseVerdicts, Mode, ModeVerdict]]:
        """Give every clause and mode with this verdict."""
        return [
            (clause, mode, said)
            for clause in self.clauses
            for mode, said in clause.modes.items()
            if said.verdict is verdict
        ]
