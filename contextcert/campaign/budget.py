"""How much evidence a campaign gathers: always in counts, never in seconds."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

from attrs import frozen


class Evidence(Enum):
    """Where a campaign's cases come from (DESIGN 4)."""

    EXHAUSTIVE = "exhaustive"
    VECTORS = "vectors"
    RANDOM = "random"


ALL_EVIDENCE: Final = tuple(Evidence)
"""In the order in which it is gathered: what finds the smallest counterexamples comes first."""


@frozen
class Budget:
    """Counts: the longest enumerated history, and how many random scripts a group has.

    `pairing_length` enumerates one step further over the pairing alphabet alone (0: not at all),
    and `operations_length` is the greatest number of operations in the scripts that are listed.
    `floor` is how often a clause has to be judged before it conforms, where random evidence was
    asked for; enumerated and pinned evidence alone is complete for what it covers, so there
    `ENUMERATED_FLOOR` is enough.
    """

    name: str
    exhaustive_length: int
    pairing_length: int
    random_count: int
    floor: int
    operations_length: int = 0
    fresh_seed: bool = False

    def floor_for(self, evidence: tuple[Evidence, ...]) -> int:
        """Give how often a clause must be judged under this kind of evidence."""
        return self.floor if Evidence.RANDOM in evidence else ENUMERATED_FLOOR


ENUMERATED_FLOOR: Final = 1

BUDGETS: Final[Mapping[str, Budget]] = MappingProxyType(
    {
        budget.name: budget
        for budget in (
            Budget("quick", 2, 0, 1_000, floor=5, operations_length=2),
            Budget("ci", 2, 3, 10_000, floor=20, operations_length=3),
            Budget("certify", 2, 3, 100_000, floor=100, operations_length=4),
            Budget("nightly", 2, 3, 100_000, floor=100, operations_length=4, fresh_seed=True),
        )
    }
)
"""What `--budget` names."""
