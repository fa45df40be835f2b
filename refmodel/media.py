"""Steps C and D: images and audio that the model cannot take become text (IMG, AUD)."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from contextcert.refmodel.entries import Entry, change_entries
from contextcert.refmodel.items import ImageGenerationCall, InputAudio, InputImage, InputText, Item

_IMAGE_OMITTED: Final = InputText("image content omitted because you do not support image input")
_AUDIO_OMITTED: Final = InputText("audio content omitted because you do not support audio input")


def without_images(item: Item) -> Item:
    """Step C on one item: text for every image, nothing for a generated one (IMG-2 to IMG-5)."""
    if isinstance(item, ImageGenerationCall):
        return evolve(item, result="")
    return change_entries(item, _image_omitted)


def without_audio(item: Item) -> Item:
    """Step D on one item: text for all audio; image generation is left alone (AUD-2 to AUD-4)."""
    return change_entries(item, _audio_omitted)


def _image_omitted(entry: Entry) -> Entry:
    return _IMAGE_OMITTED if isinstance(entry, InputImage) else entry


def _audio_omitted(entry: Entry) -> Entry:
    return _AUDIO_OMITTED if isinstance(entry, InputAudio) else entry
