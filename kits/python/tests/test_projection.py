"""Calls, outputs and anomalies as SPEC 2 says, its vectors included."""

# ruff: noqa: PT009, PT027 (the kit needs nothing but the standard library)

import unittest

from history import Edition, History, Policy, RefusedError, read_items, write_items
from history.ids import fresh_id, is_shown, synthetic_id
from history.items import Item

EVERYTHING = {"text", "image", "audio"}


def history_of(*items: Item, debug: bool = False, edition: str = "2026-08") -> History:
    """Record items in a new history."""
    history = History(Edition(edition), debug=debug)
    history.record(read_items([*items], Edition(edition)), Policy("tokens", 10_000))
    return history


def prompt_of(*items: Item, modalities: set[str] = EVERYTHING) -> list[Item]:
    """Record items, and give what a release build sends to the model."""
    return write_items(history_of(*items).prompt(modalities))


def call(call_id: str = "c", item_id: str | None = None) -> Item:
    """Make a function call."""
    return {
        "type": "function_call",
        "id": item_id,
        "name": "f",
        "arguments": "",
        "call_id": call_id,
    }


def custom_call(call_id: str) -> Item:
    """Make a custom call."""
    return {"type": "custom_tool_call", "call_id": call_id, "name": "f", "input": ""}


def output(call_id: str, body: object = "done") -> Item:
    """Make the output of a function call."""
    return {"type": "function_call_output", "call_id": call_id, "output": body}


class SyntheticIds(unittest.TestCase):
    """SPEC 2.3."""

    def test_the_vectors(self) -> None:
        """The six ids that SPEC lists come out."""
        vectors = {
            ("fco", "fc_1"): "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4",
            ("fco", "fc_existing"): "fco_742749b0-3645-5d32-a172-676827826a07",
            ("fco", "abc"): "fco_54e052cc-70eb-5988-a407-53fa52816ad0",
            ("fco", "lsh_1"): "fco_37093384-5cd0-5813-8a86-723bfcccbbb2",
            ("ctco", "ctc_1"): "ctco_ffd2c872-81a7-5a00-b6f6-884096d1f522",
            ("tso", "tsc_1"): "tso_f380c6b3-5815-5031-91ee-dd1c77f963ee",
        }
        for (prefix, item_id), expected in vectors.items():
            self.assertEqual(synthetic_id(prefix, item_id), expected)

    def test_no_item_id_gives_no_id(self) -> None:
        """Neither an absent nor an empty item id gives the output one (SYN-2)."""
        for item_id in (None, ""):
            self.assertEqual(prompt_of(call("c", item_id))[1:], [output("c", "aborted")])


class Pairing(unittest.TestCase):
    """SPEC 2.2 and 2.5."""

    def test_families_do_not_answer_for_one_another(self) -> None:
        """A function output leaves a custom call of the same id unanswered (PAIR-7)."""
        types = [item["type"] for item in prompt_of(custom_call("c"), call("c"), output("c"))]
        self.assertEqual(types[1], "custom_tool_call_output")
        self.assertEqual(len(types), 4)

    def test_an_early_output_counts(self) -> None:
        """Where an output stands does not matter (PAIR-6, ORPH-8)."""
        items = [output("c"), call("c", "fc_1")]
        self.assertEqual(prompt_of(*items), items)

    def test_a_debug_build_stops_at_the_first_anomaly(self) -> None:
        """A gap comes before an orphan, wherever they stand (MODE-6); nothing changes (MODE-8)."""
        history = history_of(output("x"), custom_call("y"), debug=True)
        for _ in range(2):
            with self.assertRaises(AssertionError) as stopped:
                history.prompt(EVERYTHING)
            self.assertEqual(
                str(stopped.exception), "Custom tool call output is missing for call id: y"
            )

    def test_a_release_build_logs_and_goes_on(self) -> None:
        """Every anomaly is logged once, gaps first (MODE-7)."""
        with self.assertLogs("history", "ERROR") as logs:
            prompt = prompt_of(output("x"), custom_call("y"))
        self.assertEqual(len(prompt), 2)
        self.assertEqual(
            [record.getMessage() for record in logs.records],
            [
                "Custom tool call output is missing for call id: y",
                "Orphan function call output for call id: x",
            ],
        )


class Media(unittest.TestCase):
    """SPEC 2.7."""

    def test_pictures_are_said_in_words(self) -> None:
        """A picture is replaced in place, and only where the model takes none (IMG-1, IMG-2)."""
        picture = {"type": "input_image", "image_url": "data:,"}
        words = {
            "type": "input_text",
            "text": "image content omitted because you do not support image input",
        }
        message = {"type": "message", "role": "user", "content": [picture]}
        self.assertEqual(prompt_of(message), [message])
        self.assertEqual(prompt_of(message, modalities={"text"}), [{**message, "content": [words]}])


class WireForm(unittest.TestCase):
    """SPEC 1.1."""

    def test_a_refusal_names_the_field(self) -> None:
        """One unreadable item refuses the list, and the message says where (ITEM-4)."""
        item = {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": True}],
        }
        with self.assertRaises(RefusedError) as refused:
            read_items([call(), item], Edition.AUGUST_2026)
        self.assertEqual(
            str(refused.exception), "1.content.0.text: a string is expected, not a boolean"
        )

    def test_reasoning_without_reasoning_text_omits_its_content(self) -> None:
        """Absent content is null, content of no `reasoning_text` is omitted (ITEM-7)."""
        written: Item = {"type": "reasoning", "summary": [], "encrypted_content": None}
        absent, empty = history_of(
            {"type": "reasoning", "summary": []},
            {"type": "reasoning", "summary": [], "content": []},
        ).envelopes()
        self.assertEqual(absent.item, {**written, "content": None})
        self.assertEqual(empty.item, written)


class November(unittest.TestCase):
    """SPEC 7."""

    def test_fresh_ids_have_their_form(self) -> None:
        """The type's prefix, and a UUID of version 7 (E11-2)."""
        pattern = r"fc_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z"
        self.assertRegex(fresh_id("function_call"), pattern)
        self.assertNotEqual(fresh_id("function_call"), fresh_id("function_call"))

    def test_odd_ids_are_not_shown(self) -> None:
        """A prompt leaves out an id that is not of the form `prefix_suffix` (E11-6)."""
        self.assertEqual([one for one in ("a_b", "abc", "a_", "_b", "") if is_shown(one)], ["a_b"])

    def test_an_output_may_lack_its_call_id(self) -> None:
        """Such an output stays (E11-1)."""
        history = history_of(
            {"type": "function_call_output", "output": "o"}, debug=True, edition="2026-11"
        )
        self.assertEqual(len(history.prompt(EVERYTHING)), 1)
