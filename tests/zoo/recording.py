"""What recording keeps and how long outputs are cut (SPEC 3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from zoo.values import Envelope, Json, Object

BYTES_IN_TOKEN: Final = 4
NEVER_RECORDED: Final = ("compaction_trigger", "other")
CUT: Final = ("function_call_output", "custom_tool_call_output")


@dataclass(frozen=True)
class Policy:
    """A limit in bytes or tokens, as given."""

    tokens: bool
    limit: int

    @property
    def budget(self) -> int:
        """The enlarged limit in the policy's own unit (TRUNC-1)."""
        return -(-6 * self.limit // 5)


def text_bytes(text: str) -> int:
    """The length of a text in UTF-8."""
    return len(text.encode())


def in_tokens(size: int) -> int:
    """How many tokens so many bytes are."""
    return -(-size // BYTES_IN_TOKEN)


class Recording:
    """Appends what is kept; every underscored method is a place where a fault may sit."""

    def _record(self, given: Iterable[Envelope], policy: Policy) -> tuple[Envelope, ...]:
        return tuple(self._cut(one, policy) for one in given if self._is_kept(one.item))

    def _is_kept(self, item: Object) -> bool:
        if item["type"] == "message" and item["role"] == "system":
            return False
        return item["type"] not in NEVER_RECORDED

    def _cut(self, envelope: Envelope, policy: Policy) -> Envelope:
        item = envelope.item
        if item["type"] not in CUT:
            return envelope
        return replace(envelope, item={**item, "output": self._cut_body(item["output"], policy)})

    def _cut_body(self, body: Json, policy: Policy) -> Json:
        if isinstance(body, str):
            return self._cut_text(body, policy.budget, tokens=policy.tokens)
        return self._cut_parts(body, policy)

    def _cut_text(self, text: str, budget: int, *, tokens: bool) -> str:
        size = text_bytes(text)
        room = budget * BYTES_IN_TOKEN if tokens else budget
        if not text or (room > 0 and size <= room):
            return text
        head, tail = _ends(text, room)
        removed = in_tokens(size - room) if tokens else len(text) - len(head) - len(tail)
        return f"{head}…{removed} {'tokens' if tokens else 'chars'} truncated…{tail}"

    def _cut_parts(self, parts: list[Object], policy: Policy) -> list[Object]:
        left, kept, texts, audios = policy.budget, [], 0, 0
        for part in parts:
            if part["type"] == "input_text":
                size = text_bytes(part["text"])
                cost = in_tokens(size) if policy.tokens else size
                if left == 0:
                    texts += 1
                elif cost <= left:
                    kept.append(part)
                    left -= cost
                else:
                    text = self._cut_text(part["text"], left, tokens=policy.tokens)
                    kept.append({"type": "input_text", "text": text})
                    left = 0
            elif part["type"] == "input_audio":
                estimate = in_tokens(text_bytes(part["audio_url"]))
                cost = estimate if policy.tokens else estimate * BYTES_IN_TOKEN
                if cost <= left:
                    kept.append(part)
                    left -= cost
                else:
                    audios += 1
            else:
                kept.append(part)
        return kept + _notes(texts, audios)


def _ends(text: str, room: int) -> tuple[str, str]:
    left = room // 2
    right = room - left
    start = len(text.encode()[:left].decode(errors="ignore")) if left else 0
    rest = text[start:]
    tail = rest.encode()[-right:].decode(errors="ignore") if right else ""
    return text[:start], tail


def _notes(texts: int, audios: int) -> list[Object]:
    counts = (("text", texts), ("audio", audios))
    return [
        {"type": "input_text", "text": f"[omitted {count} {kind} items ...]"}
        for kind, count in counts
        if count
    ]
