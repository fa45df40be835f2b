"""What becomes of envelopes on their way into the history (SPEC 3, and 7 for 2026-11)."""

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import Any

from history.ids import fresh_id
from history.items import OUTPUTS, Edition, Envelope, Item
from history.truncation import Policy, truncate

_DROPPED = ("compaction_trigger", "other")

_IMAGE_UNREADABLE = "image content omitted because it could not be processed"
_AUDIO_UNREADABLE = "audio content omitted because it could not be processed"
_IMAGE_STARTS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"RIFF")


def is_kept(item: Item) -> bool:
    """Say whether recording keeps an item (REC-2)."""
    if item["type"] == "message" and item["role"] == "system":
        return False
    return item["type"] not in _DROPPED


def recorded(envelopes: Iterable[Envelope], policy: Policy, edition: Edition) -> list[Envelope]:
    """Give what is appended for these: outputs cut, all else as given (REC-1 to REC-4)."""
    kept = (envelope for envelope in envelopes if is_kept(envelope.item))
    if edition is Edition.AUGUST_2026:
        budget = policy.enlarged()
        return [one.with_item(_truncated(one.item, budget)) for one in kept]
    budget = policy.enlarged_in_tokens()
    return [one.with_item(_truncated(_prepared(one.item), budget)) for one in kept]


def _truncated(item: Item, budget: Policy) -> Item:
    if item["type"] not in OUTPUTS:
        return item
    return {**item, "output": truncate(item["output"], budget)}


def _prepared(item: Item) -> Item:
    """Do what 2026-11 does before it truncates (E11-2, E11-3, E11-5)."""
    item = {"type": item["type"], "id": item.get("id") or fresh_id(item["type"]), **_rest(item)}
    if item["type"] == "message":
        return {**item, "content": [_readable(entry) for entry in item["content"]]}
    if item["type"] in OUTPUTS and isinstance(item["output"], list):
        entries = [entry for entry in item["output"] if not _is_empty_text(entry)]
        return {**item, "output": [_readable(entry) for entry in entries]}
    return item


def _rest(item: Item) -> Item:
    return {name: value for name, value in item.items() if name not in ("type", "id")}


def _is_empty_text(entry: Mapping[str, Any]) -> bool:
    return entry["type"] == "input_text" and not entry["text"]


def _readable(entry: dict[str, Any]) -> dict[str, Any]:
    """Replace media that cannot be decoded by words (E11-5)."""
    if entry["type"] == "input_image" and not _is_readable_image(entry["image_url"]):
        return {"type": "input_text", "text": _IMAGE_UNREADABLE}
    if entry["type"] == "input_audio" and not entry["audio_url"].startswith("data:audio/"):
        return {"type": "input_text", "text": _AUDIO_UNREADABLE}
    return entry


def _is_readable_image(url: str) -> bool:
    """Look at how the data begins; the standard library decodes no images."""
    head, comma, data = url.partition(",")
    if not comma or not head.startswith("data:") or not head.endswith(";base64"):
        return False
    try:
        return base64.b64decode(data, validate=True).startswith(_IMAGE_STARTS)
    except binascii.Error:
        return False
