"""Steps C and D of the projection: what the model cannot take is said in words (SPEC 2.7)."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from faults import fault

from history.items import Item

MODALITIES = ("text", "image", "audio")

IMAGE_OMITTED = "image content omitted because you do not support image input"
AUDIO_OMITTED = "audio content omitted because you do not support audio input"

_PLACES = {
    "message": "content",
    "function_call_output": "output",
    "custom_tool_call_output": "output",
}


def placeholders(modalities: AbstractSet[str]) -> dict[str, str]:
    """Give what stands in place of each content type that these modalities leave out.

    `text` is never consulted (AUD-5).
    """
    omitted = {}
    if "image" not in modalities:
        omitted["input_image"] = IMAGE_OMITTED
    if "audio" not in modalities:
        omitted["input_audio"] = AUDIO_OMITTED
    return omitted


def downgrade(item: Item, omitted: Mapping[str, str]) -> Item:
    """Give an item with its media replaced in place; without any it is the item itself."""
    if item["type"] == "image_generation_call":
        return {**item, "result": ""} if "input_image" in omitted else item  # IMG-4, AUD-4
    place = _PLACES.get(item["type"])
    if place is None:
        return item  # IMG-5
    entries = item[place]
    if isinstance(entries, str) or not any(one["type"] in omitted for one in entries):
        return item  # IMG-1, IMG-3, AUD-1
    if fault("image-removed") and item["type"] == "message":
        entries = [one for one in entries if one["type"] != "input_image"]
    return {**item, place: [_downgraded(one, omitted) for one in entries]}


def _downgraded(entry: dict[str, Any], omitted: Mapping[str, str]) -> dict[str, Any]:
    words = omitted.get(entry["type"])
    return entry if words is None else {"type": "input_text", "text": words}
