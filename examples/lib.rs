//! The examples of pg_ast, each a program of one file: `cargo run --example NAME`.
