//! The program for the system: it prints what a program in WebAssembly has to return as well.
//!
//! ```text
//! cargo run --release -- report tests/statements/*.sql
//! cargo run --release -- malformed tests/statements/*.sql
//! ```

use std::io::Write as _;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let call = match arguments.next().as_deref() {
        Some("report") => pg_ast_wasm_tests::report,
        Some("malformed") => pg_ast_wasm_tests::malformed,
        other => panic!("no call {other:?}"),
    };
    for file in arguments {
        io::stdout().write_all(call(&fs::read_to_string(file)?).as_bytes())?;
    }
    Ok(())
}
