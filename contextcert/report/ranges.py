"""Many clause ids in few words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from contextcert.refmodel import CLAUSES

_WORTH_A_RANGE: Final = 3
_GROUP_SIZES: Final = Counter(clause.group for clause in CLAUSES.values())


def ranges(ids: list[str]) -> Iterator[str]:
    """Write whole groups as `REC`, and other runs of neighbouring clauses as `REC-1 to REC-3`."""
    numbered = [(CLAUSES[one].group, int(one.rpartition("-")[2])) for one in ids]
    for (group, _), run in groupby(
        enumerate(numbered), lambda pair: (pair[1][0], pair[1][1] - pair[0])
    ):
        numbers = [number for _, (_, number) in run]
        ids = [f"{group}-{number}" for number in numbers]
        if len(ids) == _GROUP_SIZES[group]:
            yield group
        elif len(ids) < _WORTH_A_RANGE:
            yield from ids
        else:
            yield f"{ids[0]} to {ids[-1]}"
