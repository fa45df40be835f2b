"""Step B: outputs without a call go (ORPH)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from contextcert.refmodel.families import FAMILIES, ORPHANS
from contextcert.refmodel.items import Call, Envelope, Item, Output, ToolSearchOutput


def remove_orphans(envelopes: Iterable[Envelope]) -> tuple[list[Envelope], list[str]]:
    """Drop every orphan and nothing else (ORPH-1 to ORPH-9).

    Gives what is left and the anomalies, both in item order (MODE-1). A call counts wherever it
    stands (ORPH-8), and one call keeps any number of outputs (ORPH-6).
    """
    envelopes = list(envelopes)
    called = _called(envelopes)
    kept: list[Envelope] = []
    anomalies: list[str] = []
    for envelope in envelopes:
        item = envelope.item
        if (
            not isinstance(item, Output)
            or item.call_id is None  # ORPH-4, E11-1
            or item.call_id in called[type(item)]
            or _stands_alone(item)
        ):
            kept.append(envelope)
        else:
            anomalies.append(ORPHANS[type(item)] + item.call_id)
    return kept, anomalies


def _called(envelopes: Iterable[Envelope]) -> Mapping[type[Output], set[str | None]]:
    """Collect the call_ids of calls, by the type of output that they ask for (ORPH-1 to ORPH-5)."""
    called: dict[type[Output], set[str | None]] = {output: set() for output in ORPHANS}
    for envelope in envelopes:
        item = envelope.item
        if isinstance(item, Call):
            called[FAMILIES[type(item)].output].add(item.call_id)
    return called


def _stands_alone(item: Item) -> bool:
    """ORPH-3, ORPH-5: what the server searched needs no call; letter case counts."""
    return isinstance(item, ToolSearchOutput) and item.execution == "server"
