//! The fault switch: `CONTEXTCERT_FAULT=name` breaks this subject in one known way, so that one
//! can see contextcert catch it. Not part of an adapter: leave it out of your own.

use std::io::{self, Write};
use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, thread};

use crate::history::items::{Envelope, Kind};

macro_rules! faults {
    ($($fault:ident = $name:literal),+ $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub enum Fault {
            $($fault),+
        }

        const NAMES: &[(&str, Fault)] = &[$(($name, Fault::$fault)),+];
    };
}

faults! {
    AdjacentPairing = "adjacent-pairing",
    CallIdInSyntheticId = "call-id-in-synthetic-id",
    FamiliesShareIds = "families-share-ids",
    OrphanKept = "orphan-kept",
    ImageRemoved = "image-removed",
    MarkerCountsRemoved = "marker-counts-removed",
    HeadRemovesAllMatches = "head-removes-all-matches",
    BaselineKeptByRollback = "baseline-kept-by-rollback",
    VersionBumpedByRecording = "version-bumped-by-recording",
    MixedBundleKeepsReference = "mixed-bundle-keeps-reference",
    CloneSharesState = "clone-shares-state",
    DeltaAfterReplace = "delta-after-replace",
    RepairWrittenBack = "repair-written-back",
    EmptyCallIdIsAbsent = "empty-call-id-is-absent",
    NoPanicInDebug = "no-panic-in-debug",
    AnotherPanicMessage = "another-panic-message",
    ReleasePanics = "release-panics",
    WrongMode = "wrong-mode",
    Crash = "crash",
    Hang = "hang",
    Garbage = "garbage",
    WrongId = "wrong-id",
    HalfLine = "half-line",
    UnknownOperationCrashes = "unknown-operation-crashes",
}

static CHOSEN: OnceLock<Option<Fault>> = OnceLock::new();

/// Set while the script that is being answered has projected an agent message.
static AGENT_MESSAGE_SEEN: AtomicBool = AtomicBool::new(false);

/// Reads the switch; a name it does not know ends the program with status 2.
pub fn read_switch() {
    let Ok(wanted) = env::var("CONTEXTCERT_FAULT") else { return };
    let found = NAMES.iter().find(|(name, _)| *name == wanted);
    let Some((_, fault)) = found else {
        let known: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
        eprintln!("CONTEXTCERT_FAULT: no fault is called {wanted:?}; one of {}", known.join(", "));
        process::exit(2);
    };
    CHOSEN.get_or_init(|| Some(*fault));
}

/// Says whether this fault is switched on.
pub fn fault(asked: Fault) -> bool {
    *CHOSEN.get_or_init(|| None) == Some(asked)
}

/// The transport's faults bite where a projection meets an agent message.
pub fn projecting<'a>(mut envelopes: impl Iterator<Item = &'a Envelope>) {
    let Some(Some(chosen)) = CHOSEN.get() else { return };
    if !envelopes.any(|it| matches!(it.item.kind, Kind::AgentMessage { .. })) {
        return;
    }
    AGENT_MESSAGE_SEEN.store(true, Ordering::Relaxed);
    match chosen {
        Fault::Crash => {
            eprintln!("the fault `crash`: a projection met an agent message");
            process::exit(3);
        }
        Fault::Hang => loop {
            thread::park();
        },
        _ => {}
    }
}

/// Standard output, spoilt where a fault of the transport asks for it.
pub struct Output<W>(pub W);

impl<W: Write> Write for Output<W> {
    fn write(&mut self, answer: &[u8]) -> io::Result<usize> {
        if AGENT_MESSAGE_SEEN.swap(false, Ordering::Relaxed) {
            if fault(Fault::Garbage) {
                self.0.write_all(b"this line is not JSON\n")?;
            }
            if fault(Fault::HalfLine) {
                self.0.write_all(&answer[..answer.len() / 2])?;
                self.0.flush()?;
                process::exit(0);
            }
            if fault(Fault::WrongId) {
                self.0.write_all(&with_another_id(answer))?;
                return Ok(answer.len());
            }
        }
        self.0.write_all(answer)?;
        Ok(answer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn with_another_id(answer: &[u8]) -> Vec<u8> {
    let mut message: serde_json::Value = serde_json::from_slice(answer).unwrap_or_default();
    message["id"] = message["id"].as_u64().map(|id| id + 1).into();
    let mut line = message.to_string().into_bytes();
    line.push(b'\n');
    line
}
