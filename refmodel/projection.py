"""Projection: from a history to the prompt (SPEC 2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from attrs import evolve, frozen

from contextcert.refmodel.collection import CollectionPaused
from contextcert.refmodel.completion import complete
from contextcert.refmodel.item_ids import without_odd_id
from contextcert.refmodel.items import Envelope, Item
from contextcert.refmodel.media import without_audio, without_images
from contextcert.refmodel.modes import DEFAULT_EDITION, Edition
from contextcert.refmodel.orphans import remove_orphans


@frozen
class Projection:
    """A prompt and what was wrong with the history it was made from.

    Both build modes make the same one. Where there are anomalies, debug panics with the first
    message and has no prompt, and release reports them all (MODE-3 to MODE-7).
    """

    envelopes: tuple[Envelope, ...]
    """The prompt's items; those of the history keep their metadata (PROJ-5)."""
    anomalies: tuple[str, ...]
    """The messages of MODE-1: all of step A in item order, then step B in item order (MODE-6)."""

    @property
    def items(self) -> list[Item]:
        """The prompt: the items to send, in order."""
        return [envelope.item for envelope in self.envelopes]


def project(
    envelopes: Iterable[Envelope],
    input_modalities: Collection[str],
    edition: Edition = DEFAULT_EDITION,
) -> Projection:
    """Run the four steps; the prompt depends on the arguments alone (PROJ-1 to PROJ-3).

    Whether `text` is among the modalities makes no difference, and the media steps do not know
    of each other (AUD-5) or of pairs (AUD-6).
    """
    with CollectionPaused():
        completed, unanswered = complete(envelopes)
        prompt, orphans = remove_orphans(completed)
        if "image" not in input_modalities:  # IMG-1
            prompt = _each(prompt, without_images)
        if "audio" not in input_modalities:  # AUD-1
            prompt = _each(prompt, without_audio)
        if edition is Edition.NOVEMBER_2026:
            prompt = _each(prompt, without_odd_id)  # E11-6
        return Projection(tuple(prompt), (*unanswered, *orphans))


def _each(envelopes: Iterable[Envelope], change: Callable[[Item], Item]) -> list[Envelope]:
    """Change the items in their envelopes; what does not change stays the same value."""
    changed: list[Envelope] = []
    for envelope in envelopes:
        item = change(envelope.item)
        changed.append(envelope if item is envelope.item else evolve(envelope, item=item))
    return changed
