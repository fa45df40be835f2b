"""Every fault of the zoo by name, and how to make a subject with one."""

from __future__ import annotations

import importlib
import pkgutil

from zoo import faults
from zoo.faulty import FAULTS
from zoo.subject import ZooSubject

__all__ = ["FAULTS", "subject"]

for _module in pkgutil.iter_modules(faults.__path__):
    importlib.import_module(f"{faults.__name__}.{_module.name}")


def subject(fault: str | None = None, mode: str | None = None) -> ZooSubject:
    """Make the correct subject, or the one with this fault.

    Raises:
        KeyError: there is no fault of this name.
    """
    return ZooSubject(mode) if fault is None else FAULTS[fault].make(mode)
