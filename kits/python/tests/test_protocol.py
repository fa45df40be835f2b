"""The loop outlives whatever is sent to it, and speaks nothing but answers."""

# ruff: noqa: PT009 (the kit needs nothing but the standard library)

import json
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import protocol
from protocol import Adapter, UnsupportedError

FOLDER = Path(__file__).parent.parent


def spoken(*lines: str, optimized: bool = False) -> list[str]:
    """Start the adapter, send lines, and give those that come back."""
    command = [sys.executable, *(["-O"] if optimized else []), "adapter.py"]
    done = subprocess.run(  # noqa: S603 (this Python, and the kit's own adapter)
        command,
        input="".join(f"{line}\n" for line in lines).encode(),
        capture_output=True,
        cwd=FOLDER,
        check=True,
    )
    return done.stdout.decode().splitlines()


def answers(*lines: str, optimized: bool = False) -> list[dict[str, Any]]:
    """Start the adapter, send lines, and read the answers."""
    return [json.loads(line) for line in spoken(*lines, optimized=optimized)]


def request(value: str) -> str:
    """Write a request that stores a value, and reads it again."""
    ops = f'[{{"op": "set_token_info", "value": {value}}}, {{"op": "token_info"}}]'
    return f'{{"jsonrpc": "2.0", "id": 7, "method": "run", "params": {{"ops": {ops}}}}}'


class Loop(unittest.TestCase):
    """The adapter as a program."""

    def test_what_json_is_not_is_refused(self) -> None:
        """NaN, numbers beyond a double, half a surrogate pair and endless nesting are errors."""
        odd = ("NaN", "1e400", '"\\ud800"', "[" * 100_000, "")
        *refused, last = answers(*map(request, odd), request("1"))
        self.assertEqual([answer["error"]["code"] for answer in refused], [-32700] * len(odd))
        self.assertEqual(last["result"]["outcomes"][1], {"ok": 1})

    def test_what_json_is_comes_back(self) -> None:
        """Long integers, deep nesting, NUL, 1.0 and -0.0 survive."""
        values = ("9" * 5000, "[" * 1200 + "]" * 1200, '"\\u0000"', "1.0", "-0.0")
        for value, line in zip(values, spoken(*map(request, values)), strict=True):
            self.assertIn(f'{{"ok":{value}}}', line)

    def test_pairs_of_escapes_are_characters(self) -> None:
        """What is written as two escapes comes back as the one character it is."""
        self.assertIn('{"ok":"😀"}', spoken(request('"\\ud83d\\ude00"'))[0])

    def test_an_unknown_method_is_an_error(self) -> None:
        """Shutdown is answered, and ends the process before what follows."""
        methods = ("dance", "shutdown", "dance")
        first, *rest = answers(*(json.dumps({"id": 1, "method": name}) for name in methods))
        self.assertEqual(first["error"]["code"], -32601)
        self.assertEqual(rest, [{"jsonrpc": "2.0", "id": 1, "result": None}])

    def test_errors_are_short_sentences(self) -> None:
        """What is wrong with a request is told in a few words, however long the request."""
        long, half = "x" * 2_000_000, '"\\ud800"'
        lines = (
            '{"id": 1, "method": "frobnicate"}',
            f'{{"id": 1, "method": "{long}"}}',
            '{"id": 1, "method": "run"}',
            f'{{"id": 1, "method": "run", "params": {{"ops": ["{long}", {half}]}}}}',
            f'{{"id": 1, "method": "run", "params": {{"ops": ["{long}"}}}}',
        )
        texts = [answer["error"]["message"] for answer in answers(*lines)]
        self.assertEqual(texts[0], "unknown method frobnicate")
        self.assertEqual(texts[1], f"unknown method {long}"[:500])
        self.assertEqual(texts[2], "KeyError: 'ops'")
        self.assertIn("surrogates not allowed", texts[3])
        self.assertIn("delimiter", texts[4])
        self.assertLess(max(map(len, texts)), 501)

    def test_the_mode_is_that_of_the_build(self) -> None:
        """`python -O` is release, whatever was asked for."""
        line = json.dumps({"id": 1, "method": "initialize", "params": {"mode": "debug"}})
        modes = [answers(line, optimized=one)[0]["result"]["mode"] for one in (False, True)]
        self.assertEqual(modes, ["debug", "release"])


class Outcomes(unittest.TestCase):
    """What becomes of what an implementation raises."""

    def test_each_exception_has_its_outcome(self) -> None:
        """A script ends at a panic, unless it is asked to go on."""

        class Raising(Adapter):
            refusals = (LookupError,)

            def new_script(self) -> Any:  # noqa: ANN401 (a function)
                return self.perform

            def perform(self, op: protocol.JsonObject) -> object:
                raise {
                    "refused": KeyError("x"),
                    "unknown": UnsupportedError("no"),
                    "deep": RecursionError(),
                    "stopped": AssertionError("Orphan"),
                }[op["op"]]

        ops = [{"op": name} for name in ("refused", "unknown", "deep", "stopped", "unknown")]
        expected = [
            {"error": {"message": "'x'"}},
            {"unsupported": "no"},
            {"error": {"message": "it is nested too deeply"}},
            {"panic": "Orphan"},
            {"unsupported": "no"},
        ]
        self.assertEqual(Raising().run({"ops": ops})["outcomes"], expected[:4])
        self.assertEqual(
            Raising().run({"ops": ops, "continue_after_panic": True})["outcomes"], expected
        )
