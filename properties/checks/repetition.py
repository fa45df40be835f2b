"""PROJ-2, PROJ-4, PROJ-5 and SYN-3: projections of one script held against each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from contextcert.properties.case import Case
from contextcert.properties.checks.check import RELEASE_ONLY, Finding
from contextcert.properties.checks.relation import Counts, RelationCheck, exercised
from contextcert.properties.equality import first_difference, identical
from contextcert.properties.item_facts import PREFIX_OF, shows_id
from contextcert.properties.view import Prompt
from contextcert.properties.violations import Violation
from contextcert.properties.wire_form import UnreadableError, wire_form
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition, Mode


def _again_is_equal(case: Case, counts: Counts) -> Iterator[Finding]:
    for mode, outcomes in case.outcomes.items():
        if len(outcomes) < 2:  # noqa: PLR2004 - two projections make a repetition
            continue
        first: dict[object, Prompt] = {}
        for outcome in outcomes:
            prompt = outcome.prompt
            if prompt is None:
                continue
            projection = outcome.projection
            key = (
                projection.handle,
                projection.history,
                projection.modalities,
                projection.annotated,
            )
            earlier = first.setdefault(key, prompt)
            if earlier is prompt:
                continue
            exercised(counts, "PROJ-2", mode)
            if not identical(_whole(earlier), _whole(prompt)):
                path, expected, actual = first_difference(_whole(earlier), _whole(prompt), "/ok")
                yield prompt.violation(
                    "PROJ-2", "projecting again gave another prompt", path, expected, actual
                )


def _whole(prompt: Prompt) -> list[Json]:
    return list(prompt.items if prompt.envelopes is None else prompt.envelopes)


PROJ_2: Final = RelationCheck("PROJ-2", judge=_again_is_equal)


def _projected_twice(case: Case, counts: Counts) -> Iterator[Finding]:
    """Find histories that are a prompt shown earlier for the same modalities."""
    shown: list[Prompt] = []
    for outcome in case.outcomes.get(Mode.RELEASE, ()):
        prompt = outcome.prompt
        if prompt is None:
            continue
        if prompt.items and any(
            _came_from(earlier, prompt, case.edition)
            for earlier in shown
            if earlier.facts is not prompt.facts and earlier.modalities == prompt.modalities
        ):
            exercised(counts, "PROJ-4", Mode.RELEASE)
            wanted: list[Json] = [
                prompt.sight.item_object(entry.item.form) for entry in prompt.entries
            ]
            if not prompt.sight.same(wanted, prompt.items):
                path, expected, actual = first_difference(wanted, list(prompt.items), "/ok")
                yield prompt.violation(
                    "PROJ-4", "a projected prompt projects to another one", path, expected, actual
                )
        shown.append(prompt)


def _came_from(earlier: Prompt, later: Prompt, edition: Edition) -> bool:
    """Say whether a later history is an earlier prompt, read back."""
    entries = later.entries
    if len(earlier.items) != len(entries):
        return False
    for item, entry in zip(earlier.items, entries, strict=True):
        form = entry.item.form
        if item != form and _read_back(item, edition) != form:
            return False
        if edition is Edition.NOVEMBER_2026 and "id" in form and not shows_id(form["id"]):
            return False
    return True


def _read_back(item: Json, edition: Edition) -> JsonObject | None:
    try:
        return wire_form(item, edition)
    except UnreadableError:
        return None


PROJ_4: Final = RelationCheck("PROJ-4", modes=RELEASE_ONLY, judge=_projected_twice)


def _annotated_is_plain(case: Case, counts: Counts) -> Iterator[Finding]:
    for mode, outcomes in case.outcomes.items():
        prompts = [one.prompt for one in outcomes if one.prompt is not None]
        annotated = [prompt for prompt in prompts if prompt.annotated]
        if not annotated:
            continue
        plain = {(one.facts, one.modalities): one for one in prompts if not one.annotated}
        for prompt in annotated:
            if not prompt.entries:
                continue
            exercised(counts, "PROJ-5", mode)
            yield from _metadata(prompt)
            other = plain.get((prompt.facts, prompt.modalities))
            if other is not None and not identical(list(other.items), list(prompt.items)):
                path, expected, actual = first_difference(
                    list(other.items), list(prompt.items), "/ok"
                )
                yield prompt.violation(
                    "PROJ-5",
                    "an annotated projection is not the plain one",
                    path,
                    expected,
                    actual,
                )


def _metadata(prompt: Prompt) -> Iterator[Violation]:
    assert prompt.envelopes is not None
    for place, position in enumerate(prompt.aligned.target):
        entry = prompt.entries[place]
        if position >= 0 and entry.metadata_known:
            yield from _kept(prompt, position, entry.metadata)
    for positions in prompt.aligned.gained.values():
        for position in positions:
            yield from _kept(prompt, position, None)
            yield from _nothing_else(prompt, position, prompt.envelopes[position])


def _nothing_else(prompt: Prompt, position: int, envelope: Json) -> Iterator[Violation]:
    """Judge PAIR-12 on the envelope of a synthetic output."""
    if not isinstance(envelope, dict):
        return
    for name in ("metadata", "success"):
        if envelope.get(name) is not None:
            yield prompt.violation(
                "PAIR-12",
                f"a synthetic output's envelope carries {name}",
                f"/ok/{position}/{name}",
                None,
                envelope[name],
            )


def _kept(prompt: Prompt, position: int, wanted: Json) -> Iterator[Violation]:
    assert prompt.envelopes is not None
    envelope = prompt.envelopes[position]
    if not isinstance(envelope, dict) or "metadata" not in envelope:
        yield prompt.violation(
            "PROJ-5", "an envelope has no metadata field", f"/ok/{position}", wanted, envelope
        )
    elif not prompt.sight.same(wanted, envelope["metadata"]):
        yield prompt.violation(
            "PROJ-5",
            "an item's envelope does not have its own metadata",
            f"/ok/{position}/metadata",
            wanted,
            envelope["metadata"],
        )


PROJ_5: Final = RelationCheck("PROJ-5", judge=_annotated_is_plain)


Seen: TypeAlias = dict[tuple[str, str, Mode | None], tuple[object, Json]]
"""The first output's circumstances and id, by prefix, the call's item id and who gave that."""


def _one_item_id_one_id(case: Case, counts: Counts) -> Iterator[Finding]:
    """Hold the synthetic outputs of calls with one item id against each other.

    An id that recording gave is not the other build's, be it the same by chance (E11-2).
    """
    seen: Seen = {}
    for mode, outcomes in case.outcomes.items():
        for outcome in outcomes:
            prompt = outcome.prompt
            if prompt is None or not prompt.aligned.gained:
                continue
            for place in outcome.facts.places.get("SYN-1", ()):
                yield from _compared(prompt, place, seen, counts, mode)


def _compared(
    prompt: Prompt,
    place: int,
    seen: Seen,
    counts: Counts,
    mode: Mode,
) -> Iterator[Violation]:
    call = prompt.facts.items[place]
    positions = prompt.aligned.gained.get(place)
    if not positions:
        return
    given = prompt.items[positions[0]]
    assert isinstance(given, dict)
    assert call.output_type is not None
    assert call.id is not None
    if prompt.sight.hides(call.output_type, "id"):
        return
    circumstances = (call.call_id, place, mode)
    minted_in = None if prompt.entries[place].mint is None else mode
    key = (PREFIX_OF[call.output_type], call.id, minted_in)
    earlier, earlier_id = seen.setdefault(key, (circumstances, given.get("id")))
    if earlier == circumstances:
        return
    exercised(counts, "SYN-3", mode)
    if given.get("id") != earlier_id:
        yield prompt.violation(
            "SYN-3",
            "calls with one item id gave outputs with different ids",
            prompt.path(positions[0]),
            earlier_id,
            given.get("id"),
        )


SYN_3: Final = RelationCheck("SYN-3", judge=_one_item_id_one_id)
