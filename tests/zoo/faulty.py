"""How a fault is declared: one subclass, one marked place, and what a certificate must say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from zoo.subject import ZooSubject

BOTH: Final = ("debug", "release")
DEBUG: Final = ("debug",)
RELEASE: Final = ("release",)


@dataclass(frozen=True)
class Fault:
    """One faulty subject.

    `clause` is the one it breaks, `also` are others that are equally right to name. `minimum` is
    the number of items of the shortest history that shows it, `modes` are those it shows in
    there. `plain` says that recording listed items and projecting them is enough; otherwise it
    takes an operation or an odd value, and `needs` says which.

    `lived` says that it takes a longer life of a history; the shortest script that shows such a
    fault stands in `witnesses.jsonl`, and its length is the known minimum.
    """

    name: str
    make: type[ZooSubject]
    clause: str
    also: tuple[str, ...]
    modes: tuple[str, ...]
    minimum: int
    needs: str
    why: str
    lived: bool = False

    @property
    def plain(self) -> bool:
        """Whether the listed items and a projection are enough to show it."""
        return not self.needs and not self.lived

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that may be named, its own first."""
        return (self.clause, *self.also)


FAULTS: Final[dict[str, Fault]] = {}

_Make = TypeVar("_Make", bound=type[ZooSubject])


def fault(  # noqa: PLR0913 - one declaration says everything about a fault
    name: str,
    clause: str,
    *,
    why: str,
    also: tuple[str, ...] = (),
    modes: tuple[str, ...] = BOTH,
    minimum: int = 1,
    needs: str = "",
) -> Callable[[_Make], _Make]:
    """Register the class below as a fault; the arguments are those of `Fault`."""

    def register(make: _Make) -> _Make:
        _add(Fault(name, make, clause, also, modes, minimum, needs, why))
        return make

    return register


def life(
    name: str,
    clause: str,
    *,
    why: str,
    also: tuple[str, ...] = (),
    modes: tuple[str, ...] = BOTH,
) -> Callable[[_Make], _Make]:
    """Register the class below as a fault that takes operations to show it."""

    def register(make: _Make) -> _Make:
        _add(Fault(name, make, clause, also, modes, 0, "", why, lived=True))
        return make

    return register


def _add(declared: Fault) -> None:
    if declared.name in FAULTS:
        raise ValueError(f"fault {declared.name} is declared twice")
    FAULTS[declared.name] = declared
