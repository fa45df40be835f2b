"""One check per clause, by chapter."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from contextcert.properties.checks.check import Check, Finding, PromptCheck, ShownCheck, Suspicion
from contextcert.properties.checks.clean import PROJ_6
from contextcert.properties.checks.completion import (
    PAIR_1,
    PAIR_2,
    PAIR_3,
    PAIR_4,
    PAIR_5,
    PAIR_12,
    PAIR_13,
    PAIR_14,
)
from contextcert.properties.checks.cross_mode import MODE_5
from contextcert.properties.checks.media import MEDIA
from contextcert.properties.checks.modalities import AUD_5, AUD_6
from contextcert.properties.checks.modes import MODES
from contextcert.properties.checks.order import ORD_1, ORD_2, ORD_3
from contextcert.properties.checks.orphans import ORPH_1, ORPH_2, ORPH_5, ORPH_7, ORPH_9
from contextcert.properties.checks.pairing import PAIRING
from contextcert.properties.checks.refusal import ITEM_4
from contextcert.properties.checks.relation import RelationCheck
from contextcert.properties.checks.repetition import PROJ_2, PROJ_4, PROJ_5, SYN_3
from contextcert.properties.checks.synthetic_ids import SYN_1, SYN_2, SYN_4
from contextcert.properties.checks.wire import ENVELOPES, WIRE
from contextcert.refmodel.clauses import CLAUSES

PROMPT_CHECKS: Final[tuple[PromptCheck, ...]] = (
    PAIR_1,
    PAIR_2,
    PAIR_3,
    PAIR_4,
    PAIR_5,
    PAIR_12,
    *PAIRING.values(),
    SYN_1,
    SYN_2,
    SYN_4,
    ORD_1,
    ORD_2,
    ORPH_1,
    ORPH_2,
    ORPH_5,
    ORPH_7,
    ORPH_9,
    *MEDIA.values(),
    ORD_3,
    PAIR_13,
    PAIR_14,
    PROJ_6,
)
"""The checks of one prompt."""

RELATION_CHECKS: Final[tuple[RelationCheck, ...]] = (
    PROJ_2,
    PROJ_4,
    PROJ_5,
    SYN_3,
    MODE_5,
    AUD_5,
    AUD_6,
    ITEM_4,
)
"""The checks of a whole script."""

_ALL: Final[tuple[Check, ...]] = (
    *PROMPT_CHECKS,
    *RELATION_CHECKS,
    *MODES.values(),
    *WIRE.values(),
    *ENVELOPES.values(),
)

CHECKS: Final[Mapping[str, Check]] = MappingProxyType(
    {clause: check for clause in CLAUSES for check in _ALL if check.clause == clause}
)
"""Every check, by clause, in the order of SPEC."""

JUDGED: Final = frozenset(CHECKS)
"""The clauses that have a check; MODE-10 is judged on the certificate."""

__all__ = [
    "CHECKS",
    "JUDGED",
    "Check",
    "Finding",
    "PromptCheck",
    "RelationCheck",
    "ShownCheck",
    "Suspicion",
]
