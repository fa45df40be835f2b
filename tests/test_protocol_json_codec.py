"""JSON text to values and back without loss."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextcert.protocol.json_codec import JsonError, decode, encode
from contextcert.refmodel.json_value import same_json

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBERS = (
    st.integers() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False).filter(math.isfinite)
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_every_value_survives_the_way_there_and_back(value: object) -> None:
    """Integers of any size, doubles and all text come back as they went."""
    assert same_json(decode(encode(value)), value)


@pytest.mark.parametrize(
    "value",
    [
        2**53 + 1,
        2**63,
        2**64 - 1,
        2**64,
        -(2**63) - 1,
        10**400,
        1.0,
        -0.0,
        5e-324,
        1.7976931348623157e308,
        0.1 + 0.2,
        "\0",
        "\u2028\ufeff\U0001f600",
        {"__proto__": [], "": {}},
    ],
)
def test_a_value_that_others_lose_survives(value: object) -> None:
    """The traps of decoders in other languages are none here."""
    assert same_json(decode(encode([None, value])), [None, value])


@pytest.mark.parametrize("text", [b"1", b"1.0", b"1e0"])
def test_integers_and_doubles_stay_apart(text: bytes) -> None:
    """A number with a fraction or an exponent is a double, any other an integer (WORLD-7)."""
    assert type(decode(text)) is (int if text == b"1" else float)


def test_a_long_integer_beside_other_values_is_exact() -> None:
    """The slow reader takes over for the whole text, and reads the rest as the fast one does."""
    text = b'{"a":18446744073709551616,"b":"\\u00e9\\ud83d\\ude00","c":[1.0,null]}'
    assert decode(text) == {"a": 2**64, "b": "é\U0001f600", "c": [1.0, None]}


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, [None, {"a": math.nan}], [2**70, math.nan]],
)
def test_what_is_no_number_is_refused_in_writing(value: object) -> None:
    """NaN and the infinities have no JSON text, and never become null."""
    with pytest.raises(JsonError):
        encode(value)


@pytest.mark.parametrize("value", ["\ud800", {"a": ["\udfff"]}, [2**70, "\ud800"]])
def test_a_lone_surrogate_is_refused_in_writing(value: object) -> None:
    """A string that is no Unicode text says so."""
    with pytest.raises(JsonError, match="surrogate"):
        encode(value)


@pytest.mark.parametrize("value", [{1: 2}, object(), b"x", {2**70: 1, "a": object()}])
def test_what_is_no_json_value_is_refused_in_writing(value: object) -> None:
    """Bytes, objects and keys that are no strings are refused."""
    with pytest.raises(JsonError):
        encode(value)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"NaN",
        b"[Infinity]",
        b"1e999",
        b"[1] x",
        b"{'a':1}",
        b'"\\ud800"',
        b'"\xff"',
        b'{"a":1',
        b"\xef\xbb\xbf1",
        b"[" * 3000 + b"]" * 3000,
    ],
)
@pytest.mark.parametrize("digits", [b"", b"10000000000000000000"])
def test_what_is_no_json_is_refused_in_reading(text: bytes, digits: bytes) -> None:
    """Both readers refuse the same texts."""
    with pytest.raises(JsonError):
        decode(b"[" + text + b"," + digits + b"]" if digits else text)
