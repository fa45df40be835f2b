"""Faults of truncation: limits, markers, ends, array bodies (TRUNC)."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

from zoo.faulty import life
from zoo.recording import BYTES_IN_TOKEN, Policy, Purse, in_tokens, text_bytes
from zoo.subject import ZooSubject
from zoo.values import Json, Object


@life("limit-not-enlarged", "TRUNC-1", also=("TRUNC-3", "TRUNC-6", "TRUNC-7"), why="n is n")
class _LimitNotEnlarged(ZooSubject):
    def _enlarged(self, policy: Policy) -> int:
        return policy.limit


@life("enlarged-rounding-down", "TRUNC-1", also=("TRUNC-3", "TRUNC-7"), why="integer division")
class _EnlargedRoundingDown(ZooSubject):
    def _enlarged(self, policy: Policy) -> int:
        return 6 * policy.limit // 5


@life("enlarged-twice", "TRUNC-1", also=("TRUNC-3", "TRUNC-7"), why="by caller and callee")
class _EnlargedTwice(ZooSubject):
    def _enlarged(self, policy: Policy) -> int:
        once = super()._enlarged(policy)
        return -(-6 * once // 5)


@life("arrays-not-enlarged", "TRUNC-1", also=("TRUNC-7",), why="only texts get the allowance")
class _ArraysNotEnlarged(ZooSubject):
    def _cut_body(self, body: Json, policy: Policy) -> Json:
        if isinstance(body, str):
            return super()._cut_body(body, policy)
        return self._cut_parts(body, Purse(policy.limit, policy.tokens))


@life("tokens-not-enlarged", "TRUNC-1", also=("TRUNC-6", "TRUNC-7"), why="bytes alone are")
class _TokensNotEnlarged(ZooSubject):
    def _enlarged(self, policy: Policy) -> int:
        return policy.limit if policy.tokens else super()._enlarged(policy)


@life("exact-fit-is-cut", "TRUNC-2", also=("TRUNC-11",), why="< in place of <=")
class _ExactFitIsCut(ZooSubject):
    def _stays(self, text: str, room: int) -> bool:
        return not text or (room > 0 and text_bytes(text) < room)


@life("limit-in-characters", "TRUNC-2", also=("TRUNC-11", "TRUNC-3"), why="len of a string")
class _LimitInCharacters(ZooSubject):
    def _stays(self, text: str, room: int) -> bool:
        return not text or (room > 0 and len(text) <= room)


@life("limit-in-utf-16-units", "TRUNC-2", also=("TRUNC-11", "TRUNC-3"), why="length in JavaScript")
class _LimitInUtf16Units(ZooSubject):
    def _stays(self, text: str, room: int) -> bool:
        return not text or (room > 0 and len(text.encode("utf-16-le")) // 2 <= room)


@life("empty-text-marked", "TRUNC-2", also=("TRUNC-4", "TRUNC-11"), why="0 bytes leave nothing")
class _EmptyTextMarked(ZooSubject):
    def _stays(self, text: str, room: int) -> bool:
        return room > 0 and text_bytes(text) <= room


@life("character-split", "TRUNC-3", why="bytes are cut and decoded with replacement characters")
class _CharacterSplit(ZooSubject):
    def _head(self, text: str, size: int) -> str:
        return text.encode()[:size].decode(errors="replace")


@life("suffix-splits-a-character", "TRUNC-3", why="the same at the end of the text")
class _SuffixSplitsACharacter(ZooSubject):
    def _tail(self, text: str, size: int) -> str:
        return text.encode()[-size:].decode(errors="replace") if size else ""


@life("odd-byte-to-the-left", "TRUNC-3", why="half is rounded up")
class _OddByteToTheLeft(ZooSubject):
    def _half(self, room: int) -> int:
        return -(-room // 2)


@life("only-the-beginning-kept", "TRUNC-3", also=("TRUNC-5",), why="the end of a text is cut off")
class _OnlyTheBeginningKept(ZooSubject):
    def _half(self, room: int) -> int:
        return room


@life("ends-in-characters", "TRUNC-3", also=("TRUNC-5",), why="slices of a string")
class _EndsInCharacters(ZooSubject):
    def _head(self, text: str, size: int) -> str:
        return text[:size]

    def _tail(self, text: str, size: int) -> str:
        return text[-size:] if size else ""


@life("cut-outwards", "TRUNC-3", also=("TRUNC-5", "TRUNC-1"), why="characters are kept whole")
class _CutOutwards(ZooSubject):
    def _head(self, text: str, size: int) -> str:
        head = super()._head(text, size)
        whole = text_bytes(head) == size
        return head if whole else text[: len(head) + 1]


@life("marker-counts-against-the-budget", "TRUNC-3", why="the result keeps within the limit")
class _MarkerCountsAgainstTheBudget(ZooSubject):
    def _ends(self, text: str, room: int) -> tuple[str, str]:
        return super()._ends(text, max(room - 20, 0))


@life("zero-limit-is-no-limit", "TRUNC-4", also=("TRUNC-3",), why="0 says unlimited elsewhere")
class _ZeroLimitIsNoLimit(ZooSubject):
    def _stays(self, text: str, room: int) -> bool:
        return room == 0 or super()._stays(text, room)


@life("zero-limit-leaves-nothing", "TRUNC-4", why="no room, no marker")
class _ZeroLimitLeavesNothing(ZooSubject):
    def _marker(self, text: str, room: int, kept: str, *, tokens: bool) -> str:
        return super()._marker(text, room, kept, tokens=tokens) if room else ""


@life("marker-counts-bytes", "TRUNC-5", also=("TRUNC-4",), why="bytes are called chars")
class _MarkerCountsBytes(ZooSubject):
    def _removed_characters(self, text: str, _room: int, kept: str) -> int:
        return text_bytes(text) - text_bytes(kept)


@life("marker-counts-over-budget", "TRUNC-5", also=("TRUNC-4",), why="as for tokens")
class _MarkerCountsOverBudget(ZooSubject):
    def _removed_characters(self, text: str, room: int, _kept: str) -> int:
        return text_bytes(text) - room


@life("marker-with-dots", "TRUNC-5", also=("TRUNC-4", "TRUNC-6"), why="three dots, not one sign")
class _MarkerWithDots(ZooSubject):
    def _marker(self, text: str, room: int, kept: str, *, tokens: bool) -> str:
        return super()._marker(text, room, kept, tokens=tokens).replace("…", "...")


@life("marker-says-characters", "TRUNC-5", also=("TRUNC-4",), why="no abbreviation")
class _MarkerSaysCharacters(ZooSubject):
    def _marker(self, text: str, room: int, kept: str, *, tokens: bool) -> str:
        return super()._marker(text, room, kept, tokens=tokens).replace("chars", "characters")


@life("marker-on-its-own-line", "TRUNC-5", also=("TRUNC-4", "TRUNC-6"), why="easier to read")
class _MarkerOnItsOwnLine(ZooSubject):
    def _marker(self, text: str, room: int, kept: str, *, tokens: bool) -> str:
        return f"\n{super()._marker(text, room, kept, tokens=tokens)}\n"


@life("tokens-from-what-was-removed", "TRUNC-6", why="the marker counts what is not there")
class _TokensFromWhatWasRemoved(ZooSubject):
    def _removed_tokens(self, text: str, _room: int, kept: str) -> int:
        return in_tokens(text_bytes(text) - text_bytes(kept))


@life("tokens-rounded-down", "TRUNC-6", also=("TRUNC-4",), why="floor instead of ceil")
class _TokensRoundedDown(ZooSubject):
    def _removed_tokens(self, text: str, room: int, _kept: str) -> int:
        return (text_bytes(text) - room) // BYTES_IN_TOKEN


@life("tokens-of-characters", "TRUNC-6", also=("TRUNC-4",), why="four characters are a token")
class _TokensOfCharacters(ZooSubject):
    def _removed_tokens(self, text: str, room: int, kept: str) -> int:
        return in_tokens(len(text) - len(kept))


@life("one-token-is-singular", "TRUNC-6", also=("TRUNC-4",), why="plural rules")
class _OneTokenIsSingular(ZooSubject):
    def _marker(self, text: str, room: int, kept: str, *, tokens: bool) -> str:
        marker = super()._marker(text, room, kept, tokens=tokens)
        return marker.replace("…1 tokens", "…1 token")


@life("tokens-marked-as-chars", "TRUNC-6", also=("TRUNC-4",), why="one marker for both")
class _TokensMarkedAsChars(ZooSubject):
    def _marker(self, text: str, room: int, kept: str, *, tokens: bool) -> str:
        return super()._marker(text, room, kept, tokens=False)


@life("budget-for-every-part", "TRUNC-7", also=("TRUNC-10",), why="parts are cut one by one")
class _BudgetForEveryPart(ZooSubject):
    def _cut_text_part(self, part: Object, purse: Purse) -> None:
        before = purse.left
        super()._cut_text_part(part, purse)
        purse.left = before


@life("text-that-does-not-fit-omitted", "TRUNC-7", also=("TRUNC-10",), why="whole or not at all")
class _TextThatDoesNotFitOmitted(ZooSubject):
    def _cut_text_part(self, part: Object, purse: Purse) -> None:
        if self._text_cost(part["text"], tokens=purse.tokens) > purse.left:
            self._omit_text(part, purse)
        else:
            super()._cut_text_part(part, purse)


@life("empty-text-stays-at-zero", "TRUNC-7", also=("TRUNC-10",), why="it costs nothing")
class _EmptyTextStaysAtZero(ZooSubject):
    def _omit_text(self, part: Object, purse: Purse) -> None:
        if part["text"]:
            super()._omit_text(part, purse)
        else:
            purse.keep(part, 0)


@life("spent-text-is-a-marker", "TRUNC-7", also=("TRUNC-10",), why="a part at budget 0 is cut too")
class _SpentTextIsAMarker(ZooSubject):
    def _omit_text(self, part: Object, purse: Purse) -> None:
        text = self._cut_text(part["text"], 0, tokens=purse.tokens)
        purse.keep({"type": "input_text", "text": text}, 0)


@life("text-tokens-rounded-down", "TRUNC-7", also=("TRUNC-1",), why="floor instead of ceil")
class _TextTokensRoundedDown(ZooSubject):
    def _text_cost(self, text: str, *, tokens: bool) -> int:
        size = text_bytes(text)
        return size // BYTES_IN_TOKEN if tokens else size


@life("parts-counted-in-characters", "TRUNC-7", why="len of a string")
class _PartsCountedInCharacters(ZooSubject):
    def _text_cost(self, text: str, *, tokens: bool) -> int:
        return in_tokens(len(text)) if tokens else len(text)


@life("running-budget-in-bytes", "TRUNC-7", also=("TRUNC-6", "TRUNC-9"), why="tokens are 4 bytes")
class _RunningBudgetInBytes(ZooSubject):
    def _cut_parts(self, parts: list[Object], purse: Purse) -> list[Object]:
        if purse.tokens:
            purse = Purse(purse.left * BYTES_IN_TOKEN, tokens=False)
        return super()._cut_parts(parts, purse)


@life("array-cut-as-one-text", "TRUNC-7", also=("TRUNC-11", "TRUNC-10"), why="texts are joined")
class _ArrayCutAsOneText(ZooSubject):
    def _cut_parts(self, parts: list[Object], purse: Purse) -> list[Object]:
        texts = [part["text"] for part in parts if part["type"] == "input_text"]
        if len(texts) != len(parts) or not texts:
            return super()._cut_parts(parts, purse)
        joined = self._cut_text("".join(texts), purse.left, tokens=purse.tokens)
        return [{"type": "input_text", "text": joined}]


@life("arrays-not-cut", "TRUNC-7", also=("TRUNC-10", "TRUNC-9"), why="only string bodies are cut")
class _ArraysNotCut(ZooSubject):
    def _cut_parts(self, parts: list[Object], purse: Purse) -> list[Object]:
        return parts


class _Costly(ZooSubject):
    """Charges parts that cost nothing."""

    field: str

    def _cut_other_part(self, part: Object, purse: Purse) -> None:
        if self.field not in part:
            super()._cut_other_part(part, purse)
            return
        cost = self._text_cost(part[self.field], tokens=purse.tokens)
        purse.keep(part, min(cost, purse.left))


@life("images-cost", "TRUNC-8", also=("TRUNC-7", "TRUNC-10"), why="a data URL is a long text")
class _ImagesCost(_Costly):
    field = "image_url"


@life("encrypted-content-costs", "TRUNC-8", also=("TRUNC-7", "TRUNC-10"), why="it is a long text")
class _EncryptedContentCosts(_Costly):
    field = "encrypted_content"


class _SpentDrops(ZooSubject):
    """Keeps nothing once the budget is spent."""

    type: str

    def _cut_other_part(self, part: Object, purse: Purse) -> None:
        if purse.left > 0 or part["type"] != self.type:
            super()._cut_other_part(part, purse)


@life("images-omitted-once-spent", "TRUNC-8", why="nothing comes after the end of the budget")
class _ImagesOmittedOnceSpent(_SpentDrops):
    type = "input_image"


@life("encrypted-omitted-once-spent", "TRUNC-8", why="nothing comes after the end of the budget")
class _EncryptedOmittedOnceSpent(_SpentDrops):
    type = "encrypted_content"


@life("audio-is-free", "TRUNC-9", also=("TRUNC-10", "TRUNC-7"), why="like images")
class _AudioIsFree(ZooSubject):
    def _audio_cost(self, url: str, *, tokens: bool) -> int:
        return 0


@life("audio-costs-its-bytes", "TRUNC-9", also=("TRUNC-10", "TRUNC-7"), why="not an estimate")
class _AudioCostsItsBytes(ZooSubject):
    def _audio_cost(self, url: str, *, tokens: bool) -> int:
        return super()._audio_cost(url, tokens=tokens) if tokens else text_bytes(url)


@life("audio-costs-its-payload", "TRUNC-9", also=("TRUNC-10", "TRUNC-7"), why="after the comma")
class _AudioCostsItsPayload(ZooSubject):
    def _audio_cost(self, url: str, *, tokens: bool) -> int:
        return super()._audio_cost(url.rpartition(",")[2], tokens=tokens)


@life("audio-ends-the-budget", "TRUNC-9", also=("TRUNC-7", "TRUNC-10"), why="as a text does")
class _AudioEndsTheBudget(ZooSubject):
    def _omit_audio(self, purse: Purse) -> None:
        super()._omit_audio(purse)
        purse.left = 0


@life("audio-never-omitted", "TRUNC-9", also=("TRUNC-10", "TRUNC-7"), why="it takes what is left")
class _AudioNeverOmitted(ZooSubject):
    def _cut_audio_part(self, part: Object, purse: Purse) -> None:
        cost = self._audio_cost(part["audio_url"], tokens=purse.tokens)
        purse.keep(part, min(cost, purse.left))


@life("audio-not-charged", "TRUNC-9", also=("TRUNC-7", "TRUNC-10"), why="looked at, not paid for")
class _AudioNotCharged(ZooSubject):
    def _cut_audio_part(self, part: Object, purse: Purse) -> None:
        before = purse.left
        super()._cut_audio_part(part, purse)
        purse.left = before


@life("one-item-is-singular", "TRUNC-10", why="plural rules")
class _OneItemIsSingular(ZooSubject):
    def _note(self, count: int, kind: str) -> str:
        return super()._note(count, kind).replace(" items", " item" if count == 1 else " items")


@life("audio-note-first", "TRUNC-10", why="notes are sorted by name")
class _AudioNoteFirst(ZooSubject):
    def _notes(self, purse: Purse) -> list[Object]:
        return super()._notes(purse)[::-1]


@life("one-note-for-all", "TRUNC-10", also=("TRUNC-9",), why="omitted items are omitted items")
class _OneNoteForAll(ZooSubject):
    def _omit_audio(self, purse: Purse) -> None:
        purse.texts += 1


@life("notes-in-front", "TRUNC-10", why="what is missing is said first")
class _NotesInFront(ZooSubject):
    def _cut_parts(self, parts: list[Object], purse: Purse) -> list[Object]:
        cut = super()._cut_parts(parts, purse)
        notes = self._notes(purse)
        return notes + cut[: len(cut) - len(notes)]


@life("omitted-without-a-note", "TRUNC-10", also=("TRUNC-7", "TRUNC-9"), why="silence")
class _OmittedWithoutANote(ZooSubject):
    def _notes(self, purse: Purse) -> list[Object]:
        return []


@life("cut-texts-counted", "TRUNC-10", why="a text that was cut counts as omitted")
class _CutTextsCounted(ZooSubject):
    def _cost_of_cut(self, _text: str, purse: Purse) -> int:
        purse.texts += 1
        return purse.left


@life("what-fits-is-trimmed", "TRUNC-11", also=("TRUNC-2", "ITEM-1"), why="outputs end in newlines")
class _WhatFitsIsTrimmed(ZooSubject):
    def _cut_text(self, text: str, budget: int, *, tokens: bool) -> str:
        return super()._cut_text(text, budget, tokens=tokens).strip()


@life("fitting-parts-joined", "TRUNC-11", also=("TRUNC-7", "ITEM-1"), why="texts in a row are one")
class _FittingPartsJoined(ZooSubject):
    def _cut_parts(self, parts: list[Object], purse: Purse) -> list[Object]:
        joined: list[Object] = []
        for part in super()._cut_parts(parts, purse):
            if joined and joined[-1]["type"] == part["type"] == "input_text":
                joined[-1] = {**part, "text": joined[-1]["text"] + part["text"]}
            else:
                joined.append(part)
        return joined


@life("empty-body-becomes-text", "TRUNC-11", also=("ITEM-5", "TRUNC-7"), why="[] is nothing")
class _EmptyBodyBecomesText(ZooSubject):
    def _cut_body(self, body: Json, policy: Policy) -> Json:
        return super()._cut_body(body, policy) or ""


@life("detail-lost-when-cut", "TRUNC-11", also=("TRUNC-8", "ITEM-1"), why="images are made anew")
class _DetailLostWhenCut(ZooSubject):
    def _cut_other_part(self, part: Object, purse: Purse) -> None:
        super()._cut_other_part({k: v for k, v in part.items() if k != "detail"}, purse)
