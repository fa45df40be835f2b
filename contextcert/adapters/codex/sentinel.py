"""The message that a turn must bring where a release sends nothing for a turn without input.

It stays in the history, so that it is cut out of every later prompt as well.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence
from typing import Final

from attrs import define, field

from contextcert.adapters.codex.failures import BinaryIncoherent
from contextcert.refmodel.json_value import Json

_PREFIX: Final = "contextcert "


@define
class Sentinel:
    """A user message with a text that no history holds, and how often each thread got it."""

    text: str = field(factory=lambda: _PREFIX + str(uuid.uuid4()))
    _sent: Counter[str] = field(factory=Counter)

    def turn_input(self, thread: str) -> list[Json]:
        """Give the input of a thread's next turn."""
        self._sent[thread] += 1
        return [{"type": "text", "text": self.text}]

    def cut(self, thread: str, prompt: Sequence[Json]) -> list[Json]:
        """Leave the message out of a thread's prompt.

        Raises:
            BinaryIncoherent: it is not there once for every turn that brought it.
        """
        left = [item for item in prompt if not self._is_it(item)]
        found = len(prompt) - len(left)
        if found != self._sent[thread]:
            raise BinaryIncoherent(
                f"{self._sent[thread]} turns brought a message each, and {found} are in the prompt"
            )
        return left

    def _is_it(self, item: Json) -> bool:
        if not isinstance(item, dict) or item.get("type") != "message":
            return False
        content = item.get("content")
        return content == [{"type": "input_text", "text": self.text}]
