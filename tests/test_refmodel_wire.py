"""Items on the wire: what is read, what is written, what is refused (SPEC 1.1)."""

from __future__ import annotations

import pytest

from contextcert.refmodel import (
    ITEM_TYPES,
    Edition,
    ItemError,
    Json,
    JsonObject,
    read_item,
    read_items,
    same_json,
    write_item,
)

META: JsonObject = {"turn_id": "t", "create_time": 1723480000.5}
TEXT: JsonObject = {"type": "input_text", "text": "hi"}
IMAGE: JsonObject = {
    "type": "input_image",
    "image_url": "data:image/png;base64,AA==",
    "detail": "original",
}
AUDIO: JsonObject = {"type": "input_audio", "audio_url": "data:audio/wav;base64,AA=="}
ENCRYPTED: JsonObject = {"type": "encrypted_content", "encrypted_content": "ZW5j"}
ACTION: JsonObject = {
    "type": "exec",
    "command": ["ls", "-l"],
    "timeout_ms": 2**64 - 1,
    "working_directory": "",
    "env": {"B": "2", "A": ""},
    "user": "u",
}


def typed(kind: str, **fields: Json) -> JsonObject:
    """Give an item of a type."""
    return {"type": kind, **fields}


FULL: list[JsonObject] = [
    {**item, "internal_chat_message_metadata_passthrough": META}
    for item in (
        typed(
            "message",
            id="msg_1",
            role="user",
            content=[TEXT, IMAGE, AUDIO, {"type": "output_text", "text": ""}],
            phase="commentary",
        ),
        typed("agent_message", id="", author="/root", recipient="x", content=[TEXT, ENCRYPTED]),
        typed(
            "reasoning",
            id="rs_1",
            summary=[{"type": "summary_text", "text": "s"}],
            content=[{"type": "text", "text": "t"}, {"type": "reasoning_text", "text": "r"}],
            encrypted_content="e",
        ),
        typed(
            "function_call",
            id="fc_1",
            name="n",
            namespace="ns",
            arguments="{}",
            encrypted_function_args=["a", ""],
            call_id="c",
        ),
        typed(
            "function_call_output", id="fco_1", call_id="", output=[TEXT, IMAGE, AUDIO, ENCRYPTED]
        ),
        typed(
            "custom_tool_call",
            id="ctc_1",
            status="s",
            call_id="c",
            name="n",
            namespace="",
            input="i",
        ),
        typed("custom_tool_call_output", id="ctco_1", call_id="c", name="n", output="o"),
        typed(
            "tool_search_call",
            id="tsc_1",
            call_id="c",
            status="s",
            execution="client",
            arguments={"deep": [1, 1.0, True, None, 2**80]},
        ),
        typed(
            "tool_search_output",
            id="tso_1",
            call_id="c",
            status="s",
            execution="server",
            tools=[None, -(2**70), {"x": []}],
        ),
        typed("local_shell_call", id="lsh_1", call_id="c", status="in_progress", action=ACTION),
        typed(
            "web_search_call",
            id="ws_1",
            status="s",
            action={"type": "search", "query": "q", "queries": ["a"]},
        ),
        typed("image_generation_call", id="ig_1", status="s", revised_prompt="p", result="AA=="),
        typed("compaction", id="cmp_1", encrypted_content="e"),
        typed("context_compaction", id="cmp_1", encrypted_content="e"),
    )
] + [
    typed("additional_tools", id="at_1", role="developer", tools=[{"name": "t"}]),
    typed("compaction_trigger"),
]

BARE: list[JsonObject] = [
    typed("message", role="", content=[]),
    typed("agent_message", author="", recipient="", content=[]),
    typed("reasoning", summary=[], content=None, encrypted_content=None),
    typed("function_call", name="", arguments="", call_id=""),
    typed("function_call_output", call_id="", output=""),
    typed("function_call_output", call_id="", output=[]),
    typed("custom_tool_call", call_id="", name="", input=""),
    typed("custom_tool_call_output", call_id="", output=""),
    typed("tool_search_call", call_id=None, execution="", arguments=None),
    typed("tool_search_output", call_id=None, status="", execution="", tools=[]),
    typed(
        "local_shell_call",
        call_id=None,
        status="completed",
        action=typed(
            "exec", command=[], timeout_ms=None, working_directory=None, env=None, user=None
        ),
    ),
    typed("web_search_call"),
    typed("web_search_call", action=typed("open_page")),
    typed("web_search_call", action=typed("find_in_page", url="u", pattern="")),
    typed("image_generation_call", status="", result=""),
    typed("additional_tools", role="", tools=[]),
    typed("compaction", encrypted_content=""),
    typed("context_compaction"),
    typed("other"),
]


def test_the_examples_cover_every_type() -> None:
    """No row of the table is left out of the examples."""
    assert sorted(ITEM_TYPES) == sorted(str(item["type"]) for item in FULL)


@pytest.mark.parametrize("item", FULL + BARE, ids=lambda item: str(item["type"]))
def test_a_canonical_item_comes_back_equal(item: JsonObject) -> None:
    """ITEM-1, ITEM-5: every field survives, numbers included; empty is not absent."""
    assert same_json(write_item(read_item(item)), item)


@pytest.mark.parametrize("item", FULL, ids=lambda item: str(item["type"]))
def test_the_order_of_fields_is_free_and_unknown_ones_are_dropped(item: JsonObject) -> None:
    """ITEM-1: reading goes by name alone."""
    shuffled: JsonObject = {"Type": 1, "zzz": [item], **dict(reversed(item.items()))}
    assert same_json(write_item(read_item(shuffled)), item)


@pytest.mark.parametrize("item", BARE, ids=lambda item: str(item["type"]))
def test_null_reads_as_absent(item: JsonObject) -> None:
    """ITEM-3: optional fields given as null come back as if they had not been given."""
    full = next((each for each in FULL if each["type"] == item["type"]), {})
    with_nulls: JsonObject = {**dict.fromkeys(full), **item}
    assert same_json(write_item(read_item(with_nulls)), item)


def test_fields_are_written_in_the_order_of_the_table() -> None:
    """SPEC 1.1: the output order is fixed."""
    call = dict(reversed(FULL[3].items()))
    assert list(write_item(read_item(call))) == [
        "type",
        "id",
        "name",
        "namespace",
        "arguments",
        "encrypted_function_args",
        "call_id",
        "internal_chat_message_metadata_passthrough",
    ]


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (typed("ghost_snapshot", id="x"), typed("other")),
        (typed("Message", role=1), typed("other")),
        (typed("", call_id=None), typed("other")),
        (typed("other", id="x"), typed("other")),
        (
            typed("compaction_summary", encrypted_content="e"),
            typed("compaction", encrypted_content="e"),
        ),
        (
            typed("web_search_call", action=typed("later", x=1)),
            typed("web_search_call", action=typed("other")),
        ),
        (
            typed("web_search_call", action=typed("search", query=None, url="dropped")),
            typed("web_search_call", action=typed("search")),
        ),
        (
            typed(
                "compaction", encrypted_content="", internal_chat_message_metadata_passthrough={}
            ),
            typed(
                "compaction", encrypted_content="", internal_chat_message_metadata_passthrough={}
            ),
        ),
        (
            typed("message", role="r", content=[{**IMAGE, "detail": None, "text": 1}]),
            typed(
                "message",
                role="r",
                content=[{"type": "input_image", "image_url": IMAGE["image_url"]}],
            ),
        ),
    ],
    ids=lambda item: str(item["type"]),
)
def test_aliases_and_fallbacks(given: JsonObject, written: JsonObject) -> None:
    """ITEM-1, ITEM-2: what is not known reads as `other`, what has two names is written as one."""
    assert write_item(read_item(given)) == written


@pytest.mark.parametrize(
    ("content", "written"),
    [
        (None, {"content": None}),
        ([], {}),
        ([{"type": "text", "text": "t"}], {}),
        (
            [{"type": "reasoning_text", "text": "r"}, {"type": "text", "text": "t"}],
            {
                "content": [
                    {"type": "reasoning_text", "text": "r"},
                    {"type": "text", "text": "t"},
                ]
            },
        ),
    ],
)
def test_reasoning_content_shows_only_with_reasoning_text(
    content: Json, written: JsonObject
) -> None:
    """ITEM-7: null when absent, left out when empty or without reasoning text, else whole."""
    item = typed("reasoning", summary=[], content=content)
    assert write_item(read_item(item)) == {
        "type": "reasoning",
        "summary": [],
        **written,
        "encrypted_content": None,
    }


REFUSED: list[tuple[Json, str]] = [
    (None, "an object, not null"),
    ([], "an object, not an array"),
    ({}, "missing field `type`"),
    ({"type": 1}, "type: expected a string"),
    ({"type": None}, "type: expected a string, not null"),
    (typed("message", content=[]), "message: missing field `role`"),
    (typed("message", role=None, content=[]), "message.role: expected a string, not null"),
    (typed("message", role="user"), "message: missing field `content`"),
    (typed("message", role="user", content="hi"), "message.content: expected an array"),
    (typed("message", role="user", content=[TEXT, "hi"]), "message.content[1]: expected an object"),
    (typed("message", role="user", content=[{"text": "x"}]), "content[0]: missing field `type`"),
    (typed("message", role="user", content=[ENCRYPTED]), "content[0].type: expected one of"),
    (
        typed("message", role="user", content=[{"type": "input_text", "text": 1}]),
        "message.content[0].input_text.text: expected a string, not an integer",
    ),
    (
        typed("message", role="user", content=[{**IMAGE, "detail": "High"}]),
        "input_image.detail: expected one of",
    ),
    (typed("message", role="user", content=[], phase="x"), "message.phase: expected one of"),
    (typed("message", id=1, role="user", content=[]), "message.id: expected a string"),
    (
        typed("agent_message", author="a", recipient="b", content=[IMAGE]),
        "agent_message.content[0].type",
    ),
    (typed("reasoning", summary=[TEXT]), "reasoning.summary[0].type"),
    (typed("reasoning", summary=[], content=[TEXT]), "reasoning.content[0].type"),
    (typed("function_call", name="n", arguments={}, call_id="c"), "function_call.arguments"),
    (
        typed("function_call", name="n", arguments="", call_id="c", encrypted_function_args=[1]),
        "function_call.encrypted_function_args[0]",
    ),
    (typed("function_call_output", output="o"), "function_call_output: missing field `call_id`"),
    (typed("function_call_output", call_id=None, output=""), "function_call_output.call_id"),
    (typed("function_call_output", call_id="c"), "function_call_output: missing field `output`"),
    (
        typed("function_call_output", call_id="c", output=None),
        "function_call_output.output: expected a string or an array, not null",
    ),
    (
        typed("custom_tool_call_output", call_id="c", output={"content": "o"}),
        "custom_tool_call_output.output: expected a string or an array, not an object",
    ),
    (
        typed("custom_tool_call_output", call_id="c", output=[{"type": "output_text", "text": ""}]),
        "custom_tool_call_output.output[0].type",
    ),
    (typed("tool_search_call", execution="e"), "tool_search_call: missing field `arguments`"),
    (typed("tool_search_call", call_id=1, execution="e", arguments=1), "tool_search_call.call_id"),
    (
        typed("tool_search_output", status="s", execution="e", tools={}),
        "tool_search_output.tools: expected an array, not an object",
    ),
    (typed("local_shell_call", status="done", action=ACTION), "local_shell_call.status"),
    (
        typed("local_shell_call", status="completed", action={**ACTION, "type": "run"}),
        "local_shell_call.action.type",
    ),
    *(
        (
            typed("local_shell_call", status="completed", action={**ACTION, "timeout_ms": time}),
            "local_shell_call.action.exec.timeout_ms",
        )
        for time in (-1, 1.0, True, "1", 2**64)
    ),
    (
        typed("local_shell_call", status="completed", action={**ACTION, "env": {"A": None}}),
        "local_shell_call.action.exec.env.A: expected a string, not null",
    ),
    (
        typed("local_shell_call", status="completed", action={**ACTION, "env": []}),
        "local_shell_call.action.exec.env: expected an object",
    ),
    (typed("web_search_call", action={}), "web_search_call.action: missing field `type`"),
    (
        typed("web_search_call", action=typed("search", queries="q")),
        "web_search_call.action.search.queries",
    ),
    (typed("image_generation_call", status="s"), "missing field `result`"),
    (
        typed("compaction", encrypted_content="", internal_chat_message_metadata_passthrough=[]),
        "compaction.internal_chat_message_metadata_passthrough: expected an object",
    ),
    *(
        (
            typed(
                "compaction",
                encrypted_content="",
                internal_chat_message_metadata_passthrough={"create_time": time},
            ),
            "create_time: expected a number",
        )
        for time in (True, "1")
    ),
]


@pytest.mark.parametrize(("item", "reason"), REFUSED)
def test_what_is_no_item_is_refused_by_name(item: Json, reason: str) -> None:
    """ITEM-4: the message names the type, the field and what was expected."""
    with pytest.raises(ItemError) as caught:
        read_item(item)
    assert reason in str(caught.value)


def test_a_list_of_items_is_read_whole_or_not_at_all() -> None:
    """ITEM-4: the error says which item is at fault."""
    with pytest.raises(ItemError, match=r"^\[1\]\.message: missing field `role`$"):
        read_items([FULL[0], typed("message", content=[])])


def test_numbers_that_look_alike_stay_apart() -> None:
    """WORLD-7: 1, 1.0 and true are three values, also for items read one after the other."""
    for value in (1, 1.0, True, 2**64, -(2**63) - 1, 1e300):
        item = typed("tool_search_call", call_id=None, execution="e", arguments=[value])
        assert same_json(write_item(read_item(item)), item)
    one, other = (
        read_item(typed("tool_search_call", execution="e", arguments=value)) for value in (1, 1.0)
    )
    assert one != other


def test_depth_is_no_problem() -> None:
    """Opaque values may be nested as deeply as memory allows."""
    deep: Json = 1
    for _ in range(20_000):
        deep = [deep]
    item = typed("tool_search_call", call_id=None, execution="e", arguments=deep)
    assert same_json(write_item(read_item(item)), item)


@pytest.mark.parametrize("number", [1, 2**90])
def test_nothing_is_shared_with_the_caller(number: int) -> None:
    """SNAP-2: changing what was given or handed out changes no item."""
    given = typed("additional_tools", role="r", tools=[{"n": number}])
    item = read_item(given)
    given["tools"][0]["n"] = 0  # type: ignore[index,call-overload]
    write_item(item)["tools"].clear()  # type: ignore[union-attr]
    assert write_item(item)["tools"] == [{"n": number}]
    assert read_item(typed("additional_tools", role="r", tools=[{"n": number}])) == item


def test_an_output_may_lack_its_call_id_in_november() -> None:
    """E11-1: call_id is optional; name and namespace are known."""
    november = Edition.NOVEMBER_2026
    named = typed("function_call_output", name="n", namespace="s", output="o")
    assert write_item(read_item(named, november)) == named
    assert write_item(read_item({**named, "call_id": None}, november)) == named
    with_id = {**named, "call_id": "c"}
    assert write_item(read_item(with_id)) == typed("function_call_output", call_id="c", output="o")
    with pytest.raises(ItemError):
        read_item(named)
