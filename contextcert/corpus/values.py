"""A corpus as frozen values."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from contextcert.refmodel.json_value import JsonObject


class CorpusError(Exception):
    """A folder is no corpus; one sentence says why, and what to do."""


@frozen
class Recorded:
    """An item that came in, and the policy its output was cut by, as far as that is known."""

    item: JsonObject
    policy: JsonObject | None = None


@frozen
class Replaced:
    """The history became these items (REPL-1)."""

    items: tuple[JsonObject, ...]


@frozen
class RolledBack:
    """The last turns were dropped (ROLL)."""

    turns: int


Move: TypeAlias = "Recorded | Replaced | RolledBack"


@frozen
class Session:
    """What happened to one history, in order."""

    moves: tuple[Move, ...]

    @property
    def items(self) -> int:
        """How many items it holds."""
        recorded = sum(isinstance(one, Recorded) for one in self.moves)
        return recorded + sum(len(one.items) for one in self.moves if isinstance(one, Replaced))


@frozen(eq=False)
class Corpus:
    """Sessions in an order that their content alone decides.

    Attributes:
        sha256: over what the files hold, whatever they are called.
        sessions: of every file that could be used.
        shows_text: whether texts are the recorded ones, and no stand-ins.
        notes: what was left out, a sentence a file.
    """

    sha256: str
    sessions: tuple[Session, ...]
    shows_text: bool = False
    notes: tuple[str, ...] = ()

    @property
    def items(self) -> int:
        """How many items all of it holds."""
        return sum(one.items for one in self.sessions)
