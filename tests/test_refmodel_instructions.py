"""Inter-agent instructions (SPEC 4.6)."""

from __future__ import annotations

import json
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextcert.refmodel.instructions import (
    is_agent_path,
    is_instruction_text,
    is_inter_agent_instruction,
)
from contextcert.refmodel.items import InputImage, InputText, Message, MessageEntry, OutputText
from contextcert.refmodel.json_text import JsonText, Members, Number, read_json_text

GOOD = '"author":"/root","recipient":"/root/a","content":"c","trigger_turn":true'
TEXT = f"{{{GOOD}}}"


def with_member(member: str) -> str:
    """Write an instruction with one more member."""
    return f"{{{GOOD},{member}}}"


def with_field(name: str, value: object) -> str:
    """Write an instruction with one field set."""
    fields = {"author": "/root", "recipient": "/root/a", "content": "c", "trigger_turn": True}
    return json.dumps({**fields, name: value}, ensure_ascii=False)


def without_field(name: str) -> str:
    """Write an instruction that lacks one field."""
    fields = json.loads(TEXT)
    del fields[name]
    return json.dumps(fields)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f" \t\r\n{TEXT} \t\r\n",
        with_field("trigger_turn", value=False),
        with_field("content", ""),
        with_field("author", "/morpheus"),
        with_field("id", None),
        with_field("id", ""),
        with_field("encrypted_content", None),
        with_field("encrypted_content", "e"),
        with_field("other_recipients", []),
        with_field("other_recipients", ["/root/b", "/morpheus"]),
        with_field("internal_chat_message_metadata_passthrough", None),
        with_field("internal_chat_message_metadata_passthrough", {}),
        with_field("internal_chat_message_metadata_passthrough", {"turn_id": "t", "x": 1}),
        with_member('"x":1,"x":2'),
        with_member('"x":1e999'),
        with_member('"x":' + "9" * 5000),
        with_member('"x":' + "[" * 50_000 + "]" * 50_000),
        with_member('"x":"\\ud800"'),
        TEXT.replace("author", "\\u0061uthor"),
        TEXT.replace('"c"', '"\\ud83d\\ude00\\n"'),
        TEXT.replace('"c"', '"\x7f\u2028\U0010ffff"'),
    ],
)
def test_an_object_with_the_fields_is_an_instruction(text: str) -> None:
    """SPEC 4.6: the required fields, any of the optional ones, and whatever else."""
    assert is_instruction_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "{}",
        "[]",
        "null",
        "author: /root",
        *(without_field(name) for name in ("author", "recipient", "content", "trigger_turn")),
        *(with_field(name, None) for name in ("author", "recipient", "content", "trigger_turn")),
        with_field("author", "root"),
        with_field("author", ["/root"]),
        with_field("content", 1),
        with_field("trigger_turn", 1),
        with_field("trigger_turn", "true"),
        with_field("id", 1),
        with_field("encrypted_content", []),
        with_field("other_recipients", None),
        with_field("other_recipients", "/root"),
        with_field("other_recipients", ["/root", 1]),
        with_field("other_recipients", ["/root/"]),
        with_field("internal_chat_message_metadata_passthrough", []),
        with_field("internal_chat_message_metadata_passthrough", "t"),
        with_field("internal_chat_message_metadata_passthrough", {"turn_id": 1}),
        with_field("internal_chat_message_metadata_passthrough", {"create_time": "1"}),
        with_member('"author":"/root"'),
        with_member('"id":null,"id":null'),
        with_member('"\\u0061uthor":"/root"'),
        with_member('"x":NaN'),
        with_member('"x":Infinity'),
        with_member('"x":-Infinity'),
        with_member('"x":01'),
        with_member('"x":1.'),
        with_member('"x":.5'),
        with_member('"x":+1'),
        with_member('"x":0x1'),
        with_member('"x":\u0661'),
        with_member('"x":True'),
        with_member('"x":\'y\''),
        with_member('"x":"\t"'),
        with_member('"x":"\\x"'),
        with_member('"x":"\\u12"'),
        with_member('"x":[1,]'),
        with_member('"x":[1 2]'),
        with_member('"x":[1:2]'),
        with_member('"x":{"y"}'),
        with_member('"x":{"y":}'),
        with_member('"x":{y:1}'),
        with_member('"x":'),
        with_member('"x":]'),
        with_member('"x":[}'),
        with_member('"\\ud800":1'),
        with_member('"x":' + "[" * 50_000),
        TEXT.replace('"c"', '"\\ud800"'),
        TEXT[:-1],
        TEXT[:-1] + ",}",
        TEXT + " x",
        TEXT + TEXT,
        TEXT + ",",
        "\ufeff" + TEXT,
        "\u00a0" + TEXT,
        TEXT + "\f",
        TEXT + "\v",
        TEXT + "\0",
        TEXT.replace("author", "Author"),
        TEXT.replace('"c"', '/*c*/"c"'),
    ],
)  # fmt: skip
def test_everything_else_is_no_instruction(text: str) -> None:
    """SPEC 4.6: no missing, null or repeated field, and strict JSON with nothing after it."""
    assert not is_instruction_text(text)


@pytest.mark.parametrize(
    ("path", "valid"),
    [
        ("/root", True),
        ("/morpheus", True),
        ("/root/a", True),
        ("/root/a_1/b2/_", True),
        ("/root/roots", True),
        ("/root/0root", True),
        ("/root/root", False),
        ("/root/a/root", False),
        ("/root/root/a", False),
        ("/root/", False),
        ("/root//a", False),
        ("/root/A", False),
        ("/root/a-b", False),
        ("/root/é", False),
        ("/root/٣", False),
        ("/root/a\n", False),
        ("/root\n", False),
        ("/rootx", False),
        ("root", False),
        ("", False),
        ("/", False),
        ("/morpheus/a", False),
        ("/Root", False),
    ],
)
def test_agent_paths_follow_their_grammar(path: str, *, valid: bool) -> None:
    """SPEC 4.6: `/morpheus`, or `/root` and segments that are not `root`."""
    assert is_agent_path(path) is valid


@pytest.mark.parametrize(
    ("role", "content", "expected"),
    [
        ("assistant", (OutputText(TEXT),), True),
        ("assistant", (InputText(TEXT),), True),
        ("assistant", (), False),
        ("assistant", (OutputText(TEXT), OutputText(TEXT)), False),
        ("assistant", (InputImage(TEXT),), False),
        ("Assistant", (OutputText(TEXT),), False),
        ("user", (OutputText(TEXT),), False),
    ],
)
def test_only_an_assistant_message_of_one_text_can_instruct(
    role: str, content: tuple[MessageEntry, ...], *, expected: bool
) -> None:
    """SPEC 4.6, ROLL-2: exactly one text entry, and exactly the role assistant."""
    assert is_inter_agent_instruction(Message(role=role, content=content)) is expected


def plain(value: JsonText) -> object:
    """Turn what the strict reader gives into what the standard reader gives."""
    match value:
        case Members(pairs=pairs):
            return {key: plain(member) for key, member in pairs}
        case list():
            return [plain(element) for element in value]
        case Number(literal=literal):
            return json.loads(literal)
        case _:
            return value


JSON_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
JSON_VALUES = st.recursive(
    JSON_LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(JSON_VALUES, st.sampled_from([None, 1]), st.booleans())
def test_the_reader_reads_what_the_standard_writer_writes(
    value: object,
    indent: int | None,
    ascii_only: bool,  # noqa: FBT001 - drawn
) -> None:
    """The strict reader takes every JSON text, however it is spaced and escaped."""
    assert plain(read_json_text(json.dumps(value, indent=indent, ensure_ascii=ascii_only))) == value


@given(st.text(alphabet='[]{}:,"\\ut01-.eE+ nul', max_size=12))
def test_the_reader_refuses_what_the_standard_reader_refuses(text: str) -> None:
    """The strict reader is never laxer nor stricter than the standard one on small texts."""
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError, match=r"JSON|stands"):
            read_json_text(text)
    else:
        assert plain(read_json_text(text)) == expected


def test_long_texts_are_read_in_one_pass() -> None:
    """SPEC 4.6: the cost grows with the text's length, not with its square."""
    started = process_time()
    assert is_instruction_text(with_field("content", "x" * 10_000_000))
    assert not is_instruction_text("{" + " " * 10_000_000)
    assert process_time() - started < 5
