"""Keeping the garbage collector out of the way."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pause cyclic garbage collection for a projection or a script.

    Nothing the model makes is part of a cycle, and nearly all of it is part of what it returns:
    collections would find nothing, and walking 100,000 items again and again costs more than
    projecting them. Process-wide, but never left on by mistake: whoever finds it paused leaves
    it so.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
