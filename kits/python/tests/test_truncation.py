"""The worked examples of SPEC 3.2, with their limits before enlargement."""

# ruff: noqa: PT009 (the kit needs nothing but the standard library)

import unittest

from history.truncation import Body, Policy, truncate

LETTERS = "abcdefghijklmnopqrstuvwxyz"
TEXTS: list[tuple[str, Policy, str]] = [
    (LETTERS, Policy("bytes", 10), "abcdef…14 chars truncated…uvwxyz"),
    (LETTERS, Policy("bytes", 1), "a…24 chars truncated…z"),
    (LETTERS, Policy("bytes", 0), "…26 chars truncated…"),
    (LETTERS, Policy("bytes", 21), LETTERS),
    (LETTERS, Policy("tokens", 0), "…7 tokens truncated…"),
    (LETTERS, Policy("tokens", 1), "abcd…5 tokens truncated…wxyz"),
    (LETTERS, Policy("tokens", 5), "abcdefghijkl…1 tokens truncated…opqrstuvwxyz"),
    (LETTERS, Policy("tokens", 6), LETTERS),
    ("😀" * 5, Policy("bytes", 5), "…5 chars truncated…"),
    ("😀" * 5, Policy("bytes", 10), "😀…3 chars truncated…😀"),
    ("héllo wörld ünï", Policy("bytes", 5), "hé…11 chars truncated…nï"),
]
ARRAYS: list[tuple[list[str], Policy, list[str]]] = [
    (
        ["aaaa", "bbbb", "cccc"],
        Policy("bytes", 5),
        ["aaaa", "b…2 chars truncated…b", "[omitted 1 text items ...]"],
    ),
    (["", "a"], Policy("bytes", 0), ["[omitted 2 text items ...]"]),
    (["", ""], Policy("bytes", 1), ["", ""]),
]


def entries(texts: list[str]) -> Body:
    """Make an array body of texts."""
    return [{"type": "input_text", "text": text} for text in texts]


class Worked(unittest.TestCase):
    """TRUNC-1 to TRUNC-10."""

    def test_texts(self) -> None:
        """A text keeps both its ends, and says what went."""
        for text, policy, expected in TEXTS:
            self.assertEqual(truncate(text, policy.enlarged()), expected)

    def test_arrays(self) -> None:
        """The entries of an array share one budget."""
        for texts, policy, expected in ARRAYS:
            self.assertEqual(truncate(entries(texts), policy.enlarged()), entries(expected))

    def test_audio_that_does_not_fit_is_counted(self) -> None:
        """It leaves the budget to what follows, and its note stands last (TRUNC-9, TRUNC-10)."""
        audio = {"type": "input_audio", "audio_url": "https://e.test/long.wav"}
        text = {"type": "input_text", "text": "abcd"}
        note = {"type": "input_text", "text": "[omitted 1 audio items ...]"}
        self.assertEqual(truncate([audio, text], Policy("tokens", 1)), [text, note])

    def test_november_counts_in_tokens(self) -> None:
        """Ten bytes are twelve when enlarged, and three tokens (E11-4)."""
        self.assertEqual(Policy("bytes", 10).enlarged_in_tokens(), Policy("tokens", 3))
