//! The items of a history (SPEC 1.1), as they are kept in memory.

use std::rc::Rc;

use serde_json::{Map, Number, Value};

/// An entry of a history or a prompt; shared, since snapshots and prompts keep most of them.
pub type Entry = Rc<Envelope>;

/// An item and what is kept beside it, which never reaches the model (ITEM-8).
#[derive(Clone, Debug)]
pub struct Envelope {
    pub item: Item,
    pub metadata: Option<Map<String, Value>>,
    /// The success flag of an output that has a body (ITEM-6).
    pub success: Option<bool>,
}

impl From<Item> for Envelope {
    fn from(item: Item) -> Self {
        Self { item, metadata: None, success: None }
    }
}

#[derive(Clone, Debug)]
pub struct Item {
    pub id: Option<String>,
    pub meta: Option<Meta>,
    pub kind: Kind,
}

/// Passthrough metadata.
#[derive(Clone, Debug)]
pub struct Meta {
    pub turn_id: Option<String>,
    pub create_time: Option<Number>,
}

/// What is particular to each type of item, in the order of SPEC's table.
#[derive(Clone, Debug)]
pub enum Kind {
    Message {
        role: String,
        content: Vec<Content>,
        phase: Option<Phase>,
    },
    AgentMessage {
        author: String,
        recipient: String,
        content: Vec<Content>,
    },
    Reasoning {
        summary: Vec<Summary>,
        content: Option<Vec<Thought>>,
        encrypted_content: Option<String>,
    },
    FunctionCall {
        name: String,
        namespace: Option<String>,
        arguments: String,
        encrypted_function_args: Option<Vec<String>>,
        call_id: String,
    },
    /// Without `call_id`, or with `name` or `namespace`, in edition 2026-11 only (E11-1).
    FunctionCallOutput {
        call_id: Option<String>,
        name: Option<String>,
        namespace: Option<String>,
        output: Body,
    },
    CustomToolCall {
        status: Option<String>,
        call_id: String,
        name: String,
        namespace: Option<String>,
        input: String,
    },
    CustomToolCallOutput {
        call_id: String,
        name: Option<String>,
        output: Body,
    },
    ToolSearchCall {
        call_id: Option<String>,
        status: Option<String>,
        execution: String,
        arguments: Value,
    },
    ToolSearchOutput {
        call_id: Option<String>,
        status: String,
        execution: String,
        tools: Vec<Value>,
    },
    LocalShellCall {
        call_id: Option<String>,
        status: ShellStatus,
        action: ShellAction,
    },
    WebSearchCall {
        status: Option<String>,
        action: Option<WebSearchAction>,
    },
    ImageGenerationCall {
        status: String,
        revised_prompt: Option<String>,
        result: String,
    },
    AdditionalTools {
        role: String,
        tools: Vec<Value>,
    },
    Compaction {
        encrypted_content: String,
    },
    ContextCompaction {
        encrypted_content: Option<String>,
    },
    CompactionTrigger,
    /// Every type that SPEC does not list (ITEM-2).
    Other,
}

/// An entry of a content or of an output's body; which ones are allowed depends on the place.
#[derive(Clone, Debug)]
pub enum Content {
    InputText(String),
    InputImage { image_url: String, detail: Option<Detail> },
    InputAudio { audio_url: String },
    OutputText(String),
    Encrypted(String),
}

/// The body of an output: `""`, `[]` and absent are three things (ITEM-5).
#[derive(Clone, Debug)]
pub enum Body {
    Text(String),
    Parts(Vec<Content>),
}

/// An entry of a reasoning's summary.
#[derive(Clone, Debug)]
pub struct Summary(pub String);

/// An entry of a reasoning's content.
#[derive(Clone, Debug)]
pub enum Thought {
    ReasoningText(String),
    Text(String),
}

#[derive(Clone, Debug)]
pub struct ShellAction {
    pub command: Vec<String>,
    pub timeout_ms: Option<u64>,
    pub working_directory: Option<String>,
    pub env: Option<Vec<(String, String)>>,
    pub user: Option<String>,
}

#[derive(Clone, Debug)]
pub enum WebSearchAction {
    Search { query: Option<String>, queries: Option<Vec<String>> },
    OpenPage { url: Option<String> },
    FindInPage { url: Option<String>, pattern: Option<String> },
    Other,
}

#[derive(Clone, Copy, Debug)]
pub enum Phase {
    Commentary,
    FinalAnswer,
}

#[derive(Clone, Copy, Debug)]
pub enum Detail {
    Auto,
    Low,
    High,
    Original,
}

#[derive(Clone, Copy, Debug)]
pub enum ShellStatus {
    Completed,
    InProgress,
    Incomplete,
}

impl Item {
    /// The entries of a message's content or of an output's array body; none for the rest.
    pub fn contents(&self) -> &[Content] {
        match &self.kind {
            Kind::Message { content, .. } => content,
            Kind::FunctionCallOutput { output: Body::Parts(parts), .. }
            | Kind::CustomToolCallOutput { output: Body::Parts(parts), .. } => parts,
            _ => &[],
        }
    }

    pub fn contents_mut(&mut self) -> &mut [Content] {
        match &mut self.kind {
            Kind::Message { content, .. } => content,
            Kind::FunctionCallOutput { output: Body::Parts(parts), .. }
            | Kind::CustomToolCallOutput { output: Body::Parts(parts), .. } => parts,
            _ => &mut [],
        }
    }

    /// The body of a function or custom output.
    pub fn body(&self) -> Option<&Body> {
        match &self.kind {
            Kind::FunctionCallOutput { output, .. } | Kind::CustomToolCallOutput { output, .. } => {
                Some(output)
            }
            _ => None,
        }
    }

    pub fn body_mut(&mut self) -> Option<&mut Body> {
        match &mut self.kind {
            Kind::FunctionCallOutput { output, .. } | Kind::CustomToolCallOutput { output, .. } => {
                Some(output)
            }
            _ => None,
        }
    }

    /// The content of a message of exactly this role.
    pub fn message_of(&self, wanted: &str) -> Option<&[Content]> {
        match &self.kind {
            Kind::Message { role, content, .. } if role == wanted => Some(content),
            _ => None,
        }
    }
}
