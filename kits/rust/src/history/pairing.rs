//! Which outputs belong to which calls, and steps A and B of the projection (SPEC 1.2, 2.2, 2.5).

use std::collections::HashSet;
use std::rc::Rc;

use super::ids;
use super::items::{Body, Entry, Envelope, Item, Kind};
use crate::faults::{Fault, fault};

/// What answers a call; function and local shell calls share theirs (PAIR-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    Function,
    Custom,
    ToolSearch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Function,
    LocalShell,
    Custom,
    ToolSearch,
}

impl Call {
    pub fn family(self) -> Family {
        match self {
            Self::Function | Self::LocalShell => Family::Function,
            Self::Custom => Family::Custom,
            Self::ToolSearch => Family::ToolSearch,
        }
    }
}

impl Item {
    /// The kind of call this is, and its call id; a call without one takes no part (PAIR-5).
    pub fn call(&self) -> Option<(Call, &str)> {
        let (call, call_id) = match &self.kind {
            Kind::FunctionCall { call_id, .. } => (Call::Function, call_id),
            Kind::LocalShellCall { call_id, .. } => (Call::LocalShell, call_id.as_ref()?),
            Kind::CustomToolCall { call_id, .. } => (Call::Custom, call_id),
            Kind::ToolSearchCall { call_id, .. } => (Call::ToolSearch, call_id.as_ref()?),
            _ => return None,
        };
        if call_id.is_empty() && fault(Fault::EmptyCallIdIsAbsent) {
            return None;
        }
        Some((call, call_id)) // "" is an id like any other (PAIR-11).
    }

    /// The family this output is of, and its call id (HEAD-7, ORPH-4, E11-1: one without has no
    /// counterpart, is no orphan and answers nothing).
    pub fn output(&self) -> Option<(Family, &str)> {
        match &self.kind {
            Kind::FunctionCallOutput { call_id, .. } => Some((Family::Function, call_id.as_ref()?)),
            Kind::CustomToolCallOutput { call_id, .. } => Some((Family::Custom, call_id)),
            Kind::ToolSearchOutput { call_id, .. } => Some((Family::ToolSearch, call_id.as_ref()?)),
            _ => None,
        }
    }

    /// A server runs its own tool searches: their outputs need no call (ORPH-3).
    fn is_from_server(&self) -> bool {
        matches!(&self.kind, Kind::ToolSearchOutput { execution, .. } if execution == "server")
    }
}

/// Step A: gives the items with one synthetic output directly after every unanswered call
/// (PAIR-1 to PAIR-14, ORD-2).
pub fn completed(entries: &[Entry], errors: &mut Vec<String>) -> Vec<Entry> {
    let answered = Answered::of(entries);
    let mut completed = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        completed.push(Rc::clone(entry));
        let Some((call, call_id)) = entry.item.call() else { continue };
        if answered.contains(call.family(), call_id, entries.get(index + 1)) {
            continue;
        }
        report_unanswered(call, call_id, errors);
        completed.push(Rc::new(synthetic_output(call, call_id, entry.item.id.as_deref()).into()));
    }
    completed
}

/// The call ids that outputs carry, as they were before any insertion (PAIR-6, PAIR-7).
struct Answered<'a>(HashSet<(Family, &'a str)>);

impl<'a> Answered<'a> {
    fn of(entries: &'a [Entry]) -> Self {
        let outputs = entries.iter().filter_map(|entry| entry.item.output());
        Self(outputs.map(|(family, call_id)| (Self::shared(family), call_id)).collect())
    }

    fn contains(&self, family: Family, call_id: &str, next: Option<&Entry>) -> bool {
        if fault(Fault::AdjacentPairing) {
            return next.and_then(|entry| entry.item.output()) == Some((family, call_id));
        }
        self.0.contains(&(Self::shared(family), call_id))
    }

    fn shared(family: Family) -> Family {
        if fault(Fault::FamiliesShareIds) { Family::Function } else { family }
    }
}

fn report_unanswered(call: Call, call_id: &str, errors: &mut Vec<String>) {
    match call {
        Call::Function | Call::ToolSearch => {} // MODE-2
        Call::LocalShell => {
            anomaly(format!("Local shell call output is missing for call id: {call_id}"), errors);
        }
        Call::Custom => {
            let message = format!("Custom tool call output is missing for call id: {call_id}");
            assert!(cfg!(debug_assertions) || !fault(Fault::ReleasePanics), "{message}");
            anomaly(message, errors);
        }
    }
}

fn synthetic_output(call: Call, call_id: &str, item_id: Option<&str>) -> Item {
    let call_id = call_id.to_owned();
    let body = Body::Text("aborted".to_owned());
    let (prefix, kind) = match call.family() {
        Family::Function => (
            "fco",
            Kind::FunctionCallOutput {
                call_id: Some(call_id.clone()),
                name: None,
                namespace: None,
                output: body,
            },
        ),
        Family::Custom => (
            "ctco",
            Kind::CustomToolCallOutput { call_id: call_id.clone(), name: None, output: body },
        ),
        Family::ToolSearch => (
            "tso",
            Kind::ToolSearchOutput {
                call_id: Some(call_id.clone()),
                status: "completed".to_owned(),
                execution: "client".to_owned(),
                tools: Vec::new(),
            },
        ),
    };
    let source = if fault(Fault::CallIdInSyntheticId) { Some(call_id.as_str()) } else { item_id };
    let id = source.filter(|_| item_id.is_some_and(|id| !id.is_empty())); // SYN-2
    Item { id: id.map(|id| ids::synthetic(prefix, id)), meta: None, kind }
}

/// Step B: gives the items without the outputs whose call is nowhere among them (ORPH-1 to
/// ORPH-9).
pub fn without_orphans(entries: &[Entry], errors: &mut Vec<String>) -> Vec<Entry> {
    let calls = entries.iter().filter_map(|entry| entry.item.call());
    let called: HashSet<_> = calls.map(|(call, call_id)| (call.family(), call_id)).collect();
    let stays = |entry: &&Entry| {
        let Some(output) = entry.item.output() else { return true };
        if called.contains(&output) || entry.item.is_from_server() {
            return true;
        }
        report_orphan(output, errors);
        output.0 == Family::Function && fault(Fault::OrphanKept)
    };
    entries.iter().filter(stays).cloned().collect()
}

fn report_orphan((family, call_id): (Family, &str), errors: &mut Vec<String>) {
    let output = match family {
        Family::Function => "function call output",
        Family::Custom => "custom tool call output",
        Family::ToolSearch => "tool search output",
    };
    anomaly(format!("Orphan {output} for call id: {call_id}"), errors);
}

/// What should not have happened: a debug build stops, a release build says so and goes on
/// (SPEC 2.6).
fn anomaly(message: String, errors: &mut Vec<String>) {
    if cfg!(debug_assertions) && !fault(Fault::NoPanicInDebug) {
        let altered = if fault(Fault::AnotherPanicMessage) { " (altered)" } else { "" };
        panic!("{message}{altered}");
    }
    errors.push(message);
}

/// Finds the first item that head removal takes along with `removed` (HEAD-2 to HEAD-7).
pub fn counterpart(removed: &Envelope, rest: &[Entry]) -> Option<usize> {
    let find = |wanted: &dyn Fn(&Item) -> bool| rest.iter().position(|entry| wanted(&entry.item));
    if let Some((call, call_id)) = removed.item.call() {
        return find(&|item| item.output() == Some((call.family(), call_id)));
    }
    let (family, call_id) = removed.item.output()?;
    match family {
        Family::Function => find(&|item| item.call() == Some((Call::Function, call_id)))
            .or_else(|| find(&|item| item.call() == Some((Call::LocalShell, call_id)))),
        Family::Custom => find(&|item| item.call() == Some((Call::Custom, call_id))),
        Family::ToolSearch => find(&|item| item.call() == Some((Call::ToolSearch, call_id))),
    }
}
