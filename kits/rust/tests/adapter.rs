//! The adapter as contextcert meets it: a program that is asked over its standard input.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Asks a fresh adapter these requests, and gives its answers.
fn ask(requests: &[Value]) -> Vec<Value> {
    let mut adapter = Command::new(env!("CARGO_BIN_EXE_context-adapter"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the adapter starts");
    let mut input = adapter.stdin.take().expect("its input is a pipe");
    for (index, request) in requests.iter().enumerate() {
        let mut message = json!({ "jsonrpc": "2.0", "id": index + 1 });
        message.as_object_mut().unwrap().extend(request.as_object().unwrap().clone());
        writeln!(input, "{message}").expect("it reads");
    }
    drop(input);
    let output = adapter.wait_with_output().expect("it ends with its input");
    let lines = String::from_utf8(output.stdout).expect("its answers are UTF-8");
    lines.lines().map(|line| serde_json::from_str(line).expect("an answer is JSON")).collect()
}

/// Gives the outcomes of a script that goes on after a panic.
fn outcomes(edition: &str, operations: &[Value]) -> Vec<Value> {
    let script = json!({ "ops": operations, "continue_after_panic": true });
    let answers = ask(&[
        json!({ "method": "initialize", "params": { "edition": edition } }),
        json!({ "method": "run", "params": script }),
    ]);
    answers[1]["result"]["outcomes"].as_array().expect("a run gives outcomes").clone()
}

fn record(items: &Value) -> Value {
    json!({ "op": "record_items", "items": items, "policy": { "mode": "tokens", "limit": 100 } })
}

#[test]
fn the_mode_is_the_builds_own() {
    let answers = ask(&[json!({ "method": "initialize", "params": { "mode": "either" } })]);
    let mode = if cfg!(debug_assertions) { "debug" } else { "release" };
    assert_eq!(answers[0]["result"]["mode"], mode);
}

#[test]
fn an_anomaly_stops_a_debug_build_and_is_reported_by_a_release_build() {
    let orphan = json!([{ "type": "function_call_output", "call_id": "a", "output": "x" }]);
    let prompt = json!({ "op": "for_prompt", "input_modalities": ["text"] });
    let given = outcomes("2026-08", &[record(&orphan), prompt.clone(), prompt]);
    let message = "Orphan function call output for call id: a";
    let expected = if cfg!(debug_assertions) {
        json!({ "panic": message })
    } else {
        json!({ "ok": [], "diagnostics": [message] })
    };
    assert_eq!(given, [json!({ "ok": null }), expected.clone(), expected]);
}

#[test]
fn an_unreadable_item_refuses_the_operation_and_says_where() {
    let call = json!({ "type": "function_call", "name": "n", "arguments": "", "call_id": "" });
    let given = outcomes(
        "2026-08",
        &[
            record(&json!([call, { "type": "message", "role": "user" }])),
            json!({ "op": "raw_items" }),
        ],
    );
    let refused = json!({ "error": { "message": "items[1].content is missing" } });
    assert_eq!(given, [refused, json!({ "ok": [] })]);
}

#[test]
fn what_nobody_knows_is_answered_and_the_loop_goes_on() {
    let answers = ask(&[
        json!({ "method": "sing" }),
        json!({ "method": "run", "params": { "ops": [{ "op": "sing" }, { "op": "raw_items" }] } }),
        json!({ "method": "shutdown" }),
        json!({ "method": "run", "params": { "ops": [] } }),
    ]);
    assert_eq!(answers.len(), 3, "the adapter ends at shutdown");
    assert_eq!(answers[0]["error"]["code"], -32601);
    let unknown = json!({ "unsupported": "no operation sing" });
    assert_eq!(answers[1]["result"]["outcomes"], json!([unknown, { "ok": [] }]));
    assert_eq!(answers[2], json!({ "jsonrpc": "2.0", "id": 3, "result": null }));
}

#[test]
fn numbers_keep_every_digit() {
    let digits = r#"{"a":1,"b":1.0,"c":123456789012345678901234567890}"#;
    let value: Value = serde_json::from_str(digits).unwrap();
    let given = outcomes(
        "2026-08",
        &[json!({ "op": "set_token_info", "value": value }), json!({ "op": "token_info" })],
    );
    assert_eq!(given[1]["ok"].to_string(), digits);
}

#[test]
fn recording_mints_ids_that_stay_in_the_later_edition() {
    let call = json!([{ "type": "function_call", "name": "n", "arguments": "", "call_id": "a" }]);
    let read = json!({ "op": "raw_items" });
    let prompt = json!({ "op": "for_prompt", "input_modalities": [] });
    let given = outcomes("2026-11", &[record(&call), read.clone(), prompt, read]);
    let id = given[1]["ok"][0]["id"].as_str().expect("an id was minted");
    assert!(id.starts_with("fc_") && id.len() == "fc_".len() + 36, "{id}");
    assert_eq!(given[2]["ok"][0]["id"], id);
    assert_eq!(given[1], given[3]);
    assert!(given[2]["ok"][1]["id"].as_str().is_some_and(|id| id.starts_with("fco_")));
}
