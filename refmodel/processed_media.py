"""Media as edition 2026-11 records it: what cannot be decoded becomes text (E11-5)."""

from __future__ import annotations

import base64
import binascii
from typing import Final

from contextcert.refmodel.entries import Entry, change_entries
from contextcert.refmodel.items import InputAudio, InputImage, InputText, Item

_IMAGE_OMITTED: Final = InputText("image content omitted because it could not be processed")
_AUDIO_OMITTED: Final = InputText("audio content omitted because it could not be processed")
_IMAGE_SIGNATURES: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"RIFF")


def with_processed_media(item: Item) -> Item:
    """Replace media that cannot be decoded (E11-5).

    A data URL holds an image if its payload is base64 and starts as a PNG, JPEG, GIF or WebP
    does, and audio if it says `data:audio/`. An image behind any other URL stays as given. What
    else the release does to images (re-encoding, sizes, `detail`) is not specified and not done
    here: only a small valid PNG with `detail` absent, `auto` or `high` is judged.
    """
    return change_entries(item, _processed)


def _processed(entry: Entry) -> Entry:
    if isinstance(entry, InputImage) and not _is_decodable_image(entry.image_url):
        return _IMAGE_OMITTED
    if isinstance(entry, InputAudio) and not entry.audio_url.startswith("data:audio/"):
        return _AUDIO_OMITTED
    return entry


def _is_decodable_image(url: str) -> bool:
    if not url.startswith("data:"):
        return True
    header, _, payload = url.partition(",")
    if not header.endswith(";base64"):
        return False
    try:
        return base64.b64decode(payload, validate=True).startswith(_IMAGE_SIGNATURES)
    except (binascii.Error, ValueError):
        return False
