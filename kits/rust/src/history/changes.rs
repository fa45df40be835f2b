//! Head removal and rollback (SPEC 4.2 and 4.3).

use std::rc::Rc;

use super::fragments::{
    is_contextual_developer_entry, is_contextual_user_content, is_model_switch,
};
use super::instruction::is_instruction;
use super::items::{Content, Entry, Item, Kind};
use super::pairing;
use crate::faults::{Fault, fault};

/// Removes the oldest item and at most one counterpart; says whether there was one (HEAD-1).
pub fn remove_first(entries: &mut Vec<Entry>) -> bool {
    if entries.is_empty() {
        return false;
    }
    let removed = entries.remove(0);
    while let Some(index) = pairing::counterpart(&removed, entries) {
        entries.remove(index);
        if !fault(Fault::HeadRemovesAllMatches) {
            break;
        }
    }
    true
}

/// Cuts the history before the n-th turn from the end, n at least one; says whether that tore a
/// mixed bundle of developer messages apart (ROLL-2 to ROLL-9).
pub fn drop_last_turns(entries: &mut Vec<Entry>, turns: u32) -> bool {
    let boundaries: Vec<usize> =
        (0..entries.len()).filter(|&index| is_boundary(&entries[index].item)).collect();
    let Some(&first) = boundaries.first() else { return false };
    let turns = usize::try_from(turns).unwrap_or(usize::MAX);
    let nth = boundaries[boundaries.len().saturating_sub(turns)];
    if nth == first {
        let turn_id = entries[first].item.turn_id().map(str::to_owned);
        entries.truncate(first);
        if let Some(turn_id) = turn_id {
            clean_up_first_turn(entries, &turn_id);
        }
        return false; // ROLL-7
    }
    let walked_over = entries[first + 1..nth].iter().rev().take_while(|it| is_context(&it.item));
    let cut = nth - walked_over.count();
    let mixed = entries[cut..nth].iter().any(|entry| is_mixed_bundle(&entry.item));
    entries.truncate(cut);
    mixed
}

/// ROLL-2.
fn is_boundary(item: &Item) -> bool {
    matches!(item.kind, Kind::AgentMessage { .. })
        || item.message_of("user").is_some_and(|content| !is_contextual_user_content(content))
        || item.message_of("assistant").is_some_and(is_instruction)
}

/// What belongs to the turn that follows it (ROLL-5).
fn is_context(item: &Item) -> bool {
    item.message_of("developer").is_some_and(is_contextual_developer_content)
        || item.message_of("user").is_some_and(is_contextual_user_content)
}

fn is_contextual_developer_content(content: &[Content]) -> bool {
    content.iter().any(is_contextual_developer_entry)
}

fn is_mixed_bundle(item: &Item) -> bool {
    let content = item.message_of("developer");
    content.is_some_and(|content| !content.iter().all(is_contextual_developer_entry))
}

/// Takes the news of a model switch out of the first turn's developer messages (ROLL-9).
fn clean_up_first_turn(entries: &mut Vec<Entry>, turn_id: &str) {
    entries.retain_mut(|entry| {
        let of_turn = entry.item.turn_id() == Some(turn_id);
        let Some(content) = entry.item.message_of("developer").filter(|_| of_turn) else {
            return true;
        };
        let is_switch =
            |it: &Content| matches!(it, Content::InputText(text) if is_model_switch(text));
        if content.iter().any(is_switch)
            && let Kind::Message { content, .. } = &mut Rc::make_mut(entry).item.kind
        {
            content.retain(|it| !is_switch(it));
        }
        !entry.item.contents().is_empty()
    });
}

impl Item {
    /// The turn this item belongs to; an empty one is none (ROLL-9).
    fn turn_id(&self) -> Option<&str> {
        self.meta.as_ref()?.turn_id.as_deref().filter(|turn_id| !turn_id.is_empty())
    }
}
