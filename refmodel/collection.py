"""Keeping the garbage collector out of the way."""

from __future__ import annotations

import gc
from types import TracebackType

from attrs import define


@define
class CollectionPaused:
    """Pause cyclic garbage collection for a projection or a script.

    Nothing the model makes is part of a cycle, and nearly all of it is part of what it returns:
    collections would find nothing, and walking 100,000 items again and again costs more than
    projecting them. Process-wide, but never left on by mistake: whoever finds it paused leaves
    it so.
    """

    _was_enabled: bool = False

    def __enter__(self) -> None:
        """Pause collection, unless it is off already."""
        self._was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Go on as before."""
        if self._was_enabled:
            gc.enable()
