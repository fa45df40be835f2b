"""What must hold: one check per clause, and the judge that applies them to a subject's answers."""

from contextcert.properties.checks import CHECKS, JUDGED, Check
from contextcert.properties.judge import Judge, Model
from contextcert.properties.judgement import Judgement
from contextcert.properties.violations import (
    VIOLATIONS,
    ClauseViolation,
    Difference,
    Violation,
)

__all__ = [
    "CHECKS",
    "JUDGED",
    "VIOLATIONS",
    "Check",
    "ClauseViolation",
    "Difference",
    "Judge",
    "Judgement",
    "Model",
    "Violation",
]
