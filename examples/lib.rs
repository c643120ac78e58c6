//! The examples of pg_ast, one program per file: `cargo run --example NAME`.
