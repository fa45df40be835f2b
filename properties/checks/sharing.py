"""SNAP-1: what a clone or its original shows of the other's items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contextcert.properties.checks.check import Finding
from contextcert.properties.checks.looking import Looks
from contextcert.properties.checks.recording import is_repair
from contextcert.properties.checks.relation import Counts
from contextcert.properties.kinship import kin, shared_since
from contextcert.properties.ledger import Ledger
from contextcert.properties.observation import Entry
from contextcert.properties.view import Prompt, Shown
from contextcert.refmodel.json_value import Json
from contextcert.subject import Script


def mixed(looks: Looks, _counts: Counts) -> Iterator[Finding]:
    """Judge prompts and readings that show, or lack, what was done to a clone or its original."""
    case = looks.case
    for mode, ledger in case.ledgers.items():
        if ledger is None or not any(op.get("op") == "clone" for op in case.script):
            continue
        prompts = [one.prompt for one in case.outcomes[mode] if one.prompt is not None]
        wrong: list[Shown] = [one for one in prompts if one.suspicious]
        wrong += [one for one in case.readings[mode] if _strays(one)]
        for shown in wrong:
            if any(
                _is_mixed(shown, own, entries)
                for own, entries in _others(case.script, ledger, shown)
            ):
                yield shown.differs("SNAP-1", "a change of a clone or of its original shows")


def _others(
    script: Script, ledger: Ledger, shown: Shown
) -> Iterator[tuple[set[int], Sequence[Entry]]]:
    """Give what is in every clone or original that was changed since the cloning.

    With it come the ids of what the history itself ever held.
    """
    handle = script[shown.operation].get("on", 0)
    since = shared_since(script, shown.operation)
    states = {
        one: event.after
        for one, event in ledger.changed
        if since is not None and since < event.operation < shown.operation
    }
    related = kin(script, shown.operation)
    own = set(map(id, shown.entries))
    for one, event in ledger.changed:
        if one == handle and event.operation < shown.operation:
            own.update(map(id, event.before.history.entries or ()))
            own.update(map(id, event.after.history.entries or ()))
    for one, state in states.items():
        history = state.history
        if one != handle and one in related and history.base is None:
            yield own, history.entries or ()


def _is_mixed(shown: Shown, own: set[int], entries: Sequence[Entry]) -> bool:
    """Say whether what is too much was brought to the other history alone, and nothing lacks."""
    there = set(map(id, entries))
    strays = _strays(shown)
    if any(id(shown.entries[place]) in there for place in _lost(shown)):
        return False
    forms = [
        shown.sight.item_object(_form(shown, entry)) for entry in entries if id(entry) not in own
    ]
    foreign = [one for one in strays if one in forms]
    return bool(foreign) and all(one in forms or is_repair(one) for one in strays)


def _form(shown: Shown, entry: Entry) -> dict[str, Json]:
    if isinstance(shown, Prompt):
        return entry.item.prompt_form(image=shown.image, audio=shown.audio)
    return entry.item.form


def _strays(shown: Shown) -> list[Json]:
    gained = [
        position
        for place, each in shown.aligned.gained.items()
        if place not in shown.aligned.complete
        for position in each
    ]
    return [shown.items[position] for position in (*shown.aligned.stray, *gained)]


def _lost(shown: Shown) -> set[int]:
    gone = {place for place, target in enumerate(shown.aligned.target) if target < 0}
    return gone - set(shown.facts.orphans) if isinstance(shown, Prompt) else gone
