"""Readings of the items after changes: each wrong one is blamed on what came before it.

After recordings alone recording is judged. After a head removal, a rollback or a replacement the
last of these is, where what was recorded later is shown as it must be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from contextcert.properties.checks.check import Acquittal, Check, Finding
from contextcert.properties.checks.edition import explains_all
from contextcert.properties.checks.head import misremoved, removed
from contextcert.properties.checks.looking import Looks, Seen
from contextcert.properties.checks.recording import (
    envelope_faults,
    is_repair,
    misrecorded,
    recorded,
)
from contextcert.properties.checks.relation import Counts, exercised
from contextcert.properties.checks.rollback import added_up, misrolled, rolled_back
from contextcert.properties.checks.truncation import is_miscut, miscut
from contextcert.properties.equality import first_difference, written
from contextcert.properties.ledger import ITEMS, ITSELF, Look, State, steps
from contextcert.properties.observation import History, Step
from contextcert.properties.placement import Placement
from contextcert.properties.renaming import settled
from contextcert.properties.turns import is_boundary
from contextcert.properties.view import Shown
from contextcert.properties.violations import Violation
from contextcert.refmodel.modes import Mode

_KEPT_BY: Final = {"replace": "REPL-1", "remove": "HEAD-8", "rollback": "ROLL-8"}
"""What says that each change keeps envelopes as they are."""

_RECORDS: Final = frozenset({"record", "restore"})


def readings(looks: Looks, counts: Counts) -> Iterator[Finding]:
    """Judge every reading of a known history."""
    shown = {
        (mode, one.operation): one for mode, each in looks.case.readings.items() for one in each
    }
    counted: dict[int, list[str]] = {}  # what a right reading counts for is the same in both modes
    for seen in looks.at(ITEMS):
        reading = shown.get((seen.mode, seen.look.operation))
        if reading is None:
            continue
        if _is_right(reading):
            clauses = counted.get(id(seen.look))
            if clauses is None:
                clauses = counted[id(seen.look)] = list(_counted(reading, seen.look))
            for clause in clauses:
                after_panic = clause == "PROJ-1" and seen.panicked
                exercised(counts, "MODE-8" if after_panic else clause, seen.mode)
        else:
            yield from _judged(looks, seen, reading)
        yield from _together(seen, reading, counts)
    yield from _in_batches(looks, shown, counts)
    yield from _in_parts(looks, shown, counts)


def _is_right(shown: Shown) -> bool:
    aligned = shown.aligned
    if aligned.altered or aligned.stray or aligned.moved or aligned.gained:
        return False
    if -1 in aligned.target:
        return False
    return shown.envelopes is None or not any(
        True
        for entry, envelope in zip(shown.entries, shown.envelopes, strict=False)
        if isinstance(envelope, dict)
        for _ in envelope_faults(shown, entry, envelope)
    )


def _counted(shown: Shown, look: Look) -> Iterator[str]:
    changes = steps(look.events)
    if look.new and not look.events:
        yield "VER-1"
    if any(event.kind == "project" for event in look.events) and shown.entries:
        yield "PROJ-1"
    if any(
        event.kind == "foreign" and event.after.history is not look.state.history
        for event in look.events
    ):
        yield "SNAP-1"
    yield from recorded(shown, [one for one in changes if one.kind == "record"])
    for step in changes:
        if step.kind == "remove":
            yield from removed(step)
        elif step.kind == "rollback":
            yield from rolled_back(step)
        elif step.kind == "replace":
            yield "REPL-1"


def _judged(looks: Looks, seen: Seen, shown: Shown) -> Iterator[Finding]:
    """Judge a wrong reading; what was shown right before is not written wrongly now (ITEM-1)."""
    found = list(_blamed(looks, seen, shown))
    yield from found
    if any(one.clause == "ROLL-9" for one in found) or (found and _was_right(seen, shown)):
        yield Acquittal("ITEM-1", seen.mode, seen.look.operation)


def _was_right(seen: Seen, shown: Shown) -> bool:
    """Say whether the last look showed everything as it must be that is altered now."""
    before = _ids(seen.look.start.history)
    return all(id(shown.entries[place]) in before for place in shown.aligned.altered)


def _ids(history: History) -> set[int]:
    return set(map(id, history.entries or ()))


def _blamed(looks: Looks, seen: Seen, shown: Shown) -> Iterator[Violation]:
    changes = steps(seen.look.events)
    if explains_all(shown):
        return
    if _leaked(seen.look, shown):
        yield shown.differs("SNAP-1", "a change of a clone or of its original shows")
        return
    if _is_former(seen.look, shown) or looks.right_elsewhere(seen):
        yield shown.differs("SNAP-3", "a clone is not what its original is")
        return
    if any(event.kind == "project" for event in seen.look.events) and _repaired(shown):
        yield _projected(seen, shown)
        return
    cutting = [one for one in changes if one.kind not in _RECORDS]
    records = [one for one in changes if one.kind == "record"]
    if not seen.look.events and _only_altered(shown, []) and _is_first_of_envelopes(looks, seen):
        yield from _envelopes(shown, _keeper(looks, seen))
    elif not changes:
        yield from _unchanged(seen, shown)
    elif not cutting:
        yield from misrecorded(shown, records, _ids(seen.look.start.history))
    else:
        yield from _after_cut(shown, cutting[-1], changes)


def _after_cut(shown: Shown, last: Step, changes: list[Step]) -> Iterator[Violation]:
    records = {one.operation: one for one in changes if one.kind == "record"}
    miscuts = [
        place
        for place in sorted(shown.aligned.altered)
        if shown.entries[place].operation in records and is_miscut(shown, place)
    ]
    for place in miscuts:
        entry = shown.entries[place]
        yield from miscut(shown, place, entry, records[entry.operation])
    if miscuts and _only_altered(shown, miscuts):
        return
    later = [one for one in changes if one.operation > last.operation and one.kind == "record"]
    recent = {one.operation for one in later}
    brought = {id(entry) for entry in shown.entries if entry.operation in recent}
    if later and _only_wrong_in(shown, brought):
        yield from list(misrecorded(shown, later)) or _envelopes(shown, _KEPT_BY[last.kind])
        return
    if last.kind == "replace":
        yield from _misreplaced(shown, last)
        return
    placed = Placement.of(shown, last.before.entries or (), brought)
    placed.pass_over({id(shown.entries[place]) for place in miscuts})
    found = list((misremoved if last.kind == "remove" else misrolled)(placed, last))
    yield from found or _envelopes(shown, _KEPT_BY[last.kind])


def _is_first_of_envelopes(looks: Looks, seen: Seen) -> bool:
    """Say whether only the items of a history were looked at before, if anything was."""
    handle = seen.look.handle
    return not any(
        op.get("op") == "raw_envelopes" and op.get("on", 0) == handle
        for op in looks.case.script[: seen.look.operation]
    )


def _keeper(looks: Looks, seen: Seen) -> str:
    """Name what says that the last change of a history keeps envelopes; else it is REC-7."""
    ledger = looks.case.ledgers[seen.mode]
    assert ledger is not None
    clause = "REC-7"
    for handle, event in ledger.changed:
        if handle == seen.look.handle and event.operation < seen.look.operation:
            clause = _KEPT_BY.get(event.kind, clause)
    return clause


def _only_altered(shown: Shown, places: list[int]) -> bool:
    """Say whether nothing is wrong but how some items are shown."""
    return not shown.aligned.misplaced and set(shown.aligned.altered) == set(places)


def _misreplaced(shown: Shown, step: Step) -> Iterator[Violation]:
    """Judge REPL-1, where it is not the wire form of an item that is wrong."""
    aligned = shown.aligned
    cut = any(
        shown.entries[place].operation == step.operation
        and shown.facts.items[place].body == "output"
        for place in aligned.altered
    )
    if aligned.misplaced or cut:
        yield shown.differs("REPL-1", "replace did not install exactly the given items")
    else:
        yield from _envelopes(shown, _KEPT_BY["replace"])


def _envelopes(shown: Shown, clause: str) -> Iterator[Violation]:
    """Judge the envelopes of what a change keeps."""
    for position, (entry, envelope) in enumerate(
        zip(shown.entries, shown.envelopes or (), strict=False)
    ):
        if isinstance(envelope, dict):
            for name in envelope_faults(shown, entry, envelope):
                path = f"/ok/{position}/{name}"
                message = f"what is kept does not keep its {name}"
                wanted = entry.metadata if name == "metadata" else entry.success
                yield shown.violation(clause, message, path, wanted, envelope.get(name))


def _only_wrong_in(shown: Shown, brought: set[int]) -> bool:
    """Say whether everything but what was recorded later is right."""
    aligned = shown.aligned
    wrong = {place for place, target in enumerate(aligned.target) if target < 0}
    wrong |= aligned.altered | set(aligned.moved)
    places = {place for place, entry in enumerate(shown.entries) if id(entry) in brought}
    first = min(places, default=len(shown.entries))
    stray = [*aligned.stray, *(one for each in aligned.gained.values() for one in each)]
    return wrong <= places and all(position >= first for position in stray)


def _unchanged(seen: Seen, shown: Shown) -> Iterator[Violation]:
    """Blame a history that changed though nothing was to change it."""
    kinds = {event.kind for event in seen.look.events}
    if seen.look.new and "project" not in kinds:
        yield shown.differs("VER-1", "a new history is not empty")
    elif "foreign" in kinds and "project" not in kinds:
        yield shown.differs("SNAP-1", "a change of a clone or of its original shows")
    elif "project" in kinds:
        yield _projected(seen, shown)
    elif "clone" in kinds:
        yield shown.differs("SNAP-3", "a clone is not what its original is")
    else:
        clause = "MODE-8" if seen.after_panic else "SNAP-1"
        yield shown.differs(clause, "the history changed while only others were asked for anything")


def _projected(seen: Seen, shown: Shown) -> Violation:
    clause = "MODE-8" if seen.panicked else "PROJ-1"
    return shown.differs(clause, "a projection changed the history")


def _repaired(shown: Shown) -> bool:
    """Say whether what projecting does was done to the history itself."""
    aligned = shown.aligned
    strays = [*aligned.stray, *(one for each in aligned.gained.values() for one in each)]
    lost = {place for place, target in enumerate(aligned.target) if target < 0}
    if aligned.altered or not (strays or lost):
        return False
    return lost <= shown.facts.orphans and all(is_repair(shown.items[one]) for one in strays)


def _is_former(look: Look, shown: Shown) -> bool:
    """Say whether a handle still shows what it held before something was cloned to it.

    Cloned onto itself it held nothing, and all is gone that it had.
    """
    clones = [event for event in look.events if event.kind == "clone"]
    return any(
        _lacks(shown, event.after.history)
        if event.aspect == ITSELF
        else event.before.history.entries and _shows(shown, event.before)
        for event in clones
    )


def _lacks(shown: Shown, history: History) -> bool:
    """Say whether what is wrong is that nothing of a history is there."""
    aligned = shown.aligned
    lost = {id(shown.entries[place]) for place, one in enumerate(aligned.target) if one < 0}
    elsewhere = aligned.stray or aligned.moved or aligned.gained or aligned.altered
    return bool(lost) and not elsewhere and lost == _ids(history) & set(map(id, shown.entries))


def _shows(shown: Shown, state: State) -> bool:
    history = state.history
    if history.base is not None or history.entries is None:
        return False
    return list(shown.items) == [
        shown.sight.item_object(entry.item.form) for entry in history.entries
    ]


def _leaked(look: Look, shown: Shown) -> bool:
    """Say whether the history shown is that of a clone or of its original."""
    if not any(event.kind == "foreign" for event in look.events):
        return False
    return any(_shows(shown, state) for state in look.kin)


def _together(seen: Seen, shown: Shown, counts: Counts) -> Iterator[Violation]:
    """Judge ROLL-10 on rollbacks in a row."""
    rolled = seen.look.rolled
    if rolled is None or rolled[0].entries is None:
        return
    base, numbers = rolled
    same = added_up(shown, [entry.item for entry in base.entries or ()], numbers)
    if same:
        exercised(counts, "ROLL-10", seen.mode)
    elif same is False:
        message = f"dropping {' then '.join(map(str, numbers))} turns is not dropping all at once"
        yield shown.differs("ROLL-10", message)


def _in_batches(
    looks: Looks, shown: Mapping[tuple[Mode, int], Shown], counts: Counts
) -> Iterator[Violation]:
    """Judge REC-6 on histories that were recorded in other batches."""
    first: dict[tuple[object, ...], tuple[tuple[int, ...], Shown]] = {}
    for seen in looks.at(ITEMS):
        reading, batches = shown.get((seen.mode, seen.look.operation)), seen.look.batches
        if reading is None or not batches or len({one for one, _ in batches}) > 1:
            continue
        brought = [entry for _, entries in batches for entry in entries]
        sources = tuple(written(entry.brought.given) for entry in brought)
        sizes = tuple(len(entries) for _, entries in batches)
        key = (seen.mode, batches[0][0], reading.annotated, sources)
        earlier_sizes, earlier = first.setdefault(key, (sizes, reading))
        if earlier_sizes == sizes or len(brought) < 2:  # noqa: PLR2004 - one is one batch
            continue
        exercised(counts, "REC-6", seen.mode)
        one, other = settled(earlier), settled(reading)
        if one != other:
            path, expected, actual = first_difference(one, other, "/ok")
            message = "the same items recorded in other batches give another history"
            yield reading.violation("REC-6", message, path, expected, actual)


def _in_parts(
    looks: Looks, shown: Mapping[tuple[Mode, int], Shown], counts: Counts
) -> Iterator[Violation]:
    """Judge ROLL-10 on clones that dropped the same turns in other parts."""
    first: dict[tuple[object, ...], tuple[tuple[int, ...], Shown]] = {}
    for seen in looks.at(ITEMS):
        reading, rolled = shown.get((seen.mode, seen.look.operation)), seen.look.rolled
        if reading is None or rolled is None:
            continue
        base, numbers = rolled
        boundaries = sum(is_boundary(entry.item) for entry in base.entries or ())
        if sum(numbers) > boundaries:
            continue
        key = (seen.mode, base, sum(numbers), reading.annotated)
        earlier_numbers, earlier = first.setdefault(key, (numbers, reading))
        if earlier_numbers == numbers:
            continue
        exercised(counts, "ROLL-10", seen.mode)
        if list(earlier.items) != list(reading.items):
            yield reading.differs("ROLL-10", "the same turns dropped in other parts leave others")


REPLACING: Final[Mapping[str, Check]] = {"REPL-1": Check("REPL-1")}
"""The check of what replace installs."""
