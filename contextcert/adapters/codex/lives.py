"""One history on the binary, through all that the wire can do to it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, evolve, field

from contextcert.adapters.codex.app_server import AppServer, Shown, Thread
from contextcert.adapters.codex.diagnostics import escaped_call_ids, with_call_ids
from contextcert.adapters.codex.failures import BinaryIncoherent
from contextcert.adapters.codex.models import USUAL_POLICY, model_name, recording_model
from contextcert.adapters.codex.steps import Modalities
from contextcert.adapters.codex.stored_session import StoredHistory
from contextcert.refmodel import ItemError, TruncationPolicy, read_item
from contextcert.refmodel.json_value import Json


class NothingLeft(Exception):  # noqa: N818 -- an outcome, not a failure
    """The binary stopped before it came to what was asked for; the message says why."""


@define
class Life:
    """A history and the thread that it lives on.

    A thread cannot be rolled back, nor given other items. So what has been done is kept in a stored
    session, and a new thread reads it, where that is asked for (`is_stored`). Items are removed
    from the front as the binary does it: on a copy, while it tries to compact the history.
    `removals` is the number of removals that are still to come, or more.
    """

    _server: AppServer
    _is_stored: bool
    _removals: int = 0
    _thread: Thread | None = None
    _resumed: bool = False
    _model: str = ""
    _policy: TruncationPolicy = USUAL_POLICY
    _stored: StoredHistory = field(factory=StoredHistory)
    _given: list[Json] = field(factory=list)
    _removed: int = 0
    _compacted: dict[Modalities, list[dict[int, Shown]]] = field(factory=dict)

    def record(self, items: Sequence[Json], policy: TruncationPolicy) -> None:
        """Record items.

        Raises:
            BinaryRefusal: one of them is not readable; none was recorded.
        """
        if not items:
            return
        thread = self._thread_for(recording_model(policy), policy)
        if policy != self._policy:
            # A thread takes another model with a turn, and with the model its policy.
            self._turn(thread, recording_model(policy), policy)
        before = _size(thread)
        self._server.inject(thread, items)
        self._given += items
        if self._is_stored:
            self._stored.add_kept(_written_since(thread, before))

    def restore(self, items: Sequence[Json]) -> None:
        """Read a stored session into the history.

        Raises:
            BinaryRefusal: one of the items is not readable; the history is as it was.
        """
        self._require_readable(items)
        self._stored.add(items)
        self._given += items
        self._thread = None

    def roll_back(self, turns: int) -> None:
        """Drop the last instruction turns."""
        self._stored.roll_back(turns)
        self._thread = None

    def replace(self, items: Sequence[Json]) -> None:
        """Have the history hold these items alone.

        Raises:
            BinaryRefusal: one of them is not readable; the history is as it was.
        """
        self._require_readable(items)
        self._stored.replace(items)
        self._given += items
        self._removed = 0
        self._compacted.clear()
        self._thread = None

    def remove_first(self) -> None:
        """Remove the first item, when the history is projected next."""
        self._removed += 1

    def project(self, modalities: Modalities) -> Shown:
        """Give the prompt for a model of these modalities.

        Raises:
            NothingLeft: the binary stopped removing items before.
        """
        shown = self._without_first(modalities) if self._removed else self._whole(modalities)
        if self._resumed:
            return evolve(shown, messages=None)
        if not shown.messages:
            return shown
        known = escaped_call_ids(self._given)
        return evolve(shown, messages=with_call_ids(shown.messages, known))

    def _require_readable(self, items: Sequence[Json]) -> None:
        """Have the binary say what it would leave out of a session file without a word (ITEM-4)."""
        if not all(map(_is_readable, items)):
            model = recording_model(USUAL_POLICY)
            self._server.inject(self._server.start_thread(model, kept=False), items)

    def _whole(self, modalities: Modalities) -> Shown:
        model = model_name(modalities)
        return self._turn(self._thread_for(model, USUAL_POLICY), model, USUAL_POLICY)

    def _without_first(self, modalities: Modalities) -> Shown:
        """Give what is shown once, for each projection shows what another turn sent (PROJ-2)."""
        runs = self._compacted.setdefault(modalities, [])
        run = next((run for run in runs if self._removed in run), None)
        if run is None:
            runs.append(run := self._compact(modalities))
        if self._removed not in run:
            raise NothingLeft(
                "the binary removes no more items once nothing is left that it would send"
            )
        return run.pop(self._removed)

    def _compact(self, modalities: Modalities) -> dict[int, Shown]:
        model = model_name(modalities)
        thread = self._thread_for(model, USUAL_POLICY)
        if self._model != model:
            self._turn(thread, model, USUAL_POLICY)
        return dict(enumerate(self._server.project_without_first(thread, self._removals)))

    def _turn(self, thread: Thread, model: str, policy: TruncationPolicy) -> Shown:
        shown = self._server.project(thread, model)
        self._model, self._policy = model, policy
        return shown

    def _thread_for(self, model: str, policy: TruncationPolicy) -> Thread:
        """Give the thread of the history; a new one starts with this model, or the usual policy."""
        if self._thread is not None:
            return self._thread
        if self._stored.is_empty:
            thread = self._server.start_thread(model, kept=self._is_stored)
        else:
            # What is read back is cut as it was, or under the policy of the model that reads it.
            if policy != USUAL_POLICY:
                model, policy = recording_model(USUAL_POLICY), USUAL_POLICY
            thread, self._resumed = self._stored.resume(self._server, model), True
        self._thread, self._model, self._policy = thread, model, policy
        return thread


def _is_readable(item: Json) -> bool:
    """Say whether nobody would refuse to read an item."""
    try:
        read_item(item)
    except ItemError:
        return False
    return True


def _size(thread: Thread) -> int:
    """Give the length of the file in which the binary keeps a thread, if it does."""
    file = thread.session_file
    return file.stat().st_size if file is not None and file.exists() else 0


def _written_since(thread: Thread, before: int) -> bytes:
    file = thread.session_file
    if file is None or not file.exists():
        raise BinaryIncoherent("the binary keeps no session file of a thread")
    return file.read_bytes()[before:]
