"""JSON text to values and back, fast and without loss (WORLD-7).

The fast reader turns integers beyond 64 bits into doubles, and the fast writer refuses them and
writes NaN as null. So text with a long run of digits goes through the standard reader, and what
the fast writer cannot take goes through the standard writer.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Final, NoReturn

import orjson

if TYPE_CHECKING:
    from contextcert.refmodel.json_value import Json

# 2**64 - 1 has 20 digits and -2**63 has 19: shorter runs are safe.
_LONG_RUN: Final = b"0" * 19
_DIGITS_ALIKE: Final = bytes.maketrans(b"123456789", b"000000000")


class JsonError(ValueError):
    """A text is no JSON, or a value has no JSON text; the message says why."""


def encode(value: object) -> bytes:
    """Write a value as UTF-8 JSON without white space.

    Raises:
        JsonError: the value holds NaN, an infinity, a lone surrogate, a key that is no string, or
            something that is no JSON value.
    """
    try:
        text = orjson.dumps(value)
    except TypeError:
        return _encode_slowly(value)
    if b"null" in text:
        _refuse_what_has_no_text(value)
    return text


def decode(text: bytes) -> Json:
    """Read UTF-8 JSON.

    Raises:
        JsonError: the text is no JSON (RFC 8259), no UTF-8, or holds a lone surrogate or a number
            too large for a double.
    """
    if _LONG_RUN in text.translate(_DIGITS_ALIKE):
        return _decode_slowly(text)
    try:
        value: Json = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise JsonError(str(error)) from error
    return value


def _encode_slowly(value: object) -> bytes:
    _refuse_what_has_no_text(value)
    try:
        return json.dumps(
            value, ensure_ascii=False, allow_nan=False, separators=(",", ":")
        ).encode()
    except UnicodeEncodeError as error:
        raise JsonError("a string holds a lone surrogate, which JSON text cannot carry") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise JsonError(f"no JSON value: {error}") from error


def _refuse_what_has_no_text(value: object) -> None:
    """Refuse what the writers would silently turn into something else."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, float) and not math.isfinite(one):
            raise JsonError(f"JSON has no number {one!r}")
        if isinstance(one, dict):
            if not all(isinstance(key, str) for key in one):
                raise JsonError("an object has a key that is no string")
            waiting.extend(one.values())
        elif isinstance(one, list | tuple):
            waiting.extend(one)


def _decode_slowly(text: bytes) -> Json:
    try:
        value: Json = json.loads(
            text.decode(), parse_constant=_refuse_constant, parse_float=_finite
        )
        if b"\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise JsonError("a string holds a lone surrogate") from error
    except (ValueError, RecursionError) as error:
        raise JsonError(str(error)) from error
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise JsonError(f"JSON has no number {name}")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise JsonError(f"the number {text[:40]} is too large for a double")
    return number
