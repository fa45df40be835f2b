"""How outputs are cut when they are recorded (SPEC 3.2)."""

from typing import Any, Literal, NamedTuple, TypeAlias

from faults import fault

Body: TypeAlias = str | list[dict[str, Any]]
"""What an output holds: text, or content entries."""

_BYTES_PER_TOKEN = 4


class Policy(NamedTuple):
    """How much of an output is kept, in bytes or in tokens."""

    unit: Literal["bytes", "tokens"]
    limit: int

    def enlarged(self) -> "Policy":
        """Give ceil(1.2 n) in the same unit (TRUNC-1)."""
        return self._replace(limit=_ceil(6 * self.limit, 5))

    def enlarged_in_tokens(self) -> "Policy":
        """Give the enlarged limit in tokens, whatever the unit (E11-4)."""
        enlarged = self.enlarged()
        if self.unit == "tokens":
            return enlarged
        return Policy("tokens", _ceil(enlarged.limit, _BYTES_PER_TOKEN))


def truncate(body: Body, budget: Policy) -> Body:
    """Cut a body to a budget that is already enlarged; what fits comes out equal (TRUNC-11)."""
    if isinstance(body, str):
        return _truncated_text(body, budget)
    return _truncated_entries(body, budget)


def _truncated_text(text: str, budget: Policy) -> str:
    """Keep both ends of a text and say how much went (TRUNC-2 to TRUNC-6)."""
    kept = budget.limit if budget.unit == "bytes" else budget.limit * _BYTES_PER_TOKEN
    data = text.encode()
    if not data or (kept and len(data) <= kept):
        return text
    left = _boundary_before(data, kept // 2)
    right = _boundary_after(data, len(data) - (kept - kept // 2))
    removed = data[left:right]
    if budget.unit == "bytes":
        marker = f"…{len(removed.decode())} chars truncated…"
    elif fault("marker-counts-removed"):
        marker = f"…{_ceil(len(removed), _BYTES_PER_TOKEN)} tokens truncated…"
    else:
        marker = f"…{_ceil(len(data) - kept, _BYTES_PER_TOKEN)} tokens truncated…"
    return f"{data[:left].decode()}{marker}{data[right:].decode()}"


def _truncated_entries(entries: list[dict[str, Any]], budget: Policy) -> list[dict[str, Any]]:
    """Spend one budget entry by entry, and count what is left out (TRUNC-7 to TRUNC-10)."""
    left = budget.limit
    kept: list[dict[str, Any]] = []
    omitted_texts = omitted_audios = 0
    for entry in entries:
        if entry["type"] == "input_text":
            cost = _cost(entry["text"], budget.unit)
            if left == 0:
                omitted_texts += 1
            elif cost <= left:
                kept.append(entry)
                left -= cost
            else:
                cut = _truncated_text(entry["text"], budget._replace(limit=left))
                kept.append({**entry, "text": cut})
                left = 0
        elif entry["type"] == "input_audio":
            cost = _audio_cost(entry["audio_url"], budget.unit)
            if cost <= left:
                kept.append(entry)
                left -= cost
            else:
                omitted_audios += 1
        else:
            kept.append(entry)  # TRUNC-8
    return kept + _notes(omitted_texts, "text") + _notes(omitted_audios, "audio")


def _notes(omitted: int, kind: str) -> list[dict[str, Any]]:
    if not omitted:
        return []
    return [{"type": "input_text", "text": f"[omitted {omitted} {kind} items ...]"}]


def _cost(text: str, unit: str) -> int:
    size = len(text) if text.isascii() else len(text.encode())
    return size if unit == "bytes" else _ceil(size, _BYTES_PER_TOKEN)


def _audio_cost(url: str, unit: str) -> int:
    """Estimate audio by its whole URL, in tokens; four bytes a token (TRUNC-9)."""
    tokens = _cost(url, "tokens")
    return tokens if unit == "tokens" else tokens * _BYTES_PER_TOKEN


def _boundary_before(data: bytes, index: int) -> int:
    """Give the last start of a character at or before a place in UTF-8 text."""
    while index < len(data) and _continues(data[index]):
        index -= 1
    return index


def _boundary_after(data: bytes, index: int) -> int:
    """Give the first start of a character, or the end, at or after a place in UTF-8 text."""
    while index < len(data) and _continues(data[index]):
        index += 1
    return index


def _continues(byte: int) -> bool:
    return byte & 0xC0 == 0x80  # noqa: PLR2004 (how UTF-8 marks all but the first byte)


def _ceil(dividend: int, divisor: int) -> int:
    return -(-dividend // divisor)
