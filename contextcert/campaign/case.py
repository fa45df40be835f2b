"""One thing to try: a script, the modes it is put to, and whether a panic ends it."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from contextcert.refmodel import Mode
from contextcert.subject import Script

BOTH: Final = tuple(Mode)
DEBUG_ALONE: Final = (Mode.DEBUG,)
PROJECTIONS: Final = frozenset({"for_prompt", "for_prompt_annotated"})
"""The operations that give a prompt."""


@frozen
class Case:
    """A script; it is put to debug alone where it is a twin, or shows what a panic hid.

    `place` is the number of a random script in its group. `goes_on` asks the subject to go on after
    a panic (MODE-8), as far as it can.
    """

    script: Script
    modes: tuple[Mode, ...] = BOTH
    place: int = 0
    goes_on: bool = False
