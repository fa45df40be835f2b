"""Fragments, instructions and rollback as SPEC 4 says, with Python's own traps."""

# ruff: noqa: PT009 (the kit needs nothing but the standard library)

import json
import unittest

from history.fragments import is_contextual_developer_text, is_contextual_user_text
from history.instructions import is_instruction
from history.world import report_of, same_json

INSTRUCTION = {"author": "/root", "recipient": "/root/a", "content": "", "trigger_turn": True}


class Fragments(unittest.TestCase):
    """SPEC 4.4 and 4.5."""

    def test_fragments(self) -> None:
        """Each of the five kinds is known."""
        for text in (
            "\u00a0<SKILL></skill>\u3000",
            "# agents.md instructions x </instructions>",
            "<external_></external_>",
            '<codex_internal_context source="a_1">\n</codex_internal_context>',
            "Warning: Your account was flagged for potentially high-risk cyber activity.",
            '<x:any hook_run_id="r">text</x:any>',
        ):
            self.assertTrue(is_contextual_user_text(text), text)

    def test_what_only_looks_like_one(self) -> None:
        """Other white space, other letters, other tags and broken XML make no fragment."""
        for text in (
            "\x1c<skill></skill>",
            "<s\u212aill></s\u212aill>",
            "<external_a></external_b>",
            '<codex_internal_context source="A">\n</codex_internal_context>',
            '<any hook_run_id="r">text</other>',
            '<any hook_run_id=" ">text</any>',
            '<any hook_run_id="r"></any>',
        ):
            self.assertFalse(is_contextual_user_text(text), text)

    def test_a_developer_text_needs_no_end(self) -> None:
        """Its start is enough, in either case of ASCII letters."""
        self.assertTrue(is_contextual_developer_text("\u2003<TOOLS>"))
        self.assertFalse(is_contextual_developer_text("x <tools>"))


class Instructions(unittest.TestCase):
    """SPEC 4.6."""

    def test_an_instruction(self) -> None:
        """White space around it and unknown keys do no harm, nor do numbers of any length."""
        text = json.dumps({**INSTRUCTION, "id": None})
        self.assertTrue(is_instruction(f"\n{text}\t"))
        self.assertTrue(is_instruction(text.replace('"id": null', f'"x": {"9" * 5000}')))

    def test_no_instruction(self) -> None:
        """Odd paths, other types, NaN, repeated keys and text behind it make it none."""
        text = json.dumps(INSTRUCTION)
        for other in (
            text.replace("/root/a", "/root/root"),
            text.replace("/root/a", "/root/a\\n"),
            text.replace("true", "1"),
            text.replace("true", 'true, "x": NaN'),
            text.replace("true", 'true, "author": "/root"'),
            text + "x",
            "[" * 100_000,
        ):
            self.assertFalse(is_instruction(other), other[:80])


class World(unittest.TestCase):
    """WORLD-1, WORLD-2 and WORLD-7."""

    def test_kinds_of_numbers_differ(self) -> None:
        """1, 1.0 and true are three values, though Python calls them equal."""
        self.assertFalse(same_json(1, 1.0) or same_json(1, True) or same_json([0], [False]))

    def test_a_patch_is_minimal(self) -> None:
        """Equal keys are left out, removed ones are null."""
        old, new = {"a": 1, "b": {"c": 1, "d": [1]}}, {"b": {"c": 1.0, "d": [1]}}
        self.assertEqual(
            report_of(old, new), {"full": False, "patch": {"a": None, "b": {"c": 1.0}}}
        )
        self.assertIsNone(report_of(new, new))
