"""What the model is held to besides the evidence: what SPEC judges on no subject, or DESIGN asks.

Claims and clauses stand on every certificate; values are compared and patched by the checks; ids
compare by their form alone (E11-2); the version ends at 2^64 - 1 (VER-2, the model alone); numbers
beyond 64 bits, and nesting that no adapter could carry, stay as they are; operations that cannot
be read have no effect. Each probe is a question with an answer in JSON. The unit tests of the model
ask the like; as here, they say nothing of any subject.
"""

# ruff: noqa: INP001, PLC0415 (a program; the model is imported late, since it may be a mutant)

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import partial
from re import compile as pattern
from typing import Any, Final
from uuid import UUID

Answer = Any
"""A JSON value."""
Probe = Callable[[], Answer]

BIG: Final = 2**70
DEEP: Final = 300
"""More levels than the fast JSON writer takes."""
VERSION_7: Final = pattern(
    r"[a-z]+_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
)
RANDOM_BITS: Final = (1 << 76) - (1 << 64) | (1 << 62) - 1
"""The 12 and the 62 bits of a version 7 UUID that are left to chance."""
NOVEMBER: Final = range(1_793_491_200_000, 1_796_083_200_000)
"""The milliseconds of November 2026."""
POLICY: Final = {"mode": "bytes", "limit": 5}
VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, -1, 1.0, 0.5, -0.0, 2**53, 2**53 + 1, float(2**53), BIG, BIG + 1,
    "", "1", "a", [], [None], [1], [1.0], [True], [1, 2], [2, 1], [[1]], [BIG], [[BIG]], [BIG, 1],
    {}, {"a": None}, {"a": 1}, {"a": 1.0}, {"a": True}, {"b": 1}, {"a": 1, "b": 2},
    {"b": 2, "a": 1}, {"a": {"b": 1}}, {"a": {"b": 1.0}}, {"a": {}}, {"a": [{}]}, {"a": [{"b": 1}]},
    {"a": BIG}, {"a": {"b": BIG}}, {"a": {"b": BIG}, "c": [BIG]}, {"a": {"b": 1}, "c": [1]},
    {"c": [BIG], "a": {"b": BIG}},
)  # fmt: skip
"""Every kind of value, some equal in Python and not by WORLD-7, some beyond 64 bits."""
ITEMS: Final[tuple[dict[str, Any], ...]] = (
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]},
    {"type": "custom_tool_call_output", "call_id": "a", "output": "0123456789"},
    {"type": "function_call", "name": "f", "arguments": "", "call_id": "b"},
    {"type": "web_search_call", "action": {"type": "brand_new"}},
    {"type": "tool_search_output", "status": "s", "execution": "e", "tools": [1, {"a": 1.0}]},
    {"type": "compaction_trigger"},
    {"type": "brand_new"},
)

SEARCH: Final = {"type": "tool_search_call", "execution": "e"}


def probes() -> Iterator[Probe]:
    """List the questions; the first one imports the model."""
    yield from (_clauses, _covered, _same, _patched, _ids, _ids_by_default, _extreme_ids, _versions)
    yield from (_equal_histories, _equal_values, _restored, _collection, _ownership)
    yield from (partial(_read_claim, value) for value in _claims())
    yield from (partial(_outcomes, op) for op in _odd_operations())
    yield from (partial(_recorded_media, entry) for entry in _odd_media())
    yield from (partial(_is_fragment, text) for text in _odd_prompts())
    yield from (partial(_kept, value) for value in _great_values())


def _clauses() -> Answer:
    from contextcert.refmodel import CLAUSES, HAZARDS, ITEM_TYPES, MODALITIES, OPERATIONS, PROFILES

    rows = [
        [one.id, one.profile, one.group, one.claimed_with, one.text, one.source]
        for one in CLAUSES.values()
    ]
    hazards = [[one.id, one.text] for one in HAZARDS.values()]
    return [rows, hazards, list(ITEM_TYPES), list(MODALITIES), list(PROFILES), list(OPERATIONS)]


def _covered() -> Answer:
    from contextcert.refmodel import CLAUSES, PROFILES, Claim

    claims = [Claim.full(), *(Claim.from_json({"profiles": [one]}) for one in PROFILES)]
    return [[claim.to_json(), [claim.covers(one) for one in CLAUSES]] for claim in claims]


def _claims() -> Iterator[Answer]:
    yield from ([], {}, None)
    for part in ("profiles", "item_types", "modalities"):
        yield from ({part: odd} for odd in (None, [], "media", 7, [1], {"wire": 1}, {"text": 1}))
        yield from ({part: [name, name]} for name in ("wire", "message", "text", "other"))
    yield {"modalities": ["audio", "text"], "item_types": ["reasoning", "message"]}


def _read_claim(value: Answer) -> Answer:
    from contextcert.refmodel import Claim

    try:
        return Claim.from_json(value).to_json()
    except ValueError:
        return "refused"


def _same() -> Answer:
    from contextcert.refmodel import same_json

    return [[same_json(left, right) for right in VALUES] for left in VALUES]


def _patched() -> Answer:
    from contextcert.refmodel.world import apply_merge_patch

    before = repr(VALUES)
    results = [[apply_merge_patch(target, patch) for patch in VALUES] for target in VALUES]
    return [results, repr(VALUES) == before]


def _ids() -> Answer:
    """Version 7, one millisecond apart, chance in all bits that are left to it, by the seed."""
    from contextcert.refmodel import seeded_fresh_ids

    sources = [seeded_fresh_ids(seed) for seed in (0, 0, 1)]
    one, again, other = [[ids(prefix) for prefix in ("fc", "msg") * 50] for ids in sources]
    numbers = [UUID(each.partition("_")[2]).int for each in one]
    always, ever = RANDOM_BITS, 0
    for number in numbers:
        always, ever = always & number, ever | number
    return [
        all(VERSION_7.fullmatch(each) for each in (*one, *other)),
        [each.partition("_")[0] for each in one[:2]],
        [number >> 80 for number in numbers] == [(numbers[0] >> 80) + n for n in range(100)],
        numbers[0] >> 80 in NOVEMBER,
        [always, ever & RANDOM_BITS == RANDOM_BITS],
        [one == again, set(one).isdisjoint(other)],
    ]


def _extreme_ids() -> Answer:
    """Whatever chance gives, the form is kept."""
    from contextcert.refmodel.fresh_ids import _version_7

    return [
        VERSION_7.fullmatch(f"x_{_version_7(NOVEMBER[0], chance * 10)}") is not None
        for chance in (b"\x00", b"\xff", b"\xaa", b"\x55")
    ]


def _ids_by_default() -> Answer:
    """In edition 2026-11 a script gets ids, and the same ones again, without a source for them."""
    from contextcert.refmodel import Edition, Mode, run_script

    ops: list[Any] = [
        {"op": "record_items", "items": [ITEMS[0]], "policy": POLICY},
        {"op": "raw_items"},
    ]
    runs = [run_script(ops, mode=Mode.DEBUG, edition=Edition.NOVEMBER_2026) for _ in range(2)]
    given: Any = runs[0][1]
    return [VERSION_7.fullmatch(given["ok"][0]["id"]) is not None, runs[0] == runs[1]]


def _versions() -> Answer:
    """VER-2: the last steps before the end, and the end."""
    from contextcert.refmodel import History

    histories = [History(version=2**64 - steps) for steps in (3, 2, 1)]
    return [[one.replace(()).version, one.roll_back(1).version] for one in histories]


def _equal_histories() -> Answer:
    """REC-6: equal if they hold the same, however it came in, and written or not."""
    from contextcert.refmodel import Envelope, History, TruncationPolicy, read_item, write_items

    policy = TruncationPolicy.from_json(POLICY)
    values: list[Any] = [{**ITEMS[n % len(ITEMS)], "more": n} for n in range(200)]
    whole = History().record([Envelope(read_item(one)) for one in values], policy)
    write_items(whole.items)
    singly = History()
    for value in values:
        singly = singly.record([Envelope(read_item({**value, "more": None}))], policy)
    fewer = History().record([Envelope(read_item(one)) for one in values[:-3]], policy)
    lengths = [len(one.envelopes) for one in (whole, singly, fewer, History())]
    return [
        [whole == singly, whole == fewer, whole == History(), whole.envelopes == 1],
        hash(whole.envelopes) == hash(singly.envelopes),
        [*lengths, [bool(one.envelopes) for one in (whole, History())]],
    ]


def _equal_values() -> Answer:
    """WORLD-7: for what histories carry as for what they report."""
    from contextcert.refmodel import History

    histories = [History(token_info=value) for value in VALUES]
    return [[left == right for right in histories] for left in histories]


def _restored() -> Answer:
    """Restoring belongs to edition 2026-11 where no other is named; projecting to 2026-08."""
    from contextcert.refmodel import Edition, History, read_items, write_items

    image = {"type": "input_image", "image_url": "data:,"}
    items = read_items([{**ITEMS[0], "id": "odd", "content": [image]}])
    restored = History().restore(items)
    projected = History().replace(items).project(("image",))
    return [
        write_items(restored.items),
        restored == History().restore(items, Edition.NOVEMBER_2026),
        write_items(projected.items),
        list(projected.anomalies),
    ]


def _collection() -> Answer:
    """The collector is left as it was found."""
    from contextcert.refmodel import Mode, run_script

    was, left = gc.isenabled(), []
    for enabled in (True, False):
        (gc.enable if enabled else gc.disable)()
        run_script([{"op": "for_prompt", "input_modalities": []}], mode=Mode.DEBUG)
        left.append(gc.isenabled())
    (gc.enable if was else gc.disable)()
    return left


def _ownership() -> Answer:
    """SNAP-1, SNAP-2: no list and no object is shared by two outcomes, or with an operation."""
    from contextcert.refmodel import Mode, run_script

    shared = []
    for value in ({"a": [{"b": 1}]}, {"a": [{"b": BIG}, [BIG]]}):
        item = {**ITEMS[4], "tools": [value]}
        envelope = {"item": item, "metadata": value}
        ops: list[Any] = [
            {"op": "set_token_info", "value": value},
            {"op": "set_reference_context_item", "value": value},
            {"op": "update_world_state", "state": value},
            {"op": "record_items", "items": [item], "policy": POLICY},
            {"op": "record_annotated_items", "envelopes": [envelope], "policy": POLICY},
            {"op": "hold", "name": "h", "what": "raw_items"},
        ]
        looks = ("token_info", "reference_context_item", "world_state_baseline", "raw_items")
        ops += [{"op": look} for look in (*looks, "raw_envelopes") * 2]
        ops += [{"op": "held", "name": "h"}, {"op": "read_transcript"}] * 2
        outcomes = run_script(ops, mode=Mode.RELEASE)
        owned = [set(_containers(one)) for one in (ops, *outcomes)]
        shared.append([len(set().union(*owned)) == sum(map(len, owned)), outcomes])
    return shared


def _containers(value: Answer) -> Iterator[int]:
    if isinstance(value, list | dict):
        yield id(value)
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _containers(inner)


def _odd_operations() -> Iterator[Answer]:
    """DESIGN 3: operations at the edge of what can be read, and beyond it."""
    edges = (-2, -1, 0, 1, 2**32 - 2, 2**32 - 1, 2**32, 2**64 - 1, 2**64, 1.0, True, "1", None)
    yield from (None, "raw_items", {}, {"op": 1}, {"op": "brand_new"}, {"op": "restore_items"})
    yield from ({"op": "drop_last_n_user_turns", "num_turns": one} for one in (*edges, [1]))
    yield from ({"op": "raw_items", "on": one} for one in edges)
    yield from ({"op": "clone", "to": one} for one in edges)
    units: tuple[Answer, ...] = ("bytes", "tokens", "chars", None, [])
    for unit in units:
        for limit in edges if unit == "bytes" else (1, None):
            policy: Answer = {"mode": unit, "limit": limit}
            yield {"op": "record_items", "items": [ITEMS[1]], "policy": policy}
    odd: tuple[Answer, ...] = (None, [], {"mode": "bytes"}, {"limit": 1})
    yield from ({"op": "record_items", "items": [ITEMS[1]], "policy": policy} for policy in odd)
    for names in (None, "text", ["video"], ["Text"], ["text", 1], [["text"]], ["image", "text"]):
        yield {"op": "for_prompt", "input_modalities": names}
        yield {"op": "for_prompt_annotated", "input_modalities": names}
    cursors: tuple[Answer, ...] = ([], {}, 1, {"history_version": 0}, {"entry_count": 0})
    for cursor in cursors:
        yield {"op": "read_transcript", "cursor": cursor}
    for count in edges:
        yield {"op": "read_transcript", "cursor": {"history_version": 0, "entry_count": count}}
        yield {"op": "read_transcript", "cursor": {"history_version": count, "entry_count": 0}}
    shell = {"type": "local_shell_call", "status": "completed"}
    for time in edges:
        action: Answer = {"type": "exec", "command": [], "timeout_ms": time}
        yield {"op": "replace", "items": [{**shell, "action": action}]}
    yield from ({"op": "hold", "name": "h", "what": one} for one in (None, "held", "raw_items"))
    yield from ({"op": "held", "name": one} for one in (None, "never", 1))
    kept: tuple[Answer, ...] = (None, {}, 1, [])
    for metadata in kept:
        yield {
            "op": "record_annotated_items",
            "envelopes": [{"item": ITEMS[1], "metadata": metadata, "success": metadata == {}}],
            "policy": POLICY,
        }


def _outcomes(op: Answer) -> Answer:
    """Run an operation and look at what it left, without saying what becomes of a panic."""
    from contextcert.refmodel import Mode, run_script, run_script_in_both_modes

    start = {"op": "record_items", "items": [ITEMS[1]], "policy": {"mode": "tokens", "limit": 9}}
    projecting = {"op": "for_prompt", "input_modalities": ["text"]}
    looks = [{"op": "raw_items"}, {"op": "history_version"}, projecting, {"op": "token_info"}]
    ops: list[Any] = [start, op, *looks]
    both = run_script_in_both_modes(ops)
    runs = [*(run_script(ops, mode=mode) for mode in Mode), *(both[mode] for mode in Mode)]
    return [[without_words(outcome) for outcome in outcomes] for outcomes in runs]


def without_words(outcome: Answer) -> Answer:
    """Give what SPEC speaks of: that there is an error, and not what it says."""
    match outcome:
        case {"error": {"message": str()}} if len(outcome) == 1:
            return "error"
        case {"unsupported": str()} if len(outcome) == 1:
            return "unsupported"
        case _:
            return outcome


def _odd_media() -> Iterator[Answer]:
    """E11-5: media that no script holds, since SPEC judges only what survives."""
    payloads = ("iVBORw0KGgo=", "/9j/", "R0lGODdh", "R0lGODlh", "UklGRg==", "AA==", "iVBO!Rw0KGgo=")
    for payload in (*payloads, "iVBORw0KGgo", "\u00e9", ""):
        yield {"type": "input_image", "image_url": f"data:image/png;base64,{payload}"}
    for url in ("https://e.test/a.png", "data:image/svg+xml,<svg/>", "data:,", "", "iVBORw0KGgo="):
        yield {"type": "input_image", "image_url": url}
    yield from ({"type": "input_audio", "audio_url": url} for url in ("data:audio/x,", "data:", ""))


def _recorded_media(entry: Answer) -> Answer:
    from contextcert.refmodel import Edition, Mode, run_script

    bodies: list[Any] = [[entry], [entry, {"type": "input_text", "text": ""}]]
    items = [
        {"type": "custom_tool_call_output", "call_id": "a", "output": body, "id": "ctco_1"}
        for body in bodies
    ]
    ops: list[Any] = [
        {"op": "record_items", "items": items, "policy": {"mode": "tokens", "limit": 99}},
        {"op": "raw_items"},
    ]
    return [run_script(ops, mode=Mode.DEBUG, edition=edition) for edition in Edition]


def _odd_prompts() -> Iterator[str]:
    """SPEC 4.4, rule 5: elements that are judged on no subject."""
    named = '<h hook_run_id="r">'
    for inside in ("", " ", "\u3000", "<i/>", "<i>t</i>", "t<i/>", "<i/>t", "<i>t</i><i>t</i>t"):
        yield f"{named}{inside}</h>"
    for inside in ("<!-- t -->", "<![CDATA[t]]>", "<?t t?>", "&#116;", "&t;", "<i", "t</h><h>t"):
        yield f"{named}{inside}</h>"
    yield '<h hook_run_id="">t<i hook_run_id="r">t</i></h>'
    yield '<h hook_run_id="r">t<i hook_run_id="">t</i></h>'
    yield '<h>t<i hook_run_id="r">t</i></h>'
    yield '<h hook_run_id="r"><i hook_run_id="r">t</i></h>'
    yield f"<!DOCTYPE h>{named}t</h>"
    yield f'<?xml version="1.0"?>{named}t</h>'
    yield f"\ufeff{named}t</h>"
    yield f"{named}\ud800</h>"


def _is_fragment(text: str) -> Answer:
    from contextcert.refmodel.fragments import is_user_fragment

    return is_user_fragment(text)


def _great_values() -> Iterator[Answer]:
    """What the fast JSON writer refuses: integers beyond 64 bits, and deep nesting."""
    yield from ({"a": BIG}, {"a": [BIG, {"b": [BIG]}, []]}, {"a": {"b": {"c": -BIG}}})
    deep: Answer = {"a": 1}
    for _ in range(DEEP):
        deep = {"a": [deep]}
    yield deep


def _kept(value: Answer) -> Answer:
    """Carry a value everywhere that values are carried, and read it twice."""
    from contextcert.refmodel import Mode, run_script

    item = {**ITEMS[4], "tools": [value]}
    envelope = {"item": item, "metadata": value}
    ops: list[Any] = [
        {"op": "set_token_info", "value": value},
        {"op": "set_reference_context_item", "value": value},
        {"op": "set_world_state_baseline", "state": value},
        {"op": "update_world_state", "state": value},
        {"op": "update_world_state", "state": {**value, "more": [value]}},
        {
            "op": "replace",
            "items": [item, {**item, "type": "tool_search_call", "arguments": value}],
        },
        {"op": "record_annotated_items", "envelopes": [envelope], "policy": POLICY},
    ]
    looks = ("token_info", "reference_context_item", "world_state_baseline", "raw_envelopes")
    outcomes = run_script([*ops, *({"op": look} for look in looks)], mode=Mode.RELEASE)
    return repr(outcomes)
