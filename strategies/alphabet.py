"""The listed items from which exhaustive evidence is made (DESIGN 4)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cache

from attrs import evolve, field, frozen

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.item_values import (
    ID_PREFIXES,
    META,
    PNG,
    audio,
    encrypted,
    image,
    item,
    linked_media,
    shell_action,
    text,
)
from contextcert.strategies.scope import Scope

_TROUBLE = " \r\ne\u0301\x00\u2028\ufeff\U0001f600 "
"""Text that is not itself any more once trimmed, composed, cut at NUL or split into lines."""

_ODD_ID = "abc"
_LOUD_ID = " Abc"
"""Ids that do not look like ids (SYN-4), which prompts of edition 2026-11 do not show (E11-6)."""

_TURN: JsonObject = {"turn_id": "t1", "create_time": 1.5}


@frozen
class Symbol:
    """One listed item under a name that people can read in a counterexample.

    Attributes:
        name: item type, call id (quoted when empty), item id, and what else is special.
        item: the item in wire form; shared, never to be changed.
        pairing: whether it belongs to the smaller alphabet for histories of three items.
    """

    name: str
    item: JsonObject = field(hash=False)
    pairing: bool = False


@cache
def alphabet(scope: Scope) -> tuple[Symbol, ...]:
    """List every symbol within the scope, simplest kinds first; no item occurs twice."""
    kept = (symbol for symbol in _symbols(scope) if scope.takes(symbol.item))
    return tuple({_canonical(symbol.item): symbol for symbol in kept}.values())


@cache
def pairing_alphabet(scope: Scope) -> tuple[Symbol, ...]:
    """List the symbols that decide who answers whom, for histories of three items."""
    return tuple(symbol for symbol in alphabet(scope) if symbol.pairing)


def alphabet_digest(symbols: Iterable[Symbol]) -> str:
    """Give the SHA-256 of names and items in order, as hexadecimal digits."""
    listed = [[symbol.name, symbol.item] for symbol in symbols]
    return hashlib.sha256(_canonical(listed).encode()).hexdigest()


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _symbol(item_type: str, special: str = "", /, **fields: Json) -> Symbol:
    value = item(item_type, **fields)
    words = [item_type, *_call_id_word(value), *_id_word(value), *special.split()]
    return Symbol(" ".join(words), value)


def _pairing(item_type: str, special: str = "", /, **fields: Json) -> Symbol:
    return evolve(_symbol(item_type, special, **fields), pairing=True)


def _call_id_word(value: JsonObject) -> list[str]:
    if "call_id" not in value:
        return []
    call_id = value["call_id"]
    return ["call_id=none" if call_id is None else f"call_id={call_id or 'empty'}"]


def _id_word(value: JsonObject) -> list[str]:
    return [f"id={value['id'] or 'empty'}"] if "id" in value else []


def _symbols(scope: Scope) -> Iterator[Symbol]:
    yield from _messages()
    if not scope.mints_ids:
        yield from _linked_media()
    yield from _function_calls()
    yield from _bodies("function_call_output")
    if scope.mints_ids:
        yield from _added_in_november()
    yield from _custom_calls()
    yield from _bodies("custom_tool_call_output")
    yield from _tool_search_calls(exact_numbers=scope.exact_numbers)
    yield from _tool_search_outputs()
    yield from _local_shell_calls()
    yield from _other_items()


def _messages() -> Iterator[Symbol]:
    yield _pairing("message")
    yield _symbol("message", "assistant", role="assistant", content=[_said("hi")], id="msg_1")
    yield _symbol("message", "final", role="assistant", content=[_said("")], phase="final_answer")
    yield _symbol(
        "message", "developer", role="developer", content=[text(_TROUBLE)], **{META: _TURN}
    )
    yield _symbol("message", "without content", content=[], id="")
    yield _symbol("message", "empty text", role="System", content=[text("")])
    yield _pairing("message", "image", content=[image()])
    yield _symbol("message", "audio", content=[audio()])
    yield _symbol(
        "message",
        "image and audio in text",
        content=[
            *(text("a"), text("<image>"), image(detail="high"), image(), text("</image>")),
            *(text(PNG), audio(), audio(), text("b")),
        ],
    )
    yield _symbol("message", "assistant image", role="assistant", content=[image(detail="auto")])
    yield _symbol("message", "developer audio image", role="developer", content=[audio(), image()])
    yield _symbol("message", "tool image audio", role="tool", content=[image(), audio()])


def _linked_media() -> Iterator[Symbol]:
    for entry in linked_media():
        yield _symbol("message", f"linked {entry['type']}", content=[entry])
    yield _symbol("function_call_output", "linked media", output=[*linked_media()])
    yield _symbol("custom_tool_call_output", "linked media", output=[*linked_media()])


def _said(value: str) -> JsonObject:
    return {"type": "output_text", "text": value}


def _function_calls() -> Iterator[Symbol]:
    yield _pairing("function_call")
    yield _pairing("function_call", id="fc_1")
    yield _symbol("function_call", id="")
    yield _symbol(
        "function_call",
        "every field",
        id=_ODD_ID,
        namespace="ns",
        arguments="",
        encrypted_function_args=["gAAA"],
        **{META: _TURN},
    )
    yield _pairing("function_call", id="fc_1", call_id="c2")
    yield _symbol("function_call", id="fc_2", call_id="")


def _custom_calls() -> Iterator[Symbol]:
    yield _pairing("custom_tool_call")
    yield _symbol("custom_tool_call", id="ctc_1")
    yield _symbol("custom_tool_call", id="")
    yield _symbol(
        "custom_tool_call",
        "every field",
        id=_LOUD_ID,
        status="failed",
        namespace="",
        input="",
        **{META: _TURN},
    )
    yield _pairing("custom_tool_call", id="ctc_1", call_id="c2")
    yield _symbol("custom_tool_call", id="ctc_2", call_id="")


def _tool_search_calls(*, exact_numbers: bool) -> Iterator[Symbol]:
    numbers: list[Json] = [1, 1.0, 2**53 + 1] if exact_numbers else [1, 0.5]
    yield _pairing("tool_search_call")
    yield _symbol("tool_search_call", id="tsc_1")
    yield _symbol("tool_search_call", id="")
    yield _symbol(
        "tool_search_call",
        "server, every field",
        id=_ODD_ID,
        status="failed",
        execution="server",
        arguments=[*numbers, None, {"__proto__": {"b": False}}],
        **{META: _TURN},
    )
    yield _symbol("tool_search_call", "Server", execution="Server", arguments=None)
    yield _pairing("tool_search_call", id="tsc_1", call_id="c2")
    yield _symbol("tool_search_call", id="tsc_2", call_id="")
    yield _pairing("tool_search_call", call_id=None)
    yield _symbol("tool_search_call", "server", id="tsc_1", call_id=None, execution="server")


def _local_shell_calls() -> Iterator[Symbol]:
    yield _pairing("local_shell_call")
    yield _symbol("local_shell_call", id="lsh_1")
    yield _symbol("local_shell_call", id="")
    action = shell_action(command=[], timeout_ms=0, working_directory="/w", env={"A": ""}, user="u")
    yield _symbol(
        "local_shell_call",
        "every field",
        id=_LOUD_ID,
        status="in_progress",
        action=action,
        **{META: _TURN},
    )
    yield _pairing("local_shell_call", id="lsh_1", call_id="c2")
    yield _symbol("local_shell_call", id="lsh_2", call_id="", status="incomplete")
    yield _pairing("local_shell_call", call_id=None)
    yield _symbol("local_shell_call", id="lsh_1", call_id=None)


def _bodies(item_type: str) -> Iterator[Symbol]:
    prefix = ID_PREFIXES[item_type]
    named: JsonObject = {"name": "t"} if item_type == "custom_tool_call_output" else {}
    yield _pairing(item_type)
    yield _symbol(item_type, "every field", id=f"{prefix}_1", **named, **{META: _TURN})
    yield _pairing(item_type, call_id="c2")
    yield _symbol(item_type, call_id="", id="")
    yield _symbol(item_type, "aborted", output="aborted")
    yield _symbol(item_type, "empty string", output="")
    yield _symbol(item_type, "empty array", output=[])
    yield _symbol(item_type, "data URL string", output=PNG)
    yield _symbol(item_type, "text array", output=[text("a")])
    yield _symbol(item_type, "image", output=[image()], id=f"{prefix}_2")
    yield _symbol(item_type, "audio", output=[audio()])
    yield _symbol(
        item_type,
        "image, audio, encrypted",
        output=[image(detail="high"), image(), encrypted(), audio(), text(PNG), text("")],
    )


def _added_in_november() -> Iterator[Symbol]:
    """List what E11-1, E11-3 and E11-6 speak of."""
    without_call_id = item("function_call_output")
    del without_call_id["call_id"]
    yield Symbol("function_call_output without call_id", without_call_id, pairing=True)
    yield _symbol("function_call_output", "named", id="fco_2", name="f", namespace="ns")
    yield _symbol("function_call_output", "empty texts", output=[text(""), text("a"), text("")])
    for item_id in ("fc_", "_1"):
        yield _symbol("function_call", id=item_id)
    yield _symbol("message", id="_")


def _tool_search_outputs() -> Iterator[Symbol]:
    yield _pairing("tool_search_output")
    yield _symbol(
        "tool_search_output", "every field", id="tso_1", tools=[{"a": None}], **{META: _TURN}
    )
    yield _pairing("tool_search_output", call_id="c2")
    yield _symbol("tool_search_output", call_id="", id="")
    yield _pairing("tool_search_output", "server", execution="server")
    yield _symbol("tool_search_output", "server", call_id="", execution="server")
    yield _symbol("tool_search_output", "Server", execution="Server", status="failed")
    yield _symbol("tool_search_output", "nearly server", execution="server2")
    yield _symbol("tool_search_output", "space server", execution=" server")
    yield _symbol("tool_search_output", "no one", execution="")
    yield _pairing("tool_search_output", call_id=None)
    yield _symbol("tool_search_output", "server", call_id=None, execution="server", id="tso_2")
    yield _symbol("tool_search_output", "Server", call_id=None, execution="Server")


def _other_items() -> Iterator[Symbol]:
    yield _pairing("reasoning")
    thought: JsonObject = {"type": "reasoning_text", "text": "c"}
    yield _symbol(
        "reasoning",
        "every field",
        id="rs_1",
        summary=[{"type": "summary_text", "text": "s"}],
        content=[thought, {"type": "text", "text": ""}],
        encrypted_content="gAAA",
    )
    yield _symbol("reasoning", "empty content", content=[])
    yield _symbol("reasoning", "plain content", content=[{"type": "text", "text": "t"}])
    yield _symbol("image_generation_call")
    yield _symbol("image_generation_call", "revised", id="ig_1", revised_prompt="a cat")
    yield _symbol("image_generation_call", "empty", status="failed", revised_prompt="", result="")
    yield _symbol("agent_message", "encrypted", content=[text("go"), encrypted()])
    yield _symbol("web_search_call", "search", action={"type": "search", "query": "q"})
    yield _symbol("additional_tools")
    yield _symbol("additional_tools", "image", tools=[{"type": "function", "name": "f"}, image()])
    yield _symbol("compaction", id="cmp_1")
    yield _symbol("context_compaction", encrypted_content="gAAA")
