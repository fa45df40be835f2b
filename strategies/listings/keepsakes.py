"""Values that are easily lost on the way: empty metadata, held pictures, a second context."""

from __future__ import annotations

from collections.abc import Iterator

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.admission import admitted
from contextcert.strategies.enumeration import modality_sets
from contextcert.strategies.item_values import audio, image, item, text
from contextcert.strategies.projecting import POLICY, Script, for_prompt
from contextcert.strategies.scope import Scope


def keepsake_scripts(scope: Scope) -> Iterator[Script]:
    """Bring each in, and look at it after what might lose it."""
    for kept in admitted(_ITEMS, scope):
        yield [
            {"op": "record_items", "items": [kept], "policy": POLICY},
            {"op": "raw_items"},
        ]
        for metadata in _METADATA:
            envelope: JsonObject = {"item": kept, "metadata": metadata}
            yield [
                {"op": "record_annotated_items", "envelopes": [envelope], "policy": POLICY},
                {"op": "raw_envelopes"},
            ]
    yield from _held(scope)
    for first, then in ((_CONTEXTS[0], _CONTEXTS[1]), (_CONTEXTS[1], _CONTEXTS[0])):
        yield [
            {"op": "set_reference_context_item", "value": first},
            {"op": "set_reference_context_item", "value": then},
            {"op": "reference_context_item"},
        ]


_METADATA: tuple[Json, ...] = ({}, {"a": None}, {"a": {}}, {"": []})
_CONTEXTS: tuple[JsonObject, ...] = ({"model": "m1"}, {"effort": "high"})
_ITEMS: tuple[JsonObject, ...] = (
    item("message", content=[text("a"), image(), audio()]),
    item("message", role="tool"),
    item("additional_tools", role="system"),
    item("additional_tools", role="user"),
)


def _held(scope: Scope) -> Iterator[Script]:
    """Project otherwise between handing a prompt out and reading it again (SNAP-2)."""
    sets = modality_sets(scope)
    recording: JsonObject = {
        "op": "record_items",
        "items": [*admitted(_ITEMS, scope)],
        "policy": POLICY,
    }
    for other in sets[1:]:
        yield [
            recording,
            for_prompt(sets[0]),
            {**for_prompt(sets[0]), "op": "hold", "name": "h", "what": "for_prompt"},
            for_prompt(other),
            {"op": "held", "name": "h"},
        ]
