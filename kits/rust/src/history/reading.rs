//! Items from JSON: whole or not at all (ITEM-1 to ITEM-5).

use serde_json::Value;

use super::Edition;
use super::items::{
    Body, Content, Envelope, Item, Kind, Meta, ShellAction, Summary, Thought, WebSearchAction,
};
use super::wire::{Fields, FromJson, Unreadable, read_each};

/// Reads a list of items; one that cannot be read refuses them all (ITEM-4).
///
/// # Errors
/// The value is no array, or an item in it is unreadable.
pub fn read_items(value: Value, edition: Edition) -> Result<Vec<Envelope>, Unreadable> {
    read_each(value, |item| read_item(item, edition).map(Envelope::from))
}

/// Reads a list of envelopes: `{"item", "metadata", "success"?}`.
///
/// # Errors
/// The value is no array, or an envelope in it is unreadable.
pub fn read_envelopes(value: Value, edition: Edition) -> Result<Vec<Envelope>, Unreadable> {
    read_each(value, |envelope| {
        let mut fields = Fields::from_json(envelope)?;
        let item = fields.required_by("item", |item| read_item(item, edition))?;
        let metadata = fields.optional("metadata")?;
        let success = fields.optional("success")?.filter(|_| item.body().is_some());
        Ok(Envelope { item, metadata, success })
    })
}

fn read_item(value: Value, edition: Edition) -> Result<Item, Unreadable> {
    let mut fields = Fields::from_json(value)?;
    let kind = read_kind(&mut fields, edition)?;
    let (has_id, has_meta) = match kind {
        Kind::CompactionTrigger | Kind::Other => (false, false),
        Kind::AdditionalTools { .. } => (true, false),
        _ => (true, true),
    };
    Ok(Item {
        id: if has_id { fields.optional("id")? } else { None },
        meta: if has_meta {
            fields.optional("internal_chat_message_metadata_passthrough")?
        } else {
            None
        },
        kind,
    })
}

#[allow(clippy::too_many_lines)] // SPEC's table, line by line.
fn read_kind(fields: &mut Fields, edition: Edition) -> Result<Kind, Unreadable> {
    Ok(match fields.required::<String>("type")?.as_str() {
        "message" => Kind::Message {
            role: fields.required("role")?,
            content: fields.required_by("content", contents(IN_MESSAGE))?,
            phase: fields.optional("phase")?,
        },
        "agent_message" => Kind::AgentMessage {
            author: fields.required("author")?,
            recipient: fields.required("recipient")?,
            content: fields.required_by("content", contents(IN_AGENT_MESSAGE))?,
        },
        "reasoning" => Kind::Reasoning {
            summary: fields.required("summary")?,
            content: fields.optional("content")?,
            encrypted_content: fields.optional("encrypted_content")?,
        },
        "function_call" => Kind::FunctionCall {
            name: fields.required("name")?,
            namespace: fields.optional("namespace")?,
            arguments: fields.required("arguments")?,
            encrypted_function_args: fields.optional("encrypted_function_args")?,
            call_id: fields.required("call_id")?,
        },
        "function_call_output" => read_function_output(fields, edition)?,
        "custom_tool_call" => Kind::CustomToolCall {
            status: fields.optional("status")?,
            call_id: fields.required("call_id")?,
            name: fields.required("name")?,
            namespace: fields.optional("namespace")?,
            input: fields.required("input")?,
        },
        "custom_tool_call_output" => Kind::CustomToolCallOutput {
            call_id: fields.required("call_id")?,
            name: fields.optional("name")?,
            output: fields.required("output")?,
        },
        "tool_search_call" => Kind::ToolSearchCall {
            call_id: fields.optional("call_id")?,
            status: fields.optional("status")?,
            execution: fields.required("execution")?,
            arguments: fields.required("arguments")?,
        },
        "tool_search_output" => Kind::ToolSearchOutput {
            call_id: fields.optional("call_id")?,
            status: fields.required("status")?,
            execution: fields.required("execution")?,
            tools: fields.required("tools")?,
        },
        "local_shell_call" => Kind::LocalShellCall {
            call_id: fields.optional("call_id")?,
            status: fields.required("status")?,
            action: fields.required("action")?,
        },
        "web_search_call" => Kind::WebSearchCall {
            status: fields.optional("status")?,
            action: fields.optional("action")?,
        },
        "image_generation_call" => Kind::ImageGenerationCall {
            status: fields.required("status")?,
            revised_prompt: fields.optional("revised_prompt")?,
            result: fields.required("result")?,
        },
        "additional_tools" => Kind::AdditionalTools {
            role: fields.required("role")?,
            tools: fields.required("tools")?,
        },
        "compaction" | "compaction_summary" => {
            Kind::Compaction { encrypted_content: fields.required("encrypted_content")? }
        }
        "context_compaction" => {
            Kind::ContextCompaction { encrypted_content: fields.optional("encrypted_content")? }
        }
        "compaction_trigger" => Kind::CompactionTrigger,
        _ => Kind::Other,
    })
}

fn read_function_output(fields: &mut Fields, edition: Edition) -> Result<Kind, Unreadable> {
    Ok(match edition {
        Edition::August2026 => Kind::FunctionCallOutput {
            call_id: Some(fields.required("call_id")?),
            name: None,
            namespace: None,
            output: fields.required("output")?,
        },
        Edition::November2026 => Kind::FunctionCallOutput {
            call_id: fields.optional("call_id")?,
            name: fields.optional("name")?,
            namespace: fields.optional("namespace")?,
            output: fields.required("output")?,
        },
    })
}

type Allowed = &'static [&'static str];

const IN_MESSAGE: Allowed = &["input_text", "input_image", "input_audio", "output_text"];
const IN_AGENT_MESSAGE: Allowed = &["input_text", "encrypted_content"];
const IN_OUTPUT: Allowed = &["input_text", "input_image", "input_audio", "encrypted_content"];

/// Gives a reader of content that allows these types only.
fn contents(allowed: Allowed) -> impl Fn(Value) -> Result<Vec<Content>, Unreadable> {
    move |value| read_each(value, |entry| read_content(entry, allowed))
}

fn read_content(value: Value, allowed: Allowed) -> Result<Content, Unreadable> {
    let mut fields = Fields::from_json(value)?;
    let name = fields.required::<String>("type")?;
    Ok(match name.as_str() {
        name if !allowed.contains(&name) => return Err(unknown_type(name)),
        "input_text" => Content::InputText(fields.required("text")?),
        "input_image" => Content::InputImage {
            image_url: fields.required("image_url")?,
            detail: fields.optional("detail")?,
        },
        "input_audio" => Content::InputAudio { audio_url: fields.required("audio_url")? },
        "output_text" => Content::OutputText(fields.required("text")?),
        "encrypted_content" => Content::Encrypted(fields.required("encrypted_content")?),
        name => return Err(unknown_type(name)),
    })
}

fn unknown_type(name: &str) -> Unreadable {
    Unreadable::unknown(name).in_field("type")
}

impl FromJson for Body {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        match value {
            Value::String(text) => Ok(Self::Text(text)),
            Value::Array(_) => contents(IN_OUTPUT)(value).map(Self::Parts),
            _ => Err(Unreadable::new("is to be a string or an array")),
        }
    }
}

impl FromJson for Meta {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        let mut fields = Fields::from_json(value)?;
        Ok(Self {
            turn_id: fields.optional("turn_id")?,
            create_time: fields.optional("create_time")?,
        })
    }
}

impl FromJson for Summary {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        let mut fields = Fields::from_json(value)?;
        match fields.required::<String>("type")?.as_str() {
            "summary_text" => Ok(Self(fields.required("text")?)),
            name => Err(unknown_type(name)),
        }
    }
}

impl FromJson for Thought {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        let mut fields = Fields::from_json(value)?;
        match fields.required::<String>("type")?.as_str() {
            "reasoning_text" => Ok(Self::ReasoningText(fields.required("text")?)),
            "text" => Ok(Self::Text(fields.required("text")?)),
            name => Err(unknown_type(name)),
        }
    }
}

impl FromJson for ShellAction {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        let mut fields = Fields::from_json(value)?;
        match fields.required::<String>("type")?.as_str() {
            "exec" => Ok(Self {
                command: fields.required("command")?,
                timeout_ms: fields.optional("timeout_ms")?,
                working_directory: fields.optional("working_directory")?,
                env: fields.optional("env")?,
                user: fields.optional("user")?,
            }),
            name => Err(unknown_type(name)),
        }
    }
}

impl FromJson for WebSearchAction {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        let mut fields = Fields::from_json(value)?;
        Ok(match fields.required::<String>("type")?.as_str() {
            "search" => Self::Search {
                query: fields.optional("query")?,
                queries: fields.optional("queries")?,
            },
            "open_page" => Self::OpenPage { url: fields.optional("url")? },
            "find_in_page" => Self::FindInPage {
                url: fields.optional("url")?,
                pattern: fields.optional("pattern")?,
            },
            _ => Self::Other,
        })
    }
}
