"""What must hold: one check per clause, and the judge that applies them to a subject's answers."""

from contextcert.properties.attribution import causes
from contextcert.properties.checks import CHECKS, Check
from contextcert.properties.equality import Sight
from contextcert.properties.examples import Example, edition_of, examples, goes_on
from contextcert.properties.hazards import Hazard, NamedAnomaly, anomalies, hazards
from contextcert.properties.judge import Judge, Model
from contextcert.properties.judgement import Judgement
from contextcert.properties.observation import is_settled
from contextcert.properties.own_cursors import reads_on, with_own_cursors
from contextcert.properties.twins import debug_twin
from contextcert.properties.upstream import DEBUG_SUFFIX, UpstreamTest, upstream_tests
from contextcert.properties.violations import (
    VIOLATIONS,
    ClauseViolation,
    Difference,
    Violation,
)

__all__ = [
    "CHECKS",
    "DEBUG_SUFFIX",
    "VIOLATIONS",
    "Check",
    "ClauseViolation",
    "Difference",
    "Example",
    "Hazard",
    "Judge",
    "Judgement",
    "Model",
    "NamedAnomaly",
    "Sight",
    "UpstreamTest",
    "Violation",
    "anomalies",
    "causes",
    "debug_twin",
    "edition_of",
    "examples",
    "goes_on",
    "hazards",
    "is_settled",
    "reads_on",
    "upstream_tests",
    "with_own_cursors",
]
