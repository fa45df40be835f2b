"""A script with what is expected of it, who is to blame otherwise, and the remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import frozen

from contextcert.properties.equality import Sight
from contextcert.protocol.messages import shown
from contextcert.refmodel import DEFAULT_EDITION, run_script_in_both_modes
from contextcert.refmodel.json_value import same_json
from contextcert.refmodel.modes import Edition, Mode
from contextcert.smoke.samples import UNKNOWN_OPERATION, claimed
from contextcert.smoke.steps import Culprit, Step, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextcert.refmodel.claim import Claim
    from contextcert.refmodel.json_value import Json, JsonObject
    from contextcert.subject import Description, Outcomes, Session, SubjectSpec


@frozen
class Asked:
    """A script as it was asked, and of whom."""

    ops: tuple[JsonObject, ...]
    description: Description
    edition: Edition
    goes_on: bool = False


Expectation: TypeAlias = "Callable[[Outcomes, Asked], str | None]"
"""Says what is wrong with the outcomes of a script, or None."""


@frozen
class Probe:
    """One script, run after the script `before`.

    Items of types that are not claimed are left out; `item_types`, `profiles`, `modes`, `editions`
    and `needs` (capabilities) say what it has no point without. `goes_on` asks to continue after a
    panic. A `lenient` probe judges what is supported, any other nothing where something is not.
    """

    title: str
    ops: tuple[JsonObject, ...]
    expect: Expectation
    culprit: Culprit
    remedy: str
    item_types: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    modes: tuple[Mode, ...] = tuple(Mode)
    editions: tuple[Edition, ...] = tuple(Edition)
    before: tuple[JsonObject, ...] = ()
    goes_on: bool = False
    lenient: bool = False


READ_FAULT: Final = (
    "Repair the adapter as the sentence above says; the implementation was not judged."
)


def edition_of(spec: SubjectSpec, asked: Edition | None, description: Description) -> Edition:
    """Give the edition in which a subject that was opened without one has been initialised."""
    wanted = asked or spec.edition
    if wanted is not None:
        return wanted
    offered = description.editions
    return DEFAULT_EDITION if DEFAULT_EDITION in offered else offered[0]


def attempt(session: Session, probe: Probe, edition: Edition) -> Step:
    """Try a probe; it never raises."""
    description = session.description
    unasked = _reason_not_to_ask(probe, description, edition)
    if unasked is not None:
        return Step(probe.title, Verdict.SKIPPED, unasked)
    if probe.before:
        session.run(_narrowed(probe.before, description.claim))
    asked = Asked(_narrowed(probe.ops, description.claim), description, edition, probe.goes_on)
    answer = session.run(asked.ops, continue_after_panic=probe.goes_on)
    if answer.fault is not None or answer.outcomes is None:
        fault = answer.fault
        seen, logs = (fault.message, fault.stderr) if fault else ("no outcomes", "")
        return Step(probe.title, Verdict.FAILED, seen, Culprit.ADAPTER, READ_FAULT, logs)
    missing = _missing(answer.outcomes, asked, lenient=probe.lenient)
    if missing is not None:
        return Step(probe.title, Verdict.SKIPPED, missing)
    wrong = probe.expect(answer.outcomes, asked)
    if wrong is not None:
        return Step(probe.title, Verdict.FAILED, wrong, probe.culprit, probe.remedy)
    return Step(probe.title, Verdict.PASSED)


def _reason_not_to_ask(probe: Probe, description: Description, edition: Edition) -> str | None:
    return (
        _unclaimed(probe, description.claim)
        or _undeclared(probe, description)
        or _elsewhere(probe, description.mode, edition)
    )


def _unclaimed(probe: Probe, claim: Claim) -> str | None:
    missing = [name for name in probe.item_types if name not in claim.item_types]
    missing += [f"the profile {name}" for name in probe.profiles if name not in claim.profiles]
    if missing:
        return f"{', '.join(missing)} is not claimed"
    if _recorded(probe.ops) and not _recorded(_narrowed(probe.ops, claim)):
        return "none of the item types it is about is claimed"
    return None


def _undeclared(probe: Probe, description: Description) -> str | None:
    for name in probe.needs:
        if not getattr(description.capabilities, name):
            return f"the capability {name} is not declared"
    return None


def _elsewhere(probe: Probe, mode: Mode, edition: Edition) -> str | None:
    if mode not in probe.modes:
        return f"it is about {' and '.join(one.value for one in probe.modes)} builds"
    if edition not in probe.editions:
        return f"edition {edition.value} has it otherwise"
    return None


_LISTS: Final = ("items", "envelopes")


def _recorded(ops: tuple[JsonObject, ...]) -> bool:
    return any(op.get(name) for op in ops for name in _LISTS)


def _narrowed(ops: tuple[JsonObject, ...], claim: Claim) -> tuple[JsonObject, ...]:
    return tuple(_narrowed_op(op, claim.item_types) for op in ops)


def _narrowed_op(op: JsonObject, item_types: frozenset[str]) -> JsonObject:
    items, envelopes = op.get("items"), op.get("envelopes")
    if isinstance(items, list):
        return op | {"items": claimed(items, item_types)}
    if isinstance(envelopes, list):
        kept = [one for one in envelopes if claimed([_item(one)], item_types)]
        return op | {"envelopes": kept}
    return op


def _item(envelope: Json) -> Json:
    return envelope.get("item") if isinstance(envelope, dict) else None


def _missing(outcomes: Outcomes, asked: Asked, *, lenient: bool) -> str | None:
    refused = [
        f"the operation {op['op']} is not supported ({shown(outcome['unsupported'])})"
        for op, outcome in zip(asked.ops, outcomes, strict=False)
        if "unsupported" in outcome and op["op"] != UNKNOWN_OPERATION
    ]
    if not refused or (lenient and len(refused) < len(outcomes)):
        return None
    return refused[0]


def last_is(value: Json) -> Expectation:
    """Expect this value of the last operation."""

    def expect(outcomes: Outcomes, asked: Asked) -> str | None:
        expected: JsonObject = {"ok": value}
        return _unlike_outcome(expected, outcomes[-1] if outcomes else {}, asked.description)

    return expect


def as_the_model(outcomes: Outcomes, asked: Asked) -> str | None:
    """Expect what the reference model gives for the operations that are supported."""
    places = [
        place
        for place in range(len(asked.ops))
        if place >= len(outcomes) or "unsupported" not in outcomes[place]
    ]
    expected = run_script_in_both_modes(
        [asked.ops[place] for place in places],
        edition=asked.edition,
        continue_after_panic=asked.goes_on,
    )[asked.description.mode]
    answered = [place for place in places if place < len(outcomes)]
    for place, wanted in zip(answered, expected, strict=False):
        wrong = _unlike_outcome(wanted, outcomes[place], asked.description)
        if wrong is not None:
            return f"operation {place + 1}, {asked.ops[place]['op']}: {wrong}"
    if len(expected) != len(answered):
        return f"expected {len(expected)} outcomes, got {len(answered)}"
    return None


def _unlike_outcome(wanted: JsonObject, got: JsonObject, description: Description) -> str | None:
    if "error" in wanted and "error" in got:
        return None
    expected, seen = (_comparable(outcome, description) for outcome in (wanted, got))
    return None if same_json(expected, seen) else unlike(expected, seen)


def _comparable(outcome: JsonObject, description: Description) -> JsonObject:
    """Leave out what a step of its own looks at, and what the adapter never carries."""
    return {
        kind: visible(value, description)
        for kind, value in outcome.items()
        if kind != "diagnostics"
    }


def visible(value: Json, description: Description) -> Json:
    """Give items, or envelopes of them, without the fields that the adapter never carries."""
    return Sight.of(description.capabilities).without_hidden(value)


def unlike(expected: Json, got: Json, pointer: str = "") -> str:
    """Say where two values first differ."""
    if isinstance(expected, dict) and isinstance(got, dict):
        if expected.keys() == got.keys():
            name = next(name for name in expected if not same_json(expected[name], got[name]))
            return unlike(expected[name], got[name], f"{pointer}/{name}")
        if (odd := _odd_keys(expected, got)) is not None:
            return f"{_place(pointer)}{odd}"
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        pairs = enumerate(zip(expected, got, strict=True))
        index = next(index for index, (one, other) in pairs if not same_json(one, other))
        return unlike(expected[index], got[index], f"{pointer}/{index}")
    return f"{_place(pointer)}expected {shown(expected)}, got {shown(got)}"


def _odd_keys(expected: JsonObject, got: JsonObject) -> str | None:
    """Say which key is missing or too many, unless the two have nothing in common."""
    if not expected.keys() & got.keys():
        return None
    missing = [key for key in expected if key not in got]
    if missing:
        return f"the key {shown(missing[0])} is missing in {shown(got)}"
    added = next(key for key in got if key not in expected)
    return f"the key {shown(added)} is too many in {shown(got)}"


def _place(pointer: str) -> str:
    return f"at {shown(pointer)[1:-1]} " if pointer else ""
