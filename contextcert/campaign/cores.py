"""Which processor cores a campaign may use; the one place that asks the system."""

from __future__ import annotations

import os


def available() -> tuple[int, ...]:
    """Give the cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return tuple(sorted(os.sched_getaffinity(0)))
    return tuple(range(os.cpu_count() or 1))


def stay_on(core: int) -> None:
    """Keep this process, and the children it starts from now on, on one core where that is offered.

    A worker and the adapter it waits for never work at the same time, and a hand-over within a core
    is several times cheaper than one between cores.
    """
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
