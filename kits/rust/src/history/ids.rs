//! Item ids: of synthetic outputs (SYN), minted ones (E11-2) and those a prompt shows (E11-6).

use std::collections::hash_map::RandomState;
use std::fmt::Write;
use std::hash::{BuildHasher, Hasher};
use std::rc::Rc;
use std::time::{SystemTime, UNIX_EPOCH};

use sha1_smol::Sha1;

use super::items::{Entry, Item, Kind};

const NAMESPACE: u128 = 0x90d3_8d3e_6a5b_4d52_bfe2_2f1e_634b_fac4;

/// Gives the id of the synthetic output of the call with this item id (SYN-1).
pub fn synthetic(prefix: &str, item_id: &str) -> String {
    let mut hash = Sha1::new();
    hash.update(&NAMESPACE.to_be_bytes());
    hash.update(format!("{prefix}:{item_id}").as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.digest().bytes()[..16]);
    format!("{prefix}_{}", uuid(u128::from_be_bytes(bytes), 5))
}

/// Gives an item that has no id, or an empty one, a fresh one (E11-2).
pub fn mint(item: &mut Item) {
    if item.id.as_deref().unwrap_or_default().is_empty()
        && let Some(prefix) = prefix(&item.kind)
    {
        item.id = Some(format!("{prefix}_{}", uuid(fresh_bits(), 7)));
    }
}

fn prefix(kind: &Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Message { .. } => "msg",
        Kind::AgentMessage { .. } => "amsg",
        Kind::Reasoning { .. } => "rs",
        Kind::LocalShellCall { .. } => "lsh",
        Kind::FunctionCall { .. } => "fc",
        Kind::ToolSearchCall { .. } => "tsc",
        Kind::FunctionCallOutput { .. } => "fco",
        Kind::CustomToolCall { .. } => "ctc",
        Kind::CustomToolCallOutput { .. } => "ctco",
        Kind::ToolSearchOutput { .. } => "tso",
        Kind::WebSearchCall { .. } => "ws",
        Kind::ImageGenerationCall { .. } => "ig",
        Kind::Compaction { .. } | Kind::ContextCompaction { .. } => "cmp",
        Kind::AdditionalTools { .. } => "at",
        Kind::CompactionTrigger | Kind::Other => return None,
    })
}

/// The milliseconds since 1970 in the first 48 bits, chance in the rest.
fn fresh_bits() -> u128 {
    let age = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Each state hashes with a key of its own, which comes from the system's source of chance.
    let chance = || u128::from(RandomState::new().build_hasher().finish());
    (age.as_millis() << 80) | ((chance() << 64 | chance()) & ((1 << 80) - 1))
}

/// Writes 128 bits as a UUID of this version, in lower case and with hyphens.
fn uuid(bits: u128, version: u128) -> String {
    let marked = bits & !(0xf << 76) & !(0x3 << 62) | (version << 76) | (0x2 << 62);
    let mut text = String::with_capacity(36);
    for (index, byte) in marked.to_be_bytes().iter().enumerate() {
        let hyphen = if matches!(index, 4 | 6 | 8 | 10) { "-" } else { "" };
        let _ = write!(text, "{hyphen}{byte:02x}"); // a string takes everything
    }
    text
}

/// Takes from a prompt the ids that are not `prefix_suffix`, neither part empty (E11-6).
pub fn hide_malformed(prompt: &mut [Entry]) {
    for entry in prompt {
        if entry.item.id.as_deref().is_some_and(|id| !is_well_formed(id)) {
            Rc::make_mut(entry).item.id = None;
        }
    }
}

fn is_well_formed(id: &str) -> bool {
    id.split_once('_').is_some_and(|(prefix, suffix)| !prefix.is_empty() && !suffix.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synthetic_ids_are_those_of_the_specification() {
        for (prefix, item_id, expected) in [
            ("fco", "fc_1", "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4"),
            ("fco", "fc_existing", "fco_742749b0-3645-5d32-a172-676827826a07"),
            ("fco", "abc", "fco_54e052cc-70eb-5988-a407-53fa52816ad0"),
            ("fco", "lsh_1", "fco_37093384-5cd0-5813-8a86-723bfcccbbb2"),
            ("ctco", "ctc_1", "ctco_ffd2c872-81a7-5a00-b6f6-884096d1f522"),
            ("tso", "tsc_1", "tso_f380c6b3-5815-5031-91ee-dd1c77f963ee"),
        ] {
            assert_eq!(synthetic(prefix, item_id), expected);
        }
    }

    #[test]
    fn minted_ids_differ_and_say_their_version() {
        let (one, other) = (uuid(fresh_bits(), 7), uuid(fresh_bits(), 7));
        assert_ne!(one, other);
        assert_eq!((one.len(), &one[14..15]), (36, "7"));
        assert!("89ab".contains(&one[19..20]));
    }

    #[test]
    fn a_prompt_shows_an_id_with_two_parts() {
        for (id, shown) in
            [("fc_1", true), ("a_b_c", true), ("abc", false), ("fc_", false), ("_1", false)]
        {
            assert_eq!(is_well_formed(id), shown, "{id}");
        }
    }
}
