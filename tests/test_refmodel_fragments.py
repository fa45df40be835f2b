"""Contextual content of user and developer messages (SPEC 4.4 and 4.5)."""

from __future__ import annotations

import unicodedata
from time import process_time

import pytest

from contextcert.refmodel.fragments import (
    is_contextual_developer_message,
    is_contextual_user_message,
    is_developer_fragment,
    is_mixed_bundle,
    is_model_switch,
    is_user_fragment,
)
from contextcert.refmodel.items import (
    InputImage,
    InputText,
    Message,
    MessageEntry,
    OutputText,
    Reasoning,
)
from contextcert.refmodel.white_space import WHITE_SPACE, trim

IMAGE = InputImage("data:image/png;base64,AA==")
SKILL = InputText("<skill>x</skill>")
TOOLS = InputText("<tools>")
PLAIN = InputText("please")
LIMIT_WARNING = "Warning: The maximum number of unified exec processes you can keep open is"
PATCH_WARNING = (
    "Warning: apply_patch was requested via x. Use the apply_patch tool instead of exec_command."
)
ACCOUNT_WARNING = "Warning: Your account was flagged for potentially high-risk cyber activity"


def message(role: str, *content: MessageEntry) -> Message:
    """Make a message."""
    return Message(role=role, content=content)


def test_white_space_is_the_unicode_property() -> None:
    """SPEC 4.4 lists 25 characters; every separator of Unicode is among them."""
    assert len(set(WHITE_SPACE)) == 25
    separators = {
        chr(c) for c in range(0x3001) if unicodedata.category(chr(c)) in ("Zs", "Zl", "Zp")
    }
    assert set(WHITE_SPACE) == separators | set("\t\n\v\f\r\x85")


@pytest.mark.parametrize("character", list("\x1c\x1d\x1e\x1f\x00\u180e\u200b\u2060\ufeff"))
def test_look_alikes_of_white_space_stay(character: str) -> None:
    """SPEC 4.4: control separators, zero-width characters and the byte order mark stay."""
    assert trim(f" {character} ") == character
    assert not is_user_fragment(f"{character}<skill>x</skill>")
    assert not is_user_fragment(f"<skill>x</skill>{character}")


@pytest.mark.parametrize("character", list(WHITE_SPACE))
def test_white_space_around_a_fragment_does_not_count(character: str) -> None:
    """SPEC 4.4: every character of the set is trimmed at both ends, under each rule."""
    for fragment in (
        "<skill>x</skill>",
        "<external_k>v</external_k>",
        "<goal_context>x</goal_context>",
        PATCH_WARNING,
        '<h hook_run_id="r">t</h>',
    ):
        assert is_user_fragment(f"{character}{fragment}{character}")
    assert is_developer_fragment(f"{character}<tools>")


@pytest.mark.parametrize(
    "tag",
    [
        "environment_context",
        "skill",
        "user_shell_command",
        "turn_aborted",
        "subagent_notification",
        "recommended_plugins",
    ],
)
def test_marked_fragments_need_both_ends_in_any_case(tag: str) -> None:
    """SPEC 4.4, rule 1: both tags at the outer ends, ASCII letters in either case."""
    assert is_user_fragment(f"<{tag}></{tag}>")
    assert is_user_fragment(f"<{tag.upper()}>x</{tag.title()}>")
    assert is_user_fragment(f"<{tag}>a</{tag}> between <{tag}>b</{tag}>")
    assert not is_user_fragment(f"<{tag}>x")
    assert not is_user_fragment(f"x</{tag}>")
    assert not is_user_fragment(f"<{tag}>x</{tag}>.")
    assert not is_user_fragment(f".<{tag}>x</{tag}>")
    assert not is_user_fragment(f"<{tag} a='b'>x</{tag}>")


@pytest.mark.parametrize(
    ("text", "contextual"),
    [
        ("# AGENTS.md instructions</INSTRUCTIONS>", True),
        ("# agents.MD Instructions for x\n<INSTRUCTIONS>\n</instructions>", True),
        ("# AGENTS.md instructions", False),
        ("#AGENTS.md instructions</INSTRUCTIONS>", False),
        ("# AGENTS.md instruction\u017f</INSTRUCTIONS>", False),
        ("<s\u212aill>x</skill>", False),
        ("<skill>x</s\u212aill>", False),
        ("<\u017fkill>x</skill>", False),
        ("<skill>x</skill\u017f>", False),
        ("<skill>İ</skill>", True),
        ("<environment_context>x</skill>", False),
        ("<user_instructions>x</user_instructions>", False),
        ("<model_switch>x</model_switch>", False),
        ("", False),
        (" \n", False),
    ],
)  # fmt: skip
def test_marked_fragments_fold_ascii_only(text: str, *, contextual: bool) -> None:
    """SPEC 4.4, rule 1: a Kelvin sign is no k, and a long s is no s."""
    assert is_user_fragment(text) is contextual


@pytest.mark.parametrize(
    ("text", "contextual"),
    [
        ("<external_k>v</external_k>", True),
        ("<external_></external_>", True),
        ("<external_é b>v</external_é b>", True),
        ("<external_k/>x</external_k/>", True),
        ("<external_a<b>x</external_a<b>", True),
        ("<external_a\nb></external_a\nb>", True),
        ("<external_k>v</external_j>", False),
        ("<external_k>v</external_k>x", False),
        ("<external_k>", False),
        ("<external_k", False),
        ("</external_k><external_k>", False),
        ("<External_k>v</External_k>", False),
        ("<external_k>v</EXTERNAL_k>", False),
        ("<external_k>>v</external_k>>", False),
    ],
)
def test_external_fragments_repeat_their_key(text: str, *, contextual: bool) -> None:
    """SPEC 4.4, rule 2: the key is all up to the first `>`, and the end repeats it exactly."""
    assert is_user_fragment(text) is contextual


@pytest.mark.parametrize(
    ("text", "contextual"),
    [
        ('<codex_internal_context source="a"></codex_internal_context>', True),
        ('<codex_internal_context source="a1_b">x</codex_internal_context>', True),
        ('<codex_internal_context source="">x</codex_internal_context>', False),
        ('<codex_internal_context source="1a">x</codex_internal_context>', False),
        ('<codex_internal_context source="_a">x</codex_internal_context>', False),
        ('<codex_internal_context source="aB">x</codex_internal_context>', False),
        ('<codex_internal_context source="a-b">x</codex_internal_context>', False),
        ('<codex_internal_context source="a\n">x</codex_internal_context>', False),
        ('<codex_internal_context source="aé">x</codex_internal_context>', False),
        ('<codex_internal_context source="a٣">x</codex_internal_context>', False),
        ('<codex_internal_context  source="a">x</codex_internal_context>', False),
        ("<codex_internal_context source='a'>x</codex_internal_context>", False),
        ('<codex_internal_context source="a" >x</codex_internal_context>', False),
        ('<codex_internal_context source="a">x', False),
        ('<codex_internal_context source="a">x</Codex_internal_context>', False),
        ("<codex_internal_context>x</codex_internal_context>", False),
        ("<goal_context></goal_context>", True),
        ("<goal_context>x", False),
        ("<Goal_context>x</goal_context>", False),
    ],
)
def test_internal_fragments_name_a_source(text: str, *, contextual: bool) -> None:
    """SPEC 4.4, rule 3: one exact spelling, and the older goal wrapper."""
    assert is_user_fragment(text) is contextual


@pytest.mark.parametrize(
    ("text", "contextual"),
    [
        (LIMIT_WARNING, True),
        (LIMIT_WARNING + " 60", True),
        (LIMIT_WARNING.lower(), False),
        (LIMIT_WARNING[:-1], False),
        ("x " + LIMIT_WARNING, False),
        (ACCOUNT_WARNING, True),
        (ACCOUNT_WARNING + ", see", True),
        (PATCH_WARNING, True),
        (PATCH_WARNING + "\n", True),
        (PATCH_WARNING[:-1], False),
        ("Warning: apply_patch was requested via ", False),
        ("Use the apply_patch tool instead of exec_command.", False),
    ],
)
def test_legacy_warnings_have_fixed_ends(text: str, *, contextual: bool) -> None:
    """SPEC 4.4, rule 4: two beginnings are enough, the third needs its ending too."""
    assert is_user_fragment(text) is contextual


@pytest.mark.parametrize(
    ("text", "contextual"),
    [
        ('<hook_prompt hook_run_id="r">t</hook_prompt>', True),
        ("<h hook_run_id='r'>t</h>", True),
        ('<h a="1"\n hook_run_id = "r" >t</h >', True),
        ('<h.-_1 hook_run_id="r">t</h.-_1>', True),
        ('<é hook_run_id="é">é</é>', True),
        ('<n:h hook_run_id="r">t</n:h>', True),
        ('<h hook_run_id="\'">t</h>', True),
        ('<h hook_run_id="a &amp; b">a &amp; b</h>', True),
        ('<h a=">" hook_run_id="r">t</h>', True),
        ('<h hook_run_id="r">t</g>', False),
        ('<h hook_run_id="r">t', False),
        ('<h hook_run_id="r">t</h>x', False),
        ('<h hook_run_id="r">t</h><h/>', False),
        ('x<h hook_run_id="r">t</h>', False),
        ('<h hook_run_id="r"/>', False),
        ('<h hook_run_id="r"></h>', False),
        ('<h hook_run_id="r" hook_run_id="r">t</h>', False),
        ('<h a="1" a="2" hook_run_id="r">t</h>', False),
        ("<h hook_run_id=r>t</h>", False),
        ("<h hook_run_id>t</h>", False),
        ('<h a="1"hook_run_id="r">t</h>', False),
        ('<h hook_run_id="<">t</h>', False),
        ('<h hook_run_id="r">a < b</h>', False),
        ('<h hook_run_id="r">a & b</h>', False),
        ('< h hook_run_id="r">t</h>', False),
        ('<1 hook_run_id="r">t</1>', False),
        ('<h hook_run_id="">t</h>', False),
        ('<h hook_run_id=" \t\u3000\u2028">t</h>', False),
        ('<h Hook_Run_Id="r">t</h>', False),
        ('<h n:hook_run_id="r">t</h>', False),
        ("<h>hook_run_id</h>", False),
        ("hook_run_id", False),
    ],
)
def test_a_hook_prompt_is_one_xml_element(text: str, *, contextual: bool) -> None:
    """SPEC 4.4, rule 5: well-formed, any name, a run id that is not blank, and some text."""
    assert is_user_fragment(text) is contextual


def test_a_document_type_is_never_expanded() -> None:
    """SPEC 4.4, rule 5: entities are outside what is judged, and must not cost anything."""
    entities = "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x" * 10}">' for n in range(9)
    )
    bomb = f'<!DOCTYPE h [{entities}]><h hook_run_id="r">&e8;</h>'
    assert not is_user_fragment(bomb)
    assert not is_user_fragment('<!DOCTYPE h SYSTEM "file:///x"><h hook_run_id="r">t</h>')


def test_deep_and_long_elements_are_read_in_one_pass() -> None:
    """SPEC 4.4, rule 5: neither nesting nor length makes the reader fail or crawl."""
    deep = '<h hook_run_id="r">t' + "<h>" * 100_000 + "</h>" * 100_001
    long = '<h hook_run_id="r">' + "line\n" * 1_000_000 + "</h>"
    started = process_time()
    assert is_user_fragment(deep)
    assert is_user_fragment(long)
    assert process_time() - started < 5


@pytest.mark.parametrize(
    ("item", "contextual"),
    [
        (message("user", SKILL), True),
        (message("user", PLAIN, IMAGE, SKILL), True),
        (message("user", PLAIN), False),
        (message("user"), False),
        (message("user", IMAGE), False),
        (message("user", OutputText("<skill>x</skill>")), False),
        (message("User", SKILL), False),
        (message("developer", SKILL), False),
        (Reasoning(summary=()), False),
    ],
)
def test_any_input_text_makes_a_user_message_contextual(
    item: Message | Reasoning, *, contextual: bool
) -> None:
    """SPEC 4.4: one fragment is enough, output text never counts, and the role is exact."""
    assert is_contextual_user_message(item) is contextual


@pytest.mark.parametrize(
    "start",
    [
        "<permissions instructions>",
        "Approved command prefix saved:",
        "<model_switch>",
        "<apps_instructions>",
        "<collaboration_mode>",
        "<multi_agent_mode>",
        "<environments_instructions>",
        "<git_attribution>",
        "<plugins_instructions>",
        "<realtime_conversation>",
        "<skills_instructions>",
        "<tools>",
        "<personality_spec>",
        "<token_budget>",
        "<context_window>",
        "<context_window_guidance>",
        "<rollout_budget>",
    ],
)
def test_developer_fragments_need_their_start_only(start: str) -> None:
    """SPEC 4.5: the start in any ASCII case, after white space, and no end."""
    assert is_developer_fragment(start)
    assert is_developer_fragment(f" \u3000{start.upper()} and more")
    assert not is_developer_fragment(start[:-1])
    assert not is_developer_fragment(f"x{start}")
    assert not is_developer_fragment(f"\x1c{start}")


@pytest.mark.parametrize(
    "text", ["<tool\u017f>", "<s\u212aills_instructions>", "<permissions>", ""]
)
def test_developer_fragments_fold_ascii_only(text: str) -> None:
    """SPEC 4.5: letters that only look alike do not count."""
    assert not is_developer_fragment(text)


@pytest.mark.parametrize(
    ("item", "contextual", "mixed"),
    [
        (message("developer", TOOLS), True, False),
        (message("developer", TOOLS, TOOLS), True, False),
        (message("developer", TOOLS, PLAIN), True, True),
        (message("developer", PLAIN, TOOLS), True, True),
        (message("developer", TOOLS, IMAGE), True, True),
        (message("developer", TOOLS, OutputText("<tools>")), True, True),
        (message("developer", OutputText("<tools>")), False, False),
        (message("developer", PLAIN), False, False),
        (message("developer"), False, False),
        (message("Developer", TOOLS), False, False),
        (message("user", TOOLS), False, False),
    ],
)
def test_any_entry_makes_a_developer_message_contextual_and_any_other_mixed(
    item: Message, *, contextual: bool, mixed: bool
) -> None:
    """SPEC 4.5, ROLL-6: a bundle is mixed when it holds an entry that is not contextual."""
    assert is_contextual_developer_message(item) is contextual
    assert is_mixed_bundle(item) is mixed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<model_switch></model_switch>", True),
        (" <MODEL_SWITCH>m</Model_Switch>\n", True),
        ("<model_switch>m", False),
        ("m</model_switch>", False),
        ("<model_switch>a</model_switch> x", False),
    ],
)
def test_model_switches_are_marked_by_both_tags(text: str, *, expected: bool) -> None:
    """ROLL-9: the notice is told by rule *Marked*."""
    assert is_model_switch(text) is expected
