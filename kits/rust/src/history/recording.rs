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
    restored(envelopes, edition).map(move |mut envelope| {
        if edition == Edition::November2026 {
            ids::mint(&mut envelope.item); // E11-2
        }
        if let Some(body) = envelope.item.body_mut() {
            truncate(body, policy, edition);
        }
        envelope
    })
}

/// Gives what a history keeps of a stored session: nothing is cut, no ids are minted (E11-2).
pub fn restored(envelopes: Vec<Envelope>, edition: Edition) -> impl Iterator<Item = Envelope> {
    let kept = envelopes.into_iter().filter(|envelope| belongs_in_history(&envelope.item));
    kept.map(move |mut envelope| {
        if edition == Edition::November2026 {
            media::drop_undecodable(&mut envelope.item);
            drop_empty_texts(&mut envelope.item);
        }
        envelope
    })
}

/// System messages, compaction triggers and unknown items are dropped (REC-2).
fn belongs_in_history(item: &Item) -> bool {
    !matches!(item.kind, Kind::CompactionTrigger | Kind::Other)
        && item.message_of("system").is_none()
}

/// E11-3.
fn drop_empty_texts(item: &mut Item) {
    if let Some(Body::Parts(parts)) = item.body_mut() {
        parts.retain(|part| !matches!(part, Content::InputText(text) if text.is_empty()));
    }
}
