//! Items to JSON, fields in the order of SPEC's table (ITEM-1, ITEM-2, ITEM-6 to ITEM-8).

use serde_json::Value;

use super::items::{
    Body, Content, Envelope, Item, Kind, Meta, ShellAction, Summary, Thought, WebSearchAction,
};
use super::wire::{ToJson, Written};

impl ToJson for Envelope {
    fn to_json(&self) -> Value {
        Written::default()
            .with("item", &self.item)
            .with_nullable("metadata", self.metadata.as_ref())
            .with_present("success", self.success.as_ref())
            .done()
    }
}

impl ToJson for Item {
    fn to_json(&self) -> Value {
        let written = Written::of_type(type_name(&self.kind)).with_present("id", self.id.as_ref());
        write_kind(&self.kind, written)
            .with_present("internal_chat_message_metadata_passthrough", self.meta.as_ref())
            .done()
    }
}

fn type_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Message { .. } => "message",
        Kind::AgentMessage { .. } => "agent_message",
        Kind::Reasoning { .. } => "reasoning",
        Kind::FunctionCall { .. } => "function_call",
        Kind::FunctionCallOutput { .. } => "function_call_output",
        Kind::CustomToolCall { .. } => "custom_tool_call",
        Kind::CustomToolCallOutput { .. } => "custom_tool_call_output",
        Kind::ToolSearchCall { .. } => "tool_search_call",
        Kind::ToolSearchOutput { .. } => "tool_search_output",
        Kind::LocalShellCall { .. } => "local_shell_call",
        Kind::WebSearchCall { .. } => "web_search_call",
        Kind::ImageGenerationCall { .. } => "image_generation_call",
        Kind::AdditionalTools { .. } => "additional_tools",
        Kind::Compaction { .. } => "compaction",
        Kind::ContextCompaction { .. } => "context_compaction",
        Kind::CompactionTrigger => "compaction_trigger",
        Kind::Other => "other",
    }
}

#[allow(clippy::too_many_lines)] // SPEC's table, line by line.
fn write_kind(kind: &Kind, to: Written) -> Written {
    match kind {
        Kind::Message { role, content, phase } => {
            to.with("role", role).with("content", content).with_present("phase", phase.as_ref())
        }
        Kind::AgentMessage { author, recipient, content } => {
            to.with("author", author).with("recipient", recipient).with("content", content)
        }
        Kind::Reasoning { summary, content, encrypted_content } => {
            write_thoughts(content.as_ref(), to.with("summary", summary))
                .with_nullable("encrypted_content", encrypted_content.as_ref())
        }
        Kind::FunctionCall { name, namespace, arguments, encrypted_function_args, call_id } => to
            .with("name", name)
            .with_present("namespace", namespace.as_ref())
            .with("arguments", arguments)
            .with_present("encrypted_function_args", encrypted_function_args.as_ref())
            .with("call_id", call_id),
        Kind::FunctionCallOutput { call_id, name, namespace, output } => to
            .with_present("call_id", call_id.as_ref())
            .with_present("name", name.as_ref())
            .with_present("namespace", namespace.as_ref())
            .with("output", output),
        Kind::CustomToolCall { status, call_id, name, namespace, input } => to
            .with_present("status", status.as_ref())
            .with("call_id", call_id)
            .with("name", name)
            .with_present("namespace", namespace.as_ref())
            .with("input", input),
        Kind::CustomToolCallOutput { call_id, name, output } => {
            to.with("call_id", call_id).with_present("name", name.as_ref()).with("output", output)
        }
        Kind::ToolSearchCall { call_id, status, execution, arguments } => to
            .with_nullable("call_id", call_id.as_ref())
            .with_present("status", status.as_ref())
            .with("execution", execution)
            .with("arguments", arguments),
        Kind::ToolSearchOutput { call_id, status, execution, tools } => to
            .with_nullable("call_id", call_id.as_ref())
            .with("status", status)
            .with("execution", execution)
            .with("tools", tools),
        Kind::LocalShellCall { call_id, status, action } => to
            .with_nullable("call_id", call_id.as_ref())
            .with("status", status)
            .with("action", action),
        Kind::WebSearchCall { status, action } => {
            to.with_present("status", status.as_ref()).with_present("action", action.as_ref())
        }
        Kind::ImageGenerationCall { status, revised_prompt, result } => to
            .with("status", status)
            .with_present("revised_prompt", revised_prompt.as_ref())
            .with("result", result),
        Kind::AdditionalTools { role, tools } => to.with("role", role).with("tools", tools),
        Kind::Compaction { encrypted_content } => to.with("encrypted_content", encrypted_content),
        Kind::ContextCompaction { encrypted_content } => {
            to.with_present("encrypted_content", encrypted_content.as_ref())
        }
        Kind::CompactionTrigger | Kind::Other => to,
    }
}

/// Absent is null, no `reasoning_text` is left out, all else is written whole (ITEM-7).
fn write_thoughts(content: Option<&Vec<Thought>>, to: Written) -> Written {
    match content {
        Some(content) if !content.iter().any(|it| matches!(it, Thought::ReasoningText(_))) => to,
        content => to.with_nullable("content", content),
    }
}

impl ToJson for Content {
    fn to_json(&self) -> Value {
        match self {
            Self::InputText(text) => Written::of_type("input_text").with("text", text),
            Self::InputImage { image_url, detail } => Written::of_type("input_image")
                .with("image_url", image_url)
                .with_present("detail", detail.as_ref()),
            Self::InputAudio { audio_url } => {
                Written::of_type("input_audio").with("audio_url", audio_url)
            }
            Self::OutputText(text) => Written::of_type("output_text").with("text", text),
            Self::Encrypted(text) => {
                Written::of_type("encrypted_content").with("encrypted_content", text)
            }
        }
        .done()
    }
}

impl ToJson for Body {
    fn to_json(&self) -> Value {
        match self {
            Self::Text(text) => text.to_json(),
            Self::Parts(parts) => parts.to_json(),
        }
    }
}

impl ToJson for Meta {
    fn to_json(&self) -> Value {
        Written::default()
            .with_present("turn_id", self.turn_id.as_ref())
            .with_present("create_time", self.create_time.as_ref())
            .done()
    }
}

impl ToJson for Summary {
    fn to_json(&self) -> Value {
        Written::of_type("summary_text").with("text", &self.0).done()
    }
}

impl ToJson for Thought {
    fn to_json(&self) -> Value {
        match self {
            Self::ReasoningText(text) => Written::of_type("reasoning_text").with("text", text),
            Self::Text(text) => Written::of_type("text").with("text", text),
        }
        .done()
    }
}

impl ToJson for ShellAction {
    fn to_json(&self) -> Value {
        Written::of_type("exec")
            .with("command", &self.command)
            .with_nullable("timeout_ms", self.timeout_ms.as_ref())
            .with_nullable("working_directory", self.working_directory.as_ref())
            .with_nullable("env", self.env.as_ref())
            .with_nullable("user", self.user.as_ref())
            .done()
    }
}

impl ToJson for WebSearchAction {
    fn to_json(&self) -> Value {
        match self {
            Self::Search { query, queries } => Written::of_type("search")
                .with_present("query", query.as_ref())
                .with_present("queries", queries.as_ref()),
            Self::OpenPage { url } => {
                Written::of_type("open_page").with_present("url", url.as_ref())
            }
            Self::FindInPage { url, pattern } => Written::of_type("find_in_page")
                .with_present("url", url.as_ref())
                .with_present("pattern", pattern.as_ref()),
            Self::Other => Written::of_type("other"),
        }
        .done()
    }
}
