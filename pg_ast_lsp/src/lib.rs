//! A language server for PostgreSQL, without a database: all its answers come from the SQL.
//!
//! It answers what editors ask: mistakes and their fixes, completion, hover, definitions, references, rename, highlights, semantic
//! tokens, inlay hints, signatures, symbols, folding, selection and formatting, all of it inside of functions, too. README.md has the
//! list, and how editors run it.
//!
//! The command `pgast lsp` runs it: [`serve`]. A program with another input and output calls [`run`].

#![forbid(unsafe_code)]

mod capabilities;
mod code_actions;
mod diagnostics;
mod files;
mod formatting;
mod linting;
mod requests;
mod semantic_tokens;
mod server;
mod session;
mod settings;
mod to_lsp;
mod transport;

pub use pg_ast;

pub use crate::session::{run, serve};
pub use crate::settings::Settings;
