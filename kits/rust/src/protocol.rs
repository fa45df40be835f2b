//! The contextcert protocol, version 1: one JSON-RPC message a line, a script in, outcomes out.
//! Nothing here knows what a history is; copy the file as it is and write `adapter.rs`.

use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};

use serde_json::{Map, Value};

pub type Object = Map<String, Value>;

/// Why an operation gave no value. It had no effect, and the script goes on.
pub enum Refusal {
    /// The implementation refused it: what was wrong with it.
    Error(String),
    /// The adapter does not know it, or cannot do it: why.
    Unsupported(String),
}

/// What an implementer writes.
pub trait Adapter {
    /// Everything one script works on.
    type Script;
    /// Gives the result of `initialize`, the protocol's version included.
    fn initialize(&mut self, params: &Value) -> Value;
    /// Gives the state a script starts from.
    fn fresh_script(&self) -> Self::Script;
    /// Performs one operation. Error-level messages go to `diagnostics`; a panic is an outcome.
    fn perform(
        &self,
        script: &mut Self::Script,
        operation: Object,
        diagnostics: &mut Vec<String>,
    ) -> Result<Value, Refusal>;
}

/// Answers requests until `shutdown` or the end of the input.
pub fn serve<A: Adapter>(
    mut adapter: A,
    input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    // A panic is an outcome here: without this hook each one would fill standard error.
    panic::set_hook(Box::new(|_| {}));
    for line in input.split(b'\n') {
        let request = serde_json::from_slice::<Value>(&line?);
        let last = request.as_ref().is_ok_and(|request| request["method"] == "shutdown");
        let answer = match request {
            Ok(Value::Object(request)) => answer_request(&mut adapter, request),
            Ok(_) => refusal(Value::Null, -32600, "a request is a JSON object"),
            Err(error) => refusal(Value::Null, -32700, &error.to_string()),
        };
        let answer = serde_json::to_string(&answer)? + "\n";
        output.write_all(answer.as_bytes())?;
        output.flush()?;
        if last {
            break;
        }
    }
    Ok(())
}

fn answer_request<A: Adapter>(adapter: &mut A, mut request: Object) -> Value {
    let id = request.remove("id").unwrap_or_default();
    let mut params = request.remove("params").unwrap_or_default();
    let result = match request.get("method").and_then(Value::as_str) {
        Some("initialize") => caught(|| adapter.initialize(&params)),
        Some("run") => match params.get_mut("ops").map(Value::take) {
            Some(Value::Array(ops)) => run(adapter, ops, params["continue_after_panic"] == true),
            _ => return refusal(id, -32602, "params.ops is to be an array"),
        },
        Some("shutdown") => Ok(Value::Null),
        Some(method) => return refusal(id, -32601, &format!("unknown method {method}")),
        None => return refusal(id, -32600, "a request has a method"),
    };
    match result {
        Ok(result) => object([("jsonrpc", "2.0".into()), ("id", id), ("result", result)]),
        Err(why) => refusal(id, -32603, &format!("a panic before the first operation: {why}")),
    }
}

fn run<A: Adapter>(adapter: &A, ops: Vec<Value>, go_on: bool) -> Result<Value, String> {
    let mut script = caught(|| adapter.fresh_script())?;
    let mut outcomes = Vec::with_capacity(ops.len());
    for mut operation in ops {
        let operation = operation.as_object_mut().map(std::mem::take).unwrap_or_default();
        let mut diagnostics = Vec::new();
        let performed = caught(|| adapter.perform(&mut script, operation, &mut diagnostics));
        let panicked = performed.is_err();
        outcomes.push(match performed {
            Ok(Ok(value)) if diagnostics.is_empty() => object([("ok", value)]),
            Ok(Ok(value)) => object([("ok", value), ("diagnostics", diagnostics.into())]),
            Ok(Err(Refusal::Error(why))) => object([("error", object([("message", why.into())]))]),
            Ok(Err(Refusal::Unsupported(why))) => object([("unsupported", why.into())]),
            Err(panic) => object([("panic", panic.into())]),
        });
        if panicked && !go_on {
            break;
        }
    }
    Ok(object([("outcomes", outcomes.into())]))
}

/// The text of a panic, if any: `panic!("text")` carries a `&str`, `panic!("{value}")` a `String`.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        text.unwrap_or("a panic without a text").to_owned()
    })
}

fn refusal(id: Value, code: i32, message: &str) -> Value {
    let error = object([("code", code.into()), ("message", message.into())]);
    object([("jsonrpc", "2.0".into()), ("id", id), ("error", error)])
}

/// A JSON object; unlike `json!`, which copies what it is given, this moves it.
pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.map(|(key, value)| (key.to_owned(), value)).into_iter().collect())
}
