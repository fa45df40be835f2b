//! What recording keeps, and as what (SPEC 3.1).

use super::items::{Body, Content, Envelope, Item, Kind};
use super::truncation::{Policy, truncate};
use super::{Edition, ids, media};

/// Gives what a history keeps of new envelopes (REC-1 to REC-3).
pub fn recorded(
    envelopes: Vec<Envelope>,
    policy: Policy,
    edition: Edition,
) -> impl Iterator<Item = Envelope> {
    envelopes.into_iter().filter(|envelope| belongs_in_history(&envelope.item)).map(
        move |mut envelope| {
            if edition == Edition::November2026 {
                prepare(&mut envelope.item);
            }
            if let Some(body) = envelope.item.body_mut() {
                truncate(body, policy, edition);
            }
            envelope
        },
    )
}

/// System messages, compaction triggers and unknown items are dropped (REC-2).
fn belongs_in_history(item: &Item) -> bool {
    !matches!(item.kind, Kind::CompactionTrigger | Kind::Other)
        && item.message_of("system").is_none()
}

/// What edition 2026-11 does before anything is cut (E11-2, E11-3, E11-5).
fn prepare(item: &mut Item) {
    ids::mint(item);
    media::drop_undecodable(item);
    if let Some(Body::Parts(parts)) = item.body_mut() {
        parts.retain(|part| !matches!(part, Content::InputText(text) if text.is_empty()));
    }
}
