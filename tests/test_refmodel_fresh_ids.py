"""Fresh item ids from a seed (E11-2)."""

from __future__ import annotations

import re
from itertools import pairwise
from uuid import RFC_4122, UUID

from contextcert.refmodel.fresh_ids import seeded_fresh_ids


def test_fresh_ids_are_a_prefix_and_a_version_7_uuid() -> None:
    """E11-2: the form is the prefix, an underscore, and a lower-case hyphenated UUID."""
    fresh_id = seeded_fresh_ids(0)
    for prefix in ("fc", "msg", "ctco"):
        text = fresh_id(prefix)
        assert re.fullmatch(prefix + r"_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text)
        uuid = UUID(text.removeprefix(f"{prefix}_"))
        assert (uuid.version, uuid.variant) == (7, RFC_4122)


def test_one_seed_gives_one_sequence() -> None:
    """E11-2: a seed fixes every id, also from one release of Python to the next."""
    first, second, other = seeded_fresh_ids(1), seeded_fresh_ids(1), seeded_fresh_ids(2)
    ids = [first("fc") for _ in range(5)]
    assert ids == [second("fc") for _ in range(5)]
    assert not set(ids) & {other("fc") for _ in range(5)}
    assert ids[0] == "fc_01a19467-e800-7ba8-9df0-6e7720b14f2f"


def test_ids_sort_as_they_were_given() -> None:
    """A version 7 UUID starts with its time, and time goes forward."""
    fresh_id = seeded_fresh_ids(3)
    ids = [fresh_id("fc") for _ in range(2000)]
    assert all(earlier[:16] < later[:16] for earlier, later in pairwise(ids))
