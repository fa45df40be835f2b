//! Instructions that one agent gives another, as JSON inside an assistant's message (SPEC 4.6).

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::items::Content;

const KNOWN: &[&str] = &[
    "author",
    "recipient",
    "content",
    "trigger_turn",
    "id",
    "encrypted_content",
    "internal_chat_message_metadata_passthrough",
    "other_recipients",
];

/// Says whether the content of an assistant's message is an inter-agent instruction.
pub fn is_instruction(content: &[Content]) -> bool {
    let [Content::InputText(text) | Content::OutputText(text)] = content else { return false };
    // Most texts are prose: only what starts like an object is worth parsing.
    text.trim_start().starts_with('{')
        && serde_json::from_str(text).is_ok_and(|Unrepeated(object)| says_so(&object))
}

/// An object in which no known key is repeated; of unknown keys the last counts.
struct Unrepeated(Map<String, Value>);

impl<'de> Deserialize<'de> for Unrepeated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(UnrepeatedVisitor)
    }
}

struct UnrepeatedVisitor;

impl<'de> Visitor<'de> for UnrepeatedVisitor {
    type Value = Unrepeated;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Unrepeated, A::Error> {
        let mut object = Map::new();
        while let Some((key, value)) = entries.next_entry::<String, Value>()? {
            if KNOWN.contains(&key.as_str()) && object.contains_key(&key) {
                return Err(Error::custom("a known key is repeated"));
            }
            object.insert(key, value);
        }
        Ok(Unrepeated(object))
    }
}

fn says_so(object: &Map<String, Value>) -> bool {
    let is_path = |value: &Value| value.as_str().is_some_and(is_agent_path);
    let has = |key, check: &dyn Fn(&Value) -> bool| object.get(key).is_some_and(check);
    let may_have = |key, check: &dyn Fn(&Value) -> bool| {
        object.get(key).is_none_or(|value| value.is_null() || check(value))
    };
    has("author", &is_path)
        && has("recipient", &is_path)
        && has("content", &Value::is_string)
        && has("trigger_turn", &Value::is_boolean)
        && may_have("id", &Value::is_string)
        && may_have("encrypted_content", &Value::is_string)
        && may_have("internal_chat_message_metadata_passthrough", &Value::is_object)
        && object.get("other_recipients").is_none_or(|value| {
            value.as_array().is_some_and(|recipients| recipients.iter().all(is_path))
        })
}

/// `/morpheus`, or `/root` and segments of `[a-z0-9_]+` that are not `root`.
fn is_agent_path(path: &str) -> bool {
    let is_segment = |segment: &str| {
        !segment.is_empty()
            && segment != "root"
            && segment.bytes().all(|it| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'_'))
    };
    let segments = path.strip_prefix("/root").map(|rest| match rest.strip_prefix('/') {
        Some(segments) => segments.split('/').all(is_segment),
        None => rest.is_empty(),
    });
    path == "/morpheus" || segments == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_told_from_prose() {
        let plain =
            r#"{"author":"/root/a","recipient":"/morpheus","content":"","trigger_turn":true"#;
        for (rest, expected) in [
            ("}", true),
            (r#","other_recipients":["/root"],"id":null,"unknown":1,"unknown":2}"#, true),
            (r#","other_recipients":null}"#, false),
            (r#","content":""}"#, false),
            (r#","id":1}"#, false),
            (r#","other_recipients":["/root/root"]}"#, false),
            ("} and more", false),
        ] {
            let content = [Content::OutputText(format!(" {plain}{rest}"))];
            assert_eq!(is_instruction(&content), expected, "{rest}");
        }
    }

    #[test]
    fn agent_paths_begin_at_the_root() {
        for path in ["/root", "/root/a_1/b", "/morpheus"] {
            assert!(is_agent_path(path), "{path}");
        }
        for path in ["", "/", "root", "/root/", "/root/A", "/root/root", "/rooted", "/morpheus/a"] {
            assert!(!is_agent_path(path), "{path}");
        }
    }
}
