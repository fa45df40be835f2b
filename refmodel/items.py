"""Items, content entries and envelopes as frozen values (SPEC 1.1).

One class for each row of the table in SPEC 1.1, with its fields in the same order and under the
same names; only `internal_chat_message_metadata_passthrough` is called `meta`, as SPEC calls it.
`None` means absent, which a null reads as too (ITEM-3). How these values look on the wire stands
in `contextcert.refmodel.wire`, which families they form in `contextcert.refmodel.families`.
"""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from attrs import field, frozen

from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.opaque import comparable


@frozen
class InputText:
    """Text given to the model; an entry of a message or of an output body."""

    type: ClassVar = "input_text"
    text: str


@frozen
class InputImage:
    """An image given to the model; an entry of a message or of an output body."""

    type: ClassVar = "input_image"
    image_url: str
    detail: str | None = None
    """`auto`, `low`, `high` or `original`."""


@frozen
class InputAudio:
    """Audio given to the model; an entry of a message or of an output body."""

    type: ClassVar = "input_audio"
    audio_url: str


@frozen
class OutputText:
    """Text written by the model; an entry of a message."""

    type: ClassVar = "output_text"
    text: str


@frozen
class EncryptedContent:
    """Text that only the provider can read; an entry of an agent message or of an output body."""

    type: ClassVar = "encrypted_content"
    encrypted_content: str


@frozen
class SummaryText:
    """An entry of a reasoning item's summary."""

    type: ClassVar = "summary_text"
    text: str


@frozen
class ReasoningText:
    """An entry of a reasoning item's content; one of these makes the content visible (ITEM-7)."""

    type: ClassVar = "reasoning_text"
    text: str


@frozen
class PlainText:
    """An entry of a reasoning item's content that does not make it visible (ITEM-7)."""

    type: ClassVar = "text"
    text: str


MessageEntry: TypeAlias = InputText | InputImage | InputAudio | OutputText
BodyEntry: TypeAlias = InputText | InputImage | InputAudio | EncryptedContent
AgentEntry: TypeAlias = InputText | EncryptedContent
ReasoningEntry: TypeAlias = ReasoningText | PlainText
Body: TypeAlias = str | tuple[BodyEntry, ...]
"""What an output holds: one text, or a list of entries. `""` and `()` differ (ITEM-5)."""


@frozen
class Meta:
    """Passthrough metadata: which turn an item belongs to, and when it was made."""

    turn_id: str | None = None
    create_time: int | float | None = field(default=None, eq=comparable)


@frozen
class ExecAction:
    """The command of a local shell call; the last four fields are null on the wire when absent."""

    type: ClassVar = "exec"
    command: tuple[str, ...]
    timeout_ms: int | None = None
    working_directory: str | None = None
    env: tuple[tuple[str, str], ...] | None = None
    """Names and values, ordered by name."""
    user: str | None = None


@frozen
class SearchAction:
    """A web search for one query or several."""

    type: ClassVar = "search"
    query: str | None = None
    queries: tuple[str, ...] | None = None


@frozen
class OpenPageAction:
    """A web search call that opens a page."""

    type: ClassVar = "open_page"
    url: str | None = None


@frozen
class FindInPageAction:
    """A web search call that looks for a pattern in a page."""

    type: ClassVar = "find_in_page"
    url: str | None = None
    pattern: str | None = None


@frozen
class OtherAction:
    """Every web search action of another type."""

    type: ClassVar = "other"


WebSearchAction: TypeAlias = SearchAction | OpenPageAction | FindInPageAction | OtherAction


@frozen(kw_only=True)
class Item:
    """One Responses-API object. Every row of the table in SPEC 1.1 is a subclass."""

    type: ClassVar[str]
    wire_text: bytes | None = field(default=None, init=False, eq=False, repr=False)
    """The wire form as JSON text, kept by the writer once it is known. No part of the value."""


@frozen(kw_only=True)
class Call(Item):
    """What the model asked for: an item of the left column of SPEC 1.2.

    Without a call_id it belongs to no family and needs no output (PAIR-5).
    """

    id: str | None = None
    call_id: str | None


@frozen(kw_only=True)
class Output(Item):
    """What came back: an item of the right column of SPEC 1.2."""

    id: str | None = None
    call_id: str | None


@frozen(kw_only=True)
class Message(Item):
    """What a user, a developer, the assistant or another role said."""

    type: ClassVar = "message"
    id: str | None = None
    role: str
    content: tuple[MessageEntry, ...]
    phase: str | None = None
    meta: Meta | None = None


@frozen(kw_only=True)
class AgentMessage(Item):
    """What one agent told another; always an instruction boundary (ROLL-2)."""

    type: ClassVar = "agent_message"
    id: str | None = None
    author: str
    recipient: str
    content: tuple[AgentEntry, ...]
    meta: Meta | None = None


@frozen(kw_only=True)
class Reasoning(Item):
    """The model's own reasoning."""

    type: ClassVar = "reasoning"
    id: str | None = None
    summary: tuple[SummaryText, ...]
    content: tuple[ReasoningEntry, ...] | None = None
    encrypted_content: str | None = None
    meta: Meta | None = None


@frozen(kw_only=True)
class FunctionCall(Call):
    """The call of the function family."""

    type: ClassVar = "function_call"
    id: str | None = None
    name: str
    namespace: str | None = None
    arguments: str
    encrypted_function_args: tuple[str, ...] | None = None
    call_id: str
    meta: Meta | None = None


@frozen(kw_only=True)
class FunctionCallOutput(Output):
    """The output of the function and local shell families.

    Only edition 2026-11 lets call_id be absent and knows name and namespace (E11-1).
    """

    type: ClassVar = "function_call_output"
    id: str | None = None
    call_id: str | None = None
    name: str | None = None
    namespace: str | None = None
    output: Body
    meta: Meta | None = None


@frozen(kw_only=True)
class CustomToolCall(Call):
    """The call of the custom family."""

    type: ClassVar = "custom_tool_call"
    id: str | None = None
    status: str | None = None
    call_id: str
    name: str
    namespace: str | None = None
    input: str
    meta: Meta | None = None


@frozen(kw_only=True)
class CustomToolCallOutput(Output):
    """The output of the custom family."""

    type: ClassVar = "custom_tool_call_output"
    id: str | None = None
    call_id: str
    name: str | None = None
    output: Body
    meta: Meta | None = None


@frozen(kw_only=True)
class ToolSearchCall(Call):
    """The call of the tool search family, if it has a call_id."""

    type: ClassVar = "tool_search_call"
    id: str | None = None
    call_id: str | None = None
    status: str | None = None
    execution: str
    arguments: Json = field(eq=comparable)
    meta: Meta | None = None


@frozen(kw_only=True)
class ToolSearchOutput(Output):
    """The output of the tool search family."""

    type: ClassVar = "tool_search_output"
    id: str | None = None
    call_id: str | None = None
    status: str
    execution: str
    tools: list[Json] = field(eq=comparable)
    meta: Meta | None = None


@frozen(kw_only=True)
class LocalShellCall(Call):
    """The call of the local shell family, if it has a call_id."""

    type: ClassVar = "local_shell_call"
    id: str | None = None
    call_id: str | None = None
    status: str
    """`completed`, `in_progress` or `incomplete`."""
    action: ExecAction
    meta: Meta | None = None


@frozen(kw_only=True)
class WebSearchCall(Item):
    """A search the provider made by itself."""

    type: ClassVar = "web_search_call"
    id: str | None = None
    status: str | None = None
    action: WebSearchAction | None = None
    meta: Meta | None = None


@frozen(kw_only=True)
class ImageGenerationCall(Item):
    """An image the provider made; `result` is the image itself."""

    type: ClassVar = "image_generation_call"
    id: str | None = None
    status: str
    revised_prompt: str | None = None
    result: str
    meta: Meta | None = None


@frozen(kw_only=True)
class AdditionalTools(Item):
    """Tools made known in the middle of a history."""

    type: ClassVar = "additional_tools"
    id: str | None = None
    role: str
    tools: list[Json] = field(eq=comparable)


@frozen(kw_only=True)
class Compaction(Item):
    """A summary of older items; on input `compaction_summary` is its second name."""

    type: ClassVar = "compaction"
    id: str | None = None
    encrypted_content: str
    meta: Meta | None = None


@frozen(kw_only=True)
class ContextCompaction(Item):
    """A mark where the provider compacted the context."""

    type: ClassVar = "context_compaction"
    id: str | None = None
    encrypted_content: str | None = None
    meta: Meta | None = None


@frozen(kw_only=True)
class CompactionTrigger(Item):
    """A request to compact; never recorded (REC-2)."""

    type: ClassVar = "compaction_trigger"


@frozen(kw_only=True)
class Other(Item):
    """Every item of an unknown type (ITEM-2); never recorded (REC-2)."""

    type: ClassVar = "other"


@frozen
class Envelope:
    """An item and what is kept beside it, never sent to the model (ITEM-6, ITEM-8).

    `success` is the flag of a function or custom output; other items have none.
    """

    item: Item
    metadata: JsonObject | None = field(default=None, eq=comparable)
    success: bool | None = None
