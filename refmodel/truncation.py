"""Truncation of outputs when they are recorded (SPEC 3.2, and E11-4 for edition 2026-11)."""

from __future__ import annotations

from enum import Enum
from typing import Final

from attrs import evolve, frozen

from contextcert.refmodel.items import Body, BodyEntry, InputAudio, InputText
from contextcert.refmodel.json_value import Json
from contextcert.refmodel.modes import Edition

_BYTES_PER_TOKEN: Final = 4
_LIMIT_MAX: Final = 2**64 - 1


class Unit(Enum):
    """What a limit counts: UTF-8 bytes, or tokens of four bytes each."""

    BYTES = "bytes"
    TOKENS = "tokens"


@frozen
class TruncationPolicy:
    """How much of an output a caller wants kept, before it is enlarged (TRUNC-1)."""

    mode: Unit
    limit: int

    @classmethod
    def from_json(cls, value: Json) -> TruncationPolicy:
        """Read `{"mode": "bytes" or "tokens", "limit": n}`, n from 0 to 2^64 - 1.

        Raises:
            ValueError: a field is missing or of the wrong kind; the message names it.
        """
        if not isinstance(value, dict):
            raise ValueError("policy must be an object with mode and limit")
        mode, limit = value.get("mode"), value.get("limit")
        if mode not in ("bytes", "tokens"):
            raise ValueError('policy.mode must be "bytes" or "tokens"')
        if type(limit) is not int or not 0 <= limit <= _LIMIT_MAX:
            raise ValueError("policy.limit must be an integer from 0 to 2^64 - 1")
        return cls(Unit(mode), limit)

    def budget(self, edition: Edition) -> Budget:
        """Give the enlarged limit (TRUNC-1), in tokens whatever the mode in 2026-11 (E11-4)."""
        enlarged = _ceil_div(6 * self.limit, 5)
        if self.mode is Unit.BYTES and edition is Edition.NOVEMBER_2026:
            return Budget(Unit.TOKENS, _tokens(enlarged))
        return Budget(self.mode, enlarged)


@frozen
class Budget:
    """What may still be kept."""

    unit: Unit
    left: int

    @property
    def bytes_left(self) -> int:
        """The budget B of TRUNC-2."""
        return self.left if self.unit is Unit.BYTES else self.left * _BYTES_PER_TOKEN

    def text_cost(self, text: str) -> int:
        """Give what a text costs, in the budget's unit (TRUNC-7)."""
        length = _length(text)
        return length if self.unit is Unit.BYTES else _tokens(length)

    def audio_cost(self, audio_url: str) -> int:
        """Give what undecodable audio costs, in the budget's unit (TRUNC-9)."""
        estimate = _tokens(_length(audio_url))
        return estimate * _BYTES_PER_TOKEN if self.unit is Unit.BYTES else estimate

    def spend(self, cost: int) -> Budget:
        """Give what is left once the cost, which fits, is charged."""
        return evolve(self, left=self.left - cost)


def truncate_output_body(body: Body, policy: TruncationPolicy, edition: Edition) -> Body:
    """Give an output's body as it is recorded under a policy."""
    budget = policy.budget(edition)
    if isinstance(body, str):
        return truncate_text(body, budget)
    return _truncate_entries(body, budget)


def _truncate_entries(entries: tuple[BodyEntry, ...], budget: Budget) -> tuple[BodyEntry, ...]:
    """Spend one running budget on all entries and say what was omitted (TRUNC-7 to TRUNC-10)."""
    kept: list[BodyEntry] = []
    omitted = {"text": 0, "audio": 0}
    for entry in entries:
        match entry:
            case InputText() if budget.left == 0:
                omitted["text"] += 1
            case InputText(text=text) if (cost := budget.text_cost(text)) <= budget.left:
                kept.append(entry)
                budget = budget.spend(cost)
            case InputText(text=text):
                kept.append(InputText(truncate_text(text, budget)))
                budget = budget.spend(budget.left)
            case InputAudio(audio_url=url) if (cost := budget.audio_cost(url)) <= budget.left:
                kept.append(entry)
                budget = budget.spend(cost)
            case InputAudio():
                omitted["audio"] += 1
            case _:
                kept.append(entry)
    kept.extend(
        InputText(f"[omitted {number} {kind} items ...]")
        for kind, number in omitted.items()
        if number > 0
    )
    return tuple(kept)


def truncate_text(text: str, budget: Budget) -> str:
    """Cut the middle out of a text that does not fit (TRUNC-2 to TRUNC-6, TRUNC-11)."""
    if not text or (budget.left > 0 and _length(text) <= budget.bytes_left):
        return text
    encoded = text.encode()
    start, end = _removed(encoded, budget.bytes_left)
    marker = _marker(encoded, start, end, budget)
    return encoded[:start].decode() + marker + encoded[end:].decode()


def _removed(encoded: bytes, budget: int) -> tuple[int, int]:
    """Give the range of bytes to remove, widened so that no character is split (TRUNC-3)."""
    if budget == 0:
        return 0, len(encoded)
    left = budget // 2
    start, end = left, len(encoded) - (budget - left)
    while _splits_character(encoded, start):
        start -= 1
    while _splits_character(encoded, end):
        end += 1
    return start, end


def _splits_character(encoded: bytes, position: int) -> bool:
    """Say whether the position lies inside a character rather than between two."""
    return position < len(encoded) and encoded[position] & 0xC0 == 0x80  # noqa: PLR2004 - UTF-8


def _marker(encoded: bytes, start: int, end: int, budget: Budget) -> str:
    """Give the marker (TRUNC-5, TRUNC-6): characters removed, or tokens over the budget."""
    if budget.unit is Unit.TOKENS:
        return f"…{_tokens(len(encoded) - budget.bytes_left)} tokens truncated…"
    return f"…{len(encoded[start:end].decode())} chars truncated…"


def _length(text: str) -> int:
    """Give the length in UTF-8 bytes."""
    return len(text) if text.isascii() else len(text.encode())


def _tokens(length: int) -> int:
    """Give how many tokens so many bytes are."""
    return _ceil_div(length, _BYTES_PER_TOKEN)


def _ceil_div(dividend: int, divisor: int) -> int:
    return -(-dividend // divisor)
