"""A strict reader of JSON text that keeps repeated keys and never recurses.

The standard reader takes NaN and Infinity, forgets repeated keys, limits the digits of an
integer and the depth of nesting; SPEC 4.6 needs none of these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final, TypeAlias

from attrs import frozen

JsonText: TypeAlias = "bool | str | Number | list[JsonText] | Members | None"


@frozen
class Number:
    """A number as it was written."""

    literal: str


@frozen
class Members:
    """An object's members in the order written, repeated keys included."""

    pairs: tuple[tuple[str, JsonText], ...]


class _Rule(Enum):
    """What may come next."""

    VALUE = auto()
    FIRST_ELEMENT = auto()
    NEXT_ELEMENT = auto()
    KEY = auto()
    COLON = auto()
    FIRST_MEMBER = auto()
    NEXT_MEMBER = auto()


_TOKEN: Final = re.compile(
    r"""
      "(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*+"
    | -?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?
    | true | false | null
    | [\[\]{}:,]
    """,
    re.VERBOSE,
)
_WHITE_SPACE: Final = re.compile(r"[ \t\n\r]*+")
_WORDS: Final = {"true": True, "false": False, "null": None}
_ELEMENT_RULES: Final = (_Rule.FIRST_ELEMENT, _Rule.NEXT_ELEMENT)
_MEMBER_RULES: Final = (_Rule.FIRST_MEMBER, _Rule.NEXT_MEMBER)
# What each token that only continues a container leaves to be read, the last first.
_CONTINUATIONS: Final = {
    (_Rule.NEXT_ELEMENT, ","): (_Rule.NEXT_ELEMENT, _Rule.VALUE),
    (_Rule.NEXT_MEMBER, ","): (_Rule.NEXT_MEMBER, _Rule.VALUE, _Rule.COLON, _Rule.KEY),
    (_Rule.COLON, ":"): (),
}


def read_json_text(text: str) -> JsonText:
    """Read one JSON value with white space around it and nothing else.

    Raises:
        ValueError: the text is not JSON.
    """
    rules = [_Rule.VALUE]
    # Open containers, outermost first, under a list for the value itself. An object being
    # read is a flat list of keys and values.
    containers: list[list[JsonText]] = [[]]
    for lexeme in _lexemes(text):
        if not rules:
            raise ValueError("text follows the JSON value")
        _take(lexeme, rules, containers)
    if rules:
        raise ValueError("the JSON value is not complete")
    return containers[0][0]


def _lexemes(text: str) -> Iterator[str]:
    position = _end_of_white_space(text, 0)
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise ValueError(f"no JSON token at character {position}")
        yield token.group()
        position = _end_of_white_space(text, token.end())


def _end_of_white_space(text: str, position: int) -> int:
    match = _WHITE_SPACE.match(text, position)
    assert match is not None
    return match.end()


def _take(lexeme: str, rules: list[_Rule], containers: list[list[JsonText]]) -> None:
    """Apply the rule that is due to one token."""
    rule = rules.pop()
    if rule in _ELEMENT_RULES and lexeme == "]":
        elements = containers.pop()
        containers[-1].append(elements)
    elif rule in _MEMBER_RULES and lexeme == "}":
        members = containers.pop()
        containers[-1].append(_members(members))
    elif (rule, lexeme) in _CONTINUATIONS:
        rules.extend(_CONTINUATIONS[rule, lexeme])
    elif rule is _Rule.FIRST_ELEMENT:
        rules.append(_Rule.NEXT_ELEMENT)
        _take_value(lexeme, rules, containers)
    elif rule is _Rule.VALUE:
        _take_value(lexeme, rules, containers)
    elif rule is _Rule.FIRST_MEMBER:
        rules.extend((_Rule.NEXT_MEMBER, _Rule.VALUE, _Rule.COLON))
        _take_key(lexeme, containers)
    elif rule is _Rule.KEY:
        _take_key(lexeme, containers)
    else:
        raise ValueError(f"{lexeme} stands where JSON has none")


def _take_value(lexeme: str, rules: list[_Rule], containers: list[list[JsonText]]) -> None:
    if lexeme in ("[", "{"):
        rules.append(_Rule.FIRST_ELEMENT if lexeme == "[" else _Rule.FIRST_MEMBER)
        containers.append([])
    else:
        containers[-1].append(_scalar(lexeme))


def _take_key(lexeme: str, containers: list[list[JsonText]]) -> None:
    if not lexeme.startswith('"'):
        raise ValueError(f"{lexeme} stands where a key is due")
    containers[-1].append(_scalar(lexeme))


def _scalar(lexeme: str) -> JsonText:
    if lexeme.startswith('"'):
        return str(json.loads(lexeme))
    if lexeme in _WORDS:
        return _WORDS[lexeme]
    if lexeme[0] in "]}:,":
        raise ValueError(f"{lexeme} stands where a value is due")
    return Number(lexeme)


def _members(flat: list[JsonText]) -> Members:
    keys = map(str, flat[::2])
    return Members(tuple(zip(keys, flat[1::2], strict=True)))
