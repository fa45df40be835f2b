"""From a long random script to the smallest that shows a seeded fault."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import frozen

from contextcert.refmodel import JsonObject, Mode, run_script
from contextcert.strategies import Scope, Script, generate, smallest_script

SCOPE = Scope.full()
SEEDS = range(2)


def items_of(script: Script) -> list[JsonObject]:
    """Give the items that a script brings into the first history, malformed ones left out."""
    first = [op for op in script if op.get("on", 0) == 0]
    brought = [item for op in first for item in op.get("items") or ()]
    brought += [envelope["item"] for op in first for envelope in op.get("envelopes") or ()]
    return [item for item in brought if isinstance(item, dict) and "type" in item]


def some(script: Script, item_type: str, **fields: str) -> list[JsonObject]:
    """Give the items of a type whose fields have the given values."""
    return [
        item
        for item in items_of(script)
        if item["type"] == item_type and all(item.get(key) == fields[key] for key in fields)
    ]


def holds(item: JsonObject, modality: str) -> bool:
    """Say whether an item has content of a modality."""
    body = item.get("content") or item.get("output")
    return isinstance(body, list) and any(part["type"] == f"input_{modality}" for part in body)


def any_holds(items: list[JsonObject], modality: str) -> bool:
    """Say whether one of the items has content of a modality."""
    return any(holds(item, modality) for item in items)


def is_asked_without(script: Script, modality: str) -> bool:
    """Say whether the script projects for a model that does not take the modality."""
    return any(modality not in op["input_modalities"] for op in script if op["op"] == "for_prompt")


def types_of(script: Script) -> list[str]:
    """Give the types of the items in order."""
    return [str(item["type"]) for item in items_of(script)]


def grows_by(script: Script, count: int) -> bool:
    """Say whether some prompt has that many items more than the history."""
    outcomes = zip(script, run_script(script, mode=Mode.RELEASE), strict=True)
    sizes = [len(outcome["ok"]) for op, outcome in outcomes if op["op"] == "for_prompt"]
    return max(sizes) >= len(items_of(script)) + count


@frozen
class Fault:
    """A seeded fault: what shows it, and the fewest items and operations that do."""

    group: str
    shown_by: Callable[[Script], object]
    items: int
    ops: int = 2


FAULTS = {
    "empty custom call beside an image": Fault(
        "mixed",
        lambda s: some(s, "custom_tool_call", call_id="") and any_holds(items_of(s), "image"),
        2,
    ),
    "two calls of one id, no output": Fault(
        "pairs",
        lambda s: (
            len(some(s, "function_call", call_id="c1")) > 1
            and not some(s, "function_call_output", call_id="c1")
        ),
        2,
    ),
    "function and shell call share an output": Fault(
        "pairs",
        lambda s: (
            some(s, "function_call", call_id="c2")
            and some(s, "local_shell_call", call_id="c2")
            and some(s, "function_call_output", call_id="c2")
        ),
        3,
    ),
    "duplicate output": Fault(
        "pairs",
        lambda s: (
            len(some(s, "custom_tool_call_output", call_id="c1")) > 1
            and some(s, "custom_tool_call", call_id="c1")
        ),
        3,
    ),
    "server output": Fault(
        "mixed", lambda s: some(s, "tool_search_output", call_id="c2", execution="server"), 1
    ),
    "Server output": Fault("mixed", lambda s: some(s, "tool_search_output", execution="Server"), 1),
    "odd item id on a call": Fault(
        "mixed",
        lambda s: any(item.get("id") == "abc" and "call_id" in item for item in items_of(s)),
        1,
    ),
    "shared item id": Fault("pairs", lambda s: len(some(s, "function_call", id="fc_1")) > 1, 2),
    "audio in an output, no audio model": Fault(
        "media",
        lambda s: (
            any_holds(some(s, "function_call_output"), "audio") and is_asked_without(s, "audio")
        ),
        1,
    ),
    "developer image, no image model": Fault(
        "media",
        lambda s: (
            any_holds(some(s, "message", role="developer"), "image")
            and is_asked_without(s, "image")
        ),
        1,
    ),
    "image and audio in one message": Fault(
        "media",
        lambda s: any(holds(m, "image") and holds(m, "audio") for m in some(s, "message")),
        1,
    ),
    "revised prompt, no image model": Fault(
        "media",
        lambda s: (
            some(s, "image_generation_call", revised_prompt="a cat")
            and is_asked_without(s, "image")
        ),
        1,
    ),
    "two synthetic outputs": Fault("pairs", lambda s: grows_by(s, 2), 2),
    "prompt shorter than the history": Fault("mixed", lambda s: not grows_by(s, 0), 1),
    "output before its call": Fault(
        "pairs",
        lambda s: (
            some(s, "custom_tool_call", call_id="c1")
            and "custom_tool_call_output" in types_of(s)
            and types_of(s).index("custom_tool_call_output") < types_of(s).index("custom_tool_call")
        ),
        2,
    ),
    "message between call and output": Fault(
        "mixed",
        lambda s: " function_call message function_call_output " in f" {' '.join(types_of(s))} ",
        3,
    ),
    "raw items with reasoning": Fault(
        "mixed",
        lambda s: some(s, "reasoning") and any(op["op"] == "raw_items" for op in s),
        1,
        ops=3,
    ),
    "annotated output": Fault(
        "mixed",
        lambda s: (
            some(s, "custom_tool_call_output")
            and any(op["op"] == "for_prompt_annotated" for op in s)
        ),
        1,
        ops=3,
    ),
    "prompt of a search call projected again": Fault(
        "mixed",
        lambda s: some(s, "tool_search_call", call_id="c1") and any("on" in op for op in s),
        1,
        ops=4,
    ),
    "unknown item replaced": Fault(
        "wire", lambda s: some(s, "brand_new") and s[0]["op"] == "replace", 1, ops=3
    ),
}


def test_ninety_five_in_a_hundred_are_minimal() -> None:
    """Nearly every seeded fault is shown with the fewest items and operations there are."""
    missed = []
    for name, fault in FAULTS.items():
        for seed in SEEDS:
            script = smallest_script(
                fault.group, SCOPE, lambda s, fault=fault: bool(fault.shown_by(s)), seed=seed
            )
            assert script is not None, name
            if (len(items_of(script)), len(script)) != (fault.items, fault.ops):
                missed.append((name, seed, script))
    assert len(missed) <= 0.05 * len(FAULTS) * len(SEEDS), missed


def test_nothing_found_gives_none() -> None:
    """A condition that no script meets gives no script."""
    assert smallest_script("pairs", SCOPE, lambda _: False, seed=1, max_examples=20) is None


def test_smallest_script_is_the_same_every_time() -> None:
    """Shrinking depends on the seed alone."""
    made = [smallest_script("mixed", SCOPE, lambda s: grows_by(s, 1), seed=6) for _ in range(2)]
    assert made[0] == made[1]


def test_shrinking_starts_where_it_is_told() -> None:
    """The scripts tried first are those that `generate` gives from the same start."""
    tried: list[Script] = []
    smallest_script(
        "mixed", SCOPE, lambda s: bool(tried.append(s)), seed=6, start=30, max_examples=5
    )
    assert tried[1:] == generate("mixed", SCOPE, seed=6, count=5, start=30)


def test_a_condition_that_contradicts_itself_still_gives_a_script() -> None:
    """A subject that answers one script in two ways is no reason to fail."""
    answers = iter([False, True])
    script = smallest_script("mixed", SCOPE, lambda _: next(answers, False), seed=1)
    assert script is not None


def test_a_condition_that_fails_says_so() -> None:
    """An exception in the condition is not taken for an answer."""

    def broken(_: Script) -> bool:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        smallest_script("mixed", SCOPE, broken, seed=1, max_examples=5)
