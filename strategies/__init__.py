"""What to try: the enumeration of all small histories, and Hypothesis strategies for large ones."""

from contextcert.strategies.alphabet import Symbol, alphabet, alphabet_digest, pairing_alphabet
from contextcert.strategies.enumeration import histories, history_count, modality_sets
from contextcert.strategies.generation import QUIET, drawing, generate, smallest_script
from contextcert.strategies.listings import listed_lives
from contextcert.strategies.operation_enumeration import (
    OperationSymbol,
    operation_alphabet,
    operation_script_count,
    operation_scripts,
)
from contextcert.strategies.programs import GROUPS, groups_of, scripts
from contextcert.strategies.projecting import POLICY, Script, is_restorable, projection_script
from contextcert.strategies.reading import READERS, reading_of, with_cursors
from contextcert.strategies.scope import OPERATIONS, Scope
from contextcert.strategies.wire_programs import specimen_scripts

__all__ = [
    "GROUPS",
    "OPERATIONS",
    "POLICY",
    "QUIET",
    "READERS",
    "OperationSymbol",
    "Scope",
    "Script",
    "Symbol",
    "alphabet",
    "alphabet_digest",
    "drawing",
    "generate",
    "groups_of",
    "histories",
    "history_count",
    "is_restorable",
    "listed_lives",
    "modality_sets",
    "operation_alphabet",
    "operation_script_count",
    "operation_scripts",
    "pairing_alphabet",
    "projection_script",
    "reading_of",
    "scripts",
    "smallest_script",
    "specimen_scripts",
    "with_cursors",
]
