"""Stand-ins for texts: same shape, nothing of what they said.

A stand-in is made from the number of the text among those of its shape, never from the text, so
nothing can be guessed back from it. What rules look for stays where it is: the marks of contextual
fragments (SPEC 4.4, 4.5), the form of inter-agent instructions (4.6), the heads of data URLs, and
the prefixes of ids.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import Final

from attrs import define, field

from contextcert.corpus.alphabets import alphabet_for
from contextcert.corpus.marks import parts_of, traits
from contextcert.refmodel.json_value import Json

_TRIES: Final = 100


class NoStandInError(Exception):
    """There is no text of this shape that the rules would take for the same."""


@define
class StandIns:
    """Everything that was given so far: equal texts get equal stand-ins, others different ones."""

    _texts: dict[str, str] = field(factory=dict)
    _plain: dict[str, str] = field(factory=dict)
    _numbers: dict[tuple[str, float], int | float] = field(factory=dict)
    _met: Counter[str] = field(factory=Counter)

    def text(self, original: str) -> str:
        """Give the stand-in of a text.

        Raises:
            NoStandInError: there is none.
        """
        key = _key(original)
        known = self._texts.get(key)
        if known is None:
            known = self._texts[key] = self._made(original)
        return known

    def value(self, original: Json) -> Json:
        """Give the stand-in of any JSON value: its keys are texts too, and so are its numbers.

        Raises:
            NoStandInError: a text of it has none.
        """
        match original:
            case str():
                return self.text(original)
            case dict():
                return {self.text(k): self.value(v) for k, v in original.items()}
            case list():
                return [self.value(one) for one in original]
            case bool() | None:
                return original
            case _:
                return self.number(original)

    def number(self, original: float) -> int | float:
        """Give the stand-in of a number: of as many digits, whole where it was whole; 0 stays."""
        if original == 0:
            return original
        whole = isinstance(original, int) or original.is_integer()
        kind = f"{type(original).__name__} {whole}"
        known = self._numbers.get((kind, original))
        if known is None:
            known = self._numbers[kind, original] = self._numbered(kind, original, whole=whole)
        return known

    def _numbered(self, kind: str, original: float, *, whole: bool) -> int | float:
        digits = len(str(abs(int(original))))
        shape = f"{kind} {digits} {original < 0}" if whole else kind
        place = self._met[shape]
        self._met[shape] += 1
        if not whole:
            return place + 0.5
        made = 10 ** (digits - 1) + place
        if len(str(made)) > digits:
            raise NoStandInError
        signed = -made if original < 0 else made
        return signed if isinstance(original, int) else float(signed)

    def _made(self, original: str) -> str:
        parts = parts_of(original)
        for _ in range(_TRIES):
            made = "".join(part if kept else self._part(part) for part, kept in parts)
            if traits(made) == traits(original):
                return made
            # Another number for every part may do.
            for part, kept in parts:
                if not kept:
                    self._plain.pop(_key(part), None)
        raise NoStandInError

    def _part(self, original: str) -> str:
        key = _key(original)
        known = self._plain.get(key)
        if known is None:
            known = self._plain[key] = self._next_of_shape(original)
        return known

    def _next_of_shape(self, original: str) -> str:
        alphabets = [alphabet_for(one) for one in original]
        shape = "".join(one[0] for one in alphabets)
        key = _key(shape)
        number = self._met[key]
        self._met[key] += 1
        return _written(number, alphabets, shape)


_LONG: Final = 200


def _key(text: str) -> str:
    """Give what a text is remembered by, which is short."""
    if len(text) <= _LONG:
        return text
    return f"{len(text)} {sha256(text.encode()).hexdigest()}"


def _written(number: int, alphabets: list[str], shape: str) -> str:
    """Write a number in the first places, each with its alphabet for digits."""
    made: list[str] = []
    for alphabet in alphabets:
        if not number:
            break
        number, digit = divmod(number, len(alphabet))
        made.append(alphabet[digit])
    if number:
        raise NoStandInError
    return "".join(made) + shape[len(made) :]
