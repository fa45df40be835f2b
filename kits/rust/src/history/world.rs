//! World states, and how a new one is reported against the last (SPEC 4.7, WORLD-1 to WORLD-7).

use serde_json::{Map, Number, Value};

#[derive(Debug)]
pub enum StateReport {
    Full(Value),
    /// A JSON merge patch (RFC 7396).
    Patch(Value),
    Nothing,
}

pub fn report(baseline: Option<&Value>, state: &Value) -> StateReport {
    match baseline {
        None => StateReport::Full(state.clone()),
        Some(baseline) => {
            difference(baseline, state).map_or(StateReport::Nothing, StateReport::Patch)
        }
    }
}

/// Gives the minimal merge patch from one value to another; none if they are equal (WORLD-2).
fn difference(from: &Value, to: &Value) -> Option<Value> {
    let (Value::Object(old), Value::Object(new)) = (from, to) else {
        return (!same(from, to)).then(|| to.clone());
    };
    let mut patch = Map::new();
    for (key, value) in new {
        let changed = match old.get(key) {
            Some(before) => difference(before, value),
            None => Some(value.clone()),
        };
        patch.extend(changed.map(|value| (key.clone(), value)));
    }
    let removed = old.keys().filter(|key| !new.contains_key(*key));
    patch.extend(removed.map(|key| (key.clone(), Value::Null)));
    (!patch.is_empty()).then_some(Value::Object(patch))
}

/// Equality of JSON values; `==` of `serde_json` would compare the digits of numbers (WORLD-7).
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => same_number(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|it| same(value, it)))
        }
        _ => one == other,
    }
}

fn same_number(one: &Number, other: &Number) -> bool {
    let (one, other) = (one.as_str(), other.as_str());
    match (is_integer(one), is_integer(other)) {
        // The digits decide, since JSON has no leading zeros; -0 is 0.
        (true, true) => {
            one == other || (one == "-0" || one == "0") && (other == "-0" || other == "0")
        }
        (false, false) => one.parse::<f64>().ok() == other.parse::<f64>().ok(),
        _ => false,
    }
}

fn is_integer(number: &str) -> bool {
    !number.contains(['.', 'e', 'E'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn numbers_are_equal_within_their_kind() {
        for (one, other, equal) in [
            ("1", "1", true),
            ("1", "1.0", false),
            ("1", "true", false),
            ("1.0", "1.00", true),
            ("1e2", "100.0", true),
            ("0", "-0", true),
            ("9007199254740993", "9007199254740992", false),
            ("100000000000000000000000000000", "100000000000000000000000000000", true),
        ] {
            assert_eq!(same(&value(one), &value(other)), equal, "{one} and {other}");
        }
    }

    #[test]
    fn a_patch_says_only_what_changed() {
        for (from, to, patch) in [
            (r#"{"a":1,"b":{"c":2,"d":3}}"#, r#"{"b":{"c":2,"d":4}}"#, r#"{"b":{"d":4},"a":null}"#),
            (r#"{"a":[1,2]}"#, r#"{"a":[1,3]}"#, r#"{"a":[1,3]}"#),
            ("5", "{}", "{}"),
        ] {
            assert_eq!(difference(&value(from), &value(to)), Some(value(patch)));
        }
        assert_eq!(difference(&value(r#"{"a":{}}"#), &value(r#"{"a":{}}"#)), None);
    }
}
