//! The tools on every script that proves the parser, and on each of these with a mistake in it.
//!
//! A sample runs by default; `cargo test -p pg_ast_cli --test tools -- --ignored` runs everything.

// What the fuzz target `tools` asserts.
#[path = "../../../fuzz/src/tools/mod.rs"]
#[allow(unreachable_pub)]
mod properties;

// The scripts of the library's tests.
#[path = "../../../tests/common/scripts.rs"]
#[allow(dead_code, unreachable_pub)]
mod scripts;

mod cases;
mod digest;
mod fmt;
mod found;
mod lint;
mod mutate;
mod split;
