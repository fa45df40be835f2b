"""VER-1 to VER-4, REF-1, REPL-2, WORLD-3, WORLD-5, WORLD-6, REC-5: what changes and what is kept.

The version, the baseline, the reference context and the token info are looked at before and after
every kind of operation (SPEC 4.1). The same looks show whether a projection changes anything
(PROJ-1) and whether a clone and its original are independent (SNAP-1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from contextcert.properties.checks.check import Check, Finding
from contextcert.properties.checks.looking import Looks, Seen
from contextcert.properties.checks.relation import Counts, exercised
from contextcert.properties.equality import identical
from contextcert.properties.ledger import (
    BASELINE,
    ITSELF,
    REFERENCE,
    TOKENS,
    VERSION,
    Event,
    Look,
    State,
)
from contextcert.properties.merging import Unsure
from contextcert.refmodel.json_value import Json

_KEEPS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    VERSION: {
        "record": ("VER-3", "REC-5"),
        "restore": ("VER-3",),
        "project": ("VER-3", "PROJ-1"),
        "remove": ("VER-3", "HEAD-8"),
        "nothing removed": ("VER-3", "HEAD-1"),
        "nothing rolled back": ("VER-3", "ROLL-1"),
        "replace": ("VER-2",),
        "rollback": ("VER-2",),
        "set": ("VER-3",),
        "update": ("VER-3",),
        "foreign": ("SNAP-1",),
    },
    BASELINE: {
        "record": ("WORLD-6", "REC-5"),
        "restore": ("WORLD-6",),
        "project": ("WORLD-6", "PROJ-1"),
        "remove": ("WORLD-5",),
        "nothing removed": ("WORLD-6", "HEAD-1"),
        "nothing rolled back": ("WORLD-6", "ROLL-1"),
        "replace": ("WORLD-5",),
        "rollback": ("WORLD-5",),
        "update": ("WORLD-3",),
        "foreign": ("SNAP-1",),
    },
    REFERENCE: {
        "record": ("REF-1", "REC-5"),
        "restore": ("REF-1",),
        "project": ("REF-1", "PROJ-1"),
        "remove": ("REF-1", "HEAD-8"),
        "nothing removed": ("REF-1", "HEAD-1"),
        "nothing rolled back": ("REF-1", "ROLL-1"),
        "replace": ("REF-1", "REPL-2"),
        "set": ("REF-1",),
        "update": ("REF-1",),
        "foreign": ("SNAP-1",),
    },
    TOKENS: {
        "record": ("REC-5",),
        "project": ("PROJ-1",),
        "remove": ("HEAD-8",),
        "nothing removed": ("HEAD-1",),
        "nothing rolled back": ("ROLL-1",),
        "rollback": ("ROLL-8",),
        "replace": ("REPL-2",),
        "foreign": ("SNAP-1",),
    },
}
"""The clauses that say what each kind of event does to each part."""

_CALLED: Final = {
    VERSION: "the version",
    BASELINE: "the world state baseline",
    REFERENCE: "the reference context",
    TOKENS: "the token info",
}


def kept(looks: Looks, counts: Counts) -> Iterator[Finding]:
    """Judge every look at a part that is not the items."""
    counted: dict[int, list[str]] = {}  # what a right look counts for is the same in both modes
    for seen in looks.at(*_KEEPS):
        look = seen.look
        if isinstance(look.expected, Unsure):
            continue
        if seen.sight.same(look.expected, seen.shown):
            clauses = counted.get(id(look))
            if clauses is None:
                clauses = counted[id(look)] = list(_counted(look))
            for clause in clauses:
                exercised(counts, _by_panic(seen, clause), seen.mode)
            continue
        for clause in dict.fromkeys(_culprits(looks, seen)):
            yield seen.broke(
                clause, f"{_CALLED[look.aspect]} is not what it must be", look.expected
            )


def _by_panic(seen: Seen, clause: str) -> str:
    """Leave what a projection that panicked does to MODE-8."""
    return "MODE-8" if clause == "PROJ-1" and seen.panicked else clause


def clauses_of(event: Event, aspect: str) -> tuple[str, ...]:
    """Name the clauses that say what an event does to a part."""
    if aspect == REFERENCE and event.kind == "rollback":
        return _of_rollback(event)
    return _KEEPS[aspect].get(_kind(event), ())


def _kind(event: Event) -> str:
    if event.kind == "remove" and event.step is not None and not event.step.before.entries:
        return "nothing removed"
    if event.kind == "rollback" and event.step is not None and not event.step.number:
        return "nothing rolled back"
    return event.kind


def _of_rollback(event: Event) -> tuple[str, ...]:
    """Name what speaks of the reference context under a rollback (ROLL-6, ROLL-7)."""
    step = event.step
    if step is None or not step.number:
        return ("REF-1", "ROLL-1")
    if step.turns.at_first:
        return ("ROLL-7", "REF-1")
    return ("ROLL-6", "REF-1") if step.turns.end < step.turns.cut else ("REF-1",)


def _counted(look: Look) -> Iterator[str]:
    """Name what a right look exercised; keeping nothing counts for nothing."""
    aspect = look.aspect
    if look.new and not look.events:
        yield "VER-1"
    if aspect == VERSION and look.events and not look.new:
        yield "VER-4"
    counted: set[str] = set()
    for event in look.events:
        if event.kind == "foreign":
            if not identical(event.after.of(aspect), look.expected):
                counted.add("SNAP-1")
        elif event.before.of(aspect) is not None or event.changes(aspect):
            counted.update(clauses_of(event, aspect))
    yield from counted


def _culprits(looks: Looks, seen: Seen) -> Iterator[str]:
    look, shown = seen.look, seen.shown
    if _leaked(look, shown, look.aspect) or _is_strangers(looks, seen):
        yield "SNAP-1"
        return
    if looks.right_elsewhere(seen) or _is_emptied(look, shown):
        yield "SNAP-3"
        return
    if look.aspect == VERSION and not look.new and _fell(look.start, shown):
        yield "VER-4"
    clauses = blamed(seen, look.aspect, shown)
    yield from clauses
    if not clauses:
        yield from _unexplained(look)


def _unexplained(look: Look) -> Iterator[str]:
    if all(one.kind == "foreign" for one in look.events):
        yield "VER-1" if look.new else "SNAP-1"
    elif look.aspect == BASELINE:
        yield "WORLD-3"  # no clause says that a baseline can be set, but by updating


def blamed(seen: Seen, aspect: str, shown: Json) -> list[str]:
    """Name the clauses on what a wrong value of a part can be blamed on.

    A projection that panicked and may have done it is to blame alone (MODE-8), and cloning where
    nothing else is (SNAP-3).
    """
    events = [one for one in seen.look.events if one.kind != "foreign"]
    for suspects in culprits(events, aspect, shown):
        if any(one.operation in seen.panics for one in suspects):
            return ["MODE-8"]
        clauses = [clause for one in suspects for clause in clauses_of(one, aspect)]
        if not clauses and any(one.kind == "clone" for one in suspects):
            return ["SNAP-3"]
        if clauses:
            return clauses
    return []


def culprits(events: list[Event], aspect: str, shown: Json) -> Iterator[list[Event]]:
    """Give the events that a wrong value can be blamed on, the likeliest first.

    It is the last one that should have changed the part, if what it was before is shown, and else
    those after it, which should have kept it. What was set is taken to have been set.
    """
    if aspect == VERSION:
        yield from _of_version(events, shown)
        return
    changing = [place for place, one in enumerate(events) if one.changes(aspect)]
    if not changing:
        yield events
        return
    last = events[changing[-1]]
    before, later = last.before.of(aspect), events[changing[-1] + 1 :]
    as_before = not isinstance(before, Unsure) and identical(before, shown)
    if last.kind in ("set", "update") or not as_before:
        yield later
    yield [last]


def _of_version(events: list[Event], shown: Json) -> Iterator[list[Event]]:
    """Blame what raises the version, if it did not or did twice, and else what must leave it."""
    rising = [one for one in events if one.changes(VERSION)]
    still = [one for one in events if not one.changes(VERSION)]
    beyond = shown - events[-1].after.version if events and isinstance(shown, int) else 0
    if rising and (beyond < 0 or _may_be_twice(beyond, rising, still)):
        yield rising
    yield still
    yield rising


def _may_be_twice(beyond: int, rising: list[Event], still: list[Event]) -> bool:
    """Say whether every rise counted twice, and no one kind of event once too often."""
    kinds = [one.kind for one in still]
    return beyond % len(rising) == 0 and beyond not in map(kinds.count, kinds)


def _leaked(look: Look, shown: Json, aspect: str) -> bool:
    """Say whether what is shown is the value of a clone or of its original."""
    if not any(event.kind == "foreign" for event in look.events):
        return False
    if aspect == VERSION and _rose_with_others(look, shown):
        return True
    others = (one.of(aspect) for one in look.kin)
    return any(not isinstance(one, Unsure) and identical(one, shown) for one in others)


def _is_emptied(look: Look, shown: Json) -> bool:
    """Say whether a part is what a new history has since it was cloned onto itself."""
    own = [event for event in look.events if event.kind != "foreign"]
    changing = [place for place, one in enumerate(own) if one.changes(look.aspect)]
    last = max(changing, default=-1)
    return any(
        one.aspect == ITSELF and identical(one.before.of(look.aspect), shown)
        for one in own[last + 1 :]
    )


def _rose_with_others(look: Look, shown: Json) -> bool:
    """Say whether a version is too high by no more than what clones and originals rose."""
    rises = sum(
        one.kind == "foreign" and one.before.version != one.after.version for one in look.events
    )
    return isinstance(shown, int) and 0 < shown - look.state.version <= rises


def _is_strangers(looks: Looks, seen: Seen) -> bool:
    """Say whether what is shown is what another history has, and no new one."""
    return (
        seen.look.aspect != VERSION
        and seen.shown is not None
        and any(identical(one.of(seen.look.aspect), seen.shown) for one in looks.strangers(seen))
    )


def _fell(start: State, shown: Json) -> bool:
    return isinstance(shown, int) and shown < start.version


KEEPING: Final[Mapping[str, Check]] = {
    clause: Check(clause)
    for clause in ("REC-5", "REPL-2", "VER-1", "VER-2", "VER-3", "VER-4", "REF-1")
}
"""The checks, by clause; WORLD-3, WORLD-5, WORLD-6, PROJ-1 and SNAP-1 are judged elsewhere too."""
