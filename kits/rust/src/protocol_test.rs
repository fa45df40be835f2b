//! The loop with adapters that fail where no operation is to blame.

use std::panic;

use serde_json::Value;

use crate::protocol::{Adapter, Object, Refusal, serve};

struct Failing {
    initialize: bool,
}

impl Adapter for Failing {
    type Script = ();

    fn initialize(&mut self, _params: &Value) -> Value {
        assert!(!self.initialize, "no database at {}", "/tmp/d");
        Value::Null
    }

    fn fresh_script(&self) {
        panic!("no script");
    }

    fn perform(&self, (): &mut (), _: Object, _: &mut Vec<String>) -> Result<Value, Refusal> {
        Ok(Value::Null)
    }
}

fn answers(initialize: bool) -> Vec<Value> {
    let requests = concat!(
        r#"{"id":1,"method":"initialize","params":{}}"#,
        "\n",
        r#"{"id":2,"method":"run","params":{"ops":[{}]}}"#,
        "\n",
        r#"{"id":3,"method":"shutdown"}"#,
    );
    let mut output = Vec::new();
    let served = serve(Failing { initialize }, requests.as_bytes(), &mut output);
    drop(panic::take_hook()); // the other tests want theirs back
    served.expect("a panic is answered");
    let lines = output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).expect("an answer is JSON")).collect()
}

#[test]
fn a_panic_outside_an_operation_is_an_error_that_says_why() {
    let given = answers(true);
    let text = |answer: &Value| answer["error"]["message"].as_str().map(str::to_owned);
    assert_eq!(given.len(), 3, "the loop goes on");
    assert_eq!(given[0]["error"]["code"], -32603);
    let expected = "a panic before the first operation: no database at /tmp/d";
    assert_eq!(text(&given[0]).as_deref(), Some(expected));
    let expected = "a panic before the first operation: no script";
    assert_eq!(text(&given[1]).as_deref(), Some(expected));
    assert_eq!(answers(false)[0]["result"], Value::Null);
}
