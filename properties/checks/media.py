"""IMG-1 to IMG-5 and AUD-1 to AUD-4: what steps C and D change, and what they leave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from contextcert.properties.checks.check import Finding, PromptCheck, Suspicion
from contextcert.properties.checks.edition import explained
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.item_facts import ItemFacts
from contextcert.properties.view import Prompt
from contextcert.refmodel.json_value import Json

Places = Callable[[HistoryFacts, bool, bool], Sequence[int]]

DRAWN: Final = ("result", "revised_prompt", "status")
"""The fields of an image generation call that IMG-4 speaks of, its id aside."""

_KEEPS: Final = frozenset({"agent_message", "reasoning", "additional_tools", "tool_search_output"})


def changed_entries(prompt: Prompt, place: int) -> set[str]:
    """Say which entries of an item's content came out wrong: image, audio, other or number."""
    item = prompt.facts.items[place]
    given = prompt.shown(place)
    if item.body is None or place not in prompt.aligned.altered or not isinstance(given, dict):
        return set()
    if item.body in explained(prompt, place):
        return set()
    wanted, actual = prompt.forms[place].get(item.body), given.get(item.body)
    if not isinstance(wanted, list):
        return {"other"} if wanted != actual else set()
    if not isinstance(actual, list):
        media = {"image": item.images, "audio": item.audios}
        return {"number", *(kind for kind, places in media.items() if places)}
    if len(wanted) != len(actual):
        return {"number", *_removed(item, wanted, actual)}
    return {
        _kind(item, index)
        for index, (one, other) in enumerate(zip(wanted, actual, strict=True))
        if not prompt.sight.same(one, other)
    }


def call_changed(prompt: Prompt, place: int, *names: str) -> bool:
    """Say whether some fields of an image generation call came out wrong."""
    if place not in prompt.aligned.altered:
        return False
    wanted, given = prompt.forms[place], prompt.shown(place)
    if wanted["type"] != "image_generation_call":
        return False
    return isinstance(given, dict) and any(given.get(name) != wanted.get(name) for name in names)


def _kind(item: ItemFacts, index: int) -> str:
    if index in item.images:
        return "image"
    return "audio" if index in item.audios else "other"


def _removed(item: ItemFacts, wanted: Sequence[Json], actual: Sequence[Json]) -> set[str]:
    """Say which kinds of media fewer entries than wanted speak of."""
    gone = set()
    for kind, places in (("image", item.images), ("audio", item.audios)):
        there = [entry for index, entry in enumerate(wanted) if index in places]
        if there and sum(entry in there for entry in actual) < len(there):
            gone.add(kind)
    return gone


def _entries(clause: str, kind: str, message: str, places: Places) -> PromptCheck:
    """Judge the entries of one kind of media in some items."""

    def judge(prompt: Prompt) -> Iterator[Finding]:
        for place in places(prompt.facts, prompt.image, prompt.audio):
            if place in prompt.aligned.altered and kind in changed_entries(prompt, place):
                yield _finding(prompt, clause, message, place)

    return PromptCheck(clause, judge=judge, count=_counting(places))


def _finding(prompt: Prompt, clause: str, message: str, place: int) -> Finding:
    item, given = prompt.facts.items[place], prompt.shown(place)
    assert isinstance(given, dict)
    name = item.body or "result"
    return prompt.violation(
        clause,
        message,
        prompt.path(prompt.aligned.target[place], *([name] if name in given else [])),
        prompt.forms[place].get(name),
        given.get(name),
    )


def _counting(places: Places) -> Callable[[HistoryFacts, bool, bool], int]:
    def count(facts: HistoryFacts, image: bool, audio: bool) -> int:  # noqa: FBT001
        return len(places(facts, image, audio))

    return count


def _messages(facts: HistoryFacts, places: Iterable[int]) -> Sequence[int]:
    return [place for place in places if facts.items[place].type == "message"]


def _outputs(facts: HistoryFacts, places: Iterable[int]) -> Sequence[int]:
    return [place for place in places if facts.items[place].answers is not None]


def _with_image(facts: HistoryFacts, image: bool, audio: bool) -> Sequence[int]:  # noqa: FBT001
    if not image:
        return ()
    return [*facts.images, *(facts.results if audio else ())]


def _nothing_changes(prompt: Prompt) -> Iterator[Finding]:
    """Judge IMG-1; a result that only missing audio changes is AUD-4's."""
    if not prompt.image:
        return
    results = [
        place
        for place in prompt.facts.results
        if prompt.audio or _changed_with_audio(prompt, place)
    ]
    for place in (*prompt.facts.images, *results):
        if call_changed(prompt, place, *DRAWN) or "image" in changed_entries(prompt, place):
            yield _finding(prompt, "IMG-1", "an image was changed, though images are taken", place)


def _image_messages(facts: HistoryFacts, image: bool, _audio: bool) -> Sequence[int]:  # noqa: FBT001
    return () if image else _messages(facts, facts.images)


def _image_outputs(facts: HistoryFacts, image: bool, _audio: bool) -> Sequence[int]:  # noqa: FBT001
    return () if image else _outputs(facts, facts.images)


def _image_and_text_outputs(facts: HistoryFacts, image: bool, audio: bool) -> Sequence[int]:  # noqa: FBT001
    if image:
        return ()
    return [*_image_outputs(facts, image, audio), *facts.data_bodies]


def _outputs_downgraded(prompt: Prompt) -> Iterator[Finding]:
    """Judge IMG-3: array bodies are downgraded, text bodies never are."""
    for place in _image_and_text_outputs(prompt.facts, prompt.image, prompt.audio):
        if place not in prompt.aligned.altered:
            continue
        array = bool(prompt.facts.items[place].images)
        if changed_entries(prompt, place) & ({"image"} if array else {"other"}):
            message = "an image of an output is not downgraded in place"
            if not array:
                message = "a text body is changed, though it is no array"
            yield _finding(prompt, "IMG-3", message, place)


def _results(facts: HistoryFacts, image: bool, _audio: bool) -> Sequence[int]:  # noqa: FBT001
    return () if image else facts.results


def _result_cleared(prompt: Prompt) -> Iterator[Finding]:
    for place in _results(prompt.facts, prompt.image, prompt.audio):
        names = [*DRAWN, "id"] if prompt.forms[place].get("id") else DRAWN
        names = [name for name in names if name not in explained(prompt, place)]
        if call_changed(prompt, place, *names):
            yield _finding(
                prompt, "IMG-4", "an image generation call loses its result and only that", place
            )


def _left_alone(facts: HistoryFacts, image: bool, _audio: bool) -> Sequence[int]:  # noqa: FBT001
    """Give the items with something beside an image, or with what only looks like one."""
    if image:
        return ()
    around = [
        place
        for place in facts.images
        if _length(facts.items[place]) > len(facts.items[place].images)
    ]
    return [*around, *(place for place, item in enumerate(facts.items) if _keeps(item))]


def _keeps(item: ItemFacts) -> bool:
    """Say whether an item without images is one that IMG-5 names."""
    if item.type in _KEEPS:
        return True
    entries = item.form[item.body] if item.body == "output" and not item.images else None
    return isinstance(entries, list) and any(
        isinstance(entry, dict) and entry["type"] == "encrypted_content" for entry in entries
    )


def _length(item: ItemFacts) -> int:
    assert item.body is not None
    entries = item.form[item.body]
    assert isinstance(entries, list)
    return len(entries)


def _everything_else(prompt: Prompt) -> Iterator[Finding]:
    """Judge IMG-5: surely where an image stands beside, else only as a suspicion."""
    if prompt.image:
        return
    message = "something beside an image is changed"
    for place in prompt.facts.images:
        if changed_entries(prompt, place) & {"other", "number"}:
            yield _finding(prompt, "IMG-5", message, place)
    for place in prompt.aligned.altered:
        item = prompt.facts.items[place]
        if _keeps(item) or (item.images and not changed_entries(prompt, place)):
            found = prompt.violation(
                "IMG-5",
                message,
                prompt.path(prompt.aligned.target[place]),
                prompt.forms[place],
                prompt.shown(place),
            )
            yield Suspicion(found)


def _with_audio(facts: HistoryFacts, _image: bool, audio: bool) -> Sequence[int]:  # noqa: FBT001
    return facts.audios if audio else ()


def _audio_messages(facts: HistoryFacts, _image: bool, audio: bool) -> Sequence[int]:  # noqa: FBT001
    return () if audio else _messages(facts, facts.audios)


def _audio_outputs(facts: HistoryFacts, _image: bool, audio: bool) -> Sequence[int]:  # noqa: FBT001
    return () if audio else _outputs(facts, facts.audios)


def _results_kept(facts: HistoryFacts, image: bool, audio: bool) -> Sequence[int]:  # noqa: FBT001
    return facts.results if image and not audio else ()


def _changed_with_audio(prompt: Prompt, place: int) -> bool:
    sibling = prompt.siblings.get(prompt.modalities | {"audio"})
    return sibling is not None and call_changed(sibling, place, *DRAWN)


def _no_branch(prompt: Prompt) -> Iterator[Finding]:
    for place in _results_kept(prompt.facts, prompt.image, prompt.audio):
        if call_changed(prompt, place, *DRAWN) and not _changed_with_audio(prompt, place):
            yield _finding(prompt, "AUD-4", "missing audio changes an image generation call", place)


_KEPT_AS_IMAGE: Final = "an image of a message is not downgraded in place"
_KEPT_AS_AUDIO: Final = "audio is not downgraded in place"
_CHANGED_AUDIO: Final = "audio was changed, though audio is taken"

MEDIA: Final[Mapping[str, PromptCheck]] = MappingProxyType(
    {
        check.clause: check
        for check in (
            PromptCheck("IMG-1", judge=_nothing_changes, count=_counting(_with_image)),
            _entries("IMG-2", "image", _KEPT_AS_IMAGE, _image_messages),
            PromptCheck(
                "IMG-3", judge=_outputs_downgraded, count=_counting(_image_and_text_outputs)
            ),
            PromptCheck("IMG-4", judge=_result_cleared, count=_counting(_results)),
            PromptCheck("IMG-5", judge=_everything_else, count=_counting(_left_alone)),
            _entries("AUD-1", "audio", _CHANGED_AUDIO, _with_audio),
            _entries("AUD-2", "audio", _KEPT_AS_AUDIO, _audio_messages),
            _entries("AUD-3", "audio", _KEPT_AS_AUDIO, _audio_outputs),
            PromptCheck("AUD-4", judge=_no_branch, count=_counting(_results_kept)),
        )
    }
)
"""The checks, by clause."""
