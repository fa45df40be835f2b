"""TRUNC-1 to TRUNC-11: how the body of an output is cut when it is recorded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from contextcert.properties.case import Case
from contextcert.properties.checks.check import Check
from contextcert.properties.checks.relation import Counts
from contextcert.properties.equality import identical
from contextcert.properties.observation import Entry, Step
from contextcert.properties.truncating import (
    BYTES,
    Allowance,
    cut_body,
    cut_text,
    ends,
    marker,
    size,
    tokens,
)
from contextcert.properties.view import Shown
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import Json

_MARKER: Final = re.compile(r"…([0-9]+) (chars|tokens) truncated…")
_MARK: Final = re.compile(r"…[0-9]+ (?:chars|tokens) truncated…|\[omitted [0-9]+ ")
_FITS: Final = ("TRUNC-2", "TRUNC-11")
_CUT: Final = frozenset({"function_call_output", "custom_tool_call_output"})


def cuts(entry: Entry) -> Iterator[str]:
    """Name what the right body of a recorded output exercised."""
    if entry.cut is not None:
        yield from entry.cut.clauses.elements()
    elif entry.item.type in _CUT:
        yield from _FITS if isinstance(entry.item.form["output"], str) else _FITS[1:]


def cut_before_projected(case: Case, _counts: Counts) -> Iterator[Violation]:
    """Judge outputs of prompts that were cut wrongly already, when they were recorded."""
    for mode, outcomes in case.outcomes.items():
        steps = case.surveys[mode].steps
        for outcome in outcomes:
            prompt = outcome.prompt
            if prompt is None or not prompt.aligned.altered:
                continue
            for place in sorted(prompt.aligned.altered):
                entry, raw = prompt.entries[place], prompt.raw
                step = steps.get(entry.operation)
                shown_right = raw is not None and place not in raw.aligned.altered
                if step is None or shown_right or entry.item.has_media:
                    continue
                if is_miscut(prompt, place):
                    yield from miscut(prompt, place, entry, step)


def is_miscut(shown: Shown, place: int) -> bool:
    """Say whether an output is shown uncut, or cut otherwise, and else as it must be."""
    entry, given, wanted = shown.entries[place], shown.shown(place), shown.forms[place]
    if entry.item.type not in _CUT or not isinstance(given, dict):
        return False
    body = given.get("output")
    right = {**given, "output": wanted["output"]}
    if identical(body, wanted["output"]) or not identical(right, wanted):
        return False
    if bears_mark(body):
        return not bears_mark(entry.uncut)
    return entry.cut is not None and identical(body, entry.uncut)


def bears_mark(body: Json) -> bool:
    """Say whether a body bears a mark of truncation, right or wrong."""
    entries = body if isinstance(body, list) else [{"text": body}]
    texts = [entry.get("text") for entry in entries if isinstance(entry, dict)]
    return any(isinstance(one, str) and _MARK.search(one) for one in texts)


def miscut(shown: Shown, place: int, entry: Entry, step: Step) -> Iterator[Violation]:
    """Judge the body of an output that is not what truncation makes of it."""
    given = shown.shown(place)
    if step.allowance is None or not isinstance(given, dict):
        return
    source = entry.uncut
    right, wrong = shown.forms[place]["output"], given.get("output")
    path = shown.path(shown.aligned.target[place], "output")
    for clause in dict.fromkeys(_broken(source, right, wrong, step.allowance)):
        yield shown.violation(clause, "an output is not cut as it must be", path, right, wrong)


def _broken(source: Json, right: Json, wrong: Json, allowance: Allowance) -> Iterator[str]:
    if any(identical(cut_body(source, one).body, wrong) for one in _misread(allowance)):
        yield "TRUNC-1"
    elif identical(source, right):
        yield "TRUNC-11"
        if isinstance(source, str):
            yield "TRUNC-2"
    elif isinstance(source, str):
        yield from _text(source, wrong, allowance)
    elif isinstance(source, list):
        yield from _array(source, wrong, right, allowance)


def _misread(allowance: Allowance) -> Iterator[Allowance]:
    """Give the limits that a wrong enlargement comes to."""
    limit = 5 * allowance.limit // 6
    near = {allowance.limit - 1, allowance.limit + 1, limit, 5 * limit // 4, 2 * limit}
    for one in sorted(near - {allowance.limit}):
        if one >= 0:
            yield Allowance(allowance.unit, one)


def _text(source: str, wrong: Json, allowance: Allowance) -> Iterator[str]:
    """Tell a wrong marker from wrong ends."""
    number = "TRUNC-5" if allowance.unit == BYTES else "TRUNC-6"
    found = _MARKER.search(wrong) if isinstance(wrong, str) else None
    shape = "TRUNC-4" if allowance.bytes == 0 else "TRUNC-3"
    if found is None or not isinstance(wrong, str):
        yield number if _has_ends(source, wrong, allowance) else shape
        return
    prefix, suffix = wrong[: found.start()], wrong[found.end() :]
    if (prefix, suffix) != ends(source, allowance.bytes):
        yield shape
        if found[0] != _own_marker(source, prefix, suffix, allowance):
            yield number
    else:
        yield number


def _has_ends(source: str, wrong: Json, allowance: Allowance) -> bool:
    """Say whether a text without the right marker keeps the right ends, if there are any."""
    prefix, suffix = ends(source, allowance.bytes)
    return (
        isinstance(wrong, str)
        and bool(prefix or suffix)
        and wrong.startswith(prefix)
        and wrong.endswith(suffix)
        and "truncated" in wrong
    )


def _own_marker(source: str, prefix: str, suffix: str, allowance: Allowance) -> str:
    """Give the marker that fits what was really taken out; that of tokens never changes."""
    return marker(source, prefix, suffix, allowance)


def _array(source: list[Json], wrong: Json, right: Json, allowance: Allowance) -> Iterator[str]:
    """Go through an array under the running budget, and name the first entry that is wrong."""
    if not isinstance(wrong, list) or not isinstance(right, list):
        yield "TRUNC-7"
        return
    for kind, clause in (("encrypted_content", "TRUNC-8"), ("input_image", "TRUNC-8")):
        if _of(wrong, kind) != _of(right, kind):
            yield clause
            return
    if _of(wrong, "input_audio") != _of(right, "input_audio"):
        yield "TRUNC-9"
        return
    texts, wanted = _of(wrong, "input_text"), _of(right, "input_text")
    if _said(texts) != _said(wanted):
        yield "TRUNC-10"
        if _unsaid(texts) != _unsaid(wanted):
            yield "TRUNC-7"
        return
    if _unsaid(texts) == _unsaid(wanted):
        yield "TRUNC-10" if _said(texts) else "TRUNC-7"
        return
    yield from _texts(source, _unsaid(texts), _unsaid(wanted), allowance)


def _texts(
    source: list[Json], wrong: list[Json], right: list[Json], allowance: Allowance
) -> Iterator[str]:
    """Judge the texts that an array keeps: the one that was cut, or how the budget runs."""
    differing = [(one, other) for one, other in zip(wrong, right, strict=False) if one != other]
    if len(wrong) != len(right) or len(differing) != 1:
        yield "TRUNC-7"
        return
    left = allowance.limit
    for entry in source:
        if not isinstance(entry, dict) or entry["type"] == "input_image":
            continue
        if entry["type"] == "input_audio":
            cost = allowance.audio_cost(str(entry["audio_url"]))
            left -= cost if cost <= left else 0
        elif entry["type"] == "input_text":
            text, remaining = str(entry["text"]), Allowance(allowance.unit, left)
            cost = remaining.cost(text)
            if cost > left:
                yield from _cut_entry(text, differing[0], remaining)
                return
            left -= cost
    yield "TRUNC-7"


def _cut_entry(text: str, differing: tuple[Json, Json], remaining: Allowance) -> Iterator[str]:
    wrong, right = differing
    wanted = cut_text(text, remaining, Counter())
    if not (isinstance(wrong, dict) and isinstance(right, dict) and right.get("text") == wanted):
        yield "TRUNC-7"
        return
    found = _MARKER.search(str(wrong.get("text")))
    kept = size(str(wrong.get("text"))) - (size(found[0]) if found else 0)
    if found is None or abs(tokens(kept) - tokens(remaining.bytes)) > 1:
        yield "TRUNC-7"
        return
    yield from _text(text, wrong.get("text"), remaining)


def _of(entries: list[Json], kind: str) -> list[Json]:
    return [one for one in entries if isinstance(one, dict) and one.get("type") == kind]


def _said(texts: list[Json]) -> list[Json]:
    return [one for one in texts if _is_said(one)]


def _unsaid(texts: list[Json]) -> list[Json]:
    return [one for one in texts if not _is_said(one)]


def _is_said(entry: Json) -> bool:
    return isinstance(entry, dict) and str(entry.get("text")).startswith("[omitted")


TRUNCATION: Final[Mapping[str, Check]] = {
    clause: Check(clause) for clause in (f"TRUNC-{number}" for number in range(1, 12))
}
"""The checks, by clause."""
