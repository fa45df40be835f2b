"""The two build modes (SPEC 2.6) and the editions of the specification (SPEC 7)."""

from enum import Enum


class Mode(Enum):
    """How a build meets an anomaly: debug panics, release repairs and reports (MODE-1)."""

    DEBUG = "debug"
    RELEASE = "release"

    __hash__ = object.__hash__  # there is one of each; the hash of an Enum costs a call


class Edition(Enum):
    """A frozen set of clauses; every judgement names the one it used."""

    AUGUST_2026 = "2026-08"
    NOVEMBER_2026 = "2026-11"


DEFAULT_EDITION = Edition.AUGUST_2026
