"""What recording keeps and how long outputs are cut (SPEC 3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
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


@dataclass
class Purse:
    """What is left to spend on an array body, what was kept, and how much was not."""

    left: int
    tokens: bool
    kept: list[Object] = field(default_factory=list)
    texts: int = 0
    audios: int = 0

    def keep(self, part: Object, cost: int) -> None:
        """Keep a part and pay for it."""
        self.kept.append(part)
        self.left -= cost


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
        if not self._is_cut(envelope.item):
            return envelope
        return replace(envelope, item=self._cut_item(envelope.item, policy))

    def _is_cut(self, item: Object) -> bool:
        return item["type"] in CUT

    def _cut_item(self, item: Object, policy: Policy) -> Object:
        return {**item, "output": self._cut_body(item["output"], policy)}

    def _cut_body(self, body: Json, policy: Policy) -> Json:
        budget = self._enlarged(policy)
        if isinstance(body, str):
            return self._cut_text(body, budget, tokens=policy.tokens)
        return self._cut_parts(body, Purse(budget, policy.tokens))

    def _enlarged(self, policy: Policy) -> int:
        return -(-6 * policy.limit // 5)

    # One text

    def _cut_text(self, text: str, budget: int, *, tokens: bool) -> str:
        room = self._room(budget, tokens=tokens)
        if self._stays(text, room):
            return text
        head, tail = self._ends(text, room)
        return head + self._marker(text, room, head + tail, tokens=tokens) + tail

    def _room(self, budget: int, *, tokens: bool) -> int:
        return budget * BYTES_IN_TOKEN if tokens else budget

    def _stays(self, text: str, room: int) -> bool:
        return not text or (room > 0 and self._size(text) <= room)

    def _size(self, text: str) -> int:
        return text_bytes(text)

    def _ends(self, text: str, room: int) -> tuple[str, str]:
        left = self._half(room)
        head = self._head(text, left)
        return head, self._tail(text[len(head) :], room - left)

    def _half(self, room: int) -> int:
        return room // 2

    def _head(self, text: str, size: int) -> str:
        return text.encode()[:size].decode(errors="ignore")

    def _tail(self, text: str, size: int) -> str:
        return text.encode()[-size:].decode(errors="ignore") if size else ""

    def _marker(self, text: str, room: int, kept: str, *, tokens: bool) -> str:
        if tokens:
            return f"…{self._removed_tokens(text, room, kept)} tokens truncated…"
        return f"…{self._removed_characters(text, room, kept)} chars truncated…"

    def _removed_tokens(self, text: str, room: int, _kept: str) -> int:
        return in_tokens(self._size(text) - room)

    def _removed_characters(self, text: str, _room: int, kept: str) -> int:
        return len(text) - len(kept)

    # Array bodies

    def _cut_parts(self, parts: list[Object], purse: Purse) -> list[Object]:
        for part in parts:
            self._cut_part(part, purse)
        return purse.kept + self._notes(purse)

    def _cut_part(self, part: Object, purse: Purse) -> None:
        if part["type"] == "input_text":
            self._cut_text_part(part, purse)
        elif part["type"] == "input_audio":
            self._cut_audio_part(part, purse)
        else:
            self._cut_other_part(part, purse)

    def _cut_text_part(self, part: Object, purse: Purse) -> None:
        cost = self._text_cost(part["text"], tokens=purse.tokens)
        if purse.left == 0:
            self._omit_text(part, purse)
        elif cost <= purse.left:
            purse.keep(part, cost)
        else:
            text = self._cut_text(part["text"], purse.left, tokens=purse.tokens)
            purse.keep({"type": "input_text", "text": text}, self._cost_of_cut(text, purse))

    def _text_cost(self, text: str, *, tokens: bool) -> int:
        return in_tokens(text_bytes(text)) if tokens else text_bytes(text)

    def _cost_of_cut(self, _text: str, purse: Purse) -> int:
        return purse.left

    def _omit_text(self, _part: Object, purse: Purse) -> None:
        purse.texts += 1

    def _cut_audio_part(self, part: Object, purse: Purse) -> None:
        cost = self._audio_cost(part["audio_url"], tokens=purse.tokens)
        if cost <= purse.left:
            purse.keep(part, cost)
        else:
            self._omit_audio(purse)

    def _audio_cost(self, url: str, *, tokens: bool) -> int:
        estimate = in_tokens(text_bytes(url))
        return estimate if tokens else estimate * BYTES_IN_TOKEN

    def _omit_audio(self, purse: Purse) -> None:
        purse.audios += 1

    def _cut_other_part(self, part: Object, purse: Purse) -> None:
        purse.keep(part, 0)

    def _notes(self, purse: Purse) -> list[Object]:
        counts = (("text", purse.texts), ("audio", purse.audios))
        return [
            {"type": "input_text", "text": self._note(count, kind)}
            for kind, count in counts
            if count
        ]

    def _note(self, count: int, kind: str) -> str:
        return f"[omitted {count} {kind} items ...]"
