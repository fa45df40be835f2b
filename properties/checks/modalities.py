"""AUD-5 and AUD-6: what depends on which modality, seen across the projections of one history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from contextcert.properties.case import Case
from contextcert.properties.checks.check import Finding
from contextcert.properties.checks.media import DRAWN, call_changed, changed_entries
from contextcert.properties.checks.relation import Counts, RelationCheck, exercised
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.view import Prompt
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import Json

_Siblings = Mapping[frozenset[str], Prompt]


def _siblings(case: Case) -> Iterator[_Siblings]:
    """Give, per mode and history, its first prompt under each modality set."""
    for outcomes in case.outcomes.values():
        by_history: dict[HistoryFacts, dict[frozenset[str], Prompt]] = defaultdict(dict)
        for outcome in outcomes:
            if outcome.prompt is not None:
                siblings = by_history[outcome.facts]
                siblings.setdefault(outcome.prompt.modalities, outcome.prompt)
        yield from by_history.values()


def _each_by_itself(case: Case, counts: Counts) -> Iterator[Finding]:
    for siblings in _siblings(case):
        for modalities, prompt in siblings.items():
            times = _could_mix_up(prompt)
            if times:
                exercised(counts, "AUD-5", prompt.mode, times)
            if prompt.aligned.altered and times:
                for kind in ("image", "audio"):
                    yield from _mixed_up(prompt, kind, siblings, modalities)


def _could_mix_up(prompt: Prompt) -> int:
    """Say whether `text`, or the other kind of media, could be taken for what decides."""
    facts = prompt.facts
    images, audios = bool(facts.images or facts.results), bool(facts.audios)
    if not images and not audios:
        return 0
    return 1 if "text" not in prompt.modalities or (images and prompt.image != prompt.audio) else 0


def _mixed_up(
    prompt: Prompt, kind: str, siblings: _Siblings, modalities: frozenset[str]
) -> Iterator[Violation]:
    place = _wrong(prompt, kind)
    if place is None:
        return
    other_kind = "audio" if kind == "image" else "image"
    for name, applies in (
        ("text", "text" not in modalities),
        (other_kind, prompt.image != prompt.audio),
    ):
        sibling = siblings.get(modalities ^ {name})
        if sibling is None:
            blamed = (
                applies
                and _only_explanation(prompt, kind)
                and _taken_the_other_way(prompt, place, kind)
            )
        else:
            blamed = _wrong(sibling, kind) is None and sibling.present(place)
        if blamed:
            yield prompt.violation(
                "AUD-5",
                f"whether {kind} is downgraded depends on {name}",
                prompt.path(prompt.aligned.target[place]),
                prompt.forms[place],
                prompt.shown(place),
            )
            return


def _taken_the_other_way(prompt: Prompt, place: int, kind: str) -> bool:
    """Say whether an item's media of a kind is shown as without it, or without it as with it."""
    image, audio = prompt.image, prompt.audio
    flipped = prompt.facts.items[place].prompt_form(
        image=image != (kind == "image"), audio=audio != (kind == "audio")
    )
    return prompt.sight.same(flipped, prompt.shown(place))


def _only_explanation(prompt: Prompt, kind: str) -> bool:
    """Say whether no media of the other kind shows that the set was read rightly."""
    facts = prompt.facts
    other = facts.audios if kind == "image" else [*facts.images, *facts.results]
    return not other or _wrong(prompt, "audio" if kind == "image" else "image") is not None


def _wrong(prompt: Prompt, kind: str) -> int | None:
    """Give the first item whose media of a kind is treated wrongly."""
    facts = prompt.facts
    for place in facts.images if kind == "image" else facts.audios:
        if place in prompt.aligned.altered and kind in changed_entries(prompt, place):
            return place
    for place in facts.results if kind == "image" else ():
        if call_changed(prompt, place, *DRAWN):
            return place
    return None


AUD_5: Final = RelationCheck("AUD-5", judge=_each_by_itself)


def _pairing_stays(case: Case, counts: Counts) -> Iterator[Finding]:
    for siblings in _siblings(case):
        prompts = list(siblings.values())
        facts = prompts[0].facts
        if len(prompts) < 2 or not (facts.images or facts.audios or facts.results):  # noqa: PLR2004
            continue
        if len({(one.image, one.audio) for one in prompts}) > 1:
            exercised(counts, "AUD-6", prompts[0].mode)
            yield from _unlike_the_others(prompts)


def _unlike_the_others(prompts: Sequence[Prompt]) -> Iterator[Violation]:
    """Blame a prompt whose pairing is wrong while another's is right."""
    right = [prompt for prompt in prompts if not _pairing_wrong(prompt)]
    if len(right) == len(prompts) or not right:
        return
    for prompt in prompts:
        if _pairing_wrong(prompt):
            yield prompt.violation(
                "AUD-6",
                "calls, outputs, ids or positions depend on the modalities",
                "/ok",
                _skeleton(right[0]),
                _skeleton(prompt),
            )
            return


def _pairing_wrong(prompt: Prompt) -> bool:
    if not prompt.suspicious:
        return False
    aligned = prompt.aligned
    unlike = any(
        _keys(prompt.shown(place)) != _keys(prompt.forms[place]) for place in aligned.altered
    )
    return unlike or bool(
        aligned.stray
        or aligned.moved
        or prompt.surplus
        or prompt.kept
        or len(aligned.complete) != len(prompt.facts.unanswered)
        or any(not prompt.present(place) for place in prompt.suspects)
    )


def _keys(item: Json) -> tuple[Json, Json, Json]:
    if not isinstance(item, dict):
        return (None, None, None)
    return item.get("type"), item.get("id"), item.get("call_id")


def _skeleton(prompt: Prompt) -> list[Json]:
    return [list(_keys(item)) for item in prompt.items]


AUD_6: Final = RelationCheck("AUD-6", judge=_pairing_stays)
