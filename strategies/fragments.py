"""Texts that are contextual content or inter-agent instructions (SPEC 4.4 to 4.6), or nearly so."""

from __future__ import annotations

import json
from typing import Final

from contextcert.refmodel import Json

WHITE_SPACE: Final = (
    " \t\n\v\f\r\x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What is trimmed before a fragment is looked for (SPEC 4.4)."""

NO_WHITE_SPACE: Final = "\x1c\x1d\x1e\x1f\ufeff\u200b\u180e\u2060\x00"
"""What some languages trim, or show as nothing, and SPEC does not."""

USER_FRAGMENTS: Final = (
    "<environment_context>\n<cwd>/w</cwd>\n</environment_context>",
    "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>",
    "<skill>s</skill>",
    "<user_shell_command>ls</user_shell_command>",
    "<turn_aborted>a</turn_aborted>",
    "<subagent_notification>{}</subagent_notification>",
    "<recommended_plugins></recommended_plugins>",
    "<external_k>e</external_k>",
    "<external_></external_>",
    '<codex_internal_context source="a_1">i</codex_internal_context>',
    "<goal_context>g</goal_context>",
    "Warning: The maximum number of unified exec processes you can keep open is 60",
    "Warning: apply_patch was requested via x. Use the apply_patch tool instead of exec_command.",
    "Warning: Your account was flagged for potentially high-risk cyber activity.",
    '<hook_prompt hook_run_id="r">h</hook_prompt>',
    "<any a='1' hook_run_id='r' >h</any >",
)
"""Contextual user content, one of each kind there is."""

NEAR_USER_FRAGMENTS: Final = (
    "<environment_context>c",
    "c</environment_context>",
    "<environment_context >c</environment_context>",
    "<environment_context>c</skill>",
    "AGENTS.md instructions</INSTRUCTIONS>",
    "<s\u212aill>s</s\u212aill>",
    "<\u017fkill>s</\u017fkill>",
    "<External_k>e</External_k>",
    "<external_k>e</external_j>",
    "<external_k>e</external_K>",
    "<external_k",
    '<codex_internal_context source="A">i</codex_internal_context>',
    '<codex_internal_context source="1">i</codex_internal_context>',
    '<codex_internal_context source="">i</codex_internal_context>',
    '<codex_internal_context source="\u00e9">i</codex_internal_context>',
    "<codex_internal_context source='a'>i</codex_internal_context>",
    "<codex_internal_context>i</codex_internal_context>",
    "<goal_context>g",
    "<Goal_context>g</Goal_context>",
    "Warning: the maximum number of unified exec processes you can keep open is 60",
    "Warning: apply_patch was requested via shell.",
    "Use the apply_patch tool instead of exec_command.",
    "Warning: Your account was flagged",
    '<hook_prompt hook_run_id=" ">h</hook_prompt>',
    '<hook_prompt hook_run_id="r">h',
    "<hook_prompt hook_run_id=r>h</hook_prompt>",
    '<hook_prompt HOOK_RUN_ID="r">h</hook_prompt>',
    "<hook_prompt>h</hook_prompt>",
)
"""User content that misses being contextual by one thing.

No hook prompt with blank text is among them: 4.4 judges those alone whose text is not all white
space.
"""


def is_marked_hook_prompt(said: str) -> bool:
    """Say whether a byte order mark stands before a hook prompt, of which SPEC 4.4 says nothing.

    Many XML parsers skip it, and it is no white space to trim.
    """
    return said.lstrip(WHITE_SPACE).startswith("\ufeff") and "hook_run_id" in said


MODEL_SWITCH: Final = "<model_switch>m</model_switch>"

DEVELOPER_FRAGMENTS: Final = (
    "<permissions instructions>p",
    "Approved command prefix saved: ls",
    "<model_switch>m",
    "<apps_instructions>a",
    "<collaboration_mode>c",
    "<multi_agent_mode>m",
    "<environments_instructions>e",
    "<git_attribution>g",
    "<plugins_instructions>p",
    "<realtime_conversation>r",
    "<skills_instructions>s",
    "<tools>t",
    "<personality_spec>p",
    "<token_budget>t",
    "<context_window>c",
    "<context_window_guidance>c",
    "<rollout_budget>r",
)
"""Contextual developer content: every beginning there is, without an end tag."""

NEAR_DEVELOPER_FRAGMENTS: Final = (
    "<permissions_instructions>p",
    "Approved command prefix saved ls",
    "<tool>t",
    "<to\u212aen_budget>t",
    "<tool\u017f>t",
    "tools>t",
)
"""Developer content that misses being contextual by one thing."""


def _instruction(**fields: Json) -> str:
    return json.dumps({**_INSTRUCTION, **fields})


_INSTRUCTION: Final[dict[str, Json]] = {
    "author": "/root",
    "recipient": "/root/a",
    "content": "go",
    "trigger_turn": True,
}

INSTRUCTIONS: Final = (
    _instruction(),
    _instruction(author="/morpheus", recipient="/root/a_1/b", trigger_turn=False, content=""),
    _instruction(id=None, encrypted_content=None, other_recipients=[]),
    _instruction(
        id="", encrypted_content="e", other_recipients=["/root", "/root/rooted"], more=[None]
    ),
    _instruction(internal_chat_message_metadata_passthrough={"turn_id": "t1"}),
    f" \t\r\n{_instruction(internal_chat_message_metadata_passthrough=None)}\n",
)
"""Texts of inter-agent instructions."""

NEAR_INSTRUCTIONS: Final = (
    *(
        json.dumps({name: value for name, value in _INSTRUCTION.items() if name != missing})
        for missing in _INSTRUCTION
    ),
    _instruction(author="/root/root"),
    _instruction(author="/root/A"),
    _instruction(author="/root/"),
    _instruction(author="root"),
    _instruction(author="/morpheus/a"),
    _instruction(recipient="/root//a"),
    _instruction(recipient="/root/\u0661"),
    _instruction(recipient="/root/a\n"),
    _instruction(recipient=None),
    _instruction(content=None),
    _instruction(trigger_turn=1),
    _instruction(trigger_turn="true"),
    _instruction(id=1),
    _instruction(other_recipients=None),
    _instruction(other_recipients=["/root", "a"]),
    _instruction(internal_chat_message_metadata_passthrough="x"),
    f"{_instruction()}.",
    f"\xa0{_instruction()}",
    f"{_instruction()[:-1]}, " + '"content": "go"}',
    _instruction()[:-1],
)
"""Texts that miss being an instruction by one thing."""
