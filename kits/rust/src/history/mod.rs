//! A small context history, written from contextcert's specification, editions 2026-08 and
//! 2026-11. The clauses stand behind what they ask for.

mod changes;
mod fragments;
mod ids;
mod instruction;
pub mod items;
mod media;
mod pairing;
pub mod reading;
mod recording;
mod truncation;
pub mod wire;
mod world;
mod writing;

use std::rc::Rc;

use serde_json::Value;

use crate::faults::{self, Fault, fault};
use items::{Entry, Envelope};
pub use media::Modality;
pub use truncation::Policy;
pub use world::StateReport;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Edition {
    #[default]
    August2026,
    November2026,
}

/// Everything that was said, and what its consumers need beside it (VER-1).
#[derive(Clone, Debug, Default)]
pub struct History {
    edition: Edition,
    entries: Vec<Entry>,
    version: u64,
    baseline: Option<Value>,
    pub reference_context: Option<Value>,
    pub token_info: Option<Value>,
}

/// A place in a transcript (CUR-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    pub history_version: u64,
    pub entry_count: u64,
}

/// What a reader of the transcript gets (CUR-1, CUR-2).
pub enum Transcript {
    Full(Vec<Entry>),
    Delta(Vec<Entry>),
}

impl History {
    pub fn new(edition: Edition) -> Self {
        Self { edition, ..Self::default() }
    }

    /// Appends what belongs into a history, outputs shortened to the policy (REC-1 to REC-7).
    pub fn record(&mut self, envelopes: Vec<Envelope>, policy: Policy) {
        let recorded = recording::recorded(envelopes, policy, self.edition);
        self.entries.extend(recorded.map(Rc::new));
        if fault(Fault::VersionBumpedByRecording) {
            self.version = self.version.saturating_add(1);
        }
    }

    /// Appends a session that was stored (E11-2).
    pub fn restore(&mut self, envelopes: Vec<Envelope>) {
        self.entries.extend(recording::restored(envelopes, self.edition).map(Rc::new));
    }

    /// Gives the prompt (SPEC 2); error-level messages are added to `errors`.
    ///
    /// # Panics
    /// At the first anomaly, in a debug build (MODE-3, MODE-6).
    pub fn prompt(&self, modalities: &[Modality], errors: &mut Vec<String>) -> Vec<Entry> {
        faults::projecting(self.entries.iter().map(Rc::as_ref));
        let completed = pairing::completed(&self.entries, errors);
        let mut prompt = pairing::without_orphans(&completed, errors);
        media::downgrade(&mut prompt, modalities);
        if self.edition == Edition::November2026 {
            ids::hide_malformed(&mut prompt);
        }
        prompt
    }

    /// The fault `repair-written-back`: the projection leaves its synthetic outputs behind.
    pub fn write_repairs_back(&mut self) {
        self.entries = pairing::completed(&self.entries, &mut Vec::new());
    }

    /// The entries at this moment (SNAP-2).
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub fn version(&self) -> u64 {
        self.version
    }

    /// Drops the oldest item and its counterpart (HEAD-1 to HEAD-8).
    pub fn remove_first(&mut self) {
        if changes::remove_first(&mut self.entries) {
            self.baseline = None; // WORLD-5
        }
    }

    /// Drops the last turns (ROLL-1 to ROLL-9).
    pub fn drop_last_turns(&mut self, turns: u32) {
        if turns == 0 {
            return;
        }
        let mixed = changes::drop_last_turns(&mut self.entries, turns);
        if mixed && !fault(Fault::MixedBundleKeepsReference) {
            self.reference_context = None; // ROLL-6
        }
        self.rewritten(!fault(Fault::BaselineKeptByRollback));
    }

    /// Installs exactly these items (REPL-1, REPL-2).
    pub fn replace(&mut self, envelopes: Vec<Envelope>) {
        self.entries = envelopes.into_iter().map(Rc::new).collect();
        self.rewritten(true);
    }

    fn rewritten(&mut self, clear_baseline: bool) {
        self.version = self.version.saturating_add(1); // VER-2
        if clear_baseline {
            self.baseline = None; // WORLD-5
        }
    }

    pub fn baseline(&self) -> Option<&Value> {
        self.baseline.as_ref()
    }

    pub fn set_baseline(&mut self, state: Option<Value>) {
        self.baseline = state;
    }

    /// Reports a new state against the baseline, which it becomes (WORLD-1 to WORLD-3).
    pub fn update_world_state(&mut self, state: Value) -> StateReport {
        let report = world::report(self.baseline.as_ref(), &state);
        self.baseline = Some(state);
        report
    }

    /// Reads the transcript from a cursor on (CUR-1 to CUR-4).
    pub fn read_transcript(&self, cursor: Option<Cursor>) -> (Transcript, Cursor) {
        let transcript = match cursor.and_then(|cursor| self.unread(cursor)) {
            Some(unread) => Transcript::Delta(unread.to_vec()),
            None => Transcript::Full(self.entries.clone()),
        };
        let entry_count = self.entries.len() as u64;
        (transcript, Cursor { history_version: self.version, entry_count })
    }

    fn unread(&self, cursor: Cursor) -> Option<&[Entry]> {
        if cursor.history_version != self.version && !fault(Fault::DeltaAfterReplace) {
            return None;
        }
        self.entries.get(usize::try_from(cursor.entry_count).ok()?..)
    }
}
