"""Subjects whose transcript shows rendered messages alone, one right and the others each wrong."""

from __future__ import annotations

from typing import Any, ClassVar

from attrs import evolve, frozen

from contextcert.adapters.model import ModelSubject
from contextcert.refmodel import JsonObject, Mode
from contextcert.subject import Description


@frozen
class Reads:
    """What one read gives: the later of `rendered` entries, and the pair that it ends at."""

    kind: str
    entries: list[str]
    version: int
    count: int
    cursor: Any


class RenderedMessages:
    """The model, but for a transcript that holds one line a message and nothing else."""

    coarse: ClassVar[bool] = True

    def initialize(self, params: JsonObject) -> JsonObject:
        """Say who answers."""
        return self.described(Mode(params["mode"])).to_json()

    def described(self, mode: Mode) -> Description:
        """Take on a mode, and give the description of this build."""
        self._model = ModelSubject(mode)
        described = self._model.description()
        capabilities = evolve(described.capabilities, coarse_transcript=self.coarse)
        return evolve(described, name=type(self).__name__, version="1", capabilities=capabilities)

    def run(self, params: JsonObject) -> JsonObject:
        """Run a script."""
        return {"outcomes": self.outcomes(params["ops"], params.get("continue_after_panic"))}  # type: ignore[arg-type]

    def outcomes(self, ops: list[JsonObject], goes_on: Any = None) -> Any:  # noqa: ANN401
        """Ask the model for the items and the version in place of every read."""
        asked: list[JsonObject] = []
        for op in ops:
            if op["op"] == "read_transcript":
                on = op.get("on", 0)
                asked += [{"op": "raw_items", "on": on}, {"op": "history_version", "on": on}]
            else:
                asked.append(op)
        given = iter(self._model.outcomes(asked, continue_after_panic=bool(goes_on)))
        outcomes: list[JsonObject] = []
        for op in ops:
            outcome = next(given, None)
            if outcome is None:
                break
            if op["op"] == "read_transcript":
                items, version = outcome["ok"], next(given)["ok"]
                outcome = {"ok": self.read(items, version, op["cursor"])}
            outcomes.append(outcome)
        return outcomes

    def read(self, items: Any, version: Any, cursor: Any) -> dict[str, Any]:  # noqa: ANN401
        """Read on from a cursor."""
        rendered = [self.line(one) for one in items if one["type"] == "message"]
        if self.is_current(cursor, version, len(rendered)):
            entries, kind = rendered[cursor["entry_count"] :], "delta"
        else:
            entries, kind = rendered, "full"
        return self.reads(Reads(kind, entries, version, len(rendered), cursor))

    def line(self, item: JsonObject) -> str:
        """Render a message."""
        return f"{item['role']}: {item['content']}"

    def is_current(self, cursor: Any, version: int, count: int) -> bool:  # noqa: ANN401
        """Say whether a reader may go on."""
        return (
            cursor is not None
            and cursor["history_version"] == version
            and cursor["entry_count"] <= count
        )

    def reads(self, reads: Reads) -> dict[str, Any]:
        """Write down what a read gives."""
        return {
            "kind": reads.kind,
            "entries": list(reads.entries),
            "cursor": {"history_version": reads.version, "entry_count": reads.count},
        }


class DeltaAfterReplace(RenderedMessages):
    """Does not look at the version (CUR-1, CUR-3)."""

    def is_current(self, cursor: Any, version: int, count: int) -> bool:  # noqa: ANN401, ARG002
        """Look at the count alone."""
        return cursor is not None and cursor["entry_count"] <= count


class AlwaysFull(RenderedMessages):
    """Lets nobody read on (CUR-1, CUR-3)."""

    def is_current(self, cursor: Any, version: int, count: int) -> bool:  # noqa: ANN401, ARG002
        """Say no."""
        return False


class FullAtTheEnd(RenderedMessages):
    """Takes a reader who has seen all for one who has seen too much (CUR-1, CUR-3)."""

    def is_current(self, cursor: Any, version: int, count: int) -> bool:  # noqa: ANN401
        """Ask for less than there is."""
        return super().is_current(cursor, version, count - 1)


class StaleCount(RenderedMessages):
    """Hands the old count back with the new entries (CUR-2)."""

    def reads(self, reads: Reads) -> dict[str, Any]:
        """Keep the reader's count."""
        if reads.kind == "delta":
            reads = evolve(reads, count=reads.cursor["entry_count"])
        return super().reads(reads)


class CountsItems(RenderedMessages):
    """Counts what it does not show (CUR-2)."""

    def read(self, items: Any, version: Any, cursor: Any) -> dict[str, Any]:  # noqa: ANN401
        """Count the items."""
        given = super().read(items, version, cursor)
        if cursor is None:
            given["cursor"]["entry_count"] = len(items) + 1
        return given


class LosesInDelta(RenderedMessages):
    """Loses the first entry of every delta (CUR-4)."""

    def reads(self, reads: Reads) -> dict[str, Any]:
        """Leave one out."""
        if reads.kind == "delta":
            reads = evolve(reads, entries=reads.entries[1:])
        return super().reads(reads)


class LosesInFull(RenderedMessages):
    """Loses the last entry of a full transcript (CUR-2)."""

    def reads(self, reads: Reads) -> dict[str, Any]:
        """Leave one out."""
        if reads.kind == "full":
            reads = evolve(reads, entries=reads.entries[:-1])
        return super().reads(reads)
