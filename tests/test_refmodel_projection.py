"""Projection, step by step (SPEC 2)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from contextcert.refmodel import (
    MODALITIES,
    Envelope,
    History,
    JsonObject,
    Projection,
    project,
    read_item,
    read_items,
    synthetic_id,
    write_items,
)

ALL = MODALITIES
IMAGE_TEXT = "image content omitted because you do not support image input"
AUDIO_TEXT = "audio content omitted because you do not support audio input"


def message(text: str = "hi") -> JsonObject:
    """Give a user's message."""
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def call(kind: str, call_id: str | None = "c", item_id: str | None = None) -> JsonObject:
    """Give a call of a family: function, shell, custom or search."""
    base: JsonObject = {} if item_id is None else {"id": item_id}
    match kind:
        case "function":
            base |= {"type": "function_call", "name": "n", "arguments": "{}"}
        case "custom":
            base |= {"type": "custom_tool_call", "name": "n", "input": ""}
        case "shell":
            action: JsonObject = {
                "type": "exec",
                "command": [],
                "timeout_ms": None,
                "working_directory": None,
                "env": None,
                "user": None,
            }
            base |= {"type": "local_shell_call", "status": "completed", "action": action}
        case _:
            base |= {"type": "tool_search_call", "execution": "server", "arguments": {}}
    return {**base, "call_id": call_id}


def output(kind: str, call_id: str | None = "c", **fields: Any) -> JsonObject:  # noqa: ANN401
    """Give an output of a family: function, custom or search."""
    if kind == "search":
        return {
            "type": "tool_search_output",
            "call_id": call_id,
            "status": "completed",
            "execution": "client",
            "tools": [],
            **fields,
        }
    name = {"function": "function_call_output", "custom": "custom_tool_call_output"}[kind]
    return {"type": name, "call_id": call_id, "output": "done", **fields}


def projected(*items: JsonObject, modalities: tuple[str, ...] = ALL) -> Projection:
    """Project a history of these items."""
    return project(map(Envelope, read_items(items)), modalities)


def prompt(*items: JsonObject, modalities: tuple[str, ...] = ALL) -> list[JsonObject]:
    """Give the prompt of these items."""
    return write_items(projected(*items, modalities=modalities).items)


ANSWER: dict[str, tuple[str, JsonObject]] = {
    "function": ("fco", {"type": "function_call_output", "output": "aborted"}),
    "shell": ("fco", {"type": "function_call_output", "output": "aborted"}),
    "custom": ("ctco", {"type": "custom_tool_call_output", "output": "aborted"}),
    "search": (
        "tso",
        {
            "type": "tool_search_output",
            "status": "completed",
            "execution": "client",
            "tools": [],
        },
    ),
}
FAMILIES = tuple(ANSWER)


@pytest.mark.parametrize("kind", FAMILIES)
@pytest.mark.parametrize("call_id", ["c", ""])
def test_an_unanswered_call_gains_its_output_directly_behind_it(kind: str, call_id: str) -> None:
    """PAIR-1 to PAIR-4, PAIR-11, ORD-2, SYN-1: same call_id, derived id, nothing else."""
    prefix, fields = ANSWER[kind]
    unanswered = call(kind, call_id, "x_1")
    assert prompt(message(), unanswered, message("later")) == [
        message(),
        unanswered,
        {**fields, "id": synthetic_id(prefix, "x_1"), "call_id": call_id},
        message("later"),
    ]


@pytest.mark.parametrize("kind", FAMILIES)
@pytest.mark.parametrize("item_id", [None, ""])
def test_a_call_without_an_id_gains_an_output_without_one(kind: str, item_id: str | None) -> None:
    """SYN-2: there is nothing to derive an id from."""
    assert "id" not in prompt(call(kind, "c", item_id))[1]


@pytest.mark.parametrize("kind", ["shell", "search"])
def test_a_call_without_call_id_gains_nothing(kind: str) -> None:
    """PAIR-5: it belongs to no family."""
    assert prompt(call(kind, None)) == [call(kind, None)]


@pytest.mark.parametrize(
    ("caller", "answerer", "answers"),
    [
        (caller, answerer, caller == answerer or (caller, answerer) == ("shell", "function"))
        for caller in FAMILIES
        for answerer in ("function", "custom", "search")
    ],
)
def test_families_answer_only_their_own(caller: str, answerer: str, answers: bool) -> None:  # noqa: FBT001
    """PAIR-6 to PAIR-9, ORPH-1 to ORPH-5, ORPH-8: wherever the output stands."""
    late = [call(caller), message(), output(answerer)]
    early = [output(answerer), message(), call(caller)]
    if answers:
        assert prompt(*late) == late
        assert prompt(*early) == early
    else:
        assert output(answerer) not in prompt(*late)
        assert len(prompt(*early)) == 3


def test_each_call_gains_its_own_output_and_one_output_answers_all() -> None:
    """PAIR-8, PAIR-10: the number of calls does not matter to one output."""
    calls = [call("function"), call("shell"), call("function")]
    assert [item["type"] for item in prompt(*calls)].count("function_call_output") == 3
    assert prompt(*calls, output("function")) == [*calls, output("function")]


def test_orphans_go_and_duplicates_stay() -> None:
    """ORPH-1, ORPH-2, ORPH-5 to ORPH-7, ORD-1: only outputs without a call go."""
    kept = [call("custom"), output("custom"), message(), output("custom", output="again")]
    orphans = [
        output("function"),
        output("custom", "other"),
        output("search"),
        output("search", execution="Server"),
        output("search", execution=""),
    ]
    assert prompt(*orphans, *kept) == kept


def test_search_outputs_that_stand_alone_stay() -> None:
    """ORPH-3, ORPH-4: those of the server, and those without call_id."""
    alone = [output("search", execution="server"), output("search", None)]
    assert prompt(*alone) == alone


@pytest.mark.parametrize(
    ("prefix", "item_id", "expected"),
    [
        ("fco", "fc_1", "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4"),
        ("fco", "fc_existing", "fco_742749b0-3645-5d32-a172-676827826a07"),
        ("fco", "abc", "fco_54e052cc-70eb-5988-a407-53fa52816ad0"),
        ("fco", "lsh_1", "fco_37093384-5cd0-5813-8a86-723bfcccbbb2"),
        ("ctco", "ctc_1", "ctco_ffd2c872-81a7-5a00-b6f6-884096d1f522"),
        ("tso", "tsc_1", "tso_f380c6b3-5815-5031-91ee-dd1c77f963ee"),
    ],
)
def test_synthetic_ids_are_those_of_the_specification(
    prefix: str, item_id: str, expected: str
) -> None:
    """SYN-1, SYN-4: the vectors of SPEC 2.3."""
    assert synthetic_id(prefix, item_id) == expected


MEDIA_ENTRIES: list[Any] = [
    {"type": "input_text", "text": "a"},
    {"type": "input_image", "image_url": "data:image/png;base64,AA==", "detail": "low"},
    {"type": "input_audio", "audio_url": "data:audio/wav;base64,AA=="},
    {"type": "input_image", "image_url": ""},
]
MEDIA: list[JsonObject] = [
    {"type": "message", "id": "m", "role": "tool", "content": MEDIA_ENTRIES},
    {"type": "message", "role": "system", "content": MEDIA_ENTRIES},
    call("function"),
    output(
        "function", output=[*MEDIA_ENTRIES, {"type": "encrypted_content", "encrypted_content": ""}]
    ),
    output("function", output="data:image/png;base64,AA=="),
    call("custom"),
    output("custom", output=MEDIA_ENTRIES),
    {
        "type": "image_generation_call",
        "id": "i",
        "status": "s",
        "revised_prompt": "p",
        "result": "AA==",
    },
    {"type": "additional_tools", "role": "developer", "tools": MEDIA_ENTRIES},
]


def downgraded(value: Any, modalities: tuple[str, ...]) -> Any:  # noqa: ANN401
    """State the media rules another way: by walking the JSON."""
    if isinstance(value, list):
        return [downgraded(each, modalities) for each in value]
    if not isinstance(value, dict) or value.get("type") == "additional_tools":
        return value
    if value.get("type") == "input_image" and "image" not in modalities:
        return {"type": "input_text", "text": IMAGE_TEXT}
    if value.get("type") == "input_audio" and "audio" not in modalities:
        return {"type": "input_text", "text": AUDIO_TEXT}
    if value.get("type") == "image_generation_call" and "image" not in modalities:
        return {**value, "result": ""}
    return {key: downgraded(each, modalities) for key, each in value.items()}


@pytest.mark.parametrize(
    "modalities", [each for size in range(4) for each in combinations(MODALITIES, size)]
)
def test_media_the_model_cannot_take_becomes_text_in_place(modalities: tuple[str, ...]) -> None:
    """IMG-1 to IMG-5, AUD-1 to AUD-6: whatever the other modalities, and nothing else changes."""
    expected = downgraded(MEDIA, modalities)
    assert prompt(*MEDIA, modalities=modalities) == expected
    assert prompt(*expected, modalities=modalities) == expected


def test_an_annotated_projection_keeps_metadata_and_success() -> None:
    """PROJ-5, PAIR-12, ITEM-6: also through a downgrade; a synthetic output has neither."""
    with_image = read_item(output("function", "d", output=MEDIA_ENTRIES))
    history = [
        Envelope(read_item(call("function")), {"m": 1}),
        Envelope(read_item(call("function", "d"))),
        Envelope(with_image, {"m": 2}, success=False),
    ]
    envelopes = project(history, ()).envelopes
    assert [(each.metadata, each.success) for each in envelopes] == [
        ({"m": 1}, None),
        (None, None),
        (None, None),
        ({"m": 2}, False),
    ]


def test_the_history_is_not_changed_and_the_prompt_depends_on_items_alone() -> None:
    """PROJ-1 to PROJ-3: versions, baselines and earlier projections play no role."""
    items = read_items([call("custom"), output("function"), *MEDIA])
    history = History().replace(items)
    first = history.project(())
    other = history.set_baseline({"a": 1}).set_token_info(1).replace(items).set_reference_context(2)
    assert history == History().replace(items)
    assert history.project(()) == first == other.project(())


def test_a_late_output_takes_the_place_of_the_synthetic_one() -> None:
    """PROJ-7: completion is a matter of each projection."""
    assert prompt(call("function"), message())[1]["output"] == "aborted"
    late = [call("function"), message(), output("function")]
    assert prompt(*late) == late
