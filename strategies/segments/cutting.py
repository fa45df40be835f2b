"""Outputs around the edges of budgets, several policies in one history (TRUNC, REC)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import cycle

from attrs import frozen

from contextcert.refmodel import Json, JsonObject, TruncationPolicy
from contextcert.strategies.admission import admitted
from contextcert.strategies.item_values import META, audio, encrypted, image, item, text
from contextcert.strategies.projecting import Script, envelope_of
from contextcert.strategies.recording_letters import LONG_ITEMS, NOT_KEPT, POLICIES, sized_text
from contextcert.strategies.scope import Scope
from contextcert.strategies.segments.segment import Segment, on, weighted

_TEXTS = ("one byte", "two bytes", "three bytes", "four bytes", "any")
_LARGEST = 120
"""Enlarged budgets in bytes beyond which no text is made to measure."""


@frozen
class Told:
    """A text as long as a share of the budget, and some bytes more."""

    letters: str
    share: float
    more: int

    def text(self, budget: int) -> str:
        """Give the text."""
        size = int(self.share * min(budget, _LARGEST)) + self.more
        return sized_text(self.letters, max(0, size))


@frozen
class Heard:
    """Audio that costs a share of the budget, and some bytes more (TRUNC-9)."""

    share: float
    more: int

    def entry(self, budget: int) -> JsonObject:
        """Give the entry."""
        size = int(self.share * min(budget, _LARGEST)) + self.more
        return audio(audio_url="data:audio/" + "A" * max(0, size - len("data:audio/")))


Entry = Told | Heard | str
"""What an array may hold; a name stands for an entry that never changes."""

_FIXED = {
    "empty": text(""),
    "image": image(),
    "high": image(detail="high"),
    "secret": encrypted("gAAA" * 8),
    "audio": audio(),
}

Body = Told | tuple[Entry, ...]


@frozen
class Recorded:
    """An output with a body made to measure, or an item as it is; or the next policy."""

    body: Body | None = None
    kind: int = 0
    given: JsonObject | None = None
    policy: JsonObject | None = None


def cutting(scope: Scope) -> Segment[Recorded]:
    """Give the segment; its letters are outputs and policies."""
    return Segment(_letters(), 24, partial(_recorded, scope))


@cache
def _letters() -> tuple[Recorded, ...]:
    whole = [
        Told(letters, share, more)
        for letters in _TEXTS
        for share, more in ((1, 1), (1, 0), (1, 2), (1, 3), (1, 7), (2, 0), (3, 1), (1, -1), (0, 0))
    ]
    parts = [
        Told(letters, share, more)
        for letters in ("one byte", "any", "three bytes")
        for share, more in ((0.5, 0), (1, 0), (1, 1), (0.5, 1), (0.25, 0), (0, 1))
    ]
    heard = [Heard(share, more) for share in (0.5, 1) for more in (-1, 0, 1, 4)]
    entries: tuple[Entry, ...] = (*parts, *heard, *_FIXED, *_FIXED)
    arrays = [
        tuple(entries[(start + step * place) % len(entries)] for place in range(length))
        for length in (0, 1, 2, 3, 4, 5)
        for start in range(len(entries))
        for step in (1, 5, 7, 11)
    ]
    return weighted(
        ([Recorded(body, kind) for body in whole for kind in (0, 1)], 8),
        ([Recorded(body, kind) for kind in (0, 1) for body in arrays], 1),
        ([Recorded(given=one) for one in (*LONG_ITEMS, *NOT_KEPT, *_KEPT)], 16),
        ([Recorded(policy=policy) for policy in POLICIES], 6),
        ([Recorded(policy={"mode": mode, "limit": 0}) for mode in ("bytes", "tokens")], 24),
    )


_KEPT = (
    item("message", role="System"),
    item("message", role="tool"),
    item("additional_tools", role="system"),
    item("function_call_output", output=" a\n"),
    item("custom_tool_call_output", output="\t"),
)
"""What recording keeps as it is, if the budget allows it."""


def _recorded(scope: Scope, told: list[Recorded]) -> Script:
    """Record under one policy after the other, at once here and with metadata in another."""
    if not told:
        return []
    ops: Script = []
    for number, (policy, recorded) in enumerate(_batches(told)):
        budget = TruncationPolicy.from_json(policy).budget(scope.edition).bytes_left
        made = [_made(one, place, budget) for place, one in enumerate(recorded)]
        items = admitted([one for one in made if _is_settled(one, scope)], scope)
        where = number % 2
        if where and scope.may("record_annotated_items"):
            envelopes: list[Json] = [_noted(one, place, scope) for place, one in enumerate(items)]
            op: JsonObject = {"op": "record_annotated_items", "envelopes": envelopes}
        else:
            op = {"op": "record_items", "items": [*items]}
        ops += on(where, [{**op, "policy": policy}])
    return [*ops, {"op": "raw_items"}, *on(1, [{"op": "raw_envelopes"}, {"op": "raw_items"}])]


def _noted(one: JsonObject, place: int, scope: Scope) -> JsonObject:
    """Wrap an item; every fourth has metadata without anything in it."""
    envelope = envelope_of(one, place, scope)
    return {**envelope, "metadata": {}} if place % 4 == 1 else envelope


def _batches(told: list[Recorded]) -> Iterator[tuple[JsonObject, list[Recorded]]]:
    policy, waiting = POLICIES[0], list[Recorded]()
    following = cycle(POLICIES)
    for one in told:
        if one.policy is not None or len(waiting) == _AT_ONCE:
            yield policy, waiting
            waiting = []
            policy = one.policy if one.policy is not None else next(following)
        if one.policy is None:
            waiting.append(one)
    yield policy, waiting


_AT_ONCE = 8


def _made(one: Recorded, place: int, budget: int) -> JsonObject:
    if one.given is not None:
        return one.given
    kind = ("function_call_output", "custom_tool_call_output")[one.kind]
    made = item(kind, output=_body(one.body, budget), call_id=f"c{place}")
    if place % 2:
        made |= {"id": f"x_{place}", META: {"turn_id": "t1"}}
    if one.kind and place % 3 == 0:
        made["name"] = "t"
    return made


def _body(body: Body | None, budget: int) -> Json:
    if isinstance(body, tuple):
        return [_entry(entry, budget) for entry in body]
    return "" if body is None else body.text(budget)


def _entry(entry: Entry, budget: int) -> JsonObject:
    if isinstance(entry, Told):
        return text(entry.text(budget))
    return entry.entry(budget) if isinstance(entry, Heard) else _FIXED[entry]


def _is_settled(one: JsonObject, scope: Scope) -> bool:
    """Say whether SPEC settles what is cut: E11-3 gives no order with truncation."""
    body = one.get("output")
    return not (scope.mints_ids and isinstance(body, list) and text("") in body)
