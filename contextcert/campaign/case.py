"""One thing to try: a script, and the modes it is put to."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from contextcert.refmodel import Mode
from contextcert.subject import Script

BOTH: Final = tuple(Mode)


@frozen
class Case:
    """A script; it is put to debug alone where it is a twin, or shows what a panic hid.

    `place` is the number of a random script in its group.
    """

    script: Script
    modes: tuple[Mode, ...] = BOTH
    place: int = 0
