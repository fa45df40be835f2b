"""The executable specification: what a context history is and what must come out of it.

Read it beside SPEC: `items` and `wire` are chapter 1, `projection` with `completion`, `orphans`
and `media` chapter 2, `recording` and `truncation` chapter 3, `history` with `head_removal`,
`rollback` and `world` chapter 4, `transcript` chapter 5. `script` runs the operations of the
adapter protocol on it.
"""

from contextcert.refmodel.claim import ITEM_TYPES, MODALITIES, Claim
from contextcert.refmodel.clauses import CLAUSES, HAZARDS, PROFILES, Clause
from contextcert.refmodel.completion import synthetic_id
from contextcert.refmodel.fresh_ids import FreshIds, seeded_fresh_ids
from contextcert.refmodel.history import History
from contextcert.refmodel.items import Envelope, Item
from contextcert.refmodel.json_value import Json, JsonObject, same_json
from contextcert.refmodel.modes import DEFAULT_EDITION, Edition, Mode
from contextcert.refmodel.projection import Projection, project
from contextcert.refmodel.script import OPERATIONS, run_script, run_script_in_both_modes
from contextcert.refmodel.shapes import ItemError
from contextcert.refmodel.truncation import TruncationPolicy
from contextcert.refmodel.wire import read_item, read_items, write_item, write_items

__all__ = [
    "CLAUSES",
    "DEFAULT_EDITION",
    "HAZARDS",
    "ITEM_TYPES",
    "MODALITIES",
    "OPERATIONS",
    "PROFILES",
    "Claim",
    "Clause",
    "Edition",
    "Envelope",
    "FreshIds",
    "History",
    "Item",
    "ItemError",
    "Json",
    "JsonObject",
    "Mode",
    "Projection",
    "TruncationPolicy",
    "project",
    "read_item",
    "read_items",
    "run_script",
    "run_script_in_both_modes",
    "same_json",
    "seeded_fresh_ids",
    "synthetic_id",
    "write_item",
    "write_items",
]
