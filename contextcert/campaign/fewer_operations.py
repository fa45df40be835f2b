"""Cuts that leave operations out of a script, or say with one what took two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from contextcert.campaign.weight import LISTS
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.subject import Script

LOOK_OF: Final = {"raw_items": ("op", "on"), "for_prompt": ("op", "on", "input_modalities")}
"""What `hold` can hand out, and the arguments of the look that shows the same at once."""


MOST_TURNS: Final = 2**32 - 1


def ended(script: Script, operation: int) -> Iterator[Script]:
    """End the script with the culprit, and bring that nearer to the start, boldest first."""
    if operation + 1 < len(script):
        yield script[: operation + 1]
    for stop in range(1, operation):
        yield [*script[:stop], script[operation]]


def on_fewer_histories(script: Script, operation: int) -> Iterator[Script]:
    """Leave whole histories out: all but the culprit's own, all but its origins, then one each."""
    own = _handle(script[operation])
    yield [op for op in script if _handles(op) == {own}]
    yield _origins(script, operation)
    for handle in _all_handles(script):
        yield [op for op in script if handle not in _handles(op)]


def on_one_history(script: Script, _: int) -> Iterator[Script]:
    """Let a clone live its original's life, or the original the clone's, and nothing else."""
    for place, op in enumerate(script):
        if op["op"] == "clone":
            origin, clone = _handle(op), _target(op)
            before, after = script[:place], script[place + 1 :]
            yield [*before, *_renamed(after, clone, origin)]
            clones = [one for one in after if origin not in _handles(one)]
            yield [*before, *_renamed(clones, clone, origin)]
            yield [*_renamed(before, origin, clone), *after]


def without_some(size: int, script: Script, _: int) -> Iterator[Script]:
    """Leave so many neighbouring operations out, last ones first."""
    for stop in range(len(script), 0, -size):
        yield [*script[: max(0, stop - size)], *script[stop:]]


HALVES: Final = tuple(partial(without_some, size) for size in (32, 16, 8, 4, 2, 1))
"""Halves, quarters and so on of a long script, down to single operations."""


def told_at_once(script: Script, _: int) -> Iterator[Script]:
    """Say with one operation what two say: records, rollbacks, something held and shown later."""
    for place, op in enumerate(script):
        if op["op"] == "held":
            yield from _shown_at_once(script, place)
        for later in range(place + 1, len(script)):
            both = _both(op, script[later])
            if both is not None:
                between = script[place + 1 : later]
                yield [*script[:place], both, *between, *script[later + 1 :]]
                yield [*script[:place], *between, both, *script[later + 1 :]]
                break


def _both(one: JsonObject, other: JsonObject) -> JsonObject | None:
    if _handle(one) != _handle(other):
        return None
    turns, more_turns = one.get("num_turns"), other.get("num_turns")
    if isinstance(turns, int) and isinstance(more_turns, int):
        return {**one, "num_turns": min(turns + more_turns, MOST_TURNS)}
    if other["op"] == "replace":
        return None
    for key in LISTS:
        if isinstance(listed := one.get(key), list) and isinstance(more := other.get(key), list):
            return {**one, key: [*listed, *more]}
    bare, held = one.get("items"), other.get("envelopes")
    if one["op"] == "record_items" and isinstance(bare, list) and isinstance(held, list):
        return {**other, "envelopes": [*({"item": item, "metadata": None} for item in bare), *held]}
    return None


def _shown_at_once(script: Script, place: int) -> Iterator[Script]:
    """Look instead of showing what was held."""
    name = script[place].get("name")
    for held in reversed(range(place)):
        op = script[held]
        if op["op"] == "hold" and op.get("name") == name and op.get("what") in LOOK_OF:
            kept = LOOK_OF[str(op["what"])]
            look = {key: value for key, value in op.items() if key in kept} | {"op": op["what"]}
            yield [*script[:held], *script[held + 1 : place], look, *script[place + 1 :]]
            return


def _origins(script: Script, operation: int) -> Script:
    """Keep the culprit's history, and of others what it was cloned or held from."""
    kept: list[JsonObject] = []
    wanted: set[Json] = {_handle(script[operation])}
    names: set[Json] = set()
    for op in reversed(script[: operation + 1]):
        if op["op"] == "held":
            names.add(op.get("name"))
        elif op.get("name") in names or (op["op"] == "clone" and _target(op) in wanted):
            wanted.add(_handle(op))
        elif _handle(op) not in wanted:
            continue
        kept.append(op)
    return [*reversed(kept), *script[operation + 1 :]]


def _renamed(script: Iterable[JsonObject], name: Json, new: Json) -> Script:
    """Let operations on one history be on another; the first history is not named."""
    return [_on(op, new) if _handle(op) == name else op for op in script]


def _on(op: JsonObject, handle: Json) -> JsonObject:
    rest = {key: value for key, value in op.items() if key != "on"}
    return {**rest, "on": handle} if handle else rest


def _all_handles(script: Script) -> list[Json]:
    return [*dict.fromkeys(handle for op in script for handle in sorted(_handles(op), key=repr))]


def _handles(op: JsonObject) -> set[Json]:
    return {_handle(op), _target(op)} if op["op"] == "clone" else {_handle(op)}


def _handle(op: JsonObject) -> Json:
    return op.get("on", 0)


def _target(op: JsonObject) -> Json:
    return op.get("to")
