"""One check per clause, by chapter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from contextcert.properties.case import Case
from contextcert.properties.checks.check import (
    Acquittal,
    Check,
    Finding,
    PromptCheck,
    ShownCheck,
    Suspicion,
)
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
from contextcert.properties.checks.edition import EDITION
from contextcert.properties.checks.head import HEAD
from contextcert.properties.checks.keeping import KEEPING, kept
from contextcert.properties.checks.looking import Looks
from contextcert.properties.checks.media import MEDIA
from contextcert.properties.checks.modalities import AUD_5, AUD_6
from contextcert.properties.checks.modes import MODES
from contextcert.properties.checks.order import ORD_1, ORD_2, ORD_3
from contextcert.properties.checks.orphans import ORPH_1, ORPH_2, ORPH_5, ORPH_7, ORPH_9
from contextcert.properties.checks.pairing import PAIRING
from contextcert.properties.checks.purity import (
    PURITY,
    changes_never_panic,
    depends_on_items_alone,
    late_outputs,
    same_after_panic,
    usable_after_panic,
)
from contextcert.properties.checks.readings import REPLACING, readings
from contextcert.properties.checks.recording import RECORDING
from contextcert.properties.checks.refusal import ITEM_4
from contextcert.properties.checks.relation import Counts, RelationCheck
from contextcert.properties.checks.repetition import PROJ_2, PROJ_4, PROJ_5, SYN_3
from contextcert.properties.checks.rollback import ROLLBACK
from contextcert.properties.checks.sharing import mixed
from contextcert.properties.checks.snapshots import SNAPSHOTS, alike, handed_out
from contextcert.properties.checks.synthetic_ids import SYN_1, SYN_2, SYN_4
from contextcert.properties.checks.transcript import CURSOR, read
from contextcert.properties.checks.truncation import TRUNCATION, cut_before_projected
from contextcert.properties.checks.wire import ENVELOPES, WIRE
from contextcert.properties.checks.world import WORLD, reported
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

LIFE_CHECKS: Final[tuple[Callable[[Looks, Counts], Iterable[Finding]], ...]] = (
    readings,
    kept,
    reported,
    read,
    handed_out,
    alike,
    mixed,
    depends_on_items_alone,
)
"""What judges the looks of a script that holds any."""

CHANGE_CHECKS: Final[tuple[Callable[[Case, Counts], Iterable[Finding]], ...]] = (
    late_outputs,
    changes_never_panic,
    same_after_panic,
    usable_after_panic,
    cut_before_projected,
)
"""What judges changes and projections of a whole script, looks or no looks."""

_ALL: Final[tuple[Check, ...]] = (
    *PROMPT_CHECKS,
    *RELATION_CHECKS,
    *RECORDING.values(),
    *TRUNCATION.values(),
    *HEAD.values(),
    *ROLLBACK.values(),
    *REPLACING.values(),
    *KEEPING.values(),
    *WORLD.values(),
    *CURSOR.values(),
    *SNAPSHOTS.values(),
    *PURITY.values(),
    *MODES.values(),
    *WIRE.values(),
    *ENVELOPES.values(),
    *EDITION.values(),
)

CHECKS: Final[Mapping[str, Check]] = MappingProxyType(
    {clause: check for clause in CLAUSES for check in _ALL if check.clause == clause}
)
"""Every check, by clause, in the order of SPEC; MODE-10 is judged on the certificate."""

__all__ = [
    "CHECKS",
    "Acquittal",
    "Check",
    "Finding",
    "PromptCheck",
    "RelationCheck",
    "ShownCheck",
    "Suspicion",
]
