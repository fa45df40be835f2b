"""Hook prompts: user content that is one XML element (SPEC 4.4, rule 5)."""

from typing import Final
from xml.parsers import expat

from attrs import define, field

from contextcert.refmodel.white_space import trim

RUN_ID: Final = "hook_run_id"


def is_hook_prompt(trimmed: str) -> bool:
    """Say whether a trimmed text is an XML element with a run id and text (4.4, rule 5).

    The element may have any name. Its attribute `hook_run_id` must hold something else than
    white space, and so must its own text. Malformed text is no hook prompt; neither is a
    document with a document type, which SPEC leaves unjudged and which is never expanded here.
    """
    # An attribute's name cannot be written with references, so most texts need no parser.
    if not trimmed.startswith("<") or RUN_ID not in trimmed:
        return False
    reading = _Reading()
    try:
        reading.parse(trimmed)
    except (expat.ExpatError, UnicodeEncodeError, _DocumentTypeError):
        return False
    return reading.has_run_id and reading.has_text


class _DocumentTypeError(Exception):
    """The document declares a document type."""


@define
class _Reading:
    """What one pass of the XML parser has seen so far."""

    has_run_id: bool = field(default=False, init=False)
    has_text: bool = field(default=False, init=False)
    _depth: int = field(default=0, init=False)

    def parse(self, document: str) -> None:
        parser = expat.ParserCreate("utf-8")
        parser.StartDoctypeDeclHandler = self._refuse_document_type
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.Parse(document.encode(), True)

    def _refuse_document_type(self, *_: object) -> None:
        raise _DocumentTypeError

    def _start(self, _name: str, attributes: dict[str, str]) -> None:
        if self._depth == 0:
            self.has_run_id = trim(attributes.get(RUN_ID, "")) != ""
        self._depth += 1

    def _end(self, _name: str) -> None:
        self._depth -= 1

    def _text(self, text: str) -> None:
        if self._depth == 1 and trim(text):
            self.has_text = True
