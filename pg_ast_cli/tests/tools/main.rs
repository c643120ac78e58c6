//! The tools on every script that proves the parser, and on each of these with a mistake in it.
//!
//! A sample runs by default; `cargo test -p pg_ast_cli --test tools -- --ignored` runs everything.

// The code of the tool, without a process for each script.
#[path = "../../src/format.rs"]
#[allow(dead_code)]
mod format;

mod check;
mod corpus;
mod fmt;
mod layout;
mod mutate;
