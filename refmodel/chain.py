"""A sequence that grows at its end in constant time and shares its past with its clones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from attrs import frozen

from contextcert.refmodel.items import Envelope

BATCH: Final = 64
"""Up to how many envelopes a batch is copied when it grows, which bounds the cost of appending."""


@frozen(eq=False, repr=False)
class EnvelopeChain:
    """Envelopes in order, as a link to the earlier ones and the latest batch.

    A persistent vector would do as well, but the one in C that Python has is walked whole by
    every garbage collection, which makes many small recordings quadratic. For the same reason
    small batches are copied into one: what lives long is few objects.
    """

    latest: tuple[Envelope, ...] = ()
    earlier: EnvelopeChain | None = None
    length: int = 0

    @classmethod
    def of(cls, envelopes: Iterable[Envelope]) -> EnvelopeChain:
        """Make a chain of one batch."""
        latest = tuple(envelopes)
        return cls(latest, None, len(latest))

    def extended(self, envelopes: Iterable[Envelope]) -> EnvelopeChain:
        """Give a chain with more at its end; this one stays as it is."""
        latest = tuple(envelopes)
        if not latest:
            return self
        length = self.length + len(latest)
        if len(self.latest) + len(latest) <= BATCH:
            return EnvelopeChain(self.latest + latest, self.earlier, length)
        return EnvelopeChain(latest, self, length)

    def __len__(self) -> int:
        """Give the number of envelopes."""
        return self.length

    def __iter__(self) -> Iterator[Envelope]:
        """Walk the envelopes in order, in linear time and without recursion."""
        batches: list[tuple[Envelope, ...]] = []
        link: EnvelopeChain | None = self
        while link is not None:
            batches.append(link.latest)
            link = link.earlier
        return chain.from_iterable(reversed(batches))

    def __eq__(self, other: object) -> bool:
        """Say whether the envelopes are equal, however they came in (REC-6)."""
        return isinstance(other, EnvelopeChain) and list(self) == list(other)

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash(tuple(self))

    def __repr__(self) -> str:
        """Show the envelopes in one batch."""
        return f"EnvelopeChain.of({list(self)!r})"


EMPTY: Final = EnvelopeChain()
