"""What recording leaves of an output's body, restated from SPEC 3.2 (and E11-3, E11-4)."""

from __future__ import annotations

from collections import Counter
from typing import Final

from attrs import field, frozen

from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition

BYTES: Final = "bytes"
TOKENS: Final = "tokens"
_TOKEN: Final = 4
"""How many bytes one token stands for."""


@frozen
class Policy:
    """A policy as a script states it, not yet enlarged."""

    unit: str
    limit: int

    def allowance(self, edition: Edition) -> Allowance:
        """Give the enlarged limit (TRUNC-1, E11-4)."""
        enlarged = -(-6 * self.limit // 5)
        if self.unit == BYTES and edition is Edition.NOVEMBER_2026:
            return Allowance(TOKENS, tokens(enlarged))
        return Allowance(self.unit, enlarged)


@frozen
class Allowance:
    """How much of a body may stay, in its unit."""

    unit: str
    limit: int

    @property
    def bytes(self) -> int:
        """The budget of a text, in bytes."""
        return self.limit if self.unit == BYTES else _TOKEN * self.limit

    def cost(self, text: str) -> int:
        """Give what a text costs in an array (TRUNC-7)."""
        return size(text) if self.unit == BYTES else tokens(size(text))

    def audio_cost(self, url: str) -> int:
        """Give what audio that cannot be decoded costs (TRUNC-9)."""
        return tokens(size(url)) * (_TOKEN if self.unit == BYTES else 1)


@frozen
class Cut:
    """A body after truncation, and which clauses of TRUNC that exercised."""

    body: Json
    clauses: Counter[str] = field(factory=Counter)


def size(text: str) -> int:
    """Give the length of a text in UTF-8 bytes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def tokens(count: int) -> int:
    """Give how many tokens stand for so many bytes."""
    return -(-count // _TOKEN)


def cut_body(body: Json, allowance: Allowance) -> Cut:
    """Truncate a body: a text, or an array under one running budget."""
    clauses = Counter({"TRUNC-1": 1})
    if isinstance(body, str):
        return Cut(cut_text(body, allowance, clauses), clauses)
    assert isinstance(body, list)
    return Cut(_cut_entries(body, allowance, clauses), clauses)


def cut_text(text: str, allowance: Allowance, clauses: Counter[str]) -> str:
    """Truncate one text, and count the clauses that speak of it (TRUNC-2 to TRUNC-6)."""
    budget = allowance.bytes
    if not text or (budget > 0 and size(text) <= budget):
        clauses.update(("TRUNC-2", "TRUNC-11"))
        return text
    clauses["TRUNC-4" if budget == 0 else "TRUNC-3"] += 1
    clauses["TRUNC-5" if allowance.unit == BYTES else "TRUNC-6"] += 1
    prefix, suffix = ends(text, budget)
    return prefix + marker(text, prefix, suffix, allowance) + suffix


def ends(text: str, budget: int) -> tuple[str, str]:
    """Give what stays of a text that is too long, before and after the marker (TRUNC-3)."""
    if budget == 0:
        return "", ""
    left = budget // 2
    start = size(text) - (budget - left)
    before = after = ended = 0
    for character in text:
        began, ended = ended, ended + size(character)
        if ended <= left:
            before += 1
        elif began >= start:
            after += 1
    return text[:before], text[len(text) - after :] if after else ""


def marker(text: str, prefix: str, suffix: str, allowance: Allowance) -> str:
    """Give the marker for what was taken out (TRUNC-5, TRUNC-6)."""
    if allowance.unit == BYTES:
        return f"…{len(text) - len(prefix) - len(suffix)} chars truncated…"
    return f"…{tokens(size(text) - allowance.bytes)} tokens truncated…"


def without_blanks(body: Json) -> Json:
    """Give a body without the empty texts of its array, which recording drops (E11-3)."""
    if not isinstance(body, list):
        return body
    return [one for one in body if not is_blank(one)]


def is_blank(entry: Json) -> bool:
    """Say whether an entry is an empty `input_text` (E11-3)."""
    return isinstance(entry, dict) and entry.get("type") == "input_text" and entry["text"] == ""


def trailer(omitted: Counter[str]) -> list[Json]:
    """Give the entries that say what was omitted (TRUNC-10)."""
    return [
        {"type": "input_text", "text": f"[omitted {omitted[kind]} {kind} items ...]"}
        for kind in ("text", "audio")
        if omitted[kind]
    ]


def _cut_entries(entries: list[Json], allowance: Allowance, clauses: Counter[str]) -> list[Json]:
    left = allowance.limit
    kept: list[Json] = []
    omitted: Counter[str] = Counter()
    for entry in entries:
        assert isinstance(entry, dict)
        remaining = Allowance(allowance.unit, left)
        match entry["type"]:
            case "input_text":
                left = _text(entry, remaining, kept, omitted, clauses)
            case "input_audio":
                left = _audio(entry, remaining, kept, omitted, clauses)
            case _:
                clauses["TRUNC-8"] += 1
                kept.append(entry)
    said = trailer(omitted)
    clauses["TRUNC-10" if said else "TRUNC-11"] += 1
    return [*kept, *said]


def _text(
    entry: JsonObject,
    remaining: Allowance,
    kept: list[Json],
    omitted: Counter[str],
    clauses: Counter[str],
) -> int:
    """Keep, cut or omit one text of an array, and give what is left of the budget."""
    text = entry["text"]
    assert isinstance(text, str)
    clauses["TRUNC-7"] += 1
    if remaining.limit == 0:
        omitted["text"] += 1
        return 0
    cost = remaining.cost(text)
    if cost <= remaining.limit:
        kept.append(entry)
        return remaining.limit - cost
    kept.append({**entry, "text": cut_text(text, remaining, clauses)})
    return 0


def _audio(
    entry: JsonObject,
    remaining: Allowance,
    kept: list[Json],
    omitted: Counter[str],
    clauses: Counter[str],
) -> int:
    url = entry["audio_url"]
    assert isinstance(url, str)
    clauses["TRUNC-9"] += 1
    cost = remaining.audio_cost(url)
    if cost <= remaining.limit:
        kept.append(entry)
        return remaining.limit - cost
    omitted["audio"] += 1
    return remaining.limit
