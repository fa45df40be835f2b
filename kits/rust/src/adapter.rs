//! The implementer's part: who we are, and how one operation is performed. This one calls the
//! history in `history/`; put your own calls between the two marks.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::faults::{Fault, fault};
use crate::history::items::{Entry, Envelope};
use crate::history::reading::{read_envelopes, read_items};
use crate::history::wire::{Fields, FromJson, ToJson, Unreadable};
use crate::history::{Cursor, Edition, History, Modality, Policy, StateReport, Transcript};
use crate::protocol::{Adapter, Object, Refusal, object};

#[derive(Default)]
pub struct ContextAdapter {
    edition: Edition,
}

/// What one script works on: its histories by handle, and what it holds by name.
#[derive(Default)]
pub struct Script {
    edition: Edition,
    handles: HashMap<u64, usize>,
    histories: Vec<History>,
    held: HashMap<String, Vec<Entry>>,
}

impl Script {
    fn index(&mut self, handle: u64) -> usize {
        let Self { edition, handles, histories, .. } = self;
        *handles.entry(handle).or_insert_with(|| {
            histories.push(History::new(*edition));
            histories.len() - 1
        })
    }
}

impl From<Unreadable> for Refusal {
    fn from(trouble: Unreadable) -> Self {
        Self::Error(trouble.to_string())
    }
}

impl Adapter for ContextAdapter {
    type Script = Script;

    fn fresh_script(&self) -> Script {
        Script { edition: self.edition, ..Script::default() }
    }

    // ---- YOUR CALLS START HERE ----

    fn initialize(&mut self, params: &Value) -> Value {
        self.edition = match params["edition"].as_str() {
            Some("2026-11") => Edition::November2026,
            _ => Edition::August2026,
        };
        let debug = cfg!(debug_assertions) != fault(Fault::WrongMode);
        json!({
            "protocol": 1,
            "implementation": {
                "name": "rust-kit",
                "version": env!("CARGO_PKG_VERSION"),
                "language": "rust",
            },
            "mode": if debug { "debug" } else { "release" },
            "editions": ["2026-08", "2026-11"],
            "claim": {
                "profiles": [
                    "projection", "media", "recording", "changes",
                    "world", "cursor", "snapshots", "wire",
                ],
                "item_types": [
                    "message", "agent_message", "reasoning", "function_call",
                    "function_call_output", "custom_tool_call", "custom_tool_call_output",
                    "tool_search_call", "tool_search_output", "local_shell_call",
                    "web_search_call", "image_generation_call", "additional_tools", "compaction",
                    "context_compaction", "compaction_trigger",
                ],
                "modalities": ["text", "image", "audio"],
            },
            "capabilities": {
                "diagnostics": true,
                "continue_after_panic": true,
                "exact_numbers": true,
                "success_flag": true,
                "restore_items": self.edition == Edition::November2026,
            },
        })
    }

    fn perform(
        &self,
        script: &mut Script,
        operation: Object,
        diagnostics: &mut Vec<String>,
    ) -> Result<Value, Refusal> {
        let mut fields = Fields::from(operation);
        let name: String = fields.required("op")?;
        let index = script.index(fields.optional("on")?.unwrap_or(0));
        let history = &mut script.histories[index];
        let edition = self.edition;
        Ok(match name.as_str() {
            "record_items" => {
                let items = fields.required_by("items", |value| read_items(value, edition))?;
                history.record(items, fields.required_by("policy", read_policy)?);
                Value::Null
            }
            "record_annotated_items" => {
                let read = |value| read_envelopes(value, edition);
                let envelopes = fields.required_by("envelopes", read)?;
                history.record(envelopes, fields.required_by("policy", read_policy)?);
                Value::Null
            }
            "restore_items" if edition == Edition::November2026 => {
                history.restore(fields.required_by("items", |value| read_items(value, edition))?);
                Value::Null
            }
            "for_prompt" => written_items(&prompt(history, &mut fields, diagnostics)?),
            "for_prompt_annotated" => written(&prompt(history, &mut fields, diagnostics)?),
            "raw_items" => written_items(history.entries()),
            "raw_envelopes" => written(history.entries()),
            "remove_first_item" => {
                history.remove_first();
                Value::Null
            }
            "drop_last_n_user_turns" => {
                history.drop_last_turns(fields.required("num_turns")?);
                Value::Null
            }
            "replace" => {
                history.replace(fields.required_by("items", |value| read_items(value, edition))?);
                Value::Null
            }
            "history_version" => history.version().into(),
            "clone" => {
                let to: u64 = fields.required("to")?;
                let copy = history.clone();
                let target = script.index(to);
                script.histories[target] = copy;
                if fault(Fault::CloneSharesState) {
                    script.handles.insert(to, index);
                }
                Value::Null
            }
            "hold" => {
                let name = fields.required("name")?;
                let what = match fields.required::<String>("what")?.as_str() {
                    "raw_items" => history.entries().to_vec(),
                    "for_prompt" => prompt(history, &mut fields, diagnostics)?,
                    what => return Err(Unreadable::unknown(what).in_field("what").into()),
                };
                script.held.insert(name, what);
                Value::Null
            }
            "held" => {
                let name: String = fields.required("name")?;
                let held = script.held.get(&name);
                written_items(held.ok_or_else(|| Unreadable::unknown(&name).in_field("name"))?)
            }
            "set_reference_context_item" => {
                history.reference_context = Some(fields.required("value")?);
                Value::Null
            }
            "reference_context_item" => history.reference_context.clone().unwrap_or_default(),
            "update_world_state" => {
                let state: Object = fields.required("state")?;
                match history.update_world_state(state.into()) {
                    StateReport::Full(state) => object([("full", true.into()), ("state", state)]),
                    StateReport::Patch(patch) => object([("full", false.into()), ("patch", patch)]),
                    StateReport::Nothing => Value::Null,
                }
            }
            "set_world_state_baseline" => {
                let state: Value = fields.required("state")?;
                history.set_baseline(Some(state).filter(|state| !state.is_null()));
                Value::Null
            }
            "world_state_baseline" => history.baseline().cloned().unwrap_or_default(),
            "set_token_info" => {
                history.token_info = Some(fields.required("value")?);
                Value::Null
            }
            "token_info" => history.token_info.clone().unwrap_or_default(),
            "read_transcript" => {
                let cursor = fields.optional::<Fields>("cursor")?.map(read_cursor).transpose()?;
                written_transcript(history.read_transcript(cursor))
            }
            _ if fault(Fault::UnknownOperationCrashes) => std::process::exit(4),
            _ => return Err(Refusal::Unsupported(format!("no operation {name}"))),
        })
    }

    // ---- YOUR CALLS END HERE ----
}

fn prompt(
    history: &mut History,
    fields: &mut Fields,
    diagnostics: &mut Vec<String>,
) -> Result<Vec<Entry>, Unreadable> {
    let modalities: Vec<Modality> = fields.required("input_modalities")?;
    let prompt = history.prompt(&modalities, diagnostics);
    if fault(Fault::RepairWrittenBack) {
        history.write_repairs_back();
    }
    Ok(prompt)
}

fn read_policy(value: Value) -> Result<Policy, Unreadable> {
    let mut fields = Fields::from_json(value)?;
    let mode: String = fields.required("mode")?;
    let limit = fields.required("limit")?;
    match mode.as_str() {
        "bytes" => Ok(Policy::Bytes(limit)),
        "tokens" => Ok(Policy::Tokens(limit)),
        _ => Err(Unreadable::unknown(&mode).in_field("mode")),
    }
}

fn read_cursor(mut fields: Fields) -> Result<Cursor, Unreadable> {
    Ok(Cursor {
        history_version: fields.required("history_version")?,
        entry_count: fields.required("entry_count")?,
    })
}

fn written_items(entries: &[Entry]) -> Value {
    entries.iter().map(|entry| entry.item.to_json()).collect()
}

fn written(entries: &[Entry]) -> Value {
    entries.iter().map(|entry| Envelope::to_json(entry)).collect()
}

fn written_transcript((transcript, cursor): (Transcript, Cursor)) -> Value {
    let (kind, entries) = match transcript {
        Transcript::Full(entries) => ("full", entries),
        Transcript::Delta(entries) => ("delta", entries),
    };
    let cursor = object([
        ("history_version", cursor.history_version.into()),
        ("entry_count", cursor.entry_count.into()),
    ]);
    object([("kind", kind.into()), ("entries", written_items(&entries)), ("cursor", cursor)])
}
