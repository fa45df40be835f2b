"""Truncation of outputs when they are recorded (SPEC 3.2, E11-4)."""

from __future__ import annotations

import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextcert.refmodel.items import (
    BodyEntry,
    EncryptedContent,
    InputAudio,
    InputImage,
    InputText,
)
from contextcert.refmodel.json_value import Json
from contextcert.refmodel.modes import DEFAULT_EDITION, Edition
from contextcert.refmodel.truncation import (
    TruncationPolicy,
    Unit,
    truncate_output_body,
)

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
IMAGE = InputImage("data:image/png;base64,AA==")
SECRET = EncryptedContent("ZW5j")
# Two tokens: eight bytes of URL.
AUDIO = InputAudio("data:,zz")


def recorded(body: str, mode: str, limit: int, edition: Edition = DEFAULT_EDITION) -> str:
    """Record a text body under a policy."""
    result = truncate_output_body(body, TruncationPolicy(Unit(mode), limit), edition)
    assert isinstance(result, str)
    return result


def recorded_entries(entries: tuple[BodyEntry, ...], mode: str, limit: int) -> list[BodyEntry]:
    """Record an array body under a policy."""
    policy = TruncationPolicy(Unit(mode), limit)
    return list(truncate_output_body(entries, policy, DEFAULT_EDITION))  # type: ignore[arg-type]


def texts(*values: str) -> tuple[BodyEntry, ...]:
    """Make one text entry of each value."""
    return tuple(InputText(value) for value in values)


@pytest.mark.parametrize(
    ("body", "mode", "limit", "expected"),
    [
        (ALPHABET, "bytes", 10, "abcdef…14 chars truncated…uvwxyz"),
        (ALPHABET, "bytes", 1, "a…24 chars truncated…z"),
        (ALPHABET, "bytes", 0, "…26 chars truncated…"),
        (ALPHABET, "bytes", 21, ALPHABET),
        (ALPHABET, "tokens", 0, "…7 tokens truncated…"),
        (ALPHABET, "tokens", 1, "abcd…5 tokens truncated…wxyz"),
        (ALPHABET, "tokens", 5, "abcdefghijkl…1 tokens truncated…opqrstuvwxyz"),
        (ALPHABET, "tokens", 6, ALPHABET),
        ("😀" * 5, "bytes", 5, "…5 chars truncated…"),
        ("😀" * 5, "bytes", 10, "😀…3 chars truncated…😀"),
        ("héllo wörld ünï", "bytes", 5, "hé…11 chars truncated…nï"),
    ],
)
def test_worked_texts_come_out_as_written(body: str, mode: str, limit: int, expected: str) -> None:
    """Every text worked out in SPEC 3.2 comes out to the byte."""
    assert recorded(body, mode, limit) == expected


@pytest.mark.parametrize(
    ("entries", "limit", "expected"),
    [
        (
            texts("aaaa", "bbbb", "cccc"),
            5,
            texts("aaaa", "b…2 chars truncated…b", "[omitted 1 text items ...]"),
        ),
        (texts("", "a"), 0, texts("[omitted 2 text items ...]")),
        (texts("", ""), 1, texts("", "")),
        ((), 0, ()),
    ],
)
def test_worked_arrays_come_out_as_written(
    entries: tuple[BodyEntry, ...], limit: int, expected: tuple[BodyEntry, ...]
) -> None:
    """Every array worked out in SPEC 3.2 comes out entry by entry."""
    assert recorded_entries(entries, "bytes", limit) == list(expected)


@pytest.mark.parametrize(
    ("limit", "enlarged"),
    [(0, 0), (1, 2), (3, 4), (5, 6), (10, 12), (2**64 - 1, 22136092888451461938)],
)
def test_limits_are_enlarged_exactly(limit: int, enlarged: int) -> None:
    """TRUNC-1: a fifth more, rounded up, exact at every size."""
    for unit in Unit:
        assert TruncationPolicy(unit, limit).budget(DEFAULT_EDITION).left == enlarged


@pytest.mark.parametrize("mode", ["bytes", "tokens"])
@pytest.mark.parametrize("limit", [0, 1, 2**32 - 1, 2**64 - 1])
def test_the_empty_text_stays(mode: str, limit: int) -> None:
    """TRUNC-2: there is nothing to cut from an empty text under any limit."""
    assert recorded("", mode, limit) == ""


def test_an_odd_budget_gives_the_suffix_the_extra_byte() -> None:
    """TRUNC-3: the halves of five bytes are two and three."""
    assert recorded(ALPHABET, "bytes", 4) == "ab…21 chars truncated…xyz"


def test_media_and_encrypted_entries_are_free() -> None:
    """TRUNC-8: an image and an encrypted entry stay even when nothing may be spent."""
    assert recorded_entries((IMAGE, SECRET), "bytes", 0) == [IMAGE, SECRET]


@pytest.mark.parametrize(
    ("entries", "mode", "limit", "expected"),
    [
        ((AUDIO, *texts("abcd", "e")), "bytes", 9,
         (AUDIO, *texts("a…1 chars truncated…cd", "[omitted 1 text items ...]"))),
        ((AUDIO, AUDIO, *texts("hello")), "tokens", 2,
         (AUDIO, *texts("he…1 tokens truncated…lo", "[omitted 1 audio items ...]"))),
        ((AUDIO,), "bytes", 6, (AUDIO,)),
        ((InputAudio("data:,z"),), "bytes", 5, texts("[omitted 1 audio items ...]")),
        ((InputAudio("data:,é"),), "tokens", 1, (InputAudio("data:,é"),)),
        ((InputAudio(""),), "tokens", 0, (InputAudio(""),)),
        ((AUDIO, *texts("a", "b"), AUDIO), "tokens", 0,
         texts("[omitted 2 text items ...]", "[omitted 2 audio items ...]")),
        ((*texts("aaaa"), AUDIO, *texts("b")), "tokens", 1,
         texts("aaaa", "b", "[omitted 1 audio items ...]")),
    ],
)  # fmt: skip
def test_audio_costs_its_estimate_or_goes(
    entries: tuple[BodyEntry, ...], mode: str, limit: int, expected: tuple[BodyEntry, ...]
) -> None:
    """TRUNC-9, TRUNC-10: audio is charged whole or omitted at no charge; texts are told first."""
    assert recorded_entries(entries, mode, limit) == list(expected)


@pytest.mark.parametrize(
    ("mode", "limit", "expected"),
    [
        ("bytes", 0, "…7 tokens truncated…"),
        ("bytes", 1, "ab…6 tokens truncated…yz"),
        ("bytes", 10, "abcdef…4 tokens truncated…uvwxyz"),
        ("bytes", 21, ALPHABET),
        ("tokens", 1, "abcd…5 tokens truncated…wxyz"),
    ],
)
def test_the_edition_of_november_counts_tokens(mode: str, limit: int, expected: str) -> None:
    """E11-4: a limit in bytes is rounded up to tokens, and the marker speaks of tokens."""
    assert recorded(ALPHABET, mode, limit, Edition.NOVEMBER_2026) == expected


@given(st.text(max_size=40), st.integers(0, 60), st.sampled_from(Unit))
def test_what_is_kept_are_both_ends_within_the_budget(text: str, limit: int, unit: Unit) -> None:
    """TRUNC-3, TRUNC-11: either all is kept, or a prefix and a suffix that fit the budget."""
    enlarged = -(-6 * limit // 5)
    budget = enlarged if unit is Unit.BYTES else 4 * enlarged
    length = len(text.encode())
    result = recorded(text, unit.value, limit)
    if text == "" or length <= budget:
        assert result == text
        return
    kept = [
        (match.start(), len(result) - match.end(), int(match[1]))
        for match in re.finditer(r"…(\d+) (?:chars|tokens) truncated…", result)
    ]
    assert any(
        result[:left] == text[:left]
        and result.endswith(text[len(text) - right :])
        and len(text[:left].encode()) <= budget // 2
        and len(text[len(text) - right :].encode()) <= budget - budget // 2
        and number
        == (len(text) - left - right if unit is Unit.BYTES else -(-(length - budget) // 4))
        for left, right, number in kept
    )


@given(st.lists(st.text(max_size=9).map(InputText), max_size=6).map(tuple), st.integers(0, 30))
def test_a_single_text_entry_is_cut_as_a_text_body_is(
    entries: tuple[InputText, ...], limit: int
) -> None:
    """TRUNC-7: the running budget keeps what fits and cuts at most one entry."""
    result = recorded_entries(entries, "bytes", limit)
    untouched = 0
    spent = 0
    for entry in entries:
        spent += len(entry.text.encode())
        if spent > -(-6 * limit // 5) or limit == 0:
            break
        untouched += 1
        if spent == -(-6 * limit // 5):
            break
    assert result[:untouched] == list(entries[:untouched])
    assert len(result) <= untouched + 2


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (None, "policy"),
        ([], "policy"),
        ({"limit": 1}, "policy.mode"),
        ({"mode": "Bytes", "limit": 1}, "policy.mode"),
        ({"mode": 1, "limit": 1}, "policy.mode"),
        ({"mode": [], "limit": 1}, "policy.mode"),
        ({"mode": "bytes"}, "policy.limit"),
        ({"mode": "bytes", "limit": None}, "policy.limit"),
        ({"mode": "bytes", "limit": -1}, "policy.limit"),
        ({"mode": "bytes", "limit": 1.0}, "policy.limit"),
        ({"mode": "bytes", "limit": True}, "policy.limit"),
        ({"mode": "tokens", "limit": 2**64}, "policy.limit"),
    ],
)
def test_a_bad_policy_is_refused_by_the_name_of_its_field(value: Json, named: str) -> None:
    """DESIGN 3: bad arguments are an error that says where to look."""
    with pytest.raises(ValueError, match=re.escape(named)):
        TruncationPolicy.from_json(value)


def test_a_policy_is_read_with_both_fields() -> None:
    """A policy is its mode and its limit before enlargement."""
    assert TruncationPolicy.from_json({"mode": "tokens", "limit": 7}) == TruncationPolicy(
        Unit.TOKENS, 7
    )


@pytest.mark.parametrize("character", ["a", "é", "😀"])
def test_ten_megabytes_are_cut_in_one_go(character: str) -> None:
    """TRUNC-3: the cost grows with the text's length, not with its square."""
    body = character * (10_000_000 // len(character.encode()))
    started = process_time()
    cut = recorded(body, "bytes", 5_000_000)
    assert process_time() - started < 5
    assert len(cut.encode()) < 6_000_100
