"""The letters of the group `recording`: outputs around the edges of a budget, and what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import cycle
from typing import Final

from contextcert.refmodel import JsonObject, TruncationPolicy
from contextcert.strategies.item_values import (
    META,
    audio,
    encrypted,
    image,
    item,
    shell_action,
    text,
)
from contextcert.strategies.lives import (
    Life,
    Step,
    Watched,
    begin,
    change,
    operation,
    set_turn,
    wish,
)

WATCHED: Final[Watched] = (
    "items",
    "envelopes",
    "version",
    "baseline",
    "reference",
    "tokens",
    "items",
)
"""What the scripts of the group may watch, the first if nothing else."""

_LIMITS: Final = (10, 1, 0, 2, 3, 4, 5, 9, 14, 19, 21, 25, 33, 79, 100, 2**53 - 1)

POLICIES: Final[tuple[JsonObject, ...]] = tuple(
    {"mode": mode, "limit": limit} for limit in _LIMITS for mode in ("bytes", "tokens")
)
"""What the scripts of the group record under; the limits are enlarged by a fifth (TRUNC-1)."""

_LETTERS: Final = {
    "one byte": "abcdefghijklmnopqrstuvwxyz",
    "two bytes": "\u00e0\u00e9\u00f1\u00fc\u0101\u010d\u0161\u017e\u03b1\u03b2\u03b3\u0434\u0436",
    "three bytes": "\u20ac\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341",
    "four bytes": "\U0001f600\U0001f601\U0001f602\U0001f603\U0001f604\U0001f605\U0001f606",
    "any": "a\u00e9\u20ac\U0001f600b\U0001f601e\u0301\u200d",
}
"""What texts are made of: characters in a fixed order, so that it shows which are missing."""

_LONGEST: Final = 700
"""Bytes of the longest text made for a budget; a larger budget takes it whole."""


def weighted_steps() -> Iterator[tuple[Step, int]]:
    """List the steps of the group with their weights, the plainest first."""
    yield from _outputs()
    yield from _bodies()
    yield from _entries()
    yield from _identities()
    yield from _other_items()
    yield from _operations()


def _outputs() -> Iterator[tuple[Step, int]]:
    yield begin(item("function_call_output", output="")), 8
    yield begin(item("custom_tool_call_output", output="")), 8
    yield begin(item("function_call_output", output=[])), 8
    yield begin(item("custom_tool_call_output", output=[])), 8


def _bodies() -> Iterator[tuple[Step, int]]:
    """List the steps that say something as long as what is left of the budget, or nearly so."""
    for letters in _LETTERS:
        for more, weight in {1: 4, 0: 3, 2: 2, -1: 1, 7: 3}.items():
            yield _say(letters, 1, more), weight
        yield _say(letters, 2, 0), 2
        yield _say(letters, 3, 1), 1
        yield _say_much(letters), 3


def _say(letters: str, share: int, more: int) -> Step:
    """Say something of a share of the bytes that are left, and some more."""

    def step(life: Life) -> None:
        _tell(life, sized_text(letters, min(_left(life) // share, _LONGEST) + more))

    return step


def _say_much(letters: str) -> Step:
    def step(life: Life) -> None:
        _tell(life, sized_text(letters, min(2 * _left(life) + 11, _LONGEST)))

    return step


def _tell(life: Life, said: str) -> None:
    """Add a text to the last output's array, or make it the output's body."""
    body = life.edit().get("output")
    if isinstance(body, list):
        _add(text(said))(life)
    elif body is not None:
        life.edit()["output"] = said


def _left(life: Life) -> int:
    """Give how many bytes the last output's body may still have."""
    budget = TruncationPolicy.from_json(life.policy).budget(life.scope.edition)
    body = life.edit().get("output")
    for entry in body if isinstance(body, list) else ():
        cost = 0
        if isinstance(entry, dict) and "text" in entry:
            cost = budget.text_cost(str(entry["text"]))
        elif isinstance(entry, dict) and "audio_url" in entry:
            cost = budget.audio_cost(str(entry["audio_url"]))
            cost = cost if cost <= budget.left else 0
        budget = budget.spend(min(cost, budget.left))
    return budget.bytes_left


@lru_cache(4096)
def sized_text(letters: str, size: int) -> str:
    """Give a text of so many bytes; what does not go up in whole characters comes first."""
    said, left = "", size
    for letter in cycle(_LETTERS[letters]):
        if len(letter.encode()) > left:
            break
        said, left = said + letter, left - len(letter.encode())
    return "x" * left + said


_AUDIO: Final = "data:audio/"
"""How every audio URL has to begin (E11-5); no decoder takes one without payload (TRUNC-9)."""


_WAV: Final = "data:audio/wav;base64,"
"""How audio begins that a release of that edition does not replace (E11-5)."""

_GROUP: Final = 4
"""Characters in which base64 is written, and bytes of a token."""


def _coded(size: int) -> str:
    """Give the URL of so many bytes, or up to three more, of audio that can be read as base64."""
    groups = -(-(size - len(_WAV)) // _GROUP)
    return _WAV + "AAAA" * max(1, groups)


def _entries() -> Iterator[tuple[Step, int]]:
    """List the steps that add entries other than texts made to measure."""
    for said in ("", "a", "\u00e9", "\U0001f600"):
        yield _add(text(said)), 2
    yield _add(image()), 7
    yield _add(image(detail="high")), 1
    yield _add(audio()), 4
    for more in (0, 1, -5):
        yield _add_audio(more), 4
    yield _add(encrypted("gAAA" * 20)), 7
    yield _reword("x", ""), 3
    yield _reword("", "\u00e9"), 3


def _add(entry: JsonObject) -> Step:
    def step(life: Life) -> None:
        value = life.edit()
        body = value.get("output") or []
        if "output" in value and isinstance(body, list) and _takes(life, value, entry):
            value["output"] = [*body, entry]

    return step


def _takes(life: Life, value: JsonObject, entry: JsonObject) -> bool:
    """Keep to the claim, and empty texts to places where some of the budget is left.

    Where none is left, SPEC leaves open whether they are omitted and counted or dropped (E11-3).
    """
    if life.scope.mints_ids and entry.get("text") == "" and _left(life) == 0:
        return False
    return life.scope.takes({**value, "output": [entry]})


def _add_audio(more: int) -> Step:
    """Add audio that costs just what is left of the budget, or a little more or less (TRUNC-9)."""

    def step(life: Life) -> None:
        size = min(_left(life), _LONGEST) + more
        url = _coded(size) if life.scope.mints_ids else _AUDIO + "A" * max(0, size - len(_AUDIO))
        _add({"type": "input_audio", "audio_url": url})(life)

    return step


def _reword(before: str, after: str) -> Step:
    """Say a little more in the last text, which moves the cuts to other bytes."""

    def step(life: Life) -> None:
        value = life.edit()
        body = value.get("output")
        if isinstance(body, str):
            value["output"] = f"{before}{body}{after}"
        elif isinstance(body, list) and body and isinstance(body[-1], dict) and "text" in body[-1]:
            value["output"] = [*body[:-1], text(f"{before}{body[-1]['text']}{after}")]

    return step


def _identities() -> Iterator[tuple[Step, int]]:
    """List the steps that set what must survive truncation (REC-7), or take the id away (E11-2)."""
    yield set_turn("t1"), 3
    yield _set("id", "x_1"), 3
    yield _set("call_id", "c2"), 2
    yield _name, 3
    yield _drop_id, 1


def _set(name: str, chosen: str) -> Step:
    def step(life: Life) -> None:
        value = life.edit()
        if "output" in value:
            value[name] = chosen

    return step


def _name(life: Life) -> None:
    """Give an output a name; in edition 2026-11, at the second time, take its call id (E11-1)."""
    value = life.edit()
    if value["type"] == "custom_tool_call_output":
        value["name"] = "t"
    elif value["type"] == "function_call_output" and life.scope.mints_ids:
        if "name" in value:
            value.pop("call_id", None)
        value.update(name="f", namespace="n")


def _drop_id(life: Life) -> None:
    """Leave it to recording to give an id (E11-2)."""
    life.edit().pop("id", None)


_LONG: Final = "long \u00e9\u20ac\U0001f600 " * 30

LONG_ITEMS: Final = (
    item("message", content=[text(_LONG), text("")]),
    item("message", role="assistant", content=[{"type": "output_text", "text": _LONG}]),
    item("function_call", arguments=_LONG),
    item("custom_tool_call", input=_LONG),
    item("tool_search_call", arguments={"query": _LONG}),
    item("tool_search_output", tools=[{"description": _LONG}]),
    item("local_shell_call", action=shell_action(command=[_LONG])),
    item("agent_message", content=[text(_LONG)]),
    item("reasoning", summary=[{"type": "summary_text", "text": _LONG}]),
    item("web_search_call", action={"type": "search", "query": _LONG}),
    item("image_generation_call", result=_LONG),
    item("compaction", encrypted_content=_LONG),
    item("context_compaction", encrypted_content=_LONG),
    item("additional_tools", tools=[{"description": _LONG}]),
)
"""What is never truncated, however large (REC-3)."""

NOT_KEPT: Final[tuple[JsonObject, ...]] = (
    {"type": "message", "role": "system", "content": [text("s")]},
    {"type": "compaction_trigger"},
    {"type": "other"},
)
"""What recording drops (REC-2)."""


def _other_items() -> Iterator[tuple[Step, int]]:
    for value in LONG_ITEMS:
        yield begin(value), 1
    for value in NOT_KEPT:
        yield begin(value), 3
    yield begin(item("message", role="System")), 1
    yield begin(item("function_call")), 2
    yield begin({**item("message"), META: {"turn_id": "t1"}}), 1


def _operations() -> Iterator[tuple[Step, int]]:
    yield wish("annotate", "record_annotated_items"), 8
    yield wish("replace", "replace"), 2
    yield wish("restore", "restore_items"), 2
    yield _pause, 4
    yield _record_apart, 8
    for policy in POLICIES[:6]:
        yield _record_under(policy), 1
    yield operation("history_version"), 1
    yield change("remove_first_item"), 1
    yield _project, 2


def _pause(life: Life) -> None:
    life.bring_in()


def _record_apart(life: Life) -> None:
    """Record what waits at once here, and one by one in a copy (REC-6)."""
    waiting, ways = life.items, set(life.wishes)
    if not waiting or life.full or "replace" in ways:
        return
    life.items = []
    copy = life.copy()
    life.items = waiting
    life.bring_in()
    batch = _last_recording(life)
    name = "envelopes" if "envelopes" in batch else "items"
    listed = batch[name]
    for one in listed if isinstance(listed, list) else ():
        life.ops.append({**batch, name: [one], "on": copy})
    if life.scope.may("raw_envelopes"):
        life.ops += [{"op": "raw_envelopes", "on": on} for on in (life.on, copy)]


def _last_recording(life: Life) -> JsonObject:
    return next(op for op in reversed(life.ops) if "items" in op or "envelopes" in op)


def _record_under(policy: JsonObject) -> Step:
    """Record what comes next under another policy."""

    def step(life: Life) -> None:
        life.bring_in()
        life.policy = policy

    return step


def _project(life: Life) -> None:
    life.project()
