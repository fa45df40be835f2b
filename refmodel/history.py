"""The history: a frozen value whose operations give new histories (SPEC 2 to 5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from attrs import evolve, field, frozen

from contextcert.refmodel.chain import EMPTY, EnvelopeChain
from contextcert.refmodel.fresh_ids import FreshIds
from contextcert.refmodel.head_removal import remove_first
from contextcert.refmodel.items import Envelope, Item
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import DEFAULT_EDITION, Edition
from contextcert.refmodel.opaque import comparable
from contextcert.refmodel.projection import Projection, project
from contextcert.refmodel.recording import recorded
from contextcert.refmodel.rollback import roll_back
from contextcert.refmodel.transcript import Cursor, TranscriptRead, read_transcript
from contextcert.refmodel.truncation import TruncationPolicy
from contextcert.refmodel.wire import write_items
from contextcert.refmodel.world import merge_patch

VERSION_MAX: Final = 2**64 - 1
"""Where the version stops (VER-2)."""


@frozen
class History:
    """A context history at one moment; `History()` is a new one (VER-1).

    Every operation gives another history and leaves this one alone, so a clone is the value
    itself (SNAP-1, SNAP-3) and what was read from it cannot change (SNAP-2). No operation fails,
    however broken the pairs are (MODE-9). Appending costs the same at any length, clone or no
    clone; everything else costs in proportion to the number of items at most.
    """

    envelopes: EnvelopeChain = EMPTY
    version: int = 0
    """How often the history was rewritten (VER)."""
    baseline: Json = field(default=None, eq=comparable)
    """The world state last reported, or None (WORLD)."""
    reference_context: Json = field(default=None, eq=comparable)
    """The opaque value a consumer diffs settings by, or None (REF-1)."""
    token_info: Json = field(default=None, eq=comparable)
    """The opaque usage record, or None."""

    @property
    def items(self) -> list[Item]:
        """The items as recorded, in order."""
        return [envelope.item for envelope in self.envelopes]

    def record(
        self,
        envelopes: Iterable[Envelope],
        policy: TruncationPolicy,
        edition: Edition = DEFAULT_EDITION,
        fresh_ids: FreshIds | None = None,
    ) -> History:
        """Append what is kept of the envelopes and change nothing else (REC-1 to REC-7, WORLD-6).

        `fresh_ids` is asked only in edition 2026-11 (E11-2).
        """
        return self._appended(recorded(envelopes, policy, edition, fresh_ids))

    def restore(self, items: Iterable[Item], edition: Edition = Edition.NOVEMBER_2026) -> History:
        """Append a stored session that was read back: like recording, but without ids (E11-2).

        The filter of REC-2, E11-3 and E11-5 apply as to any recording. There is no policy to
        truncate by: SPEC gives `restore_items` none, and a session was truncated, if at all,
        when it was recorded.
        """
        return self._appended(recorded(map(Envelope, items), None, edition))

    def replace(self, items: Iterable[Item]) -> History:
        """Install exactly these items (REPL-1, REPL-2, VER-2, WORLD-5)."""
        return self._rewritten(map(Envelope, items))

    def remove_first(self) -> History:
        """Drop the oldest item with its counterpart (HEAD-1 to HEAD-9, VER-3, WORLD-5)."""
        if not self.envelopes:
            return self
        left = remove_first(tuple(self.envelopes))
        return evolve(self, envelopes=EnvelopeChain.of(left), baseline=None)

    def roll_back(self, num_turns: int) -> History:
        """Drop the last turns (ROLL-1 to ROLL-10, VER-2, WORLD-5, WORLD-6).

        Without a boundary the items stay and the rest is as in any rollback (SPEC 4.1).
        """
        if num_turns == 0:
            return self
        rolled_back = roll_back(tuple(self.envelopes), num_turns)
        rewritten = self._rewritten(rolled_back.envelopes)
        if rolled_back.clears_reference_context:
            return evolve(rewritten, reference_context=None)
        return rewritten

    def set_baseline(self, state: Json) -> History:
        """Set the world state baseline; None clears it (VER-3)."""
        return evolve(self, baseline=state)

    def update_world_state(self, state: JsonObject) -> tuple[History, JsonObject | None]:
        """Make a state the baseline and give what is to be reported (WORLD-1 to WORLD-3).

        The report is `{"full": true, "state": ...}`, `{"full": false, "patch": ...}`, or None if
        nothing changed.
        """
        return self.set_baseline(state), self._world_state_report(state)

    def set_reference_context(self, value: Json) -> History:
        """Set the reference context; None clears it (REF-1, VER-3)."""
        return evolve(self, reference_context=value)

    def set_token_info(self, value: Json) -> History:
        """Set the token info; None clears it (VER-3)."""
        return evolve(self, token_info=value)

    def project(
        self, input_modalities: Collection[str], edition: Edition = DEFAULT_EDITION
    ) -> Projection:
        """Make the prompt; the history stays as it is (PROJ-1 to PROJ-7)."""
        return project(self.envelopes, input_modalities, edition)

    def read_transcript(self, cursor: Cursor | None) -> TranscriptRead:
        """Give a reader what it has not seen yet (CUR-1 to CUR-4)."""
        return read_transcript(self.version, write_items(self.items), cursor)

    def _appended(self, envelopes: Iterable[Envelope]) -> History:
        return evolve(self, envelopes=self.envelopes.extended(envelopes))

    def _rewritten(self, envelopes: Iterable[Envelope]) -> History:
        version = min(self.version + 1, VERSION_MAX)
        return evolve(self, envelopes=EnvelopeChain.of(envelopes), version=version, baseline=None)

    def _world_state_report(self, state: JsonObject) -> JsonObject | None:
        if self.baseline is None:
            return {"full": True, "state": state}
        patch = merge_patch(self.baseline, state)
        return None if patch is None else {"full": False, "patch": patch}
