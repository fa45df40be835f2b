//! The adapter's program: it serves scripts over standard input and output.

mod adapter;
mod faults;
mod history;
mod protocol;
#[cfg(test)]
mod protocol_test;

use std::io;

use adapter::ContextAdapter;

fn main() -> io::Result<()> {
    faults::read_switch();
    let output = faults::Output(io::stdout().lock());
    protocol::serve(ContextAdapter::default(), io::stdin().lock(), output)
}
