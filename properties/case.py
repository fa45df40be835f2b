"""One script, followed, with what each mode showed of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from attrs import define

from contextcert.properties.equality import Sight
from contextcert.properties.ledger import Ledger
from contextcert.properties.observation import Survey
from contextcert.properties.view import Outcome, Shown
from contextcert.refmodel.json_value import JsonObject
from contextcert.refmodel.modes import Edition, Mode
from contextcert.subject import Script


@define(eq=False)
class Case:
    """What a subject showed of one script, in one mode or both.

    `ledgers` keep account of whole lives, where the script holds any; `silent` are the operations
    whose outcome says nothing. `outcomes` are the projections of known histories and `readings`
    the raw histories;
    `unsupported` gives the reason for every kind of operation that the adapter cannot do.
    """

    script: Script
    edition: Edition
    surveys: Mapping[Mode, Survey]
    ledgers: Mapping[Mode, Ledger | None]
    silent: Mapping[Mode, AbstractSet[int]]
    answers: Mapping[Mode, Sequence[JsonObject]]
    sights: Mapping[Mode, Sight]
    outcomes: Mapping[Mode, Sequence[Outcome]]
    readings: Mapping[Mode, Sequence[Shown]]
    unsupported: Mapping[Mode, Mapping[str, str]]
