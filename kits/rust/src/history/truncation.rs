//! How outputs are cut to a policy when they are recorded (SPEC 3.2).

use super::Edition;
use super::items::{Body, Content};
use crate::faults::{Fault, fault};

const BYTES_PER_TOKEN: u64 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    Bytes(u64),
    Tokens(u64),
}

impl Policy {
    /// Enlarges the limit, and turns it into tokens where the edition counts so (TRUNC-1, E11-4).
    fn enlarged(self, edition: Edition) -> Self {
        match self {
            Self::Tokens(limit) => Self::Tokens(enlarged(limit)),
            Self::Bytes(limit) if edition == Edition::August2026 => Self::Bytes(enlarged(limit)),
            Self::Bytes(limit) => Self::Tokens(tokens(enlarged(limit))),
        }
    }

    fn limit(self) -> u64 {
        match self {
            Self::Bytes(limit) | Self::Tokens(limit) => limit,
        }
    }

    fn with_limit(self, limit: u64) -> Self {
        match self {
            Self::Bytes(_) => Self::Bytes(limit),
            Self::Tokens(_) => Self::Tokens(limit),
        }
    }

    /// What a text costs, in the policy's unit (TRUNC-7).
    fn cost(self, text: &str) -> u64 {
        match self {
            Self::Bytes(_) => length(text),
            Self::Tokens(_) => tokens(length(text)),
        }
    }

    fn budget_in_bytes(self) -> u64 {
        match self {
            Self::Bytes(limit) => limit,
            Self::Tokens(limit) => limit.saturating_mul(BYTES_PER_TOKEN),
        }
    }

    /// The estimate of audio, undecodable (TRUNC-9).
    fn cost_of_audio(self, url: &str) -> u64 {
        match self {
            Self::Bytes(_) => tokens(length(url)) * BYTES_PER_TOKEN,
            Self::Tokens(_) => tokens(length(url)),
        }
    }

    fn marker(self, text: &str, removed: &str) -> String {
        match self {
            Self::Bytes(_) => format!("…{} chars truncated…", removed.chars().count()),
            Self::Tokens(_) if fault(Fault::MarkerCountsRemoved) => {
                format!("…{} tokens truncated…", tokens(length(removed)))
            }
            Self::Tokens(_) => {
                let over = length(text) - self.budget_in_bytes();
                format!("…{} tokens truncated…", tokens(over))
            }
        }
    }
}

fn enlarged(limit: u64) -> u64 {
    limit.saturating_add(limit.div_ceil(5))
}

fn tokens(bytes: u64) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

fn length(text: &str) -> u64 {
    text.len() as u64
}

/// Cuts the body of an output to a policy's limit.
pub fn truncate(body: &mut Body, policy: Policy, edition: Edition) {
    let policy = policy.enlarged(edition);
    match body {
        Body::Text(text) => truncate_text(text, policy),
        Body::Parts(parts) => truncate_parts(parts, policy),
    }
}

/// Keeps the beginning and the end of a text that is too long (TRUNC-2 to TRUNC-6, TRUNC-11).
fn truncate_text(text: &mut String, policy: Policy) {
    let Ok(budget) = usize::try_from(policy.budget_in_bytes()) else { return };
    if text.len() <= budget {
        return;
    }
    let left = budget / 2;
    let right = budget - left;
    let prefix_end = text.floor_char_boundary(left);
    let suffix_start = text.ceil_char_boundary(text.len() - right);
    let marker = policy.marker(text, &text[prefix_end..suffix_start]);
    text.replace_range(prefix_end..suffix_start, &marker);
}

/// Spends one budget over all parts of a body (TRUNC-7 to TRUNC-10).
fn truncate_parts(parts: &mut Vec<Content>, policy: Policy) {
    let mut left = policy.limit();
    let (mut omitted_texts, mut omitted_audio) = (0, 0);
    parts.retain_mut(|part| match part {
        Content::InputText(_) if left == 0 => {
            omitted_texts += 1;
            false
        }
        Content::InputText(text) => {
            let cost = policy.cost(text);
            truncate_text(text, policy.with_limit(left));
            left = left.saturating_sub(cost);
            true
        }
        Content::InputAudio { audio_url } => {
            let cost = policy.cost_of_audio(audio_url);
            let fits = cost <= left;
            if fits {
                left -= cost;
            } else {
                omitted_audio += 1;
            }
            fits
        }
        _ => true,
    });
    for (count, what) in [(omitted_texts, "text"), (omitted_audio, "audio")] {
        if count > 0 {
            parts.push(Content::InputText(format!("[omitted {count} {what} items ...]")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";

    fn text(text: &str, policy: Policy) -> String {
        let mut body = Body::Text(text.to_owned());
        truncate(&mut body, policy, Edition::August2026);
        match body {
            Body::Text(text) => text,
            Body::Parts(_) => panic!("a text stays a text"),
        }
    }

    fn parts(texts: &[&str], policy: Policy) -> Vec<String> {
        let texts = texts.iter().map(|text| Content::InputText((*text).to_owned()));
        let mut body = Body::Parts(texts.collect());
        truncate(&mut body, policy, Edition::August2026);
        match body {
            Body::Parts(parts) => parts
                .into_iter()
                .map(|part| match part {
                    Content::InputText(text) => text,
                    other => panic!("{other:?} is no text"),
                })
                .collect(),
            Body::Text(_) => panic!("an array stays an array"),
        }
    }

    #[test]
    fn texts_are_cut_as_the_specification_works_out() {
        use Policy::{Bytes, Tokens};
        for (input, policy, expected) in [
            (ALPHABET, Bytes(10), "abcdef…14 chars truncated…uvwxyz"),
            (ALPHABET, Bytes(1), "a…24 chars truncated…z"),
            (ALPHABET, Bytes(0), "…26 chars truncated…"),
            (ALPHABET, Bytes(21), ALPHABET),
            (ALPHABET, Tokens(0), "…7 tokens truncated…"),
            (ALPHABET, Tokens(1), "abcd…5 tokens truncated…wxyz"),
            (ALPHABET, Tokens(5), "abcdefghijkl…1 tokens truncated…opqrstuvwxyz"),
            (ALPHABET, Tokens(6), ALPHABET),
            ("😀😀😀😀😀", Bytes(5), "…5 chars truncated…"),
            ("😀😀😀😀😀", Bytes(10), "😀…3 chars truncated…😀"),
            ("héllo wörld ünï", Bytes(5), "hé…11 chars truncated…nï"),
        ] {
            assert_eq!(text(input, policy), expected, "{policy:?}");
        }
    }

    #[test]
    fn arrays_spend_one_budget() {
        use Policy::Bytes;
        assert_eq!(
            parts(&["aaaa", "bbbb", "cccc"], Bytes(5)),
            ["aaaa", "b…2 chars truncated…b", "[omitted 1 text items ...]"]
        );
        assert_eq!(parts(&["", "a"], Bytes(0)), ["[omitted 2 text items ...]"]);
        assert_eq!(parts(&["", ""], Bytes(1)), ["", ""]);
    }
}
