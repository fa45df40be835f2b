"""The context history of one agent: what is recorded, how it changes, what the model is sent."""

import logging
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from faults import fault, meet

from history.changes import roll_back, without_head
from history.cursor import Cursor, read_since
from history.ids import is_shown
from history.items import Edition, Envelope, Item, write_items
from history.media import downgrade, placeholders
from history.pairing import complete, remove_orphans
from history.recording import is_kept, recorded
from history.truncation import Policy
from history.world import report_of

_LOG = logging.getLogger(__name__)
_MAX_VERSION = 2**64 - 1


class History:
    """A history of envelopes with its version, baseline, reference context and token info (VER-1).

    An anomaly stops a debug build and is logged as an error by a release build (SPEC 2.6); which
    of the two this is, Python itself says: `python -O` makes `__debug__` false.
    """

    def __init__(self, edition: Edition = Edition.AUGUST_2026, *, debug: bool = __debug__) -> None:
        """Begin with nothing; `debug` stands in for the build where a test wants both."""
        self.version = 0
        self.reference_context: object = None
        self.world_baseline: object = None
        self.token_info: object = None
        self._edition = edition
        self._debug = debug
        self._envelopes: list[Envelope] = []

    def clone(self) -> "History":
        """Give another history that is equal now and independent from now on (SNAP-1)."""
        twin = History(self._edition, debug=self._debug)
        twin.version = self.version
        twin.reference_context = self.reference_context
        twin.world_baseline = self.world_baseline
        twin.token_info = self.token_info
        twin._envelopes = self._envelopes if fault("clone-shares-state") else [*self._envelopes]
        return twin

    def envelopes(self) -> list[Envelope]:
        """Give what is recorded, in a list of the caller's own (SNAP-2)."""
        return [*self._envelopes]

    def record(self, envelopes: Iterable[Envelope], policy: Policy) -> None:
        """Append items as they are, but for outputs that are too long (REC, TRUNC)."""
        self._envelopes += recorded(envelopes, policy, self._edition)
        if fault("version-bumped-by-recording"):
            self.version += 1

    def restore(self, envelopes: Iterable[Envelope]) -> None:
        """Append the items of a stored session, which keep the ids they have (E11-2)."""
        self._envelopes += [one for one in envelopes if is_kept(one.item)]

    def replace(self, envelopes: Iterable[Envelope]) -> None:
        """Install exactly these items (REPL-1)."""
        self._envelopes = [*envelopes]
        self._rewritten()

    def remove_first(self) -> None:
        """Remove the oldest item and its counterpart; an empty history stays (HEAD)."""
        if self._envelopes:
            self._envelopes = without_head(self._envelopes)
            self.world_baseline = None  # WORLD-5

    def drop_last_turns(self, turns: int) -> None:
        """Roll back; zero turns change nothing at all (ROLL)."""
        if turns == 0:
            return
        self._envelopes, clears_reference = roll_back(self._envelopes, turns)
        if clears_reference and not fault("mixed-bundle-keeps-reference"):
            self.reference_context = None
        baseline = self.world_baseline
        self._rewritten()
        if fault("baseline-kept-by-rollback"):
            self.world_baseline = baseline

    def prompt(self, modalities: AbstractSet[str]) -> list[Envelope]:
        """Project the history: what the model is sent, still in envelopes (SPEC 2).

        Raises:
            AssertionError: a debug build met an anomaly; nothing changed (MODE-3, MODE-8).
        """
        meet(one.item["type"] for one in self._envelopes)
        completed = complete(self._envelopes, self._report)
        kept = remove_orphans(completed, self._report)
        if fault("repair-written-back"):
            self._envelopes = completed
        omitted = placeholders(modalities)
        return [one.with_item(self._shown(one.item, omitted)) for one in kept]

    def update_world(self, state: object) -> dict[str, Any] | None:
        """Make a state the baseline, and give what there is to report of it (WORLD-1 to 3)."""
        report = report_of(self.world_baseline, state)
        self.world_baseline = state
        return report

    def read_transcript(self, cursor: Cursor | None) -> dict[str, Any]:
        """Give what a reader has not seen, with its new cursor (CUR)."""
        return read_since(write_items(self._envelopes), self.version, cursor)

    def _shown(self, item: Item, omitted: Mapping[str, str]) -> Item:
        """Give an item as a model sees it: media it cannot take in words, odd ids left out."""
        if omitted:
            item = downgrade(item, omitted)
        if self._edition is Edition.NOVEMBER_2026 and not is_shown(item.get("id", "")):
            return {name: value for name, value in item.items() if name != "id"}  # E11-6
        return item

    def _report(self, anomaly: str) -> None:
        """Stop a debug build, or log what it would have stopped at (MODE-1)."""
        if self._debug and not fault("no-panic-in-debug"):
            raise AssertionError(anomaly.upper() if fault("another-panic-message") else anomaly)
        if fault("release-panics") and anomaly.startswith("Custom tool call"):
            raise AssertionError(anomaly)
        _LOG.error(anomaly)

    def _rewritten(self) -> None:
        """Count a rewrite; what was reported before it counts no more (VER-2, WORLD-5)."""
        self.version = min(self.version + 1, _MAX_VERSION)
        self.world_baseline = None
