"""Faults of steps C and D: what a model cannot see or hear (IMG, AUD)."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

from dataclasses import replace

from zoo.faulty import fault
from zoo.projection import AUDIO_OMITTED, IMAGE_OMITTED, Entries
from zoo.subject import ZooSubject
from zoo.values import Json, Object


def _lacking(item: Object, *names: str) -> Object:
    return {name: value for name, value in item.items() if name not in names}


@fault("images-need-audio", "IMG-1", also=("AUD-5",), why="one flag for all media")
class _ImagesNeedAudio(ZooSubject):
    def _downgrade_images(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        return super()._downgrade_images(
            entries, modalities if "audio" in modalities else frozenset()
        )


@fault("image-detail-dropped", "IMG-1", also=("ORD-3",), why="detail is left out for image models")
class _ImageDetailDropped(ZooSubject):
    def _downgrade_images(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        if "image" not in modalities:
            return super()._downgrade_images(entries, modalities)
        return [replace(one, item=self._undetailed(one.item)) for one in entries]

    def _undetailed(self, item: Object) -> Object:
        if item["type"] != "message":
            return item
        return {**item, "content": [_lacking(part, "detail") for part in item["content"]]}


class _Without(ZooSubject):
    """Removes media of one kind instead of replacing it."""

    kind: str

    def _replace_parts(self, parts: list[Object], kind: str, notice: str) -> list[Object]:
        if kind != self.kind:
            return super()._replace_parts(parts, kind, notice)
        return [part for part in parts if part["type"] != kind]


@fault("image-removed", "IMG-2", also=("IMG-3", "IMG-5"), why="removed instead of replaced")
class _ImageRemoved(_Without):
    kind = "input_image"


@fault("audio-removed", "AUD-2", also=("AUD-3",), why="removed instead of replaced")
class _AudioRemoved(_Without):
    kind = "input_audio"


class _OtherNotice(ZooSubject):
    """Says something else in place of media."""

    usual: str
    said: str

    def _notice(self, part: Object, notice: str) -> Object:
        return super()._notice(part, self.said if notice == self.usual else notice)


@fault("image-notice-in-other-words", "IMG-2", also=("IMG-3",), why="another text")
class _ImageNoticeInOtherWords(_OtherNotice):
    usual, said = IMAGE_OMITTED, "[image omitted]"


@fault("image-notice-ends-with-a-stop", "IMG-2", also=("IMG-3",), why="a full stop more")
class _ImageNoticeEndsWithAStop(_OtherNotice):
    usual, said = IMAGE_OMITTED, IMAGE_OMITTED + "."


@fault("audio-notice-says-image", "AUD-2", also=("AUD-3",), why="one notice for both")
class _AudioNoticeSaysImage(_OtherNotice):
    usual, said = AUDIO_OMITTED, IMAGE_OMITTED


@fault("notice-is-output-text", "IMG-2", also=("IMG-3", "AUD-2", "AUD-3"), why="the wrong type")
class _NoticeIsOutputText(ZooSubject):
    def _notice(self, part: Object, notice: str) -> Object:
        return {"type": "output_text", "text": notice}


class _UserOnly(ZooSubject):
    """Looks only at the user's messages for media of one kind."""

    kind: str

    def _media_field(self, item: Object, kind: str) -> str | None:
        skipped = kind == self.kind and item.get("role", "user") != "user"
        return None if skipped else super()._media_field(item, kind)


@fault("images-of-the-user-only", "IMG-2", why="other roles are taken to hold no images")
class _ImagesOfTheUserOnly(_UserOnly):
    kind = "input_image"


@fault("audio-of-the-user-only", "AUD-2", why="other roles are taken to hold no audio")
class _AudioOfTheUserOnly(_UserOnly):
    kind = "input_audio"


@fault(
    "first-image-only",
    "IMG-2",
    also=("IMG-3",),
    why="the loop ends at the first image",
)
class _FirstImageOnly(ZooSubject):
    def _replace_parts(self, parts: list[Object], kind: str, notice: str) -> list[Object]:
        place = next((n for n, part in enumerate(parts) if part["type"] == kind), len(parts))
        return super()._replace_parts(parts[: place + 1], kind, notice) + parts[place + 1 :]


class _FieldSkipped(ZooSubject):
    """Never looks for media of one kind in one type of item."""

    kind: str
    skipped: str

    def _media_field(self, item: Object, kind: str) -> str | None:
        if kind == self.kind and item["type"] == self.skipped:
            return None
        return super()._media_field(item, kind)


@fault("images-stay-in-custom-outputs", "IMG-3", minimum=2, why="custom outputs are forgotten")
class _ImagesStayInCustomOutputs(_FieldSkipped):
    kind, skipped = "input_image", "custom_tool_call_output"


@fault("images-stay-in-function-outputs", "IMG-3", minimum=2, why="only messages are looked at")
class _ImagesStayInFunctionOutputs(_FieldSkipped):
    kind, skipped = "input_image", "function_call_output"


@fault("audio-stays-in-custom-outputs", "AUD-3", minimum=2, why="custom outputs are forgotten")
class _AudioStaysInCustomOutputs(_FieldSkipped):
    kind, skipped = "input_audio", "custom_tool_call_output"


@fault("audio-stays-in-function-outputs", "AUD-3", minimum=2, why="only messages are looked at")
class _AudioStaysInFunctionOutputs(_FieldSkipped):
    kind, skipped = "input_audio", "function_call_output"


@fault(
    "data-url-in-text-replaced",
    "IMG-3",
    also=("ORD-3", "IMG-5"),
    minimum=2,
    why="a string body that holds an image as data URL is replaced as well",
)
class _DataUrlInTextReplaced(ZooSubject):
    def _without_images(self, item: Object) -> Object:
        body = item.get("output")
        if isinstance(body, str) and "data:image/" in body:
            return {**item, "output": IMAGE_OMITTED}
        return super()._without_images(item)


@fault(
    "notice-flattens-the-body",
    "IMG-3",
    also=("AUD-3", "IMG-5"),
    minimum=2,
    why="a body of one notice becomes a string",
)
class _NoticeFlattensTheBody(ZooSubject):
    def _without_media(self, item: Object, kind: str, notice: str) -> Object:
        downgraded = super()._without_media(item, kind, notice)
        if downgraded != item and downgraded.get("output") == [self._notice({}, notice)]:
            return {**downgraded, "output": notice}
        return downgraded


class _ImageGeneration(ZooSubject):
    """Downgrades an image generation call in another way."""

    def _without_result(self, item: Object) -> Object:
        return {**super()._without_result(item), **self._generation(item)}

    def _generation(self, item: Object) -> Object:
        raise NotImplementedError


@fault("revised-prompt-cleared", "IMG-4", why="the prompt goes with the picture")
class _RevisedPromptCleared(ZooSubject):
    def _without_result(self, item: Object) -> Object:
        return _lacking(super()._without_result(item), "revised_prompt")


@fault("image-result-kept", "IMG-4", why="generated images are forgotten")
class _ImageResultKept(_ImageGeneration):
    def _generation(self, item: Object) -> Object:
        return {"result": item["result"]}


@fault("image-result-is-a-notice", "IMG-4", why="the notice instead of the empty string")
class _ImageResultIsANotice(_ImageGeneration):
    def _generation(self, item: Object) -> Object:
        return {"result": IMAGE_OMITTED}


@fault("image-status-changed", "IMG-4", why="the call is marked incomplete")
class _ImageStatusChanged(_ImageGeneration):
    def _generation(self, item: Object) -> Object:
        return {"status": "incomplete"}


@fault("image-generation-id-dropped", "IMG-4", also=("AUD-6",), why="rebuilt without its id")
class _ImageGenerationIdDropped(ZooSubject):
    def _without_result(self, item: Object) -> Object:
        return _lacking(super()._without_result(item), "id")


@fault("image-generation-removed", "IMG-4", also=("ORPH-7", "AUD-6"), why="the item goes")
class _ImageGenerationRemoved(ZooSubject):
    def _downgrade_images(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        kept = super()._downgrade_images(entries, modalities)
        if "image" in modalities:
            return kept
        return [one for one in kept if one.item["type"] != "image_generation_call"]


@fault(
    "encrypted-content-goes-with-images",
    "IMG-5",
    also=("ORD-3",),
    minimum=2,
    why="what cannot be read is taken for an image",
)
class _EncryptedContentGoesWithImages(ZooSubject):
    def _replace_parts(self, parts: list[Object], kind: str, notice: str) -> list[Object]:
        kept = super()._replace_parts(parts, kind, notice)
        if kind != "input_image":
            return kept
        return [part for part in kept if part["type"] != "encrypted_content"]


@fault("text-goes-with-images", "IMG-5", also=("IMG-2", "IMG-3"), why="one notice for the content")
class _TextGoesWithImages(ZooSubject):
    def _replace_parts(self, parts: list[Object], kind: str, notice: str) -> list[Object]:
        if kind == "input_image" and any(part["type"] == kind for part in parts):
            return [self._notice({}, notice)]
        return super()._replace_parts(parts, kind, notice)


@fault(
    "notices-merged",
    "IMG-5",
    also=("IMG-2", "IMG-3"),
    why="neighbouring notices become one",
)
class _NoticesMerged(ZooSubject):
    def _replace_parts(self, parts: list[Object], kind: str, notice: str) -> list[Object]:
        merged: list[Object] = []
        for part in super()._replace_parts(parts, kind, notice):
            if not merged or part != self._notice({}, notice) or merged[-1] != part:
                merged.append(part)
        return merged


@fault(
    "labels-around-images-dropped",
    "IMG-5",
    also=("ORD-3", "IMG-2"),
    why="tags around an image are taken for part of it",
)
class _LabelsAroundImagesDropped(ZooSubject):
    labels = ("<image", "</image")

    def _replace_parts(self, parts: list[Object], kind: str, notice: str) -> list[Object]:
        kept = super()._replace_parts(parts, kind, notice)
        return [part for part in kept if not part.get("text", "").startswith(self.labels)]


@fault(
    "tool-lists-searched-for-images",
    "IMG-5",
    also=("ORD-3",),
    why="the downgrade walks into any JSON",
)
class _ToolListsSearchedForImages(ZooSubject):
    def _without_images(self, item: Object) -> Object:
        downgraded = super()._without_images(item)
        if "tools" not in item:
            return downgraded
        return {**downgraded, "tools": self._deep(item["tools"])}

    def _deep(self, value: Json) -> Json:
        if isinstance(value, list):
            return [self._deep(one) for one in value]
        if not isinstance(value, dict):
            return value
        if value.get("type") == "input_image":
            return self._notice(value, IMAGE_OMITTED)
        return {name: self._deep(one) for name, one in value.items()}


@fault("audio-needs-images", "AUD-1", also=("AUD-5",), why="one flag for all media")
class _AudioNeedsImages(ZooSubject):
    def _downgrade_audio(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        return super()._downgrade_audio(
            entries, modalities if "image" in modalities else frozenset()
        )


@fault("audio-always-downgraded", "AUD-1", why="no model is thought to hear")
class _AudioAlwaysDowngraded(ZooSubject):
    def _downgrade_audio(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        return super()._downgrade_audio(entries, frozenset())


@fault("audio-pass-clears-images", "AUD-4", why="the media pass was copied as a whole")
class _AudioPassClearsImages(ZooSubject):
    def _without_audio(self, item: Object) -> Object:
        if item["type"] == "image_generation_call":
            return self._without_result(item)
        return super()._without_audio(item)


@fault("audio-pass-clears-prompt", "AUD-4", why="audio models get no revised prompt")
class _AudioPassClearsPrompt(ZooSubject):
    def _without_audio(self, item: Object) -> Object:
        kept = super()._without_audio(item)
        return _lacking(kept, "revised_prompt") if item["type"] == "image_generation_call" else kept


@fault(
    "no-text-no-downgrade",
    "AUD-5",
    also=("IMG-2", "IMG-3", "IMG-4", "AUD-2", "AUD-3"),
    why="without text in the set nothing is thought to be known about the model",
)
class _NoTextNoDowngrade(ZooSubject):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        known = "text" in modalities
        return super()._project(entries, modalities if known else frozenset({"image", "audio"}))


@fault(
    "empty-set-means-all",
    "AUD-5",
    also=("IMG-2", "IMG-3", "IMG-4", "AUD-2", "AUD-3"),
    why="an empty set is taken for unknown",
)
class _EmptySetMeansAll(ZooSubject):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        return super()._project(entries, modalities or frozenset({"image", "audio"}))


@fault(
    "text-omitted-without-text",
    "AUD-5",
    also=("ORD-3", "IMG-5"),
    why="text entries go where text is no modality",
)
class _TextOmittedWithoutText(ZooSubject):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        prompt = super()._project(entries, modalities)
        if "text" in modalities:
            return prompt
        omitted = "text content omitted because you do not support text input"
        return [
            replace(one, item=self._without_media(one.item, "input_text", omitted))
            for one in prompt
        ]


@fault(
    "images-hide-audio-pass",
    "AUD-5",
    also=("AUD-2", "AUD-3"),
    why="an early return for models that see skips the audio step",
)
class _ImagesHideAudioPass(ZooSubject):
    def _downgrade_audio(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        return entries if "image" in modalities else super()._downgrade_audio(entries, modalities)


@fault(
    "media-only-output-dropped",
    "AUD-6",
    also=("IMG-3", "AUD-3", "ORPH-1", "ORPH-2", "ORPH-9", "PAIR-13"),
    minimum=2,
    why="an output that held media alone is left out, and its call is left unanswered",
)
class _MediaOnlyOutputDropped(ZooSubject):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        notices = [self._notice({}, text) for text in (IMAGE_OMITTED, AUDIO_OMITTED)]
        prompt = super()._project(entries, modalities)
        return [one for one in prompt if not self._is_only(one.item.get("output"), notices)]

    def _is_only(self, body: Json, notices: list[Object]) -> bool:
        return isinstance(body, list) and bool(body) and all(part in notices for part in body)


@fault(
    "media-before-pairing-hides-outputs",
    "AUD-6",
    also=("PAIR-6", "PAIR-14", "IMG-3", "AUD-3"),
    minimum=2,
    why="an output of images counts as no answer for a model that cannot see",
)
class _UnseenOutputAnswersNothing(ZooSubject):
    def _project(self, entries: Entries, modalities: frozenset[str]) -> Entries:
        self._unseen = {"input_image"} - {f"input_{one}" for one in modalities}
        return super()._project(entries, modalities)

    def _answers(self, item: Object) -> bool:
        return super()._answers(item) and not self._is_unseen(item.get("output"))

    def _is_unseen(self, body: Json) -> bool:
        return isinstance(body, list) and any(part["type"] in self._unseen for part in body)


@fault(
    "downgraded-output-loses-its-id",
    "AUD-6",
    also=("IMG-3", "AUD-3", "IMG-5"),
    minimum=2,
    why="a downgraded output is built anew from call id and body",
)
class _DowngradedOutputLosesItsId(ZooSubject):
    def _without_media(self, item: Object, kind: str, notice: str) -> Object:
        downgraded = super()._without_media(item, kind, notice)
        if "output" in item and downgraded["output"] != item["output"]:
            return _lacking(downgraded, "id")
        return downgraded
