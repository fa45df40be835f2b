"""Calls, outputs and media of every kind, projected for several models (PROJ to MODE, IMG, AUD)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from contextcert.refmodel import ITEM_TYPES, MODALITIES, Json, JsonObject
from contextcert.strategies.drafts import Draft
from contextcert.strategies.item_values import audio, image, item, text
from contextcert.strategies.letters import Act, acts
from contextcert.strategies.projecting import Script, for_prompt, script_of
from contextcert.strategies.scope import Scope
from contextcert.strategies.segments.segment import Segment, weighted
from contextcert.strategies.specimens import odd_items

_CLEAN = 26
_BROKEN = 20
"""How many letters share a history; every second begins an item."""


def prompting(scope: Scope) -> Segment[Act]:
    """Give the segment of histories without anomaly, which debug projects too."""
    return Segment(_acts(scope), _CLEAN, partial(_kept, scope))


def breaking(scope: Scope) -> Segment[Act]:
    """Give the segment of histories that debug may refuse to project."""
    made = partial(_projected, scope, _BROKEN // 2, {"raw"})
    return Segment(_acts(scope), _BROKEN, made, broken=True)


@cache
def _acts(scope: Scope) -> tuple[Act, ...]:
    groups = ("mixed", "pairs", "media") if "media" in scope.claim.profiles else ("mixed", "pairs")
    usual = [act for group in groups for act in acts(group, scope)]
    odd = [partial(_start, one) for one in _odd(scope)]
    return weighted((usual, 3), (odd, 1), (_starts(scope), 6))


def _odd(scope: Scope) -> list[JsonObject]:
    """List odd items where their form is claimed to be kept, and those to be dropped left out."""
    if not {"wire", "recording"} <= scope.claim.profiles:
        return []
    return [one for one in odd_items(scope) if one["type"] in ITEM_TYPES]


def _start(value: JsonObject, draft: Draft) -> None:
    draft.start(value)


def _starts(scope: Scope) -> list[Act]:
    """List what the letters of other groups seldom come to."""
    several = [
        *(
            [item("tool_search_output", call_id="c7", execution=execution)]
            for execution in (" server", "server ", "Server", "server2", "")
        ),
        [
            item("tool_search_call", id="tsc_1", call_id="c8"),
            item("tool_search_output", call_id="c8", execution="server"),
        ],
        [
            item("custom_tool_call", call_id="c8", id="ctc_1"),
            item("custom_tool_call_output", call_id="c8", name="t", output=[image(), audio()]),
        ],
        [
            item("function_call", call_id="c8", id="fc_8"),
            item("function_call_output", call_id="c8", id="fco_8", output=[audio(), image()]),
        ],
        [item("function_call", id="fc_1", call_id=call_id) for call_id in ("c5", "c6")],
        *([item(call, id="", call_id="c7")] for call in _CALLS),
        [item("function_call", call_id=f"m{place}") for place in range(18)],
        [item("tool_search_call", call_id="c9", id="tsc_9", status="failed")],
        [item("tool_search_call", call_id="c9", execution="server")],
        *([item("message", role=role, content=_SEEN)] for role in ("developer", "assistant")),
    ]
    starts = [partial(_start_all, few) for few in several if all(map(scope.takes, few))]
    return [*starts, _project_again, _project_again]


_SEEN: list[Json] = [text("<image>"), image(), text("</image>"), audio(), text("<audio>")]
_CALLS = ("function_call", "custom_tool_call", "tool_search_call", "local_shell_call")


def _project_again(draft: Draft) -> None:
    """Project the prompt once more (PROJ-4)."""
    draft.wishes.add("again")


def _start_all(few: list[JsonObject], draft: Draft) -> None:
    for one in few:
        draft.start(one)


def _kept(scope: Scope, told: list[Act]) -> Script:
    """Project histories without anomaly, and read at the end what was handed out (SNAP-2)."""
    ops = _projected(scope, _CLEAN + 8, {"settle", "raw", "annotate"}, told)
    if not ops or not scope.may("hold"):
        return ops
    prompt = for_prompt([one for one in MODALITIES if scope.takes_modality(one)])
    place = next(place for place, op in enumerate(ops) if op["op"] == "for_prompt")
    holding: JsonObject = {**prompt, "op": "hold", "name": "p", "what": "for_prompt"}
    return [*ops[:place], prompt, holding, *ops[place:], {"op": "held", "name": "p"}]


def _projected(scope: Scope, size: int, wishes: set[str], told: list[Act]) -> Script:
    ops: Script = []
    free = 0
    for start in range(0, len(told), size):
        draft = Draft()
        for act in told[start : start + size]:
            act(draft)
        draft.wishes |= wishes
        made = [*script_of(draft, scope), *_for_others(draft, scope)]
        ops += [{**op, "on": int(str(op.get("on", 0))) + free} if free else op for op in made]
        free += 2
    return ops


def _for_others(draft: Draft, scope: Scope) -> Iterator[JsonObject]:
    """Project for models that take more, or less (AUD-5)."""
    if "media" not in scope.claim.profiles:
        return
    claimed = [one for one in MODALITIES if scope.takes_modality(one)]
    asked = [[one for one in claimed if one not in draft.without]]
    for chosen in (claimed, [one for one in claimed if one in draft.without], ["text"], ["audio"]):
        if chosen not in asked and set(chosen) <= set(claimed):
            asked.append(chosen)
            yield for_prompt(chosen)
